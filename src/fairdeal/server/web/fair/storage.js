// What this browser keeps of a game: the promise, its own number, all that was fixed before it
// showed it, the header at the deal and the running hash at every acknowledged move. It outlives a
// reload, and is held against the room's log at the end. Where the browser keeps nothing for pages,
// it lasts as long as the page.

import { post } from '../kit/api.js';
import { broken, CHAIN_DIGITS, nonceHash } from './proof.js';

/** @import { Facts, NewTable } from '../types.js'
 * @import { Kept } from './proof.js' */

/** A number of one's own: for which promise, and with which header it was shown.
 * @typedef {{ nonce: string, promise: string, outline?: string }} Own */

const TABLE = 'fairdeal kept ';
const NUMBER = 'fairdeal number ';
const NOTES = 'fairdeal notes';
const MOST = 80;

/** @type {Map<string, string>} */
const here = new Map();

/** @template Value @param {string} key @returns {Value} */
function load(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? here.get(key) ?? 'null');
  } catch {
    return JSON.parse(here.get(key) ?? 'null');
  }
}

/** @param {string} key @param {object} value */
function save(key, value) {
  const text = JSON.stringify({ ...value, at: Date.now() });
  here.set(key, text);
  try {
    prune();
    localStorage.setItem(key, text);
  } catch {
    /* it is kept here */
  }
}

/** Of very many tables and numbers the oldest go. */
function prune() {
  const all = Object.keys(localStorage).filter(
    (key) => key.startsWith(TABLE) || key.startsWith(NUMBER),
  );
  if (all.length < 2 * MOST) return;
  const age = (/** @type {string} */ key) => JSON.parse(localStorage.getItem(key) ?? '{}').at ?? 0;
  for (const old of all.sort((a, b) => age(a) - age(b)).slice(0, all.length - MOST)) {
    localStorage.removeItem(old);
  }
}

/** What is kept of a table. @param {string} table @returns {Kept | null} */
export const kept = (table) => load(TABLE + table);

/** Keep something more of a table. @param {string} table @param {Partial<Kept>} more */
export const keep = (table, more) => save(TABLE + table, { ...kept(table), ...more });

/** Keep nothing of a table, whose deal has not come about. @param {string} table */
export function forget(table) {
  here.delete(TABLE + table);
  try {
    localStorage.removeItem(TABLE + table);
  } catch {
    /* there was nothing */
  }
}

/** A number of one's own, 16 random bytes made here for a promised seed, and kept before anybody
 * hears of its hash.
 * @param {string} promise @returns {string} the hash */
function fresh(promise) {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const hash = nonceHash(nonce);
  save(NUMBER + hash, { nonce, promise });
  return hash;
}

/** Open a table: first the room's promise, then one's own number, then its hash; the number is
 * shown when all are bound.
 * @param {NewTable} wishes @returns {Promise<Facts>} the facts of the table */
export async function openTable(wishes) {
  const { promise, ticket } = await post('/api/promise');
  const facts = await post('/api/tables', { ...wishes, ticket, hash: fresh(promise) });
  if (facts.seat >= 0) keep(facts.id, { promise });
  return followed(facts);
}

/** Take a seat at somebody's table. @param {Facts} facts */
export async function sitDown(facts) {
  const promise = facts.deal.commitment;
  const found = await post(`/api/tables/${facts.id}/join`, { hash: fresh(promise) });
  if (found.seat >= 0 && !kept(facts.id)) keep(facts.id, { promise });
  return followed(found);
}

/** @type {Map<string, string>} */
const bound = new Map();

/** The hash of the number for a rematch, whose seed the room has promised: one for each.
 * @param {Facts} facts */
export function bindNext(facts) {
  const { next } = facts.deal;
  if (!bound.has(next)) bound.set(next, fresh(next));
  return bound.get(next);
}

/** What the deal waits for from this browser; what it says is kept.
 * @param {Facts} facts */
