// What a deal and its log claim, computed here and not by the room. docs/log-format.md says what
// each step proves.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { hmac } from '../vendor/noble-hashes/hmac.js';
import { isSigned } from './signatures.js';

/** @import { Facts } from '../types.js' */

/** So many digits of a running hash are kept. */
export const CHAIN_DIGITS = 32;

/** @typedef {{ promise: string, seat?: number, nonce?: string, outline?: string, header?: string,
 *   key?: string, entries?: number, chains?: Record<number, string>, denied?: boolean,
 *   changed?: boolean }} Kept what this browser keeps of a game: `outline` is the header without
 *   its numbers, `chains` are the running hashes by entry, shortened to CHAIN_DIGITS
 * @typedef {{ ok: boolean | null, text: string }} Finding `ok` is null for what cannot be said
 *   here */

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** @param {string} text */
const bytes = (text) => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/** What binds a player to a number before it is shown: SHA-256 of its bytes.
 * @param {string} nonce */
export const nonceHash = (nonce) => hex(sha256(bytes(nonce)));

/** The promise: SHA-256 of the seed. @param {string} seed */
export const commitment = (seed) => hex(sha256(bytes(seed)));

/** The key that all chance of the game comes from. @param {string} seed @param {string} header */
export const chanceKey = (seed, header) => hex(hmac(sha256, bytes(seed), utf8(header)));

/** The number of a seat that gave none. @param {string} seed @param {number} seat */
const seedNonce = (seed, seat) =>
  hex(hmac(sha256, bytes(seed), utf8(`nonce ${seat}`))).slice(0, 32);

/** The running hash with one more line. @param {string} chain @param {string} line */
const follow = (chain, line) => hex(sha256(utf8(`${chain}\n${line}`)));

const SEAT =
  /^seat (\d+) (\[.*\]) nonce ([0-9a-f]{32})(?: (from the seed|given|withheld)(?: ([0-9a-f]{64}))?)?$/;

/** The seats of a header. @param {string} header */
function seatsOf(header) {
  const found = header.split('\n').flatMap((line) => {
    const parts = line.match(SEAT);
    return parts ? [{ nonce: parts[3], origin: parts[4] ?? '', hash: parts[5] ?? '' }] : [];
  });
  return found;
}

/** A log line by line: its header, the running hash after every entry, and what the room signed.
 * @param {string} text */
