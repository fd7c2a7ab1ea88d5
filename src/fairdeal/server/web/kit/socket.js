// The connection to a table. It comes back by itself, and what was asked and not answered is asked
// again under the same id: the server does it once. A room that restarts says so (1012), and may
// take a while; for a minute the page then tries again every second.

import { learnTime, seconds } from './time.js';

/** @import { Message, Requests, Scene } from '../types.js' */

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

export class TableSocket {
  /** @param {() => string} where the address to connect to @param {(message: Message) => void} hear
   * @param {(state: 'on' | 'lost' | 'restarts' | 'gone') => void} state */
  constructor(where, hear, state) {
    this.where = where;
    this.hear = hear;
    this.state = state;
    /** @type {Map<string, Requests>} */
    this.open = new Map();
    this.count = 0;
    this.tries = 0;
    /** When the room said that it restarts. */ this.restarted = -Infinity;
    this.closed = false;
    /** Number of scenes received over this connection. */ this.scenes = 0;
    /** The last of them. @type {Scene | null} */ this.scene = null;
    this.client = Math.random().toString(36).slice(2, 10);
    this.socket = this.connect();
    this.beat = setInterval(() => this.alive(), 15000);
  }

  /** @returns {WebSocket} */
  connect() {
    const base = location.origin.replace(/^http/, 'ws');
    const socket = (this.socket = new WebSocket(`${base}${this.where()}`));
    this.scenes = 0;
    this.scene = null;
    socket.onopen = () => {
      this.tries = 0;
      this.restarted = -Infinity;
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.closed || this.socket !== socket) return;
      if (event.code === 4404) {
        this.state('gone');
        return;
      }
      if (event.code === 4403) {
        location.replace('/privacy'); // which says that the keeper has excluded this guest
        return;
      }
      if (event.code === 1012) this.restarted = seconds();
      const restarts = seconds() - this.restarted < 60;
      this.state(restarts ? 'restarts' : 'lost');
      this.tries += 1;
      const wait = Math.min(restarts ? 1000 : 8000, 250 * 2 ** this.tries);
      this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
    };
    return socket;
  }

  /** @param {Message} message */
  receive(message) {
    this.heard = seconds();
    learnTime(message.now);
    if (message.type === 'patch') {
      const { base, changes, ...rest } = message;
      if (base === this.scenes) {
        const scene = /** @type {Scene} */ (apply(this.scene, changes));
        this.receive({ ...rest, type: 'scene', scene });
      } else this.socket.close(); // the room sends the whole scene to who comes back
      return;
    }
    if (message.scene && ['welcome', 'scene'].includes(message.type)) {
      this.scenes += 1;
      this.scene = message.scene;
    }
    if (message.type === 'welcome') {
      this.state('on');
      for (const request of this.open.values()) this.socket.send(JSON.stringify(request));
    }
    if (message.id && this.open.has(message.id)) this.open.delete(message.id);
    this.hear(message);
  }

  alive() {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.heard && seconds() - this.heard > 40) this.socket.close();
    else this.ask({ type: 'ping' });
  }

  /** @param {Requests} request @returns {string} the id under which the answer comes */
  ask(request) {
    const id = `${this.client}-${++this.count}`;
    const whole = { ...request, id };
    if (['pick', 'play', 'undo', 'say', 'rematch', 'stand_in'].includes(request.type)) {
      this.open.set(id, whole);
    }
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(whole));
    return id;
  }

  now() {
    clearTimeout(this.timer);
    this.connect();
  }

  close() {
    this.closed = true;
    clearInterval(this.beat);
    clearTimeout(this.timer);
    this.socket.close();
  }
}
