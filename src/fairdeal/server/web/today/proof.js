// The record of a deal of the day, checked by this browser. protocol/daily.py is the same in
// Python.

import { wasSigned } from '../fair/check.js';
import { chanceKey } from '../fair/log.js';
import { commitment, hex, nonceHash, utf8 } from '../fair/proof.js';
import { sha256 } from '../vendor/noble-hashes/sha2.js';

/** @import { DayRecord } from '../types.js' */

/** Number of links of a chain. */
const LINKS = 365;

/** @param {...(string | number)} lines */
const digest = (...lines) => hex(sha256(utf8(lines.join('\n'))));

/** Return what a record says and proves, in sentences, which begin with ✓ or ✗ if they are checked.
 * @param {DayRecord} record @param {string} header of the own table, empty if there is none
 * @param {string} seed of the own table @returns {Promise<string[]>} */
export async function checked(record, header, seed) {
  const { room, deal, end, next_end, numbers, signed_list, signed, link } = record;
  const hashes = Object.keys(numbers).sort();
  const missing = hashes.filter((hash) => !numbers[hash]);
  const count = hashes.length - missing.length;
  const named = missing.map((hash) => hash.slice(0, 8)).join(', ');
  const mixed = count
    ? `✓ Mixed into this deal: ${count} of ${hashes.length} numbers that were bound for it.`
    : 'No guest’s number is mixed into this deal: it follows from the room’s link alone.';
  const list = digest('fairdeal daily list', deal, ...hashes);
  const shown = hashes.map((hash) => `${hash} ${numbers[hash] || 'missing'}`);
  const line = `daily ${deal} numbers ${digest('fairdeal daily numbers', deal, ...shown)}`;
  const whole = digest('fairdeal daily record', end, next_end, line);
  const isBound = hashes.every((hash) => !numbers[hash] || nonceHash(numbers[hash]) === hash);
  const found = [
    [
      isBound && (await wasSigned(room, 'daily list', list, signed_list)),
      `The room has signed the closed list of deal No. ${deal}, and its numbers fit.`,
    ],
  ];
  if (link) {
    const place = ((deal - 1) % LINKS) + 1;
    let last = link;
    for (let time = 0; time < place; time += 1) last = commitment(last);
    const text = `Hashed ${place} times, the link of the day is the end of the room’s chain.`;
    found.push([last === end && (await wasSigned(room, 'daily record', whole, signed)), text]);
  }
  if (link && header) {
    const isOwn = header.split('\n').includes(line) && chanceKey(link, line) === seed;
    found.push([isOwn, 'The cards of your game follow from this link and these numbers alone.']);
  }
  return [
    named ? `${mixed} Missing: ${named}.` : mixed,
    ...found.map(([ok, text]) => `${ok ? '✓' : '✗ Not so:'} ${text}`),
  ];
}