function reply(facts) {
  const chair = facts.chairs[facts.seat];
  const { deal, id } = facts;
  const own = kept(id);
  if (!chair) return null;
  /** @type {Own | null} */
  const number = chair.hash ? load(NUMBER + chair.hash) : null; // which is shown for one deal only
  if (deal.stage === 'numbers' && number?.outline && number.outline !== deal.outline) {
    keep(id, {
      promise: own?.promise ?? number.promise,
      seat: facts.seat,
      nonce: number.nonce,
      outline: number.outline,
      changed: true,
    });
  }
  if (broken(facts, kept(id)).length) return null;
  if (deal.stage === 'dealt') {
    if (own && deal.header && !own.header) {
      keep(id, { header: deal.header, key: deal.key, seat: facts.seat });
    }
    return null;
  }
  if (chair.asked) {
    const round = `${id} ${deal.attempt}`;
    if (!bound.has(round)) bound.set(round, fresh(deal.commitment));
    return { hash: bound.get(round) };
  }
  if (deal.stage !== 'numbers' || chair.shown || !number) return null;
  keep(id, {
    promise: own?.promise ?? number.promise,
    seat: facts.seat,
    nonce: number.nonce,
    outline: deal.outline,
  });
  save(NUMBER + chair.hash, { ...number, outline: deal.outline });
  return { nonce: number.nonce };
}

/** @type {Set<string>} */
const asking = new Set();
/** @type {Map<string, Facts>} */
const newer = new Map();

/** Do what the deal waits for, once for all that is heard meanwhile. @param {Facts} facts
 * @returns {Promise<Facts>} the newest facts */
export async function followed(facts) {
  if (asking.has(facts.id)) {
    newer.set(facts.id, facts);
    return facts;
  }
  asking.add(facts.id);
  try {
    let now = facts;
    for (
      let heard = /** @type {Facts | undefined} */ (facts);
      heard;
      heard = newer.get(facts.id), newer.delete(facts.id)
    ) {
      now = heard;
      for (let body = reply(now); body; body = reply(now)) {
        now = await post(`/api/tables/${facts.id}/number`, body);
      }
    }
    return now;
  } finally {
    asking.delete(facts.id);
    newer.delete(facts.id);
  }
}

/** The room has acknowledged so many entries, and their running hash. If it has acknowledged
 * others before, that is kept too.
 * @param {string} table @param {number} entries @param {string | undefined} chain */
export function acknowledged(table, entries, chain) {
  const own = kept(table);
  if (!own || !chain || own.denied) return;
  const chains = own.chains ?? {};
  const digits = chain.slice(0, CHAIN_DIGITS);
  if ((chains[entries] ?? digits) !== digits) keep(table, { denied: true });
  else if (!chains[entries]) {
    keep(table, {
      entries: Math.max(entries, own.entries ?? 0),
      chains: { ...chains, [entries]: digits },
    });
  }
}

/** The notes on rules that were read here, by game, and the games that want no more.
 * @typedef {{ read: Record<string, string[]>, off: string[] }} Notes */

/** @returns {Notes} */
const notes = () => ({ read: {}, off: [], .../** @type {Partial<Notes>} */ (load(NOTES)) });

/** Is this note to be told still? @param {string} game @param {string} id */
export const isNoteNew = (game, id) =>
  !notes().off.includes(game) && !notes().read[game]?.includes(id);

/** A note was read. @param {string} game @param {string} id */
export function noteRead(game, id) {
  const { read, off } = notes();
  save(NOTES, { read: { ...read, [game]: [...new Set([...(read[game] ?? []), id])] }, off });
}

/** This game tells no more notes. @param {string} game */
export function noMoreNotes(game) {
  const { read, off } = notes();
  save(NOTES, { read, off: [...new Set([...off, game])] });
}

/** Forget which notes of a game were read: they come again. @param {string} game */
export function notesAgain(game) {
  const { read, off } = notes();
  save(NOTES, { read: { ...read, [game]: [] }, off: off.filter((one) => one !== game) });
}

/** What is kept, as the file that `fairdeal verify --kept` reads.
 * @param {string} table @returns {string} */
export const file = (table) => JSON.stringify(kept(table), null, 1);
