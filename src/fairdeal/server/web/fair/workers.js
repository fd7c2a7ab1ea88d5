// Workers, which run the rules of a game beside the page.

import { Missing, incomplete, repeated } from '../faults/again.js';

/** The number of times that a worker is started if its modules do not arrive. */
const STARTS = 3;

/** Start a worker, and wait until its modules are there.
 * @param {AbortSignal} signal @returns {Promise<Worker>} */
function started(signal) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    const fail = (/** @type {Error} */ problem) => {
      worker.terminate();
      reject(problem);
    };
    worker.onmessage = () => resolve(worker);
    // only an error of a module that has come says what it is
    worker.onerror = (event) =>
      fail(event?.message ? new Error('this browser cannot run the rules') : incomplete());
    signal.onabort = () => fail(incomplete());
  });
}

/** Start a worker. Rejects if its modules cannot be loaded, or not run here. */
export const startWorker = () =>
  repeated(started, { most: STARTS }).catch((problem) => {
    if (problem instanceof Missing) throw new Error('the rules could not be started here');
    throw problem;
  });

/** Send a worker a message, and wait for its last answer. Rejects if the worker fails.
 * @template {{ reason?: string, more?: boolean }} Answer
 * @param {Worker} worker @param {object} message
 * @param {(answer: Answer) => void} [take] called with each answer
 * @returns {Promise<Answer>} */
export function asked(worker, message, take = () => undefined) {
  return new Promise((resolve, reject) => {
    worker.onerror = () => reject(new Error('this browser cannot run the rules'));
    worker.onmessage = ({ data }) => {
      if (data.reason) {
        reject(new Error(data.reason));
        return;
      }
      take(data);
      if (!data.more) resolve(data);
    };
    worker.postMessage(message);
  });
}
