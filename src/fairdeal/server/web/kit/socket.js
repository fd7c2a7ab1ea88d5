// The connection to a table. It comes back by itself, and what was asked and not answered is asked
// again under the same id: the server does it once. A room that restarts says so (1012), and may
// take a while; for a minute the page then tries again every second.

/** @import { Message, Requests } from '../types.js' */

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
    this.client = Math.random().toString(36).slice(2, 10);
    this.socket = this.connect();
    this.beat = setInterval(() => this.alive(), 15000);
  }

  /** @returns {WebSocket} */
  connect() {
    const base = location.origin.replace(/^http/, 'ws');
    const socket = (this.socket = new WebSocket(`${base}${this.where()}`));
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
      if (event.code === 1012) this.restarted = Date.now();
      const restarts = Date.now() - this.restarted < 60000;
      this.state(restarts ? 'restarts' : 'lost');
      this.tries += 1;
      const wait = Math.min(restarts ? 1000 : 8000, 250 * 2 ** this.tries);
      this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
    };
    return socket;
  }

  /** @param {Message} message */
  receive(message) {
    this.heard = Date.now();
    if (message.type === 'welcome') {
      this.state('on');
      for (const request of this.open.values()) this.socket.send(JSON.stringify(request));
    }
    if (message.id && this.open.has(message.id)) this.open.delete(message.id);
    this.hear(message);
  }

  alive() {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.heard && Date.now() - this.heard > 40000) this.socket.close();
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
