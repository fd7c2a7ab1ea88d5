// What a deal and its log claim, computed here and not by the room. docs/log-format.md says what
// each step proves.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { hmac } from '../vendor/noble-hashes/hmac.js';

/** @import { Deal, Facts } from '../types.js' */

/** Number of digits kept of a running hash. */
export const CHAIN_DIGITS = 32;

/** A seat of a log: its player's name, what plays there, and where its number comes from.
 * @typedef {{ name: string, plays: string, nonce: string, origin: string, hash: string }} Seat */

/** @typedef {{ nonce: string, attempt: number, outline?: string, shown?: boolean }} Given a number
 *   of one's own: for which attempt at the deal the room has taken its hash, with which outline it
 *   was sent, and whether the room has acknowledged that
 * @typedef {{ promise: string, seat?: number, nonce?: string, outline?: string, header?: string,
 *   key?: string, table?: string, entries?: number, chains?: Record<number, string>,
 *   shown?: Record<number, Record<string, string>>, unnamed?: number, layout?: string,
 *   numbers?: Given[], reports?: boolean,
 *   denied?: boolean, changed?: boolean, opened?: boolean }} Kept what this
 *   browser keeps of a game: `outline` is the header without its numbers, `chains` are the running
 *   hashes by entry, shortened to CHAIN_DIGITS; `shown` are the new facts of scenes by entry,
 *   `unnamed` counts the other scenes, and `layout` is what the facts depend on;
 *   `reports` is whether the room tells of deals that failed
 * @typedef {'promise' | 'number' | 'place' | 'room' | 'outline' | 'failed' | 'waits' | 'bound' |
 *   'header' | 'seed' | 'log' | 'signed' | 'acknowledged' | 'moves' | 'shown'} Check
 *   docs/security.md
 * @typedef {{ check: Check, ok: boolean | null, text: string, part?: boolean }} Finding `ok` is
 *   null for what cannot be said here: because something is missing or, with `part`, because this
 *   browser does not compute it */

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** @param {string} text */
export const bytes = (text) =>
  new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);

/** What binds a player to a number before it is shown: SHA-256 of its bytes.
 * @param {string} nonce */
export const nonceHash = (nonce) => hex(sha256(bytes(nonce)));

/** The promise: SHA-256 of the seed. @param {string} seed */
export const commitment = (seed) => hex(sha256(bytes(seed)));

/** The key that all chance of the game comes from. @param {string} seed @param {string} header */
export const chanceKey = (seed, header) => hex(hmac(sha256, bytes(seed), utf8(header)));

/** The line of a seat. */
const GIVEN = '(from the seed)|(given|withheld) ([0-9a-f]{64})';
export const SEAT = new RegExp(
  String.raw`^seat ((?:0|[1-9]\d{0,2})) (\[".*","[^"]*"\]) nonce ([0-9a-f]{32}) (?:${GIVEN})$`,
);

/** @param {string} line @returns {Seat[]} */
export function seatIn(line) {
  const parts = line.match(SEAT);
  if (!parts) return [];
  const [name, plays] = JSON.parse(parts[2]);
  return [{ name, plays, nonce: parts[3], origin: parts[4] ?? parts[5], hash: parts[6] ?? '' }];
}

/** The seats of a header. @param {string} header */
export const seatsOf = (header) => header.split('\n').flatMap(seatIn);

/** The salt of an entry in a game with windows. @param {string} seed
 * @param {number} number the number of the entry, counting hidden ones */
export const saltOf = (seed, number) => chanceKey(seed, `entry ${number}`).slice(0, 32);

/** The header without its numbers: all of it that is fixed before anybody shows theirs.
 * @param {string} header */
const outlineOf = (header) =>
  header
    .split('\n')
    .map((line) =>
      line.startsWith('seat ')
        ? line.replace(
            / nonce [0-9a-f]{32} (?:(from the seed)|(?:given|withheld) ([0-9a-f]{64}))$/,
            (_, seed, hash) => (seed ? ` ${seed}` : ` bound ${hash}`),
          )
        : line,
    )
    .join('\n');

/** How often numbers have been asked for. @param {string} header */
const attemptOf = (header) => Number(header.match(/^table \S+ attempt (\d+) /m)?.[1] ?? 0);

/** One's own numbers. What an older page kept has only the last. @param {Kept} kept
 * @returns {Given[]} */
const givenOf = ({ numbers, nonce, outline }) =>
  numbers?.length ? numbers : nonce ? [{ nonce, outline, attempt: 0, shown: true }] : [];

