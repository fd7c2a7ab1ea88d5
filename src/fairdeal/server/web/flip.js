// Cards travel from where they were to where they are: First, Last, Invert, Play, with the Web Animations API.

/** @typedef {Map<string, DOMRect>} Places */

const MOVE = 320;
const EASE = 'cubic-bezier(.2,.8,.2,1)';

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Where every card is now. @param {Element | null} root @returns {Places} */
export function places(root) {
  const found = new Map();
  for (const card of root?.querySelectorAll('[data-id]') ?? []) found.set(/** @type {HTMLElement} */ (card).dataset.id, card.getBoundingClientRect());
  return found;
}

/** Let cards travel from their former places; new ones come from `source`, such as the deck or the player who acted.
 * @param {Element | null} root @param {Places} before @param {DOMRect | undefined} source @param {boolean} deal */
export function travel(root, before, source, deal = false) {
  if (!root || still()) return;
  const cards = [...root.querySelectorAll('[data-id]')];
  const after = cards.map((card) => card.getBoundingClientRect());
  let fresh = 0;
  cards.forEach((card, number) => {
    const element = /** @type {HTMLElement} */ (card);
    const now = after[number], was = before.get(element.dataset.id ?? '') ?? source;
    if (!was || !now.width || !was.width) return;
    const dx = was.left - now.left, dy = was.top - now.top, scale = was === source ? Math.min(1, was.width / now.width) : was.width / now.width;
    if (Math.abs(dx) + Math.abs(dy) < 2 && Math.abs(scale - 1) < 0.02) return;
    const known = before.has(element.dataset.id ?? '');
    const delay = known ? 0 : Math.min(900 - MOVE, 60 * fresh++);
    element.getAnimations().filter((animation) => animation.id === 'travel').forEach((animation) => animation.cancel());
    const animation = element.animate(
      [{ transformOrigin: '0 0', transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 9, opacity: known ? 1 : 0.2 }, { transformOrigin: '0 0', transform: 'none', zIndex: 9, opacity: 1 }],
      { duration: MOVE, delay: deal ? delay : Math.min(delay, 240), easing: EASE, fill: 'backwards' },
    );
    animation.id = 'travel';
  });
}

/** A tap never waits: finish what still runs. @param {Element | null} root */
export function settle(root) {
  for (const animation of root?.getAnimations({ subtree: true }) ?? []) if (animation.id === 'travel') animation.finish();
}
