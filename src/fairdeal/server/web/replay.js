// A finished game, move by move: step, scrub, link to a moment, play on from it.
import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor/htm-preact.js';
import { get, once, post, skin as loadSkin, sprite } from './api.js';
import { Icon } from './card.js';
import { Centre } from './centre.js';
import { places, travel, turnedBack } from './flip.js';
import { Panel } from './panel.js';
import { Prompt } from './prompt.js';
import { Me, Seat } from './seat.js';
import { Zone } from './zone.js';

/** @param {any} props */
export function Replay({ id, move, go }) {
  const [facts, setFacts] = useState(/** @type {any} */ (null));
  const [moment, setMoment] = useState(/** @type {any} */ (null));
  const [log, setLog] = useState(/** @type {any[]} */ ([]));
  const [look, setLook] = useState(/** @type {any} */ (null));
  const [seat, setSeat] = useState(/** @type {number | null} */ (null));
  const [playing, setPlaying] = useState(false);
  const [problem, setProblem] = useState('');
  const [tab, setTab] = useState('log');
  const [drawer, setDrawer] = useState(false);
  const [clause, setClause] = useState('');
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const was = useRef(/** @type {any} */ (null));
  const viewer = seat ?? facts?.seat ?? -1;

  useEffect(() => {
    Promise.all([
      get(`/api/tables/${id}`),
      once('/api/games'),
      once(`/api/tables/${id}/faces`),
    ]).then(
      ([found, games, faces]) => {
        setFacts(found);
        loadSkin(found.game);
        sprite(`/games/${found.game}/emblems.svg`);
        setLook({ faces, skin: games.find((game) => game.name === found.game).skin });
      },
      (reason) => setProblem(reason.message),
    );
  }, [id]);
  useEffect(() => {
    if (!facts) return;
    once(`/api/tables/${id}/moments/${move}?seat=${viewer}`).then(
      (found) => {
        was.current = places(root.current);
        setMoment(found);
      },
      (reason) => setProblem(reason.message),
    );
    once(`/api/tables/${id}/moments/${move + 1}?seat=${viewer}`).catch(() => 0);
  }, [facts, move, viewer]);
  useEffect(() => {
    if (facts) {
      once(`/api/tables/${id}/moments/0?seat=${viewer}&log=1`).then(
        (found) => setLog(found.log),
        () => 0,
      );
    }
  }, [facts, viewer]);
  useLayoutEffect(() => {
    if (was.current) travel(root.current, was.current, undefined);
    was.current = null;
  }, [moment]);

  const last = moment?.moves ?? 0;
  const to = (wanted) => {
    const next = Math.max(0, Math.min(last, wanted));
    if (next !== move) go(`/t/${id}?move=${next}`, true);
  };
  useEffect(() => {
    if (!playing) return undefined;
    if (move >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => to(move + 1), 900);
    return () => clearTimeout(timer);
  }, [playing, move, last]);
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      if (/** @type {HTMLElement} */ (event.target).closest('input, select')) return;
      if (event.key === 'ArrowRight') to(move + 1);
      else if (event.key === 'ArrowLeft') to(move - 1);
      else if (
        event.key === ' ' &&
        !(/** @type {HTMLElement} */ (event.target).closest('button'))
      ) {
        event.preventDefault();
        setPlaying(!playing);
      }
    };
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  });

  if (problem) {
    return html`
      <main class="nothing">
        <h1>No replay</h1>
        <p>${problem}</p>
        <a class="btn main" href=${`/t/${id}`}>To the table</a>
      </main>
    `;
  }
  if (!facts || !moment || !look) {
    return html`
      <main class="nothing"><p>Dealing …</p></main>
    `;
  }
  const scene = {
    ...moment.scene,
    prompt: {
      mode: 'replay',
      text: moment.scene.events?.map((event) => event.text).join(' ') || 'The deal',
      sub: `You are looking at move ${move} of ${last}.`,
    },
  };
  const linger = turnedBack(scene);
  const fresh = new Set(linger.keys());
  const table = {
    scene,
    facts,
    log,
    chat: [],
    unread: 0,
    skew: 0,
    clause,
    faces: look.faces,
    skin: look.skin,
    choices: new Map(),
    chosen: new Set(),
    aim: new Set(),
    hint: new Set(),
    linger,
    fresh,
    asking: false,
    pick() {},
    takeBack() {},
    why() {},
    say() {},
    ask() {},
    openRules: (wanted) => {
      setClause(wanted);
      setTab('rules');
      setDrawer(true);
    },
    onMoment: (number) => to(number),
  };
  const seats = scene.seats ?? [];
  const zones = scene.zones ?? [];
  const rivals = seats
    .map((_, number) => seats[(Math.max(viewer, -1) + 1 + number) % seats.length])
    .filter((one) => one.seat !== viewer);
  const at = (place) => zones.filter((zone) => zone.place === place);
  const mine = seats.find((one) => one.seat === viewer);
  const from = viewer >= 0 ? viewer : 0;
  const branch = () =>
    post(`/api/tables/${id}/branch`, { move, seat: from }).then(
      (found) => go(`/t/${found.id}`),
      (reason) => setProblem(reason.message),
    );
  return html`
    <div
      class="app"
      data-skin=${look.skin.name}
      data-drawer=${drawer || undefined}
      style=${{
        '--cloth-day': look.skin.cloth[0],
        '--cloth-night': look.skin.cloth[1],
        '--cloth-2-day': look.skin.cloth_2[0],
        '--cloth-2-night': look.skin.cloth_2[1],
      }}
    >
      <header class="top">
        <a
          class="logo"
          href="/"
          aria-label="To the shelf"
          onClick=${(event) => {
            event.preventDefault();
            go('/');
          }}
        >
          <${Icon} name="fair-mark" />
        </a>
        <h1>${facts.title}</h1>
        <span class="sub">replay</span>
        <span class="gap-x"></span>
        <label class="pill hide-s">
          seen by${' '}
          <select value=${viewer} onChange=${(event) => setSeat(Number(event.currentTarget.value))}>
            <option value="-1">the public</option>
            ${facts.chairs.map(
              (chair) => html`
                <option value=${chair.seat}>${chair.name}</option>
              `,
            )}
          </select>
        </label>
        <button class="btn icon" aria-label="Log and more" onClick=${() => setDrawer(!drawer)}>
          <${Icon} name="menu" />
        </button>
      </header>
      <main class="table" ref=${root} aria-label="Replay">
        <div
          class="rivals"
          data-many=${rivals.length > 4 || undefined}
          data-one=${rivals.length === 1 || undefined}
        >
          ${rivals.map(
            (one) => html`
              <${Seat} key=${one.seat} seat=${one} table=${table} open=${rivals.length === 1} />
            `,
          )}
        </div>
        <div class="field">
          <${Centre} zones=${at('centre')} headline=${scene.headline} table=${table} />
          <div class="mine">
            ${at('own')
              .filter((zone) => zone.cards?.length || zone.slots)
              .map(
                (zone) => html`
                  <${Zone} key=${zone.id} zone=${zone} table=${table} />
                `,
              )}
          </div>
        </div>
        <div class="dock">
          <${Prompt} table=${table} />
          <div class="scrub">
            <button class="btn icon" aria-label="Back one move" onClick=${() => to(move - 1)}>
              <${Icon} name="prev" />
            </button>
            <button
              class="btn icon"
              aria-label=${playing ? 'Stop' : 'Play'}
              onClick=${() => setPlaying(!playing)}
            >
              <${Icon} name=${playing ? 'x' : 'play'} />
            </button>
            <button class="btn icon" aria-label="Forward one move" onClick=${() => to(move + 1)}>
              <${Icon} name="next" />
            </button>
            <input
              type="range"
              min="0"
              max=${last}
              value=${move}
              aria-label="Move"
              onInput=${(event) => to(Number(event.currentTarget.value))}
            />
            ${move < last &&
            html`
              <button class="btn" onClick=${branch}>Play on from here</button>
            `}
            <a class="btn hide-s" href=${`/api/tables/${id}/log`} download>Log</a>
          </div>
          ${mine &&
          html`
            <div class="own">
              <${Me} seat=${mine} />
              ${at('hand').map(
                (zone) => html`
                  <${Zone} key=${zone.id} zone=${zone} table=${table} />
                `,
              )}
            </div>
          `}
        </div>
      </main>
      ${drawer &&
      html`
        <div class="scrim" onClick=${() => setDrawer(false)}></div>
      `}
      <${Panel}
        table=${table}
        tab=${tab}
        setTab=${setTab}
        close=${drawer ? () => setDrawer(false) : undefined}
      />
    </div>
  `;
}
