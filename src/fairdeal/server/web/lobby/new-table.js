// The form on the sheet of a game that opens a table.
import { html, useState } from '../vendor/htm-preact.js';
import { openTable } from '../record/keeper.js';
import { Refusal } from './shelf.js';
import { TableFields } from './table-fields.js';
import { NameField, keepName } from '../kit/page.js';
import { fresh, seated, tableOf, useWishes } from './wishes.js';

/** @import { GameFacts, Go, OnForm, Stateful, Trouble } from '../types.js' */

/** @param {{ game: GameFacts, preset: string, showTables: () => void, go: Go }} props */
export function NewTable({ game, preset, showTables, go }) {
  const [wishes, wish] = useWishes(() => fresh(game, preset));
  /** @type {Stateful<Trouble | null>} */ const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const start = async (/** @type {OnForm} */ event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await keepName(event.currentTarget);
      go(`/t/${(await openTable(tableOf(game, wishes))).id}`);
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
    </form>
  `;
}
