// The lobby: your unfinished tables, the shelf, tables to join and to watch; over it the sheet of
// a game. What a newcomer to an empty room does not see is fetched when it is needed.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { get, once, post } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { later, useMissing, useModule } from '../kit/lazy.js';
import { quickTable } from '../kit/opponents.js';
import { Shelf, isNarrow } from './shelf.js';
import { learnTime } from '../kit/time.js';
import { Forgetting, Who, goTo, isTurn } from '../kit/page.js';
import { GAMES, lasting } from '../privacy/stored.js';

/** @import { GameFacts, Go, Lobby as Tables, NewTable, OnForm, Opening,
 *   Stamp, Stateful, Trouble } from '../types.js' */

const Owner = later(() => import('../invite/invite.js'), 'Owner');

/** The tables of the room, asked for again and again while the page is looked at. */
function useTables() {
  /** @type {Stateful<Tables | null>} */ const [tables, setTables] = useState(null);
  const asking = useRef(false);
  const look = async () => {
    if (document.hidden || asking.current) return;
    asking.current = true;
    try {
      const found = await get('/api/lobby');
      learnTime(found.now);
      setTables(found);
      const mine = found.mine.filter(({ status }) => status === 'over');
      lasting.write(GAMES, { ...found, mine, open: [], today: null });
    } catch {
      /* the page is left */
    } finally {
      asking.current = false;
    }
  };
  useEffect(() => {
    look();
    const timer = setInterval(look, 4000);
    return () => clearInterval(timer);
  }, []);
  const turns = (tables?.mine ?? []).filter(isTurn).length;
  useEffect(() => {
    document.title = `${turns ? `● ${turns} to move · ` : ''}fairdeal, an open card room`;
  }, [turns]);
  return { tables, turns, look };
}

/** Codes that are said aloud have six letters; the ids of tables are longer. */
const SPOKEN = /^([a-z\d][\s-]*){6}$/i;

/** The evenings at which you play. @param {{ evenings: Record<string, string>, go: Go }} props */
const Evenings = ({ evenings, go }) =>
  Object.entries(evenings).map(
    ([id, name]) => html`
      <p class="note today-line" key=${id}>
        <b>${name}</b>
        <a class="btn slim" href=${`/evening/${id}`} onClick=${goTo(`/evening/${id}`, go)}>
          Go there
        </a>
      </p>
    `,
  );

/** @param {{ playing?: number, inert: boolean, refused: (problem: string) => void,
 *   go: Go }} props */
function Header({ playing = 0, inert, refused, go }) {
  const join = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('code') ?? '');
    const code = typed.trim().split('/').at(-1);
    if (!code) return;
    if (!SPOKEN.test(code)) go(`/t/${code}`);
    else {
      post('/api/codes', { code }).then(
        (table) => go(`/t/${table.id}`),
        (reason) => refused(reason.message),
      );
    }
  };
  return html`
    <header class="top" inert=${inert}>
      <span class="logo"><${Icon} name="fair-mark" /></span>
      <h1>Fairdeal</h1>
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
      <a class="btn bare hide-s" href="/you">Your games</a>
      <${Who} />
    </header>
  `;
}

/** A table that is opened at once, against bots or for friends; which game it is of, and what went
 * wrong; and the game for which a question comes first.
 * @param {Go} go */
function useOpening(go) {
  const [busy, setBusy] = useState('');
  /** @type {Stateful<(Trouble & { game: string }) | null>} */
  const [problem, setProblem] = useState(null);
  /** @type {Stateful<GameFacts | null>} */ const [asked, ask] = useState(null);
  const opening = useRef(false);
  const open = async (/** @type {GameFacts} */ game, /** @type {NewTable} */ wished) => {
    if (opening.current) return;
    opening.current = true;
    setBusy(game.name);
    setProblem(null);
    try {
      const { openTable } = await loaded(() => import('../record/keeper.js'));
      go(`/t/${(await openTable(wished)).id}`);
    } catch (reason) {
      const { message, status } = /** @type {Trouble} */ (reason);
      setProblem({ message, status, game: game.name });
      setBusy('');
      opening.current = false;
    }
  };
  const quick = (/** @type {GameFacts} */ game) => open(game, quickTable(game));
  const friends = (/** @type {GameFacts} */ game) => {
    setProblem(null);
    ask(game);
  };
  return { busy, problem, quick, friends, open, asked, ask };
}

/** @param {{ problem: string }} props */
const Problem = ({ problem }) => html`
  <p class="note" data-tone="bad" role="alert">
    <${Icon} name="x" />
    <span>${problem}</span>
  </p>
`;

/** The dialogs over the page: the sheet of a game, and the question before a table for friends.
 * @param {{ chosen?: GameFacts, preset: string, close: () => void, asked: GameFacts | null,
 *   open: (game: GameFacts, wished: NewTable) => Promise<void>,
 *   ask: (game: null) => void } & Opening} props */
function Over({ chosen, preset, close, asked, open, ask, ...shared }) {
  const sheet = useModule(Boolean(chosen), () => import('./game-sheet.js'));
  const asking = useModule(Boolean(asked), () => import('./friends.js'));
  return html`
    ${
      chosen &&
      sheet &&
      html`
        <${sheet.Sheet}
          key=${chosen.name}
          game=${chosen}
          preset=${preset}
          close=${close}
          ...${shared}
        />
      `
    }
    ${
      asked &&
      asking &&
      html`
        <${asking.Friends}
          key=${`friends ${asked.name}`}
          game=${asked}
          open=${open}
          close=${() => ask(null)}
          ...${shared}
        />
      `
    }
  `;
}

