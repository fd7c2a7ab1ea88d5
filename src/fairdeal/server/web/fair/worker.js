// Plays a finished game again beside the page, so that the page never waits.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { hex } from './proof.js';
import { replay } from './replay.js';
import { Rules } from './rules.js';

/** @import { TableRules } from '../types.js'
 * @import { Kept } from './proof.js' */

/** Room for the states of a game and of every bot at it. */
const RECORDS = 64;

const MODULE = /^\/modules\/([0-9a-f]{64})\.wasm$/;
const DESCRIPTION = /^\/modules\/([0-9a-f]{64})\.json$/;

/** Fetch a file that its path names by its hash. @param {string} path @param {RegExp} form */
async function fetched(path, form) {
  const name = path.match(form)?.[1];
  const response = name && (await fetch(path));
  if (response && !response.ok) throw new Error('the room does not give out its rules');
  const data = response ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
  const hash = hex(sha256(data));
  if (hash !== name) throw new Error('the room gives out other rules than it names');
  return { data, hash };
}

/** @param {TableRules} rules @param {string} text the log @param {Kept | null} own */
async function replayed({ module, description, start }, text, own) {
  const code = await fetched(module, MODULE);
  const beside = await fetched(description, DESCRIPTION);
  const shape = JSON.parse(new TextDecoder().decode(beside.data));
  if (shape.sha256 !== code.hash) throw new Error('the description is that of other rules');
  const found = replay(await Rules.load(code.data, shape, RECORDS), start, text, own);
  return { found, module: code.hash, description: beside.hash };
}

addEventListener('message', async ({ data: { rules, text, own } }) => {
  try {
    postMessage(await replayed(rules, text, own));
  } catch (problem) {
    postMessage({ reason: /** @type {Error} */ (problem).message });
  }
});
