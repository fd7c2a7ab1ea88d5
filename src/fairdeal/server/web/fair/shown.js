// The facts that scenes show of a state, by name, so that they can be compared with the replayed
// game. engine/scene/shown.py does the same in Python.

import { sha256 } from '../vendor/noble-hashes/sha2.js';
import { hex } from './proof.js';

/** @import { InScene, Scene } from '../types.js'
 * @import { TableRecord } from '../record/record.js'
 * @import { Place, Rules } from './rules.js' */
/** @typedef {Record<string, string>} Facts */

const EMPTY = -2;
const UNKNOWN = -1;
const HIDDEN = '-';
/** The value of a fact that a scene shows twice. */
const TWICE = 'two ways';

/** The digest of a concealed state. @param {Uint8Array} state */
export const digest = (state) => hex(sha256(state)).slice(0, 32);

/** A counter's label without its plural ending. @param {string} label */
function singular(label) {
  if (label.endsWith('ss')) return label;
  return label.replace(label.endsWith('sses') ? /es$/ : /s$/, '');
}

/** @param {string[]} faces */
const sorted = (faces) => faces.sort((one, other) => (one < other ? -1 : 1)).join(' ');

/** The facts of a scene. A card counts as its face only if it lies face up. The facts of two zones
 * with the same id, of two seats with the same number, or of two counters of a seat with the same
 * label, match no state.
 * @param {Scene} scene @returns {Facts} */
export function factsOf({ state = '', zones = [], seats = [], result }) {
  /** @type {Facts} */ const facts = { state };
  const add = (/** @type {string} */ name, /** @type {string} */ value) => {
    facts[name] = name in facts ? TWICE : value;
  };
  for (const { id, count = 0, cards = [] } of zones) {
    const there = cards.filter((card) => card.face || card.back !== 'gap');
    add(`${id} count`, String(count));
    add(`${id} cards`, sorted(there.map((card) => (!card.down && card.face) || HIDDEN)));
  }
  for (const { seat, name, counters = [] } of seats) {
    add(`name ${seat}`, name);
    for (const { label, value } of counters) add(`seat ${seat} ${singular(label)}`, `${value}`);
  }
  if (result) facts.places = result.places.join(' ');
  return facts;
}

/** A scene that was drawn, for a comparison: its viewer, the number of entries, its facts, and the
 * layout of states on which its digest depends.
 * `isDraft` is whether it shows an unfinished move, which may hide a zone.
 * @typedef {{ viewer: number, seq: number, layout: string, isDraft: boolean,
 *   facts: Facts }} Shown */

/** The scenes of all visits at which the room had a key.
 * @param {TableRecord} record @param {string} key @returns {Shown[]} */
export const shownIn = ({ visits }, key) =>
  [...visits.values()]
    .filter((visit) => !visit.key || visit.key === key)
    .flatMap(({ scenes }) =>
      scenes.map(({ scene, layout }) => ({
        viewer: scene.viewer,
        seq: scene.seq ?? -1,
        layout,
        isDraft: Boolean(scene.draft?.picks?.length),
        facts: factsOf(scene),
      })),
    );

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
