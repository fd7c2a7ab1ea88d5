// The part of this browser in a deal: its numbers, and the records of tables. What is sent is
// recorded before it is sent, and what is heard before it is shown.

import { get, post } from '../kit/api.js';
import { roomTime } from '../kit/time.js';
import { loaded } from '../faults/again.js';
import { nonceHash } from '../fair/proof.js';
import { isRecorded, newVisit, Reader, VERSION } from './record.js';

/** @import { Facts, Face, Message, NewTable } from '../types.js'
 * @import { Entry } from './record.js'
 * @typedef {{ hash?: string, nonce?: string }} Body */

/** Maximum number of answers to one message. */
const MOST_REPLIES = 20;
/** Number of failed deals after which a player must agree to give another number. */
const MOST_UNASKED = 2;
/** Maximum number of characters of a record. */
const LARGEST = 32 << 20;

/** Where records are kept, which no page begins with. */
const storage = () => loaded(() => import('./database.js'));

/** The records. */
const database = async () => (await storage()).database();

/** @param {number} count of bytes */
export function randomDigits(count) {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The name of this visit: of this page, until it is closed or loaded again. */
const VISIT = randomDigits(4);

/** The record of a table, which all pages of this browser share. */
class Keeper {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.reader = new Reader(table);
    this.last = 0; // key of the last entry that was read or written
    this.size = 0;
    this.isOver = false;
    /** All entries, as lines. @type {string[]} */ this.lines = [];
    /** The last facts over HTTP or in a `table` message. */ this.told = '';
    /** Hashes of numbers that were made here, by attempt. @type {Map<number, string>} */
    this.bound = new Map();
    /** The last attempt for which a person has agreed. */ this.agreed = 0;
    /** Entries that wait until those of earlier visits are read. @type {Entry[] | null} */
    this.early = [];
    this.ready = this.begin();
    /** The last write, which may fail. @type {Promise<unknown>} */ this.written = this.ready;
  }

  get record() {
    return this.reader.record;
  }

  /** The messages of the room in this visit. */
  get now() {
    return this.record.visits.get(VISIT) ?? newVisit();
  }

  async begin() {
    await this.read();
    const early = this.early ?? [];
    this.early = null;
    this.add(...early);
  }

  /** Read what other pages have added, but not again the `own` lines that this page has just
   * written, whose last key is `end`. */
  async read(own = 0, end = 0) {
    try {
      const base = await database();
      for (const { key = 0, line } of await base.read(this.table, this.last)) {
        if (key <= end - own || key > end) this.take(line);
        this.last = key;
      }
    } catch (problem) {
      this.miss(/** @type {Error} */ (problem));
    }
  }

  /** @param {string} line */
  take(line) {
    this.lines.push(line);
    this.size += line.length;
    const entry = JSON.parse(line);
    if (entry.message?.facts?.deal.seed) this.isOver = true;
    this.reader.add(entry);
  }

  /** @param {Error} problem */
  miss({ message }) {
    this.reader.add({ entry: 'missed', reason: message });
  }

  /** Add entries, and write them. They count at once. @param {Entry[]} entries
   * @returns {Promise<unknown>} when they are written, or could not be */
  add(...entries) {
    if (this.early) {
      this.early.push(...entries);
      return this.ready.then(() => this.written);
    }
    if (this.record.missed || !entries.length) return this.written;
    const lines = entries.map((entry) => JSON.stringify(entry));
    if (!this.size) {
      const { origin: address } = location;
      const first = { entry: 'record', version: VERSION, address, table: this.table };
      lines.unshift(JSON.stringify(first));
    }
    lines.forEach((line) => this.take(line));
    if (this.size > LARGEST) this.miss(new Error(`a record has at most ${LARGEST >> 20} MiB`));
    this.written = this.written
      .then(async () => {
        const base = await database();
        const about = { at: roomTime() * 1000, isOver: this.isOver };
        const key = await base.append(this.table, lines, about);
        if (key === this.last + lines.length) this.last = key;
        else await this.read(lines.length, key);
      })
      .catch((problem) => this.miss(problem));
    return this.written;
  }

  /** Record a message that came over connection number `line`. @param {Message} message
   * @param {number} line */
  heard(message, line) {
    if (!isRecorded(message)) return;
    if (message.facts) this.check(message.facts);
    const more = { ...message };
    if ('chat' in more) delete more.chat;
    const isNew = !more.facts || this.isNew(more.facts);
    if (message.type === 'table' && !isNew) return;
    this.add({ entry: 'heard', visit: VISIT, message: more, line });
  }

  /** Record the catalogue of faces. @param {Record<string, Face>} faces */
  async sawFaces(faces) {
    await this.ready;
    if (JSON.stringify(faces) !== JSON.stringify(this.record.faces)) {
      this.add({ entry: 'faces', faces });
    }
  }

  /** Are these other facts than those before them? @param {Facts} facts */
  isNew(facts) {
    const told = JSON.stringify(facts);
    const isNew = told !== this.told;
    this.told = told;
    return isNew;
  }

  /** Throws an error if these are the facts of another table. @param {Facts} facts */
  check({ id }) {
    if (id !== this.table) throw new Error('The room sent the facts of another table.');
  }

  /** Record facts that came over HTTP, in answer to the hash of a number, or to the number of the
   * hash `nonce`. @param {Facts} facts @param {{ hash?: string, nonce?: string }} [to] */
  async fetched(facts, to = {}) {
    this.check(facts);
    await this.claim(facts);
    if (!this.isNew(facts) && !to.hash && !to.nonce) return;
    const message = /** @type {Message} */ ({ type: 'table', facts });
    this.add({ entry: 'heard', visit: VISIT, message, ...to });
  }

  /** Record the number of a rematch at the first table that is bound to it. @param {Facts} facts */
  async claim({ deal, seat, chairs }) {
    const hash = chairs[seat]?.hash;
    if (!hash || this.record.numbers.has(hash)) return;
    await (this.written = this.written.then(() => this.read())); // another page may have made it
    if (this.record.numbers.has(hash)) return;
    const base = await database();
    const made = await base.number(hash);
    if (made?.promise !== deal.commitment) return;
    await this.add({ entry: 'number', nonce: made.nonce, promise: made.promise });
    if (!this.record.missed) await base.removeNumber(hash);
  }

  /** The hash of one's own number for an attempt at the deal, which is recorded before it is sent.
   * @param {Facts} facts */
  async bind({ deal }) {
    const { attempt = 1, commitment: promise } = deal;
    let hash = this.bound.get(attempt);
    if (!hash) {
      const nonce = randomDigits(16);
      hash = nonceHash(nonce);
      this.bound.set(attempt, hash);
      this.add({ entry: 'number', nonce, promise });
    }
    await this.add({ entry: 'sent', visit: VISIT, hash });
    return hash;
  }

  /** Does a person have to agree before another number is given? */
  get isAsked() {
    const { attempt, seat, header } = this.now;
    return seat >= 0 && !header && attempt > MOST_UNASKED && this.agreed < attempt;
  }

  /** Return the request that the deal waits for, after recording it.
   * @param {Facts} facts @returns {Promise<Body | null>} */
  async reply(facts) {
    const { deal, seat, chairs } = facts;
    const chair = chairs[seat];
    const { attempt, header, broken } = this.now;
    if (!chair || deal.stage === 'dealt' || (deal.attempt ?? 1) < attempt || header) return null;
    if (this.isAsked || broken.size) return null;
    if (chair.asked) return { hash: await this.bind(facts) };
    await this.claim(facts);
    const number = this.record.numbers.get(chair.hash ?? '');
    const { outline = '' } = deal;
    if (deal.stage !== 'numbers' || chair.shown || number?.promise !== deal.commitment) return null;
    if (number.outline && number.outline !== outline) return null; // it is for one deal only
    await this.add({ entry: 'sent', visit: VISIT, hash: number.hash, outline });
    return { nonce: number.nonce };
  }
}

