// The checks of a finished game's log and of this browser's record that need no replay.

import { loaded } from '../faults/again.js';
import { sha512 } from '../vendor/noble-hashes/sha2.js';
import { chanceKey, readLog } from './log.js';
import { bytes, commitment, utf8 } from './proof.js';
import {
  contradictions,
  headerIn,
  inOrder,
  list,
  ofDeal,
  say,
  seatOf,
  visitsOf,
} from './verdict.js';

/** @import { Finding } from './proof.js'
 * @import { Log } from './log.js'
 * @import { Header } from './verdict.js'
 * @import { TableRecord } from '../record/record.js' */

/** Has the room signed a part of a log? @param {Log} log @param {'header' | 'end'} part */
function signs({ key, signed }, part) {
  const { chain = '', signature = '' } = signed.get(part) ?? {};
  return wasSigned(key, part, chain, signature);
}

/** Was a signature made over this running hash, with the private key of `digits`? The browser
 * checks it; where it cannot, as over plain http, what can is fetched from the room, and holds the
 * page up for some tenths of a second.
 * @param {string} digits @param {string} part @param {string} chain @param {string} hex
 * @returns {Promise<boolean>} */
export async function wasSigned(digits, part, chain, hex) {
  const [key, message, signature] = [bytes(digits), utf8(`fairdeal ${part} ${chain}`), bytes(hex)];
  if (!hex) return false;
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

/** The findings about the running hashes that the room sent.
 * @param {Log} log @param {Header} header @param {TableRecord} record @returns {Finding} */
function ofAcknowledgements(log, header, record) {
  const heard = new Set();
  for (const visit of visitsOf(record, header.key)) {
    const said = [...visit.acknowledged].map(([name, chain]) => ({
      at: name.split(' ').map(Number),
      chain,
    }));
    const ordered = said.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
    for (const { at, chain } of ordered) {
      const [seat, entry] = at;
      const known = knownTo(log, seat);
      const entries = known.length - 1;
      if (entry > entries) return say('acknowledged', 'beyond', { entry, entries });
      if (!log.after[known[entry]].startsWith(chain)) {
        return say('acknowledged', 'other', { entry });
      }
      heard.add(known[entry]);
    }
  }
  if (!heard.size) return say('acknowledged', 'none');
  const known = knownTo(log, seatOf(header, record));
  const entries = known.length - 1;
  const missing = [...known.keys()].filter((entry) => entry && !heard.has(known[entry]));
  const gaps = missing.length ? ranges(missing) : '';
  return say('acknowledged', gaps && 'gaps', { gaps, entries });
}

/** The places in the log at which a seat knows of 0, 1, 2 and more entries.
 * @param {Log} log @param {number} seat */
const knownTo = ({ entries }, seat) => [
  0,
  ...entries.filter((one) => one.name !== '+' || one.seat === seat).map((one) => one.number),
];

/** Numbers in ascending order as words, as in `Entries 1 to 3 and 5`. @param {number[]} numbers */
function ranges(numbers) {
  /** @type {number[][]} */ const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.at(-1) === number - 1) last[1] = number;
    else found.push([number]);
  }
  const words = list.format(found.map((one) => one.join(' to ')));
  return `${numbers.length === 1 ? 'Entry' : 'Entries'} ${words}`;
}

/** The findings about the log of a finished game that need no replay. `isSigned` says of the parts
 * of the log whether their signatures were made with the room's key.
 * @param {Log} log @param {TableRecord} record
 * @param {Record<'header' | 'end', boolean>} isSigned @returns {Finding[]} */
function ofLog(log, record, isSigned) {
  if (log.wrong === 1) {
    return inOrder([...contradictions(record), say('log', 'wrong', { why: log.reason })]);
  }
  const header = headerIn(log.header.join('\n'));
  const promised = commitment(log.seed) === header.promise;
  const seedNonce = (/** @type {number} */ seat) =>
    promised ? chanceKey(log.seed, `nonce ${seat}`).slice(0, 32) : '';
  const found = [...contradictions(record, header.key), ...ofDeal(header, record, seedNonce)];
  found.push(say('seed', log.seed ? (promised ? '' : 'other') : 'hidden'));
  const form = log.branch ? 'branch' : '';
  found.push(say('log', log.wrong ? 'wrong' : form, { why: log.reason }));
  const parts = /** @type {('header' | 'end')[]} */ (['header', 'end']);
  const missing = parts.find((part) => !log.signed.has(part));
  const wrong = parts.find((part) => log.signed.has(part) && !isSigned[part]);
  const reason = header.key ? (wrong ? 'wrong' : missing ? 'missing' : '') : 'unsigned';
  found.push(say('signed', reason, { part: wrong ?? missing ?? '' }));
  if (!log.wrong) found.push(ofAcknowledgements(log, header, record));
  return inOrder(found);
}

/** A code that is equal for all who have the same log, to read aloud: sixteen digits of its running
 * hash before the signature of the end. @param {Log} log */
function codeOf({ signed }) {
  const { chain = '' } = signed.get('end') ?? {};
  if (!chain) return '';
  const digits = String(BigInt(`0x${chain.slice(0, 16)}`) % 10n ** 16n).padStart(16, '0');
  return digits.replace(/(....)(?=.)/g, '$1 ');
}

/** Return the findings about a log, and its code. @param {TableRecord} record
 * @param {string} text the log @returns {Promise<{ findings: Finding[], code: string }>} */
export async function check(record, text) {
  const log = readLog(text);
  const [header, end] = [await signs(log, 'header'), await signs(log, 'end')];
  return { findings: ofLog(log, record, { header, end }), code: codeOf(log) };
}
