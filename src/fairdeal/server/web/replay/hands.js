// All hands of a finished game face up: a switch and its key, for the replay and the analysis.
import { html, useState } from '../vendor/htm-preact.js';
import { isChord, useKeydown } from '../kit/keyboard.js';

/** Where a moment of a finished game is to be had.
 * @param {string} id @param {number} move @param {number} seat who looks
 * @param {boolean} open are all hands face up?
 * @returns {`/api/tables/${string}/moments/${number}?${string}`} */
export const momentAt = (id, move, seat, open) =>
  `/api/tables/${id}/moments/${move}?seat=${seat}${open ? '&hands=1' : ''}`;

/** Are all hands face up? The key H turns them, wherever nothing is written.
 * @param {boolean} usual are they before anybody turns them?
 * @returns {[boolean, () => void]} that, and what changes it */
export function useHands(usual = false) {
  const [chosen, setOpen] = useState(/** @type {boolean | null} */ (null));
  const open = chosen ?? usual;
  const toggle = () => setOpen(!open);
  useKeydown((event) => {
    if (isChord(event) || event.key.toLowerCase() !== 'h') return;
    if (event.target.matches('select, textarea, input:not([type=range])')) return;
    event.preventDefault();
    toggle();
  });
  return [open, toggle];
}

/** The switch. @param {{ open: boolean, toggle: () => void }} props */
export const HandsButton = ({ open, toggle }) => html`
  <button
    class="btn slim hands"
    aria-pressed=${open ? 'true' : 'false'}
    title="Every hand face up (H)"
    onClick=${toggle}
  >
    All hands
  </button>
`;
