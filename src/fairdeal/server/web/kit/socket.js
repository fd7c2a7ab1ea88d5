// The connection to a table. It comes back by itself, and what was asked and not answered is asked
// again under the same id: the server does it once. A line may fall silent without an end, so the
// room is asked whether it is there when nothing was heard for a while. A room that restarts says
// so (1012), and may take a while; for a minute the page then tries again every second. Messages
// and scenes are decoded here.

import { wake } from '../faults/again.js';
import { messageIn, sceneIn } from './decoded.js';
import { learnTime, seconds } from './time.js';

/** @import { Limits, Line, Message, Requests, Scene } from '../types.js' */

/** @typedef {Record<string, unknown>} Fields
 * @typedef {{ '-'?: string[], '+'?: [number, unknown][] }} Moves removed and new elements */

/** A scene, or a part of one, after changes (docs/messages.md, "Patches").
 * @param {unknown} old @param {unknown} change @returns {unknown} */
export function apply(old, change) {
  if (change === null || typeof change !== 'object' || Array.isArray(change)) return change;
  if (!Array.isArray(old)) {
    const whole = /** @type {Fields} */ ({ .../** @type {Fields | undefined} */ (old) });
    for (const [name, value] of Object.entries(change)) {
      if (value === null) delete whole[name];
      else whole[name] = apply(whole[name], value);
    }
    return whole;
  }
  const { '-': removed = [], '+': added = [], ...rest } = /** @type {Moves & Fields} */ (change);
  const array = old
    .map((item, place) => ({ item, key: item.id ?? place }))
    .filter(({ key }) => !removed.includes(key))
    .map(({ item, key }) => (Object.hasOwn(rest, key) ? apply(item, rest[key]) : item));
  for (const [place, item] of added) array.splice(place, 0, item);
  return array;
}

/** Seconds: without a message until the room is asked whether it is there; until its answer counts
 * as missing; and without an answer to a request until the page says so. The terminal has the same.
 * @type {Limits} */
const LIMITS = { quiet: 2, answer: 3, waits: 2 };
/** Seconds without a message until a hidden page asks. */
const HIDDEN = 30;
/** Seconds until the answer counts as missing if the browser has just said that it is offline. */
const OFFLINE = 1;
/** The ratio of the longest wait for an answer to the last one, on a slow line, and the maximum. */
const SLOWER = 3;
const SLOWEST = 12;
/** Seconds until a connection without a message is given up; twice as many after each such one. */
const OPENING = 5;
const LONGEST_OPENING = 20;
/** Seconds by which a timer of a page that was busy or asleep is late. */
const LATE = 0.5;
/** Seconds for which a room restarts, at most. */
const RESTART = 60;

/** Requests that are kept until they are answered. */
const KEPT = ['pick', 'play', 'undo', 'say', 'rematch', 'stand_in'];

/** Requests of a player that are not kept: without a connection they are refused. */
const WISHES = ['draft', 'why', 'hint', 'recall'];

/** Is there no connection? @param {{ line: Line }} told */
export const isLost = ({ line }) => line === 'lost' || line === 'restarts';

/** The states of a line in words, in two parts. @type {Record<Line, [string, string]>} */
export const LINES = {
  on: ['', ''],
  waits: ['Waiting for the room', ''],
  lost: ['Connection lost,', ' trying again'],
  restarts: ['The room restarts,', ' back in a moment'],
  gone: ['This table no longer exists', ''],
};

/** The sentence about a message that is refused. */
export const UNKNOWN =
  'The room sent a message that this page does not know. Please load the page again.';

/** Does somebody wait for the answer to a request? @param {Requests} request */
const isAwaited = (request) =>
  !(request.type === 'undo' && request.ask) && !(request.type === 'hint' && request.look);

/** Number of connections of this page so far, to all tables. */
let connections = 0;

