// What the log of a finished game claims, computed here and not by the room. docs/log-format.md
// says what each step proves.

import { loaded } from '../faults/again.js';
import { sha512 } from '../vendor/noble-hashes/sha2.js';
import { isKnown, readLog } from './log.js';
import {
  broken,
  bytes,
  CHAIN_DIGITS,
  chanceKey,
  commitment,
  isWithheld,
  nonceHash,
  open,
  seatsOf,
  sorted,
  utf8,
  wrong,
} from './proof.js';

/** @import { Facts } from '../types.js'
 * @import { Check, Finding, Kept } from './proof.js' */

const NO_HASH = 'The room has acknowledged no move to this browser';
const BRANCHED = 'This game continues another game, whose cards were known.';
const WITHHELD = 'A player withheld a number, and may have seen the others first.';

/** @param {Check} name @param {string} text @returns {Finding} */
const inPart = (name, text) => ({ check: name, ok: null, part: true, text });

/** The number of a seat that gave none. @param {string} seed @param {number} seat */
const seedNonce = (seed, seat) => chanceKey(seed, `nonce ${seat}`).slice(0, 32);

/** Is every number the one its seat was bound to? @param {string} header @param {string} seed
 * @returns {Finding} */
function ofNumbers(header, seed) {
  const seats = seatsOf(header);
  const silent = seats.some((seat) => seat.origin !== 'given') ? ', or follows from the seed' : '';
  const fits = seats.every(({ origin, nonce, hash }, number) =>
    origin === 'given' ? nonceHash(nonce) === hash : nonce === seedNonce(seed, number),
  );
  return fits
    ? { check: 'bound', ok: true, text: `Every number is the one its seat was bound to${silent}.` }
    : wrong('bound', 'A number in the log is not the one its seat was bound to.');
}

/** Has the holder of this key signed the message? The browser checks it; where it cannot, as over
 * plain http, what can is fetched from the room, and holds the page up for some tenths of a second.
 * @param {Uint8Array<ArrayBuffer>} key @param {Uint8Array<ArrayBuffer>} message
 * @param {Uint8Array<ArrayBuffer>} signature @returns {Promise<boolean>} */
async function isSigned(key, message, signature) {
  try {
    const theirs = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', theirs, signature, message);
  } catch {
    const ed25519 = await loaded(() => import('../vendor/noble-ed25519/index.js'));
    ed25519.hashes.sha512 = sha512;
    try {
      return ed25519.verify(signature, message, key);
    } catch {
      return false;
    }
  }
}

/** All that can be checked of a finished game here: what does not fit comes first.
 * @param {Facts} facts @param {Kept | null} kept @param {string} text the log
 * @returns {Promise<Finding[]>} */
export async function check(facts, kept, text) {
  const { deal } = facts;
  const found = broken(facts, kept);
  const test = (
    /** @type {Check} */ name,
    /** @type {boolean} */ ok,
    /** @type {string} */ right,
    /** @type {string} */ not,
  ) => found.push({ check: name, ok, text: ok ? right : not });
  const log = readLog(text);
  const promise = commitment(deal.seed);
  test(
    'seed',
    promise === (kept?.promise ?? deal.commitment) &&
      deal.header.split('\n').includes(`commitment sha256 ${promise}`),
    'The seed is the one that was promised.',
    'The seed is not the one that was promised.',
  );
  if (log.version === 1) {
    found.push(
      /^room /m.test(kept?.header ?? '')
        ? wrong('log', 'The log is not in the format that this room uses.')
        : open('log', 'The log has an older format, which your browser does not check.'),
    );
    return sorted(found);
  }
  const header = log.header.join('\n');
  test(
    'log',
    header === deal.header && log.seed === deal.seed,
    'The log has the header and the seed of this deal.',
    'The log is not the log of this deal.',
  );
  if (promise === deal.commitment) found.push(ofNumbers(header, deal.seed));
  test('log', log.wrong === 0, 'The running hash fits every line of the log.', log.reason);
  const key = bytes(kept?.key || log.key);
  for (const part of ['header', 'end']) {
    const signed = log.signed.get(part);
    const message = utf8(`fairdeal ${part} ${signed?.chain}`);
    test(
      'signed',
      signed !== undefined && (await isSigned(key, message, bytes(signed.signature))),
      part === 'end' ? 'The room has signed the whole game.' : 'The room has signed the deal.',
      `The room’s signature of the ${part} is missing or wrong.`,
    );
  }
  if (log.branch) found.push(inPart('log', BRANCHED));
  if (seatsOf(header).some((seat, number) => isWithheld(seat) && number !== facts.seat)) {
    found.push(inPart('waits', WITHHELD));
  }
  const chains = Object.entries(kept?.chains ?? {});
  const last = Number(chains.at(-1)?.[0] ?? 0);
  const known = log.after.filter(
    (_, number) => number === 0 || isKnown(log.entries[number - 1], kept?.seat ?? -1),
  );
  const all = known.length - 1;
  if (kept && header === (kept.header ?? header)) {
    const other = chains.find(
      ([entry, chain]) => known[Number(entry)]?.slice(0, CHAIN_DIGITS) !== chain,
    )?.[0];
    if (last) {
      test(
        'acknowledged',
        other === undefined,
        `The log is the one that the room acknowledged to you, up to entry ${last}.`,
        `Up to entry ${other}, the log is not what the room acknowledged to you while you played.`,
      );
    }
    if (last < all) {
      const rest = 'the later entries are not proven';
      const away = chains.length ? `This browser was away after entry ${last} of ${all}` : NO_HASH;
      found.push(open('acknowledged', `${away}: ${rest}.`));
    }
  }
  return sorted(found);
}
