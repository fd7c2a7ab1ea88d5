// The best moves that a hint knows of, each with its chance. They get better while they are read.
import { html } from './vendor/htm-preact.js';
import { percent } from './points.js';
import { Slip } from './slip.js';

/** What is read when the best moves of a hint are. */
export const CHANCES = 'chances';

/** @param {any} props note: the hint */
export const Chances = ({ note, close }) => html`
  <${Slip} kind="chances" label="The best moves" close=${close}>
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
