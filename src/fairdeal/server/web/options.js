// All options of a game, as its schema names them, and those of the table itself.
import { html, useMemo } from './vendor/htm-preact.js';
import { Icon } from './card.js';
import { title, words } from './words.js';

/** A schema, or the one that it refers to. */
const kinds = (schema, root) => {
  if (schema.$ref) return kinds(root.$defs[schema.$ref.split('/').at(-1)], root);
  return schema;
};

/** Numbers from `minimum` to `maximum`. @param {any} schema */
export const range = ({ minimum, maximum }) =>
  Array.from({ length: maximum - minimum + 1 }, (_, n) => minimum + n);

/** What people call a value, as the schema says it; seats are counted from 1.
 * @param {any} schema @param {unknown} value */
function called(schema, value) {
  if (schema.seat && Number.isInteger(value)) return `seat ${Number(value) + 1}`;
  return schema.words?.[String(value)] ?? words(String(value));
}

/** One of several values. @param {any} props */
const Select = ({ schema, value, values, onChange }) => html`
  <select value=${value} onChange=${(event) => onChange(event.currentTarget.value)}>
    ${values.map(
      (one) => html`
        <option value=${one}>${called(schema, one)}</option>
      `,
    )}
  </select>
`;

/** A whole number, or one of a few words. @param {any} props */
function NumberInput({ schema, number, choices, shown, set }) {
  const read = (typed) =>
    choices.includes(typed) ? typed : typed === '' ? undefined : Number(typed);
  if (choices.length && number.maximum - number.minimum <= 12) {
    const values = [...choices, ...range(number)];
    return html`
      <${Select}
        schema=${schema}
        value=${shown}
        values=${values}
        onChange=${(typed) => set(read(typed))}
      />
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
    <${NumberInput}
      schema=${schema}
      number=${number}
      choices=${choices}
      shown=${shown}
      set=${set}
    />
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

const WAITS =
  'The deal waits until everybody has shown theirs; else it goes on without those who do not, ' +
  'and names them.';

/** @param {any} props */
export function Options({ game, wishes, wish }) {
  const { options, waits, listed } = wishes;
  const schema = useMemo(() => kinds(game.options, game.options), [game]);
  const fixed = game.presets.find((one) => one.name === wishes.preset)?.options ?? {};
  const own = Object.keys(options).filter((name) => options[name] !== undefined);
  const differ = new Set([...own, ...Object.keys(fixed).filter((name) => name !== 'players')]).size;
  const asked = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'players');
  const field = ([name, one]) => {
    const kind = { ...kinds(one, game.options), ...one, default: fixed[name] ?? one.default };
    const set = (value) => wish({ options: { ...options, [name]: value } });
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