/** The seat to which an outline binds a number. @param {Given} number */
const seatOf = ({ nonce, outline = '' }) =>
  Number(outline.match(new RegExp(`^seat (\\d+) .* bound ${nonceHash(nonce)}$`, 'm'))?.[1] ?? -1);

/** The deals that failed, in a header or an outline, as `attempt seat`. @param {string} header */
const failedIn = (header) =>
  [...header.matchAll(/^failed (.*)$/gm)].flatMap((line) => {
    const { attempt, shown } = JSON.parse(line[1]);
    return shown.map((/** @type {number} */ seat) => `${attempt} ${seat}`);
  });

/** @param {Check} name @param {string} text @returns {Finding} */
export const wrong = (name, text) => ({ check: name, ok: false, text });
/** @param {Check} name @param {string} text @returns {Finding} */
export const open = (name, text) => ({ check: name, ok: null, text });

const UNHEARD =
  'A deal failed after your number was sent. The room does not say that it had arrived.';
const CHANGED = 'The room changed the deal after you showed your number.';
const DROPPED = 'The room has dropped your number.';

/** Is one's own number at one's own seat in the header?
 * @param {Given[]} given @param {Given | undefined} mine the one to which the seat is bound
 * @param {{ nonce: string, origin: string } | undefined} seat @param {number} attempt
 * @returns {Finding[]} */
function ownNumber(given, mine, seat, attempt) {
  if (!mine) {
    return given.some((one) => !one.attempt || one.attempt === attempt)
      ? [wrong('number', 'Your own number is not in the deal.')]
      : [open('number', 'The cards were dealt without a number from you.')];
  }
  if (seat?.origin === 'withheld') {
    return mine.shown
      ? [wrong('number', 'The room dealt without your number: it says that you did not show it.')]
      : [open('number', 'Your number came too late: the cards were dealt without it.')];
  }
  if (seat?.nonce !== mine.nonce) return [wrong('number', 'Your own number is not in the deal.')];
  return mine.outline || mine.shown
    ? []
    : [wrong('number', 'The room dealt with your number, which you have not shown at this table.')];
}

/** Are the deals counted and reported that failed after a number of one's own was sent?
 * @param {string} header @param {Kept} kept @param {Given | undefined} mine
 * @returns {Finding[]} */
function ofFailures(header, kept, mine) {
  const attempt = attemptOf(header);
  const sent = givenOf(kept).filter((one) => one !== mine && one.outline && one.attempt);
  const told = failedIn(header);
  return sent.flatMap((one) => {
    if (one.attempt > attempt || (mine && one.attempt === attempt)) {
      return [wrong('failed', 'The room asked for new numbers without counting the attempt.')];
    }
    if (
      one.attempt === attempt ||
      !kept.reports ||
      told.includes(`${one.attempt} ${seatOf(one)}`)
    ) {
      return [];
    }
    return one.shown
      ? [wrong('failed', 'A deal failed after you showed your number, and it is not reported.')]
      : [open('failed', UNHEARD)];
  });
}

/** Findings about the record from the header of the deal.
 * @param {Facts} facts @param {Kept} kept @returns {Finding[]} */
function ofHeader({ deal, seat }, kept) {
  const { header } = deal;
  const given = givenOf(kept);
  const seats = seatsOf(header);
  const attempt = attemptOf(header);
  const isDealt = given.some((one) =>
    seats.some(({ nonce, origin }) => origin === 'given' && nonce === one.nonce),
  );
  if (seat < 0) {
    if (isDealt) return [wrong('place', 'The room says that you do not play in this game.')];
    return given.some((one) => one.shown && one.attempt === attempt)
      ? [wrong('number', 'The room dealt without your number, after you showed it.')]
      : [];
  }
  if (isDealt && kept.seat !== undefined && kept.seat !== seat) {
    return [wrong('place', 'The room says that you sit in another seat of this game.')];
  }
  const lines = header.split('\n');
  const mine = given.find((one) => nonceHash(one.nonce) === seats[seat]?.hash);
  /** @type {Finding[]} */
  const found = [];
  if (!lines.includes(`commitment sha256 ${kept.promise}`)) {
    found.push(wrong('promise', 'The promise you were given is not in the header of the deal.'));
  }
  if (kept.table && !header.includes(`\nroom ed25519 ${kept.key}\ntable ${kept.table} attempt `)) {
    found.push(wrong('room', 'The header does not belong to this table and room.'));
  }
  if (kept.header && kept.header !== header) {
    found.push(wrong('header', 'The header is not the one you were shown at the deal.'));
  }
  if (!found.length && mine?.outline && seats[seat].origin !== 'withheld') {
    if (outlineOf(header) !== mine.outline) {
      found.push(wrong('outline', 'The deal was changed after you showed your number.'));
    }
  }
  if (given.length) found.push(...ownNumber(given, mine, seats[seat], attempt));
  return [...found, ...ofFailures(header, kept, mine), ...ofSeats(header, mine)];
}

