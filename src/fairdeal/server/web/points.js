// Chances and what they change by, as people say them.

/** A chance from 0 to 1. @param {number} chance */
export const percent = (chance) => `${Math.round(100 * chance)}\u00a0%`;

/** A change of a chance, in points of a hundred, with its sign. @param {number} change */
export function points(change) {
  const rounded = Math.round(100 * change);
  if (!rounded) return '0';
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`;
}

/** What a decision cost, in a word and points. @param {any} decision */
export const costOf = ({ cost, label }) =>
  Math.round(100 * cost) ? `${label} ${points(-cost)}` : label;

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
