// Messages for people who do not see the page. A notification of the system when it becomes your
// turn and the page is hidden, or closed if the room can push, off until asked for. And live text
// for those who hear the page: one at a time, for as long as it takes to say it. What comes
// meanwhile waits, and is read together: its moves in one sentence, and the last question.

import { lasting } from '../privacy/stored.js';
import { get, here, put } from './api.js';
import { linesOf } from './words.js';

/** @import { Happened, Webhook } from '../types.js' */

const KEY = 'fairdeal notices';

/** Whether this browser has notifications at all. */
export const able = () => 'Notification' in globalThis;

export const isOn = () =>
  able() && lasting.get(KEY) === 'on' && Notification.permission === 'granted';

/** Switch notices on or off; the browser may ask. Return what `subscribe` does. */
export async function change() {
  const wanted = !isOn() && (await Notification.requestPermission()) === 'granted';
  lasting.set(KEY, wanted ? 'on' : 'off');
  return subscribe();
}

/** Switch notices on or off, also if the room cannot be told: pages announce turns anyway.
 * @returns {Promise<boolean>} whether they are on now */
export async function toggle() {
  await change().catch(() => 0);
  return isOn();
}

/** Let the room push notices to this browser, if both can, or no more. The lobby does so at each
 * visit, so the room has the current subscription also after the browser has changed it.
 * @param {Webhook['silent']} [silent] the hours without notices; as before if none are given
 * @returns {Promise<Webhook & { pushed?: boolean }>} does the room push notices here? */
export async function subscribe(silent) {
  const found = { ...(await get('/api/webhook')), pushed: false };
  const workers = navigator.serviceWorker;
  if (!found.push || !workers || !('PushManager' in globalThis)) return found;
  if (isOn()) await workers.register('/worker.js');
  const worker = await (isOn() ? workers.ready : workers.getRegistration());
  if (!worker) return found;
  const { pushManager } = worker;
  const options = { userVisibleOnly: true, applicationServerKey: found.push };
  const own = await (isOn() ? pushManager.subscribe(options) : pushManager.getSubscription());
  if (!own) return found;
  const keys = isOn() ? own.toJSON().keys : null;
  if (!keys) await own.unsubscribe();
  const { endpoint } = own;
  const wanted = { endpoint, keys, silent: silent === undefined ? found.silent : silent };
  return { ...(await put('/api/device', wanted)), pushed: Boolean(keys) };
}

const tag = () => `fairdeal ${location.pathname}`;

/** Close the notices that were pushed for the table of this page. */
export async function clear() {
  const worker = await navigator.serviceWorker?.getRegistration();
  const shown = await worker?.getNotifications({ tag: tag() });
  shown?.forEach((notice) => notice.close());
}

/** @param {string} title @param {string} text */
export function announce(title, text) {
  if (!document.hidden || !isOn()) return;
  try {
    const notice = new Notification(title, {
      body: text,
      tag: tag(),
      icon: here('icon.svg'),
    });
    notice.onclick = () => {
      focus();
      notice.close();
    };
  } catch {
    /* some phones have the name, but allow notices from service workers only */
  }
}

/** The texts for screen readers: the moves of a scene, words, and the question that is asked then,
 * which takes the place of the last one, also if nothing is asked.
 * @typedef {{ moves?: Happened | null, words?: string, asks?: string }} Heard */

/** Texts that arrive within this time are read together, in milliseconds. */
const TOGETHER = 80;
/** The estimated time that a text takes to be heard, in milliseconds: a base, an amount for each
 * letter, and a maximum. */
const HEARD = 300;
const LETTER = 45;
const LONGEST = 6000;
/** The longest time that a question waits for the text before it, in milliseconds. */
const SOON = 700;

const nothing = () => ({
  events: /** @type {Happened['events']} */ ([]),
  seats: /** @type {Happened['seats']} */ ([]),
  words: /** @type {string[]} */ ([]),
  asks: '',
});

let waits = nothing();
let timer = 0;
/** Until when the last text is heard. */
let until = 0;

/** Moves in one sentence: `Bo takes a blue Yang; Cy passes.` @param {Happened} moves */
function sentenceOf(moves) {
  const parts = linesOf(moves).map((text) => text.replace(/\.$/, ''));
  const last = parts.at(-1) ?? '';
  return parts.join('; ') + (!last || /[.!?…]$/.test(last) ? '' : '.');
}

function say() {
  const { events, seats, words, asks } = waits;
  const moves = sentenceOf({ events, seats });
  const text = [moves, ...words, asks].filter(Boolean).join(' ');
  waits = nothing();
  timer = 0;
  if (!text) return;
  until = performance.now() + Math.min(LONGEST, HEARD + LETTER * text.length);
  // a text that is said twice is heard twice
  document.getElementById('live')?.replaceChildren(new Text(text));
}

function plan() {
  clearTimeout(timer);
  timer = setTimeout(say, Math.max(TOGETHER, until - performance.now()));
}

/** Say it to those who hear the page, when the last text has been heard. @param {Heard} heard */
export function tell({ moves, words, asks }) {
  waits.events.push(...(moves?.events ?? []));
  if (moves) waits.seats = moves.seats;
  if (words) waits.words.push(words);
  waits.asks = asks ?? waits.asks;
  if (asks) until = Math.min(until, performance.now() + SOON);
  if (asks || !timer) plan();
}

/** The viewer has acted, and need not hear the last text to its end. */
export function interrupt() {
  until = 0;
  if (timer) plan();
}

/** The table is left, and what waits is not said. */
export function silence() {
  clearTimeout(timer);
  waits = nothing();
  timer = until = 0;
}
