// The tables of a lobby: your own unfinished ones first, the first few as tickets; then the others.
import { html, useState } from '../vendor/htm-preact.js';
import { remove } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { later } from '../kit/lazy.js';
import { Cover } from './shelf.js';
import { Face, Next, analysisOf, canBeAnalysed, goTo, isAlone, isTurn } from '../kit/page.js';
import { roomTime } from '../kit/time.js';
import { ago, clockOf, count, freeSeats, lengthOf, sentence } from '../kit/words.js';

/** @import { Facts, Go } from '../types.js' */

/** `cleared` is called when a table was cleared away.
 * @typedef {{ go: Go, cleared?: () => void }} Ways */

/** The number of your own tables that are tickets. The rest are rows. */
const FIRST = 3;

/** The number of tables of others that are listed before a line that shows the rest. */
const IN_SIGHT = 5;

const FOR_EVER = Number.POSITIVE_INFINITY;

const Notices = later(() => import('./notices.js'), 'Notices');

/** The seats of others. @param {Facts} facts */
const others = (facts) => facts.chairs.filter((chair) => chair.taken && !chair.you);

/** Return whether this is a game against bots that waits for its visitor. @param {Facts} facts */
const goesOn = (facts) =>
  facts.status === 'running' && facts.seat >= 0 && !facts.readable_only && isAlone(facts);

/** Is it one of your own tables that is not over and can be played? @param {Facts} facts */
const isUnfinished = (facts) => facts.status !== 'over' && !facts.readable_only;

/** Where a table stands among your own: your turn, somebody else's, paused, not dealt yet.
 * @param {Facts} facts */
const rank = (facts) => (isTurn(facts) ? 0 : facts.status !== 'running' ? 3 : facts.paused ? 2 : 1);

/** Your unfinished tables. Your turns come first: least time left first; then those that others
 * wait for, the oldest first; then games against bots. All others come latest first.
 * @param {Facts[]} mine */
const unfinished = (mine) =>
  mine
    .filter(isUnfinished)
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        (a.until || FOR_EVER) - (b.until || FOR_EVER) ||
        Number(isAlone(a)) - Number(isAlone(b)) ||
        (isTurn(a) && !isAlone(a) ? a.moved - b.moved : b.moved - a.moved),
    );

const names = new Intl.ListFormat('en');

/** Return a sentence about the turn at an unfinished table, or about what its deal waits for.
 * @param {Facts} facts */
function turnOf(facts) {
  const { chairs, acts, paused } = facts;
  if (facts.status === 'open') {
    const free = chairs.filter((chair) => !chair.taken).length;
    return free ? `${free} of ${count(chairs.length, 'seat')} free` : 'About to begin';
  }
  if (isTurn(facts)) return paused ? 'Paused, your turn' : 'Your turn';
  const [first, ...more] = acts.map((seat) => chairs[seat]);
  if (!first) return paused ? 'Paused' : 'In progress';
  if (more.length) {
    const all = names.format([first, ...more].map((chair) => chair.name));
    return `${paused ? 'Paused, turn' : 'Turn'} of ${all}`;
  }
  if (first.stand_in && !paused) return `A bot plays for ${first.name}`;
  return `${paused ? 'Paused, ' : ''}${first.name}’s turn`;
}

/** Return the progress of a table, in a line. @param {Facts} facts */
function progress(facts) {
  if (facts.readable_only) {
    return facts.deal.header ? 'older rules, read-only' : facts.readable_only;
  }
  if (facts.status === 'open') return turnOf(facts).toLowerCase();
  if (facts.last?.text) return facts.last.text;
  return facts.status === 'over' ? 'finished' : facts.seq ? `move ${facts.seq}` : 'just dealt';
}

/** Return the label of a table's button. @param {Facts} facts */
function offer(facts) {
  if (facts.readable_only) return 'Read';
  if (goesOn(facts)) return 'Continue';
  if (isTurn(facts)) return 'Your turn';
  if (facts.status === 'over') return 'Result';
  if (facts.seat >= 0 || facts.host) return 'Look';
  return freeSeats(facts).length ? 'Join' : 'Watch';
}

/** Return the name of a table in a list: the game if it is yours, or the table's own name.
 * @param {Facts} facts */
const nameOf = (facts) => (facts.seat >= 0 || facts.host ? facts.title : facts.name);

/** With whom one plays at a table, in words, and whether it is rated. @param {Facts} facts */
function companyOf(facts) {
  const all = others(facts).map((chair) => chair.name);
  const told = [all.length && `with ${names.format(all)}`, facts.rated && 'rated'];
  return told.filter(Boolean).join(', ');
}

/** A table and with whom one plays there. @param {Facts} facts */
const nameWith = (facts) => `${facts.title} ${companyOf(facts)}`.trim();

/** Is this a rated game that is to be finished? @param {Facts} facts */
const isHeld = (facts) => facts.rated && facts.status === 'running';

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
  !isHeld(facts) &&
  cleared &&
  html`
    <${Clear} tables=${[facts]} what=${nameWith(facts)} cleared=${cleared} />
  `;

