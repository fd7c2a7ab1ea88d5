// Deals that failed, in words.

/** @import { Deal } from '../types.js' */

/** Which deals failed after numbers were shown, and who left; nothing if none did.
 * @param {Deal} deal */
export function failures({ failed, attempt = 1 }) {
  const names = new Set((failed ?? []).flatMap((one) => (one.left ?? []).map(([, name]) => name)));
  const count = failed?.length ?? attempt - 1;
  if (!count) return '';
  const deals = count === 1 ? 'A deal before this one' : `${count} deals before this one`;
  const who = names.size ? `: ${[...names].join(' and ')} left after numbers were shown` : '';
  return `${deals} failed${who}. It is not proven that nobody did so to get other cards.`;
}
