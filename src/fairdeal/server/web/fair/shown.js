// What scenes show of a state, as facts with names and values, so that what a player saw can be
// compared with the replayed game. engine/scene/shown.py does the same in Python.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { hex, utf8 } from './proof.js';

/** @import { InScene, Scene } from '../types.js'
 * @import { Place, Rules } from './rules.js' */
/** @typedef {Record<string, string>} Facts */

const EMPTY = -2;
const UNKNOWN = -1;
const HIDDEN = '-';
/** The saved value of a fact that two scenes of the same state showed in different ways. */
const TWICE = 'two ways';
/** Maximum length of a saved value. Longer values are saved as the first digits of their hash. */
const LONGEST = 16;

/** The form in which the value of a fact is saved. @param {string} value */
export const saved = (value) =>
  value.length <= LONGEST ? value : hex(sha256(utf8(value))).slice(0, LONGEST);

/** The digest of a concealed state. @param {Uint8Array} state */
export const digest = (state) => hex(sha256(state)).slice(0, 32);

/** A counter's label without its plural ending. @param {string} label */
const singular = (label) => label.replace(/(?<=ss)es$|(?<!s)s$/, '');

/** @param {string[]} faces */
const sorted = (faces) => faces.sort((one, other) => (one < other ? -1 : 1)).join(' ');

/** The facts of a scene. A card counts as its face only if it lies face up.
 * @param {Scene} scene @returns {Facts} */
export function factsOf({ state = '', zones = [], seats = [], result }) {
  /** @type {Facts} */ const facts = { state };
  for (const { id, count = 0, cards = [] } of zones) {
    const there = cards.filter((card) => card.back !== 'gap');
    facts[`${id} count`] = String(count);
    facts[`${id} cards`] = sorted(there.map((card) => (!card.down && card.face) || HIDDEN));
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

/** What is saved of all scenes, with one more. Scenes that arrive late are not saved, nor are those
 * without the digest of a state.
 * @param {Record<number, Facts>} shown by number of entries @param {Scene} scene */
export function saw(shown, scene) {
  const { seq = -1, state } = scene;
  const entries = Object.keys(shown).map(Number);
  const last = Math.max(-1, ...entries);
  if (seq < 0 || seq < last) return shown;
  /** @type {Facts} */ const known = Object.assign({}, ...entries.map((one) => shown[one]));
  const isAgain = seq === last && Boolean(known.state);
  if (!state && seq === last) return shown;
  const fresh = state ? newFacts(factsOf(scene), known) : { state: '' };
  if (isAgain) for (const name of Object.keys(fresh)) fresh[name] = TWICE;
  if (seq === last && !Object.keys(fresh).length) return shown;
  return { ...shown, [seq]: { ...shown[seq], ...fresh } };
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
  const lengths = part.field.endsWith('cards')
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
