// The prompt bar: one sentence that says what to do, and the buttons that answer it.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { Icon } from './card.js';
import { Coach, isLesson } from './lesson.js';
import { time, useLeft } from './seat.js';

const SHOWN = 5;

const Dots = () => html`
  <span class="dots" aria-hidden="true">
    <i></i>
    <i></i>
    <i></i>
  </span>
`;

/** Any value, typed. @param {any} props */
function Keypad({ values, pick, close }) {
  const [typed, setTyped] = useState('');
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => box.current?.focus(), []);
  const found = values.find((choice) => choice.label === typed);
  const near = typed
    ? values.filter((choice) => choice.label.startsWith(typed)).slice(0, 8)
    : values.slice(0, 12);
  const send = (event) => {
    event.preventDefault();
    if (found) {
      close();
      pick([found], '');
    }
  };
  return html`
    <form class="keypad" onSubmit=${send} role="dialog" aria-label="Any value">
      <label>
        Value${' '}
        <input
          ref=${box}
          inputmode="numeric"
          pattern="[0-9]*"
          value=${typed}
          onInput=${(event) => setTyped(event.currentTarget.value.trim())}
        />
      </label>
      <button class="btn main" disabled=${!found}>
        ${found ? `${found.label}, ${found.note}` : 'Choose'}
      </button>
      <button class="btn icon" type="button" aria-label="Close" onClick=${close}>
        <${Icon} name="x" />
      </button>
      <div class="acts">
        ${near.map(
          (choice) => html`
            <button
              key=${choice.id}
              type="button"
              class="opt"
              onClick=${() => {
                close();
                pick([choice], '');
              }}
            >
              <b>${choice.label}</b>
              <small>${choice.note}</small>
            </button>
          `,
        )}
      </div>
    </form>
  `;
}

/** A few of many values, about the one that is offered now, and the way to all others.
 * @param {any} props */
function Values({ values, now, pick, more, open }) {
  const at = Math.max(
    0,
    values.findIndex((choice) => choice.label === now),
  );
  const from = Math.max(0, Math.min(at - 1, values.length - SHOWN));
  const shown = values.slice(from, from + SHOWN);
  return html`
    <div class="acts row">
      ${shown.map(
        (choice) => html`
          <button
            key=${choice.id}
            class="opt"
            aria-pressed=${choice.label === now ? 'true' : 'false'}
            onClick=${() => pick([choice], '')}
          >
            <b>${choice.label}</b>
            <small>${choice.note}</small>
          </button>
        `,
      )}
      ${values.length > shown.length &&
      html`
        <button class="opt" onClick=${more} aria-expanded=${open}>
          <b>…</b>
          <small>${values.length - shown.length} more</small>
        </button>
      `}
    </div>
  `;
}

/** @param {any} props */
function Buttons({ buttons, main, draft, pick, takeBack }) {
  const several = buttons.length > 1;
  const kind = (choice) => (choice.main || (several && !main && !draft) ? 'btn main' : 'btn');
  const key = (choice, number) =>
    several || choice.key
      ? html`
          ${' '}
          <kbd class="hide-s">${choice.key || number + 1}</kbd>
        `
      : '';
  return html`
    <div class="acts">
      ${buttons.map(
        (choice, number) => html`
          <button key=${choice.id} class=${kind(choice)} onClick=${() => pick([choice], '')}>
            ${choice.label}${key(choice, number)}
          </button>
        `,
      )}
      ${draft?.undo &&
      html`
        <button class="btn" onClick=${takeBack}>
          <${Icon} name="undo" />
          Undo
        </button>
      `}
    </div>
  `;
}

/** What is asked, under which clause, and for how long. @param {any} props */
function Ask({ prompt, skew, openRules }) {
  const left = useLeft(prompt.until, skew);
  const yours = prompt.mode === 'yours';
  const waits = !['yours', 'over', 'replay'].includes(prompt.mode);
  const clause = html`
    ${' '}
    <button class="clause" onClick=${() => openRules(prompt.clause)}>${prompt.clause}</button>
  `;
  return html`
    <div class="ask">
      <b>
        ${prompt.text}${waits &&
        html`
          ${' '}
          <${Dots} />
        `}
      </b>
      <span>${prompt.sub ?? ''}${yours && prompt.clause ? clause : ''}</span>
      ${prompt.until
        ? html`
            <span class="clock" data-late=${left < 10 || undefined}>
              <${Icon} name="clock" />
              ${time(left)}
            </span>
          `
        : ''}
    </div>
  `;
}

/** @param {any} props */
export const Prompt = ({ table }) =>
  isLesson(table)
    ? html`
        <${Coach} table=${table} />
      `
    : html`
        <${Question} table=${table} />
      `;

/** @param {any} props */
function Question({ table }) {
  const { scene, pick, takeBack, openRules } = table;
  const { draft } = scene;
  const [keypad, setKeypad] = useState(false);
  useEffect(() => setKeypad(false), [scene.seq, draft?.picks?.length]);
  const prompt = scene.prompt ?? { mode: 'waiting', text: 'Watching' };
  const yours = prompt.mode === 'yours';
  const choices = scene.choices ?? [];
  const buttons = choices.filter(
    (choice) => choice.kind === 'button' || (choice.kind === 'zone' && !choice.on),
  );
  const values = choices.filter((choice) => choice.kind === 'value');
  const main = buttons.find((choice) => choice.main);
  const now = main?.label.match(/\d+$/)?.[0];
  const many = { values, now, pick, open: keypad, more: () => setKeypad(true) };
  const few = { buttons, main, draft, pick, takeBack };
  return html`
    <div
      class="prompt"
      role="group"
      tabindex="-1"
      aria-label=${yours ? 'Your move' : 'The game'}
      data-yours=${yours || undefined}
      data-wait=${!yours || undefined}
    >
      <${Ask} prompt=${prompt} skew=${table.skew} openRules=${openRules} />
      ${values.length > 0 &&
      html`
        <${Values} ...${many} />
      `}
      ${(buttons.length > 0 || draft?.undo) &&
      html`
        <${Buttons} ...${few} />
      `}
      ${keypad &&
      html`
        <${Keypad} values=${values} pick=${pick} close=${() => setKeypad(false)} />
      `}
    </div>
  `;
}
