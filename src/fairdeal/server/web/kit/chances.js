// Chances and moves in words, and what further thought adds to a hint.

/** @import { AnalysisView, Better, Note, Told } from '../types.js' */

/** A chance from 0 to 1 that a search has estimated. It is never said to be 0 or 100 %, because no
 * search is certain. @param {number} chance */
export function percent(chance) {
  if (chance < 0.01) return '<1\u00a0%';
  return chance > 0.99 ? '>99\u00a0%' : `${Math.round(100 * chance)}\u00a0%`;
}

/** A chance of an analysis with its percent sign, or a score.
 * @param {AnalysisView} analysis @param {string} shown */
export const withSign = (analysis, shown) =>
  analysis.names.length === 1 ? shown : `${shown}\u00a0%`;

/** What a move did, in words, if there are any.
 * @param {Told[]} log @param {number} number of the move, from 1 */
export const toldOf = (log, number) =>
  log
    .filter((line) => line.number === number)
    .map((line) => line.text)
    .join(' ');

/** The parts of a hint that a longer search changes while it is read: its chances, and a better
 * move beside it.
 * @param {Note | null} read @param {Better} found */
export function further(read, found) {
  if (read?.icon !== 'hint') return {};
  const { options, of } = found.note;
  const same = String(read.picks) === String(found.note.picks);
  return { note: { ...read, options, of, better: same ? undefined : found } };
}
