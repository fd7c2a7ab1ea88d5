// The proofs of a deal and its log, computed here and not by the room. docs/log-format.md says what
// each step proves.

import { sha256 } from '../vendor/noble-hashes/sha2.js';

/** A seat of a log: its player's name, what plays there, and where its number comes from.
 * @typedef {{ name: string, plays: string, nonce: string, origin: string, hash: string }} Seat */

/** @typedef {'promise' | 'number' | 'room' | 'outline' | 'failed' | 'waits' | 'bound' | 'header' |
 *   'seed' | 'log' | 'signed' | 'acknowledged' | 'moves' | 'bots' | 'undone' | 'shown'} Check
 *   docs/security.md
 * @typedef {{ check: Check, ok: boolean | null, text: string }} Finding the outcome of a check:
 *   `ok` is true if it holds, false if it is broken, and null if it is unknown */

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** @param {string} text */
export const bytes = (text) =>
  new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);

/** Return the hash that binds a player to a number before it is shown: SHA-256 of its bytes.
 * @param {string} nonce */
export const nonceHash = (nonce) => hex(sha256(bytes(nonce)));

/** The promise: SHA-256 of the seed. @param {string} seed */
export const commitment = (seed) => hex(sha256(bytes(seed)));

/** Is a seed valid, and promised by its commitment? @param {string} seed @param {string} promise */
export const isPromised = (seed, promise) =>
  /^[0-9a-f]{64}$/.test(seed) && commitment(seed) === promise;

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

/** The header without its numbers: all of it that is fixed before anybody shows theirs.
 * @param {string} header */
export const outlineOf = (header) =>
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

/** The seats to which an outline binds a number: one's own, and those of guests who copied its
 * hash. @param {string} hash @param {string} outline */
export const seatsBoundTo = (hash, outline) =>
  [...outline.matchAll(new RegExp(`^seat (\\d+) .* bound ${hash}$`, 'gm'))].map((one) =>
    Number(one[1]),
  );

/** Is a number that was shown among those of the deals that failed?
 * @param {{ hash: string, outline: string, attempt: number }} number
 * @param {{ attempt: number, shown?: number[] }[]} failed */
export const isReported = ({ hash, outline, attempt }, failed) =>
  failed.some(
    (one) =>
      one.attempt === attempt &&
      seatsBoundTo(hash, outline).some((seat) => one.shown?.includes(seat)),
  );
