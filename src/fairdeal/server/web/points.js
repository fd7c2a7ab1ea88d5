// Chances and what they change by, as people say them; of one player alone, who is always first,
// the scores that are expected.

/** A chance from 0 to 1. @param {number} chance */
export const percent = (chance) => `${Math.round(100 * chance)}\u00a0%`;

/** Is it a game of one player alone? @param {any} analysis */
export const playedAlone = (analysis) => analysis.seats.length === 1;

/** Points of a hundred, or those of a score, as they are told without a sign.
 * @param {any} analysis @param {number} chance */
const rounded = (analysis, chance) =>
  playedAlone(analysis) ? Math.round(10 * chance) / 10 : Math.round(100 * chance);

/** A chance, or a score. @param {any} analysis @param {number} chance */
export const told = (analysis, chance) =>
  playedAlone(analysis) ? rounded(analysis, chance).toFixed(1).replace('-', '−') : percent(chance);

/** The same without what stands behind it. @param {any} analysis @param {number} chance */
export const plain = (analysis, chance) =>
  playedAlone(analysis) ? told(analysis, chance) : `${rounded(analysis, chance)}`;

/** A change of it, with its sign. @param {any} analysis @param {number} change */
export function points(analysis, change) {
  const by = rounded(analysis, change);
  if (!by) return '0';
  return `${by < 0 ? '−' : '+'}${playedAlone(analysis) ? Math.abs(by).toFixed(1) : Math.abs(by)}`;
}

/** What a decision cost, in a word and points. @param {any} analysis @param {any} decision */
export const costOf = (analysis, { cost, label }) =>
  rounded(analysis, cost) ? `${label} ${points(analysis, -cost)}` : label;

/** The lowest and the highest of a curve: of chances 0 and 1, of scores whole points.
 * @param {any} analysis @returns {[number, number]} */
export function span(analysis) {
  if (!playedAlone(analysis)) return [0, 1];
  const scores = analysis.chances.map((row) => row[0]);
  const low = Math.floor(Math.min(...scores));
  return [low, Math.max(low + 1, Math.ceil(Math.max(...scores)))];
}

/** How high a chance lies there, from 0 to 1. @param {any} analysis @param {number} chance */
export function heightOf(analysis, chance) {
  const [low, high] = span(analysis);
  return Math.min(1, Math.max(0, (chance - low) / (high - low)));
}

/** What a seat is called by whoever looks. @param {any} facts @param {number} seat */
export const nameOf = (facts, seat) => (seat === facts.seat ? 'You' : facts.chairs[seat].name);

/** Whose something is. @param {any} facts @param {number} seat */
export const whose = (facts, seat) =>
  seat === facts.seat ? 'your' : `${facts.chairs[seat].name}’s`;

/** What a move did, in words, if somebody was told of it.
 * @param {any[]} log @param {number} number of the move, from 1 */
export const toldOf = (log, number) =>
  log
    .filter((line) => line.number === number)
    .map((line) => line.text)
    .join(' ');
