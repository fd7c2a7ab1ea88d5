// The lobby: the shelf, a new table, tables that are open, and your own.
import { html, useEffect, useMemo, useState } from './vendor/htm-preact.js';
import { get, once, post, put, remove, text } from './api.js';
import { Icon } from './card.js';
import { openTable } from './kept.js';
import { INKS } from './seat.js';

const span = ([low, high]) => (low === high ? String(low) : `${low}–${high}`);
const words = (name) => name.replaceAll('_', ' ').replaceAll('-', ' ');
const seated = ([low, high]) => `${span([low, high])} ${high === 1 ? 'player' : 'players'}`;
const title = (name) => words(name).replace(/^./, (letter) => letter.toUpperCase());

/** A cover, drawn by the game; that of the box it comes in, if asked for. @param {any} props */
function Cover({ game, small, box }) {
  const [drawing, setDrawing] = useState('');
  const file = box ? 'box' : 'cover';
  const own = `${small ? 't' : 'c'}-${file}-${game}-`;
  useEffect(() => {
    text(`/games/${game}/${file}.svg`).then(
      (svg) =>
        setDrawing(
          svg
            .replace('<svg ', '<svg class="cover" ')
            .replaceAll('id="', `id="${own}`)
            .replaceAll('href="#', `href="#${own}`),
        ),
      () => setDrawing(''),
    );
  }, [game]);
  return html`
    <span
      class=${small ? 'thumb' : 'lid'}
      aria-hidden="true"
      dangerouslySetInnerHTML=${{
        __html: drawing || '<svg class="cover blank" viewBox="0 0 240 320"></svg>',
      }}
    ></span>
  `;
}

/** Who you are to the others: a nickname, nothing else. */
export function Who() {
  const [name, setName] = useState('');
  const [editing, setEditing] = useState(false);
  useEffect(() => {
    get('/api/me').then(
      (me) => setName(me.name),
      () => 0,
    );
  }, []);
  const keep = (event) => {
    event.preventDefault();
    post('/api/me', { name: new FormData(event.currentTarget).get('name') }).then((me) => {
      setName(me.name);
      setEditing(false);
    });
  };
  if (editing) {
    return html`
      <form class="whoami" onSubmit=${keep}>
        <input
          name="name"
          aria-label="Your name"
          maxlength="24"
          defaultValue=${name === 'Guest' ? '' : name}
          placeholder="Your name"
          autofocus
        />
        <button class="btn main">Keep</button>
      </form>
    `;
  }
  return html`
    <button class="btn bare" onClick=${() => setEditing(true)} title="Change your name">
      <span class="face" style=${{ '--who': INKS[0] }}>${(name || '?')[0]}</span>
      ${name}
    </button>
  `;
}

const kinds = (schema, root) => {
  if (schema.$ref) return kinds(root.$defs[schema.$ref.split('/').at(-1)], root);
  return schema;
};

