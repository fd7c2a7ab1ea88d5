// What this browser keeps of a game: the promise, its own numbers, all that was fixed before it
// sent them, the header at the deal, the running hash at every acknowledged move, and what scenes
// showed. It is kept by the room's key and the table, outlives a reload, and is held against the
// room's log at the end. No message of a room deletes it; of more than 160 tables and numbers, the
// oldest go.

import { get, post } from '../kit/api.js';
import { roomTime } from '../kit/time.js';
import { lasting } from '../privacy/stored.js';
import { broken, CHAIN_DIGITS, nonceHash } from './proof.js';
import { saw } from './shown.js';

/** @import { Facts, NewTable, Scene } from '../types.js'
 * @import { Given, Kept } from './proof.js' */

/** A number of one's own: for which promise, of which room and table (not known yet for a rematch),
 * and with which outline it was sent.
 * @typedef {{ nonce: string, promise: string, key?: string, table?: string, outline?: string,
 *   taken?: boolean }} Own
 * @typedef {{ hash?: string, nonce?: string }} Body */

const TABLE = 'fairdeal kept ';
const NUMBER = 'fairdeal number ';
const NOTES = 'fairdeal notes';
const MOST = 80;
/** The layout of a game during which the room was updated. */
const CHANGED = 'changed';
const KEY_DIGITS = 16;
/** Maximum number of answers to one message. */
const MOST_REPLIES = 20;
/** Number of failed deals after which a player must agree to give another number. */
const MOST_UNASKED = 2;

