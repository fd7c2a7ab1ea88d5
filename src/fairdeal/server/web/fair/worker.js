// Runs the rules of a game beside the page, so that the page never waits: it plays a finished game
// again, searches for a hint, or computes a part of an analysis.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import * as room from '../kit/api.js';
import { bytes, hex } from './proof.js';
import { replay } from './replay.js';
import { Rules } from './rules.js';
import { Search } from './search.js';
import { Weighing } from './weighing.js';

/** @import { Search as Wish, TableRules } from '../types.js'
 * @import { Finding } from './proof.js'
 * @import { Shown } from './shown.js' */

/** Room for the states of a game and of every bot at it. */
const RECORDS = 64;

/** The number of times that a file is requested. */
const TRIES = 4;

const MODULE = /^\/modules\/([0-9a-f]{64})\.wasm$/;
const DESCRIPTION = /^\/modules\/([0-9a-f]{64})\.json$/;

/** Fetch a file that its path names by its hash. @param {string} path @param {RegExp} form */
async function fetched(path, form) {
  const name = path.match(form)?.[1];
  const coming = name ? room.bytes(path, TRIES) : Promise.resolve(new ArrayBuffer());
  const data = new Uint8Array(
    await coming.catch(() => {
      throw new Error('the room does not send its rules');
    }),
  );
  const hash = hex(sha256(data));
  if (hash !== name) throw new Error('the room sends other rules than it names');
  return { data, hash };
}

/** Fetch the rules of a game. @param {{ module: string, description: string }} paths */
async function loaded({ module, description }) {
  const code = await fetched(module, MODULE);
  const beside = await fetched(description, DESCRIPTION);
  const shape = JSON.parse(new TextDecoder().decode(beside.data));
  if (shape.sha256 !== code.hash) throw new Error('the description belongs to other rules');
  const rules = await Rules.load(code.data, shape, RECORDS);
  return { rules, module: code.hash, description: beside.hash };
}

/** Tell what a replay has found so far, as often as it finds more.
 * @param {TableRules} paths @param {string} text the log @param {Shown[]} shown */
async function replayed(paths, text, shown) {
  const { rules, module, description } = await loaded(paths);
  /** @type {Finding[]} */ let found = [];
  for (found of replay(rules, paths.start, text, shown)) {
    postMessage({ found, module, description, more: true });
  }
  return { found, module, description };
}

/** Searches by the paths of their modules. @type {Map<string, Promise<Search>>} */
const searches = new Map();

/** @param {Wish} wish @param {number} seat */
async function searched(wish, seat) {
  const search = searches.get(wish.module) ?? loaded(wish).then(({ rules }) => new Search(rules));
  searches.set(wish.module, search);
  return { tried: (await search).try(bytes(wish.view), seat, 1000 * wish.seconds) };
}

/** @type {Weighing | null} */ let weighing = null;

/** Begin an analysis, and send the time that a game takes.
 * @param {{ rules: TableRules, text: string }} game its rules and its log */
async function prepared({ rules: paths, text }) {
  const { rules } = await loaded(paths);
  weighing = new Weighing(rules, paths.start, text);
  const { moves, seats } = weighing;
  return { moves: moves.length, seats: seats.length, each: weighing.timed() };
}

/** Compute every `of`th part of an analysis: first the chances before moves, then the decisions.
 * @param {{ games: number, part: number, of: number }} share */
function weighed({ games, part, of }) {
  const whole = /** @type {Weighing} */ (weighing);
  const moves = whole.moves.map((_, move) => move).filter((move) => move % of === part);
  const send = (/** @type {object} */ figures) => postMessage({ ...figures, more: true });
  if (part === 0) send({ start: whole.start(games) });
  for (const move of moves) send({ move, chances: whole.chances(move, games) });
  for (const move of moves) send({ move, decision: whole.decision(move, games) });
  return {};
}

/** A message of the page: a game to replay, a search, or a step of an analysis.
 * @typedef {{ rules: TableRules, text: string, shown: Shown[], search?: Wish, seat: number,
 *   analysis?: Parameters<typeof prepared>[0], share?: Parameters<typeof weighed>[0] }} Asked */

/** @param {Asked} asked */
function answered({ rules, text, shown, search, seat, analysis, share }) {
  if (share) return weighed(share);
  if (analysis) return prepared(analysis);
  return search ? searched(search, seat) : replayed(rules, text, shown);
}

addEventListener('message', async (/** @type {MessageEvent<Asked>} */ { data }) => {
  try {
    postMessage(await answered(data));
  } catch (problem) {
    postMessage({ reason: /** @type {Error} */ (problem).message });
  }
});

postMessage({ ready: true });
