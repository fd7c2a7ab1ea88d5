// A table for friends: what has to be asked before it is opened, your name and how many you are.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { presetFor } from './new-table.js';
import { range } from './options.js';
import { Refusal } from './shelf.js';
import { NameField, keepName } from '../kit/page.js';

/** @import { GameFacts, NewTable, OnForm, Opening } from '../types.js' */

/** A table with every other seat free, which only those find who have its link.
 * @param {GameFacts} game @param {number} players @returns {NewTable} */
export const friendsTable = (game, players) => ({
  game: game.name,
  preset: presetFor(game, game.presets[0]?.name ?? '', players),
  options: { players },
  chairs: ['you', ...Array.from({ length: players - 1 }, () => 'person')],
  listed: false,
});

/** How many people can play. @param {GameFacts} game */
const crowds = ({ players: [low, high] }) => range({ minimum: Math.max(2, low), maximum: high });

/** @param {{ game: GameFacts, open: (game: GameFacts, wished: NewTable) => Promise<void>,
 *   close: () => void } & Opening} props */
export function Friends({ game, open, close, busy, problem, showTables }) {
  /** @type {{ current: HTMLDialogElement | null }} */ const dialog = useRef(null);
  const [players, setPlayers] = useState(Math.max(2, game.usual_players));
  const [trouble, setTrouble] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const start = async (/** @type {OnForm} */ event) => {
    event.preventDefault();
    setTrouble('');
    try {
      await keepName(event.currentTarget);
    } catch (reason) {
      setTrouble(/** @type {Error} */ (reason).message);
      return;
    }
    await open(game, friendsTable(game, players));
  };
  const refused = trouble ? { message: trouble } : problem;
  const many = crowds(game);
  const isBusy = busy === game.name;
  return html`
    <dialog
      class="friends"
      ref=${dialog}
      aria-labelledby="friends-title"
      onClose=${close}
      onCancel=${(/** @type {Event} */ event) => isBusy && event.preventDefault()}
    >
      <form onSubmit=${start}>
        <h2 id="friends-title">${game.title} with friends</h2>
        <${NameField} needed=${true} />
        ${
          many.length > 1 &&
          html`
            <fieldset class="seg">
              <legend>How many players?</legend>
              <div>
                ${many.map(
                  (n) => html`
                    <label key=${n}>
                      <input
                        type="radio"
                        name="players"
                        checked=${players === n}
                        onChange=${() => setPlayers(n)}
                      />
                      <span>${n}</span>
                    </label>
                  `,
                )}
              </div>
            </fieldset>
          `
        }
        ${
          refused &&
          html`
            <${Refusal} problem=${refused} showTables=${showTables} />
          `
        }
        <button class="btn lit wide" disabled=${isBusy}>Get the link</button>
        <button
          type="button"
          class="btn bare"
          disabled=${isBusy}
          onClick=${() => dialog.current?.close()}
        >
          Cancel
        </button>
      </form>
    </dialog>
  `;
}
