// The speed of the table, which is stored in this browser and never sent. And the courses: what a
// table shows after a move before it goes on, and for how long.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { lasting } from '../privacy/stored.js';
import { COURSES, SPEEDS } from '../protocol.js';
import { IconButton } from './card.js';

/** @typedef {keyof typeof SPEEDS} Speed
 * @typedef {keyof typeof COURSES} Course */

const KEY = 'fairdeal speed';
const CHANGED = 'fairdeal-speed';

/** @returns {Speed} */
export function speed() {
  const kept = /** @type {Speed} */ (lasting.get(KEY));
  return Object.hasOwn(SPEEDS, kept) ? kept : 'normal';
}

/** The factor by which everything that is shown takes longer. */
export const factor = () => SPEEDS[speed()];

/** The stages of a course, in their order, with their durations at the chosen speed, in
 * milliseconds. `times` is the number of repetitions of a stage, by its name.
 * @param {Course} kind @param {Record<string, number>} times
 * @returns {[string, number][]} */
export function course(kind, times = {}) {
  const now = speed();
  return COURSES[kind].flatMap(([stage, time, atInstant, isFixed]) => {
    const lasts = now === 'instant' ? atInstant : isFixed ? time : time * SPEEDS[now];
    return Array.from({ length: lasts ? (times[stage] ?? 1) : 0 }, () => [stage, lasts]);
  });
}

/** The duration of a stage of a course at the chosen speed, in milliseconds; 0 if it is left out.
 * @param {Course} kind @param {string} stage */
export const lasts = (kind, stage = 'look') =>
  course(kind).find(([name]) => name === stage)?.[1] ?? 0;

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
  const names = /** @type {Speed[]} */ (Object.keys(SPEEDS));
  const next = names[(names.indexOf(now) + 1) % names.length];
  return html`
    <${IconButton}
      name=${now}
      data-speed=${now}
      label=${`Speed: ${now}`}
      title=${`Speed: ${now} (next: ${next})`}
      onClick=${() => setSpeed(next)}
    />
  `;
}
