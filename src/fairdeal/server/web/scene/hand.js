// The viewer's own hand, in the order in which its player left it, where the rules give that order
// no meaning. Only this browser knows it, and keeps it by table.
import { interrupt, tell } from '../kit/notification.js';
import { roomTime } from '../kit/time.js';
import { lasting } from '../privacy/stored.js';

/** @import { Card, Scene, Table, Zone } from '../types.js'
 * @import { Play } from '../table/play.js' */

/** @typedef {Pick<Card, 'id' | 'face'>} Lain */
/** The orders of each hand that was arranged, by zone: first how it lies, then how it lay before.
 * @typedef {Record<string, Lain[][]>} Orders */

const HAND = 'fairdeal hand ';
/** The number of orders of a hand that are stored, for moves that are taken back. */
const LAST = 8;
/** The number of tables whose hands are stored. */
const MOST = 40;
/** The distance from a hand at which its cards still make room for a dragged card, in pixels. */
const NEAR = 24;

/** Can its player arrange it? @param {Zone} zone */
const isLoose = ({ any_order: any, cards }) => any && cards.length > 0;

/** @param {Lain[]} cards */
const facesIn = (cards) => JSON.stringify(cards.map(({ face }) => face ?? '').sort());

/** @param {Lain} one @returns {(other: Lain) => boolean} */
const is = (one) => (other) => one.id === other.id && one.face === other.face;

/** The cards in this order, and new ones at the end. The number of a copy may have changed.
 * @template {Lain} Any @param {Lain[]} order @param {Any[]} cards */
function laid(order, cards) {
  const left = [...cards];
  const take = (/** @type {(card: Any) => boolean} */ fits) => {
    const at = left.findIndex(fits);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const same = order.map((one) => take(is(one)));
  const alike = order.map(({ face }, at) => same[at] ?? take((card) => card.face === face));
  return [...alike.filter((card) => card !== undefined), ...left];
}

/** The cards of a hand as its player left them. @param {Zone} zone @param {Orders} orders */
function inOrder({ id, cards }, orders) {
  const [last, ...others] = orders[id] ?? [];
  const faces = facesIn(cards);
  return last
    ? laid([last, ...others].find((one) => facesIn(one) === faces) ?? last, cards)
    : cards;
}

/** The zones that lie otherwise than the scene has them.
 * @param {Scene} scene @param {Orders} orders @returns {Map<string, Zone>} */
function arrangedIn(scene, orders) {
  const found = new Map();
  for (const zone of scene.zones) {
    const cards = isLoose(zone) ? inOrder(zone, orders) : [];
    if (cards.some(({ face }, at) => face !== zone.cards[at].face)) {
      found.set(zone.id, { ...zone, cards });
    }
  }
  return found;
}

/** The orders after a scene: a hand that was dealt anew lies as it was dealt.
 * @param {Orders} orders @param {Scene} scene @returns {Orders} the same, if nothing has changed */
function followed(orders, scene) {
  const next = { ...orders };
  for (const zone of scene.zones) {
    const [last] = orders[zone.id] ?? [];
    if (!last || !zone.any_order) continue;
    const lies = inOrder(zone, orders).map(({ id, face }) => ({ id, face }));
    if (scene.round || !lies.some((card) => last.some(is(card)))) delete next[zone.id];
    else if (JSON.stringify(lies) !== JSON.stringify(last)) {
      next[zone.id] = [lies, ...orders[zone.id]].slice(0, LAST);
    }
  }
  return JSON.stringify(next) === JSON.stringify(orders) ? orders : next;
}

/** The orders with a card of a hand moved to a place. One that lies as in the scene is sorted.
 * @param {Orders} orders @param {Zone} zone as the scene has it @param {string} card
 * @param {number} to @returns {Orders} */
function moved(orders, zone, card, to) {
  const cards = inOrder(zone, orders);
  const others = cards.filter((one) => one.id !== card);
  const own = cards.filter((one) => one.id === card);
  const lies = [...others.slice(0, to), ...own, ...others.slice(to)];
  if (lies.every(({ face }, at) => face === zone.cards[at].face)) return sorted(orders, zone.id);
  const faces = facesIn(lies);
  const older = (orders[zone.id] ?? []).filter((one) => facesIn(one) !== faces);
  const now = lies.map(({ id, face }) => ({ id, face }));
  return { ...orders, [zone.id]: [now, ...older].slice(0, LAST) };
}

/** The orders without that of one hand, which lies as the scene has it: sorted.
 * @param {Orders} orders @param {string} zone */
const sorted = (orders, zone) =>
  Object.fromEntries(Object.entries(orders).filter(([id]) => id !== zone));

/** The stored orders of a table.
 * @param {string} table @returns {{ orders?: Orders, at?: number }} */
const load = (table) => lasting.read(HAND + table, {});

/** @param {string} table @returns {Orders} */
const keptOrders = (table) => load(table).orders ?? {};

/** Keep the orders of a table, and forget those of tables of long ago.
 * @param {string} table @param {Orders} orders */
function keepOrders(table, orders) {
  if (!Object.keys(orders).length) {
    lasting.remove(HAND + table);
    return;
  }
  lasting.write(HAND + table, { orders, at: roomTime() });
  const tables = lasting.names(HAND).map((name) => name.slice(HAND.length));
  if (tables.length <= MOST) return;
  const ages = new Map(tables.map((one) => [one, load(one).at ?? 0]));
  tables.sort((one, other) => Number(ages.get(one)) - Number(ages.get(other)));
  for (const old of tables.slice(0, tables.length - MOST)) lasting.remove(HAND + old);
}

/** The hands of one page at one table. */
export class Hands {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.orders = keptOrders(play.id);
    this.drawn = false;
  }

  /** @param {Orders} orders */
  keep(orders) {
    if (orders === this.orders && this.drawn) return;
    if (orders !== this.orders) keepOrders(this.play.id, orders);
    this.orders = orders;
    this.drawn = true;
    this.play.set({ orders });
  }

  /** A scene has come. @param {Scene} scene */
  follow(scene) {
    this.keep(followed(this.orders, scene));
  }

  /** The viewer has arranged a hand, and this says how. @param {Orders} orders
   * @param {string} words */
  arrange(orders, words) {
    this.play.remember(this.play.state.scene, null);
    this.keep(orders);
    interrupt();
    tell({ words });
  }
}

