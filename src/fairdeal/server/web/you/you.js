// The pages about a guest's finished games and about the ratings in a game, which the room writes.
// The browser knows the days.
import { html } from '../vendor/htm-preact.js';
import { useDocument } from '../kit/lazy.js';
import { Nowhere } from '../kit/page.js';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });

/** Write the days of games, as heads and as the first one. @param {HTMLElement} part */
function complete(part) {
  document.title = `${part.querySelector('h1')?.textContent} · fairdeal`;
  let last = '';
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll('[data-at]'))) {
    const day = DAY.format(1000 * Number(one.dataset.at));
    if (one.matches('time')) one.textContent = day;
    else if (day !== last) {
      one.before(
        Object.assign(document.createElement('li'), { className: 'day', textContent: day }),
      );
      last = day;
    }
  }
}

/** @param {{ at: string }} props at: the address of the document */
export function YouPage({ at }) {
  const { problem, laid } = useDocument(at, complete);
  return laid
    ? html`
        <main class="rulebook you" ...${laid} />
      `
    : html`
        <${Nowhere} problem=${problem} what="page" />
      `;
}