/** One option as the schema describes it. @param {any} props */
function OptionField({ name, schema, value, set }) {
  const label = html`
    <span>
      ${title(name)}
      <small class="quiet">${schema.description ?? ''}</small>
    </span>
  `;
  const shown = value ?? schema.default;
  if (schema.format === 'file') {
    return html`
      <label class="option">
        ${label}
        <input
          type="file"
          accept=".toml,text/*"
          onChange=${(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) file.text().then(set);
            else set(undefined);
          }}
        />
      </label>
    `;
  }
  if (schema.type === 'boolean') {
    return html`
      <label class="option">
        ${label}
        <input
          type="checkbox"
          checked=${shown}
          onChange=${(event) => set(event.currentTarget.checked)}
        />
      </label>
    `;
  }
  if (schema.enum) {
    return html`
      <label class="option">
        ${label}
        <select value=${shown} onChange=${(event) => set(event.currentTarget.value)}>
          ${schema.enum.map(
            (one) => html`
              <option value=${one}>${words(String(one))}</option>
            `,
          )}
        </select>
      </label>
    `;
  }
  const choices = (schema.anyOf ?? []).flatMap((one) => one.enum ?? []);
  const number =
    schema.type === 'integer' ? schema : (schema.anyOf ?? []).find((one) => one.type === 'integer');
  if (number) {
    const read = (typed) =>
      choices.includes(typed) ? typed : typed === '' ? undefined : Number(typed);
    if (choices.length && number.maximum - number.minimum <= 12) {
      const all = [
        ...choices,
        ...Array.from(
          { length: number.maximum - number.minimum + 1 },
          (_, n) => number.minimum + n,
        ),
      ];
      return html`
        <label class="option">
          ${label}
          <select value=${shown} onChange=${(event) => set(read(event.currentTarget.value))}>
            ${all.map(
              (one) => html`
                <option value=${one}>${words(String(one))}</option>
              `,
            )}
          </select>
        </label>
      `;
    }
    return html`
      <label class="option">
        ${label}
        <input
          inputmode=${choices.length ? 'text' : 'numeric'}
          value=${shown ?? ''}
          placeholder=${[...choices, `${number.minimum ?? ''}–${number.maximum ?? ''}`].join(
            ' or ',
          )}
          onChange=${(event) => set(read(event.currentTarget.value.trim()))}
        />
      </label>
    `;
  }
  return html`
    <label class="option">
      ${label}
      <input
        value=${JSON.stringify(shown) ?? ''}
        onChange=${(event) => {
          try {
            set(JSON.parse(event.currentTarget.value));
          } catch {
            set(undefined);
          }
        }}
      />
    </label>
  `;
}

/** The bot that sits down where nothing else is wished. */
const USUAL = 'greedy';
const CLOCKS = [
  [0, 'no clock'],
  [30, '30 s a move'],
  [90, '90 s a move'],
  [86400, 'a day a move'],
];

