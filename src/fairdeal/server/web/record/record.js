// The record of a table: what this player's programs sent, and what the room said to each of their
// visits. It is built from entries, in order; protocol/record.py does the same in Python, and
// docs/log-format.md describes the entries.

import { isPromised, isReported, nonceHash, seatsBoundTo } from '../fair/proof.js';
import { apply } from '../kit/socket.js';

/** @import { Deal, Facts, Face, Message, Scene } from '../types.js' */

/** A message of the room. `line` is the number of the connection, 0 for answers over HTTP; `hash`
 * or `nonce` is the hash of the number that was sent, if the message answers that.
 * @typedef {{ entry: 'heard', visit: string, message: Message, line?: number, hash?: string,
 *   nonce?: string }} Heard
 * @typedef {{ entry: 'record', version: number, address: string, table: string }
 *   | { entry: 'number', nonce: string, promise: string }
 *   | { entry: 'sent', visit: string, hash: string, outline?: string }
 *   | { entry: 'faces', faces: Record<string, Face> }
 *   | { entry: 'missed', reason: string }
 *   | Heard} Entry */

/** A number of one's own: `attempt` is the attempt at the deal for which the room has taken its
 * hash, 0 until it has; `outline` is the header without numbers for which it was sent, and `visit`
 * the visit to which the room has acknowledged it.
 * @typedef {{ nonce: string, hash: string, promise: string, attempt: number, outline: string,
 *   visit: string }} Own */

/** The messages of the room in one visit. `seats` are all that it called the player's own in the
 * game, `acknowledged` has the running hashes by seat and number of entries, as in `0 17`, and
 * `broken` the contradictions between two messages, as check and reason.
 * @typedef {{ promise: string, key: string, seat: number, seats: Set<number>, attempt: number,
 *   header: string, reports: boolean, acknowledged: Map<string, string>, layout: string,
 *   scenes: { scene: Scene, layout: string }[],
 *   broken: Map<string, [import('../fair/proof.js').Check, string]> }} Visit */

/** @typedef {{ table: string, numbers: Map<string, Own>, visits: Map<string, Visit>,
 *   faces: Record<string, Face>, missed: string }} TableRecord */

export const VERSION = 1;

/** Number of digits of a running hash that are compared. A shorter one acknowledges nothing. */
const CHAIN_DIGITS = 32;

/** The messages that are recorded. */
const RECORDED = ['welcome', 'table', 'scene', 'patch', 'done', 'refused'];

/** @param {Message} message */
export const isRecorded = ({ type }) => RECORDED.includes(type);

/** @returns {Visit} */
export const newVisit = () => ({
  promise: '',
  key: '',
  seat: -1,
  seats: new Set(),
  attempt: 0,
  header: '',
  reports: false,
  acknowledged: new Map(),
  scenes: [],
  layout: '',
  broken: new Map(),
});

/** A record that grows by entries. */
export class Reader {
  /** @param {string} table */
  constructor(table) {
    /** @type {TableRecord} */
    this.record = { table, numbers: new Map(), visits: new Map(), faces: {}, missed: '' };
    /** The last scene of each connection, and how many it had.
     * @type {Map<string, { scene: Scene | null, count: number }>} */
    this.lines = new Map();
  }

  /** @param {Entry} entry */
  add(entry) {
    const { record } = this;
    if (entry.entry === 'record') record.table = entry.table;
    else if (entry.entry === 'number') {
      const { nonce, promise } = entry;
      const hash = nonceHash(nonce);
      const number = { nonce, hash, promise, attempt: 0, outline: '', visit: '' };
      if (!record.numbers.has(hash)) record.numbers.set(hash, number);
    } else if (entry.entry === 'sent') {
      const number = record.numbers.get(entry.hash);
      if (number && entry.outline && !number.outline) {
        number.outline = entry.outline;
        number.attempt ||= Number(entry.outline.match(/^table \S+ attempt (\d{1,9}) /m)?.[1] ?? 0);
      }
    } else if (entry.entry === 'heard') this.hear(entry);
    else if (entry.entry === 'faces') record.faces = entry.faces;
    else if (entry.entry === 'missed') record.missed ||= entry.reason;
  }

  /** @param {string} id */
  visit(id) {
    const visit = this.record.visits.get(id) ?? newVisit();
    this.record.visits.set(id, visit);
    return visit;
  }

  /** @param {Heard} entry */
  hear(entry) {
    const visit = this.visit(entry.visit);
    const message = this.whole(entry);
    if (!message) return; // a patch that does not fit is not shown either
    const { facts, scene, chain } = message;
    if (facts) {
      answered(this.record, entry, facts);
      told(this.record, visit, facts);
    }
    if (message.type === 'welcome') acknowledge(visit, message.facts.seq ?? 0, chain);
    else if (message.type === 'done') acknowledge(visit, message.seq ?? 0, chain);
    else if (message.type === 'scene') acknowledge(visit, message.scene.seq ?? -1, chain);
    if (message.type === 'welcome' && message.layout) visit.layout = message.layout;
    if (!scene || this.record.missed) return;
    visit.scenes.push({ scene, layout: visit.layout });
    const isOther = scene.viewer !== -1 && !visit.seats.has(scene.viewer);
    if (visit.header && isOther) breaks(visit, 'shown', 'seat');
  }

