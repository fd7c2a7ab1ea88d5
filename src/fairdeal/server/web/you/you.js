// The page about a guest's finished games, which the room writes. The visitor says there until when
// they are away.
import { html } from '../vendor/htm-preact.js';
import { put } from '../kit/api.js';
import { useDocument } from '../kit/lazy.js';
import { Written } from '../kit/page.js';
import { sentence } from '../kit/words.js';

/** @param {HTMLElement} part @param {() => void} again asks for the page again */
function complete(part, again) {
  const form = /** @type {HTMLFormElement} */ (part.querySelector('form'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const day = new FormData(form, event.submitter).getAll('until').at(-1);
    const problem = /** @type {Element} */ (form.lastElementChild);
    put('/api/me/away', { until: Date.parse(`${day}T00:00`) / 1000 || 0 }).then(
      again,
      (reason) => (problem.textContent = sentence(reason.message)),
    );
  });
}

/** @param {{ at: string }} props at: the address of the document */
export const YouPage = ({ at }) => html`
  <${Written} found=${useDocument(at, complete)} kind="you" />
`;
