// The form for a new table: players, rules, seats, and every option that the game's schema names.
import { html, useMemo, useState } from './vendor/htm-preact.js';
import { Icon } from './card.js';
import { openTable } from './kept.js';
import { title, words } from './shelf.js';
import { INKS } from './top.js';

/** A schema, or the one that it refers to. */
const kinds = (schema, root) => {
  if (schema.$ref) return kinds(root.$defs[schema.$ref.split('/').at(-1)], root);
  return schema;
};

/** Numbers from `minimum` to `maximum`. @param {any} schema */
const range = ({ minimum, maximum }) =>
  Array.from({ length: maximum - minimum + 1 }, (_, n) => minimum + n);

/** One of several values. @param {any} props */
const Select = ({ value, values, onChange }) => html`
  <select value=${value} onChange=${(event) => onChange(event.currentTarget.value)}>
    ${values.map(
      (one) => html`
        <option value=${one}>${words(String(one))}</option>
      `,
    )}
  </select>
`;

/** A whole number, or one of a few words. @param {any} props */
function NumberInput({ number, choices, shown, set }) {
  const read = (typed) =>
    choices.includes(typed) ? typed : typed === '' ? undefined : Number(typed);
  if (choices.length && number.maximum - number.minimum <= 12) {
    const values = [...choices, ...range(number)];
    return html`
      <${Select} value=${shown} values=${values} onChange=${(typed) => set(read(typed))} />
    `;
  }
  const limits = `${number.minimum ?? ''}–${number.maximum ?? ''}`;
  return html`
    <input
      inputmode=${choices.length ? 'text' : 'numeric'}
      value=${shown ?? ''}
      placeholder=${[...choices, limits].join(' or ')}
      onChange=${(event) => set(read(event.currentTarget.value.trim()))}
    />
  `;
}

/** Whatever has no input of its own is typed as JSON. @param {any} props */
function Typed({ shown, set }) {
  const read = (event) => {
    try {
      set(JSON.parse(event.currentTarget.value));
    } catch {
      set(undefined);
    }
  };
  return html`
    <input value=${JSON.stringify(shown) ?? ''} onChange=${read} />
  `;
}

/** A file, whose text is the value. @param {any} props */
function TextFile({ set }) {
  const read = (event) => {
    const [file] = event.currentTarget.files ?? [];
    if (file) file.text().then(set);
    else set(undefined);
  };
  return html`
    <input type="file" accept=".toml,text/*" onChange=${read} />
  `;
}

/** @param {any} props */
const Checkbox = ({ checked, set }) => html`
  <input
    type="checkbox"
    checked=${checked}
    onChange=${(event) => set(event.currentTarget.checked)}
  />
`;

/** The input for a value, as the schema describes it. @param {any} props */
function Value({ schema, value, set }) {
  const shown = value ?? schema.default;
  if (schema.format === 'file') {
    return html`
      <${TextFile} set=${set} />
    `;
  }
  if (schema.type === 'boolean') {
    return html`
      <${Checkbox} checked=${shown} set=${set} />
    `;
  }
  if (schema.enum) {
    return html`
      <${Select} value=${shown} values=${schema.enum} onChange=${set} />
    `;
  }
  const sorts = schema.anyOf ?? [];
  const choices = sorts.flatMap((one) => one.enum ?? []);
  const number = schema.type === 'integer' ? schema : sorts.find((one) => one.type === 'integer');
  if (!number) {
    return html`
      <${Typed} shown=${shown} set=${set} />
    `;
  }
  return html`
    <${NumberInput} number=${number} choices=${choices} shown=${shown} set=${set} />
  `;
}

/** @param {any} props */
const Option = ({ name, note, children }) => html`
  <label class="option">
    <span>
      ${name}
      <small class="quiet">${note}</small>
    </span>
    ${children}
  </label>
`;

/** The bot that sits down where nothing else is wished. */
const USUAL = 'greedy';
const CLOCKS = [
  [0, 'no clock'],
  [30, '30 s a move'],
  [90, '90 s a move'],
  [86400, 'a day a move'],
];
const WAITS =
  'The deal waits until everybody has shown theirs; else it goes on without those who do not, ' +
  'and names them.';

/** What the form has before anything is chosen. @param {any} game */
const fresh = (game) => ({
  preset: game.presets[0].name,
  players: game.usual_players,
  chairs: /** @type {string[]} */ ([]),
  options: /** @type {Record<string, any>} */ ({}),
  listed: true,
  clock: 0,
  waits: true,
});

