// A finished game played again from its log with the rules in WebAssembly: the deal from the seed
// and the numbers, every move, and the result. docs/log-format.md describes the lines.

import { Bot, habitsOf } from './bots.js';
import { chanceKey, chanceText, HOUSE, isKnown, readLog, saltOf } from './log.js';
import { bytes } from './proof.js';
import { Search } from './search.js';
import { factsIn } from './shown.js';
import { list, say, unplayed } from './verdict.js';

/** @import { Check, Finding } from './proof.js'
 * @import { Entry, Log } from './log.js'
 * @import { Rules } from './rules.js'
 * @import { Facts, Shown } from './shown.js'
 * @import { OptionField } from '../types.js' */

/** A move that was not taken back, and the state before it; `plays` is the kind of player who made
 * it. @typedef {{ state: Uint8Array, seat: number, plays: string, actions: number[] }} Move */

/** A move of a bot, and the state before it.
 * @typedef {{ number: number, seat: number, plays: string, actions: number[],
 *   before: Uint8Array }} BotMove */

/** The moves of a bot: its seat and name, how many there are, and how many were made again; `bot`
 * is null for one that cannot be asked here.
 * @typedef {{ seat: number, name: string, bot: Bot | null, moves: number,
 *   asked: number }} Player */

/** A contradiction in a log. */
class Broken extends Error {
  /** @param {string} reason @param {Check} [check] the check that is broken */
  constructor(reason, check = 'moves') {
    super(reason);
    this.check = check;
  }
}

const PERSON = 'person';
const STAND_IN = 'greedy';
/** A guest who has taken over the seat of another person. */
const ANOTHER = 'another';

/** @param {boolean} fits @param {string} reason @param {Check} [check] */
function need(fits, reason, check) {
  if (!fits) throw new Broken(reason, check);
}

/** The numbers that stand for an option in a state.
 * @param {unknown} value @param {Record<string, number>} words */
const codesOf = (value, words) =>
  [value].flat().map((one) => {
    if (typeof one === 'string') return words[one] ?? NaN;
    return ['number', 'boolean'].includes(typeof one) ? Number(one) : NaN;
  });

/** A game that is replayed from its log. */
export class Game {
  /** @param {Rules} rules @param {Log} log */
  constructor(rules, log) {
    this.rules = rules;
    this.log = log;
    this.seats = log.seats;
    this.options = log.options;
    this.files = false;
    this.state = rules.place();
    this.view = rules.place();
    this.search = new Search(rules);
    /** @type {Move[]} */ this.past = [];
    /** @type {number | undefined} */ this.pass = undefined;
    /** @type {Map<string, Player>} */ this.players = new Map();
    /** @type {BotMove[]} */ this.searched = [];
    this.moves = 0;
    this.undone = 0;
  }

  /** Deal the cards that the seed and the header give. @param {string} start the blank state */
  deal(start) {
    const { rules, state, log } = this;
    const blank = bytes(start);
    need(blank.length === state.bytes.length, 'The room’s first position does not fit the rules.');
    state.bytes.set(blank);
    this.checkBlank();
    rules.setKey(state, bytes(chanceKey(log.seed, chanceText(log.header))));
    rules.deal(state);
  }

  /** Check that the state before the deal has only options. */
  checkBlank() {
    const { rules, state, log, seats } = this;
    const { fields, game, options } = rules.shape;
    const known = ['rules_version', 'chance.spent', ...options.map((one) => one.field)];
    const rest = state.bytes.slice();
    for (const field of fields) {
      if (known.includes(field.name)) rest.fill(0, ...rules.extent(field));
    }
    need(
      rest.every((byte) => byte === 0) && rules.number(state, 'chance.spent') === 16,
      'The room’s first position is not empty.',
    );
    need(
      rules.number(state, 'players') === seats.length &&
        log.header.includes(`game ${game}`) &&
        log.header.includes(`rules ${rules.number(state, 'rules_version')}`),
      'The room’s first position has a different game or different seats than the log.',
    );
    for (const one of options) this.checkOption(one);
    const plain = options.filter((one) => !one.file).map((one) => one.option);
    this.files = [...this.options.keys()].some((name) => !plain.includes(name));
  }

