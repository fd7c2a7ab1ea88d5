// The form on the sheet of a game that opens a table.
import { html, useState } from '../vendor/htm-preact.js';
import { post } from '../kit/api.js';
import { openTable } from '../record/keeper.js';
import { Refusal } from './shelf.js';
import { TableFields } from './table-fields.js';
import { NameField, keepName } from '../kit/page.js';
import { fresh, seated, tableOf, useWishes } from './wishes.js';

/** @import { GameFacts, Go, OnForm, Stateful, Trouble } from '../types.js' */

/** Open an evening, and return the address of its page.
 * @param {ReturnType<typeof tableOf>} table @param {FormData} form */
async function openEvening({ game, preset, options, clock }, form) {
  const [rounds, least] = ['rounds', 'least'].map((name) => Number(form.get(name)));
  const made = { game, preset, options, clock, rounds, least, form: form.get('form') ?? '' };
  return `/evening/${(await post('/api/evenings', made)).id}`;
}

/** The fields of an evening, which is played by these rules.
 * @param {{ size: number, busy: boolean }} props size: number of players at a table */
const Evening = ({ size, busy }) => html`
  <details class="of-evening">
    <summary>An evening for many: a tournament in rounds</summary>
    ${
      size === 2
        ? html`
            <label>
              <span>Form</span>
              <select name="form">
                <option value="swiss">Swiss: equals meet, for any number</option>
                <option value="robin">Round robin: everybody meets everybody</option>
              </select>
            </label>
          `
        : html`
            <p class="small quiet">Few meet twice, and everybody gets every seat.</p>
          `
    }
    <label>
      <span>Rounds</span>
      <input type="number" name="rounds" min="1" max="20" value="5" />
    </label>
    <label>
      <span>Opponents of the room fill up to</span>
      <input type="number" name="least" min="0" max="64" value=${2 * size} />
    </label>
    <button class="btn wide" name="evening" disabled=${busy}>Open the evening</button>
  </details>
`;

/** @param {{ game: GameFacts, preset: string, showTables: () => void, go: Go }} props */
export function NewTable({ game, preset, showTables, go }) {
  const [wishes, wish] = useWishes(() => fresh(game, preset));
  /** @type {Stateful<Trouble | null>} */ const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const start = async (/** @type {OnForm} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { submitter } = /** @type {OnForm & { submitter?: HTMLElement }} */ (event);
    const isEvening = submitter?.getAttribute('name') === 'evening';
    setBusy(true);
    setProblem(null);
    try {
      await keepName(form);
      go(
        isEvening
          ? await openEvening(tableOf(game, wishes), new FormData(form))
          : `/t/${(await openTable(tableOf(game, wishes))).id}`,
      );
    } catch (reason) {
      setProblem(/** @type {Trouble} */ (reason));
      setBusy(false);
    }
  };
  return html`
    <form class="form" onSubmit=${start} aria-label=${`New table of ${game.title}`}>
      <h3 class="sign">Set up a table</h3>
      <${TableFields} game=${game} wishes=${wishes} wish=${wish} />
      ${
        seated(wishes).includes('person') &&
        html`
          <${NameField} needed=${true} />
        `
      }
      <${Refusal} problem=${problem} showTables=${showTables} />
      <p class="sheet-foot">
        <button class="btn main wide" disabled=${busy}>Open the table</button>
      </p>
      ${
        wishes.players > 1 &&
        html`
          <${Evening} size=${wishes.players} busy=${busy} />
        `
      }
    </form>
  `;
}
