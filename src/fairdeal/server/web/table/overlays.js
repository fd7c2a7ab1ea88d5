// Overlays of a table that has settled: the counting of a round, what came of an attack, and
// the moments since the viewer's last turn. The room never waits for it; a scene that comes
// meanwhile is kept until it is over, and any key or tap ends it. Moves of bots at a large
// table are drawn together here too.
import { motionless } from '../kit/flip.js';
import { endOf, toldBy, withEnd } from '../scene/moment.js';
import { minus } from '../scene/seat.js';
import { factor } from '../kit/speed.js';
import { linesOf } from '../kit/words.js';

/** @import { Facts, Gain, LogLine, Prompt, Round, Scene, Tally, Travel } from '../types.js' */

/** What is drawn in place of the table as it is. `stage` of a round: its last card is looked at,
 * its points are counted, or all is said, and the next one begins `wait` milliseconds later.
 * @typedef {Scene & { round: Round, prompt: Prompt }} Counted
 * @typedef {{ kind: 'round', stage: 'look' | 'count' | 'done', scene: Counted, wait?: number }
 *   | { kind: 'attack', scene: Scene }
 *   | { kind: 'film', scene: Scene, at: number, of: number }} Staged */

/** Milliseconds: for the last card, for the points of a seat, and until the next round begins; at
 * instant speed all points are there at once, for so long. */
const LOOK = 900;
const LOOK_AT_ONCE = 600;
const TALLY = 700;
const NEXT = 8000;
const AT_ONCE = 600;
/** A moment that is shown again, and the shortest. */
const BEAT = 900;
const SHORTEST = 250;
/** The fewest seats that are counted at the same time. */
export const MANY = 4;

/** What a reason brings, as it stands on its pill: `+3`, `−1`, and `3` Books.
 * @param {Gain} gain */
export const brings = ({ value, cards }) => (value > 0 && cards ? `+${value}` : minus(value));

/** The name of a seat. @param {Scene} scene @param {number} seat */
export const nameOf = (scene, seat) => scene.seats?.find((one) => one.seat === seat)?.name ?? '';

/** The same in a line: `Bo: Books 3, three ∞ +3 · You 0`. @param {Counted} scene */
export const counted = (scene) =>
  scene.round.tallies
    .map(({ seat, gains = [] }) => {
      const told = gains.map((gain) => `${gain.label} ${brings(gain)}`).join(', ');
      return `${nameOf(scene, seat)}${told ? `: ${told}` : ' 0'}`;
    })
    .join(' · ');

/** How long the points of a round are counted. @param {Tally[]} tallies */
const counting = (tallies) => TALLY * (tallies.length < MANY ? tallies.length : 1) + 600;

/** `Next round`. @param {Scene} scene */
const onward = (scene) =>
  scene.mode === 'over'
    ? 'See the result'
    : `Next ${(scene.round?.label ?? 'Round').toLowerCase()}`;

/** What one moment of a film says.
 * @param {Scene} scene @param {number} at @param {number} last @returns {Scene} */
const captioned = (scene, at, last) => ({
  ...withEnd(scene),
  mode: 'live',
  result: null,
  prompt: {
    mode: 'replay',
    text: toldBy(scene) || (scene.seq ? 'Your last turn' : 'The deal'),
    sub:
      at < last
        ? `${at ? `${at} of ${last} since your turn. ` : ''}Press any key to stop.`
        : 'This is the table now.',
  },
});

/** What came while an attack was looked at: the cards that it moved travel with the others.
 * @param {Travel} event @param {Scene} next @returns {Scene} */
function alsoMoved({ moves = [] }, next) {
  const [first = /** @type {LogLine} */ ({}), ...others] = next.events ?? [];
  return { ...next, events: [{ ...first, moves: [...moves, ...(first.moves ?? [])] }, ...others] };
}