  /** Check that an option has the value of the log, or its default. @param {OptionField} field */
  checkOption({ option, field, file, words, default: usual, defaults }) {
    const given = this.options.has(option);
    if (file && given) return;
    const expected = given
      ? codesOf(this.options.get(option), words)
      : (defaults[this.seats.length] ?? usual);
    const numbers = this.rules.numbers(this.state, field);
    need(
      expected.length <= numbers.length &&
        numbers.every((number, index) => number === (expected[index] ?? 0)),
      `The option ${option} differs from the log.`,
    );
  }

  /** @param {Entry} entry */
  enter(entry) {
    const { rules, log } = this;
    if (entry.name === '+') this.checkHidden(entry);
    const salt = rules.shape.windows ? saltOf(log.seed, entry.number) : '';
    need(entry.salt === salt, `The salt of move ${entry.number} does not follow from the secret.`);
    if (entry.back) this.takeBack(entry);
    else this.move(entry);
  }

  /** Check that a hidden entry can be a pass in a window. Every pass is the same action.
   * @param {Entry} entry */
  checkHidden({ number, seat, words, actions }) {
    this.pass ??= actions[0];
    need(
      this.rules.shape.windows &&
        seat !== HOUSE &&
        words === 'pass' &&
        actions.length === 1 &&
        actions[0] === this.pass,
      `Move ${number} has no number, but is not a pass in a window.`,
    );
  }

  /** @param {Entry} entry */
  takeBack({ number, seat, back }) {
    const first = this.past.at(-back);
    need(
      back <= this.past.length && first?.seat === seat && first.plays === PERSON,
      `Move ${number} takes back a move of another seat or of a bot.`,
      'undone',
    );
    this.state.bytes.set(/** @type {Uint8Array} */ (first?.state));
    this.past.length -= back;
    this.undone += back;
  }

  /** @param {Entry} entry */
  move({ number, seat, by, actions }) {
    const { rules, state } = this;
    const illegal = `Move ${number} is not legal with these cards.`;
    const mayAct =
      seat === HOUSE ? rules.shape.events : seat < this.seats.length && rules.mayAct(state, seat);
    need(mayAct && actions.length > 0 && rules.number(state, 'over') === 0, illegal);
    const plays = seat === HOUSE ? 'house' : this.maker(number, seat, by);
    const before = state.bytes.slice();
    this.past.push({ state: before, seat, plays, actions });
    for (const [step, action] of actions.entries()) {
      need(step === 0 || rules.number(state, 'composing') !== 0, illegal);
      need(rules.legalActions(state, seat).includes(action), illegal);
      rules.apply(state, seat, action);
    }
    need(rules.number(state, 'composing') === 0, illegal);
    this.moves += 1;
    if (seat === HOUSE || plays === PERSON) return;
    const player = this.player(seat, plays);
    const made = { number, seat, plays, actions, before };
    player.moves += 1;
    if (player.bot?.habits.playouts) this.searched.push(made);
    else this.ask(made);
  }

  /** Return the maker of a move: a person, or the name of a bot. @param {number} number
   * @param {number} seat @param {string} by */
  maker(number, seat, by) {
    const { plays } = this.seats[seat];
    const other = plays === PERSON ? ANOTHER : PERSON;
    const allowed = plays === PERSON || this.log.branch;
    need(
      !by || (allowed && [other, STAND_IN].includes(by)),
      `The player named in move ${number} does not play at this seat.`,
      'bots',
    );
    return by === ANOTHER ? PERSON : by || plays;
  }

