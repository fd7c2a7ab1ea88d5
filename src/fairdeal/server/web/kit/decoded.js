// The decoder of everything that a room sends. Pages see only a copy of it, with the fields that
// they know, each of its type. A newer room may send further fields, which are dropped
// (docs/compatibility.md). The room itself says what it sends (protocol.js).

import { ANSWERS, KEY, MESSAGES, SHAPES, TABLE_ID } from '../protocol.js';

/** @import { AnswerTo, Choice, Deal, Facts, Message, Parts, Problem, ReadAs, Ready,
 *   Scene } from '../types.js' */

/** @typedef {Record<string, unknown>} Fields */

/** Something that a room may not send, with the steps that lead to it, the last one first. */
class Odd {
  /** @param {string} wanted @param {unknown} found */
  constructor(wanted, found) {
    this.wanted = wanted;
    this.found = found;
    /** @type {(string | number)[]} */ this.steps = [];
  }

  get message() {
    const found = this.found === undefined ? 'nothing' : JSON.stringify(this.found).slice(0, 60);
    const steps = this.steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    return `${steps.reverse().join('')}: expected ${this.wanted}, found ${found}`;
  }
}

const SURROGATE = /\p{Surrogate}/u;

/** Simple types: in words, and whether a value is of it.
 * @type {Record<string, [string, (value: unknown) => boolean]>} */
const SIMPLE = {
  unknown: ['anything', (value) => value !== undefined],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  whole: ['a whole number', Number.isSafeInteger],
  number: ['a number', Number.isFinite],
  string: ['text', (value) => typeof value === 'string' && !SURROGATE.test(value)],
};

/** @param {unknown} value @returns {value is Fields} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} fits @param {string} wanted @param {unknown} found @returns {asserts fits} */
function check(fits, wanted, found) {
  if (!fits) throw new Odd(wanted, found);
}

/** The conditions on the fields of a shape, as structs check them in `__post_init__`.
 * @type {Record<string, (value: never) => void>} */
const CHECKS = {
  /** @param {Facts} facts */
  Facts({ id, lesson, chairs, seat, host_seat: host, acts, score }) {
    const form = 'an id of 1 to 64 letters, digits, hyphens and underscores';
    check(lesson || new RegExp(`^${TABLE_ID}$`).test(id), form, id);
    const seats = chairs.map((chair) => chair.seat);
    check(
      seats.every((one, at) => one === at),
      'chairs of the seats 0, 1, 2 and so on',
      seats,
    );
    const named = [seat, host, ...acts, ...score.map(([one]) => one)];
    check(
      named.every((one) => one >= -1 && one < seats.length),
      'seats that have a chair',
      named,
    );
  },
  /** @param {Deal} deal */
  Deal({ key }) {
    check(!key || new RegExp(`^${KEY}$`).test(key), 'a key of 64 digits, 0 to 9 and a to f', key);
  },
};

/** The function that copies a value of each compound type; `parts` are those of the type.
 * @type {Record<string, (value: unknown, parts: ReadAs[]) => unknown>} */
const FORMS = {
  maybe: (value, [part]) => (value === null ? null : copied(part, value)),
  list(value, [part]) {
    check(Array.isArray(value), 'a list', value);
    return value.map((one, at) => inside(at, part, one));
  },
  tuple(value, parts) {
    check(
      Array.isArray(value) && value.length === parts.length,
      `a list of ${parts.length}`,
      value,
    );
    return parts.map((part, at) => inside(at, part, value[at]));
  },
  record(value, [part]) {
    check(isObject(value), 'an object', value);
    const copies = Object.entries(value).map(([name, one]) => [name, inside(name, part, one)]);
    return Object.fromEntries(copies);
  },
  one(value, values) {
    check(
      values.some((one) => one === value),
      `one of ${values.join(', ')}`,
      value,
    );
    return value;
  },
  whole(value, [lowest, highest]) {
    const fits =
      Number.isSafeInteger(value) && Number(value) >= +lowest && Number(value) <= +highest;
    check(fits, `a whole number from ${lowest} to ${highest}`, value);
    return value;
  },
  either(value, parts) {
    const part = parts.find((one) => SIMPLE[`${one}`]?.[1](value) ?? isObject(value));
    check(part, parts.map((one) => SIMPLE[`${one}`]?.[0] ?? 'an object').join(' or '), value);
    return copied(part, value);
  },
  tagged(value, [tag, ...shapes]) {
    const name = String(tag);
    check(isObject(value), 'an object', value);
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    const shape = shapes.find((one) => tagOf(one) === own);
    return shape ? copied(shape, value) : inside(name, ['one', ...shapes.map(tagOf)], own);
  },
};

