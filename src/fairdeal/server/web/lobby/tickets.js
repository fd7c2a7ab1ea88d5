// The tables of a lobby: your turns as tickets, the others as rows.
import { html, useState } from '../vendor/htm-preact.js';
import { remove } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { later } from '../kit/lazy.js';
import { Cover } from './shelf.js';
import { Face, analysisOf, canBeAnalysed, goTo, isAlone, isTurn } from '../kit/page.js';
import { ago, count, lengthOf, sentence } from '../kit/words.js';

/** @import { Facts, Go } from '../types.js' */

/** `cleared` is called when a table was cleared away.
 * @typedef {{ go: Go, cleared?: () => void }} Ways */

const FIRST = 3;

/** How many tables of others are listed before the rest is behind a line. */
const IN_SIGHT = 5;

const FOR_EVER = Number.POSITIVE_INFINITY;

const Notices = later(() => import('./notices.js'), 'Notices');

/** The seats of others. @param {Facts} facts */
const others = (facts) => facts.chairs.filter((chair) => chair.taken && !chair.you);

/** Is this a game against bots that waits for nobody but its visitor? @param {Facts} facts */
const goesOn = (facts) =>
  facts.status === 'running' && facts.seat >= 0 && !facts.readable_only && isAlone(facts);

/** Tables with a ticket, your turns first: least time left first; then those that others wait for,
 * the oldest first; then games against bots, the latest first. @param {Facts[]} mine */
const ticketsOf = (mine) =>
  mine
    .filter((facts) => isTurn(facts) || goesOn(facts))
    .sort(
      (a, b) =>
        (a.until || FOR_EVER) - (b.until || FOR_EVER) ||
        Number(isAlone(a)) - Number(isAlone(b)) ||
        (isAlone(a) ? b.moved - a.moved : a.moved - b.moved),
    );

/** How far a table is, in a line. @param {Facts} facts */
function progress(facts) {
  const free = facts.chairs.filter((chair) => !chair.taken).length;
  if (facts.readable_only) {
    return facts.deal.header ? 'older rules, read-only' : facts.readable_only;
  }
  if (facts.status === 'open') {
    return free ? `${free} of ${count(facts.chairs.length, 'seat')} free` : 'about to begin';
  }
  if (facts.last?.text) return facts.last.text;
  return facts.status === 'over' ? 'finished' : facts.seq ? `move ${facts.seq}` : 'just dealt';
}

/** What a table offers to its visitor. @param {Facts} facts */
function offer(facts) {
  if (facts.readable_only) return 'Read';
  if (goesOn(facts)) return 'Continue';
  if (isTurn(facts)) return 'Your turn';
  if (facts.status === 'over') return 'Result';
  if (facts.seat >= 0 || facts.host) return 'Look';
  return facts.status === 'open' && facts.chairs.some((chair) => !chair.taken) ? 'Join' : 'Watch';
}

/** What a table is called in a list: the game if it is yours, else the table's own name.
 * @param {Facts} facts */
const nameOf = (facts) => (facts.seat >= 0 || facts.host ? facts.title : facts.name);

/** A table with whom one plays there, in words. @param {Facts} facts */
function nameWith(facts) {
  const names = others(facts).map((chair) => chair.name);
  return names.length ? `${facts.title} with ${names.join(', ')}` : facts.title;
}

/** To clear tables away that concern nobody else, asked once more.
 * @param {{ tables: Facts[], what: string, cleared: () => void, children?: unknown }} props what:
 * what they are called; children: what the button shows */
function Clear({ tables, what, cleared, children }) {
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState('');
  const clear = async () => {
    try {
      for (const { id } of tables) await remove(`/api/tables/${id}`);
      setAsked(false);
    } catch (reason) {
      setProblem(/** @type {Error} */ (reason).message);
    }
    cleared();
  };
  if (!asked) {
    return html`
      <button
        class=${`btn clear${children ? '' : ' icon'}`}
        aria-label=${`Clear away ${what}`}
        title=${`Clear away ${what}`}
        onClick=${() => setAsked(true)}
      >
        ${
          children ??
          html`
            <${Icon} name="x" />
          `
        }
      </button>
    `;
  }
  return html`
    <div class="clearing" role="group" aria-label=${`Clear away ${what}?`}>
      <span>${problem ? sentence(problem) : `Clear ${what} away for good?`}</span>
      <button class="btn main" autofocus onClick=${clear}>Clear away</button>
      <button class="btn" onClick=${() => setAsked(false)}>Keep</button>
    </div>
  `;
}

/** The same for one table, if it may be cleared away.
 * @param {{ facts: Facts, cleared?: () => void }} props */
const ClearOne = ({ facts, cleared }) =>
  isAlone(facts) &&
  cleared &&
  html`
    <${Clear} tables=${[facts]} what=${nameWith(facts)} cleared=${cleared} />
  `;

/** One of your turns. @param {{ facts: Facts } & Ways} props */
function Ticket({ facts, go, cleared }) {
  const to = `/t/${facts.id}`;
  const left = facts.until - Date.now() / 1000;
  return html`
    <li class="ticket">
      <${Cover} game=${facts.game} small=${true} />
      <span class="tickettext">
        <b>${facts.title}</b>
        <span class="faces" aria-hidden="true">
          ${others(facts)
            .slice(0, 7)
            .map(
              (chair) => html`
                <${Face} key=${chair.seat} chair=${chair} />
              `,
            )}
        </span>
        <small class="quiet">${progress(facts)}</small>
      </span>
      <span class="when">${facts.until ? `${lengthOf(left)} left` : ago(facts.moved)}</span>
      <a
        class="btn lit"
        href=${to}
        aria-label=${`${offer(facts)}: ${facts.title}, ${progress(facts)}`}
        onClick=${goTo(to, go)}
      >
        ${offer(facts)}
      </a>
      <${ClearOne} facts=${facts} cleared=${cleared} />
    </li>
  `;
}

