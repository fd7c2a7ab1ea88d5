// The lobby: the shelf, a new table, tables that are open, and your own.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { get, once, put, remove } from './api.js';
import { Icon } from './card.js';
import { openTable } from './kept.js';
import { NewTable } from './new-table.js';
import { Cover, Shelf } from './shelf.js';
import { Who, goTo } from './top.js';

/** What a table offers to its visitor. */
function offer(facts, turn, free) {
  if (facts.readable_only) return 'Read';
  if (turn) return 'Your turn';
  if (facts.status === 'over') return 'Result';
  if (facts.seat >= 0) return 'Go on';
  return free && facts.status === 'open' ? 'Join' : 'Watch';
}

/** How far a table is. */
function progress(facts, free) {
  if (facts.readable_only) {
    return facts.deal.header ? 'older rules, to read only' : facts.readable_only;
  }
  if (facts.status === 'open') return `${free} free`;
  return facts.status === 'over' ? 'finished' : `move ${facts.seq ?? 0}`;
}

/** A table, and what can be done there. @param {any} props */
function TableRow({ facts, go }) {
  const mine = facts.seat >= 0;
  const turn = mine && facts.acts?.includes(facts.seat) && facts.status === 'running';
  const free = facts.chairs.filter((chair) => !chair.taken).length;
  const what = offer(facts, turn, free);
  const others = facts.chairs
    .filter((chair) => chair.taken && !chair.you)
    .map((chair) => chair.name)
    .join(', ');
  return html`
    <li class="open">
      <${Cover} game=${facts.game} small=${true} />
      <span class="grow">
        <b>${mine ? `${facts.title}${others ? ` with ${others}` : ''}` : facts.name}</b>
        <small class="quiet">${progress(facts, free)}${facts.clock ? ', with a clock' : ''}</small>
      </span>
      <span class="seats" aria-hidden="true">
        ${facts.chairs.map(
          (chair) => html`
            <i data-on=${chair.taken || undefined}></i>
          `,
        )}
      </span>
      <a
        class=${`btn${turn ? ' lit' : ''}`}
        href=${`/t/${facts.id}`}
        onClick=${goTo(`/t/${facts.id}`, go)}
      >
        ${what}
      </a>
    </li>
  `;
}

/** Where you are told of your turn while you are away; nothing where the room does not offer it. */
function Notices() {
  const [kept, setKept] = useState({ address: '', hosts: /** @type {string[]} */ ([]) });
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get('/api/webhook').then(setKept, () => 0);
  }, []);
  const settle = (asked) =>
    asked.then(
      (found) => {
        setKept(found);
        setProblem('');
      },
      (reason) => setProblem(reason.message),
    );
  const keep = (event) => {
    event.preventDefault();
    settle(
      put('/api/webhook', {
        address: String(new FormData(event.currentTarget).get('address')).trim(),
      }),
    );
  };
  if (!kept.hosts.length) return null;
  return html`
    <details>
      <summary>
        Tell me of my turn${' '}
        <span class="quiet">${kept.address ? `at ${new URL(kept.address).host}` : 'off'}</span>
        <${Icon} name="down" />
      </summary>
      <form class="say" onSubmit=${keep}>
        <input
          key=${kept.address}
          name="address"
          type="url"
          required
          aria-label="Web address that is told of your turn"
          placeholder=${`https://${kept.hosts[0]}/…`}
          defaultValue=${kept.address}
          maxlength="500"
        />
        <button class="btn main">Keep</button>
        ${kept.address &&
        html`
          <button type="button" class="btn" onClick=${() => settle(remove('/api/webhook'))}>
            Off
          </button>
        `}
      </form>
      ${problem &&
      html`
        <p class="bad small" role="alert">${problem}</p>
      `}
      <p class="small quiet">
        When it is your turn and you are away from the table, the room posts a few words and the
        link of the table to this address, at ${kept.hosts.join(' or ')}.
      </p>
    </details>
  `;
}

/** The tables of the room, asked for again and again while the page is looked at. */
function useTables(setProblem) {
  const [tables, setTables] = useState(/** @type {any} */ (null));
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      try {
        setTables(await get('/api/lobby'));
        setProblem('');
      } catch {
        setProblem('The room cannot be reached. Trying again.');
      }
    };
    look();
    const timer = setInterval(look, 4000);
    return () => clearInterval(timer);
  }, []);
  const yours = (facts) => facts.status === 'running' && facts.acts?.includes(facts.seat);
  const turns = tables?.mine.filter(yours).length ?? 0;
  useEffect(() => {
    document.title = `${turns ? `● ${turns} to move · ` : ''}fairdeal, an open card room`;
  }, [turns]);
  return tables;
}

/** @param {any} props */
const Rows = ({ tables, go }) => html`
  <ul>
    ${tables.map(
      (facts) => html`
        <${TableRow} key=${facts.id} facts=${facts} go=${go} />
      `,
    )}
  </ul>
