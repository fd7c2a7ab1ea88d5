// The keyboard: keys that are heard wherever the focus is, arrows among cards, along a row and in
// two dimensions where cards lie in two, and where the focus goes on.
import { useLayoutEffect, useRef } from '../vendor/htm-preact.js';

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 3;

/** Hear the keys of the page: a key acts on the page as drawn when it is pressed.
 * @param {(event: KeyboardEvent & { target: HTMLElement }) => void} hear
 * @param {boolean} [first] is it heard before all others? */
export function useKeydown(hear, first = false) {
  const now = useRef(hear);
  now.current = hear;
  useLayoutEffect(() => {
    const key = (/** @type {KeyboardEvent} */ event) =>
      now.current(/** @type {KeyboardEvent & { target: HTMLElement }} */ (event));
    document.addEventListener('keydown', key, first);
    return () => document.removeEventListener('keydown', key, first);
  }, [first]);
}

/** Is a key held that makes it the browser's? @param {KeyboardEvent} event */
export const isChord = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The nearest of `others` in the direction of an arrow key; what lies aside counts as further
 * away.
 * @param {Element} from @param {HTMLElement[]} others @param {string} key
 * @returns {HTMLElement | undefined} */
export function nearest(from, others, key) {
  const way = WAYS[/** @type {keyof typeof WAYS} */ (key)];
  const here = middle(from);
  if (!way) return undefined;
  let found;
  let least = Infinity;
  for (const other of others) {
    const there = middle(other);
    const x = there.x - here.x;
    const y = there.y - here.y;
    const along = x * way[0] + y * way[1];
    const aside = Math.abs(x * way[1]) + Math.abs(y * way[0]);
    if (other !== from && along > 4 && along + ASIDE * aside < least) {
      found = other;
      least = along + ASIDE * aside;
    }
  }
  return found;
}

/** Where a key leads from a card, that with the focus if none is given: within its zone, and from
 * column to column.
 * @param {Element} zone @param {string} layout @param {string} key @param {Element | null} [from]
 * @returns {HTMLElement | undefined} */
export function onward(zone, layout, key, from = document.activeElement) {
  const here = /** @type {HTMLElement[]} */ ([...zone.querySelectorAll('button.card')]);
  const at = here.indexOf(/** @type {HTMLElement} */ (from));
  if (at < 0) return undefined;
  if (key === 'Home') return here[0];
  if (key === 'End') return here.at(-1);
  if (layout === 'grid') return nearest(here[at], here, key);
  if (layout === 'column' && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    const columns = /** @type {HTMLElement[]} */ ([
      ...(zone.closest('.centre, .theirs, .mine, .zones') ?? zone).querySelectorAll(
        '[data-layout=column] button.card',
      ),
    ]);
    return nearest(
      here[at],
      columns.filter((card) => !zone.contains(card)),
      key,
    );
  }
  return here[at + (STEPS[/** @type {keyof typeof STEPS} */ (key)] ?? NaN)];
}

/** The place to which a key leads from another in a row of `count`, or -1 if it leads nowhere.
 * @param {string} key @param {number} from @param {number} count */
export function placeOn(key, from, count) {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
  return step ? Math.max(0, Math.min(from + step, count - 1)) : -1;
}

/** The elements that can be chosen at a table: on it, and in the prompt. */
const ON_TABLE =
  '.card[data-can], .aim, .answer:not(:disabled), .fan[role=slider], .wheel[data-can]';
const ASKED = '.prompt :is(.opt, .acts button):not(:disabled)';

/** Where an arrow leads that leads nowhere within a zone: up and down to what is nearest of all
 * that can be chosen, and otherwise to what follows, or comes before; from elsewhere to the first.
 * @param {Element} root @param {Element} from @param {string} key
 * @returns {HTMLElement | undefined} */
export function beyond(root, from, key) {
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
  const all = /** @type {HTMLElement[]} */ (
    [ON_TABLE, ASKED].flatMap((some) => [...root.querySelectorAll(some)])
  ).filter((one) => one.checkVisibility() && one.matches('button, [tabindex]'));
  if (!step) return undefined;
  const zone = from.closest('.zone') ?? from;
  const inside = from === root ? [] : all.filter((one) => zone.contains(one));
  const others = all.filter((one) => !inside.includes(one));
  const asked = from.matches('.prompt');
  const upright = key === 'ArrowUp' || key === 'ArrowDown';
  const near = upright ? nearest(from, others, key) : undefined;
  if (!inside.length || asked) return (asked && near) || all[0];
  if (upright) return near;
  const ahead = all.slice(all.indexOf(/** @type {HTMLElement} */ (inside.at(-1))) + 1);
  const behind = all.slice(0, all.indexOf(inside[0]));
  return step > 0 ? (ahead[0] ?? others[0]) : (behind.at(-1) ?? others.at(-1));
}

/** The card that takes the focus of one that can no longer be chosen: the nearest of its zone.
 * @param {Element} root @param {{ zone?: string, id?: string }} was */
export function heir(root, was) {
  const zone = was.zone && root.querySelector(`[data-zone="${CSS.escape(was.zone)}"]`);
  const from = was.id && root.querySelector(`[data-id="${CSS.escape(was.id)}"]`);
  if (!zone || !from) return null;
  const cards = /** @type {HTMLElement[]} */ ([...zone.querySelectorAll('button.card[data-can]')]);
  return (
    cards.find((card) => card === from) ??
    ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']
      .map((key) => nearest(from, cards, key))
      .find(Boolean) ??
    null
  );
}

/** The question. @param {Element} root @returns {HTMLElement | null} */
export const promptIn = (root) => root.querySelector('.prompt');

/** Is the focus nowhere, or on a card that cannot be chosen? */
export function isIdle() {
  const focus = document.activeElement;
  return !focus || focus === document.body || focus.matches('.card:not([data-can], [data-sel])');
}
