// A log, read line by line. There is one way to write each line: what docs/log-format.md does not
// describe is not read here, and not by `fairdeal verify`.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { hmac } from '../vendor/noble-hashes/hmac.js';
import { bytes, hex, seatIn, SEAT, utf8 } from './proof.js';

/** An entry of a log: a move with its words and actions, or the number of moves that it takes back.
 * `number` counts hidden entries too, and `name` is its number in the log, or + if it is hidden.
 * @typedef {{ number: number, name: string, seat: number, by: string, words: string,
 *   actions: number[], salt: string, back: number }} Entry */

/** A log: the lines of its header, its seats and entries, the running hash before the first entry
 * and after each, and what the room signed. `wrong` is the first line that was changed or cannot
 * be read, and `reason` says why; nothing after it was read.
 * @typedef {{ header: string[], options: Map<string, unknown>, seats: Seat[],
 *   entries: Entry[], after: string[], signed: Map<string, { chain: string, signature: string }>,
 *   result: string, seed: string, key: string, branch: boolean, wrong: number,
 *   reason: string }} Log */

/** @import { Seat } from './proof.js' */

export const HOUSE = -1;

const FIRST_LINE = 'fairdeal log 3';
/** Of the log of a deal of the day. */
const FIRST_LINE_OF_DAY = 'fairdeal log 4';

const MARKED = /^(.*[^ ]) #([0-9a-f]{8})$/;
/** Ends of lines, but for the one of a log. */
const ENDS = [...'\v\f\r\u001c\u001d\u001e\u0085\u2028\u2029'];

/** Numbers of seats, actions and entries. */
const PLACE = String.raw`(?:0|[1-9]\d{0,2})`;
const ACTION = String.raw`(?:0|[1-9]\d{0,4})`;
const COUNT = String.raw`[1-9]\d{0,8}`;
/** @param {string} one @param {string} [least] */
const listOf = (one, least = '?') => String.raw`(?:${one}(?:,${one})*)${least}`;

const LEFT = listOf(String.raw`\[${PLACE},".*?"\]`);
const FAILED = new RegExp(
  String.raw`^failed (\{"attempt":${COUNT},"left":\[${LEFT}\],"shown":\[${listOf(PLACE)}\]\})$`,
);
const ENTRY = new RegExp(
  String.raw`^(${COUNT}|\+) (?:seat (${PLACE})|house)(?: by (\w[\w-]*))?` +
    String.raw`(?: \[(${listOf(ACTION, '')})\])?(?: salt ([0-9a-f]{32}))?: (.+)$`,
);
const UNDO = /^undo(?: ([2-9]|[1-9]\d{1,3}))?$/;

/** The lines of a log in their order. Without those that a log `needs` there is none, and those of
 * which there are `many` may come more than once.
 * @type {{ name: string, form: RegExp, needs?: boolean, many?: boolean }[]} */
const LINES = [
  { name: 'game', form: /^game ([^ ]+)$/, needs: true },
  { name: 'rules', form: new RegExp(`^rules (0|${COUNT})$`), needs: true },
  { name: 'options', form: /^options (\{.*\})$/, needs: true },
  { name: 'room', form: /^room ed25519 ([0-9a-f]{64})$/ },
  {
    name: 'table',
    form: new RegExp(
      String.raw`^table [\w-]{1,64} attempt (${COUNT}) (?:waits|goes on)(?: rated)?$`,
    ),
  },
  { name: 'failed', form: FAILED, many: true },
  { name: 'daily', form: new RegExp(`^(daily ${COUNT} numbers [0-9a-f]{64})$`) },
  { name: 'commitment', form: /^commitment sha256 ([0-9a-f]{64})$/, needs: true },
  { name: 'seat', form: SEAT, needs: true, many: true },
  {
    name: 'branch',
    form: new RegExp(String.raw`^branch [\w-]{1,64} after (?:0|${COUNT}) [0-9a-f]{64}$`),
  },
  { name: 'header', form: /^signed header ([0-9a-f]{128})$/ },
  { name: 'entry', form: ENTRY, many: true },
  { name: 'result', form: /^result (\[(?:-?\d+(?:,-?\d+)*)?\])$/ },
  { name: 'seed', form: /^seed ([0-9a-f]{64})$/ },
  { name: 'end', form: /^signed end ([0-9a-f]{128})$/ },
];
const JSON_LINES = ['options', 'failed', 'result'];
/** @param {string} name */
const placeOf = (name) => LINES.findIndex((line) => line.name === name);