/** The same, with the game in bold. @param {{ facts: Facts }} props */
const Named = ({ facts }) => html`
  <b>
    ${facts.title}${' '}
    <span class="company">${companyOf(facts)}</span>
  </b>
`;

/** The player whose turn it is, and the last event. @param {{ facts: Facts }} props */
const Now = ({ facts }) => html`
  <small>
    <b>${turnOf(facts)}</b>
    ${
      facts.status !== 'open' &&
      html`
        ${' · '}
        <span class="quiet">${progress(facts)}</span>
      `
    }
  </small>
`;

/** One of the first of your own tables. @param {{ facts: Facts } & Ways} props */
function Ticket({ facts, go, cleared }) {
  const to = `/t/${facts.id}`;
  const left = facts.until - roomTime();
  return html`
    <li class="ticket">
      <${Cover} game=${facts.game} small=${true} />
      <span class="tickettext">
        <${Named} facts=${facts} />
        <span class="faces" aria-hidden="true">
          ${others(facts)
            .slice(0, 7)
            .map(
              (chair) => html`
                <${Face} key=${chair.seat} chair=${chair} />
              `,
            )}
        </span>
        <${Now} facts=${facts} />
      </span>
      <span class="when">${facts.until ? `${lengthOf(left)} left` : ago(facts.moved)}</span>
      <a
        class=${`btn${isTurn(facts) || goesOn(facts) ? ' lit' : ''}`}
        href=${to}
        aria-label=${`${offer(facts)}: ${nameWith(facts)}, ${turnOf(facts)}, ${progress(facts)}`}
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
  const watches = facts.seat < 0 && facts.status === 'running' && !freeSeats(facts).length;
  const to = `/t/${facts.id}${watches ? '?watch' : ''}`;
  const own = (facts.seat >= 0 || facts.host) && isUnfinished(facts);
  const named = own ? nameWith(facts) : nameOf(facts);
  const state = own ? `${turnOf(facts)}, ${progress(facts)}` : progress(facts);
  return html`
    <li class="open">
      <${Cover} game=${facts.game} small=${true} />
      <span class="grow">
        ${
          own
            ? html`
                <${Named} facts=${facts} />
                <${Now} facts=${facts} />
              `
            : html`
                <b>${named}</b>
                <small class="quiet">
                  ${progress(facts)}${facts.clock ? `, ${clockOf(facts.clock)}` : ''}${facts.rated ? ', rated' : ''}
                </small>
              `
        }
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
        aria-label=${`${offer(facts)}: ${named}, ${state}`}
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

/** Your unfinished tables, the first few as tickets.
 * @param {{ mine: Facts[] } & Ways} props */
export function Own({ mine, go, cleared }) {
  const tables = unfinished(mine);
  if (!tables.length) return null;
  const alone = tables.filter((facts) => goesOn(facts) && !isHeld(facts));
  const waiting = tables.filter((facts) => isTurn(facts) && !isAlone(facts));
  const say = tables.every(goesOn) ? 'Continue' : 'Your games';
  return html`
    <section class="own-tables" aria-label="Your games">
      <h2>${waiting.length === tables.length ? 'Your turn' : say}</h2>
      ${
        waiting.length > 1 &&
        html`
          <${Next} tables=${waiting.map(({ id }) => id)} go=${go} />
        `
      }
      <ul class="tickets">
        ${tables.slice(0, FIRST).map(
          (facts) => html`
            <${Ticket} key=${facts.id} facts=${facts} go=${go} cleared=${cleared} />
          `,
        )}
      </ul>
      ${
        tables.length > FIRST &&
        html`
          <${Rows} tables=${tables.slice(FIRST)} go=${go} cleared=${cleared} />
        `
      }
      ${
        alone.length > FIRST &&
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
 * @param {{ say: string, tables: Facts[] } & Ways} props */
const Fold = ({ say, tables, ...rows }) =>
  tables.length > 0 &&
  html`
    <details class="fold">
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

/** The other tables: those of others, to join or to watch, and one's own that are not played any
 * more behind a line each.
 * @param {{ mine: Facts[], open: Facts[], notices: boolean } & Ways} props */
export function OtherTables({ mine, open, notices, go, cleared }) {
  const over = mine.filter((facts) => facts.status === 'over');
  const stuck = mine.filter((facts) => facts.status !== 'over' && facts.readable_only);
  const isToJoin = (/** @type {Facts} */ facts) =>
    facts.status === 'open' || freeSeats(facts).length > 0;
  const free = open.filter(isToJoin);
  const running = open.filter((facts) => !isToJoin(facts));
  return html`
    <section class="tables">
      <${Listed} say="Tables to join" tables=${free} go=${go} />
      <${Listed} say="Tables to watch" tables=${running} go=${go} />
      <${Fold} say="Cannot be continued" tables=${stuck} go=${go} cleared=${cleared} />
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