export class TableSocket {
  /** @param {() => string} where the address to connect to @param {(message: Message) => void} hear
   * @param {(line: Line, owed: Requests[], refusals: number) => void} tell the state of the line,
   * or the requests that are kept while the room does not answer, or the number of those that were
   * refused has changed @param {() => void} wonder the room has sent what the decoder refuses
   * @param {(message: Message, line: number) => void} record is called first, with each message and
   * the number of its connection */
  constructor(where, hear, tell, wonder, record) {
    this.where = where;
    this.hear = hear;
    this.tell = tell;
    this.wonder = wonder;
    this.record = record;
    this.number = 0;
    /** Requests without an answer, and when they were sent last.
     * @type {Map<string, { request: Requests, at: number }>} */
    this.open = new Map();
    this.count = 0;
    this.refusals = 0;
    this.tries = 0;
    /** Number of connections in a row that were given up without a message. */ this.hung = 0;
    /** When the room said that it restarts. */ this.restarted = -Infinity;
    this.closed = false;
    /** @type {Line} */ this.line = 'on';
    /** Whether the connection has had a message. */ this.speaks = false;
    /** When it had the last one, or was opened. */ this.heard = 0;
    /** The last ping, and until when its answer, or anything else, is waited for; 0 if not. */
    this.ping = { id: '', at: 0, until: 0 };
    /** The duration of the last answer to a ping. */ this.took = 0;
    /** When the timer is due, and whether it was late and was given more time. */
    this.due = 0;
    this.spared = false;
    /** Number of scenes received over this connection. */ this.scenes = 0;
    /** The last of them. @type {Scene | null} */ this.scene = null;
    this.client = Math.random().toString(36).slice(2, 10);
    /** @type {WebSocket | null} */ this.socket = null;
    this.listen();
    this.connect();
  }