/** @param {any} props */
export function NewTable({ game, go }) {
  const [wishes, keep] = useState(() => fresh(game));
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const wish = (more) => keep((last) => ({ ...last, ...more }));
  const { players, preset, options } = wishes;
  const seats = Array.from({ length: players }, (_, seat) => who(wishes.chairs, seat));
  const start = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    const { listed, clock, waits } = wishes;
    const rules = { game: game.name, preset, options: { ...options, players } };
    try {
      const asked = { ...rules, chairs: seats, listed, clock, waits };
      go(`/t/${(await openTable(asked)).id}`);
    } catch (reason) {
      setProblem(/** @type {Error} */ (reason).message);
      setBusy(false);
    }
  };
  return html`
    <form class="make form" onSubmit=${start} aria-label=${`New table of ${game.title}`}>
      <h2>New table · ${game.title}</h2>
      <${Players} game=${game} players=${players} wish=${wish} />
      <${Presets} game=${game} preset=${preset} wish=${wish} />
      <${Chairs} game=${game} chairs=${wishes.chairs} seats=${seats} wish=${wish} />
      <${Options} game=${game} wishes=${wishes} wish=${wish} />
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

/** @param {any} props */
function Players({ game, players, wish }) {
  const [low, high] = game.players;
  if (low === high) return null;
  return html`
    <fieldset class="seg">
      <legend>Players</legend>
      ${range({ minimum: low, maximum: high }).map(
        (n) => html`
          <label key=${n}>
            <input
              type="radio"
              name="players"
              checked=${players === n}
              onChange=${() => wish({ players: n })}
            />
            <span>${n}</span>
          </label>
        `,
      )}
    </fieldset>
  `;
}

/** What a preset changes, in words. */
const changes = (preset) =>
  Object.entries(preset.options)
    .filter(([name]) => name !== 'players')
    .map(([name, value]) => `${words(name)}: ${words(String(value))}`)
    .join(', ') || 'as printed';

/** @param {any} props */
function Presets({ game, preset, wish }) {
  const choose = ({ name, options }) =>
    wish(options.players ? { preset: name, players: options.players } : { preset: name });
  return html`
    <fieldset class="presets">
      <legend>Rules</legend>
      ${game.presets.map(
        (one) => html`
          <label class="preset" key=${one.name}>
            <input
              type="radio"
              name="preset"
              checked=${preset === one.name}
              onChange=${() => choose(one)}
            />
            <span>
              <b>${title(one.name)}</b>
              <small class="quiet">${changes(one)}</small>
            </span>
          </label>
        `,
      )}
    </fieldset>
  `;
}

/** Who sits on a chair. @param {string[]} chairs @param {number} seat */
const who = (chairs, seat) => chairs[seat] ?? (seat === 0 ? 'you' : USUAL);

/** @param {any} props */
function Chairs({ game, chairs, seats, wish }) {
  const sorts = [USUAL, 'person', ...game.bots.filter((bot) => bot !== USUAL)];
  const next = (plays) => sorts[(sorts.indexOf(plays) + 1) % sorts.length];
  const turn = (seat) => {
    const all = Array.from({ length: game.players[1] }, (_, n) => who(chairs, n));
    wish({ chairs: all.map((plays, n) => (n === seat ? next(plays) : plays)) });
  };
  return html`
    <fieldset class="chairs">
      <legend>Seats</legend>
      <ol>
        ${seats.map(
          (plays, seat) => html`
            <${Chair} key=${seat} seat=${seat} plays=${plays} turn=${() => turn(seat)} />
          `,
        )}
      </ol>
      <small class="quiet">
        ${seats.length > 1 ? 'Tap a seat to change who sits there.' : 'You play alone.'}
      </small>
    </fieldset>
  `;
}

/** @param {any} props */
function Chair({ seat, plays, turn }) {
  const person = plays === 'person';
  const you = plays === 'you';
  const letter = person ? '+' : plays[0].toUpperCase();
  return html`
    <li>
      <button
        type="button"
        class="chair"
        disabled=${you}
        onClick=${turn}
        aria-label=${`Seat ${seat + 1}: ${person ? 'open by link' : plays}`}
      >
        <span
          class="face"
          data-bot=${(!person && !you) || undefined}
          data-free=${person || undefined}
          style=${{ '--who': INKS[seat] }}
        >
          ${letter}
        </span>
        <b>${person ? 'open' : plays}</b>
        <small class="quiet">${person ? 'by link' : you ? '' : 'bot'}</small>
      </button>
    </li>
  `;
}

/** @param {any} props */
function Options({ game, wishes, wish }) {
  const { options, clock, waits, listed } = wishes;
  const schema = useMemo(() => kinds(game.options, game.options), [game]);
  const fixed = game.presets.find((one) => one.name === wishes.preset)?.options ?? {};
  const changed = Object.keys(options).filter((name) => options[name] !== undefined).length;
  const asked = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'players');
  const field = ([name, one]) => {
    const kind = { ...kinds(one, game.options), default: fixed[name] ?? one.default };
    const set = (value) => wish({ options: { ...options, [name]: value } });
    return html`
      <${Option} key=${name} name=${title(name)} note=${one.description ?? kind.description ?? ''}>
        <${Value} schema=${kind} value=${options[name]} set=${set} />
      <//>
    `;
  };
  return html`
    <details>
      <summary>
        All rules${' '}
        <span class="quiet">${changed ? `${changed} changed` : 'as the preset says'}</span>
        <${Icon} name="down" />
      </summary>
      <div class="options">
        ${asked.map(field)}
        <${Option} name="Clock" note="When it runs out, a bot makes the move.">
          <select
            value=${clock}
            onChange=${(event) => wish({ clock: Number(event.currentTarget.value) })}
          >
            ${CLOCKS.map(
              ([seconds, say]) => html`
                <option value=${seconds}>${say}</option>
              `,
            )}
          </select>
        <//>
        <${Option} name="Wait for every number" note=${WAITS}>
          <${Checkbox} checked=${waits} set=${(value) => wish({ waits: value })} />
        <//>
        <${Option} name="Listed" note="Others see the table in the lobby.">
          <${Checkbox} checked=${listed} set=${(value) => wish({ listed: value })} />
        <//>
      </div>
    </details>
  `;
}
