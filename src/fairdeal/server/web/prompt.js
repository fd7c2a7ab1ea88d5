// The prompt bar: one sentence that says what to do, and the buttons that answer it.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { Icon } from './card.js';
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

/** @param {any} props */
export function Prompt({ table }) {
  const { scene, pick, takeBack, openRules } = table;
  const [keypad, setKeypad] = useState(false);
  const prompt = scene.prompt ?? { mode: 'waiting', text: 'Watching' };
  const yours = prompt.mode === 'yours';
  const left = useLeft(prompt.until, table.skew);
  const buttons = (scene.choices ?? []).filter(
    (choice) => choice.kind === 'button' || (choice.kind === 'zone' && !choice.on),
  );
  const values = (scene.choices ?? []).filter((choice) => choice.kind === 'value');
  const main = buttons.find((choice) => choice.main);
  const now = main ? main.label.match(/\d+$/)?.[0] : undefined;
  useEffect(() => setKeypad(false), [scene.seq, scene.draft?.picks?.length]);
  const at = Math.max(
    0,
    values.findIndex((choice) => choice.label === now),
  );
  const shown = values.slice(
    Math.max(0, Math.min(at - 1, values.length - SHOWN)),
    Math.max(SHOWN, Math.min(at - 1, values.length - SHOWN) + SHOWN),
  );
  const paper = prompt.mode === 'over' || prompt.mode === 'replay';
  return html`
    <div
      class="prompt"
      role="group"
      tabindex="-1"
      aria-label=${yours ? 'Your move' : 'The game'}
      data-yours=${yours || undefined}
      data-wait=${!yours || undefined}
    >
      <div class="ask">
        <b>
          ${prompt.text}${!yours &&
          !paper &&
          html`
            ${' '}
            <${Dots} />
          `}
        </b>
        <span>
          ${prompt.sub ?? ''}${yours && prompt.clause
            ? html`
                ${' '}
                <button class="clause" onClick=${() => openRules(prompt.clause)}>
                  ${prompt.clause}
                </button>
              `
            : ''}
        </span>
        ${prompt.until
          ? html`
              <span class="clock" data-late=${left < 10 || undefined}>
                <${Icon} name="clock" />
                ${time(left)}
              </span>
            `
          : ''}
      </div>
      ${values.length > 0 &&
      html`
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
            <button class="opt" onClick=${() => setKeypad(true)} aria-expanded=${keypad}>
              <b>…</b>
              <small>${values.length - shown.length} more</small>
            </button>
          `}
        </div>
      `}
      ${(buttons.length > 0 || scene.draft?.undo) &&
      html`
        <div class="acts">
          ${buttons.map(
            (choice, number) => html`
              <button
                key=${choice.id}
                class=${`btn${choice.main || (buttons.length > 1 && !main && !scene.draft) ? ' main' : ''}`}
                onClick=${() => pick([choice], '')}
              >
                ${choice.label}${buttons.length > 1 || choice.key
                  ? html`
                      ${' '}
                      <kbd class="hide-s">${choice.key || number + 1}</kbd>
                    `
                  : ''}
              </button>
            `,
          )}
          ${scene.draft?.undo &&
          html`
            <button class="btn" onClick=${takeBack}>
              <${Icon} name="undo" />
              Undo
            </button>
          `}
        </div>
      `}
      ${keypad &&
      html`
        <${Keypad} values=${values} pick=${pick} close=${() => setKeypad(false)} />
      `}
    </div>
  `;
}
