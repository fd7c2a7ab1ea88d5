// A table for friends: your name, and the table in a line, behind which everything can be changed.
import { html, useEffect, useMemo, useRef, useState } from '../vendor/htm-preact.js';
import { Refusal } from './shelf.js';
import { TableFields } from './table-fields.js';
import { Icon } from '../kit/card.js';
import { NameField, keepName } from '../kit/page.js';
import { amongFriends, friendly, lineOf, seated, tableOf, useWishes } from './wishes.js';

/** @import { GameFacts, NewTable, OnForm, Opening } from '../types.js'
 * @import { Wish, Wishes } from './wishes.js' */

const NO_FRIEND = 'Leave at least one seat free for a friend';

/** The table in a line, and the fields that change it.
 * @param {{ game: GameFacts, wishes: Wishes, wish: Wish }} props */
function Choice({ game, wishes, wish }) {
  const [open, setOpen] = useState(false);
  /** @type {{ current: HTMLElement | null }} */ const fields = useRef(null);
  useEffect(() => {
    /** @type {HTMLElement | null | undefined} */ (
      fields.current?.querySelector('input:checked, button:enabled')
    )?.focus();
  }, [open]);
  return html`
    <p class="friends-line">
      <span id="friends-table">${lineOf(game, wishes)}</span>
      <button
        type="button"
        class="btn slim"
        aria-expanded=${String(open)}
        aria-describedby="friends-table"
        onClick=${() => setOpen(!open)}
      >
        Change
        <${Icon} name="down" />
      </button>
    </p>
    ${
      open &&
      html`
        <div class="form" role="group" aria-label="The table" ref=${fields}>
          <${TableFields} game=${game} wishes=${wishes} wish=${wish} />
        </div>
      `
    }
  `;
}

/** @param {{ game: GameFacts, open: (game: GameFacts, wished: NewTable) => Promise<void>,
 *   close: () => void } & Opening} props */
export function Friends({ game: whole, open, close, busy, problem, showTables }) {
  /** @type {{ current: HTMLDialogElement | null }} */ const dialog = useRef(null);
  const game = useMemo(() => amongFriends(whole), [whole]);
  const [wishes, change] = useWishes(() => friendly(game));
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    dialog.current?.showModal();
    /** @type {HTMLElement | null | undefined} */ (
      dialog.current?.querySelector('input, .lit')
    )?.focus();
  }, []);
  const wish = (/** @type {Partial<Wishes>} */ more) => {
    setTrouble('');
    change(more);
  };
  const start = async (/** @type {OnForm} */ event) => {
    event.preventDefault();
    setTrouble('');
    try {
      if (!seated(wishes).includes('person')) throw Error(NO_FRIEND);
      await keepName(event.currentTarget);
    } catch (reason) {
      setTrouble(/** @type {Error} */ (reason).message);
      return;
    }
    await open(game, tableOf(game, wishes));
  };
  const refused = trouble ? { message: trouble } : problem;
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
        <${Choice} game=${game} wishes=${wishes} wish=${wish} />
        <div class="sheet-foot">
          <${Refusal} problem=${refused} showTables=${showTables} />
          <button class="btn lit wide" disabled=${isBusy}>Get the link</button>
          <button
            type="button"
            class="btn bare"
            disabled=${isBusy}
            onClick=${() => dialog.current?.close()}
          >
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  `;
}
