// The page of the deal of the day, which the room writes. The browser opens the table, binds a
// number with a counted try, shows it the next day, and checks the records of deals.
import { html, render } from '../vendor/htm-preact.js';
import { get, post } from '../kit/api.js';
import { useDocument } from '../kit/lazy.js';
import { Written } from '../kit/page.js';
import { sentence } from '../kit/words.js';
import { nonceHash } from '../fair/proof.js';
import { pictureOf } from '../invite/links.js';
import { randomDigits } from '../record/keeper.js';
import { lasting } from '../privacy/stored.js';
import { checked } from './proof.js';

/** @import { Go, On } from '../types.js' */

const OWN = 'fairdeal numbers';

/** The time after which a page is looked at again to which more comes, in milliseconds. */
const PAUSE = 2000;

/** Number of days between the try with which a number is bound and the deal for which it is, and
 * for which numbers are kept after their deal is fixed. */
const [AHEAD, KEPT] = [2, 7];

/** A number of this browser, and whether the room has confirmed its hash.
 * @typedef {{ nonce: string, taken: boolean }} Bound */

/** The own numbers by the deals for which they are, and the ends of chains that were heard.
 * @returns {{ numbers: Record<string, Bound>, ends: Record<string, string> }} */
const own = () => lasting.read(OWN, { numbers: {}, ends: {} });

/** Open a try. A counted one binds the number of the day, which is stored before its hash is sent.
 * @param {number} deal @param {number} today @param {boolean} counted */
async function play(deal, today, counted) {
  if (!counted) return post('/api/today', { deal, counted });
  const mine = own();
  const bound = (mine.numbers[today + AHEAD] ??= { nonce: randomDigits(16), taken: false });
  const hash = nonceHash(bound.nonce);
  lasting.write(OWN, mine);
  const facts = await post('/api/today', { deal, hash });
  bound.taken ||= facts.daily?.hash === hash;
  if (!bound.taken) delete mine.numbers[today + AHEAD]; // the try was begun before, elsewhere
  lasting.write(OWN, mine);
  return facts;
}

/** Return a sentence about an own number, which is shown if its time has come.
 * @param {number} deal @param {Bound} bound @param {number} today */
async function told(deal, { nonce, taken }, today) {
  if (deal > today + 1) {
    return taken
      ? '✓ Your number of today is bound. Open this page tomorrow to show it.'
      : 'The room has not confirmed your number of today. Look again tomorrow.';
  }
  const { numbers } = await get(`/api/today/record?deal=${deal}`);
  const number = numbers[nonceHash(nonce)];
  if (number === undefined) {
    return taken
      ? `✗ The room has left your number out of deal No. ${deal}.`
      : `The room has not taken your number for deal No. ${deal}.`;
  }
  if (deal > today) {
    await post('/api/today/number', { number: nonce });
    return `✓ Your number for tomorrow’s deal, No. ${deal}, is shown.`;
  }
  return number
    ? `✓ Your number is in deal No. ${deal}.`
    : `✗ Your number is missing in deal No. ${deal}: it was not shown on the day before.`;
}

/** Return sentences about a deal, and about the own numbers. @param {DOMStringMap} facts */
async function findings({ deal, today: day, table }) {
  const [record, today] = [await get(`/api/today/record?deal=${deal}`), Number(day)];
  const { numbers, ends } = own();
  const chain = Math.floor((record.deal - 1) / 365);
  const end = (ends[chain] ??= record.end);
  ends[chain + 1] ??= record.next_end;
  const kept = Object.entries(numbers).filter(([of]) => Number(of) > today - KEPT);
  lasting.write(OWN, { numbers: Object.fromEntries(kept), ends });
  const dealt = table && record.link ? (await get(`/api/tables/${table}`)).deal : null;
  return [
    ...(end === record.end ? [] : ['✗ The room has changed the end of its chain of links.']),
    ...(await checked(record, dealt?.header ?? '', dealt?.seed ?? '')),
    ...(await Promise.all(kept.map(([of, bound]) => told(Number(of), bound, today)))),
  ];
}

/** @param {Element} part @param {string} selector */
const partOf = (part, selector) => /** @type {HTMLElement} */ (part.querySelector(selector));

/** Add what the browser finds, and look again while more is to come.
 * @param {HTMLElement} part @param {() => void} again */
function complete(part, again) {
  const { dataset } = partOf(part, '.days');
  if (dataset.more === 'True') setTimeout(() => part.isConnected && again(), PAUSE);
  findings(dataset)
    .catch(({ message }) => [`✗ ${sentence(message)}`])
    .then((lines) =>
      render(
        html`
          ${lines.map(
            (line) => html`
              <p data-bad=${line.startsWith('✗') || undefined}>${line}</p>
            `,
          )}
        `,
        partOf(part, '.said'),
      ),
    );
}

/** @param {{ id: string, go: Go }} props id: number of the deal, or 0 for today's */
export function TodayPage({ id, go }) {
  const found = useDocument(`/api/today.html?deal=${id}`, complete);
  const onClick = (/** @type {On} */ { currentTarget, target }) => {
    const { dataset } = partOf(currentTarget, '.days');
    const { deal, today, text = '' } = dataset;
    const say = (/** @type {string} */ words) => {
      partOf(currentTarget, '.problem').textContent = words;
    };
    const failed = (/** @type {Error} */ { name, message }) =>
      name === 'AbortError' || say(sentence(message)); // the sheet was closed
    const copy = () => navigator.clipboard.writeText(text).then(() => say('Copied'));
    if (target.matches('.play')) {
      const counted = !target.matches('.fun');
      play(Number(deal), Number(today), counted).then((facts) => go(`/t/${facts.id}`), failed);
    }
    if (target.matches('.shares')) {
      pictureOf(`/api/today/picture.png?deal=${deal}`, 'fairdeal')
        .then((picture) => (picture ? navigator.share({ text, files: [picture] }) : copy()))
        .catch(failed);
    }
    if (target.matches('.copies')) copy().catch(failed);
  };
  return html`
    <${Written} found=${found} kind="today" onClick=${onClick} />
  `;
}
