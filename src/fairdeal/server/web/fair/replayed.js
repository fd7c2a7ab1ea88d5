// The replay of a finished game, in a worker: what it found, or why there was none.

import { get } from '../kit/api.js';
import { readLog } from './log.js';
import { shownIn } from './shown.js';
import { inOrder, say, unplayed } from './verdict.js';
import { asked, startWorker } from './workers.js';

/** @import { Finding } from './proof.js'
 * @import { TableRecord } from '../record/record.js' */

/** Maximum duration of a replay, in milliseconds. What it has found until then counts. */
const LONGEST = 10_000;

/** Maximum time to wait for rules that the room has to write, in milliseconds. */
const LONGEST_WAIT = 10_000;

/** Time between two requests while the room writes the rules, in milliseconds. */
const PAUSE = 1000;

/** The findings of the replay, whether it played the game, and the hashes of the rules and of their
 * description, if it did.
 * @typedef {{ findings: Finding[], done: boolean, module: string, description: string }} Replayed
 */
/** The findings of the worker; `more` if there may be others.
 * @typedef {{ found: Finding[], module: string, description: string, more?: boolean }} Answer */

/** A replay that did not come about. @param {string} reason @returns {Replayed} */
function unproven(reason) {
  return { findings: unplayed(reason), done: false, module: '', description: '' };
}

/** Is told what a check waits for, as in `for the rules of this game`.
 * @typedef {(step: string) => void} Tell */

/** A replay of a log: the step that it waits for, its listeners, and the promise of its findings.
 * @typedef {{ step: string, told: Set<Tell>, found: Promise<Replayed> }} Replaying */

/** @type {Map<string, Replaying>} */
const known = new Map();

/** The replay of a table's log, once for all parts of the page that ask. One that did not come
 * about is tried again. @param {string} table @param {string} text
 * @param {TableRecord} record
 * @param {Tell} tell @returns {Promise<Replayed>} */
export async function replayed(table, text, record, tell) {
  const key = `${table} ${text}`;
  const one = known.get(key) ?? begun(table, text, record);
  known.set(key, one);
  one.told.add(tell);
  tell(one.step);
  try {
    const found = await one.found;
    if (!found.done) known.delete(key);
    return found;
  } finally {
    one.told.delete(tell);
  }
}

/** @param {string} table @param {string} text @param {TableRecord} record @returns {Replaying} */
function begun(table, text, record) {
  const one = { step: '', told: /** @type {Set<Tell>} */ (new Set()) };
  const tell = (/** @type {string} */ step) => {
    one.step = step;
    one.told.forEach((each) => each(step));
  };
  return Object.assign(one, { found: played(table, text, record, tell) });
}

/** Wait for something, at most `longest` milliseconds. @template T @param {Promise<T>} coming
 * @param {number} longest @param {Error} late thrown after that time @returns {Promise<T>} */
export async function within(coming, longest, late) {
  let timer = 0;
  /** @type {Promise<never>} */
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(late), longest);
  });
  try {
    return await Promise.race([coming, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The rules of a table's game, which the room may be writing. @param {string} table
 * @param {Tell} [tell] */
export async function rulesOf(table, tell) {
  for (let waited = 0; waited < LONGEST_WAIT; waited += PAUSE) {
    const rules = await get(`/api/tables/${table}/rules`);
    if (!rules.waits) return rules;
    tell?.('until the room has compiled the rules of this game');
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error('the room has no rules yet; reload this page to ask again');
}

/** Play the game of a log again, beside the page. @param {string} table @param {string} text
 * @param {TableRecord} record @param {Tell} tell @returns {Promise<Replayed>} */
async function played(table, text, record, tell) {
  /** @type {Worker | undefined} */ let worker;
  try {
    tell('for the rules of this game');
    const shown = shownIn(record, readLog(text).key);
    const rules = await rulesOf(table, tell);
    if (!rules.module) return unproven(rules.missing);
    tell('until the rules run beside this page');
    worker = await startWorker();
    tell('until the whole game is replayed');
    /** @type {Answer | undefined} */ let latest;
    const answer = asked(worker, { rules, text, shown }, (/** @type {Answer} */ found) => {
      latest = found;
      tell('until the moves of the bots are recomputed');
    });
    const late = new Error('the replay took more than ten seconds');
    const ended = within(answer, LONGEST, late).catch((problem) => {
      if (problem === late && latest) return latest;
      throw problem;
    });
    const { found, module, description } = await ended;
    const missed = record.missed ? [say('shown', 'missed', { why: record.missed })] : [];
    return { findings: inOrder([...found, ...missed]), done: true, module, description };
  } catch (problem) {
    return unproven(/** @type {Error} */ (problem).message);
  } finally {
    worker?.terminate();
  }
}
