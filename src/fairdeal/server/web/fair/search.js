// A search for the best move of a seat, from what the seat knows (docs/wasm.md). The module
// decides; this file only asks for the rounds and keeps the time.

/** @import { Place, Rules } from './rules.js'
 * @import { Tried } from '../types.js' */

/** Minimum number of times that the clock is read in a round. */
const LOOKS = 4;

/** Maximum time between two readings of the clock, in milliseconds. */
const LONGEST = 50;

/** The largest ratio of the durations of two steps, because some clocks stand still. */
const FASTER = 4;

/** The shortest time that the clock of a browser tells for certain, in milliseconds. */
const SHORTEST = 0.1;

export class Search {
  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.desk = rules.place('desk');
  }

  /** The numbers of a field of the desk. @param {string} name */
  numbers(name) {
    return this.rules.numbers(this.desk, name, this.rules.shape.desk_fields);
  }

  /** The first number of a field. @param {string} name */
  number(name) {
    return this.numbers(name)[0];
  }

  /** The first rows of a field with two axes. @param {string} name @param {number} count */
  rows(name, count) {
    const { rules, desk } = this;
    const { desk_fields: fields } = rules.shape;
    const width = /** @type {number} */ (rules.field(name, fields).shape.at(-1));
    const all = rules.numbers(desk, name, fields);
    return Array.from({ length: count }, (_, row) => all.slice(row * width, (row + 1) * width));
  }

  /** Clear the desk, and put a position on it. @param {Uint8Array} view what its viewer knows
   * @param {Uint8Array} key of the random numbers */
  place(view, key) {
    const { shape } = this.rules;
    const { bytes } = this.desk;
    if (view.length !== shape.size) throw new RangeError('the position does not fit the rules');
    bytes.fill(0);
    bytes.set(view, shape.view);
    bytes.set(key, this.rules.field('sources.key', shape.desk_fields).offset);
  }

  /** List the moves of a seat. @param {Uint8Array} view what the seat knows
   * @param {number} seat @param {Uint8Array} key of the random numbers
   * @param {number} recall what the other seats remember, in percent */
  begin(view, seat, key, recall) {
    this.place(view, key);
    this.rules.calls.list_moves(this.desk.at, seat, recall, this.rules.shape.horizon);
  }

  /** The best move after a number of games. @param {number} games */
  choose(games) {
    const { calls } = this.rules;
    const { at } = this.desk;
    for (let deals = calls.next_round(at, games); deals; deals = calls.next_round(at, games)) {
      calls.try_moves(at, deals);
    }
    calls.rank_moves(at);
    return this.ranked()[0].actions;
  }

  /** Try the moves of a seat for `time` milliseconds; return those that were tried, starting with
   * the best. @param {Uint8Array} view what the seat knows @param {number} seat
   * @param {number} time @returns {Tried[]} */
  try(view, seat, time) {
    const { shape, calls } = this.rules;
    const { at } = this.desk;
    this.begin(view, seat, crypto.getRandomValues(new Uint8Array(32)), shape.recall);
    const each = time / Math.max(1, this.number('rounds'));
    let spent = 0;
    let ends = 0;
    for (let deals = calls.next_round(at, 0); deals; deals = calls.next_round(at, 0)) {
      ends += each;
      for (let more = deals; ;) {
        const began = performance.now();
        calls.try_moves(at, more);
        const took = Math.max(SHORTEST, performance.now() - began);
        spent += took;
        if (spent >= ends) break;
        const most = Math.min(ends - spent, each / LOOKS, LONGEST);
        more = Math.max(deals, Math.min(FASTER * more, Math.floor((most * more) / took)));
      }
    }
    calls.rank_moves(at);
    return this.ranked().filter((one) => one.games > 0);
  }

  /** The actions of every move that was listed. */
  moves() {
    const lengths = this.numbers('moves.length');
    return this.rows('moves.actions', this.number('count')).map((actions, move) =>
      actions.slice(0, lengths[move]),
    );
  }

  /** All moves, starting with the best. @returns {Tried[]} */
  ranked() {
    const moves = this.moves();
    const games = this.numbers('sums.played');
    const wins = this.numbers('results.wins');
    return this.numbers('order')
      .slice(0, moves.length)
      .map((move) => ({
        actions: moves[move],
        games: games[move],
        wins: Math.round(wins[move] * 1e4) / 1e4,
      }));
  }
}
