// The decoder of everything that a room sends. Pages see only a copy of it, with the fields that
// they know, each of its type. A newer room may send further fields, which are dropped
// (docs/compatibility.md).

/** @import { AnswerTo, Choice, Deal, Facts, Message, Parts, Problem, Ready,
 *   Scene } from '../types.js' */

/** A type: `unknown`, `boolean`, `whole`, `number`, `string`, the name of a shape, or one of
 * `['maybe', T]`, `['list', T]`, `['tuple', T, ...]`, `['record', T]`, `['one', value, ...]`,
 * `['whole', lowest, highest]`, `['either', T, ...]` and `['tagged', field, shape, ...]`.
 * @typedef {string | [string, ...unknown[]]} Kind
 * @typedef {Record<string, unknown>} Fields
 * @typedef {{ name: string, kind: Kind, fallback: unknown }} Field */

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
    check(lesson || TABLE_ID.test(id), form, id);
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
    check(!key || KEY.test(key), 'a key of 64 digits, 0 to 9 and a to f', key);
  },
};

/** The function that copies a value of each compound type; `parts` are those of the type.
 * @type {Record<string, (value: unknown, parts: Kind[]) => unknown>} */
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
    const shape = shapes.find((one) => fieldsOf(String(one))[0].fallback === own);
    return shape ? copied(shape, value) : inside(name, ['one', ...tagsOf(shapes)], own);
  },
};

/** @param {Kind[]} shapes */
const tagsOf = (shapes) => shapes.map((one) => fieldsOf(String(one))[0].fallback);

/** @type {Map<string, Field[]>} */
const known = new Map();

/** The defaults of fields that a room leaves out, by type, unless a shape has another.
 * @type {Record<string, unknown>} */
const ABSENT = {
  boolean: false,
  whole: 0,
  number: 0,
  string: '',
  one: '',
  maybe: null,
  list: Object.freeze([]),
  record: Object.freeze({}),
};

/** The fields of a shape; those of a tagged one begin with the tag. A field that may be left out
 * ends with `?`, or with `=` and its default. @param {string} shape */
function fieldsOf(shape) {
  let fields = known.get(shape);
  if (!fields) {
    fields = Object.entries(SHAPES[shape]).map(([key, kind]) => {
      const [of, fallback] = key.endsWith('=')
        ? /** @type {[Kind, unknown]} */ (kind)
        : [kind, key.endsWith('?') ? ABSENT[`${[kind].flat()[0]}`] : undefined];
      return { name: key.replace(/[?=]$/, ''), kind: /** @type {Kind} */ (of), fallback };
    });
    known.set(shape, fields);
  }
  return fields;
}

/** @param {string} shape @param {unknown} value */
function shaped(shape, value) {
  if (!isObject(value)) throw new Odd('an object', value);
  /** @type {Fields} */ const copy = {};
  for (const { name, kind, fallback } of fieldsOf(shape)) {
    const isSent = Object.hasOwn(value, name) || fallback === undefined;
    copy[name] = isSent ? inside(name, kind, value[name]) : fallback;
  }
  CHECKS[shape]?.(/** @type {never} */ (copy));
  return copy;
}

/** Copy a value of a type. Throws `Odd` if it is not of that type. @param {Kind} kind
 * @param {unknown} value @returns {unknown} */
function copied(kind, value) {
  if (typeof kind !== 'string') {
    return FORMS[kind[0]](value, /** @type {Kind[]} */ (kind.slice(1)));
  }
  const simple = SIMPLE[kind];
  if (!simple) return shaped(kind, value);
  if (!simple[1](value)) throw new Odd(simple[0], value);
  return value;
}

/** Copy a part of a value.
 * @param {string | number} step @param {Kind} kind @param {unknown} value */
function inside(step, kind, value) {
  try {
    return copied(kind, value);
  } catch (problem) {
    if (problem instanceof Odd) problem.steps.push(step);
    throw problem;
  }
}

/** Copy what a room has sent. Throws an Error that says what is wrong, and where.
 * @param {string} what it is @param {Kind} kind @param {unknown} value */
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

