// Cards of a layout that all may look at for a while: those of a miss, which lie face down again,
// and those of a set, which a player has taken. The game goes on meanwhile; a move of the viewer's
// own ends it.
import { motionless, turnedBack } from '../kit/flip.js';
import { factor, lasts } from '../kit/speed.js';
import { cardsIn } from './moment.js';

/** @import { Scene, Shows, Travel } from '../types.js' */

const SHAKE = 280;
const CLOSE_UP = 180;

/** @typedef {{ shown: Shows, event: Travel, timer: number }} Look */

/** A set that the last move took from a layout: each card at its place, and not yet where it goes.
 * @param {Scene} next @returns {Shows} */
export function taken(next) {
  const grids = next.zones.filter((zone) => zone.layout === 'grid').map((zone) => zone.id);
  const moves = (next.events[0]?.moves ?? []).filter(
    (move) => grids.includes(move.origin) && move.goal !== move.origin && move.was && move.card,
  );
  const faces = new Map(cardsIn(next).map(({ id, face }) => [id, face]));
  if (moves.length < 2) return new Map();
  return new Map(
    moves.flatMap(
      /** @returns {[string, string | null | undefined][]} */ ({ was = '', card }) => [
        [was, faces.get(card)],
        [card, ''],
      ],
    ),
  );
}

/** Return the cards that all viewers should see before the scene.
 * @param {Scene} next @returns {Shows} */
export const lookedAt = (next) => new Map([...turnedBack(next), ...taken(next)]);

/** Does the scene still have these cards as they were when one began to look? A place that is empty
 * now or lies face down may show what lay there. @param {Shows} shown @param {Scene} scene */
function holds(shown, scene) {
  const cards = new Map(cardsIn(scene).map((card) => [card.id, card]));
  return [...shown].every(([id, face]) => {
    const card = cards.get(id);
    return card && (face === '' || card.back === 'gap' || card.down || card.face === face);
  });
}

/** A pair closes up before it flies; a miss shakes its head before it turns back. Gives how long it
 * takes. @param {Element | null} root @param {Shows} shown */
function leave(root, shown) {
  const ids = [...shown.keys()].map((id) => `[data-id="${CSS.escape(id)}"]`).join();
  const cards = root && !motionless() ? [...root.querySelectorAll(ids)] : [];
  const boxes = cards.map((card) => card.getBoundingClientRect());
  /** @param {'left' | 'top'} side @param {'width' | 'height'} size */
  const middle = (side, size) =>
    boxes.reduce((sum, box) => sum + box[side] + box[size] / 2, 0) / boxes.length;
  const [x, y] = [middle('left', 'width'), middle('top', 'height')];
  const miss = ![...shown.values()].includes('');
  const length = (miss ? SHAKE : CLOSE_UP) * factor();
  if (!length) return 0;
  cards.forEach((card, number) => {
    const { left, top, width, height } = boxes[number];
    const aside = (number - (cards.length - 1) / 2) * width * 1.06;
    const [dx, dy] = [x + aside - left - width / 2, y - top - height / 2];
    const frames = miss
      ? [0, -2, 2, -2, 0].map((angle) => ({ rotate: `${angle}deg` }))
      : [{ transform: 'none' }, { transform: `translate(${dx}px, ${dy}px)` }];
    card.animate(frames, { duration: length, easing: 'ease-in-out', fill: 'forwards' });
  });
  return length;
}

export class Lingering {
  /** @param {() => Element | null} root where the cards are
   * @param {(event: Travel) => void} over a look is over: what it showed travels by this event
   * @param {(scene: Scene) => Shows} looks what a scene gives to look at */
  constructor(root, over, looks = lookedAt) {
    this.root = root;
    this.looksAt = looks;
    this.over = over;
    /** @type {Look[]} */
    this.looks = [];
  }

  /** All that is shown now. @returns {Shows} */
  get shown() {
    return new Map(this.looks.flatMap((look) => [...look.shown]));
  }

  /** A scene has come: what it still holds is looked at to the end, and what its move showed anew.
   * @param {Scene | null} last @param {Scene} next */
  arrive(last, next) {
    for (const look of this.looks.filter((one) => !holds(one.shown, next))) this.drop(look);
    const shown = last ? this.looksAt(next) : new Map();
    if (shown.size) {
      const look = { shown, event: next.events[0] ?? {}, timer: 0 };
      look.timer = setTimeout(() => this.leave(look), lasts('miss'));
      this.looks.push(look);
    }
  }

  /** @param {Look} look */
  leave(look) {
    const end = () => {
      this.drop(look);
      this.over(look.event);
    };
    look.timer = setTimeout(end, leave(this.root(), look.shown));
  }

  /** @param {Look} look */
  drop(look) {
    clearTimeout(look.timer);
    this.looks = this.looks.filter((one) => one !== look);
  }

  /** Nobody is late: the table as it is. */
  settle() {
    const waited = this.looks.length > 0;
    this.close();
    if (waited) this.over({});
  }

  close() {
    for (const look of this.looks) this.drop(look);
  }
}
