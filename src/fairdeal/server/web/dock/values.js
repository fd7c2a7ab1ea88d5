// Values to choose from, on a rail: it scrolls by a page, and typed digits jump.
import { html, useEffect, useRef } from '../vendor/htm-preact.js';
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
    const begun = values.some((choice) => choice.label?.startsWith(next));
    typed.current = { text: begun ? next : event.key, at: event.timeStamp };
    const found = values.find((choice) => choice.label === typed.current.text);
    if (found) pick([found], '');
  });
}

/** @param {{ values: Choice[], now?: string, pick: Acts['pick'], hint: Set<string> }} props now:
 * the label of the one that is chosen, hint: the ids of what a hint is about */
export function Rail({ values, now, pick, hint }) {
  const rail = useRef(null);
  useTyping(values, pick);
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
  const turn = (/** @type {number} */ way) => {
    const box = rail.current;
    if (box) box.scrollLeft += way * box.clientWidth;
  };
  const many = values.length > 4;
  return html`
    <div class="rail" role="group" aria-label="Values">
      ${
        many &&
        html`
          <button class="turnpage" aria-label="Lower values" onClick=${() => turn(-1)}>‹</button>
        `
      }
      <div class="values" ref=${rail}>
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
              <small>${choice.note}</small>
            </button>
          `,
        )}
      </div>
      ${
        many &&
        html`
          <button class="turnpage" aria-label="Higher values" onClick=${() => turn(1)}>›</button>
        `
      }
    </div>
  `;
}