`;

/** @param {any} props */
function Tables({ tables, go }) {
  const mine = tables?.mine ?? [];
  const running = mine.filter((facts) => facts.status !== 'over');
  const over = mine.filter((facts) => facts.status === 'over').slice(0, 5);
  return html`
    <section class="tables">
      ${running.length > 0 &&
      html`
        <h2>My tables</h2>
        <${Rows} tables=${running} go=${go} />
      `}
      <${Notices} />
      <h2>Open tables</h2>
      ${tables &&
      tables.open.length === 0 &&
      html`
        <p class="quiet">No open tables yet. Open one, or play a bot right away.</p>
      `}
      <${Rows} tables=${tables?.open ?? []} go=${go} />
      ${over.length > 0 &&
      html`
        <h2>Finished</h2>
        <${Rows} tables=${over} go=${go} />
      `}
    </section>
  `;
}

/** @param {any} props */
function Header({ playing, go }) {
  const join = (event) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('code') ?? '');
    const code = typed.trim().split('/').at(-1);
    if (code) go(`/t/${code}`);
  };
  return html`
    <header class="top">
      <span class="logo"><${Icon} name="fair-mark" /></span>
      <h1>Fairdeal</h1>
      <span class="sub">an open card room</span>
      <span class="gap-x"></span>
      ${playing > 1 &&
      html`
        <span class="pill hide-s">
          <${Icon} name="users" />
          ${playing} here
        </span>
      `}
      <form class="find hide-s" onSubmit=${join}>
        <${Icon} name="search" />
        <input name="code" aria-label="Join with a code or link" placeholder="Join with a code" />
      </form>
      <${Who} />
    </header>
  `;
}

/** @param {any} props */
export function Lobby({ go }) {
  const [games, setGames] = useState(/** @type {any[] | null} */ (null));
  const [chosen, setChosen] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState('');
  const tables = useTables(setProblem);
  useEffect(() => {
    once('/api/games').then(
      (found) => {
        setGames(found);
        setChosen(found[0].name);
      },
      (reason) => setProblem(reason.message),
    );
  }, []);
  const game = games?.find((one) => one.name === chosen);
  const quick = async (one) => {
    setBusy(one.name);
    try {
      go(`/t/${(await openTable({ game: one.name, listed: false })).id}`);
    } catch (reason) {
      setProblem(/** @type {Error} */ (reason).message);
      setBusy('');
    }
  };
  return html`
    <div class="page">
      <${Header} playing=${tables?.playing} go=${go} />
      <main class="lobby">
        ${problem &&
        html`
          <p class="note" data-tone="bad" role="alert">
            <${Icon} name="x" />
            <span>${problem}</span>
          </p>
        `}
        <${Shelf} games=${games} chosen=${chosen} choose=${setChosen} busy=${busy} quick=${quick} />
        ${game &&
        html`
          <${NewTable} key=${game.name} game=${game} go=${go} />
        `}
        <${Tables} tables=${tables} go=${go} />
      </main>
      <footer class="foot-note small quiet">
        An unofficial project. The games belong to their designers and publishers.${' '}
        <a class="link" href="/api/openapi.json">For programs</a>
      </footer>
    </div>
  `;
}
