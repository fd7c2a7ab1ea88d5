// A search for a hint, in a worker, or nothing if this browser cannot search.

import { within } from './replayed.js';
import { asked, startWorker } from './workers.js';

/** @import { Search, Tried } from '../types.js' */

/** Time for loading the rules, and for searching beyond the time asked for, in milliseconds. */
const PATIENCE = 5000;

/** The longest request that can be sent, without its other fields, in characters. */
const LONGEST = 3500;

/** A worker that has loaded the rules and has nothing to do. @type {Worker | null} */
let idle = null;

/** As many moves as fit into a request: the best one, then those that win most often.
 * @param {Tried[]} tried */
function fitting([best, ...others]) {
  const found = [best, ...others.sort((one, other) => other.wins - one.wins)];
  while (JSON.stringify(found).length > LONGEST) found.pop();
  return found;
}

/** Search for the best moves of a seat, of which there are none if only one is possible. Returns
 * null if this browser could not search.
 * @param {Search} search @param {number} seat @returns {Promise<Tried[] | null>} */
export async function searched(search, seat) {
  let worker = idle;
  idle = null;
  try {
    worker ??= await startWorker();
    /** @type {Promise<{ tried: Tried[], reason?: string }>} */
    const coming = asked(worker, { search, seat });
    const { tried } = await within(
      coming,
      1000 * search.seconds + PATIENCE,
      new Error('the search took too long'),
    );
    /** @type {Worker | null} */ (idle)?.terminate();
    idle = worker;
    return tried.length ? fitting(tried) : [];
  } catch {
    worker?.terminate();
    return null;
  }
}
