// Cards travel from where they were to where they are: First, Last, Invert, Play, with the Web
// Animations API.

/** @typedef {Map<string, DOMRect>} Places */

const MOVE = 320;
/** How long cards that were turned over and back in one move stay up. */
export const LINGER = 900;
const EASE = 'cubic-bezier(.2,.8,.2,1)';

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Where every card is now. @param {Element | null} root @returns {Places} */
export function places(root) {
  const found = new Map();
  for (const card of root?.querySelectorAll('[data-id]') ?? []) {
    found.set(/** @type {HTMLElement} */ (card).dataset.id, card.getBoundingClientRect());
  }
  return found;
}

/** @type {WeakMap<Element, Animation>} */
const running = new WeakMap();

/** Let cards travel from their former places; new ones come from `source`, such as the deck or the
 * player who acted. All places are read before anything is written, and only transform and
 * opacity move: the page is laid out once.
 * @param {Element | null} root @param {Places} before @param {DOMRect | undefined} source
 * @param {boolean} deal */
export function travel(root, before, source, deal = false) {
  if (!root || still()) return;
  const cards = [...root.querySelectorAll('[data-id]')].filter(
    (card) => !card.closest('[data-rolls]'),
  );
  for (const card of cards) {
    running.get(card)?.cancel();
    running.delete(card);
  }
  const after = cards.map((card) => card.getBoundingClientRect());
  let fresh = 0;
  cards.forEach((card, number) => {
    const known = before.get(/** @type {HTMLElement} */ (card).dataset.id ?? '');
    const now = after[number];
    const was = known ?? source;
    if (!was?.width || !now.width) return;
    const scale = known ? was.width / now.width : Math.min(1, was.width / now.width);
    const dx = was.left - now.left - (now.width * (1 - scale)) / 2;
    const dy = was.top - now.top - (now.height * (1 - scale)) / 2;
    if (Math.abs(dx) + Math.abs(dy) < 2 && Math.abs(scale - 1) < 0.02) return;
    const delay = known ? 0 : Math.min(deal ? 900 - MOVE : 240, 60 * fresh++);
    const from = `translate(${dx}px, ${dy}px) scale(${scale})`;
    const animation = card.animate(
      known
        ? [{ transform: from }, { transform: 'none' }]
        : [
            { transform: from, opacity: 0.2 },
            { transform: 'none', opacity: 1 },
          ],
      { id: 'travel', duration: MOVE, delay, easing: EASE, fill: 'backwards' },
    );
    running.set(card, animation);
  });
}

/** A tap never waits: finish what still runs. @param {Element | null} root */
export function settle(root) {
  for (const card of root?.querySelectorAll('[data-id]') ?? []) running.get(card)?.finish();
}

/** Cards of a layout that the last move turned over and back: they lie face down, and all have
 * seen their faces.
 * @param {any} scene @returns {Map<string, string>} */
export function turnedBack(scene) {
  const cards = (scene.zones ?? [])
    .filter((/** @type {any} */ zone) => zone.layout === 'grid')
    .flatMap((/** @type {any} */ zone) => zone.cards ?? []);
  return new Map(
    cards
      .filter((/** @type {any} */ card) => card.face && card.down)
      .map((/** @type {any} */ card) => [card.id, card.face]),
  );
}