/** Are all numbers those to which their seats were bound? @param {string} header
 * @param {Given | undefined} mine @returns {Finding[]} */
function ofSeats(header, mine) {
  const others = seatsOf(header).filter((seat) => !mine || seat.hash !== nonceHash(mine.nonce));
  const found = [];
  if (/^table \S+ attempt \d+ waits$/m.test(header) && others.some(isWithheld)) {
    found.push(wrong('waits', 'A number is missing at a table that waits for all of them.'));
  }
  if (others.some((seat) => seat.origin === 'given' && nonceHash(seat.nonce) !== seat.hash)) {
    found.push(wrong('bound', 'A number in the deal is not the one its seat was bound to.'));
  }
  return found;
}

/** @param {{ origin: string }} seat */
export const isWithheld = (seat) => seat.origin === 'withheld';

/** What the room says of an attempt at the deal, before the cards.
 * @param {Facts} facts @param {Kept} kept @returns {Finding[]} */
function ofAttempt({ deal, chairs, seat, id }, kept) {
  const numbers = kept.numbers ?? [];
  const { hash, asked } = chairs[seat];
  const own = numbers.find((one) => nonceHash(one.nonce) === hash);
  if (kept.changed) return [wrong('outline', CHANGED)];
  if (!own && !asked && numbers.some((one) => one.attempt === deal.attempt)) {
    return [wrong('number', DROPPED)];
  }
  if (!own || deal.stage !== 'numbers') return [];
  if (own.outline) {
    return own.shown && own.outline !== deal.outline ? [wrong('outline', CHANGED)] : [];
  }
  const found = [];
  const lines = deal.outline.split('\n');
  const table = `table ${id} attempt ${deal.attempt} `;
  if (!lines.includes(`room ed25519 ${kept.key}`) || !lines.some((one) => one.startsWith(table))) {
    found.push(wrong('room', 'The deal does not belong to this table and room.'));
  }
  if (!lines.includes(`commitment sha256 ${kept.promise}`)) {
    found.push(wrong('promise', 'The promise you were given is not in the header of the deal.'));
  }
  if (seatOf({ ...own, outline: deal.outline }) !== seat) found.push(wrong('number', DROPPED));
  return [...found, ...ofFailures(deal.outline, kept, own)];
}

/** What the room says of a table that does not fit what it said before, and what it leaves open.
 * It can be asked at any time: facts that come late never say anything.
 * @param {Facts} facts @param {Kept | null} kept @returns {Finding[]} */
export function broken(facts, kept) {
  const { deal, seat } = facts;
  if (!kept) return [];
  const found = kept.denied
    ? [wrong('acknowledged', 'The room acknowledged two different games to you.')]
    : [];
  if (deal.commitment !== kept.promise) {
    return [...found, wrong('promise', 'The room promised one seed and deals from another.')];
  }
  if (kept.key && kept.key !== deal.key) {
    return [...found, wrong('room', 'The room signs with a different key from before.')];
  }
  if (deal.stage === 'dealt') {
    if (deal.header) found.push(...ofHeader(facts, kept));
    else if (kept.numbers?.length) {
      found.push(open('header', 'The room does not show the header of the deal.'));
    }
    return kept.changed ? [...found, wrong('outline', CHANGED)] : found;
  }
  const last = Math.max(0, ...(kept.numbers ?? []).map((one) => one.attempt));
  return seat < 0 || deal.attempt < last ? found : [...found, ...ofAttempt(facts, kept)];
}

/** What does not fit comes first, then what is open. @param {Finding[]} found */
export const sorted = (found) =>
  [false, null, true].flatMap((ok) => found.filter((one) => one.ok === ok));

/** Describe the failed deals and name those who left. @param {Deal} deal */
export function failures({ failed, attempt = 1 }) {
  const names = new Set((failed ?? []).flatMap((one) => (one.left ?? []).map(([, name]) => name)));
  const count = failed?.length ?? attempt - 1;
  if (!count) return '';
  const deals = count === 1 ? 'A deal before this one' : `${count} deals before this one`;
  const all = [...names];
  const last = all.pop();
  const who = all.length ? `${all.join(', ')} and ${last}` : last;
  const left = who ? `: ${who} left after numbers were shown` : '';
  const them = count === 1 ? 'it' : 'them';
  return `${deals} failed${left}. Somebody may have made ${them} fail in order to get other cards.`;
}