export class Staging {
  /** @param {import('./play.js').Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Staged | null} */ this.staged = null;
    /** @type {Scene | null} */ this.waits = null;
    this.timer = 0;
    /** @type {Animation[]} */ this.gathered = [];
    this.skip = this.skip.bind(this);
  }

  /** Is a scene kept until the overlay is over? A film ends when something happens.
   * @param {Scene} next */
  holds(next) {
    if (this.staged?.kind === 'film') this.drop();
    if (!this.staged) return false;
    this.waits = insteadOf(this.waits, next);
    return true;
  }

  /** @param {Staged} staged */
  draw(staged) {
    if (!this.staged) {
      addEventListener('keydown', this.skip, true);
      addEventListener('pointerdown', this.skip, true);
    }
    this.staged = staged;
    this.play.set({ staged });
  }

  /** @param {() => void} then @param {number} time */
  after(then, time) {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, time);
  }

  /** Show what a scene says has ended: a round, or an attack.
   * @param {Scene} last @param {Scene} next */
  show(last, next) {
    if (next.resolved) this.look(last, next);
    else this.count(next);
  }

  /** What came of an attack is looked at before the cards go where they belong.
   * @param {Scene} last @param {Scene} next */
  look(last, next) {
    const { scene, event } = endOf(last, next);
    this.play.remember(last, event);
    this.draw({ kind: 'attack', scene });
    this.after(() => this.end(), LOOK * factor() || LOOK_AT_ONCE);
  }

  /** Count the round that a scene says has ended. @param {Scene} scene */
  count(scene) {
    if (!scene.round || scene.lesson || this.play.facts?.lesson) return;
    const act = () => this.end();
    const shown = /** @type {Counted} */ ({
      ...scene,
      mode: 'live',
      prompt: { mode: 'yours', text: scene.round.text, sub: 'The points are counted.' },
      draft: null,
      recap: [],
      choices: [{ id: -1, kind: 'button', label: onward(scene), key: 'Enter', main: true, act }],
    });
    this.draw({ kind: 'round', stage: 'look', scene: shown });
    const pace = factor();
    if (!pace) {
      this.rest();
      return;
    }
    this.after(() => this.tally(), LOOK * pace);
    this.gather(scene.round, LOOK * pace - 320);
  }

  /** The cards of the last trick fly to its winner.
   * @param {Round} round @param {number} delay */
  gather({ sweep, winner }, delay) {
    const root = this.play.root();
    const zone = this.play.held?.zones?.find((one) => one.id === sweep);
    const goal = root?.querySelector(`[data-seat="${winner}"] .face, .own .face`);
    if (!zone || !goal || motionless()) return;
    const to = goal.getBoundingClientRect();
    for (const { id } of zone.cards ?? []) {
      const card = root?.querySelector(`[data-id="${CSS.escape(id)}"]`);
      const from = card?.getBoundingClientRect();
      if (!card || !from) continue;
      const dx = to.left + to.width / 2 - from.left - from.width / 2;
      const dy = to.top + to.height / 2 - from.top - from.height / 2;
      const there = { transform: `translate(${dx}px, ${dy}px) scale(.2)`, opacity: 0 };
      this.gathered.push(
        card.animate([{}, there], { delay, duration: 420, easing: 'ease-in', fill: 'forwards' }),
      );
    }
  }

  /** The points of each seat. */
  tally() {
    if (this.staged?.kind !== 'round') return;
    const { scene } = this.staged;
    this.draw({ ...this.staged, stage: 'count' });
    this.after(() => this.rest(), counting(scene.round.tallies) * factor());
  }

  /** All is said; the next round begins by itself, unless the points are being read. */
  rest() {
    if (this.staged?.kind !== 'round') return;
    const sub = 'The game continues in a moment.';
    const { scene } = this.staged;
    const wait = factor() ? NEXT : AT_ONCE;
    this.draw({
      kind: 'round',
      stage: 'done',
      wait,
      scene: { ...scene, prompt: { ...scene.prompt, sub } },
    });
    this.after(() => this.goOn(), wait);
  }

  /** Not while the score panel is open. */
  goOn() {
    const pad = document.querySelector('.side table.score')?.getBoundingClientRect();
    if (pad && pad.left < innerWidth && pad.width) this.after(() => this.goOn(), 1000);
    else this.end();
  }

  /** Show the moments since the viewer's last turn, or end that. */
  async film() {
    if (this.staged) {
      this.end();
      return;
    }
    const scenes = await this.play.recall();
    if (scenes.length > 1 && !this.staged) this.roll(scenes, 0);
  }

  /** @param {Scene[]} scenes @param {number} at */
  roll(scenes, at) {
    const last = scenes.length - 1;
    this.play.remember(this.play.held, scenes[at].events?.[0]);
    this.draw({ kind: 'film', scene: captioned(scenes[at], at, last), at, of: last });
    const next = () => (at < last ? this.roll(scenes, at + 1) : this.end());
    this.after(next, Math.max(SHORTEST, (at ? BEAT : BEAT / 2) * factor()));
  }

  /** A key or a tap: a film ends, counting is done at once. Then its own button has the say, but at
   * instant speed nobody is held up.
   * @param {Event} event */
  skip(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const key = event instanceof KeyboardEvent ? event.key : '';
    if (['Shift', 'Control', 'Alt', 'Meta', 'Tab'].includes(key)) return;
    if (target.closest?.('.side, .top, .prompt .acts, input, textarea')) return;
    if (this.staged?.kind === 'round') {
      if (this.staged.wait === AT_ONCE) {
        this.end();
        return;
      }
      if (this.staged.stage === 'done' || (key && !['Enter', ' ', 'Escape'].includes(key))) return;
      this.rest();
    } else {
      this.end();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Nothing is laid over the table any more. */
  drop() {
    if (!this.staged) return;
    clearTimeout(this.timer);
    removeEventListener('keydown', this.skip, true);
    removeEventListener('pointerdown', this.skip, true);
    for (const one of this.gathered.splice(0)) one.cancel();
    const event = this.staged.kind === 'attack' ? this.play.held?.events?.[0] : null;
    this.play.remember(this.play.held, event);
    this.staged = null;
    this.play.set({ staged: null });
    const next = this.waits;
    this.waits = null;
    if (next) this.play.arrive(event ? alsoMoved(event, next) : next);
  }

  /** The same, and where the viewer can do nothing but go on, they do. */
  end() {
    const wasRound = this.staged?.kind === 'round';
    this.drop();
    const { held } = this.play;
    const [only, ...others] = held?.choices ?? [];
    if (wasRound && held?.round && only?.main && !others.length) this.play.send(held, only, []);
  }
}

/** The least number of seats at which moves of bots are drawn in groups. */
export const CROWD = 5;

/** How long a group is looked at, in milliseconds. */
const GROUP = 1200;

/** Does a scene tell only moves of bots, or of the seat `but`?
 * @param {Scene} scene @param {Facts | null} facts @param {number} [but] */
export const byBots = ({ events = [] }, facts, but) =>
  events.length > 0 &&
  events.every(({ seat = -1 }) => seat === but || facts?.chairs[seat]?.plays !== 'person');

/** The paths of cards over several moves: each from its first place to its last.
 * @param {NonNullable<Travel['moves']>} moves */
function whole(moves) {
  /** @type {typeof moves} */ const found = [];
  for (const move of moves) {
    const at = found.findIndex((one) => one.card === move.was && one.goal === move.origin);
    if (at < 0) found.push(move);
    else found[at] = { ...move, was: found[at].was, origin: found[at].origin };
  }
  return found;
}

/** A scene with what happened in others before it.
 * @param {Scene[]} before @param {Scene} scene @returns {Scene} */
export function together(before, scene) {
  if (!before.length) return scene;
  const events = [...before, scene].flatMap((one) => one.events ?? []);
  const [first = /** @type {LogLine} */ ({}), ...others] = events;
  const moves = whole(events.flatMap((event) => event.moves ?? []));
  const turned = events.flatMap((event) => event.turned ?? []);
  return { ...scene, events: [{ ...first, moves, turned }, ...others] };
}

/** A scene that is kept back in place of another one, with what happened in that.
 * @param {Scene | null} kept @param {Scene} next @returns {Scene} */
export const insteadOf = (kept, next) =>
  kept && kept.seq !== next.seq ? together([kept], next) : next;

/** What happened, in one line. @param {Scene} scene */
export const lineOf = (scene) => linesOf(scene).join(' ');

/** Moves of bots that follow each other: those that come soon are drawn together and told in one
 * line. Anything that concerns the viewer is drawn at once. */
export class Groups {
  /** @param {(scene: Scene) => void} arrive what to do with a scene when its time has come */
  constructor(arrive) {
    this.arrive = arrive;
    /** @type {Scene[]} */ this.kept = [];
    this.until = 0;
    this.timer = 0;
  }

  /** Is a scene kept, to be drawn together with those that follow it soon?
   * @param {Scene} next @param {Facts | null} facts */
  holds(next, facts) {
    const [pace, now] = [factor(), performance.now()];
    const urgent =
      !pace ||
      (next.mode ?? 'live') !== 'live' ||
      next.choices?.length ||
      next.round ||
      next.resolved ||
      next.bites?.length ||
      next.stage?.kind === 'race' ||
      (facts?.chairs.length ?? 0) < CROWD ||
      !byBots(next, facts);
    if (urgent || now >= this.until) {
      this.until = urgent ? 0 : now + GROUP * pace;
      return false;
    }
    this.kept.push(next);
    if (this.kept.length === 1) this.timer = setTimeout(() => this.end(), this.until - now);
    return true;
  }

  /** A scene that is drawn now, with those that were kept. @param {Scene} next @returns {Scene} */
  take(next) {
    clearTimeout(this.timer);
    return together(this.kept.splice(0), next);
  }

  /** The group is complete. */
  end() {
    const last = this.kept.pop();
    if (last) this.arrive(this.take(last));
  }

  /** Forget the scenes that are kept. */
  drop() {
    clearTimeout(this.timer);
    this.kept = [];
    this.until = 0;
  }
}
