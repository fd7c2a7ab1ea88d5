// All options of a game, as its schema names them, and those of the table itself.
import { html, useMemo } from '../vendor/htm-preact.js';
import { Icon } from '../kit/card.js';
import { RATED, title, words } from '../kit/words.js';

/** @import { GameFacts, OnInput, OnSelect } from '../types.js'
 * @import { Wish, Wishes } from './wishes.js' */

/** The schema of an option.
 * @typedef {{ $ref?: string, $defs?: Record<string, Schema>, type?: string, format?: string,
 *   title?: string, description?: string, default?: unknown, enum?: string[], anyOf?: Schema[],
 *   minimum?: number, maximum?: number, seat?: boolean, words?: Record<string, string>,
 *   properties?: Record<string, Schema> }} Schema
 * @typedef {{ minimum: number, maximum: number }} Limits
 * @typedef {(value: unknown) => void} Set */

/** A schema, or the one that it refers to.
 * @param {Schema} schema @param {Schema} root @returns {Schema} */
const kinds = (schema, root) => {
  const name = /** @type {string} */ (schema.$ref?.split('/').at(-1));
  return name ? kinds(/** @type {Record<string, Schema>} */ (root.$defs)[name], root) : schema;
};

/** The options that differ from print, or from what a preset changes of it.
 * @param {GameFacts} game @param {Record<string, unknown>} options
 * @param {Record<string, unknown>} [preset] */
export function differing(game, options, preset = {}) {
  const fields = kinds(game.options, game.options).properties ?? {};
  const before = (/** @type {string} */ name) => preset[name] ?? fields[name]?.default;
  return Object.keys(options).filter(
    (name) =>
      options[name] !== undefined && JSON.stringify(options[name]) !== JSON.stringify(before(name)),
  );
}

/** Numbers from `minimum` to `maximum`. @param {Limits} schema */
export const range = ({ minimum, maximum }) =>
  Array.from({ length: maximum - minimum + 1 }, (_, n) => minimum + n);

/** Return the words for a value, from the schema. Seats are counted from 1.
 * @param {Schema} schema @param {unknown} value */
function called(schema, value) {
  if (schema.seat && Number.isInteger(value)) return `seat ${Number(value) + 1}`;
  return schema.words?.[String(value)] ?? words(String(value));
}

/** One of several values.
 * @param {{ schema: Schema, value: unknown, values: unknown[], onChange: (typed: string) => void }}
 *   props */
const Select = ({ schema, value, values, onChange }) => html`
  <select
    value=${value}
    onChange=${(/** @type {OnSelect} */ event) => onChange(event.currentTarget.value)}
  >
    ${values.map(
      (one) => html`
        <option value=${one}>${called(schema, one)}</option>
      `,
    )}
  </select>
`;

/** A whole number, or one of a few words.
 * @param {{ schema: Schema, number: Limits, choices: string[], shown: unknown, set: Set }} props */
function NumberInput({ schema, number, choices, shown, set }) {
  const read = (/** @type {string} */ typed) =>
    choices.includes(typed) ? typed : typed === '' ? undefined : Number(typed);
  if (choices.length && number.maximum - number.minimum <= 12) {
    const values = [...choices, ...range(number)];
    return html`
      <${Select}
        schema=${schema}
        value=${shown}
        values=${values}
        onChange=${(/** @type {string} */ typed) => set(read(typed))}
      />
    `;
  }
  const limits = `${number.minimum ?? ''}–${number.maximum ?? ''}`;
  return html`
    <input
      inputmode=${choices.length ? 'text' : 'numeric'}
      value=${shown ?? ''}
      placeholder=${[...choices, limits].join(' or ')}
      onChange=${(/** @type {OnInput} */ event) => set(read(event.currentTarget.value.trim()))}
    />
  `;
}

/** Whatever has no input of its own is typed as JSON.
 * @param {{ shown: unknown, set: Set }} props */
function Typed({ shown, set }) {
  const read = (/** @type {OnInput} */ event) => {
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

/** A file, whose text is the value. @param {{ set: Set }} props */
function TextFile({ set }) {
  const read = (/** @type {OnInput} */ event) => {
    const [file] = event.currentTarget.files ?? [];
    if (file) file.text().then(set);
    else set(undefined);
  };
  return html`
    <input type="file" accept=".toml,text/*" onChange=${read} />
  `;
}

/** @param {{ checked: unknown, set: (checked: boolean) => void }} props */
const Checkbox = ({ checked, set }) => html`
  <input
    type="checkbox"
    checked=${checked}
    onChange=${(/** @type {OnInput} */ event) => set(event.currentTarget.checked)}
  />
`;

/** The input for a value, as the schema describes it.
 * @param {{ schema: Schema, value: unknown, set: Set }} props */
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
      <${Select} schema=${schema} value=${shown} values=${schema.enum} onChange=${set} />
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
    <${NumberInput} ...${{ schema, number, choices, shown, set }} />
  `;
}

/** @param {{ name: string, note: string, children: unknown }} props */
export const Option = ({ name, note, children }) => html`
  <label class="option">
    <span>
      ${name}
      <small class="quiet">${note}</small>
    </span>
    ${children}
  </label>
`;

/** A wish that is either on or off.
 * @param {{ of: 'waits' | 'rated' | 'listed' | 'calm', name: string, note: string,
 *   wishes: Wishes, wish: Wish }} props */
export const Switch = ({ of, name, note, wishes, wish }) => html`
  <${Option} name=${name} note=${note}>
    <${Checkbox}
      checked=${wishes[of]}
      set=${(/** @type {boolean} */ value) => wish({ [of]: value })}
    />
  <//>
`;

const WAITS =
  'The deal waits until everybody has shown their number. Otherwise it goes on without the ' +
  'missing ones, and names their players.';

/** @param {{ game: GameFacts, wishes: Wishes, wish: Wish }} props */
export function Options({ game, wishes, wish }) {
  const { options } = wishes;
  const schema = useMemo(() => kinds(game.options, game.options), [game]);
  const preset = game.presets.find((one) => one.name === wishes.preset);
  const fixed = preset?.tables[wishes.players] ?? {};
  const own = Object.entries(options).filter(([, value]) => value !== undefined);
  const differ = differing(game, { ...fixed, ...Object.fromEntries(own) }).length;
  const asked = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'players');
  const field = (/** @type {[string, Schema]} */ [name, one]) => {
    const kind = { ...kinds(one, game.options), ...one, default: fixed[name] ?? one.default };
    const set = (/** @type {unknown} */ value) => wish({ options: { ...options, [name]: value } });
    return html`
      <${Option}
        key=${name}
        name=${one.title ?? title(name)}
        note=${one.description ?? kind.description ?? ''}
      >
        <${Value} schema=${kind} value=${options[name]} set=${set} />
      <//>
    `;
  };
  return html`
    <details class="fold">
      <summary>
        <b>All options</b>
        ${' '}
        <span class="quiet">
          ${differ ? `${differ} differ${differ === 1 ? 's' : ''} from print` : 'as printed'}
        </span>
        <${Icon} name="down" />
      </summary>
      <div class="options">
        ${asked.map(field)}
        <${Switch} of="waits" name="Wait for every number" note=${WAITS} ...${{ wishes, wish }} />
        ${
          wishes.players > 1 &&
          html`
            <${Switch} of="rated" name="Rated" note=${RATED} ...${{ wishes, wish }} />
          `
        }
        <${Switch}
          of="listed"
          name="Listed"
          note="Others see the table in the lobby."
          ...${{ wishes, wish }}
        />
      </div>
    </details>
  `;
}