/** @type {Map<string, Keeper>} */
const keepers = new Map();

/** The keeper of a table's record. @param {string} table */
export function keeperOf(table) {
  const keeper = keepers.get(table) ?? new Keeper(table);
  keepers.set(table, keeper);
  return keeper;
}

/** Return the record of a table so far. @param {Facts} facts */
export const recordOf = ({ id }) => keeperOf(id).record;

/** Was a table dealt whose seed was not shown, as far as is recorded? @param {string} id */
export function hasDealt(id) {
  const { record, isOver } = keeperOf(id);
  return !isOver && [...record.visits.values()].some((visit) => visit.header);
}

/** Make a number for a deal whose table is not known yet. @param {string} promise
 */
async function fresh(promise) {
  const nonce = randomDigits(16);
  const made = { hash: nonceHash(nonce), nonce, promise };
  await (await database()).keepNumber(made);
  return made;
}

/** Open a table: first the room's promise, then one's own number, then its hash; the number is
 * shown when all are bound.
 * @param {NewTable} wishes @returns {Promise<Facts>} the facts of the table */
export async function openTable(wishes) {
  storage()
    .then(({ prune }) => prune())
    .catch(() => undefined);
  const { promise, ticket } = await post('/api/promise');
  const { hash, nonce } = await fresh(promise);
  const facts = await post('/api/tables', { ...wishes, ticket, hash });
  const keeper = keeperOf(facts.id);
  await keeper.ready;
  await keeper.add({ entry: 'number', nonce, promise });
  await keeper.fetched(facts, { hash });
  return followed(facts);
}