/** The ways in which the viewer can arrange a hand, if nothing covers it.
 * @param {Play} play @returns {Pick<Table, 'arrange' | 'sort'>} */
export function arranging(play) {
  const { scene, look, facts, staged } = play.state;
  if (!look || staged || facts?.lesson || (scene?.mode ?? 'live') !== 'live') return {};
  return {
    arrange: (id, card, to) => {
      const zone = play.state.scene?.zones?.find((one) => one.id === id);
      const found = zone?.cards?.find((one) => one.id === card);
      if (!zone || !found) return;
      const { name = '' } = look.faces[found.face ?? ''] ?? {};
      const words = `${name}, place ${to + 1} of ${zone.cards.length}.`;
      play.hands.arrange(moved(play.hands.orders, zone, card, to), words);
    },
    sort: (id) => play.hands.arrange(sorted(play.hands.orders, id), 'Your cards are sorted.'),
  };
}

/** A scene with the cards in hand as the viewer has arranged them, and which hands those are.
 * @param {Scene | null} scene @param {Orders} orders @returns {[Scene | null, Set<string>]} */
export function inArrangement(scene, orders) {
  const found = scene ? arrangedIn(scene, orders) : new Map();
  if (!scene || !found.size) return [scene, new Set()];
  const zones = scene.zones.map((zone) => found.get(zone.id) ?? zone);
  return [{ ...scene, zones }, new Set(found.keys())];
}

/** A hand over which one of its cards is dragged: the others make room where it would lie. */
export class Room {
  /** @param {HTMLElement} hand @param {Element} card */
  constructor(hand, card) {
    this.hand = hand;
    this.items = /** @type {HTMLElement[]} */ ([...hand.querySelectorAll('.cards > li')]);
    this.boxes = this.items.map((item) => item.getBoundingClientRect());
    this.from = this.items.findIndex((item) => item.contains(card));
    /** The place where it would lie; none off the hand. */ this.to = -1;
    hand.setAttribute('data-making', '');
    this.shift();
  }

  /** The room in which the cards of a hand can be arranged, if they can.
   * @param {Element} card */
  static of(card) {
    /** @type {HTMLElement | null} */ const hand = card.closest('.hand[data-loose]');
    return hand && new Room(hand, card);
  }

  /** The card is dragged to here. @param {number} x @param {number} y */
  make(x, y) {
    const { left, right, top, bottom } = this.hand.getBoundingClientRect();
    const off = Math.max(left - x, x - right, top - y, y - bottom) > NEAR;
    const far = this.boxes.map((box) =>
      Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2),
    );
    const to = off ? -1 : far.indexOf(Math.min(...far));
    if (to === this.to) return;
    this.to = to;
    this.shift();
  }

  /** Lay the cards between its place and the new one a place further. All are moved, if only by
   * nothing, so that they overlap as before. */
  shift() {
    const { from, items, boxes } = this;
    const to = this.to < 0 ? from : this.to;
    items.forEach((item, at) => {
      const back = at > from && at <= to ? 1 : 0;
      const on = at < from && at >= to ? 1 : 0;
      const goal = boxes[at === from ? to : at - back + on];
      item.style.translate = `${goal.left - boxes[at].left}px ${goal.top - boxes[at].top}px`;
    });
  }

  clear() {
    this.hand.removeAttribute('data-making');
    for (const item of this.items) item.style.translate = '';
  }
}