  /** Listen to what the browser says of its network and its page. */
  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    const look = () => !document.hidden && this.wake();
    addEventListener('online', look, { signal });
    addEventListener('pageshow', look, { signal });
    document.addEventListener('visibilitychange', look, { signal });
    addEventListener('offline', () => this.wake(OFFLINE), { signal });
  }

  connect() {
    clearTimeout(this.timer);
    this.leave();
    const base = location.origin.replace(/^http/, 'ws');
    const socket = new WebSocket(`${base}${this.where()}`);
    this.socket = socket;
    connections += 1;
    this.number = connections;
    this.speaks = false;
    this.heard = seconds();
    this.spared = false;
    this.ping.until = 0;
    this.scenes = 0;
    this.scene = null;
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.ended(event.code);
    this.watch();
  }

  /** Leave the connection, without waiting until it is closed: nothing of it is heard any more. */
  leave() {
    clearTimeout(this.beat);
    if (!this.socket) return;
    this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = null;
  }

  /** The room has closed the connection, or it could not be opened, or cannot be used any more.
   * @param {number} [code] the reason that the room gave */
  ended(code) {
    if (code === 4404) {
      this.leave();
      this.say('gone');
      return;
    }
    if (code === 4403) {
      location.replace('/privacy'); // which says that the keeper has excluded this guest
      return;
    }
    if (code === 1012) this.restarted = seconds();
    this.tries += 1;
    const wait = Math.min(this.restarts ? 1000 : 8000, 250 * 2 ** this.tries);
    this.lose(wait * (0.75 + Math.random() / 2));
  }

  get restarts() {
    return seconds() - this.restarted < RESTART;
  }

  /** Nothing is heard over the connection: try another one, at once unless it was just closed.
   * @param {number} [wait] in milliseconds */
  lose(wait = 0) {
    this.leave();
    this.say(this.restarts ? 'restarts' : 'lost');
    if (wait) this.timer = setTimeout(() => this.connect(), wait);
    else this.connect();
  }

  /** The state of the line is, or may have become, another one.
   * @param {Line} [line] */
  say(line = this.line) {
    const requests = line === 'on' ? [] : [...this.open.values()].map(({ request }) => request);
    this.line = line;
    if (line === 'on') this.refusals = 0;
    const kept = requests.filter(({ type, ...more }) => KEPT.includes(type) && !('ask' in more));
    this.tell(line, kept, this.refusals);
  }

  /** Look after the line now, and again when there may be something to do. */
  watch() {
    clearTimeout(this.beat);
    if (!this.socket) return;
    const now = seconds();
    const late = now > this.due + LATE;
    let due = this.patience();
    const fails = !this.speaks || this.ping.until;
    if (now >= due && late && !this.spared && fails) {
      this.spared = true; // a message may have come meanwhile
      due = now + LATE;
    } else if (now >= due && !this.speaks) {
      this.hung += 1;
      this.lose();
      return;
    } else if (now >= due && this.ping.until) {
      this.lose();
      return;
    } else if (now >= due) {
      this.probe(Math.max(LIMITS.answer, Math.min(SLOWEST, SLOWER * this.took)));
      due = this.ping.until;
    }
    const waited = this.speaks ? this.waited() + LIMITS.waits : Infinity;
    if (now >= waited && this.line === 'on') this.say('waits');
    else if (now < waited && this.line === 'waits') this.say('on');
    this.due = now < waited ? Math.min(due, waited) : due;
    this.beat = setTimeout(() => this.watch(), (this.due - now) * 1000);
  }

  /** Until when the line may stay as it is. */
  patience() {
    if (!this.speaks) return this.heard + Math.min(LONGEST_OPENING, OPENING * 2 ** this.hung);
    return this.ping.until || this.heard + (document.hidden ? HIDDEN : LIMITS.quiet);
  }

  /** When the oldest request was sent whose answer somebody waits for. */
  waited() {
    const times = [...this.open.values()].filter(({ request }) => isAwaited(request));
    return Math.min(Infinity, ...times.map(({ at }) => at));
  }

  /** Ask the room whether it is there. @param {number} answer seconds until that is missing */
  probe(answer) {
    const at = seconds();
    const id = this.ask({ type: 'ping' }) ?? '';
    this.ping = { id, at, until: at + answer };
  }

  /** Something has happened that may have broken or mended the line: look at once.
   * @param {number} [answer] seconds until the room's answer is missing */
  wake(answer = LIMITS.answer) {
    if (this.closed || this.line === 'gone') return;
    if (!this.socket || (!this.speaks && seconds() > this.heard + OFFLINE)) this.connect();
    else if (this.speaks && !this.ping.until) this.probe(answer);
    else if (this.speaks) this.ping.until = Math.min(this.ping.until, seconds() + answer);
    this.due = seconds();
    this.watch();
  }

  /** @param {string} text */
  receive(text) {
    const first = !this.speaks;
    this.heard = seconds();
    this.speaks = true;
    this.spared = false;
    this.ping.until = 0;
    const message = this.decoded(text);
    if (!message) return;
    const { id = '' } = message;
    if (id && id === this.ping.id) {
      this.took = this.heard - this.ping.at;
      learnTime(message.now, this.took);
    } else learnTime(message.now);
    this.open.delete(id);
    if (message.type === 'welcome') this.welcomed();
    if (first || this.line === 'waits') this.watch();
    if (message.scene && ['welcome', 'scene'].includes(message.type)) {
      this.scenes += 1;
      this.scene = message.scene;
    }
    this.hear(message);
  }

  /** A message with its whole scene, once recorded, or null if it is not known or does not fit
   * the last scene.
   * @param {string} text @returns {Message | null} */
  decoded(text) {
    let isPatch = false;
    try {
      const message = messageIn(text);
      isPatch = message.type === 'patch';
      if (message.type !== 'patch') {
        this.record(message, this.number);
        return message;
      }
      const { base, changes, id, log, chain } = message;
      if (base === this.scenes) {
        const scene = sceneIn(apply(this.scene, changes));
        this.record(message, this.number);
        return { type: 'scene', id, log, chain, scene };
      }
    } catch {
      this.wonder();
    }
    if (isPatch) this.ended(); // the room sends the whole scene to who comes back
    return null;
  }

  /** The room answers again: ask again what was kept, and try what the page misses. */
  welcomed() {
    wake();
    this.tries = this.hung = 0;
    this.restarted = -Infinity;
    const kept = [...this.open].filter(([, { request }]) => KEPT.includes(request.type));
    this.open = new Map(kept.map(([id, { request }]) => [id, { request, at: seconds() }]));
    this.say('on');
    for (const { request } of this.open.values()) this.socket?.send(JSON.stringify(request));
  }

  /** @param {Requests} request
   * @returns {string | undefined} the id under which the answer comes, if there will be one */
  ask(request) {
    const up = this.socket?.readyState === WebSocket.OPEN;
    if (!up && !KEPT.includes(request.type)) {
      if (WISHES.includes(request.type) && isAwaited(request)) this.refuse();
      return undefined;
    }
    const id = `${this.client}-${++this.count}`;
    const whole = { ...request, id };
    this.open.set(id, { request: whole, at: seconds() });
    if (up) this.socket?.send(JSON.stringify(whole));
    if (this.line !== 'on') this.say();
    else if (request.type !== 'ping') this.watch();
    return id;
  }

  /** Let it be seen that something is refused. */
  refuse() {
    this.refusals += 1;
    this.say();
  }

  /** Can nothing be chosen, because the room does not answer and the last choice is kept? Then that
   * is seen. @param {unknown} kept the last choice, unless it is answered */
  refuses(kept) {
    const refused = this.line !== 'on' && Boolean(kept);
    if (refused) this.refuse();
    return refused;
  }

  close() {
    this.closed = true;
    this.listening?.abort();
    clearTimeout(this.timer);
    this.leave();
  }
}
