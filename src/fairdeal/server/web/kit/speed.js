// The speed of the table: slow, normal or instant. It is stored in this browser, and never sent.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { lasting } from '../privacy/stored.js';
import { Icon } from './card.js';

/** @typedef {'slow' | 'normal' | 'instant'} Speed */

const KEY = 'fairdeal speed';
/** @type {Speed[]} */ const SPEEDS = ['slow', 'normal', 'instant'];
const FACTORS = { slow: 1.8, normal: 1, instant: 0 };
const CHANGED = 'fairdeal-speed';

/** @returns {Speed} */
export function speed() {
  const kept = /** @type {Speed} */ (lasting.get(KEY));
  return SPEEDS.includes(kept) ? kept : 'normal';
}

/** The factor by which everything that is shown takes longer. */
export const factor = () => FACTORS[speed()];

/** The stylesheets multiply their times by it. */
const tellSheets = () => document.documentElement.style.setProperty('--pace', String(factor()));
tellSheets();

/** @param {Speed} next */
function setSpeed(next) {
  lasting.set(KEY, next);
  tellSheets();
  dispatchEvent(new Event(CHANGED));
}

/** Hear of changes, also of those in another tab. @param {() => void} heard
 * @returns {() => void} what ends it */
export function onSpeed(heard) {
  addEventListener(CHANGED, heard);
  addEventListener('storage', heard);
  return () => {
    removeEventListener(CHANGED, heard);
    removeEventListener('storage', heard);
  };
}

/** The speed, also when it is changed elsewhere, such as in another tab.
 * @returns {Speed} */
export function useSpeed() {
  const [now, setNow] = useState(speed());
  useEffect(() => onSpeed(() => setNow(speed())), []);
  return now;
}

/** Steps through the three. */
export function SpeedButton() {
  const now = useSpeed();
  const next = SPEEDS[(SPEEDS.indexOf(now) + 1) % SPEEDS.length];
  return html`
    <button
      class="btn icon"
      data-speed=${now}
      aria-label=${`Speed: ${now}`}
      title=${`Speed: ${now} (next: ${next})`}
      onClick=${() => setSpeed(next)}
    >
      <${Icon} name=${now} />
    </button>
  `;
}
