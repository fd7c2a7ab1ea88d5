// Everything that a page loads and that may fail for a reason that passes, such as a line that
// breaks or a room that restarts, is tried again here with growing pauses. After a while the page
// says so, with a button (kit/lazy.js), and goes on trying.

/** Pauses before what failed is tried again, in milliseconds, until the page says so; and the
 * shortest and the longest after that. */
const PAUSES = [400, 800, 1600, 3200];
const PATIENT = 10_000;
const MOST_PATIENT = 40_000;

/** The time after which the first attempt counts as failed, in milliseconds. Each further one may
 * take twice as long, up to the longest. */
export const SILENCE = 8000;
const LONGEST = 60_000;

/** Something did not come, for a reason that may pass. */
export class Missing extends Error {
  /** @param {string} sentence what happened, in a sentence
   * @param {{ atOnce?: boolean, wait?: number }} [how] whether the page says so at once, and for
   * how many milliseconds the room asks it to wait */
  constructor(sentence, { atOnce = false, wait = 0 } = {}) {
    super(sentence);
    this.atOnce = atOnce;
    this.wait = wait;
  }
}

/** Nobody has answered in time. */
export const silent = () => new Missing('The room does not answer.', { atOnce: true });
/** A file of the page has not come; the browser does not say why. */
export const incomplete = () => new Missing('A part of this page cannot be loaded.');

/** The longest time that a try may take, by its number, counted from 1.
 * @param {number} count @param {number} first */
const longest = (count, first) => Math.min(Math.max(LONGEST, first), first * 2 ** (count - 1));

/** An action that is tried until it succeeds. */
class Trial {
  /** @param {boolean} reloads whether the whole page must be loaded again to try it anew */
  constructor(reloads) {
    this.reloads = reloads;
    /** The sentence about an error. */ this.sentence = '';
    /** Whether somebody has pressed the button, and it is tried at this moment. */
    this.pressed = false;
    /** Whether it is to be tried at once. */ this.hurries = false;
    this.dropped = false;
    /** Ends the pause, or the try. */ this.end = () => {};
  }

  /** Try once. @template Found @param {(signal: AbortSignal) => Promise<Found>} work
   * @param {number} time how long it may take @returns {Promise<Found>} */
  once(work, time) {
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
      const end = () => {
        reject(silent());
        controller.abort();
      };
      const timer = setTimeout(end, time);
      this.end = end;
      work(controller.signal)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  /** @param {number} time */
  pause(time) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.end = () => {
        clearTimeout(timer);
        resolve(0);
      };
    });
  }

  wake() {
    this.hurries = true;
    this.end();
  }
}

/** The trials that the page shows as missing. @type {Set<Trial>} */
const missed = new Set();
/** @type {Set<() => void>} */
const watchers = new Set();
const tell = () => watchers.forEach((heard) => heard());

/** Hear of changes of what is missing. @param {() => void} heard
 * @returns {() => void} what ends it */
export function onMissing(heard) {
  watchers.add(heard);
  return () => void watchers.delete(heard);
}

/** Does the room answer a request for this page? A proxy may say that it does not. */
const isThere = () =>
  fetch(location.href, { signal: AbortSignal.timeout(SILENCE) }).then(
    ({ status, headers }) => status < 502 && !headers.has('x-kept'),
    () => false,
  );

/** Whether this browser shows what it keeps, because the room cannot be reached. */
let isKept = false;
export const isAway = () => isKept;

/** Show what this browser keeps, and say so, until the room answers. A page that was itself kept is
 * then loaded from the room, which may have another version. */
export async function away() {
  if (isKept) return;
  isKept = true;
  while (!(await isThere())) {
    tell();
    await new Promise((next) => setTimeout(next, PAUSES[3]));
  }
  isKept = false;
  if (document.documentElement.dataset.kept) location.reload();
  wake();
  tell();
}

/** A sentence about the missing parts, and whether they are being requested after a press. Null if
 * nothing is missing. */
export function missing() {
  const [first] = missed;
  if (!first && !isKept) return null;
  const why = navigator.onLine
    ? (first?.sentence ?? 'The room does not answer.')
    : 'You are offline.';
  const sentence = isKept ? `${why} Rules, lessons and your last games still open.` : why;
  return { sentence, pressed: [...missed].some((one) => one.pressed) };
}

/** Do some work, and again until it succeeds or fails for good. What it rejects with is for good
 * unless it is `Missing`.
 * @template Found
 * @param {(signal: AbortSignal) => Promise<Found>} work
 * @param {{ most?: number, first?: number, reloads?: boolean }} [how] after how many tries the page
 * goes on without it, how long the first may take, and whether only loading the page anew helps
 * @returns {Promise<Found>} */
export async function repeated(work, how = {}) {
  const { most = Infinity, first = SILENCE, reloads = false } = how;
  const trial = new Trial(reloads);
  try {
    for (let count = 1; ; count += 1) {
      trial.hurries = false;
      try {
        return await trial.once(work, longest(count, first));
      } catch (problem) {
        if (!(problem instanceof Missing) || count >= most || trial.dropped) throw problem;
        if (trial.hurries) continue;
        const said = most === Infinity && (problem.atOnce || count > PAUSES.length);
        if (said) missed.add(trial);
        trial.sentence = problem.message;
        trial.pressed = false;
        tell();
        const usual = PAUSES[count - 1] ?? PATIENT * 2 ** (count - PAUSES.length - 1);
        const time = Math.max(problem.wait, Math.min(MOST_PATIENT, usual));
        await trial.pause(time * (0.75 + Math.random() / 2));
        if (trial.dropped) throw problem;
      }
    }
  } finally {
    if (missed.delete(trial)) tell();
  }
}

/** A module, which is fetched when it is first wanted. Some browsers remember that one has failed,
 * and fetch it again only when the page is loaded anew.
 * @template {object} Module @param {() => Promise<Module>} load
 * @param {number} [most] after how many tries the page goes on without it
 * @returns {Promise<Module>} */
export const loaded = (load, most) =>
  repeated(
    () =>
      load().catch(() => {
        throw incomplete();
      }),
    { most, reloads: true },
  );

/** Try everything that is missing now, because it may be there again. */
export function wake() {
  for (const one of missed) one.wake();
}

/** Try everything that is missing, because somebody wishes it. Where that takes loading the page
 * anew, this is done if the room answers. */
export async function tryAgain() {
  for (const one of missed) one.pressed = true;
  wake();
  tell();
  if (![...missed].some((one) => one.reloads)) return;
  if (await isThere()) location.reload();
  for (const one of missed) if (one.reloads) one.pressed = false;
  tell();
}

/** Forget what is missing for a page that the visitor leaves. */
export function leave() {
  for (const one of missed) {
    one.dropped = true;
    one.wake();
  }
}

/** Try everything that is missing when the device has a connection again. */
export function watchConnection() {
  addEventListener('online', wake);
  addEventListener('offline', () => navigator.serviceWorker?.controller && away());
}
