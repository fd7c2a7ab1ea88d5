// The page of the deal of the day, which the room writes. The browser opens the table, binds a
// number with a counted try, shows it the next day, and checks the records of deals.
import { html, render, useEffect, useState } from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { bytes, get, post } from '../kit/api.js';
import { useDocument } from '../kit/lazy.js';
import { Nowhere } from '../kit/page.js';
import { sentence } from '../kit/words.js';
import { nonceHash } from '../fair/proof.js';
import { randomDigits } from '../record/keeper.js';
import { lasting } from '../privacy/stored.js';

/** @import { Go, On } from '../types.js' */

const NUMBERS = 'fairdeal numbers';

/** The time after which a page is looked at again to which more comes, in milliseconds. */
const PAUSE = 2000;

/** Number of days between the try with which a number is bound and the deal for which it is, and
 * for which numbers are kept after their deal is fixed. */
const [AHEAD, KEPT] = [2, 7];

/** An own number, the deal for which it is, and whether the room has confirmed its hash.
 * @typedef {{ nonce: string, deal: number, taken: boolean }} Bound */

/** The own numbers, and the ends of chains that were heard.
 * @typedef {{ numbers: Bound[], ends: Record<string, string> }} Own */

/** @returns {Own} */
function own() {
  try {
    return { numbers: [], ends: {}, ...JSON.parse(lasting.get(NUMBERS) ?? '{}') };
  } catch {
    return { numbers: [], ends: {} };
  }
}

/** @param {Partial<Own>} found */
const save = (found) => lasting.set(NUMBERS, JSON.stringify({ ...own(), ...found }));

/** @param {number} deal */
const recordOf = (deal) => get(`/api/today/record?deal=${deal}`);

/** Open a try. A counted one binds a new number, which is stored before its hash is sent.
 * @param {number} deal @param {number} today @param {boolean} counted */
async function play(deal, today, counted) {
  if (!counted) return post('/api/today', { deal, counted });
  const made = { nonce: randomDigits(16), deal: today + AHEAD, taken: false };
  const { numbers } = own();
  save({ numbers: [...numbers, made] });
  const facts = await post('/api/today', { deal, hash: nonceHash(made.nonce) });
  const isTaken = (/** @type {Bound} */ one) => nonceHash(one.nonce) === facts.daily?.hash;
  const kept = isTaken(made) ? [...numbers, made] : numbers; // the try may have been begun before
  save({ numbers: kept.map((one) => ({ ...one, taken: one.taken || isTaken(one) })) });
  return facts;
}

/** Return a sentence about an own number, which it shows if its time has come.
 * @param {Bound} one @param {number} today */
async function told({ nonce, deal, taken }, today) {
  if (deal > today + 1) {
    if (!taken) return 'The room has not confirmed your number of today. Look again tomorrow.';
    return '✓ Your number of today is bound. Open this page tomorrow to show it.';
  }
  const { numbers } = await recordOf(deal);
  const number = numbers[nonceHash(nonce)];
  if (number === undefined && !taken) {
    return `The room has not taken your number for deal No. ${deal}.`;
  }
  if (number === undefined) return `✗ The room has left your number out of deal No. ${deal}.`;
  if (deal > today) {
    await post('/api/today/number', { number: nonce });
    return `✓ Your number for tomorrow’s deal, No. ${deal}, is shown.`;
  }
  const late = `✗ Your number is missing in deal No. ${deal}: it was not shown on the day before.`;
  return number ? `✓ Your number is in deal No. ${deal}.` : late;
}

