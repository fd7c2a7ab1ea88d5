// A finished game played again from its log with the rules in WebAssembly: the deal from the seed
// and the numbers, every move, and the result. docs/log-format.md describes the lines.

import { Bot, habitsOf } from './bots.js';
import { bytes, chanceKey, readLog } from './proof.js';

/** @import { Finding } from './proof.js'
 * @import { Rules } from './rules.js' */

/** An entry of a log: a move with its actions, or the number of moves that it takes back.
 * @typedef {{ number: number, seat: number, by: string, actions: number[], back: number }} Entry */

/** What does not fit. */
class Broken extends Error {}

const HOUSE = -1;
const PERSON = 'person';
const STAND_IN = 'greedy';

const ENTRY = /^(\d+) (?:seat (\d+)|house)(?: by (\w[\w-]*))?(?: \[(\d+(?:,\d+)*)\])?: (.+)$/;
const UNDO = /^undo(?: (\d+))?$/;

/** @param {boolean} fits @param {string} reason */
function need(fits, reason) {
  if (!fits) throw new Broken(reason);
}

/** @param {string} line @returns {Entry} */
function entryIn(line) {
  const parts = line.match(ENTRY);
  if (!parts) throw new Broken(`This line of the log cannot be read: ${line}.`);
  const undo = parts[5].match(UNDO);
  return {
    number: Number(parts[1]),
    seat: parts[2] === undefined ? HOUSE : Number(parts[2]),
    by: parts[3] ?? '',
    actions: parts[4]?.split(',').map(Number) ?? [],
    back: undo ? Number(undo[1] ?? 1) : 0,
  };
}

/** The names at the seats and what plays there. @param {string[]} header @returns {string[][]} */
const seatsIn = (header) =>
  header.flatMap((line) => {
    const parts = line.match(/^seat \d+ (\[.*\]) nonce /);
    return parts ? [JSON.parse(parts[1])] : [];
  });

/** The options in the header of a log. @param {string[]} header @returns {[string, unknown][]} */
const optionsIn = (header) =>
  Object.entries(JSON.parse(header.find((line) => line.startsWith('options '))?.slice(8) ?? '{}'));

/** A game on its way through its log. */
class Game {
  /** @param {Rules} rules @param {ReturnType<typeof readLog>} log */
  constructor(rules, log) {
    this.rules = rules;
    this.log = log;
    this.seats = seatsIn(log.header);
    this.state = rules.place();
    this.view = rules.place();
    /** @type {{ state: Uint8Array, seat: number, plays: string }[]} */ this.past = [];
    /** @type {Map<string, Bot | null>} */ this.bots = new Map();
    /** @type {Set<number>} */ this.unasked = new Set();
    this.moves = 0;
    this.asked = 0;
    this.undone = 0;
  }

  /** Deal the cards that the seed and the header give. @param {string} start the blank state */
  deal(start) {
    const { rules, state, log } = this;
    const blank = bytes(start);
    need(blank.length === state.bytes.length, 'The room begins with something else than a table.');
    state.bytes.set(blank);
    this.checkBlank();
    rules.setKey(state, bytes(chanceKey(log.seed, log.header.join('\n'))));
    rules.deal(state);
  }

  /** Before the deal a state has its options, and nothing else. */
  checkBlank() {
    const { rules, state, log, seats } = this;
    const rest = state.bytes.slice();
    for (const field of rules.shape.fields) {
      const known = ['players', 'rules_version', 'chance.spent'].includes(field.name);
      if (known || field.name.startsWith('options.')) rest.fill(0, ...rules.extent(field));
    }
    need(
      rest.every((byte) => byte === 0) && rules.number(state, 'chance.spent') === 16,
      'The room begins with cards on the table.',
    );
    need(
      rules.number(state, 'players') === seats.length &&
        log.header.includes(`game ${rules.shape.game}`) &&
        log.header.includes(`rules ${rules.number(state, 'rules_version')}`),
      'The room begins with another game, or with other seats, than the log.',
    );
    for (const [name, value] of optionsIn(log.header)) {
      const there = rules.shape.fields.some((one) => one.name === `options.${name}`);
      if (!there || !['number', 'boolean'].includes(typeof value)) continue;
      need(
        rules.number(state, `options.${name}`) === Number(value),
        `The room begins with another option than the log: ${name}.`,
      );
    }
  }

  /** @param {Entry} entry */
  enter(entry) {
    if (entry.back) this.takeBack(entry);
    else this.move(entry);
  }

  /** @param {Entry} entry */
  takeBack({ number, seat, back }) {
    const first = this.past.at(-back);
    need(
      back <= this.past.length && first?.seat === seat && first.plays === PERSON,
      `Number ${number} takes back a move that is not its own.`,
    );
    this.state.bytes.set(/** @type {Uint8Array} */ (first?.state));
    this.past.length -= back;
    this.undone += back;
  }

