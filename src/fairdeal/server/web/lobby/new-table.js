// The form on the sheet of a game that opens a table.
import { html, useState } from '../vendor/htm-preact.js';
import { post } from '../kit/api.js';
import { openTable } from '../record/keeper.js';
import { Option } from './options.js';
import { Refusal } from './shelf.js';
import { TableFields } from './table-fields.js';
import { NameField, keepName } from '../kit/page.js';
import { fresh, seated, tableOf, useWishes } from './wishes.js';

/** @import { GameFacts, Go, OnForm, OnSelect, Stateful, Trouble } from '../types.js' */

/** Open a table, or an evening if rounds are chosen, and return the address of its page.
 * @param {ReturnType<typeof tableOf>} table @param {FormData} form */
async function open(table, form) {
  const rounds = form.get('rounds');
  if (!rounds) return `/t/${(await openTable(table)).id}`;
  const { game, preset, options, clock } = table;
  const made = { game, preset, options, clock, rounds: Number(rounds) };
  return `/evening/${(await post('/api/evenings', made)).id}`;
}

/** Numbers of rounds that are offered; 0 is as many as it takes for everybody to meet. */
const ROUNDS = [3, 4, 5, 6, 7, 0];

/** The end of the form: the field that makes an evening of the table, and the button.
 * @param {{ size: number, busy: boolean }} props */
function End({ size, busy }) {
  const [rounds, choose] = useState('');
  return html`
    ${
      size > 1 &&
      html`
        <${Option} name="How many games" note="An evening seats its players anew in each round.">
          <select
            name="rounds"
            onChange=${(/** @type {OnSelect} */ event) => choose(event.currentTarget.value)}
          >
            <option value="">One table</option>
            ${ROUNDS.filter((number) => number || size === 2).map(
              (number) => html`
                <option value=${number}>
                  ${`An evening ${number ? `for many, in ${number} rounds` : 'where everybody meets everybody'}`}
                </option>
              `,
            )}
          </select>
        <//>
      `
    }
    <p class="sheet-foot">
      <button class="btn main wide" disabled=${busy}>
        Open the ${rounds ? 'evening' : 'table'}
      </button>
    </p>
  `;
}

/** @param {{ game: GameFacts, preset: string, showTables: () => void, go: Go }} props */
export function NewTable({ game, preset, showTables, go }) {
  const [wishes, wish] = useWishes(() => fresh(game, preset));
  /** @type {Stateful<Trouble | null>} */ const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const start = async (/** @type {OnForm} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setProblem(null);
    try {
      await keepName(form);
      go(await open(tableOf(game, wishes), new FormData(form)));
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
      <${End} key=${wishes.players} size=${wishes.players} busy=${busy} />
    </form>
  `;
}
