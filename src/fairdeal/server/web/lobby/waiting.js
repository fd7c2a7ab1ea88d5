// A table before the deal: who is there, the link for those who are not, the chat and the rules.
import { html, useState } from '../vendor/htm-preact.js';
import { post, remove } from '../kit/api.js';
import { failures } from '../fair/verdict.js';
import { agree, isAsked, sitDown } from '../record/keeper.js';
import { Invite } from '../invite/invite.js';
import { Icon } from '../kit/card.js';
import { Alarm, Face, Logo, Problem, Report, Who, isAlone, isOther } from '../kit/page.js';
import { RATED } from '../kit/words.js';
import { Rules } from '../learn/rules.js';
import { Chat } from '../table/panel.js';

/** @import { Chair as Place, Facts, Go, Table } from '../types.js'
 * @typedef {Pick<Table, 'chat' | 'owed' | 'muted' | 'say' | 'mute' | 'report'>} Talk */

/** Where the player of a seat is, or the player to come. @param {Place} chair */
function whereabouts(chair) {
  if (chair.you) return 'you';
  if (chair.plays !== 'person') return 'bot';
  if (!chair.taken) return 'by link';
  return chair.here ? 'here' : 'away';
}

/** @param {{ chair: Place, report: Talk['report'] }} props */
const Chair = ({ chair, report }) => html`
  <li>
    <${Face} chair=${chair} letter=${chair.taken ? undefined : '+'} />
    <b translate=${!chair.taken}>${chair.taken ? chair.name : 'free'}</b>
    <small class="quiet">
      ${whereabouts(chair)}
      ${
        isOther(chair) &&
        html`
          ${' '}
          <${Report} of=${{ seat: chair.seat, name: chair.name }} report=${report} />
        `
      }
    </small>
  </li>
`;

/** Return a sentence about what the deal waits for. @param {number} free @param {string[]} late */
function patience(free, late) {
  if (free) return `Waiting for ${free} more. The cards are dealt when every seat is taken.`;
  if (!late.length) return 'Every seat adds its number …';
  const names = late.join(' and ');
  return `Waiting for ${names} to come back: the deal needs a number from every seat.`;
}

/** The deals that failed here; after the second, a number is given only by a click.
 * @param {{ facts: Facts, report: (problem: string) => void }} props */
function Failed({ facts, report }) {
  const [agreed, setAgreed] = useState(0);
  const { attempt } = facts.deal;
  const failed = failures(facts.deal);
  const give = () => {
    setAgreed(attempt);
    agree(facts).catch((reason) => report(reason.message));
  };
  return html`
    ${
      failed &&
      html`
        <p class="bad" role="status">${failed}</p>
      `
    }
    ${
      isAsked(facts) &&
      agreed < attempt &&
      html`
        <button class="btn lit wide" onClick=${give}>Give another number</button>
      `
    }
  `;
}

/** The chairs with their players, and the viewer's buttons.
 * @param {{ facts: Facts, report: Talk['report'], go: Go }} props */
function Sitting({ facts, report, go }) {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const ask = (/** @type {string} */ what) =>
    post(`/api/tables/${facts.id}/${what}`).catch((reason) => setProblem(reason.message));
  const sit = () => {
    setBusy(true);
    sitDown(facts)
      .catch((reason) => setProblem(reason.message))
      .finally(() => setBusy(false));
  };
  const leave = () =>
    (isAlone(facts)
      ? remove(`/api/tables/${facts.id}`)
      : post(`/api/tables/${facts.id}/leave`)
    ).then(
      () => go('/'),
      (reason) => setProblem(reason.message),
    );
  const free = facts.chairs.filter((chair) => !chair.taken).length;
  const late = facts.chairs
    .filter((chair) => chair.late)
    .map((chair) => (chair.you ? 'you' : chair.name));
  const stead = free > 0 ? 'bots take the free seats' : `a bot plays for ${late.join(' and ')}`;
  return html`
    <section class="make">
      <h2>Who plays</h2>
      ${
        facts.rated &&
        html`
          <p>This game is rated. ${RATED}</p>
        `
      }
      <ol class="sitting">
        ${facts.chairs.map(
          (chair) => html`
            <${Chair} key=${chair.seat} chair=${chair} report=${report} />
          `,
        )}
      </ol>
      ${
        facts.seat < 0
          ? html`
              <button class="btn lit wide" disabled=${!free || busy} onClick=${sit}>
                Sit down
              </button>
            `
          : html`
              <p role="status">${patience(free, late)}</p>
            `
      }
      <${Failed} facts=${facts} report=${setProblem} />
      ${
        facts.host &&
        (free > 0 || late.length > 0) &&
        html`
          <button class="btn wide" onClick=${() => ask('start')}>Start now, ${stead}</button>
        `
      }
      ${
        (facts.seat >= 0 || isAlone(facts)) &&
        html`
          <button class="btn bare" onClick=${leave}>
            ${isAlone(facts) ? 'Clear the table away' : 'Leave the table'}
          </button>
        `
      }
      <${Problem} said=${problem} />
    </section>
  `;
}

/** The rules of the table, fetched when they are opened. @param {{ facts: Facts }} props */
function Read({ facts }) {
  const [open, setOpen] = useState(false);
  return html`
    <details
      class="fold"
      onToggle=${(/** @type {Event} */ event) =>
        setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}
    >
      <summary>
        <b>The rules of this table</b>
        <${Icon} name="down" />
      </summary>
      ${
        open &&
        html`
          <${Rules} game=${facts.game} options=${facts.options} />
        `
      }
    </details>
  `;
}

/** The chat and the rules, until the deal. @param {{ facts: Facts, table: Talk }} props */
const Meanwhile = ({ facts, table }) => html`
  <section class="make meanwhile" aria-label="Until the deal">
    <h2>Until the deal</h2>
    <${Chat} table=${table} />
    <${Read} facts=${facts} />
  </section>
`;

/** @param {{ facts: Facts, wrong: string[], go: Go,
 *   table: Talk }} props */
export function Waiting({ facts, wrong, go, table }) {
  return html`
    <div class="page">
      <header class="top">
        <${Logo} go=${go} />
        <h1>${facts.title}</h1>
        <span class="sub">${facts.name}</span>
        <span class="gap-x"></span>
        <${Who} />
      </header>
      <main class="waiting">
        <${Alarm} wrong=${wrong} />
        ${
          facts.chairs.some((chair) => !chair.taken) &&
          html`
            <section class="make"><${Invite} facts=${facts} /></section>
          `
        }
        <${Sitting} facts=${facts} report=${table.report} go=${go} />
        <${Meanwhile} facts=${facts} table=${table} />
      </main>
    </div>
  `;
}
