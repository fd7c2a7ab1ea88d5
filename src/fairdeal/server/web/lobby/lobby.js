// The lobby: your turns, the shelf, open tables, your other tables; over it the sheet of a game.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { get, once, put, remove } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { quickTable } from '../kit/opponents.js';
import { Shelf, isNarrow } from './shelf.js';
import { OtherTables, Turns, turnsOf } from './tickets.js';
import { Who } from '../kit/page.js';

/** @import { GameFacts, Go, Lobby as Tables, OnForm, Stateful, Trouble,
 *   Webhook } from '../types.js' */

/** Where you are told of your turn while you are away; nothing where the room does not offer it. */
function Notices() {
  const [kept, setKept] = useState(/** @type {Webhook} */ ({ address: '', hosts: [] }));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get('/api/webhook').then(setKept, () => 0);
  }, []);
  const settle = (/** @type {Promise<Webhook>} */ asked) =>
    asked.then(
      (found) => {
        setKept(found);
        setProblem('');
      },
      (reason) => setProblem(reason.message),
    );
  const keep = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    settle(
      put('/api/webhook', {
        address: String(new FormData(event.currentTarget).get('address')).trim(),
      }),
    );
  };
  if (!kept.hosts.length) return null;
  return html`
    <details class="fold">
      <summary>
        <b>Tell me of my turn</b>
        ${' '}
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
        ${
          kept.address &&
          html`
            <button type="button" class="btn" onClick=${() => settle(remove('/api/webhook'))}>
              Off
            </button>
          `
        }
      </form>
      ${
        problem &&
        html`
          <p class="bad small" role="alert">${problem}</p>
        `
      }
      <p class="small quiet">
        When it is your turn and you are away from the table, the room posts a few words and the
        link of the table to this address, at ${kept.hosts.join(' or ')}.
      </p>
    </details>
  `;
}

/** The tables of the room, asked for again and again while the page is looked at.
 * @param {(problem: string) => void} setProblem */
function useTables(setProblem) {
  /** @type {Stateful<Tables | null>} */ const [tables, setTables] = useState(null);
  const look = async () => {
    if (document.hidden) return;
    try {
      setTables(await get('/api/lobby'));
      setProblem('');
    } catch {
      setProblem('The room cannot be reached. Trying again.');
    }
  };
  useEffect(() => {
    look();
    const timer = setInterval(look, 4000);
    return () => clearInterval(timer);
  }, []);
  const turns = turnsOf(tables?.mine ?? []).length;
  useEffect(() => {
    document.title = `${turns ? `● ${turns} to move · ` : ''}fairdeal, an open card room`;
  }, [turns]);
  return { tables, look };
}

/** @param {{ playing?: number, inert: boolean, go: Go }} props */
function Header({ playing = 0, inert, go }) {
  const join = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('code') ?? '');
    const code = typed.trim().split('/').at(-1);
    if (code) go(`/t/${code}`);
  };
  return html`
    <header class="top" inert=${inert}>
      <span class="logo"><${Icon} name="fair-mark" /></span>
      <h1>Fairdeal</h1>
      <span class="sub hide-s">an open card room</span>
      <span class="gap-x"></span>
      ${
        playing > 1 &&
        html`
          <span class="pill hide-s">
            <${Icon} name="users" />
            ${playing} here
          </span>
        `
      }
      <form class="find" onSubmit=${join}>
        <label title="Join with a code or link">
          <${Icon} name="search" />
          <input name="code" aria-label="Join with a code or link" placeholder="Join with a code" />
        </label>
      </form>
      <${Who} />
    </header>
  `;
}

/** A table against bots, opened at once; which game it is of, and what went wrong.
 * @param {Go} go */
function useQuick(go) {
  const [busy, setBusy] = useState('');
  /** @type {Stateful<(Trouble & { game: string }) | null>} */
  const [problem, setProblem] = useState(null);
  const quick = async (/** @type {GameFacts} */ game) => {
    setBusy(game.name);
    setProblem(null);
    try {
      const { openTable } = await import('../fair/storage.js');
      go(`/t/${(await openTable(quickTable(game))).id}`);
    } catch (reason) {
      const { message, status } = /** @type {Trouble} */ (reason);
      setProblem({ message, status, game: game.name });
      setBusy('');
    }
  };
  return { busy, problem, quick };
}

/** The sheet of a game, which is fetched when one is first opened. @param {string} game */
function useSheet(game) {
  /** @type {Stateful<object | null>} */ const [Sheet, setSheet] = useState(null);
  useEffect(() => {
    if (game && !Sheet) import('./game-sheet.js').then((found) => setSheet(() => found.Sheet));
  }, [game]);
  return Sheet;
}

/** @param {{ problem: string }} props */
const Problem = ({ problem }) => html`
  <p class="note" data-tone="bad" role="alert">
    <${Icon} name="x" />
    <span>${problem}</span>
  </p>
`;

/** @param {{ game?: string, preset?: string, go: Go }} props game and preset: of the sheet that is
 * open, if one is */
export function Lobby({ game = '', preset = '', go }) {
  /** @type {Stateful<GameFacts[] | null>} */ const [games, setGames] = useState(null);
  const [problem, setProblem] = useState('');
  const [all, setAll] = useState(false);
  const { tables, look } = useTables(setProblem);
  const opening = useQuick(go);
  const Sheet = useSheet(game);
  useEffect(() => {
    once('/api/games').then(setGames, (reason) => setProblem(reason.message));
  }, []);
  const chosen = games?.find((one) => one.name === game);
  const mine = tables?.mine ?? [];
  const covered = Boolean(chosen && isNarrow());
  const close = () => {
    go('/', true);
    /** @type {HTMLElement | null} */ (
      document.querySelector(`[data-game="${CSS.escape(game)}"] a`)
    )?.focus();
  };
  const showTables = () => {
    setAll(true);
    if (game) go('/', true);
    scrollTo(0, 0);
  };
  return html`
    <div class="page" data-sheet=${chosen ? true : undefined}>
      <${Header} playing=${tables?.playing} inert=${covered} go=${go} />
      <main class="lobby" inert=${covered}>
        ${
          problem &&
          html`
            <${Problem} problem=${problem} />
          `
        }
        <${Turns} mine=${mine} all=${all} setAll=${setAll} go=${go} cleared=${look} />
        <${Shelf}
          games=${games}
          chosen=${chosen?.name}
          showTables=${showTables}
          go=${go}
          ...${opening}
        />
        <section class="tables">
          <${OtherTables}
            mine=${mine}
            open=${tables?.open ?? []}
            all=${all}
            go=${go}
            cleared=${look}
          />
          ${
            tables?.notices &&
            html`
              <${Notices} />
            `
          }
        </section>
      </main>
      ${
        chosen &&
        Sheet &&
        html`
          <${Sheet}
            key=${chosen.name}
            game=${chosen}
            preset=${preset}
            close=${close}
            showTables=${showTables}
            go=${go}
            ...${opening}
          />
        `
      }
      <footer class="foot-note small quiet">
        An unofficial project. The games belong to their designers and publishers.${' '}
        <a class="link" href="/api/openapi.json">For programs</a>
      </footer>
    </div>
  `;
}