/** The key that all chance of the game comes from. @param {string} seed @param {string} header */
export const chanceKey = (seed, header) => hex(hmac(sha256, bytes(seed), utf8(header)));

/** The text from which the chance of a game comes: its header, or the line of a deal of the day.
 * @param {string[]} header */
export const chanceText = (header) =>
  header.find((line) => line.startsWith('daily ')) ?? header.join('\n');

/** The salt of an entry in a game with windows. @param {string} seed
 * @param {number} number the number of the entry, counting hidden ones */
export const saltOf = (seed, number) => chanceKey(seed, `entry ${number}`).slice(0, 32);

/** The running hash with one more line. @param {string} chain @param {string} line */
const follow = (chain, line) => hex(sha256(utf8(`${chain}\n${line}`)));

/** The value of some JSON. It throws if a log would write it in another way: with the keys in
 * their order, without spaces, and without ends of lines. @param {string} text */
function valueOf(text) {
  const value = JSON.parse(text);
  const ordered = JSON.stringify(value, (_, one) =>
    one?.constructor === Object
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
  const escaped = (/** @type {string} */ end) =>
    `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`;
  if (ordered.replace(/[\u0085\u2028\u2029]/g, escaped) !== text) throw new SyntaxError(text);
  return value;
}

/** May a seat know of an entry while the game runs? @param {Entry} entry @param {number} seat */
export const isKnown = (entry, seat) => entry.name !== '+' || entry.seat === seat;

/** @param {string} line @param {number} number @returns {Entry} */
function entryIn(line, number) {
  const [, name, seat, by = '', actions, salt = '', words] = /** @type {RegExpMatchArray} */ (
    line.match(ENTRY)
  );
  const undo = words.match(UNDO);
  return {
    number,
    name,
    seat: seat === undefined ? HOUSE : Number(seat),
    by,
    words,
    actions: actions?.split(',').map(Number) ?? [],
    salt,
    back: undo ? Number(undo[1] ?? 1) : 0,
  };
}

/** Reads the lines of a log one by one. */
class Reader {
  constructor() {
    /** @type {Log} */ this.log = {
      header: [],
      options: new Map(),
      seats: [],
      entries: [],
      after: [],
      signed: new Map(),
      result: '',
      seed: '',
      key: '',
      branch: false,
      wrong: 0,
      reason: '',
    };
    this.chain = '';
    this.place = -1; // in LINES, of the line before
    this.attempt = 0;
    this.failed = 0; // the last attempt that failed
    this.numbered = 0;
    this.left = 0; // moves that were not taken back
  }

  /** Why a line cannot follow those before it, or an empty string.
   * @param {string} line */
  add(line) {
    const [, body, mark] =
      (ENDS.some((end) => line.includes(end)) ? null : line.match(MARKED)) ?? [];
    if (body === undefined) return 'the mark at its end is missing';
    const before = this.chain;
    this.chain = follow(before, body);
    if (mark !== this.chain.slice(0, 8)) return 'it was changed, or one before it';
    const place = LINES.findIndex(({ form }) => form.test(body));
    if (place < 0) return 'it cannot be read';
    const between = LINES.slice(this.place + 1, place);
    const isLate = place < this.place || (place === this.place && !LINES[place].many);
    if (isLate || between.some(({ needs }) => needs)) return 'it is out of place';
    this.place = place;
    const { name, form } = LINES[place];
    if (place <= placeOf('seat')) this.log.header.push(body);
    if (place < placeOf('entry')) this.log.after[0] = this.chain;
    try {
      return this.take(name, body, body.match(form)?.[1] ?? '', before);
    } catch {
      return 'it has another spelling';
    }
  }

  /** @param {string} name @param {string} body @param {string} found @param {string} before */
  take(name, body, found, before) {
    const { log } = this;
    const value = JSON_LINES.includes(name) ? valueOf(found) : null;
    if (name === 'options') log.options = new Map(Object.entries(value));
    else if (name === 'room') log.key = found;
    else if (name === 'table') this.attempt = Number(found);
    else if (name === 'failed') return this.fail(value.attempt);
    else if (name === 'commitment' && Boolean(log.key) !== Boolean(this.attempt)) {
      return 'the log of a room has both a room and a table';
    } else if (name === 'seat') return this.sit(body);
    else if (name === 'branch') log.branch = true;
    else if (name === 'header' || name === 'end') {
      log.signed.set(name, { chain: before, signature: found });
    } else if (name === 'entry') return this.enter(entryIn(body, log.entries.length + 1));
    else if (name === 'result') log.result = found;
    else if (name === 'seed') log.seed = found;
    return '';
  }

  /** @param {number} attempt */
  fail(attempt) {
    const isInOrder = this.failed < attempt && attempt < (this.attempt || 1);
    this.failed = attempt;
    return isInOrder ? '' : 'no attempt can have failed here';
  }

  /** @param {string} body */
  sit(body) {
    const { seats } = this.log;
    const [, number, words] = /** @type {RegExpMatchArray} */ (body.match(SEAT));
    const [name, plays, ...more] = valueOf(words);
    if ([name, plays].some((one) => typeof one !== 'string') || more.length) {
      return 'it cannot be read';
    }
    if (Number(number) !== seats.length) return 'the seats are not in their order';
    seats.push(...seatIn(body));
    return '';
  }

  /** @param {Entry} entry */
  enter(entry) {
    const { log } = this;
    const { name, seat, by, actions, back } = entry;
    if (name !== '+') this.numbered += 1;
    if (name !== '+' && name !== String(this.numbered)) {
      return 'the entries of the log are not numbered 1, 2, 3 and so on';
    }
    if (actions.length > 0 === back > 0) {
      return back ? 'an undo has no actions' : 'the actions of the move are missing';
    }
    if (by && (seat === HOUSE || by === log.seats[seat]?.plays)) {
      return 'it names the player of the seat once more';
    }
    if (back > this.left) return 'there is no move to take back';
    this.left += back ? -back : 1;
    log.entries.push(entry);
    log.after[log.entries.length] = this.chain;
    return '';
  }
}

/** Read a log, up to the first line that is wrong. @param {string} text @returns {Log} */
export function readLog(text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const reader = new Reader();
  const { log } = reader;
  const isRead = [FIRST_LINE, FIRST_LINE_OF_DAY].includes(lines[0]);
  reader.chain = follow('', lines[0]);
  for (const [index, line] of lines.entries()) {
    const reason = index
      ? reader.add(line)
      : isRead
        ? ''
        : 'this browser does not read this format';
    if (!reason) continue;
    log.wrong = index + 1;
    log.reason = `Line ${log.wrong} of the log: ${reason}.`;
    return log;
  }
  if (reader.place < placeOf('seat')) {
    log.wrong = Math.max(lines.length, 1);
    log.reason = `Line ${log.wrong} of the log: more lines must follow.`;
  } else if (/^daily/m.test(log.header.join('\n')) !== (lines[0] === FIRST_LINE_OF_DAY)) {
    log.wrong = 1;
    log.reason = 'Line 1 of the log: it is of another kind of deal.';
  }
  return log;
}