/** Take a seat at a table. After the deal no number is asked for. @param {Facts} facts */
export async function sitDown(facts) {
  const keeper = keeperOf(facts.id);
  await keeper.ready;
  if (facts.status === 'running') {
    const found = await post(`/api/tables/${facts.id}/join`, {});
    await keeper.fetched(found);
    return found;
  }
  keeper.bound.delete(facts.deal.attempt ?? 1);
  const hash = await keeper.bind(facts);
  const found = await post(`/api/tables/${facts.id}/join`, { hash });
  await keeper.fetched(found, { hash });
  return followed(found);
}

/** Hashes of numbers that were made for a rematch, by the room's promise.
 * @type {Map<string, Promise<string>>} */
const next = new Map();

/** The hash of the number for a rematch, whose seed the room has promised: one for each.
 * @param {Facts} facts @returns {Promise<string>} */
export function bindNext({ deal: { next: promise = '' } }) {
  const hash = next.get(promise) ?? fresh(promise).then((made) => made.hash);
  next.set(promise, hash);
  return hash;
}

/** Have deals failed so often that one is asked before another number is given?
 * @param {Facts} facts */
export const isAsked = ({ id }) => keeperOf(id).isAsked;

/** Give a number although deals have failed. @param {Facts} facts */
export function agree(facts) {
  const keeper = keeperOf(facts.id);
  keeper.agreed = keeper.now.attempt;
  return followed(facts);
}

/** Tables whose deal is answered now, and the newest facts that came meanwhile.
 * @type {Map<string, Facts | null>} */
const busy = new Map();

/** Do what the deal waits for. If the table has changed meanwhile, look at it again.
 * @param {Facts} facts they may be older than the room's last answer @param {Set<string>} taken
 * bodies that the room has taken, which are not sent again
 * @returns {Promise<Facts>} the newest facts */
async function answer(facts, taken) {
  const keeper = keeperOf(facts.id);
  let now = facts;
  let refused = '';
  for (let count = 0; count < MOST_REPLIES; count += 1) {
    const body = await keeper.reply(now);
    const text = JSON.stringify(body);
    if (!body || text === refused || taken.has(text)) break;
    const to = body.hash ? { hash: body.hash } : { nonce: nonceHash(body.nonce ?? '') };
    try {
      now = await post(`/api/tables/${facts.id}/number`, body);
    } catch (reason) {
      if (!(/** @type {{ status?: number }} */ (reason).status)) throw reason;
      now = await get(`/api/tables/${facts.id}`);
      refused = text;
      await keeper.fetched(now);
      continue;
    }
    taken.add(text);
    await keeper.fetched(now, to);
  }
  return now;
}

/** Do what the deal waits for, once for all that is heard meanwhile. @param {Facts} facts
 * @returns {Promise<Facts>} the newest facts */
export async function followed(facts) {
  if (facts.lesson) return facts;
  const { id } = facts;
  if (busy.has(id)) {
    busy.set(id, facts);
    return facts;
  }
  busy.set(id, null);
  const keeper = keeperOf(id);
  /** @type {Set<string>} */ const taken = new Set();
  try {
    await keeper.ready;
    let now = facts;
    for (let newer = /** @type {Facts | null} */ (facts); newer; newer = busy.get(id) ?? null) {
      busy.set(id, null);
      await keeper.fetched(newer);
      now = await answer(newer, taken);
    }
    return now;
  } finally {
    busy.delete(id);
  }
}

/** The record, as the file that `fairdeal verify --kept` reads.
 * @param {Facts} facts @returns {string} */
export const file = ({ id }) => `${keeperOf(id).lines.join('\n')}\n`;
