// The bots whose moves a page can make again: those that play by the greedy rule, that play a fixed
// number of games out, or that play at random, always or now and then. Their random numbers are
// ChaCha8, as in engine/kit/chance.py.

import { hmac } from '../vendor/noble-hashes/hmac.js';
import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { bytes, utf8 } from './proof.js';

/** @import { Place, Rules } from './rules.js'
 * @import { Search } from './search.js' */

/** The memory of a bot and its share of random moves, both in percent, and the number of games that
 * it plays out before a move.
 * @typedef {{ memory: number, blunders: number, playouts: number }} Habits */

/** The habits of a bot, as logs name it; null for one whose moves follow from more than these.
 * @param {string} plays @param {number} recall of the game @returns {Habits | null} */
export function habitsOf(plays, recall) {
  const share = (/** @type {number} */ percent) => Math.floor((recall * percent) / 100);
  const greedy = (/** @type {number} */ memory) => ({ memory, blunders: 0, playouts: 0 });
  if (plays === 'greedy') return greedy(recall);
  if (plays === 'forgetful') return greedy(share(40));
  if (plays === 'random') return { memory: 0, blunders: 100, playouts: 0 };
  const remembers = plays.match(/^greedy-(\d{1,2}|100)$/);
  if (remembers) return greedy(Number(remembers[1]));
  const level = plays.match(/^\w+:(\d{1,3})-(\d{1,3})-(\d{1,6})$/);
  if (!level) return null;
  const [memory, blunders, playouts] = level.slice(1).map(Number);
  if (memory > 100 || blunders > 100) return null;
  return { memory: playouts ? memory : share(memory), blunders, playouts };
}

const WORDS = 16;
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** A block of the stream of a key: sixteen words. @param {Uint32Array} key
 * @param {number} number */
function blockOf(key, number) {
  const start = Uint32Array.of(...CONSTANTS, ...key, number, 0, 0, 0);
  const words = start.slice();
  const mix = (
    /** @type {number} */ to,
    /** @type {number} */ from,
    /** @type {number} */ other,
    /** @type {number} */ left,
  ) => {
    words[to] += words[from];
    const mixed = words[other] ^ words[to];
    words[other] = (mixed << left) | (mixed >>> (32 - left));
  };
  for (let double = 0; double < 4; double += 1) {
    for (const [a, b, c, d] of QUARTERS) {
      mix(a, b, d, 16);
      mix(c, d, b, 12);
      mix(a, b, d, 8);
      mix(c, d, b, 7);
    }
  }
  return words.map((word, place) => word + start[place]);
}

/** Random numbers of a key. */
export class Chance {
  /** @param {Uint32Array} key */
  constructor(key) {
    this.key = key;
    this.block = 0;
    this.spent = WORDS;
    this.words = new Uint32Array(WORDS);
  }

  /** The key with a number that this one gives. @param {number} number */
  derived(number) {
    return blockOf(this.key, number).slice(0, 8);
  }

  next() {
    if (this.spent === WORDS) {
      this.words = blockOf(this.key, this.block);
      this.block += 1;
      this.spent = 0;
    }
    this.spent += 1;
    return BigInt(this.words[this.spent - 1]);
  }

  /** A number from 0 to `bound - 1`, each as likely. @param {number} bound */
  draw(bound) {
    const size = BigInt(bound);
    const uneven = 2n ** 32n % size;
    let product = this.next() * size;
    while (product % 2n ** 32n < uneven) product = this.next() * size;
    return Number(product >> 32n);
  }
}

/** The key for words or bytes. @param {...Uint8Array} parts */
export function keyOf(...parts) {
  const whole = [utf8('fairdeal seed '), ...parts].flatMap((part) => [...part]);
  return new Uint32Array(sha256(Uint8Array.from(whole)).slice().buffer);
}

/** A bot at a seat. */
export class Bot {
  /** @param {Rules} rules @param {Habits} habits @param {string} seed @param {number} seat
   * @param {Search} search */
  constructor(rules, habits, seed, seat, search) {
    const key = hmac(sha256, bytes(seed), utf8(`bot ${seat}`));
    this.rules = rules;
    this.habits = habits;
    this.seat = seat;
    this.search = search;
    this.moves = new Chance(keyOf(key));
    this.blunders = new Chance(keyOf(utf8('blunders '), key));
    this.source = rules.place('source');
    this.trial = rules.place();
  }

  /** The move of the bot. @param {Place} view what its seat sees @param {number} turn */
  choose(view, turn) {
    const { rules, seat, search } = this;
    const { memory, blunders, playouts } = this.habits;
    const errs = blunders > 0 && new Chance(this.blunders.derived(turn)).draw(100) < blunders;
    if (errs) return this.anything(view, turn);
    if (!playouts) return [...rules.greedy(view, seat)];
    const key = new Uint8Array(this.moves.derived(turn).buffer);
    search.begin(view.bytes, seat, key, Math.min(memory, rules.shape.recall));
    return search.choose(playouts);
  }

  /** Any legal move, with the hidden cards guessed. @param {Place} view @param {number} turn */
  anything(view, turn) {
    const { rules, trial, seat } = this;
    const chance = new Chance(this.moves.derived(2 * turn));
    rules.start(this.source, this.moves.derived(2 * turn + 1));
    trial.bytes.set(view.bytes);
    rules.resample(trial, seat, this.source);
    /** @type {number[]} */
    const actions = [];
    while (!actions.length || rules.number(trial, 'composing') !== 0) {
      const legal = rules.legalActions(trial, seat);
      actions.push(legal[chance.draw(legal.length)]);
      rules.apply(trial, seat, actions[actions.length - 1]);
    }
    return actions;
  }
}
