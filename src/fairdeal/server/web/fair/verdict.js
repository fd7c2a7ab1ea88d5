// The verdict on a room: what its log and this browser's record prove, check by check. A check
// holds, is broken, or is unknown, and says why in a sentence of the room. table/verdict.py is the
// same function in Python.

import { CHECKS } from '../protocol.js';
import { isReported, nonceHash, outlineOf, seatsOf } from './proof.js';

/** @import { Check, Finding, Seat } from './proof.js'
 * @import { Own, TableRecord, Visit } from '../record/record.js'
 * @import { Deal } from '../types.js' */

/** A header: its lines, seats and facts. @typedef {{ text: string, seats: Seat[], key: string,
 *   table: string, attempt: number, waits: boolean, promise: string, isOfDay: boolean,
 *   failed: { attempt: number, left: [number, string][], shown?: number[] }[] }} Header */

export const list = new Intl.ListFormat('en-GB');

/** The sentence of a check, which holds if there is no reason.
 * @param {Check} check @param {string} [reason]
 * @param {Record<string, string | number>} [values] put into the sentence
 * @returns {Finding} */
export function say(check, reason = '', values = {}) {
  const { holds, broken, unknown } = CHECKS[check];
  const ok = reason ? (reason in broken ? false : null) : true;
  const text = reason ? (broken[reason] ?? unknown[reason]) : holds;
  return { check, ok, text: text.replace(/\{(\w+)\}/g, (_, name) => String(values[name])) };
}

/** @param {string} text @returns {Header} */
export function headerIn(text) {
  const value = (/** @type {RegExp} */ form) => text.match(form)?.[1] ?? '';
  return {
    text,
    seats: seatsOf(text),
    key: value(/^room ed25519 (.*)$/m),
    table: value(/^table (\S+) /m),
    attempt: Number(value(/^table \S+ attempt (\d+) /m)),
    waits: / waits$/m.test(value(/^(table .*)$/m)),
    promise: value(/^commitment sha256 (.*)$/m),
    isOfDay: /^daily /m.test(text),
    failed: [...text.matchAll(/^failed (.*)$/gm)].map(([, words]) => JSON.parse(words)),
  };
}

/** The contradictions between two messages of one visit. With a `key`, those of rooms that had
 * another key do not count. @param {TableRecord} record @param {string} [key] */
export const contradictions = (record, key = '') =>
  (key ? visitsOf(record, key) : [...record.visits.values()]).flatMap(({ broken }) =>
    [...broken.values()].map(([check, reason]) => say(check, reason)),
  );

/** Checks of a number that is made at the table, as for all deals but those of the day. */
const OF_TABLE = ['number', 'promise', 'outline'];

/** @param {Seat} seat */
const isWithheld = ({ origin }) => origin === 'withheld';

/** The findings about a header, which may be that of a game that is still running.
 * @param {Header} header @param {TableRecord} record @param {(seat: number) => string} [seedNonce]
 * @returns {Finding[]} */
export function ofDeal(header, record, seedNonce = () => '') {
  const withheld = header.seats.filter(isWithheld).map(({ name }) => name);
  const waits = withheld.length ? (header.waits ? 'missing' : 'withheld') : '';
  return [
    ...ofRecord(header, record).filter(
      (one) => !header.isOfDay || one.ok === false || !OF_TABLE.includes(one.check),
    ),
    ofFailed(header, record),
    say('waits', waits, { names: list.format(withheld) }),
    ofNumbers(header, seedNonce),
  ];
}

/** @param {Header} header @param {TableRecord} record @returns {Finding[]} */
function ofRecord(header, record) {
  const bound = boundIn(header);
  const mine = [...record.numbers.values()].filter(({ hash }) => bound.has(hash));
  const visits = visitsOf(record, header.key);
  const dealt = visits.filter((visit) => visit.header);
  const promises = [...mine, ...visits].map(({ promise }) => promise).filter(Boolean);
  const sent = mine.filter(
    ({ hash, outline }) => outline && !isWithheld(header.seats[bound.get(hash) ?? 0]),
  );
  const outline = outlineOf(header.text);
  const isChanged = sent.some((number) => number.outline !== outline);
  const isOther = dealt.some((visit) => visit.header !== header.text);
  const isPromised = promises.every((promise) => promise === header.promise);
  return [
    say('promise', isPromised ? (mine.length ? '' : 'number') : 'header'),
    ofOwnNumber(header, record, mine, bound, dealt),
    ofRoom(header, record),
    say('outline', isChanged ? 'changed' : sent.length ? '' : 'number'),
    say('header', isOther ? 'changed' : dealt.length ? '' : 'unseen'),
  ];
}

/** The visits at which the room had a key. @param {TableRecord} record @param {string} key */
export const visitsOf = ({ visits }, key) =>
  [...visits.values()].filter((visit) => !visit.key || visit.key === key);

/** The seats by their hashes: if guests copied the hash of another seat, one that showed the
 * number. @param {Header} header @returns {Map<string, number>} */
function boundIn({ seats }) {
  const all = [...seats.entries()];
  const sorted = [true, false].flatMap((is) => all.filter(([, one]) => isWithheld(one) === is));
  return new Map(sorted.map(([seat, { hash }]) => [hash, seat]));
}

/** @param {Header} header @param {TableRecord} record @param {Own[]} mine those in the header
 * @param {Map<string, number>} bound the seats of all hashes @param {Visit[]} dealt the visits to
 * which the room showed a header @returns {Finding} */
