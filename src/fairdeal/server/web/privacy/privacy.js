// The page about a guest's own data, which the room writes. The browser adds what it does not
// store, and deletes the data of both.
import { html, render, useState } from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { remove } from '../kit/api.js';
import { useDocument } from '../kit/lazy.js';
import { Forgetting, Written } from '../kit/page.js';
import { count, sentence } from '../kit/words.js';
import { forgetHere } from './stored.js';

/** @import { Forgotten, On, Stateful } from '../types.js' */

/** A part of a document. @param {Element} whole @param {string} selector */
const partOf = (whole, selector) => /** @type {HTMLElement} */ (whole.querySelector(selector));

/** @param {HTMLElement} part */
const complete = (part) =>
  render(
    html`
      <${Forgetting} />
    `,
    partOf(part, '.forgetting'),
  );

/** Ask whether to delete for good, or no longer. @param {HTMLElement} part @param {boolean} asks */
function ask(part, asks) {
  partOf(part, '.asks').hidden = asks;
  partOf(part, '.for-good').hidden = !asks;
  partOf(part, asks ? '.keeps' : '.asks').focus();
}

/** @param {{ found: Forgotten }} props */
const Done = ({ found: { deleted, kept } }) => html`
  <main class="nothing">
    <h1>Your data is deleted</h1>
    <p role="status">
      ${`${count(deleted, 'table')} deleted. `}
      ${kept > 0 && `Your name stays in ${count(kept, 'game')} with other people.`}
    </p>
    <a class="btn main" href="/">To the lobby, as a new guest</a>
  </main>
`;

export function PrivacyPage() {
  /** @type {Stateful<Forgotten | null>} */ const [done, setDone] = useState(null);
  const found = useDocument('/api/privacy.html', complete);
  const forget = (/** @type {HTMLElement} */ part) =>
    remove('/api/me').then(
      (gone) => {
        forgetHere();
        loaded(() => import('../record/database.js')).then(({ forgetRecords }) => forgetRecords());
        setDone(gone);
      },
      (reason) => {
        partOf(part, '.problem').textContent = sentence(reason.message);
      },
    );
  const onClick = (/** @type {On} */ { currentTarget, target }) => {
    if (target.matches('.asks, .keeps')) ask(currentTarget, target.matches('.asks'));
    if (target.matches('.deletes')) forget(currentTarget);
  };
  if (done) {
    return html`
      <${Done} found=${done} />
    `;
  }
  return html`
    <${Written} found=${found} kind="privacy" onClick=${onClick} />
  `;
}
