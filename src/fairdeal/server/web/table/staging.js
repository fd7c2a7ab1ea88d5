// The stages over a table after a move, before it goes on: the counting of a round, what came of an
// attack, the end of a game, and a film of the moments since the viewer's last turn. The room never
// waits for it: a scene that comes meanwhile is kept, and any key or tap goes on. Moves of bots at
// a large table are drawn together here, too.
import { button, partOf } from '../kit/decoded.js';
import { motionless } from '../kit/flip.js';
import { endOf, hasWon, toldBy, withEnd } from '../scene/moment.js';
import { minus } from '../scene/seat.js';
import { course, speed } from '../kit/speed.js';
import { MANY } from '../protocol.js';
import { linesOf } from '../kit/words.js';

/** @import { Facts, Gain, LogLine, Prompt, Result, Round, Scene, Tally,
 *   Travel } from '../types.js' */

/** A frame, which is shown for `time` milliseconds. A scene is drawn in place of that of the table,
 * with the cards of `event` on their way. A key that skips others stops at a frame that waits.
 * @typedef {Scene & { round: Round, prompt: Prompt }} Counted
 * @typedef {{ time: number, waits?: boolean, event?: Travel | null }} Timed
 * @typedef {{ kind: 'round', stage: 'look' | 'count' | 'done', scene: Counted }} Counting
 * @typedef {Timed & (Counting
 *   | { kind: 'attack', scene: Scene }
 *   | { kind: 'film', scene: Scene, at: number, of: number }
 *   | { kind: 'end', stage: string, scene?: undefined })} Frame */

/** Return the points of a reason, as on its pill: `+3`, `−1`, and `3` Books. @param {Gain} gain */
export const brings = ({ value, cards }) => (value > 0 && cards ? `+${value}` : minus(value));

/** The name of a seat. @param {Scene} scene @param {number} seat */
export const nameOf = (scene, seat) => scene.seats.find((one) => one.seat === seat)?.name ?? '';

/** The same in a line: `Bo: Books 3, three ∞ +3 · You 0`. @param {Counted} scene */
export const counted = (scene) =>
  scene.round.tallies
    .map(({ seat, gains = [] }) => {
      const told = gains.map((gain) => `${gain.label} ${brings(gain)}`).join(', ');
      return `${nameOf(scene, seat)}${told ? `: ${told}` : ' 0'}`;
    })
    .join(' · ');

/** `Next round`. @param {Scene} scene */
const onward = (scene) =>
  scene.mode === 'over'
    ? 'See the result'
    : `Next ${(scene.round?.label ?? 'Round').toLowerCase()}`;

/** Return the number of steps in which the points of a round are counted: many seats are counted
 * together.
 * @param {Tally[]} tallies */
export const stepsOf = (tallies) => (tallies.length < MANY ? tallies.length : 1);

/** Return a moment of a film as a scene.
 * @param {Scene} scene @param {number} at @param {number} last @returns {Scene} */
const captioned = (scene, at, last) => ({
  ...withEnd(scene),
  mode: 'live',
  result: null,
  prompt: partOf('Prompt', {
    mode: 'replay',
    text: toldBy(scene) || (scene.seq ? 'Your last turn' : 'The deal'),
    sub:
      at < last
        ? `${at ? `${at} of ${last} since your turn. ` : ''}Press any key to stop.`
        : 'This is the table now.',
  }),
});

/** Return a scene that arrived while an attack was shown: the cards that it moved travel with the
 * others.
 * @param {Travel} event @param {Scene} next @returns {Scene} */
function alsoMoved({ moves = [] }, next) {
  const [first = /** @type {LogLine} */ ({}), ...others] = next.events;
  return { ...next, events: [{ ...first, moves: [...moves, ...first.moves] }, ...others] };
}

/** The frames of a film, which ends with the table as it is. @param {Scene[]} scenes */
function film(scenes) {
  const last = scenes.length - 1;
  return course('film', { moment: last }).map(
    /** @returns {Frame} */ ([, time], at) => ({
      kind: 'film',
      scene: captioned(scenes[at], at, last),
      event: scenes[at].events[0],
      time,
      at,
      of: last,
    }),
  );
}