/** Return sentences about a deal, and about the own numbers. @param {DOMStringMap} facts */
async function findings({ deal = '', today = '', table = '' }) {
  const record = await recordOf(Number(deal));
  const { numbers, ends } = own();
  const chain = Math.floor((record.deal - 1) / 365);
  const end = ends[chain] ?? record.end;
  const kept = numbers.filter((one) => one.deal > Number(today) - KEPT);
  save({ numbers: kept, ends: { [chain + 1]: record.next_end, ...ends, [chain]: end } });
  const hashes = Object.keys(record.numbers);
  const missing = hashes.filter((hash) => !record.numbers[hash]).map((hash) => hash.slice(0, 8));
  const count = hashes.length - missing.length;
  const mixed = count
    ? `✓ Mixed into this deal: ${count} of ${hashes.length} numbers that were bound for it.`
    : 'No guest’s number is mixed into this deal: it follows from the room’s link alone.';
  const named = missing.length ? ` Missing: ${missing.join(', ')}.` : '';
  const dealt = table && record.link ? (await get(`/api/tables/${table}`)).deal : null;
  const { checked } = await loaded(() => import('./proof.js'));
  return [
    `${mixed}${named}`,
    ...(end === record.end ? [] : ['✗ The room has changed the end of its chain of links.']),
    ...(await checked(record, dealt?.header ?? '', dealt?.seed ?? '')),
    ...(await Promise.all(kept.map((one) => told(one, Number(today))))),
  ];
}

/** Complete the document: times of this place, and what the browser finds.
 * @param {HTMLElement} part */
function complete(part) {
  const days = /** @type {HTMLElement | null} */ (part.querySelector('.days'));
  if (!days) return;
  document.title = `Deal of the day No. ${days.dataset.deal} · fairdeal`;
  for (const time of part.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    const hour = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    time.textContent = `${hour} on ${at.toLocaleDateString('en-GB', { weekday: 'long' })}`;
  }
  findings(days.dataset)
    .catch(({ message }) => [`✗ ${sentence(message)}`])
    .then((lines) => {
      const said = lines.map(
        (line) => html`
          <li data-bad=${line.startsWith('✗') || undefined}>${line}</li>
        `,
      );
      render(
        html`
          <ul class="findings">
            ${said}
          </ul>
        `,
        /** @type {Element} */ (part.querySelector('.said')),
      );
    });
}

/** Share the picture, or what the device can share. @param {DOMStringMap} facts */
async function share({ deal, text = '' }) {
  const parts = [await bytes(`/api/today/picture.png?deal=${deal}`, 1)];
  const files = [new File(parts, 'fairdeal.png', { type: 'image/png' })];
  const shares = 'canShare' in navigator && navigator.canShare({ files });
  await (shares ? navigator.share({ text, files }) : navigator.clipboard.writeText(text));
}

let visits = 0;

/** @param {{ id: string, go: Go }} props id: number of the deal, or 0 for today's */
export function TodayPage({ id, go }) {
  const [look, setLook] = useState(() => (visits += 1));
  const { problem, laid } = useDocument(`/api/today.html?deal=${id}&look=${look}`, complete);
  useEffect(() => {
    const waits = document.querySelector('.days[data-more="True"]');
    const timer = waits ? setTimeout(() => setLook((visits += 1)), PAUSE) : 0;
    return () => clearTimeout(timer);
  });
  const onClick = (/** @type {On} */ { currentTarget, target }) => {
    const { dataset } = /** @type {HTMLElement} */ (currentTarget.querySelector('.days'));
    const note = /** @type {HTMLElement} */ (currentTarget.querySelector('.problem'));
    const say = (/** @type {string} */ words) => (note.textContent = words);
    const failed = (/** @type {Error} */ { name, message }) =>
      name === 'AbortError' || say(sentence(message)); // the sheet was closed
    if (target.matches('.play')) {
      play(Number(dataset.deal), Number(dataset.today), !target.matches('.fun')).then(
        (facts) => go(`/t/${facts.id}`),
        failed,
      );
    }
    if (target.matches('.shares')) share(dataset).catch(failed);
    if (target.matches('.copies')) {
      navigator.clipboard.writeText(dataset.text ?? '').then(() => say('Copied'), failed);
    }
  };
  return laid
    ? html`
        <main class="rulebook today" ...${laid} onClick=${onClick} />
      `
    : html`
        <${Nowhere} problem=${problem} what="page" />
      `;
}
