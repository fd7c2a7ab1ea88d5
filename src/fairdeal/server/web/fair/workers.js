// Workers, which run the rules of a game beside the page.

export const startWorker = () =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

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
