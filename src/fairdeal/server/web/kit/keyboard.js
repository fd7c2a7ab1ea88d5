// The keyboard: keys that are heard wherever the focus is, and arrows among cards, along a row and
// in two dimensions where cards lie in two.
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

/** Where a key leads from the card that has the focus: within its zone, and from column to column.
 * @param {Element} zone @param {string} layout @param {string} key
 * @returns {HTMLElement | undefined} */
export function onward(zone, layout, key) {
  const here = /** @type {HTMLElement[]} */ ([...zone.querySelectorAll('button.card')]);
  const at = here.indexOf(/** @type {HTMLElement} */ (document.activeElement));
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