  /** A message, with the whole scene in place of changes. @param {Heard} entry
   * @returns {Message | null} */
  whole({ visit, line = 0, message }) {
    const name = `${visit} ${line}`;
    const last = this.lines.get(name) ?? { scene: null, count: 0 };
    if (message.type === 'patch') {
      if (message.base !== last.count) return null;
      const { id, log, chain, changes } = message;
      const scene = /** @type {Scene} */ (apply(last.scene, changes));
      this.lines.set(name, { scene, count: last.count + 1 });
      return /** @type {Message} */ ({ type: 'scene', id, log, chain, scene });
    }
    if (message.scene && ['welcome', 'scene'].includes(message.type)) {
      this.lines.set(name, { scene: message.scene, count: last.count + 1 });
    }
    return message;
  }
}

/** @param {Visit} visit @param {import('../fair/proof.js').Check} check @param {string} reason */
const breaks = (visit, check, reason) => visit.broken.set(`${check} ${reason}`, [check, reason]);

/** Add an acknowledgement of the room: the running hash after `entries` entries.
 * @param {Visit} visit @param {number} entries @param {string | undefined} chain */
function acknowledge(visit, entries, chain) {
  const name = `${visit.seat} ${entries}`;
  const digits = (chain ?? '').slice(0, CHAIN_DIGITS);
  if (digits.length < CHAIN_DIGITS || entries < 0) return;
  const known = visit.acknowledged.get(name) ?? digits;
  visit.acknowledged.set(name, known);
  if (known !== digits) breaks(visit, 'acknowledged', 'two');
}

/** Add what follows from an answer: that the room has taken a hash, or has the number.
 * @param {TableRecord} record @param {Heard} entry @param {Facts} facts */
function answered({ numbers }, { visit, hash = '', nonce = '' }, { deal, seat = -1, chairs }) {
  const number = numbers.get(hash || nonce);
  if (!number || seat < 0) return;
  if (nonce) number.visit ||= visit;
  else if (!chairs[seat].asked && chairs[seat].hash === number.hash) {
    number.attempt ||= deal.attempt ?? 1;
  }
}

/** Add the facts of a table. They may be older than those before them, because they come over two
 * connections; facts of an earlier attempt contradict nothing.
 * @param {TableRecord} record @param {Visit} visit @param {Facts} facts */
function told(record, visit, facts) {
  const { deal, seat = -1 } = facts;
  const { commitment, key = '', header = '', attempt = 1, stage = 'dealt', seed } = deal;
  visit.promise ||= commitment;
  visit.key ||= key;
  if (commitment !== visit.promise) breaks(visit, 'promise', 'changed');
  else if (key !== visit.key) breaks(visit, 'room', 'key');
  else if (seed && !isPromised(seed, commitment)) breaks(visit, 'seed', 'other');
  else if (stage === 'dealt' || header) {
    if (header && visit.header && header !== visit.header) breaks(visit, 'header', 'changed');
    visit.seat = seat;
    visit.seats.add(seat);
    visit.header ||= header;
  } else if (!visit.header && attempt >= visit.attempt) {
    Object.assign(visit, { seat, attempt, reports: Array.isArray(deal.failed) });
    if (seat >= 0) beforeTheDeal(record, visit, facts);
  }
}

/** Compare the facts of an attempt at the deal with one's own numbers.
 * @param {TableRecord} record @param {Visit} visit @param {Facts} facts */
function beforeTheDeal(record, visit, { deal, seat = -1, chairs }) {
  const { visits, numbers } = record;
  const { hash = '' } = chairs[seat];
  const number = numbers.get(hash);
  const { attempt = 1, outline = '' } = deal;
  if (number?.promise === deal.commitment) number.attempt ||= attempt;
  else if (number) breaks(visit, 'promise', 'changed');
  if (isUnreported(record, visit, deal)) breaks(visit, 'failed', 'unreported');
  if (!number || deal.stage !== 'numbers') return;
  const isSame = visits.get(number.visit) === visit && number.attempt === attempt;
  if (isSame && number.outline !== outline) breaks(visit, 'outline', 'changed');
  const lines = outline.split('\n');
  const isNamed = lines.some((line) =>
    line.startsWith(`table ${record.table} attempt ${attempt} `),
  );
  if (!isNamed || !lines.includes(`room ed25519 ${visit.key}`)) breaks(visit, 'room', 'other');
  if (!lines.includes(`commitment sha256 ${visit.promise}`)) breaks(visit, 'promise', 'changed');
  if (!seatsBoundTo(hash, outline).includes(seat)) breaks(visit, 'number', 'dropped');
}

/** Is a deal not reported that failed after the room had acknowledged a number?
 * @param {TableRecord} record @param {Visit} visit @param {Deal} deal */
const isUnreported = ({ numbers }, visit, { failed, attempt = 1 }) =>
  [...numbers.values()].some(
    (number) =>
      number.visit &&
      visit.reports &&
      number.attempt < attempt &&
      !isReported(number, failed ?? []),
  );