/** The frames after an attack: what came of it, before the cards go where they belong.
 * @param {Scene} last @param {Scene} next */
const attack = (last, next) =>
  course('attack').map(
    /** @returns {Frame} */ ([, time]) => ({ kind: 'attack', time, ...endOf(last, next) }),
  );

/** The frames after a round: its last card, its points, and the last picture, which waits for a
 * key, but at instant speed nobody is held up.
 * @param {Scene & { round: Round }} scene @param {() => void} act what the button does */
function counting(scene, act) {
  const { round } = scene;
  const prompt = partOf('Prompt', { mode: 'yours', text: round.text });
  const shown = /** @type {Counted} */ ({
    ...scene,
    mode: 'live',
    prompt: { ...prompt, sub: 'The points are counted.' },
    draft: null,
    recap: [],
    choices: [button(-1, onward(scene), act, { key: 'Enter', main: true })],
  });
  const done = { ...shown, prompt: { ...prompt, sub: 'The game continues in a moment.' } };
  const waits = speed() !== 'instant';
  return course('round', { count: stepsOf(round.tallies) }).map(
    /** @returns {Frame} */ ([stage, time]) =>
      stage === 'done'
        ? { kind: 'round', stage, scene: done, time, waits }
        : { kind: 'round', stage: stage === 'look' ? stage : 'count', scene: shown, time },
  );
}

/** The frames after a game: what decided it, and a sentence, for a winner with a gesture.
 * @param {Result | null | undefined} result @param {number} viewer */
const ending = (result, viewer) =>
  course(result && hasWon(result, viewer) ? 'victory' : 'end').map(
    /** @returns {Frame} */ ([stage, time]) => ({ kind: 'end', stage, time }),
  );

/** The keys that go on where other keys keep their meaning. */
const ONWARD = ['Enter', ' ', 'Escape'];
/** Time until it is looked again whether the score is still being read, in milliseconds. */
const READ = 1000;

