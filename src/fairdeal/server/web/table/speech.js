// A chat message shows at its speaker's seat for some seconds, where it covers nothing that can be
// chosen.
import { html, useLayoutEffect, useRef } from '../vendor/htm-preact.js';
import { lasts, useSaid } from '../dock/status.js';
import { CHOOSABLE, boxesOf, leastCovering } from '../learn/tips.js';

/** @import { MessagesSaid, Ref, Table } from '../types.js'
 * @import { Box } from '../learn/tips.js' */

/** A reaction is a sign or a few, and no word. */
const SIGN = /^(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D}){1,6}$/u;

/** The elements that a bubble does not cover. */
const KEPT = `${CHOOSABLE}, .table :is([data-inside], :is(.prompt, .status-line) button, .verdict)`;
/** The elements that it covers if there is no better place. */
const LYING = '.table :is(.card, .headline > *, .who b, .counts)';
/** Distance from what it stands beside, and from the edges of the table, in pixels. */
const OFF = 6;

/** The words of an element, without the room beside them. @param {Element} one */
function wordsOf(one) {
  const words = document.createRange();
  words.selectNodeContents(one);
  return words.getBoundingClientRect();
}

/** Where a bubble of this size may stand: a reaction at the face, words below the seat, beside the
 * name, over the seat, at its right, or above it.
 * @param {Element} seat @param {Element} bubble @param {DOMRect} room @returns {Box[]} */
function placesOf(seat, bubble, room) {
  const { offsetWidth: width, offsetHeight: height } = /** @type {HTMLElement} */ (bubble);
  const tile = seat.getBoundingClientRect();
  const face = /** @type {Element} */ (seat.querySelector('.face')).getBoundingClientRect();
  const name = wordsOf(/** @type {Element} */ (seat.querySelector('.who b')));
  const below = { left: face.left, top: tile.bottom + OFF };
  const corners = bubble.hasAttribute('data-sign')
    ? [{ left: face.left + (face.width - width) / 2, top: face.bottom - height * 0.3 }, below]
    : [
        below,
        { left: name.right + 2 * OFF, top: tile.top + (tile.height - height) / 2 },
        { left: face.left, top: tile.top },
        { left: tile.right + OFF, top: tile.top },
        { left: tile.right + OFF, top: tile.top + tile.height / 2 - height },
        { left: face.left, top: tile.top - OFF - height },
      ];
  return corners
    .map(({ left, top }) => {
      const x = Math.max(room.left + OFF, Math.min(left, room.right - OFF - width));
      return { left: x, top, right: x + width, bottom: top + height };
    })
    .filter(({ top, bottom }) => top >= room.top && bottom <= room.bottom);
}

/** @param {{ said: MessagesSaid, root: Ref }} props */
function Bubble({ said, root }) {
  /** @type {Ref} */ const drawn = useRef(null);
  useLayoutEffect(() => {
    const table = root.current;
    const seat = table?.querySelector(`[data-seat="${said.seat}"]`) ?? table?.querySelector('.own');
    const bubble = drawn.current;
    if (!table || !seat || !bubble) return;
    const room = table.getBoundingClientRect();
    const places = placesOf(seat, bubble, room);
    const found = leastCovering(places, boxesOf(KEPT), boxesOf(LYING));
    bubble.style.visibility = found ? '' : 'hidden';
    if (found) Object.assign(bubble.style, { left: `${found.left}px`, top: `${found.top}px` });
  });
  return html`
    <span
      class="speech"
      ref=${drawn}
      data-sign=${SIGN.test(said.text) || undefined}
      style=${{ '--lasts': `${lasts(said)}s` }}
      title=${said.name}
      aria-hidden="true"
    >
      <span dir="auto">${said.text}</span>
    </span>
  `;
}

/** The newest of each seat, drawn over the seats and in the way of nothing; of the viewer's own
 * only reactions. @param {{ table: Table, root: Ref }} props */
export function Speech({ table, root }) {
  const said = useSaid(table).filter(
    ({ seat, text }) => seat >= 0 && (seat !== table.scene.viewer || SIGN.test(text)),
  );
  const newest = new Map(said.map((one) => [one.seat, one]));
  return html`
    ${[...newest.values()].map(
      (one) => html`
        <${Bubble} key=${`${one.seat} ${one.at}`} said=${one} root=${root} />
      `,
    )}
  `;
}