/** The browser's offer to install the room as an app, and what shows it.
 * @type {Event & { prompt: () => void } | null} */
let offer = null;
/** @type {(now: typeof offer) => void} */
let show = () => {};
function keep(/** @type {Event | null} */ now) {
  offer = /** @type {typeof offer} */ (now);
  show(offer);
}
addEventListener('beforeinstallprompt', keep);

/** The offer, whenever it comes, until it is taken. */
function Install() {
  const [shown, setShown] = useState(offer);
  show = setShown;
  const install = () => {
    shown?.prompt();
    keep(null);
  };
  return (
    shown &&
    html`
      <button class="link" onClick=${install}>Install as an app</button>
      ${' · '}
    `
  );
}

/** The end of the page; the guest who may open the room to the network does so there.
 * @param {{ owns?: boolean, go: Go }} props */
const Foot = ({ owns, go }) => html`
  <footer class="foot-note small quiet">
    ${
      owns &&
      html`
        <${Owner} />
      `
    }
    <${Forgetting} />
    An unofficial project. The games belong to their designers and publishers.${' '}
    <${Install} />
    <a class="link" href="/you">Your games</a>
    ${' · '}
    <a class="link" href="/privacy" onClick=${goTo('/privacy', go)}>Your data</a>
    ${' · '}
    <a class="link" href="/api/openapi.json">For programs</a>
  </footer>
`;

/** The line that the keeper of the room has announced. @param {{ tables: Tables | null }} props */
const Notice = ({ tables }) =>
  (tables?.notice || tables?.holds) &&
  html`
    <p class="note" role="status">${tables.notice || 'No new tables are opened at the moment.'}</p>
  `;

const OFFERS = { open: 'Play', begun: 'Go on', over: 'Result', gone: 'Look' };

/** The deal of the day, if the room has one.
 * @param {{ today: Stamp | null, go: Go }} props */
const Today = ({ today, go }) =>
  today &&
  html`
    <p class="note today-line">
      <span>
        <b>Deal of the day</b>
        ${` No. ${today.deal}: ${today.title}, the same cards for everybody.`}
      </span>
      <a class="btn slim" href="/today" onClick=${goTo('/today', go)}>
        ${OFFERS[/** @type {keyof typeof OFFERS} */ (today.state)]}
        <span class="sr">${` the deal of the day`}</span>
      </a>
    </p>
  `;

/** @param {{ game?: string, preset?: string, go: Go }} props game and preset: of the sheet that is
 * open, if one is */
export function Lobby({ game = '', preset = '', go }) {
  /** @type {Stateful<GameFacts[] | null>} */ const [games, setGames] = useState(null);
  const [problem, setProblem] = useState('');
  const [refusal, refused] = useState('');
  const { tables, turns, look } = useTables();
  const missed = useMissing();
  const { asked, ...opening } = useOpening(go);
  const mine = tables?.mine ?? [];
  const others = tables?.open ?? [];
  const notices = Boolean(tables?.notices);
  const listed = mine.length + others.length > 0 || notices;
  const lists = useModule(listed, () => import('./tickets.js'));
  // all comes at once, so that nothing is moved by what comes later
  const known = useRef(false);
  known.current ||= Boolean(games && (tables || missed) && (lists || !listed));
  useEffect(() => {
    once('/api/games').then(setGames, (reason) => setProblem(reason.message));
  }, []);
  useEffect(() => opening.ask(null), [game]);
  const chosen = games?.find((one) => one.name === game);
  const covered = Boolean(chosen && isNarrow());
  const close = () => {
    go('/', true);
    /** @type {HTMLElement | null} */ (
      document.querySelector(`[data-game="${CSS.escape(game)}"] a`)
    )?.focus();
  };
  const showTables = () => {
    opening.ask(null);
    if (game) go('/', true);
    scrollTo(0, 0);
  };
  const shared = { ...opening, showTables, go };
  return html`
    <div class="page" data-sheet=${chosen ? true : undefined}>
      <${Header} playing=${tables?.playing} inert=${covered} refused=${refused} go=${go} />
      <main class="lobby" data-tables=${others.length > 0 || undefined} inert=${covered}>
        <p class="what">Card games for you and your friends. No account.</p>
        <${Notice} tables=${tables} />
        ${
          (problem || refusal) &&
          html`
            <${Problem} problem=${problem || refusal} />
          `
        }
        ${
          lists &&
          (known.current || problem) &&
          html`
            <${lists.Own} mine=${mine} go=${go} cleared=${look} />
          `
        }
        <${Today} today=${known.current && tables?.today} go=${go} />
        <${Evenings} evenings=${tables?.evenings ?? {}} go=${go} />
        <${Shelf}
          key=${known.current ? 'games' : 'blanks'}
          games=${known.current ? games : null}
          mine=${mine}
          busier=${turns > 0}
          chosen=${chosen?.name ?? asked?.name}
          ...${shared}
        />
        ${
          lists &&
          html`
            <${lists.OtherTables}
              mine=${mine}
              open=${others}
              notices=${notices}
              go=${go}
              cleared=${look}
            />
          `
        }
      </main>
      <${Over} ...${{ ...shared, chosen, preset, close, asked }} />
      <${Foot} owns=${tables?.is_owner} go=${go} />
    </div>
  `;
}
