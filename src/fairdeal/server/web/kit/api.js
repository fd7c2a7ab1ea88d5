// Requests to the room over HTTP. A refusal becomes an Error with the server's reason and its
// status.

/** @import { AnswerTo } from '../types.js' */

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

/** @template {string} Method @template {string} Path @param {Method} method @param {Path} path
 * @param {unknown} [body] @returns {Promise<AnswerTo<`${Method} ${Path}`>>} */
async function ask(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.status === 403 && method === 'GET') goToExcluded();
  const found = await response
    .json()
    .catch(() => ({ reason: `${response.status} ${response.statusText}` }));
  if (!response.ok) throw new Refused(found.reason || response.statusText, response.status);
  return found;
}

/** @template {string} Path @param {Path} path */
export const get = (path) => ask('GET', path);
/** @template {string} Path @param {Path} path @param {unknown} body */
export const post = (path, body = {}) => ask('POST', path, body);
/** @template {string} Path @param {Path} path @param {unknown} body */
export const put = (path, body) => ask('PUT', path, body);
/** @template {string} Path @param {Path} path */
export const remove = (path) => ask('DELETE', path);

/** @type {Map<string, Promise<unknown>>} */
const kept = new Map();

/** Fetch something that does not change while the page is open.
 * @template {string} Path @param {Path} path @returns {Promise<AnswerTo<`GET ${Path}`>>} */
export function once(path) {
  if (!kept.has(path)) {
    kept.set(
      path,
      get(path).catch((problem) => {
        kept.delete(path);
        throw problem;
      }),
    );
  }
  return /** @type {Promise<AnswerTo<`GET ${Path}`>>} */ (kept.get(path));
}

/** The newest format of logs that this page reads. */
export const LOG_FORMAT = 3;

/** The address of the log of a finished game. @param {string} table */
export const logOf = (table) => `/api/tables/${table}/log?format=${LOG_FORMAT}`;

/** @param {string} path @returns {Promise<string>} */
export async function text(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}

/** The address of a file of the client, by its path. @param {string} file */
export const here = (file) => new URL(`../${file}`, import.meta.url).pathname;

/** @type {Set<string>} */
const sprites = new Set();

/** Put a sheet of drawings into the page, once, so that <use href="#id"> finds them.
 * @param {string} path */
export async function sprite(path) {
  if (sprites.has(path)) return;
  sprites.add(path);
  const holder = document.createElement('div');
  holder.innerHTML = await text(path).catch(() => '');
  document.getElementById('sprites')?.append(holder);
}

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** Put a stylesheet into the page, once; kept when it applies, or cannot be had.
 * @param {string} href */
export function sheet(href) {
  const asked = sheets.get(href);
  if (asked) return asked;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  /** @type {Promise<void>} */
  const there = new Promise((done) => (link.onload = link.onerror = () => done()));
  sheets.set(href, there);
  document.head.append(link);
  return there;
}

/** A game's own stylesheet.
 * @param {string} game */
export const skin = (game) => sheet(`/games/${game}/skin.css`);
