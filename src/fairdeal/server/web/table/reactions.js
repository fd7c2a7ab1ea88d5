// Reactions: one that somebody sends shows at their seat for some seconds.
import { html, useEffect, useState } from '../vendor/htm-preact.js';

/** @import { MessagesSaid, Ref } from '../types.js' */

const SECONDS = 4;
/** A reaction is a sign or a few, and no word. */
const SIGN = /^(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D}){1,6}$/u;

/** The reactions of the last seconds, the newest of each seat.
 * @param {MessagesSaid[]} chat @param {number} now in seconds of the room's clock */
function reactionsAt(chat, now) {
  /** @type {Map<number, MessagesSaid>} */
  const found = new Map();
  for (const said of chat.slice(-20)) {
    if (said.seat < 0 || !SIGN.test(said.text)) continue;
    if (now - said.at < SECONDS) found.set(said.seat, said);
  }
  return [...found.values()];
}

/** Where a seat's reaction shows: at the face of a rival, or at the viewer's own.
 * @param {Element | null} root @param {number} seat */
const placeOf = (root, seat) =>
  (
    root?.querySelector(`[data-seat="${seat}"] .face`) ?? root?.querySelector('.own .face')
  )?.getBoundingClientRect();

/** Drawn over the seats, in the way of nothing.
 * @param {{ chat: MessagesSaid[], skew: number, root: Ref }} props */
export function Reactions({ chat, skew, root }) {
  const [, beat] = useState(0);
  const shown = reactionsAt(chat, Date.now() / 1000 + skew);
  useEffect(() => {
    if (!shown.length) return undefined;
    const timer = setTimeout(() => beat((n) => n + 1), 500);
    return () => clearTimeout(timer);
  });
  return html`
    ${shown.map((said) => {
      const place = placeOf(root.current, said.seat);
      const at = place && { left: `${place.left + place.width / 2}px`, top: `${place.bottom}px` };
      return (
        at &&
        html`
          <span
            class="reaction"
            key=${`${said.seat} ${said.at}`}
            style=${at}
            title=${said.name}
            aria-hidden="true"
          >
            ${said.text}
          </span>
        `
      );
    })}
  `;
}
