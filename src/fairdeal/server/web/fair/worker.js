// Plays a finished game again beside the page, so that the page never waits.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { get } from '../kit/api.js';
import { hex } from './proof.js';
import { replay } from './replay.js';
import { Rules } from './rules.js';

/** @import { TableRules } from '../types.js' */

/** Room for the states of a game and of every bot at it. */
const RECORDS = 64;

/** @param {TableRules} rules @param {string} text the log */
async function replayed({ module, description, start }, text) {
  const response = await fetch(module);
  if (!response.ok) throw new Error('the room does not give out its rules');
  const code = await response.arrayBuffer();
  if (!module.includes(hex(sha256(new Uint8Array(code))))) {
    throw new Error('the room gives out other rules than it names');
  }
  const path = /** @type {`/modules/${string}.json`} */ (description);
  return replay(await Rules.load(code, await get(path), RECORDS), start, text);
}

addEventListener('message', async ({ data: { rules, text } }) => {
  try {
    postMessage({ found: await replayed(rules, text) });
  } catch (problem) {
    postMessage({ reason: /** @type {Error} */ (problem).message });
  }
});