/** The tag of a shape, which is its first field. @param {ReadAs} shape */
const tagOf = (shape) => SHAPES[String(shape)][0][2];

// defaults are parts of many copies
for (const [, , fallback] of Object.values(SHAPES).flat()) Object.freeze(fallback);

/** @param {string} shape @param {unknown} value */
function shaped(shape, value) {
  if (!isObject(value)) throw new Odd('an object', value);
  /** @type {Fields} */ const copy = {};
  for (const [name, kind, fallback] of SHAPES[shape]) {
    const isSent = Object.hasOwn(value, name) || fallback === undefined;
    copy[name] = isSent ? inside(name, kind, value[name]) : fallback;
  }
  CHECKS[shape]?.(/** @type {never} */ (copy));
  return copy;
}

/** Copy a value of a type. Throws `Odd` if it is not of that type. @param {ReadAs} kind
 * @param {unknown} value @returns {unknown} */
function copied(kind, value) {
  if (typeof kind !== 'string') {
    return FORMS[kind[0]](value, /** @type {ReadAs[]} */ (kind.slice(1)));
  }
  const simple = SIMPLE[kind];
  if (!simple) return shaped(kind, value);
  if (!simple[1](value)) throw new Odd(simple[0], value);
  return value;
}

/** Copy a part of a value.
 * @param {string | number} step @param {ReadAs} kind @param {unknown} value */
function inside(step, kind, value) {
  try {
    return copied(kind, value);
  } catch (problem) {
    if (problem instanceof Odd) problem.steps.push(step);
    throw problem;
  }
}

/** Copy what a room has sent. Throws an Error that says what is wrong, and where.
 * @param {string} what it is @param {ReadAs} kind @param {unknown} value */
function decoded(what, kind, value) {
  try {
    return copied(kind, value);
  } catch (problem) {
    throw problem instanceof Odd ? new Error(`${what}${problem.message}`) : problem;
  }
}

/** A message of the room. @param {string} text @returns {Message} */
export const messageIn = (text) =>
  /** @type {Message} */ (decoded('message', MESSAGES, JSON.parse(text)));

/** A scene, also one that changes have made. @param {unknown} value @returns {Scene} */
export const sceneIn = (value) => /** @type {Scene} */ (decoded('scene', 'Scene', value));

/** A part of a scene that the page makes: the given fields, and the defaults of the others.
 * @template {keyof Parts} Shape @param {Shape} shape @param {Partial<Parts[Shape]>} fields
 * @returns {Parts[Shape]} */
export const partOf = (shape, fields) =>
  /** @type {Parts[Shape]} */ (decoded('part', shape, fields));

/** A button that the page adds to those of the room.
 * @param {number} id @param {string} label @param {() => void} act what it does
 * @param {Partial<Choice>} [more] @returns {Ready} */
export const button = (id, label, act, more = {}) => ({
  ...partOf('Choice', { id, kind: 'button', label, ...more }),
  kind: 'button',
  act,
});

/** The reason in a refusal. @param {unknown} value @returns {Problem} */
export const problemIn = (value) => /** @type {Problem} */ (decoded('refusal', 'Problem', value));

/** The answer to a request. @template {string} Asked @param {Asked} asked method and address
 * @param {unknown} value @returns {AnswerTo<Asked>} */
export function answerIn(asked, value) {
  const address = Object.keys(ANSWERS).find((one) =>
    new RegExp(`^${one.replaceAll('*', '[^/?]+')}(\\?|$)`).test(asked),
  );
  if (!address) throw new Error(`no answer to ${asked} is described`);
  return /** @type {AnswerTo<Asked>} */ (decoded('answer', ANSWERS[address], value));
}
