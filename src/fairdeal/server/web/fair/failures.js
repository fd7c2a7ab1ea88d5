// Deals that failed, in words.

/** @import { Deal } from '../types.js' */

/** Describe the failed deals and name those who left. @param {Deal} deal */
export function failures({ failed, attempt = 1 }) {
  const names = new Set((failed ?? []).flatMap((one) => (one.left ?? []).map(([, name]) => name)));
  const count = failed?.length ?? attempt - 1;
  if (!count) return '';
  const deals = count === 1 ? 'A deal before this one' : `${count} deals before this one`;
  const all = [...names];
  const last = all.pop();
  const who = all.length ? `${all.join(', ')} and ${last}` : last;
  const left = who ? `: ${who} left after numbers were shown` : '';
  const them = count === 1 ? 'it' : 'them';
  return `${deals} failed${left}. Somebody may have made ${them} fail to get other cards.`;
}
