// The figures of an analysis (docs/wasm.md): the chances of all seats before every move, and the
// results of the moves that a seat could have made. `fairdeal analyse` computes the same figures.

import { Chance, keyOf } from './bots.js';
import { readLog } from './log.js';
import { utf8 } from './proof.js';
import { Game } from './replay.js';

/** @import { Rules } from './rules.js'
 * @import { DecisionSums, Ends } from '../types.js' */

const NOBODY = -1;

/** The percentage of seen cards that a seat remembers. */
const MEMORY = 100;

/** Numbers of random numbers for a move, and the first of those for its decision. */
const PARTS = 64;
const WEIGHED = 32;

/** Number of games played out to measure the duration of one. */
const PROBES = 24;

/** The moves of a log, played with the rules. Throws an error if the log contradicts itself.
 * @param {Rules} rules @param {string} start the state before the deal @param {string} text */
function replayed(rules, start, text) {
  const game = new Game(rules, readLog(text));
  game.deal(start);
  for (const entry of game.log.entries) game.enter(entry);
  game.end();
  return game;
}

export class Weighing {
  /** @param {Rules} rules @param {string} start the state before the deal
   * @param {string} text the log */
  constructor(rules, start, text) {
    const { past, state, view, seats, search } = replayed(rules, start, text);
    this.rules = rules;
    this.moves = past;
    this.states = [...past.map((move) => move.state), state.bytes.slice()];
    this.view = view;
    this.seats = seats.map((_, seat) => seat);
    this.search = search;
    this.chance = new Chance(keyOf(utf8('analysis')));
  }

  /** The concealed state of a viewer before a move. @param {number} move @param {number} viewer */
  known(move, viewer) {
    this.view.bytes.set(this.states[move]);
    this.rules.conceal(this.view, viewer, MEMORY);
    return this.view.bytes;
  }

  /** A key for random numbers. @param {number} number */
  key(number) {
    return new Uint8Array(this.chance.derived(number).buffer);
  }

  /** The results of games that continue from what a viewer knew before a move.
   * @param {number} move @param {number} viewer @param {number} games
   * @param {number} number of the random numbers */
  playedOn(move, viewer, games, number) {
    const { rules, search } = this;
    search.place(this.known(move, viewer), this.key(number));
    rules.calls.list_none(search.desk.at, viewer, rules.shape.recall);
    rules.calls.weigh_moves(search.desk.at, games);
    return this.ends()[0];
  }

  /** The time for playing a game out, in milliseconds. */
  timed() {
    const places = [0, 1, 2, 3].map((place) => Math.floor((place * this.states.length) / 4));
    const play = (/** @type {number} */ move) => this.playedOn(move, NOBODY, PROBES, 0);
    play(0);
    const began = performance.now();
    places.forEach(play);
    return (performance.now() - began) / PROBES / places.length;
  }

  /** The results of games from the deal, for a spectator. @param {number} games */
  start(games) {
    return this.playedOn(0, NOBODY, games, 0);
  }

  /** The results of each seat, from what it knew before a move.
   * @param {number} move @param {number} games */
  chances(move, games) {
    return this.seats.map(
      (seat) => this.playedOn(move, seat, games, 1 + move * PARTS + seat).shares[seat],
    );
  }

  /** The results of the moves that a seat could have made, or null if it had no choice.
   * @param {number} move @param {number} games @returns {DecisionSums | null} */
  decision(move, games) {
    const { rules, search } = this;
    const { calls, shape } = rules;
    const { seat, actions } = this.moves[move];
    if (seat === NOBODY) return null;
    const { at } = search.desk;
    search.begin(
      this.known(move, seat),
      seat,
      this.key(1 + move * PARTS + WEIGHED + seat),
      shape.recall,
    );
    if (search.number('count') === 1) return null;
    rules.write(search.desk, 'made.length', [actions.length], shape.desk_fields);
    rules.write(search.desk, 'made.actions', actions, shape.desk_fields);
    calls.place_played(at);
    for (let deals = calls.next_trial(at, games); deals; deals = calls.next_trial(at, games)) {
      calls.try_moves(at, deals);
    }
    calls.weigh_moves(at, games);
    const played = search.numbers('chosen').indexOf(search.number('played'));
    return { move, played, moves: this.ends() };
  }

  /** The sums of the results of the moves that remain. @returns {Ends[]} */
  ends() {
    const { search, seats } = this;
    const chosen = search.numbers('chosen').slice(0, search.number('left'));
    const [actions, shares] = [search.moves(), search.rows('ends.shares', chosen.length)];
    const [squares, gain, spread, better, worse] = [
      'squares',
      'gain',
      'spread',
      'better',
      'worse',
    ].map((name) => search.numbers(`ends.${name}`));
    return chosen.map((move, place) => ({
      actions: actions[move],
      shares: shares[place].slice(0, seats.length),
      squares: squares[place],
      gain: gain[place],
      spread: spread[place],
      better: better[place],
      worse: worse[place],
    }));
  }
}