function readLog(text) {
  const lines = text.trimEnd().split('\n');
  let chain = follow('', lines[0]);
  const log = {
    header: /** @type {string[]} */ ([]),
    after: /** @type {string[]} */ ([]),
    signed: /** @type {Map<string, { chain: string, signature: string }>} */ (new Map()),
    seed: '',
    key: '',
    branch: false,
    wrong: 0,
    version: Number(lines[0].match(/^fairdeal log (\d+)$/)?.[1]),
  };
  log.after[0] = chain;
  for (const [number, line] of lines.entries()) {
    if (number === 0) continue;
    const [, body, mark] = line.match(/^(.*?) +#([0-9a-f]{8})$/) ?? ['', line, ''];
    const before = chain;
    chain = follow(chain, body);
    if (!log.wrong && mark !== chain.slice(0, 8)) log.wrong = number + 1;
    const entry = body.match(/^(\d+) (?:seat|house)/);
    if (entry) log.after[Number(entry[1])] = chain;
    else if (body.startsWith('signed ')) {
      log.signed.set(body.split(' ')[1], { chain: before, signature: body.split(' ')[2] });
    } else if (body.startsWith('branch ')) log.branch = true;
    else if (body.startsWith('seed ')) log.seed = body.slice(5);
    else if (!body.startsWith('result ')) log.header.push(body);
    if (body.startsWith('room ed25519 ')) log.key = body.slice(13);
    if (log.after.length === 1) log.after[0] = chain;
  }
  return log;
}

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

/** How often numbers have been asked for. @param {string} outline */
const attemptOf = (outline) => Number(outline.match(/^table \S+ attempt (\d+) /m)?.[1] ?? 0);

/** What the room says of a table that does not fit what it said before; nothing as long as all is
 * well. It can be asked at any time.
 * @param {Facts} facts @param {Kept | null} kept @returns {Finding[]} */
export function broken(facts, kept) {
  /** @type {Finding[]} */
  const found = [];
  const bad = (/** @type {boolean} */ wrong, /** @type {string} */ text) => {
    if (wrong) found.push({ ok: false, text });
  };
  if (!kept) return found;
  const { deal } = facts;
  const { outline } = kept;
  const chair = facts.chairs?.[facts.seat];
  if (facts.seat < 0) {
    bad(deal.stage === 'dealt', 'The room says that you do not sit in this game.');
    return found;
  }
  bad(Boolean(kept.denied), 'The room acknowledged two different games to you.');
  bad(deal.commitment !== kept.promise, 'The room promised one seed and deals from another.');
  const again = Boolean(kept.nonce) && chair?.hash === nonceHash(kept.nonce ?? '');
  bad(
    Boolean(kept.changed) ||
      (deal.stage === 'numbers' && again && Boolean(outline) && deal.outline !== outline),
    'The room changed the deal after you showed your number.',
  );
  if (deal.stage === 'numbers' && outline && kept.nonce) {
    bad(
      !again && attemptOf(deal.outline) <= attemptOf(outline),
      'The room asked for new numbers and does not count it.',
    );
  }
  if (!deal.header) return found;
  const seats = seatsOf(deal.header);
  const own = seats[kept.seat ?? facts.seat];
  bad(
    !deal.header.split('\n').includes(`commitment sha256 ${kept.promise}`),
    'The promise you were given is not in the header of the deal.',
  );
  bad(
    own?.origin === 'withheld',
    'The room dealt without your number: it says that you did not show it.',
  );
  bad(
    own?.origin !== 'withheld' && Boolean(kept.nonce) && own?.nonce !== kept.nonce,
    'Your own number is not in the deal.',
  );
  bad(
    Boolean(outline) && outlineOf(deal.header) !== outline,
    'The deal was changed after you showed your number.',
  );
  bad(
    /^table \S+ attempt \d+ waits$/m.test(deal.header) &&
      seats.some((seat) => seat.origin === 'withheld'),
    'A number is missing at a table that waits for all of them.',
  );
  bad(
    seats.some((seat) => seat.origin === 'given' && nonceHash(seat.nonce) !== seat.hash),
    'A number in the deal is not the one its seat was bound to.',
  );
  bad(
    Boolean(kept.header) && kept.header !== deal.header,
    'The header is not the one you were shown at the deal.',
  );
  bad(
    Boolean(kept.key) && kept.key !== deal.key,
    'The room signs with another key than at the deal.',
  );
  return found;
}

/** All that can be checked of a finished game here: what does not fit comes first.
 * @param {Facts} facts @param {Kept | null} kept @param {string} text the log
 * @returns {Promise<Finding[]>} */
export async function check(facts, kept, text) {
  const { deal } = facts;
  const found = broken(facts, kept);
  const test = (
    /** @type {boolean} */ ok,
    /** @type {string} */ right,
    /** @type {string} */ wrong,
  ) => found.push({ ok, text: ok ? right : wrong });
  const log = readLog(text);
  const header = log.header.join('\n');
  const promise = commitment(deal.seed);
  test(
    promise === (kept?.promise ?? deal.commitment) &&
      header.split('\n').includes(`commitment sha256 ${promise}`),
    'The seed is the one that was promised.',
    'The seed is not the one that was promised.',
  );
  test(
    header === deal.header && log.seed === deal.seed && (!kept?.header || header === kept.header),
    'The log has the header and the seed of this deal.',
    'The log is not the log of this deal.',
  );
  if (!(log.version >= 2)) {
    if (/^room /m.test(kept?.header ?? '')) {
      found.push({ ok: false, text: 'The log is not in the form that this room deals under.' });
    }
    return sorted(found);
  }
  const silent = seatsOf(header).filter((seat) => seat.origin !== 'given');
  test(
    seatsOf(header).every((seat, number) =>
      seat.origin === 'given'
        ? nonceHash(seat.nonce) === seat.hash
        : seat.nonce === seedNonce(deal.seed, number),
    ),
    `Every number is the one its seat was bound to${silent.length ? ', or follows from the seed' : ''}.`,
    'A number in the log is not the one its seat was bound to.',
  );
  test(
    log.wrong === 0,
    'The running hash fits every line of the log.',
    `The log was changed at line ${log.wrong}.`,
  );
  const key = bytes(kept?.key || log.key);
  for (const part of ['header', 'end']) {
    const signed = log.signed.get(part);
    const message = utf8(`fairdeal ${part} ${signed?.chain}`);
    test(
      signed !== undefined && (await isSigned(key, message, bytes(signed.signature))),
      part === 'end' ? 'The room has signed the whole game.' : 'The room has signed the deal.',
      `The room’s signature of the ${part} is missing or wrong.`,
    );
  }
  const chains = Object.entries(kept?.chains ?? {});
  const last = Number(chains.at(-1)?.[0] ?? 0);
  const all = log.after.length - 1;
  if (kept) {
    const other = chains.find(
      ([entry, chain]) => log.after[Number(entry)]?.slice(0, CHAIN_DIGITS) !== chain,
    )?.[0];
    test(
      other === undefined,
      `Up to number ${last}, the moves are those that the room acknowledged to you.`,
      `Up to move ${other}, the log is not what the room acknowledged to you while you played.`,
    );
    if (last < all) {
      const rest = 'for the rest there is the room’s word';
      found.push({
        ok: null,
        text: `This browser was away after move ${last} of ${all}: ${rest}.`,
      });
    }
  }
  return sorted(found);
}

/** @param {Finding[]} found */
const sorted = (found) => [false, null, true].flatMap((ok) => found.filter((one) => one.ok === ok));