  /** @param {Entry} entry */
  move({ number, seat, by, actions }) {
    const { rules, state } = this;
    const illegal = `Number ${number} is not a legal move with the cards of the seal.`;
    const mayAct = seat === HOUSE ? rules.shape.events : rules.mayAct(state, seat);
    need(mayAct && actions.length > 0 && rules.number(state, 'over') === 0, illegal);
    const plays = seat === HOUSE ? 'house' : this.maker(number, seat, by);
    const before = state.bytes.slice();
    this.past.push({ state: before, seat, plays });
    for (const [step, action] of actions.entries()) {
      need(step === 0 || rules.number(state, 'composing') !== 0, illegal);
      need(rules.legalActions(state, seat).includes(action), illegal);
      rules.apply(state, seat, action);
    }
    need(rules.number(state, 'composing') === 0, illegal);
    this.askBot(number, seat, plays, actions, before);
    this.moves += 1;
  }

  /** Who makes a move: a person, or a bot by its name. @param {number} number
   * @param {number} seat @param {string} by */
  maker(number, seat, by) {
    const plays = this.seats[seat][1];
    const allowed = plays === PERSON || this.log.branch;
    need(
      !by || (allowed && [PERSON, STAND_IN].includes(by)),
      `Number ${number} is by somebody who does not play at this seat.`,
    );
    return by || plays;
  }

  /** The bot that plays so at a seat; null for one that cannot be asked here.
   * @param {number} seat @param {string} plays */
  bot(seat, plays) {
    const key = `${seat} ${plays}`;
    const habits = habitsOf(plays, this.rules.shape.recall);
    const bot = this.bots.get(key) ?? (habits && new Bot(this.rules, habits, this.log.seed, seat));
    this.bots.set(key, bot);
    return bot;
  }

  /** A bot that can be asked makes the move that is in the log.
   * @param {number} number @param {number} seat @param {string} plays
   * @param {number[]} actions @param {Uint8Array} before */
  askBot(number, seat, plays, actions, before) {
    if (seat === HOUSE || plays === PERSON) return;
    const bot = this.bot(seat, plays);
    if (!bot) {
      this.unasked.add(seat);
      return;
    }
    this.view.bytes.set(before);
    this.rules.conceal(this.view, seat, bot.habits.memory);
    const wanted = bot.choose(this.view, number - 1);
    need(wanted.join() === actions.join(), `Number ${number} is not the move that the bot makes.`);
    this.asked += 1;
  }

  /** The game is over, with the result of the log. */
  end() {
    const { rules, state, log, seats } = this;
    need(rules.number(state, 'over') !== 0, 'The game is not over after the last move.');
    const scores = [...rules.returns(state)].slice(0, seats.length).map(Math.floor);
    need(
      `[${scores.join()}]` === log.result,
      `The result is [${scores.join()}], and not ${log.result} as in the log.`,
    );
  }
}

/** @param {number} count @param {string} one @param {string} many */
const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** What fits in a game, and what cannot be checked with the rules alone.
 * @param {Game} game @returns {Finding[]} */
function fitting({ moves, asked, unasked, undone, seats }) {
  const all = counted(moves, 'move', 'moves');
  /** @type {Finding[]} */
  const found = [
    {
      check: 'moves',
      ok: true,
      text: `${all} replayed by your browser: every card follows from the seal.`,
    },
  ];
  if (asked) {
    const made = counted(asked, 'move of a bot was', 'moves of bots were');
    found.push({ check: 'moves', ok: true, text: `${made} made again, and each is the same.` });
  }
  if (unasked.size) {
    const names = [...unasked].map((seat) => seats[seat][0]).join(', ');
    const text = `Not proven here: that the moves of ${names} are the bot’s own.`;
    found.push({
      check: 'moves',
      ok: null,
      part: true,
      text: `${text} fairdeal verify makes them again.`,
    });
  }
  if (undone) {
    const text = 'Not proven here: that a move that was taken back had told nothing.';
    found.push({
      check: 'moves',
      ok: null,
      part: true,
      text: `${text} fairdeal verify checks it.`,
    });
  }
  return found;
}

/** Play the game of a log again.
 * @param {Rules} rules @param {string} start the state before the deal @param {string} text
 * @returns {Finding[]} */
export function replay(rules, start, text) {
  const log = readLog(text);
  const game = new Game(rules, log);
  try {
    game.deal(start);
    for (const line of log.entries) game.enter(entryIn(line));
    game.end();
  } catch (problem) {
    if (problem instanceof Broken) return [{ check: 'moves', ok: false, text: problem.message }];
    if (problem instanceof WebAssembly.RuntimeError) {
      return [
        { check: 'moves', ok: false, text: 'The log has a move that the rules cannot carry out.' },
      ];
    }
    throw problem;
  }
  return fitting(game);
}
