// Values to choose from: all side by side, on a rail that scrolls where they do not fit, or, if
// there are many, in a number field with steps. Typed digits jump.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { isChord, useKeydown } from '../kit/keyboard.js';

/** @import { Acts, Choice } from '../types.js' */

/** Digits typed so soon after one another belong together. */
const TYPING = 900;

/** Typed digits jump to the value that they are; while they begin a longer one too, it waits.
 * @param {Choice[]} values @param {Acts['pick']} pick */
function useTyping(values, pick) {
  const typed = useRef({ text: '', at: 0 });
  useKeydown((event) => {
    if (!/^[0-9]$/.test(event.key) || isChord(event)) return;
    if (event.target.closest('input, textarea, select, [role=dialog]')) return;
    const { text, at } = typed.current;
    const next = (event.timeStamp - at < TYPING ? text : '') + event.key;
    const begun = values.some((choice) => choice.label.startsWith(next));
    typed.current = { text: begun ? next : event.key, at: event.timeStamp };
    const found = values.find((choice) => choice.label === typed.current.text);
    if (found) pick([found], '');
  });
}

/** The number of values with a price in a row, on a desk and on a phone. */
const SIDE_BY_SIDE = { desk: 8, phone: 3 };

/** The number of values in a row on a phone. */
const IN_ROW = 7;

/** @param {{ values: Choice[], now?: string, main?: Choice, pick: Acts['pick'],
 *   hint: Set<string>, narrow: boolean }} props now: the label of the one that is chosen, main: the
 *   button that completes the move with it, hint: the ids of what a hint is about */
export function Values({ values, now, main, pick, hint, narrow }) {
  useTyping(values, pick);
  const most = narrow ? SIDE_BY_SIDE.phone : SIDE_BY_SIDE.desk;
  return now && main && values.length > most
    ? html`
        <${Field} ...${{ values, now, main, pick, hint }} />
      `
    : html`
        <${Rail} ...${{ values, now, pick, hint }} />
      `;
}

/** @type {Record<string, number>} */
const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** @param {{ currentTarget: HTMLInputElement }} event */
const select = ({ currentTarget }) => currentTarget.select();

/** A number that can be typed, and changed to the next value that is possible.
 * @param {{ values: Choice[], now: string, main: Choice, pick: Acts['pick'],
 *   hint: Set<string> }} props */
function Field({ values, now, main, pick, hint }) {
  const [typed, setTyped] = useState('');
  const at = values.findIndex((choice) => choice.label === now);
  const isWrong = typed !== '' && typed !== now;
  const step = (/** @type {number} */ by) => {
    setTyped('');
    const next = values[Math.min(Math.max(at + by, 0), values.length - 1)];
    if (next && next.label !== now) pick([next], '');
  };
  const type = (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
    const text = currentTarget.value.replace(/\D/g, '');
    setTyped(text);
    const found = values.find((choice) => choice.label === text);
    if (found && text !== now) pick([found], '');
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const by = STEPS[event.key];
    if (by) step(by);
    else if (event.key === 'Enter' && !isWrong) pick([main], '');
    else return;
    event.preventDefault();
  };
  const [first, last] = [values[0].label, values[values.length - 1].label];
  const button = (/** @type {number} */ by) => html`
    <button
      class="opt step"
      aria-label=${by < 0 ? 'Lower value' : 'Higher value'}
      disabled=${!values[at + by]}
      data-hint=${hint?.has(String(values[at + by]?.id)) || undefined}
      onClick=${() => step(by)}
    >
      <b>${by < 0 ? '−' : '+'}</b>
    </button>
  `;
  return html`
    <div class="rail number" role="group" aria-label="Values">
      ${button(-1)}
      <label class="field-of-values" data-bad=${isWrong || undefined}>
        <input
          inputmode="numeric"
          autocomplete="off"
          aria-label=${`Value, from ${first} to ${last}`}
          aria-invalid=${isWrong ? 'true' : undefined}
          value=${typed || now}
          onInput=${type}
          onKeyDown=${key}
          onFocus=${select}
          onBlur=${() => setTyped('')}
        />
        <small role="status">${isWrong ? `not ${typed}` : values[at]?.note}</small>
      </label>
      ${button(1)}
    </div>
  `;
}

/** All values side by side. @param {{ values: Choice[], now?: string, pick: Acts['pick'],
 *   hint: Set<string> }} props */
function Rail({ values, now, pick, hint }) {
  const rail = useRef(null);
  useEffect(() => {
    /** @type {HTMLElement | null | undefined} */
    const shown = rail.current?.querySelector('[aria-pressed=true]');
    const box = rail.current;
    if (!box || !shown) return;
    const left = shown.offsetLeft - box.offsetLeft;
    if (left < box.scrollLeft || left + shown.offsetWidth > box.scrollLeft + box.clientWidth) {
      box.scrollLeft = left - (box.clientWidth - shown.offsetWidth) / 2;
    }
  }, [now, values.length]);
  const isPlain = values.every((choice) => !choice.note);
  const rows = values.length > IN_ROW ? 'two' : 'one';
  return html`
    <div class="rail" role="group" aria-label="Values">
      <div class="values" ref=${rail} data-plain=${isPlain ? rows : undefined}>
        ${values.map(
          (choice) => html`
            <button
              key=${choice.id}
              class="opt"
              data-hint=${hint?.has(String(choice.id)) || undefined}
              aria-pressed=${choice.label === now ? 'true' : 'false'}
              onClick=${() => pick([choice], '')}
            >
              <b translate=${false}>${choice.label}</b>
              ${
                choice.note &&
                html`
                  <small>${choice.note}</small>
                `
              }
            </button>
          `,
        )}
      </div>
    </div>
  `;
}
