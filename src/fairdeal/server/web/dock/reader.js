// Texts in a popover over the table: the line over the question in full, the best moves of a
// hint, or the keys.
import { html } from '../vendor/htm-preact.js';
import { percent } from '../kit/words.js';
import { CHANCES } from '../table/shortcuts.js';
import { Popover } from '../kit/popover.js';

/** @import { Note, Option } from '../types.js' */

/** The best moves that a hint knows of, each with its chance; they get better while they are read.
 * @param {{ note: Note & { options: Option[] }, close: () => void }} props note: the hint */
const Chances = ({ note, close }) => html`
  <${Popover} kind="chances" label="The best moves" close=${close}>
    <b>Chances ${note.of}</b>
    <ol>
      ${note.options.map(
        ({ text, chance, error }) => html`
          <li key=${text}>
            <span class="words">${text}</span>
            <span class="bar" style=${{ '--part': chance, '--error': error }} />
            <span class="num">
              <b>${percent(chance)}</b>
              <small>± ${Math.max(1, Math.round(100 * error))}</small>
            </span>
          </li>
        `,
      )}
    </ol>
    <p>${note.text}</p>
  <//>
`;

/** The line over the question in full, the best moves of a hint, or the keys.
 * @param {{ read: string | string[][], note: Note | null, close: () => void }} props */
export function Read({ read, note, close }) {
  if (read === CHANCES) {
    if (!note?.options) return null;
    return html`
      <${Chances} note=${note} close=${close} />
    `;
  }
  return html`
    <${Popover}
      label=${typeof read === 'string' ? 'The line above the question' : 'Keys'}
      close=${close}
    >
      ${
        typeof read === 'string'
          ? html`
              <p>${read}</p>
            `
          : html`
              <b>Keys</b>
              <ul class="keys">
                ${read.map(
                  ([key, does]) => html`
                    <li>
                      <kbd>${key}</kbd>
                      ${does}
                    </li>
                  `,
                )}
              </ul>
            `
      }
    <//>
  `;
}