/** @template Value @param {string} key @returns {Value | null} */
function load(key) {
  try {
    return JSON.parse(lasting.get(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {object} value */
function save(key, value) {
  prune();
  const text = JSON.stringify({ ...value, at: roomTime() * 1000 });
  // if the storage is full, what other games had shown makes room, the oldest first
  while (!lasting.set(key, text)) {
    const [oldest] = lasting
      .names(TABLE)
      .filter((name) => name !== key && load(name)?.shown && lasting.isStored(name))
      .sort((one, other) => ageOf(one) - ageOf(other));
    if (!oldest) return;
    const smaller = /** @type {Kept} */ (load(oldest));
    delete smaller.shown;
    lasting.set(oldest, JSON.stringify(smaller));
  }
}

/** When something was kept. @param {string} key */
const ageOf = (key) => /** @type {{ at?: number } | null} */ (load(key))?.at ?? 0;

/** Of very many tables and numbers the oldest go. */
function prune() {
  const all = [...lasting.names(TABLE), ...lasting.names(NUMBER)];
  if (all.length < 2 * MOST) return;
  for (const old of all.sort((a, b) => ageOf(a) - ageOf(b)).slice(0, all.length - MOST)) {
    lasting.remove(old);
  }
}

/** Under which name a table is kept. @param {Facts} facts */
const nameOf = ({ id, deal }) => `${TABLE}${(deal.key ?? '').slice(0, KEY_DIGITS)} ${id}`;

/** The record of a table; an older page kept it by the table alone.
 * @param {Facts} facts @returns {Kept | null} */
export function kept(facts) {
  /** @type {Kept | null} */ const own = load(nameOf(facts));
  /** @type {Kept | null} */ const older = own ?? load(TABLE + facts.id);
  return !own && older?.key && older.key !== facts.deal.key ? null : older;
}

/** Is a table with this id kept that was dealt, and whose seed was not shown? @param {string} id */
export const hasDealt = (id) =>
  lasting
    .names(TABLE)
    .filter((name) => name.endsWith(` ${id}`))
    .some((name) => {
      /** @type {Kept | null} */ const own = load(name);
      return own?.header && !own.opened;
    });

/** Remember that the room has shown the seed of a deal. @param {Facts} facts */
export function opened(facts) {
  const own = kept(facts);
  if (own && !own.opened) keep(facts, { opened: true });
}

/** Keep something more of a table. @param {Facts} facts @param {Partial<Kept>} more */
const keep = (facts, more) => save(nameOf(facts), { ...kept(facts), ...more });

/** A number of one's own, 16 random bytes made here for a promised seed, and kept before anybody
 * hears of its hash.
 * @param {string} promise @param {string} [key] the room's @param {string} [table]
 * @returns {string} the hash */
function fresh(promise, key, table) {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const hash = nonceHash(nonce);
  save(NUMBER + hash, { nonce, promise, key, table });
  return hash;
}

/** A number that was made here, by its hash. @param {string | undefined} hash
 * @returns {Own | null} */
const known = (hash) => (hash ? load(NUMBER + hash) : null);

/** Was a number made for this deal of this table? @param {Own} number @param {Facts} facts */
const isFor = ({ promise, key, table }, { deal, id }) =>
  promise === deal.commitment && (key ?? deal.key) === deal.key && (table ?? id) === id;

/** The number to which one's own seat is bound, if it was made for this deal of this table.
 * @param {Facts} facts @returns {Own | null} */
function ownNumber(facts) {
  const number = known(facts.chairs[facts.seat]?.hash);
  return number && isFor(number, facts) ? number : null;
}

/** Keep a number of one's own for a table, or more about it.
 * @param {Facts} facts @param {Given} number */
function keepNumber(facts, number) {
  const others = (kept(facts)?.numbers ?? []).filter((one) => one.nonce !== number.nonce);
  const { nonce, outline } = number;
  keep(facts, { seat: facts.seat, nonce, outline, numbers: [...others, number] });
}

/** The room has taken the hash of a number. @param {Facts} facts @param {Own} number */
function take(facts, { nonce, promise, outline, table }) {
  const { deal, id } = facts;
  const name = NUMBER + nonceHash(nonce);
  if (!table) save(name, { .../** @type {Own} */ (load(name)), table: id });
  if (!kept(facts)) {
    keep(facts, { promise, key: deal.key, table: id, reports: Array.isArray(deal.failed) });
  }
  if (kept(facts)?.numbers?.some((one) => one.nonce === nonce)) return;
  keepNumber(facts, { nonce, attempt: deal.attempt ?? 1, outline });
}

/** The last attempts that were heard of, and those for which a person has agreed, by table.
 * @type {Record<'heard' | 'agreed', Map<string, number>>} */
const attempts = { heard: new Map(), agreed: new Map() };
/** @param {'heard' | 'agreed'} what @param {Facts} facts */
const attemptOf = (what, facts) => attempts[what].get(facts.id) ?? 0;

/** Hashes of numbers that were made for a table or a rematch. @type {Map<string, string>} */
const bound = new Map();

/** The hash of one's own number for an attempt at the deal. @param {Facts} facts */
function bindFor({ id, deal }) {
  const round = `${id} ${deal.attempt}`;
  if (!bound.has(round)) bound.set(round, fresh(deal.commitment, deal.key, id));
  return /** @type {string} */ (bound.get(round));
}

/** Keep what the room says about one's own part. @param {Facts} facts */
function learn(facts) {
  const { deal, seat, chairs } = facts;
  const chair = chairs[seat];
  const attempt = deal.attempt ?? 1;
  if (!chair || (kept(facts)?.promise ?? deal.commitment) !== deal.commitment) return;
  const number = ownNumber(facts) ?? rematchNumber(facts);
  if (number && attempt >= attemptOf('heard', facts)) take(facts, number);
  if (deal.stage !== 'dealt') {
    attempts.heard.set(facts.id, Math.max(attempt, attemptOf('heard', facts)));
  } else if (kept(facts) && deal.header && !kept(facts)?.header) {
    keep(facts, { header: deal.header, key: deal.key });
  }
  const next = deal.next ? bound.get(deal.next) : undefined;
  if (next && chair.ready) save(NUMBER + next, { ...known(next), taken: true });
}

/** The number that the room took for this rematch, if its seat has none here.
 * @param {Facts} facts @returns {Own | null} */
function rematchNumber(facts) {
  const { deal, seat, chairs } = facts;
  if ((deal.attempt ?? 1) > 1 || chairs[seat].asked) return null;
  /** @type {(Own | null)[]} */ const numbers = lasting.names(NUMBER).map((name) => load(name));
  return numbers.find((one) => one?.taken && isFor(one, facts)) ?? null;
}

/** The room has carried out a request. @param {Body} body @param {number} attempt that of the
 * request @param {Facts} after */
function answered({ hash, nonce }, attempt, after) {
  const number = known(hash);
  const chair = after.chairs[after.seat];
  if (number && chair && (after.deal.attempt ?? 1) === attempt) {
    const taken = !ownNumber(after) || chair.hash === hash; // but not another number for this table
    if (taken && !chair.asked) take(after, number);
  }
  const sent = kept(after)?.numbers?.find((one) => one.nonce === nonce);
  if (sent) keepNumber(after, { ...sent, shown: true });
  learn(after);
}

/** Open a table: first the room's promise, then one's own number, then its hash; the number is
 * shown when all are bound.
 * @param {NewTable} wishes @returns {Promise<Facts>} the facts of the table */
export async function openTable(wishes) {
  const { promise, ticket } = await post('/api/promise');
  const hash = fresh(promise);
  const facts = await post('/api/tables', { ...wishes, ticket, hash });
  if (facts.seat >= 0) {
    save(NUMBER + hash, { ...known(hash), key: facts.deal.key, table: facts.id });
    answered({ hash }, 1, facts);
  }
  return followed(facts);
}

/** Take a seat at a table. @param {Facts} facts */
export async function sitDown(facts) {
  bound.delete(`${facts.id} ${facts.deal.attempt}`);
  const hash = bindFor(facts);
  const found = await post(`/api/tables/${facts.id}/join`, { hash });
  answered({ hash }, facts.deal.attempt ?? 1, found);
  return followed(found);
}

/** The hash of the number for a rematch, whose seed the room has promised: one for each.
 * @param {Facts} facts */
export function bindNext({ deal }) {
  if (!bound.has(deal.next)) bound.set(deal.next, fresh(deal.next, deal.key));
  return bound.get(deal.next);
}

/** Have deals failed so often that one is asked before another number is given?
 * @param {Facts} facts */
export const isAsked = (facts) =>
  facts.deal.stage !== 'dealt' &&
  facts.seat >= 0 &&
  (facts.deal.attempt ?? 1) > MOST_UNASKED &&
  attemptOf('agreed', facts) < (facts.deal.attempt ?? 1);

/** Give a number although deals have failed. @param {Facts} facts */
export function agree(facts) {
  attempts.agreed.set(facts.id, facts.deal.attempt ?? 1);
  return followed(facts);
}

/** What the deal waits for from this browser; what it says is kept.
 * @param {Facts} facts @returns {Body | null} */
function reply(facts) {
  learn(facts);
  const { deal, chairs, seat } = facts;
  const chair = chairs[seat];
  if (!chair || deal.stage === 'dealt') return null;
  if ((deal.attempt ?? 1) < attemptOf('heard', facts) || isAsked(facts)) return null;
  const wrong = broken(facts, kept(facts)).find((one) => one.ok === false);
  if (wrong?.check === 'outline') keep(facts, { changed: true });
  if (wrong) return null;
  if (chair.asked) return { hash: bindFor(facts) };
  const number = ownNumber(facts);
  const own = kept(facts)?.numbers?.find((one) => one.nonce === number?.nonce);
  if (deal.stage !== 'numbers' || chair.shown || !number || !own) return null;
  if ((number.outline || deal.outline) !== deal.outline) return null; // it is for one deal only
  save(NUMBER + chair.hash, { ...number, outline: deal.outline });
  keepNumber(facts, { ...own, outline: deal.outline });
  return { nonce: number.nonce };
}

/** @type {Set<string>} */
const asking = new Set();
/** @type {Map<string, Facts>} */
const newer = new Map();

/** Do what the deal waits for. If the table has changed meanwhile, look at it again.
 * @param {Facts} facts they may be older than the room's last answer @param {Set<string>} taken
 * bodies that the room has taken, which are not sent again
 * @returns {Promise<Facts>} the newest facts */
async function answer(facts, taken) {
  let now = facts;
  let refused = '';
  for (let count = 0; count < MOST_REPLIES; count += 1) {
    const body = reply(now);
    const text = JSON.stringify(body);
    if (!body || text === refused || taken.has(text)) break;
    const attempt = now.deal.attempt ?? 1;
    try {
      now = await post(`/api/tables/${facts.id}/number`, body);
    } catch (reason) {
      if (!(/** @type {{ status?: number }} */ (reason).status)) throw reason;
      now = await get(`/api/tables/${facts.id}`);
      refused = text;
      continue;
    }
    taken.add(text);
    answered(body, attempt, now);
  }
  return now;
}

/** Do what the deal waits for, once for all that is heard meanwhile. @param {Facts} facts
 * @returns {Promise<Facts>} the newest facts */
export async function followed(facts) {
  learn(facts);
  if (asking.has(facts.id)) {
    newer.set(facts.id, facts);
    return facts;
  }
  asking.add(facts.id);
  /** @type {Set<string>} */ const taken = new Set();
  try {
    let now = await answer(facts, taken);
    for (let next = newer.get(facts.id); next; next = newer.get(facts.id)) {
      newer.delete(facts.id);
      now = await answer(next, taken);
    }
    return now;
  } finally {
    asking.delete(facts.id);
    newer.delete(facts.id);
  }
}

/** What the facts of scenes depend on, by table, as the room has told it in its last welcome.
 * @type {Map<string, string>} */
const layouts = new Map();

/** How many scenes are kept. @param {Kept} own */
const shownIn = ({ shown = {} }) => Object.keys(shown).length;

/** Save what a message says: the room's running hash after `entries` entries, or that it differs
 * from an earlier one, and what the scene shows. `layout` is what its facts depend on.
 * @param {Facts | null} facts @param {number} entries
 * @param {{ chain?: string, scene?: Scene | null, layout?: string }} message */
export function heard(facts, entries, { chain, scene, layout }) {
  if (facts && layout) layouts.set(facts.id, layout);
  const own = facts && kept(facts);
  if (!own) return;
  /** @type {Partial<Kept>} */ const more = acknowledged(own, entries, chain);
  if (scene && facts.seat >= 0 && facts.seat === own.seat) {
    const now = layouts.get(facts.id);
    if (now && now !== own.layout) more.layout = shownIn(own) ? CHANGED : now;
    Object.assign(more, saw(own, scene));
  }
  if (Object.keys(more).length) keep(facts, more);
}

/** What a running hash adds to the record.
 * @param {Kept} own @param {number} entries @param {string | undefined} chain
 * @returns {Partial<Kept>} */
function acknowledged({ denied, chains = {}, entries: most = 0 }, entries, chain) {
  const digits = chain?.slice(0, CHAIN_DIGITS);
  if (!digits || denied || chains[entries] === digits) return {};
  if (chains[entries]) return { denied: true };
  return { entries: Math.max(entries, most), chains: { ...chains, [entries]: digits } };
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

/** The record, as the file that `fairdeal verify --kept` reads.
 * @param {Facts} facts @returns {string} */
export const file = (facts) => JSON.stringify(kept(facts), null, 1);