/** @param {any} props */
function NewTable({ game, go }) {
  const [preset, setPreset] = useState(game.presets[0].name);
  const fixed = game.presets.find((one) => one.name === preset)?.options ?? {};
  const [players, setPlayers] = useState(game.usual_players);
  const [chairs, setChairs] = useState(/** @type {string[]} */ ([]));
  const [options, setOptions] = useState(/** @type {Record<string, any>} */ ({}));
  const [listed, setListed] = useState(true);
  const [clock, setClock] = useState(0);
  const [waits, setWaits] = useState(true);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const [low, high] = game.players;
  const schema = useMemo(() => kinds(game.options, game.options), [game]);
  const choose = (name) => {
    setPreset(name);
    const wanted = game.presets.find((one) => one.name === name)?.options.players;
    if (wanted) setPlayers(wanted);
  };
  const chair = (seat) => chairs[seat] ?? (seat === 0 ? 'you' : USUAL);
  const sorts = [USUAL, 'person', ...game.bots.filter((bot) => bot !== USUAL)];
  const turn = (seat) =>
    setChairs(
      Array.from({ length: high }, (_, n) =>
        n === seat ? sorts[(sorts.indexOf(chair(n)) + 1) % sorts.length] : chair(n),
      ),
    );
  const seats = Array.from({ length: players }, (_, seat) => chair(seat));
  const changed = Object.keys(options).filter((name) => options[name] !== undefined).length;
  const start = (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    openTable({
      game: game.name,
      preset,
      options: { ...options, players },
      chairs: seats,
      listed,
      clock,
      waits,
    }).then(
      (found) => go(`/t/${found.id}`),
      (reason) => {
        setProblem(reason.message);
        setBusy(false);
      },
    );
  };
  return html`
    <form class="make form" onSubmit=${start} aria-label=${`New table of ${game.title}`}>
      <h2>New table · ${game.title}</h2>
      ${low !== high &&
      html`
        <fieldset class="seg">
          <legend>Players</legend>
          ${Array.from({ length: high - low + 1 }, (_, n) => low + n).map(
            (n) => html`
              <label key=${n}>
                <input
                  type="radio"
                  name="players"
                  checked=${players === n}
                  onChange=${() => setPlayers(n)}
                />
                <span>${n}</span>
              </label>
            `,
          )}
        </fieldset>
      `}
      <fieldset class="presets">
        <legend>Rules</legend>
        ${game.presets.map(
          (one) => html`
            <label class="preset" key=${one.name}>
              <input
                type="radio"
                name="preset"
                checked=${preset === one.name}
                onChange=${() => choose(one.name)}
              />
              <span>
                <b>${title(one.name)}</b>
                <small class="quiet">
                  ${Object.entries(one.options)
                    .filter(([name]) => name !== 'players')
                    .map(([name, value]) => `${words(name)}: ${words(String(value))}`)
                    .join(', ') || 'as printed'}
                </small>
              </span>
            </label>
          `,
        )}
      </fieldset>
      <fieldset class="chairs">
        <legend>Seats</legend>
        <ol>
          ${seats.map(
            (plays, seat) => html`
              <li key=${seat}>
                <button
                  type="button"
                  class="chair"
                  disabled=${plays === 'you'}
                  onClick=${() => turn(seat)}
                  aria-label=${`Seat ${seat + 1}: ${plays === 'person' ? 'open by link' : plays}`}
                >
                  <span
                    class="face"
                    data-bot=${(plays !== 'person' && plays !== 'you') || undefined}
                    data-free=${plays === 'person' || undefined}
                    style=${{ '--who': INKS[seat] }}
                  >
                    ${plays === 'person' ? '+' : plays === 'you' ? 'Y' : plays[0].toUpperCase()}
                  </span>
                  <b>${plays === 'person' ? 'open' : plays}</b>
                  <small class="quiet">
                    ${plays === 'person' ? 'by link' : plays === 'you' ? '' : 'bot'}
                  </small>
                </button>
              </li>
            `,
          )}
        </ol>
        <small class="quiet">
          ${players > 1 ? 'Tap a seat to change who sits there.' : 'You play alone.'}
        </small>
      </fieldset>
      <details>
        <summary>
          All rules${' '}
          <span class="quiet">${changed ? `${changed} changed` : 'as the preset says'}</span>
          <${Icon} name="down" />
        </summary>
        <div class="options">
          ${Object.entries(schema.properties ?? {})
            .filter(([name]) => name !== 'players')
            .map(
              ([name, one]) => html`
                <${OptionField}
                  key=${name}
                  name=${name}
                  schema=${{
                    ...kinds(one, game.options),
                    ...(one.description ? { description: one.description } : {}),
                    default: fixed[name] ?? one.default,
                  }}
                  value=${options[name]}
                  set=${(value) => setOptions({ ...options, [name]: value })}
                />
              `,
            )}
          <label class="option">
            <span>
              Clock
              <small class="quiet">When it runs out, a bot makes the move.</small>
            </span>
            <select
              value=${clock}
              onChange=${(event) => setClock(Number(event.currentTarget.value))}
            >
              ${CLOCKS.map(
                ([seconds, say]) => html`
                  <option value=${seconds}>${say}</option>
                `,
              )}
            </select>
          </label>
          <label class="option">
            <span>
              Wait for every number
              <small class="quiet">
                The deal waits until everybody has shown theirs; else it goes on without those who
                do not, and names them.
              </small>
            </span>
            <input
              type="checkbox"
              checked=${waits}
              onChange=${(event) => setWaits(event.currentTarget.checked)}
            />
          </label>
          <label class="option">
            <span>
              Listed
              <small class="quiet">Others see the table in the lobby.</small>
            </span>
            <input
              type="checkbox"
              checked=${listed}
              onChange=${(event) => setListed(event.currentTarget.checked)}
            />
          </label>
        </div>
      </details>
      ${problem &&
      html`
        <p class="bad" role="alert">${problem}</p>
      `}
      <button class="btn lit wide" disabled=${busy}>
        ${seats.includes('person') ? 'Open the table' : 'Play'}
      </button>
    </form>
  `;
}