/** Shows frames over a table, one after another. */
export class Staging {
  /** @param {import('./play.js').Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Frame[]} */ this.frames = [];
    /** @type {Scene | null} */ this.waits = null;
    this.timer = 0;
    /** @type {Animation[]} */ this.gathered = [];
    this.skip = this.skip.bind(this);
  }

  /** @returns {Frame | undefined} */
  get now() {
    return this.frames[0];
  }

  /** Is a scene kept until all frames have been shown? It ends a film instead.
   * @param {Scene} next */
  holds(next) {
    if (this.now?.kind === 'film') this.drop();
    if (!this.now) return false;
    this.waits = insteadOf(this.waits, next);
    return true;
  }

  /** Show what a scene says has ended: an attack, or a round and the game.
   * @param {Scene} last @param {Scene} next */
  show(last, next) {
    const { round } = next;
    if (next.resolved) this.roll(attack(last, next));
    else if (!next.lesson && !this.play.state.facts?.lesson) {
      this.roll([
        ...(round ? counting({ ...next, round }, () => this.goOn()) : []),
        ...(next.mode === 'over' ? ending(next.result, next.viewer) : []),
      ]);
      const { now } = this;
      if (round && now?.kind === 'round' && now.stage === 'look') {
        this.gather(round, now.time - 320);
      }
    }
  }

  /** Show the moments since the viewer's last turn, or end that. */
  async film() {
    if (this.now) {
      this.end();
      return;
    }
    const scenes = await this.play.recall();
    if (scenes.length > 1 && !this.now) this.roll(film(scenes));
  }

  /** Show frames one after another. @param {Frame[]} frames */
  roll(frames) {
    if (!frames.length) return;
    addEventListener('keydown', this.skip, true);
    addEventListener('pointerdown', this.skip, true);
    this.begin(frames);
  }

  /** Show the first of these frames, or end. @param {Frame[]} frames */
  begin(frames) {
    clearTimeout(this.timer);
    const [first] = frames;
    if (!first) {
      this.end();
      return;
    }
    this.frames = frames;
    if (first.event !== undefined) this.play.remember(this.play.state.scene, first.event);
    this.play.set({ staged: first });
    this.timer = setTimeout(() => this.pass(), first.time);
  }

  /** The time of a frame is over: go on, but not while the score panel is open. */
  pass() {
    const pad = document.querySelector('.side table.score')?.getBoundingClientRect();
    const isRead = pad && pad.left < innerWidth && pad.width;
    const last = this.now?.kind === 'round' && this.now.stage === 'done';
    if (!last || !isRead) this.goOn();
    else this.timer = setTimeout(() => this.pass(), READ);
  }

  goOn() {
    this.begin(this.frames.slice(1));
  }

  /** The cards of the last trick fly to its winner.
   * @param {Round} round @param {number} delay */
  gather({ sweep, winner }, delay) {
    const root = this.play.root();
    const zone = this.play.state.scene?.zones?.find((one) => one.id === sweep);
    const goal = root?.querySelector(`[data-seat="${winner}"] .face, .own .face`);
    if (!zone || !goal || motionless()) return;
    const to = goal.getBoundingClientRect();
    for (const { id } of zone.cards) {
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

  /** A key or a tap goes on to the next frame that waits, which only its button leaves; if none
   * waits, all frames end.
   * @param {Event} event */
  skip(event) {
    const { now } = this;
    const target = /** @type {HTMLElement} */ (event.target);
    const key = event instanceof KeyboardEvent ? event.key : '';
    if (!now || now.waits || ['Shift', 'Control', 'Alt', 'Meta', 'Tab'].includes(key)) return;
    if (target.closest?.('.side, .top, .prompt .acts, input, textarea')) return;
    if ((now.kind === 'round' || now.kind === 'end') && key && !ONWARD.includes(key)) return;
    const next = this.frames.findIndex((frame) => frame.waits);
    this.begin(next < 0 ? [] : this.frames.slice(next));
    event.preventDefault();
    event.stopPropagation();
  }

  /** Nothing is laid over the table any more. */
  drop() {
    const { now, waits } = this;
    if (!now) return;
    clearTimeout(this.timer);
    removeEventListener('keydown', this.skip, true);
    removeEventListener('pointerdown', this.skip, true);
    for (const one of this.gathered.splice(0)) one.cancel();
    const scene = this.play.state.scene;
    const event = now.kind === 'attack' ? scene?.events?.[0] : null;
    this.play.remember(scene, event);
    this.frames = [];
    this.waits = null;
    this.play.set({ staged: null });
    if (waits) this.play.arrive(event ? alsoMoved(event, waits) : waits);
  }

  /** The same, and press the main button if it is the only choice. */
  end() {
    const wasRound = this.now?.kind === 'round';
    this.drop();
    const scene = this.play.state.scene;
    const [only, ...others] = scene?.choices ?? [];
    if (wasRound && scene?.round && only?.main && !others.length) this.play.send(scene, only, []);
  }
}

/** The least number of seats at which moves of bots are drawn in groups. */
export const CROWD = 5;

/** Does a scene tell only moves of bots, or of the seat `but`?
 * @param {Scene} scene @param {Facts | null} facts @param {number} [but] */
export const byBots = ({ events }, facts, but) =>
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
  const events = [...before, scene].flatMap((one) => one.events);
  const [first = /** @type {LogLine} */ ({}), ...others] = events;
  const moves = whole(events.flatMap((event) => event.moves));
  const turned = events.flatMap((event) => event.turned);
  return { ...scene, events: [{ ...first, moves, turned }, ...others] };
}

/** A scene that is kept back in place of another one, with what happened in that.
 * @param {Scene | null} kept @param {Scene} next @returns {Scene} */
export const insteadOf = (kept, next) =>
  kept && kept.seq !== next.seq ? together([kept], next) : next;

/** Return the events of a scene in one line. @param {Scene} scene */
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
    const now = performance.now();
    const [group] = course('group');
    const urgent =
      !group ||
      next.mode !== 'live' ||
      next.choices.length ||
      next.round ||
      next.resolved ||
      next.bites.length ||
      next.stage?.kind === 'race' ||
      (facts?.chairs.length ?? 0) < CROWD ||
      !byBots(next, facts);
    if (urgent || now >= this.until) {
      this.until = urgent ? 0 : now + group[1];
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
