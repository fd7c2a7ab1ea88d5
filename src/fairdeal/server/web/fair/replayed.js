// The replay of a finished game, in a worker: what it found, or why there was none.

import { LOG_FORMAT, get } from '../kit/api.js';

/** @import { Finding } from './proof.js' */

/** So long the replay may take, in milliseconds. */
const LONGEST = 10_000;

/** What the replay found, whether it played the game, and the hash of the rules.
 * @typedef {{ findings: Finding[], done: boolean, module: string }} Replayed */
/** @typedef {{ found?: Finding[], reason?: string }} Answer */

/** A replay that did not come about. @param {string} reason @param {string} [module]
 * @returns {Replayed} */
function unproven(reason, module = '') {
  return {
    findings: [
      { check: 'moves', ok: null, text: `This browser could not play the game again: ${reason}.` },
    ],
    done: false,
    module,
  };
}

/** @type {Map<string, Promise<Replayed>>} */
const known = new Map();

/** The replay of a table's log, once for all parts of the page that ask. One that did not come
 * about is tried again. @param {string} table @param {string} text @returns {Promise<Replayed>} */
export async function replayed(table, text) {
  const key = `${table} ${text}`;
  const found = known.get(key) ?? played(table, text);
  known.set(key, found);
  if (!(await found).done) known.delete(key);
  return found;
}

/** Play the game of a log again, beside the page. @param {string} table @param {string} text
 * @returns {Promise<Replayed>} */
async function played(table, text) {
  if (!text.startsWith(`fairdeal log ${LOG_FORMAT}\n`)) {
    return unproven('an older log has no actions beside its words');
  }
  /** @type {Worker | undefined} */ let worker;
  let module = '';
  let over = false;
  /** @returns {Promise<Answer>} */
  async function work() {
    const rules = await get(`/api/tables/${table}/rules`);
    module = rules.module.match(/[0-9a-f]{64}/)?.[0] ?? '';
    if (over) return {};
    if (!rules.module) return { reason: rules.missing };
    const started = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker = started;
    return new Promise((resolve) => {
      started.onmessage = ({ data }) => resolve(data);
      started.onerror = () => resolve({ reason: 'this browser cannot run the rules' });
      started.postMessage({ rules, text });
    });
  }
  /** @type {Promise<Answer>} */
  const late = new Promise((resolve) => {
    setTimeout(resolve, LONGEST, { reason: 'it takes too long' });
  });
  try {
    const { found, reason = '' } = await Promise.race([work(), late]);
    return found ? { findings: found, done: true, module } : unproven(reason, module);
  } catch (problem) {
    return unproven(/** @type {Error} */ (problem).message, module);
  } finally {
    over = true;
    worker?.terminate();
  }
}