function TableRow({ facts, go }) {
  const mine = facts.seat >= 0;
  const turn = mine && facts.acts?.includes(facts.seat) && facts.status === 'running';
  const free = facts.chairs.filter((chair) => !chair.taken).length;
  const what = facts.readable_only
    ? 'Read'
    : turn
      ? 'Your turn'
      : facts.status === 'over'
        ? 'Result'
        : mine
          ? 'Go on'
          : free && facts.status === 'open'
            ? 'Join'
            : 'Watch';
  const others = facts.chairs
    .filter((chair) => chair.taken && !chair.you)
    .map((chair) => chair.name)
    .join(', ');
  return html`
    <li class="open">
      <${Cover} game=${facts.game} small=${true} />
      <span class="grow">
        <b>${mine ? `${facts.title}${others ? ` with ${others}` : ''}` : facts.name}</b>
        <small class="quiet">
          ${facts.readable_only
            ? facts.deal.header
              ? 'older rules, to read only'
              : facts.readable_only
            : facts.status === 'open'
              ? `${free} free`
              : facts.status === 'over'
                ? 'finished'
                : `move ${facts.seq ?? 0}`}${facts.clock ? ', with a clock' : ''}
        </small>
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
        onClick=${(event) => {
          event.preventDefault();
          go(`/t/${facts.id}`);
        }}
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

/** Games that look alike come in one box. @param {any[]} games @returns {any[][]} */
const boxes = (games) =>
  [...new Set(games.map((game) => game.look))].map((look) =>
    games.filter((game) => game.look === look),
  );

/** A box of several games: its lid, and when it is open, the games. @param {any} props */
function Box({ games, open, onOpen, draw }) {
  const name = title(games[0].skin.name);
  const all = games.flatMap((game) => game.players);
  return html`
    <li class="box" data-open=${open || undefined}>
      <button
        class="boxbutton"
        aria-expanded=${open ? 'true' : 'false'}
        onClick=${onOpen}
        aria-label=${`${name}, a box of ${games.length} games`}
      >
        <${Cover} game=${games[0].name} box=${true} />
      </button>
      <b>${name}</b>
      <span class="small">
        ${seated([Math.min(...all), Math.max(...all)])} · ${games.length} games
      </span>
      <span class="small quiet">${games.map((game) => within(game, name)).join(', ')}</span>
      <button class="btn" onClick=${onOpen}>
        <${Icon} name="down" />
        ${open ? 'Close the box' : 'Open the box'}
      </button>
    </li>
    ${open && games.map((game) => draw(game, name))}
  `;
}

/** A game's name inside its box, which need not say that of the box again. */
const within = (game, box) =>
  game.title.startsWith(`${box} `) ? game.title.slice(box.length + 1) : game.title;

/** @param {any} props */
export function Lobby({ go }) {
  const [games, setGames] = useState(/** @type {any[] | null} */ (null));
  const [chosen, setChosen] = useState('');
  const [tables, setTables] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState('');
  const [opened, setOpened] = useState('');
  useEffect(() => {
    document.title = 'fairdeal, an open card room';
    once('/api/games').then(
      (found) => {
        setGames(found);
        setChosen(found[0].name);
      },
      (reason) => setProblem(reason.message),
    );
  }, []);
  useEffect(() => {
    const look = () => {
      if (!document.hidden) {
        get('/api/lobby').then(
          (found) => {
            setTables(found);
            setProblem('');
          },
          () => setProblem('The room cannot be reached. Trying again.'),
        );
      }
    };
    look();
    const timer = setInterval(look, 4000);
    return () => clearInterval(timer);
  }, []);
  const turns =
    tables?.mine.filter((facts) => facts.status === 'running' && facts.acts?.includes(facts.seat))
      .length ?? 0;
  useEffect(() => {
    document.title = `${turns ? `● ${turns} to move · ` : ''}fairdeal, an open card room`;
  }, [turns]);
  const game = games?.find((one) => one.name === chosen);
  const quick = (one) => {
    setBusy(one.name);
    openTable({ game: one.name, listed: false }).then(
      (found) => go(`/t/${found.id}`),
      (reason) => {
        setProblem(reason.message);
        setBusy('');
      },
    );
  };
  const onShelf = (one, box = '') => html`
    <li
      key=${one.name}
      class="box"
      data-inside=${box || undefined}
      aria-current=${chosen === one.name ? 'true' : undefined}
    >
      <button
        class="boxbutton"
        aria-pressed=${chosen === one.name ? 'true' : 'false'}
        onClick=${() => setChosen(one.name)}
        aria-label=${`${one.title}, ${seated(one.players)}`}
      >
        <${Cover} game=${one.name} />
      </button>
      <b>${within(one, box)}</b>
      <span class="small">${seated(one.players)} · ${span(one.minutes)} min · ${one.weight}</span>
      <span class="small quiet">${one.blurb}</span>
      <span class="small quiet">by ${one.designer}, ${one.publisher}</span>
      <button class="btn lit" disabled=${busy === one.name} onClick=${() => quick(one)}>
        <${Icon} name="play" />
        Play now
      </button>
    </li>
  `;
  const code = (event) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('code') ?? '')
      .trim()
      .split('/')
      .at(-1);
    if (typed) go(`/t/${typed}`);
  };
  const mine = tables?.mine ?? [];
  const running = mine.filter((facts) => facts.status !== 'over');
  const over = mine.filter((facts) => facts.status === 'over').slice(0, 5);
  return html`
    <div class="page">
      <header class="top">
        <span class="logo"><${Icon} name="fair-mark" /></span>
        <h1>Fairdeal</h1>
        <span class="sub">an open card room</span>
        <span class="gap-x"></span>
        ${tables?.playing > 1 &&
        html`
          <span class="pill hide-s">
            <${Icon} name="users" />
            ${tables.playing} here
          </span>
        `}
        <form class="find hide-s" onSubmit=${code}>
          <${Icon} name="search" />
          <input name="code" aria-label="Join with a code or link" placeholder="Join with a code" />
        </form>
        <${Who} />
      </header>
      <main class="lobby">
        ${problem &&
        html`
          <p class="note" data-tone="bad" role="alert">
            <${Icon} name="x" />
            <span>${problem}</span>
          </p>
        `}
        <section class="shelf">
          <h2>The shelf</h2>
          <ul class="boxes">
            ${(games ? boxes(games) : Array.from({ length: 2 })).map((one, number) =>
              !one
                ? html`
                    <li key=${number}>
                      <span class="lid"><svg class="cover blank" viewBox="0 0 240 320"></svg></span>
                    </li>
                  `
                : one.length > 1
                  ? html`
                      <${Box}
                        key=${one[0].look}
                        games=${one}
                        open=${opened === one[0].look}
                        onOpen=${() => setOpened(opened === one[0].look ? '' : one[0].look)}
                        draw=${onShelf}
                      />
                    `
                  : onShelf(one[0]),
            )}
          </ul>
        </section>
        ${game &&
        html`
          <${NewTable} key=${game.name} game=${game} go=${go} />
        `}
        <section class="tables">
          ${running.length > 0 &&
          html`
            <h2>My tables</h2>
            <ul>
              ${running.map(
                (facts) => html`
                  <${TableRow} key=${facts.id} facts=${facts} go=${go} />
                `,
              )}
            </ul>
          `}
          <${Notices} />
          <h2>Open tables</h2>
          ${tables &&
          tables.open.length === 0 &&
          html`
            <p class="quiet">No open tables yet. Open one, or play a bot right away.</p>
          `}
          <ul>
            ${(tables?.open ?? []).map(
              (facts) => html`
                <${TableRow} key=${facts.id} facts=${facts} go=${go} />
              `,
            )}
          </ul>
          ${over.length > 0 &&
          html`
            <h2>Finished</h2>
            <ul>
              ${over.map(
                (facts) => html`
                  <${TableRow} key=${facts.id} facts=${facts} go=${go} />
                `,
              )}
            </ul>
          `}
        </section>
      </main>
      <footer class="foot-note small quiet">
        An unofficial project. The games belong to their designers and publishers.${' '}
        <a class="link" href="/api/openapi.json">For programs</a>
      </footer>
    </div>
  `;
}
