// Cards travel from where they were to where they are: First, Last, Invert, Play, with the Web
// Animations API.

/** @import { Moved, Scene, Shows, Travel } from '../types.js' */

/** @typedef {Map<string, { box: DOMRect, zone: string }>} Places */

/** The id of the animation of a card that travels. */
export const TRAVEL = 'travel';

const MOVE = 320;
const EASE = 'cubic-bezier(.2,.8,.2,1)';

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/** Does its viewer wish that nothing travels? */
export const motionless = () => reduced.matches;

/** Be told when that changes. @param {() => void} tell @returns {() => void} what ends it */
export function onMotion(tell) {
  reduced.addEventListener('change', tell);
  return () => reduced.removeEventListener('change', tell);
}

/** Where every card is now and in which zone, where every zone is and every seat: `zone:deck`,
 * `seat:1`. @param {Element | null} root @returns {Places} */
export function places(root) {
  const found = new Map();
  for (const card of root?.querySelectorAll('[data-id]') ?? []) {
    found.set(idOf(card), { box: card.getBoundingClientRect(), zone: zoneOf(card) });
  }
  for (const zone of root?.querySelectorAll('[data-zone]') ?? []) {
    const inside = zone.querySelector('.cards > li:last-child') ?? zone;
    found.set(`zone:${zoneOf(zone)}`, { box: inside.getBoundingClientRect(), zone: '' });
  }
  for (const seat of root?.querySelectorAll('[data-seat]') ?? []) {
    const face = seat.querySelector('.face') ?? seat;
    const name = `seat:${seat.getAttribute('data-seat')}`;
    found.set(name, { box: face.getBoundingClientRect(), zone: '' });
  }
  return found;
}

/** @param {Element} card */
const idOf = (card) => card.getAttribute('data-id') ?? '';

/** The zone that an element lies in. @param {Element} element */
const zoneOf = (element) => element.closest('[data-zone]')?.getAttribute('data-zone') ?? '';

/** The last animation of each card. @type {WeakMap<Element, Animation>} */
const running = new WeakMap();

/** Where a card that moved comes from: where it was, or the zone, or the seat that acted.
 * @param {Moved} move @param {Places} before @param {string} seat */
const originOf = (move, before, seat) =>
  before.get(move.was || ' ')?.box ??
  before.get(`zone:${move.origin}`)?.box ??
  before.get(seat)?.box;

/** The long side of a card, which stays the same while it is turned over. @param {DOMRect} box */
const long = ({ width, height }) => Math.max(width, height);

/** Is it turned by 90 degrees? Then so is the way that it travels. @param {Element} card */
const isAcross = (card) => Boolean(card.closest('[data-across]'));

/** Let the cards travel that an event says have moved, and those move up that lie on in their zone.
 * All places are read before anything is written, and only transform and opacity move: the page
 * is laid out once.
 * @param {Element | null} root @param {Places} before
 * @param {Travel | null | undefined} event the first of the last move's; none at
 *   a deal, where cards come from `deck`
 * @param {number} speed how many times as long as usual */
export function travel(root, before, event, speed = 1) {
  if (!root || motionless() || !speed) return;
  const cards = [...root.querySelectorAll('[data-id]:not([data-rolls] *)')];
  for (const card of cards) {
    const last = running.get(card);
    if (last?.playState === 'running') last.cancel();
  }
  const moves = new Map((event?.moves ?? []).map((move) => [move.card, move]));
  const dealt = !event;
  const deck =
    before.get('zone:deck')?.box ?? root.querySelector('.centre')?.getBoundingClientRect();
  const after = cards.map((card) => card.getBoundingClientRect());
  let fresh = 0;
  cards.forEach((card, number) => {
    const id = idOf(card);
    const move = moves.get(id);
    const zone = zoneOf(card);
    const stayed = before.get(id);
    const lay = zone && stayed?.zone === zone ? stayed.box : undefined;
    const was = dealt ? deck : move ? originOf(move, before, `seat:${event.seat}`) : lay;
    const now = after[number];
    if (!was?.width || !now.width) return;
    const seen = Boolean(lay || move?.was);
    const scale = seen ? long(was) / long(now) : Math.min(1, was.width / now.width);
    const [wide, high] = seen ? [was.width, was.height] : [now.width * scale, now.height * scale];
    const dx = was.left - now.left - (now.width - wide) / 2;
    const dy = was.top - now.top - (now.height - high) / 2;
    if (Math.abs(dx) + Math.abs(dy) < 2 && Math.abs(scale - 1) < 0.02) return;
    const delay = move || dealt ? Math.min(dealt ? 900 - MOVE : 240, 60 * fresh++) : 0;
    const [x, y] = isAcross(card) ? [dy, -dx] : [dx, dy];
    const from = `translate(${x}px, ${y}px) scale(${scale})`;
    const animation = card.animate(
      seen
        ? [{ transform: from }, { transform: 'none' }]
        : [
            { transform: from, opacity: 0.2 },
            { transform: 'none', opacity: 1 },
          ],
      {
        id: TRAVEL,
        duration: MOVE * speed,
        delay: delay * speed,
        easing: EASE,
        fill: 'backwards',
      },
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
 * @param {Scene} scene @returns {Shows} */
export function turnedBack(scene) {
  const cards = scene.zones.filter((zone) => zone.layout === 'grid').flatMap((zone) => zone.cards);
  return new Map(
    cards
      .filter((card) => card.face && card.down)
      .map(/** @returns {[string, string | null | undefined]} */ (card) => [card.id, card.face]),
  );
}