/** A table, and what can be done there. @param {{ facts: Facts } & Ways} props */
function Row({ facts, go, cleared }) {
  const to = `/t/${facts.id}${facts.seat < 0 && facts.status === 'running' ? '?watch' : ''}`;
  return html`
    <li class="open">
      <${Cover} game=${facts.game} small=${true} />
      <span class="grow">
        <b>${nameOf(facts)}</b>
        <small class="quiet">${progress(facts)}${facts.clock ? ', with a clock' : ''}</small>
      </span>
      <span class="faces" aria-hidden="true">
        ${facts.chairs.map(
          (chair) => html`
            <${Face} key=${chair.seat} chair=${chair} />
          `,
        )}
      </span>
      <a
        class=${`btn${isTurn(facts) ? ' lit' : ''}`}
        href=${to}
        aria-label=${`${offer(facts)}: ${nameOf(facts)}, ${progress(facts)}`}
        onClick=${goTo(to, go)}
      >
        ${offer(facts)}
      </a>
      ${
        canBeAnalysed(facts) &&
        html`
          <a
            class="btn also"
            href=${analysisOf(facts)}
            aria-label=${`Analysis: ${nameOf(facts)}, ${progress(facts)}`}
            onClick=${goTo(analysisOf(facts), go)}
          >
            Analysis
          </a>
        `
      }
      <${ClearOne} facts=${facts} cleared=${cleared} />
    </li>
  `;
}

/** @param {{ tables: Facts[] } & Ways} props */
const Rows = ({ tables, go, cleared }) => html`
  <ul class="rows">
    ${tables.map(
      (facts) => html`
        <${Row} key=${facts.id} facts=${facts} go=${go} cleared=${cleared} />
      `,
    )}
  </ul>
`;

/** Your turns, the first few as tickets.
 * @param {{ mine: Facts[], all: boolean, setAll: (all: boolean) => void } & Ways} props */
export function Turns({ mine, all, setAll, go, cleared }) {
  const turns = ticketsOf(mine);
  if (!turns.length) return null;
  const shown = all ? turns : turns.slice(0, FIRST);
  const alone = turns.filter(isAlone);
  return html`
    <section class="turns" aria-label="Your games">
      <h2>
        ${turns.some(goesOn) ? (turns.every(goesOn) ? 'Continue' : 'Your games') : 'Your turn'}
        ${
          turns.length > FIRST &&
          html`
            <button
              class="plain link"
              aria-expanded=${all ? 'true' : 'false'}
              onClick=${() => setAll(!all)}
            >
              ${all ? `The first ${FIRST}` : `All ${turns.length} tables`}
            </button>
          `
        }
      </h2>
      <ul class="tickets">
        ${shown.map(
          (facts) => html`
            <${Ticket} key=${facts.id} facts=${facts} go=${go} cleared=${cleared} />
          `,
        )}
      </ul>
      ${
        all &&
        alone.length > 1 &&
        html`
          <${Clear}
            tables=${alone}
            what=${`all ${alone.length} games against bots`}
            cleared=${cleared}
          >
            Clear away all ${alone.length} games against bots
          <//>
        `
      }
    </section>
  `;
}

/** Tables behind one line.
 * @param {{ say: string, tables: Facts[], open?: boolean } & Ways} props */
const Fold = ({ say, tables, open, ...rows }) =>
  tables.length > 0 &&
  html`
    <details class="fold" open=${open}>
      <summary>
        <span>
          <b>${say}:</b>
          ${' '}${count(tables.length, 'table')}
        </span>
        <${Icon} name="down" />
      </summary>
      <${Rows} tables=${tables} ...${rows} />
    </details>
  `;

/** Tables of others, the first few in sight.
 * @param {{ say: string, tables: Facts[] } & Ways} props */
const Listed = ({ say, tables, go }) =>
  tables.length > 0 &&
  html`
    <section class="listed">
      <h2>${say}</h2>
      <${Rows} tables=${tables.slice(0, IN_SIGHT)} go=${go} />
      <${Fold} say="More" tables=${tables.slice(IN_SIGHT)} go=${go} />
    </section>
  `;

/** The other tables: those of others, to join or to watch, and one's own behind a line each.
 * @param {{ mine: Facts[], open: Facts[], notices: boolean, all: boolean } & Ways} props */
export function OtherTables({ mine, open, notices, all, go, cleared }) {
  const waiting = mine.filter(
    (facts) => facts.status !== 'over' && !isTurn(facts) && !goesOn(facts),
  );
  const over = mine.filter((facts) => facts.status === 'over');
  const free = open.filter((facts) => facts.status === 'open');
  const running = open.filter((facts) => facts.status !== 'open');
  return html`
    <section class="tables">
      <${Listed} say="Tables to join" tables=${free} go=${go} />
      <${Listed} say="Tables to watch" tables=${running} go=${go} />
      <${Fold} say="Waiting for others" tables=${waiting} open=${all} go=${go} cleared=${cleared} />
      <${Fold} say="Finished" tables=${over} go=${go} />
      ${
        notices &&
        html`
          <${Notices} />
        `
      }
    </section>
  `;
}