// The rest is made from the structs of the room by `python -m tools.renew types`.
// prettier-ignore
const TABLE_ID = /^[A-Za-z0-9_-]{1,64}$/;
// prettier-ignore
const KEY = /^[0-9a-f]{64}$/;
/** @type {Kind} */
// prettier-ignore
const MESSAGES = ["tagged", "type", "Welcome", "Shown", "Patch", "Done", "Undoable", "Refused", "MessagesAnswer", "Inspected", "Positioned", "Recalled", "Chat", "Table"];
/** @type {Record<string, Record<string, Kind | [Kind, unknown]>>} */
// prettier-ignore
const SHAPES = {
  "Welcome": {"type=": [["one", "welcome"], "welcome"], "facts": "Facts", "scene?": ["maybe", "Scene"], "log?": ["list", "Told"], "chat?": ["list", "MessagesSaid"], "now?": "number", "chain?": "string", "protocol?": "whole", "layout?": "string", "epoch?": "whole", "pause?": "number", "version?": "string"},
  "Facts": {"id": "string", "game": "string", "title": "string", "name": "string", "status": "string", "paused?": "boolean", "options": ["record", "unknown"], "chairs": ["list", "Chair"], "deal": "Deal", "clock?": "whole", "calm?": ["maybe", "boolean"], "rated?": "boolean", "listed=": ["boolean", true], "host?": "boolean", "host_seat=": ["whole", -1], "seat=": ["whole", -1], "acts?": ["list", "whole"], "until?": "number", "last?": ["maybe", "Last"], "seq?": "whole", "made?": "number", "moved?": "number", "rematch?": "string", "origin?": ["maybe", ["tuple", "string", "whole"]], "daily?": ["maybe", "Daily"], "watchers?": "whole", "score?": ["list", ["tuple", "whole", "whole"]], "won=": ["boolean", true], "readable_only?": "string", "trouble?": "string", "lesson?": "string", "next_lesson?": ["maybe", "Offer"]},
  "Chair": {"seat": "whole", "name?": "string", "plays=": ["string", "person"], "taken?": "boolean", "here?": "boolean", "stand_in?": "boolean", "you?": "boolean", "ready?": "boolean", "hash?": "string", "asked?": "boolean", "shown?": "boolean", "late?": "boolean", "grace?": "number", "calm?": "boolean"},
  "Deal": {"commitment": "string", "stage=": ["string", "dealt"], "outline?": "string", "attempt=": ["whole", 1], "failed?": ["maybe", ["list", "Failed"]], "waits=": ["boolean", true], "key?": "string", "signature?": "string", "header?": "string", "seed?": "string", "next?": "string"},
  "Failed": {"attempt": "whole", "left?": ["list", ["tuple", ["whole", 0, 999], "string"]], "shown?": ["list", ["whole", 0, 999]]},
  "Last": {"text": "string", "at": "number"},
  "Daily": {"number": "whole", "closes": "number", "counted": "boolean", "hash?": "string"},
  "Offer": {"name": "string", "title": "string", "about": "string"},
  "Scene": {"skin": "string", "title": "string", "viewer": "whole", "sub?": "string", "seq=": ["whole", -1], "state?": "string", "mode=": [["one", "live", "over", "replay"], "live"], "tray=": [["one", "none", "one", "two"], "one"], "facts?": ["list", "string"], "seats?": ["list", "Seat"], "zones?": ["list", "Zone"], "panels?": ["list", "Panel"], "headline?": ["maybe", "Headline"], "stage?": ["maybe", ["tagged", "kind", "Fan", "Wheel", "Reels", "Trick", "Fight", "Attack", "Race"]], "prompt?": ["maybe", "Prompt"], "choices?": ["list", "Choice"], "more?": "whole", "draft?": ["maybe", "SceneDraft"], "events?": ["list", "LogLine"], "recap?": ["list", "Recap"], "stood_in?": "whole", "round?": ["maybe", "Round"], "resolved?": ["maybe", "Attack"], "bites?": ["list", "Bitten"], "score?": ["maybe", "Score"], "result?": ["maybe", "Result"], "lesson?": ["maybe", "Lesson"]},
  "Seat": {"seat": "whole", "name": "string", "kind=": [["one", "bot", "person"], "person"], "state=": [["one", "away", "done", "here", "out"], "here"], "acts?": "boolean", "note?": "string", "counters?": ["list", "Counter"], "clock?": ["maybe", "Clock"]},
  "Counter": {"label": "string", "value": ["either", "whole", "string"], "icon?": "string"},
  "Clock": {"left": "number", "of": "number", "runs?": "boolean"},
  "Zone": {"id": "string", "place": "string", "layout": ["one", "column", "fan", "grid", "groups", "lap", "ring", "row", "stack"], "label?": "string", "count?": "whole", "cards?": ["list", "Card"], "cols?": "whole", "rows?": "whole", "narrow=": [["tuple", "whole", "whole"], [0, 0]], "slots?": "whole", "gap?": "string", "hub?": "string", "heed?": "boolean", "fold?": "boolean", "size?": ["one", "", "hand", "mini", "small", "table"], "panel?": "string", "row?": "string", "col?": "string", "say?": "string", "icon?": "string", "heap?": "boolean", "under?": "whole", "cell?": ["one", "", "band", "left", "right"], "any_order?": "boolean"},
  "Card": {"id": "string", "face?": ["maybe", "string"], "down?": "boolean", "back?": "string", "turned?": "boolean", "as?": "string", "value?": ["maybe", "whole"], "load?": "whole", "mark?": "string", "group=": ["whole", -1]},
  "Panel": {"id": "string", "title": "string", "text?": "string", "icon?": "string", "rows?": ["list", "string"], "cols?": ["list", "string"], "tone=": ["whole", -1]},
  "Headline": {"tag": "string", "big": "string", "text?": "string"},
  "Fan": {"kind=": [["one", "fan"], "fan"], "count": "whole", "seat": "whole", "zones": ["list", "string"], "choices?": ["list", "whole"], "shown?": "string", "odds?": "string"},
  "Wheel": {"kind=": [["one", "wheel"], "wheel"], "sectors": ["list", "Sector"], "zones": ["list", "string"], "at=": ["whole", -1], "spins?": "whole", "prize?": ["list", "whole"], "used?": "whole", "spin=": ["whole", -1]},
  "Sector": {"label": "string", "face?": "string", "taken?": "boolean"},
  "Reels": {"kind=": [["one", "reels"], "reels"], "reels": ["list", "Reel"], "zones": ["list", "string"], "turn": "whole", "of": "whole", "points": "whole", "par": "whole", "won": "string", "lines?": ["list", "PayLine"], "outs?": ["list", "string"], "need?": "string", "flip=": ["whole", -1], "hold=": ["whole", -1]},
  "Reel": {"name": "string", "pile": "string", "column": "string", "left": "whole", "turns?": "boolean"},
  "PayLine": {"cards": ["list", "string"], "label": "string", "why": "string", "value": "whole", "choice": "whole"},
  "Trick": {"kind=": [["one", "trick"], "trick"], "spots": ["list", "Spot"], "zones": ["list", "string"], "done?": "boolean"},
  "Spot": {"seat": "whole", "card?": "string", "wins?": "boolean", "led?": "boolean"},
  "Fight": {"kind=": [["one", "fight"], "fight"], "columns": ["list", "Fighter"], "zones": ["list", "string"], "title": "string", "text?": "string", "pot?": "whole", "pile?": "string", "next?": "string", "done?": "boolean"},
  "Fighter": {"seat": "whole", "steps?": ["list", "string"], "face?": "string", "value?": "string", "parts?": "string", "leads?": "boolean", "note?": "string"},
  "Attack": {"kind=": [["one", "attack"], "attack"], "attacker": "whole", "defender": "whole", "zones": ["list", "string"], "title": "string", "text?": "string", "attackers=": ["whole", 1], "target?": "string", "awaits=": ["whole", -1], "word?": "string", "faces?": ["list", "string"]},
  "Race": {"kind=": [["one", "race"], "race"], "word": "string", "answers": ["list", "InstrumentsAnswer"], "zones": ["list", "string"], "card?": "string", "tone=": ["whole", -1], "out?": ["list", "whole"]},
  "InstrumentsAnswer": {"label": "string", "key": "string", "choice=": ["whole", -1], "art?": "string", "tone=": ["whole", -1]},
  "Prompt": {"mode": ["one", "over", "replay", "together", "waiting", "yours"], "text": "string", "sub?": "string", "clause?": "string", "until?": "number", "lasts?": "number"},
  "Choice": {"id": "whole", "kind": ["one", "button", "card", "seat", "value", "zone"], "label?": "string", "on?": "string", "note?": "string", "key?": "string", "main?": "boolean", "rank?": "whole"},
  "SceneDraft": {"chosen?": ["list", "string"], "aim?": ["list", "string"], "picks?": ["list", "whole"], "undo?": "boolean"},
  "LogLine": {"text": "string", "seat=": ["whole", -1], "moves?": ["list", "Moved"], "turned?": ["list", "string"], "clauses?": ["list", "string"]},
  "Moved": {"card": "string", "origin": "string", "goal": "string", "was?": "string"},
  "Recap": {"seat": "whole", "text": "string", "moves=": ["whole", 1]},
  "Round": {"number": "whole", "text": "string", "tallies": ["list", "Tally"], "label=": ["string", "Round"], "sweep?": "string", "winner=": ["whole", -1]},
  "Tally": {"seat": "whole", "total": "whole", "gains?": ["list", "Gain"]},
  "Gain": {"label": "string", "value": "whole", "clause?": "string", "cards?": ["list", "string"]},
  "Bitten": {"id": "string", "cards?": ["list", "Card"]},
  "Score": {"head": ["list", "string"], "rows": ["list", ["list", ["either", "whole", "string"]]]},
  "Result": {"text": "string", "places": ["list", "whole"], "scores": ["list", "whole"], "why?": "string", "shown?": ["list", "string"], "ordinals?": ["list", "string"], "won=": ["boolean", true], "par?": ["maybe", "whole"], "decided?": ["maybe", "Decided"], "light?": ["maybe", "Light"], "comfort?": "string"},
  "Decided": {"text": "string", "move": "whole", "cards?": ["list", "string"]},
  "Light": {"cards?": ["list", "string"], "seats?": ["list", "whole"], "counters?": ["list", "string"]},
  "Lesson": {"step": "whole", "of": "whole", "kind?": ["one", "", "button", "card", "seat", "zone"], "on?": "string"},
  "Told": {"number": "whole", "seat": "whole", "text": "string", "clauses?": ["list", "string"]},
  "MessagesSaid": {"seat": "whole", "name": "string", "text": "string", "at": "number"},
  "Shown": {"type=": [["one", "scene"], "scene"], "scene": "Scene", "id?": "string", "log?": ["list", "Told"], "chain?": "string"},
  "Patch": {"type=": [["one", "patch"], "patch"], "base": "whole", "changes": ["record", "unknown"], "id?": "string", "log?": ["list", "Told"], "chain?": "string"},
  "Done": {"type=": [["one", "done"], "done"], "id": "string", "seq?": "whole", "chain?": "string", "now?": "number"},
  "Undoable": {"type=": [["one", "undoable"], "undoable"], "id": "string", "seq": "whole"},
  "Refused": {"type=": [["one", "refused"], "refused"], "id": "string", "reason": "string", "clause?": "string", "scene?": ["maybe", "Scene"]},
  "MessagesAnswer": {"type=": [["one", "answer"], "answer"], "id": "string", "text": "string", "clause?": "string", "move?": "string", "choices?": ["list", "whole"], "marks?": ["list", "string"], "options?": ["list", "Option"], "of?": "string", "look?": "whole", "search?": ["maybe", "Search"], "bite?": ["maybe", "Bitten"]},
  "Option": {"text": "string", "notation": "string", "chance": "number", "error": "number"},
  "Search": {"module": "string", "description": "string", "view": "string", "seq": "whole", "seconds": "number"},
  "Inspected": {"type=": [["one", "inspected"], "inspected"], "id": "string", "card": "string", "told": "Inspection"},
  "Inspection": {"name": "string", "where?": "string", "text?": "string", "now?": "string", "seen?": "string", "clause?": "string", "face?": "string"},
  "Positioned": {"type=": [["one", "positioned"], "positioned"], "id": "string", "seq": "whole", "position": ["record", "unknown"]},
  "Recalled": {"type=": [["one", "recalled"], "recalled"], "id": "string", "scenes": ["list", "Scene"]},
  "Chat": {"type=": [["one", "chat"], "chat"], "said": "MessagesSaid"},
  "Table": {"type=": [["one", "table"], "table"], "facts": "Facts"},
  "Me": {"name": "string"},
  "Forgotten": {"deleted": "whole", "kept": "whole"},
  "OwnData": {"guest": "string", "name": "string", "named": ["maybe", "number"], "banned": ["maybe", "number"], "webhook": "string", "kept": "boolean", "acts": ["list", "OwnAct"], "tables": ["list", "OwnTable"], "lines": ["list", "OwnLine"], "tries": ["list", "OwnTry"]},
  "OwnAct": {"at": "number", "text": "string"},
  "OwnTable": {"id": "string", "game": "string", "title": "string", "status": "string", "made": "number", "ended": ["maybe", "number"], "opened": "boolean", "options": ["record", "unknown"], "seat": ["maybe", "OwnSeat"], "moves": ["list", "OwnMove"], "log": "string", "rated": "boolean", "rating": ["maybe", "OwnRating"]},
  "OwnSeat": {"seat": "whole", "name": "string", "nonce": "string", "hash": ["maybe", "string"], "withheld": "boolean", "stand_in": "boolean", "calm": "boolean", "ready": ["maybe", "string"]},
  "OwnMove": {"at": "number", "text": "string"},
  "OwnRating": {"place": "whole", "games": "whole", "old_mu": "number", "old_sigma": "number", "mu": "number", "sigma": "number"},
  "OwnLine": {"table": "string", "at": "number", "name": "string", "text": "string"},
  "OwnTry": {"deal": "whole", "table": "string", "counted": "boolean", "day": "whole", "hash": "string", "nonce": "string"},
  "History": {"name": "string", "games": "whole", "since": ["maybe", "number"], "standings": ["list", "Standing"], "met": ["list", "Met"], "played": ["list", "Played"], "older?": "string"},
  "Standing": {"game": "string", "title": "string", "games": "whole", "wins": ["record", ["tuple", "whole", "whole"]], "best": ["maybe", "whole"], "best_of": "whole", "streak": "whole", "last": ["list", "string"], "strength": ["maybe", "Strength"]},
  "Strength": {"rating": "number", "deviation": "number", "games?": "whole"},
  "Met": {"key": "string", "name": "string", "bot": "boolean", "games": "whole", "you": "whole", "they": "whole"},
  "Played": {"table": "string", "game": "string", "title": "string", "ended": "number", "seat": "whole", "seats": ["list", "PlayedSeat"], "outcome": "string", "result": "string", "decided?": "string", "change?": ["maybe", "number"]},
  "PlayedSeat": {"key": "string", "name": "string", "plays": "string", "place": "whole", "score": "whole"},
  "Ratings": {"game": "string", "title": "string", "players": ["list", "Ranked"]},
  "Ranked": {"name": "string", "bot": "string", "strength": "Strength"},
  "Webhook": {"address": "string", "hosts": ["list", "string"]},
  "GameFacts": {"name": "string", "title": "string", "designer": "string", "publisher": "string", "goal": "string", "blurb": "string", "players": ["tuple", "whole", "whole"], "usual_players": "whole", "minutes": ["tuple", "whole", "whole"], "weight": "string", "presets": ["list", "Preset"], "options": ["record", "unknown"], "skin": "Skin", "look": "string", "levels": ["list", "LevelFacts"], "usual": "string", "lessons?": ["list", "Offer"], "calm_race?": "whole", "learned?": "boolean"},
  "Preset": {"name": "string", "title": "string", "text": "string", "options": ["record", "unknown"], "tables?": ["record", ["record", "unknown"]], "minutes=": [["tuple", "whole", "whole"], [0, 0]]},
  "Skin": {"name": "string", "cloth": ["tuple", "string", "string"], "cloth_2": ["tuple", "string", "string"], "kinds": ["record", "Ink"], "back": "Ink", "back_sign": "string", "back_art?": "string", "tones?": ["list", "string"], "light_tones?": ["list", "string"]},
  "Ink": {"ground": "string", "ink": "string"},
  "LevelFacts": {"id": "string", "name": "string", "line": "string", "colour": "string", "animal": "string", "pips": "whole", "pronoun": "string", "rating": "number", "company?": ["list", "string"]},
  "Against": {"you": "whole", "they": "whole"},
  "Clause": {"id": "string", "mark": "string", "text": "string", "heading?": "string"},
  "PageFacts": {"title": "string", "designer": "string", "publisher": "string", "page": "Page", "heads": ["record", "string"], "cards": ["record", "Card"], "faces": ["record", "Face"], "skin": "Skin", "lessons?": ["list", "Offer"]},
  "Page": {"goal": "PageSaid", "set_up?": ["list", "PageSaid"], "turn?": ["list", "PageSaid"], "cards?": ["list", "Kind"], "end?": ["list", "PageSaid"], "scoring=": ["Scoring", {}], "asked?": ["list", "Question"], "bites?": ["list", "Bite"]},
  "PageSaid": {"text": "string", "clause?": "string", "cards?": ["list", "string"], "otherwise?": ["record", ["either", "string", ["record", "string"]]]},
  "Kind": {"faces": ["list", "string"], "name?": "string", "text?": "string", "clause?": "string"},
  "Scoring": {"said?": ["list", "PageSaid"], "sums?": ["list", "Sum"]},
  "Sum": {"title": "string", "rows": ["list", "Row"], "total": "whole", "unit=": ["string", "points"]},
  "Row": {"text": "string", "value": "whole", "cards?": ["list", "string"]},
  "Question": {"ask": "string", "answer": "string", "clause?": "string", "otherwise?": ["record", ["either", "string", ["record", "string"]]]},
  "Bite": {"id": "string", "clause?": "string", "text": "string", "rows?": ["list", ["list", "string"]], "cards?": ["list", "string"], "when=": [["one", "any", "others", "refused", "you"], "you"], "event?": "string", "card?": "string", "of=": [["one", "all", "came", "left"], "all"]},
  "Face": {"kind": "string", "name": "string", "big?": "string", "corner?": "string", "glyph?": "string", "art?": "string", "corner_art?": "string", "tone=": ["whole", -1], "value?": ["maybe", "whole"], "step?": "string", "shape?": "boolean", "ring?": "boolean", "pips?": "whole", "ends?": ["list", "string"], "title?": "string", "text?": "string", "tag?": "string", "foot?": "string", "clause?": "string", "printed?": "boolean"},
  "Lobby": {"mine": ["list", "Facts"], "open": ["list", "Facts"], "playing": "whole", "notices?": "boolean", "now?": "number", "is_owner?": "boolean", "notice?": "string", "holds?": "boolean", "today?": ["maybe", "TodayInShort"]},
  "TodayInShort": {"deal": "whole", "game": "string", "title": "string", "state": "string"},
  "Network": {"addresses": ["list", "Address"], "is_owner": "boolean", "is_open": "boolean", "opens_to": "string"},
  "Address": {"url": "string", "works": ["one", "computer", "network", "public"], "text?": "string", "tried?": "boolean"},
  "RoomKey": {"key": "string"},
  "Promise": {"promise": "string", "ticket": "string"},
  "Today": {"deal": "whole", "today": "whole", "game": "string", "title": "string", "goal": "string", "best": "string", "rivals": ["list", "string"], "begins": "number", "closes": "number", "next": "number", "state": "string", "table?": "string", "result?": "string", "beside?": ["list", "Beside"], "waits?": "boolean", "marks?": "string", "missed?": "string", "text?": "string", "week?": ["list", "Stamp"], "row?": "whole", "before?": "whole", "end?": "string"},
  "Beside": {"name": "string", "bot": "boolean", "result": "string", "alike": "whole", "theirs": "string", "yours": "string"},
  "Stamp": {"deal": "whole", "title": "string", "begins": "number", "state": "string"},
  "DayRecord": {"room": "string", "deal": "whole", "end": "string", "next_end": "string", "numbers": ["record", "string"], "signed_list": "string", "signed?": "string", "link?": "string"},
  "Moment": {"move": "whole", "moves": "whole", "scene": "Scene", "log": ["list", "Told"], "marks?": ["list", "whole"]},
  "TableRules": {"module?": "string", "description?": "string", "start?": "string", "missing?": "string", "waits?": "boolean"},
  "AnalysisTold": {"move?": "whole", "moves?": "whole", "analysis?": ["maybe", "AnalysisView"], "begun?": ["maybe", "AnalysisView"], "decisions?": ["list", "DecisionView"]},
  "AnalysisView": {"game": "string", "seats": ["list", "string"], "playouts": "whole", "chances": ["list", ["list", "number"]], "turns": ["list", "Turn"], "rounds?": ["list", "whole"], "result?": "string", "chain?": "string", "rules?": "whole", "version=": ["whole", 2], "unit=": ["number", 1.0], "decisions": ["list", "DecisionView"], "shares": ["list", "ShareView"], "rows": ["list", ["list", "string"]], "rests": ["list", "string"], "curves": ["list", ["list", "number"]], "levels": ["list", "string"], "names": ["list", "string"], "whose": ["list", "string"], "courses": ["list", "string"], "ahead": ["list", "string"], "ends": ["list", "number"], "swings": ["list", "string"], "dashes": ["list", "string"]},
  "Turn": {"move": "whole", "seat": "whole", "text": "string", "before": "number", "after": "number"},
  "DecisionView": {"move": "whole", "seat": "whole", "played": "whole", "cost": "number", "error": "number", "label": "string", "why?": "string", "options": ["list", "OptionView"], "lost": "string", "margin": "string", "change": "string"},
  "OptionView": {"text": "string", "notation": "string", "chance": "number", "error": "number", "shown": "string", "margin": "string", "height": "number"},
  "ShareView": {"seat": "whole", "start": "number", "luck": "number", "play": "number", "gifts": "number", "result": "number", "cells": ["list", "string"], "bars": ["list", "number"], "sums": "string", "sentence": "string"},
  "Held": {"seat": "whole", "faces": ["list", ["tuple", "string", "number"]], "true": ["list", "string"]},
  "Code": {"code": "string", "seconds": "whole"},
  "Health": {"status": "string"},
  "Description": {"game": "string", "rules_version": "whole", "rules": "string", "numba": "string", "sha256": "string", "free": "whole", "size": "whole", "source": "whole", "seats": "whole", "recall": "whole", "horizon": "whole", "events": "boolean", "actions": ["list", ["maybe", ["tuple", "string", "whole"]]], "fields": ["list", "RecordField"], "options": ["list", "OptionField"], "in_scene": ["list", "InScene"], "layout": "string", "windows": "boolean", "desk": "whole", "view": "whole", "desk_fields": ["list", "RecordField"]},
  "RecordField": {"name": "string", "offset": "whole", "type": "string", "shape": ["list", "whole"], "strides": ["list", "whole"]},
  "OptionField": {"option": "string", "field": "string", "file": "boolean", "words": ["record", "whole"], "default": ["list", "whole"], "defaults": ["record", ["list", "whole"]]},
  "InScene": {"field": "string", "zone?": "string", "counter?": "string", "faces?": ["list", ["list", "string"]], "first?": "whole", "counts?": "boolean", "own?": "boolean"},
  "Problem": {"reason": "string"},
};
/** @type {Record<string, Kind>} */
// prettier-ignore
const ANSWERS = {
  "GET /api/me": "Me",
  "POST /api/me": "Me",
  "DELETE /api/me": "Forgotten",
  "POST /api/me/words": "Me",
  "GET /api/me/data": "OwnData",
  "GET /api/me/history": "History",
  "GET /api/ratings/*": "Ratings",
  "GET /api/webhook": "Webhook",
  "PUT /api/webhook": "Webhook",
  "DELETE /api/webhook": "Webhook",
  "GET /api/games": ["list", "GameFacts"],
  "GET /api/games/*/record": ["record", "Against"],
  "GET /api/games/*/rules": ["list", "Clause"],
  "GET /api/games/*/page": "PageFacts",
  "GET /api/lessons/*/*/faces": ["record", "Face"],
  "GET /api/lobby": "Lobby",
  "GET /api/network": "Network",
  "PUT /api/network": "Network",
  "GET /api/key": "RoomKey",
  "POST /api/promise": "Promise",
  "POST /api/tables": "Facts",
  "GET /api/today": "Today",
  "POST /api/today": "Facts",
  "GET /api/today/record": "DayRecord",
  "POST /api/today/number": "DayRecord",
  "GET /api/tables/*": "Facts",
  "DELETE /api/tables/*": "Facts",
  "POST /api/tables/*/join": "Facts",
  "POST /api/tables/*/number": "Facts",
  "POST /api/tables/*/leave": "Facts",
  "POST /api/tables/*/start": "Facts",
  "POST /api/tables/*/report": "Facts",
  "POST /api/tables/*/branch": "Facts",
  "GET /api/tables/*/faces": ["record", "Face"],
  "GET /api/tables/*/moments/*": "Moment",
  "GET /api/tables/*/moments/*/card": "Inspection",
  "GET /api/tables/*/rules": "TableRules",
  "GET /api/tables/*/analysis": "AnalysisTold",
  "POST /api/tables/*/analysis": "AnalysisTold",
  "GET /api/tables/*/analysis/held": ["list", "Held"],
  "POST /api/tables/*/code": "Code",
  "POST /api/codes": "Facts",
  "GET /api/live": "Health",
  "GET /api/ready": "Health",
  "GET /api/openapi.json": ["record", "unknown"],
  "GET /modules/*.json": "Description",
};
