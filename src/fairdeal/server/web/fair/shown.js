// What scenes show of a state, as facts with names and values, so that what a player saw can be
// compared with the replayed game. engine/scene/shown.py does the same in Python.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { hex, utf8 } from './proof.js';

/** @import { InScene, Scene } from '../types.js'
 * @import { Kept } from './proof.js'
 * @import { Place, Rules } from './rules.js' */
/** @typedef {Record<string, string>} Facts */

const EMPTY = -2;
const UNKNOWN = -1;
const HIDDEN = '-';
/** The saved value of a fact that two scenes of the same state showed in different ways. */
const TWICE = 'two ways';
/** Maximum length of a saved value. Longer values are saved as the first digits of their hash. */
const LONGEST = 16;
/** Maximum number of facts of a scene that is saved, and maximum length of their names. */
const MOST_FACTS = 300;
const LONGEST_NAME = 60;
/** Maximum number of scenes whose facts are saved. */
const MOST_SHOWN = 2000;

/** The form in which the value of a fact is saved. @param {string} value */
export const saved = (value) =>
  value.length <= LONGEST ? value : hex(sha256(utf8(value))).slice(0, LONGEST);

/** The digest of a concealed state. @param {Uint8Array} state */
export const digest = (state) => hex(sha256(state)).slice(0, 32);

/** A counter's label without its plural ending. @param {string} label */
function singular(label) {
  if (label.endsWith('ss')) return label;
  return label.replace(label.endsWith('sses') ? /es$/ : /s$/, '');
}

/** @param {string[]} faces */
const sorted = (faces) => faces.sort((one, other) => (one < other ? -1 : 1)).join(' ');

/** The facts of a scene. A card counts as its face only if it lies face up. If two zones have
 * the same id, their facts match no state.
 * @param {Scene} scene @returns {Facts} */
export function factsOf({ state = '', zones = [], seats = [], result }) {
  /** @type {Facts} */ const facts = { state };
  for (const { id, count = 0, cards = [] } of zones) {
    const there = cards.filter((card) => card.face || card.back !== 'gap');
    const faces = sorted(there.map((card) => (!card.down && card.face) || HIDDEN));
    const isTwice = `${id} count` in facts;
    facts[`${id} count`] = isTwice ? TWICE : String(count);
    facts[`${id} cards`] = isTwice ? TWICE : faces;
  }
  for (const { seat, counters = [] } of seats) {
    for (const { label, value } of counters) facts[`seat ${seat} ${singular(label)}`] = `${value}`;
  }
  if (result) facts.places = result.places.join(' ');
  return facts;
}

/** The saved facts that differ from those known before, with '' for those that are gone.
 * @param {Facts} facts @param {Facts} known @returns {Facts} */
function newFacts(facts, known) {
  const names = Object.keys({ ...known, ...facts });
  const now = names.map((name) => [name, saved(facts[name] ?? '')]);
  return Object.fromEntries(now.filter(([name, value]) => value !== (known[name] ?? '')));
}

/** @param {Facts} facts */
const isSaved = (facts) =>
  Boolean(facts.state) &&
  Object.keys(facts).length <= MOST_FACTS &&
  Object.keys(facts).every((name) => name.length <= LONGEST_NAME);

/** The record of the scenes that were shown, with one more. A scene that cannot be saved, because
 * it does not name its state, is of another viewer, or comes too late, is counted as `unnamed`.
 * @param {Kept} own @param {Scene} scene
 * @returns {Pick<Kept, 'shown' | 'unnamed'>} nothing if it adds nothing */
export function saw({ seat, shown = {}, unnamed = 0 }, scene) {
  const facts = factsOf(scene);
  const { seq = -1 } = scene;
  const entries = Object.keys(shown).map(Number);
  const isNew = entries.every((one) => one < seq) && seq >= 0 && entries.length < MOST_SHOWN;
  if (scene.viewer !== seat || !isSaved(facts) || !(isNew || seq in shown)) {
    return { shown, unnamed: unnamed + 1 };
  }
  const before = entries.filter((one) => one <= seq).map((one) => shown[one]);
  const fresh = newFacts(facts, Object.assign({}, ...before));
  if (isNew) return { shown: { ...shown, [seq]: fresh }, unnamed };
  if (!Object.keys(fresh).length) return {};
  const twice = Object.fromEntries(Object.keys(fresh).map((name) => [name, TWICE]));
  return { shown: { ...shown, [seq]: { ...shown[seq], ...twice } }, unnamed };
}

/** The places that scores lead to: the highest is 1, and equal scores share a place.
 * @param {Float64Array} scores */
const placesBy = (scores) =>
  [...scores].map((own) => 1 + scores.filter((other) => other > own).length).join(' ');

/** The facts that a state has for a viewer's scenes.
 * @param {Rules} rules @param {Place} view the concealed state @param {number} viewer
 * @param {boolean} hasFiles whether its cards come from a file, so that their faces are unknown
 * @param {Float64Array | null} scores those of a game that is over */
export function factsIn(rules, view, viewer, hasFiles, scores) {
  /** @type {Facts} */ const facts = { state: digest(view.bytes) };
  for (const part of rules.shape.in_scene) {
    const isUnknown = hasFiles && part.faces.length > 0;
    if (!isUnknown) Object.assign(facts, factsOfPart(rules, view, viewer, part));
  }
  return scores ? { ...facts, places: placesBy(scores) } : facts;
}

/** The facts of a field. @param {Rules} rules @param {Place} view @param {number} viewer
 * @param {InScene} part */
function factsOfPart(rules, view, viewer, part) {
  const numbers = rules.numbers(view, part.field);
  const lengths = /(^|\.)cards$/.test(part.field)
    ? rules.numbers(view, part.field.replace(/cards$/, 'length'))
    : null;
  const name = part.zone || `seat {} ${part.counter}`;
  const isByRow = part.own || name.includes('{}');
  const rows = isByRow ? rules.field(part.field).shape[0] : 1;
  const size = numbers.length / rows;
  /** @type {Facts} */ const facts = {};
  for (let row = 0; row < rows; row += 1) {
    if (part.own && row !== viewer) continue;
    const held = numbers.slice(row * size, row * size + Math.min(size, lengths?.[row] ?? size));
    Object.assign(facts, factsOfRow(part, name.replace('{}', String(row)), held));
  }
  return facts;
}

/** @param {InScene} part @param {string} name @param {number[]} held @returns {Facts} */
function factsOfRow({ counter, faces, first, counts }, name, held) {
  if (counter) return { [name]: String(held[0]) };
  if (!faces.length) return { [`${name} count`]: String(held[0]) };
  const kinds = counts ? held.flatMap((count, kind) => Array(count).fill(kind)) : held;
  const there = kinds.filter((kind) => kind !== EMPTY);
  const shown = there.flatMap((kind) => (kind === UNKNOWN ? [HIDDEN] : faces[kind - first]));
  return { [`${name} count`]: String(there.length), [`${name} cards`]: sorted(shown) };
}
