// Requests to the room over HTTP, whose answers are decoded here. A refusal becomes an Error with
// the server's reason and its status. What gets no answer, or one that may be another one soon, is
// asked again (faults/again.js).

import { Missing, away, isAway, loaded, repeated } from '../faults/again.js';
import { answerIn, problemIn } from './decoded.js';
import { sentence } from './words.js';

/** @import { AnswerTo, Report } from '../types.js' */

class Refused extends Error {
  /** @param {string} reason @param {number} status */
  constructor(reason, status) {
    super(reason);
    this.status = status;
  }
}

/** Go to the page that says that the keeper of the room has excluded this guest. */
function goToExcluded() {
  if (location.pathname !== '/privacy') location.replace('/privacy');
}

/** Requests whose answer the room may have to compute. */
const LONG = /\/(analysis|held|moments|log)\b/;
const LONG_SILENCE = 60_000;

/** Requests that are not repeated: another table would be opened, and another deletion would say
 * that nothing is there. The room does everything else once, however often it is asked: to take a
 * seat, leave it, start a table, show a number, keep a name or an address, make or find a code, put
 * figures into words. */
const TWICE = /^POST .*\/(tables|branch)$|^DELETE /;

/** An answer that may be another one soon: the room has a problem, is restarted, or has too much to
 * do. What it says itself is said at once. While it is restarted, a proxy answers with a reason and
 * the time to wait.
 * @param {Response} response @param {string} [reason] the room's */
function passing({ status, headers }, reason) {
  const wait = 1000 * Number(headers.get('retry-after') ?? 0) || 0;
  return new Missing(sentence(reason || `The room answers with error ${status}`), {
    atOnce: Boolean(reason),
    wait,
  });
}

/** Read the body of a refusal.
 * @param {Response} response
 * @returns {Promise<{ reason?: string }>} */
const said = (response) =>
  response
    .json()
    .then(problemIn)
    .catch(() => ({}));

/** Ask the room once. Rejects with `Missing` if another try may succeed.
 * @param {string} method @param {string} path @param {unknown} body @param {AbortSignal} signal */
async function answered(method, path, body, signal) {
  const isGet = method === 'GET';
  let response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  }).catch(() => null);
  if (response?.headers.has('x-kept') && path.startsWith('/api/')) away();
  if (isGet && isAway() && !(response && response.status < 502)) {
    const { recorded } = await loaded(() => import('../record/kept.js'));
    const found = await recorded(path);
    if (found) response = new Response(JSON.stringify(found));
  }
  if (!response) throw new Missing('The room cannot be reached.');
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  if (status === 403 && isGet && path.startsWith('/api/')) goToExcluded();
  const { reason } = await said(response);
  const restarts = status >= 500 && (!reason || headers.has('retry-after'));
  if (restarts || (isGet && (status >= 500 || status === 429))) throw passing(response, reason);
  throw new Refused(reason || `${status} ${statusText}`, status);
}

/** Ask the room for something, as often as it takes, and read the answer.
 * @template Found @param {string} method @param {string} path @param {unknown} body
 * @param {(response: Response) => Promise<Found>} read @param {number} [most] number of tries
 * @param {number} [first] how long the first may take, in milliseconds
 * @returns {Promise<Found>} */
function fetched(
  method,
  path,
  body,
  read,
  most,
  first = LONG.test(path) ? LONG_SILENCE : undefined,
) {
  const work = async (/** @type {AbortSignal} */ signal) => {
    const response = await answered(method, path, body, signal);
    return read(response).catch(() => {
      throw new Missing('The answer of the room cannot be read.');
    });
  };
  if (!TWICE.test(`${method} ${path}`)) return repeated(work, { first, most });
  return repeated(work, { first, most: 1 }).catch((problem) => {
    if (problem instanceof Missing) problem.message += ' It may have done it all the same.';
    throw problem;
  });
}

/** @template {string} Method @template {string} Path @param {Method} method @param {Path} path
 * @param {unknown} [body] @param {number} [most] number of tries
 * @returns {Promise<AnswerTo<`${Method} ${Path}`>>} */
const ask = (method, path, body, most) =>
  fetched(method, path, body, (response) => response.json(), most).then((found) =>
    answerIn(/** @type {`${Method} ${Path}`} */ (`${method} ${path}`), found),
  );

/** @template {string} Path @param {Path} path @param {number} [most] number of tries */
export const get = (path, most) => ask('GET', path, undefined, most);
/** @template {string} Path @param {Path} path @param {unknown} body */
export const post = (path, body = {}) => ask('POST', path, body);
/** @template {string} Path @param {Path} path @param {unknown} body */
export const put = (path, body) => ask('PUT', path, body);
/** @template {string} Path @param {Path} path */
export const remove = (path) => ask('DELETE', path);

/** @type {Map<string, Promise<unknown>>} */
const kept = new Map();

/** Ask for something that does not change while the page is open, once.
 * @template Found @param {string} path @param {() => Promise<Found>} work
 * @returns {Promise<Found>} */
function keep(path, work) {
  if (!kept.has(path)) {
    kept.set(
      path,
      work().catch((problem) => {
        kept.delete(path);
        throw problem;
      }),
    );
  }
  return /** @type {Promise<Found>} */ (kept.get(path));
}

/** @template {string} Path @param {Path} path @param {number} [most] number of tries */
export const once = (path, most) => keep(path, () => get(path, most));

/** The facts of a game, if the room has it. @param {string} name */
export const gameOf = async (name) => (await once('/api/games')).find((game) => game.name === name);

/** The address of the log of a finished game. @param {string} table */
export const logOf = (table) => `/api/tables/${table}/log`;

/** @param {string} path @returns {Promise<string>} */
export const text = (path) => fetched('GET', path, undefined, (response) => response.text());

/** @param {string} path */
export const textOnce = (path) => keep(path, () => text(path));

/** A file, which a page can do without after this many tries.
 * @param {string} path @param {number} most @param {number} [first] how long the first may take
 * @returns {Promise<ArrayBuffer>} */
export const bytes = (path, most, first) =>
  fetched('GET', path, undefined, (response) => response.arrayBuffer(), most, first);

/** The address of a file of the client, by its path. @param {string} file */
export const here = (file) => new URL(`../${file}`, import.meta.url).pathname;

/** Report a line of chat, or the name at a seat, to the keeper of the room. Return what came of it.
 * @param {string} table @param {Report} what @returns {Promise<string>} */
export const reported = (table, { seat, at }) =>
  post(`/api/tables/${table}/report`, { seat, at }).then(
    () => 'Reported',
    (reason) => reason.message,
  );
