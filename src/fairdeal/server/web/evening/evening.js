// The page of an evening, which the room writes and this script asks for again and again. It takes
// players to their tables.
import { html, useEffect } from '../vendor/htm-preact.js';
import { post } from '../kit/api.js';
import { useDocument } from '../kit/lazy.js';
import { Written, keepName } from '../kit/page.js';
import { sentence } from '../kit/words.js';

/** @import { Go, OnForm } from '../types.js' */

/** The time after which the page is looked at again, in milliseconds. */
const PAUSE = 3000;

/** The visitor's table when the page was looked at last, or null. @type {string | null} */
let seen = null;

/** @param {{ id: string, screen: boolean, go: Go }} props */
export function EveningPage({ id, screen, go }) {
  const path = `/api/evenings/${id}`;
  const found = useDocument(`${path}/page.html`, (part) => {
    const { table = '' } = /** @type {HTMLElement} */ (part.querySelector('.evening')).dataset;
    const begins = seen !== null && table && table !== seen;
    seen = table;
    if (begins && !screen) go(`/t/${table}`);
  });
  useEffect(() => {
    const timer = setInterval(
      () =>
        document.hidden ||
        document.querySelector('input:focus, .evening [open]') ||
        found.again.current(),
      PAUSE,
    );
    return () => clearInterval(timer);
  }, []);
  const onSubmit = async (/** @type {OnForm & SubmitEvent} */ event) => {
    event.preventDefault();
    const { name } = /** @type {HTMLButtonElement} */ (event.submitter);
    const page = event.currentTarget;
    try {
      await keepName(/** @type {HTMLFormElement} */ (event.target));
      await post(path, { do: name });
      found.again.current();
    } catch (reason) {
      const { message } = /** @type {Error} */ (reason);
      /** @type {Element} */ (page.querySelector('.problem')).textContent = sentence(message);
    }
  };
  return html`
    <${Written}
      found=${found}
      kind=${screen ? 'today screen' : 'today'}
      what="evening"
      onSubmit=${onSubmit}
    />
  `;
}