  /** The bot that plays at a seat. @param {number} seat @param {string} plays @returns {Player} */
  player(seat, plays) {
    const key = `${seat} ${plays}`;
    const known = this.players.get(key);
    if (known) return known;
    const { rules, log, search } = this;
    const { name, plays: usual } = this.seats[seat];
    const habits = habitsOf(plays, rules.shape.recall);
    const bot = habits && new Bot(rules, habits, log.seed, seat, search);
    const called = plays === usual ? name : `the stand-in of ${name}`;
    const player = { seat, name: called, bot, moves: 0, asked: 0 };
    this.players.set(key, player);
    return player;
  }

  /** Check a move against the choice of its bot. @param {BotMove} made */
  ask({ number, seat, plays, actions, before }) {
    const player = this.player(seat, plays);
    if (!player.bot) return;
    this.view.bytes.set(before);
    this.rules.conceal(this.view, seat, player.bot.habits.memory);
    const wanted = player.bot.choose(this.view, number - 1);
    need(wanted.join() === actions.join(), `Move ${number} differs from the bot’s choice.`, 'bots');
    player.asked += 1;
  }

  /** The moves of bots that search, in an order that the room cannot know beforehand. */
  *inAnyOrder() {
    const left = [...this.searched];
    while (left.length) {
      const [draw] = crypto.getRandomValues(new Uint32Array(1));
      yield left.splice(draw % left.length, 1)[0];
    }
  }

  /** Check that the game is over, with the result of the log. */
  end() {
    const { rules, state, log, seats } = this;
    need(rules.number(state, 'over') !== 0, 'The game is not over after the last move.');
    const scores = [...rules.returns(state)].slice(0, seats.length).map(Math.floor);
    need(
      `[${scores.join()}]` === log.result,
      `The result is [${scores.join()}], not ${log.result} as in the log.`,
    );
  }
}

/** Does a scene leave out a fact? It may leave out an empty zone, a counter at 0 and, when the game
 * is over, any counter.
 * @param {Facts} facts those of the scene @param {[string, string]} fact @param {boolean} isOver */
const lacks = (facts, [name, value], isOver) =>
  !(name in facts) && !['', '0'].includes(value) && !(isOver && name.startsWith('seat '));

/** The comparison of the scenes that a player saw with the game. */
class Looks {
  /** @param {Game} game @param {Shown[]} shown */
  constructor(game, shown) {
    this.game = game;
    const { layout, in_scene: parts } = game.rules.shape;
    this.counters = parts.flatMap(({ counter }) => (counter ? [` ${counter}`] : []));
    this.isOlder = shown.some((one) => one.layout !== layout);
    const isUnnamed = (/** @type {Shown} */ one) => game.rules.shape.windows && !one.facts.state;
    this.unnamed = shown.filter(isUnnamed).length;
    this.compared = 0;
    /** Scenes without a state that fits yet. */
    this.left = shown.filter((one) => !isUnnamed(one) && one.layout === layout);
    /** The number of entries that each viewer knows of. @type {Map<number, number>} */
    this.known = new Map(this.left.map(({ viewer }) => [viewer, 0]));
  }

  /** Does a scene show a seat that does not exist, or a listed counter at one?
   * @param {Facts} all those of the scene @param {Facts} facts those of the game */
  hasStranger(all, facts) {
    const isListed = (/** @type {string} */ name) =>
      name.startsWith('name ') ||
      (name.startsWith('seat ') && this.counters.some((counter) => name.endsWith(counter)));
    return Object.keys(all).some((name) => isListed(name) && !(name in facts));
  }

  /** @param {Entry} entry */
  enter(entry) {
    for (const [viewer, known] of this.known) {
      if (isKnown(entry, viewer)) this.known.set(viewer, known + 1);
    }
  }