function ofOwnNumber({ seats, attempt }, { numbers }, mine, bound, dealt) {
  const isLost = [...numbers.values()].some(
    (one) => one.visit && one.attempt === attempt && !bound.has(one.hash),
  );
  if (isLost) return say('number', 'missing');
  const number = mine.at(-1);
  if (!number) return say('number', 'number');
  const seat = bound.get(number.hash) ?? -1;
  const told = dealt.at(-1)?.seat ?? seat;
  const own = seats[told]?.hash === number.hash ? told : seat;
  if (isWithheld(seats[own])) return say('number', number.visit ? 'withheld' : 'late');
  if (seats[own].nonce !== number.nonce) return say('number', 'missing');
  if (!number.outline && !number.visit) return say('number', 'unsent');
  const others = dealt
    .flatMap((visit) => [...visit.seats])
    .filter((one) => one >= 0 && one !== own);
  return say('number', told === own && !others.length ? '' : 'seat');
}

/** @param {Header} header @param {TableRecord} record @returns {Finding} */
function ofRoom({ key, table }, record) {
  if (!key) return say('room', 'unsigned');
  if (record.table && record.table !== table) return say('room', 'other');
  const keys = new Set([...record.visits.values()].map((visit) => visit.key).filter(Boolean));
  if (!keys.has(key)) return say('room', keys.size ? 'other' : 'record');
  return say('room', keys.size === 1 ? '' : 'visit');
}

/** The deals that failed before one, and who left then, as words of a sentence.
 * @param {Pick<Header, 'attempt' | 'failed'>} header @param {boolean} reports whether the room
 * reports deals that failed */
function failedDeals({ attempt, failed }, reports) {
  const count = failed.length || (reports ? 0 : attempt - 1);
  const names = new Set(failed.flatMap(({ left }) => left.map(([, name]) => name)));
  const left = names.size ? `: ${list.format(names)} left after numbers were shown` : '';
  return { count, deals: count === 1 ? 'A deal' : `${count} deals`, left };
}

/** The deals that failed before one that is not dealt yet, in a sentence; empty if there is none.
 * @param {Deal} deal */
export function failures({ failed, attempt = 1 }) {
  const whole = (failed ?? []).map(({ left = [], ...more }) => ({ ...more, left }));
  const { count, ...words } = failedDeals({ attempt, failed: whole }, Boolean(failed));
  return count ? say('failed', 'failed', words).text : '';
}

/** @param {Header} header @param {TableRecord} record @returns {Finding} */
function ofFailed({ attempt, failed }, { numbers, visits }) {
  const sent = [...numbers.values()].filter((number) => number.outline && number.attempt);
  for (const number of sent) {
    if (number.attempt > attempt && number.visit) return say('failed', 'uncounted');
    if (number.attempt < attempt && number.visit && !isReported(number, failed)) {
      return say('failed', 'unreported');
    }
  }
  const reports = [...visits.values()].some((visit) => visit.reports);
  const { count, ...words } = failedDeals({ attempt, failed }, reports);
  if (count) return say('failed', 'failed', words);
  return say('failed', sent.some((number) => number.attempt > attempt) ? 'unheard' : '');
}

/** The finding about the numbers of a header. @param {Header} header
 * @param {(seat: number) => string} seedNonce the number of a seat that gave none, empty if it is
 * not known @returns {Finding} */
function ofNumbers({ seats, isOfDay }, seedNonce) {
  for (const [seat, { plays, origin, nonce, hash }] of seats.entries()) {
    if (hash && plays !== 'person') return say('bound', 'bot', { seat });
    if (origin === 'given' && nonceHash(nonce) !== hash) return say('bound', 'bound', { seat });
    if (origin !== 'given' && ![nonce, ''].includes(seedNonce(seat))) {
      return say('bound', 'seed', { seat });
    }
  }
  return say('bound', isOfDay || seats.some(({ origin }) => origin === 'given') ? '' : 'alone');
}

/** The seat of one's own number in a header, or the seat that the room named last.
 * @param {Header} header @param {TableRecord} record */
export function seatOf(header, { numbers, visits }) {
  const [, seat] = [...boundIn(header)].find(([hash]) => numbers.has(hash)) ?? [];
  return seat ?? [...visits.values()].at(-1)?.seat ?? -1;
}

/** The findings of a game that was not played again. @param {string} why @returns {Finding[]} */
export const unplayed = (why) => [
  say('moves', 'unplayed', { why }),
  say('bots', 'unplayed'),
  say('undone', 'unchecked'),
  say('shown', 'unplayed'),
];

/** The verdict from the findings about the log and those of the replay, which counts only if
 * nothing else is broken. @param {Finding[]} checked @param {Finding[]} replayed */
export const whole = (checked, replayed) =>
  inOrder([
    ...checked,
    ...(checked.some((one) => one.ok === false) ? unplayed('another check failed') : replayed),
  ]);

/** Return the findings of a game that is still running.
 * @param {TableRecord} record @returns {Finding[]} */
export function beforeTheEnd(record) {
  const header = [...record.visits.values()]
    .map((visit) => visit.header)
    .filter(Boolean)
    .at(-1);
  return inOrder([...contradictions(record), ...(header ? ofDeal(headerIn(header), record) : [])]);
}

/** One finding for each check, in order: one that is broken, or else one that is unknown.
 * @param {Finding[]} found */
export const inOrder = (found) =>
  Object.keys(CHECKS).flatMap((check) => {
    const all = found.filter((one) => one.check === check);
    return [false, null, true].flatMap((ok) => all.filter((one) => one.ok === ok)).slice(0, 1);
  });
