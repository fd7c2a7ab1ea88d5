// The page about a guest's own data: what the room and this browser store, for how long, and the
// buttons that download and delete it.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { get, remove } from '../kit/api.js';
import { Forgetting, Logo, Nowhere } from '../kit/page.js';
import { count, sentence } from '../kit/words.js';
import { STORED, forgetHere } from './stored.js';

/** @import { Forgotten, Go, Privacy, Stateful } from '../types.js' */

/** @param {{ facts: Privacy }} props */
const InRoom = ({ facts }) => html`
  <section>
    <h2>In the room</h2>
    ${
      facts.contact &&
      html`
        <p>
          This room is kept by ${' '}
          <a href=${facts.contact.includes('://') ? facts.contact : `mailto:${facts.contact}`}>
            ${facts.contact}
          </a>
          .
        </p>
      `
    }
    <dl>
      <dt>A cookie</dt>
      <dd>
        A random number tells the room that it is you. It is in a cookie, which lasts
        ${` ${count(facts.cookie_days, 'day')}`}. There are no accounts, and the room asks for no
        address, telephone number or password.
      </dd>
      <dt>Your name</dt>
      <dd>
        The room keeps the last ${facts.guest_names.toLocaleString('en')} names that guests have
        entered. The oldest are deleted.
      </dd>
      <dt>Your tables</dt>
      <dd>
        For each table: your seat with your name, your moves and when you made them, and your number
        for the deal.
        ${
          facts.keep_unfinished_days
            ? ` Unfinished tables are deleted ${count(facts.keep_unfinished_days, 'day')} after they
              were last used, unless you delete them earlier.`
            : ' Unfinished tables stay until they are finished, or you or the keeper delete them.'
        }
        ${
          facts.keep_finished_days
            ? ` Finished games are deleted ${count(facts.keep_finished_days, 'day')} after they were
              last used. `
            : ' Finished games stay until the keeper deletes them. '
        }
        Everybody who has the link can look at a finished game. A table shows how many finished
        games of the same people, under the same names, each of you has won.
      </dd>
      <dt>What you write</dt>
      <dd>
        The last ${count(facts.chat_lines, 'line')} of each table, with names and times, for as long
        as the table is kept.
      </dd>
      <dt>Where you are told of your turns</dt>
      <dd>
        The web address that you set, if you did, until you switch it off.
        ${
          facts.webhooks.length
            ? ` It is told the link, the game and the names at the table, if it is at
              ${facts.webhooks.join(' or ')}.`
            : ' This room sends nothing there.'
        }
      </dd>
      <dt>Exclusion</dt>
      <dd>
        If the keeper of the room excludes you: the number of your cookie, and since when, until
        that is lifted.
      </dd>
      <dt>Addresses and copies</dt>
      <dd>
        ${
          facts.log_addresses
            ? 'The room logs the network addresses of requests that it refuses.'
            : 'The room does not log network addresses.'
        }
        ${' '}A server in front of it may log all of them. The keeper may have copies of the room’s
        database. Ask the keeper how long logs and copies are kept.
      </dd>
    </dl>
  </section>
`;

const InBrowser = () => html`
  <section>
    <h2>In this browser</h2>
    <${Forgetting} />
    <p>Your browser stores this for the pages of the room, until you delete it:</p>
    <ul class="stored">
      ${Object.entries(STORED).map(
        ([key, words]) => html`
          <li key=${key}>${words}</li>
        `,
      )}
    </ul>
  </section>
`;

/** @param {{ done: (found: Forgotten) => void }} props */
function Deletion({ done }) {
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState('');
  const forget = () =>
    remove('/api/me').then(
      (found) => {
        forgetHere();
        loaded(() => import('../record/database.js')).then(({ forgetRecords }) => forgetRecords());
        done(found);
      },
      (reason) => setProblem(reason.message),
    );
  return html`
    <section>
      <h2>Delete your data</h2>
      <ul class="stored">
        <li>Deleted: your name, what you wrote, your cookie, and what this browser stores.</li>
        <li>Deleted: tables and games at which you are the only person.</li>
        <li>
          <b>Not deleted:</b>
          ${' '}games with other people. They keep your name, because their logs are signed with it
          and could not be checked without it, but are no longer linked to you. If one is running, a
          bot plays on for you.
        </li>
        <li>
          <b>Not deleted:</b>
          ${' '}an exclusion by the keeper, the keeper’s copies, and what others have saved.
        </li>
      </ul>
      ${
        asked
          ? html`
              <div class="for-good" role="group" aria-label="Delete your data?">
                <p>This cannot be undone. ${problem && sentence(problem)}</p>
                <button class="btn main" onClick=${forget}>Delete for good</button>
                <button class="btn" autofocus onClick=${() => setAsked(false)}>Keep</button>
              </div>
            `
          : html`
              <button class="btn" onClick=${() => setAsked(true)}>Delete my data</button>
            `
      }
    </section>
  `;
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

/** @param {{ go: Go }} props */
export function PrivacyPage({ go }) {
  /** @type {Stateful<Privacy | null>} */ const [facts, setFacts] = useState(null);
  /** @type {Stateful<Forgotten | null>} */ const [done, setDone] = useState(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    document.title = 'Your data · fairdeal';
    get('/api/privacy').then(setFacts, (reason) => setProblem(reason.message));
  }, []);
  if (done) {
    return html`
      <${Done} found=${done} />
    `;
  }
  if (!facts) {
    return html`
      <${Nowhere} problem=${problem} what="page" />
    `;
  }
  return html`
    <main class="rulebook privacy">
      <header>
        <${Logo} go=${go} />
        <h1>Your data</h1>
      </header>
      ${
        facts.banned &&
        html`
          <p class="note" data-tone="bad" role="alert">
            The keeper of this room has excluded you. You can still download and delete your data.
          </p>
        `
      }
      <${InRoom} facts=${facts} />
      <${InBrowser} />
      <section>
        <h2>Download your data</h2>
        <p>Everything that the room has linked to you, in one JSON file.</p>
        <a class="btn" href="/api/me/data" download>Download</a>
      </section>
      <${Deletion} done=${setDone} />
    </main>
  `;
}