  /** Compare the scenes of the current number of entries. Hidden entries do not change it, so a
   * scene must show one of the states that have its number. */
  compare() {
    const { rules, state, view, files, seats } = this.game;
    for (const [viewer, known] of this.known) {
      const here = this.left.filter((one) => one.viewer === viewer && one.seq === known);
      if (!here.length) continue;
      const isOver = rules.number(state, 'over') !== 0;
      const scores = isOver ? rules.returns(state).slice(0, seats.length) : null;
      view.bytes.set(state.bytes);
      rules.conceal(view, viewer);
      const found = factsIn(rules, view, viewer, files, scores);
      for (const [seat, { name }] of seats.entries()) {
        found[`name ${seat}`] = seat === viewer ? 'You' : name;
      }
      const facts = Object.entries(found);
      const same = here.filter(
        ({ facts: all }) =>
          facts.every(([name, value]) => (all[name] ?? value) === value) &&
          !this.hasStranger(all, found),
      );
      const whole = same.filter(
        (one) => one.isDraft || !facts.some((fact) => lacks(one.facts, fact, isOver)),
      );
      const fits = rules.shape.windows ? same : whole;
      this.compared += whole.length;
      this.unnamed += fits.length - whole.length;
      this.left = this.left.filter((one) => !fits.includes(one));
    }
  }

  /** @returns {Finding} */
  finding() {
    const [wrong] = this.left.sort((one, other) => one.seq - other.seq);
    const why = `After entry ${wrong?.seq}, you were shown a table that differs from the game.`;
    if (wrong) return say('shown', 'other', { why });
    if (this.isOlder) return say('shown', 'version', { version: 'unknown' });
    const unnamed = counted(this.unnamed, 'scene', 'scenes');
    if (this.unnamed) return say('shown', 'windows', { scenes: unnamed });
    const scenes = counted(this.compared, 'scene', 'scenes');
    return this.compared ? say('shown', '', { scenes }) : say('shown', 'none');
  }
}

/** @param {number} count @param {string} one @param {string} many */
const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** Return the findings of a replay without contradictions.
 * @param {Game} game @returns {Finding[]} */
function fitting({ players, undone, files }) {
  const bots = [...players.values()].sort((one, other) => one.seat - other.seat);
  const unknown = bots.filter((one) => !one.bot);
  const late = bots.filter((one) => one.bot && one.asked < one.moves);
  const names = list.format(new Set(unknown.map((one) => one.name)));
  const reason = unknown.length ? 'unknown' : late.length ? 'late' : '';
  const each = list.format(bots.map((one) => `${one.asked} of ${one.moves} by ${one.name}`));
  return [
    say('moves', files ? 'files' : ''),
    say('bots', reason, { names, made: each && `: ${each}` }),
    say('undone', undone ? 'unchecked' : ''),
  ];
}

/** The findings so far, again and again as more moves of bots that search are made again; the last
 * is the whole. Throws an error if the rules stop, because that may be a fault of the module or of
 * the browser.
 * @param {Rules} rules @param {string} start the state before the deal @param {string} text
 * @param {Shown[]} shown the scenes that were drawn @returns {Generator<Finding[]>} */
export function* replay(rules, start, text, shown = []) {
  const log = readLog(text);
  const game = new Game(rules, log);
  const looks = new Looks(game, shown);
  const found = () => [...fitting(game), looks.finding()];
  try {
    need(log.wrong === 0, log.reason);
    game.deal(start);
    looks.compare();
    for (const entry of log.entries) {
      game.enter(entry);
      looks.enter(entry);
      looks.compare();
    }
    game.end();
    yield found();
    for (const move of game.inAnyOrder()) {
      game.ask(move);
      yield found();
    }
  } catch (problem) {
    if (problem instanceof Broken) {
      const wrong = say(problem.check, 'wrong', { why: problem.message });
      const rest = unplayed('another check failed');
      yield [wrong, ...rest.filter(({ check }) => check !== wrong.check)];
      return;
    }
    if (problem instanceof WebAssembly.RuntimeError) {
      throw new Error('the rules stopped', { cause: problem });
    }
    throw problem;
  }
}
