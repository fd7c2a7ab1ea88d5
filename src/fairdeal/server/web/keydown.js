// Keys that are heard wherever the focus is.
import { useEffect, useRef } from './vendor/htm-preact.js';

/** Hear the keys of the page: a key means what is drawn when it is pressed.
 * @param {(event: KeyboardEvent & { target: HTMLElement }) => void} hear
 * @param {boolean} [first] is it heard before all others? */
export function useKeydown(hear, first = false) {
  const now = useRef(hear);
  now.current = hear;
  useEffect(() => {
    const key = (/** @type {any} */ event) => now.current(event);
    document.addEventListener('keydown', key, first);
    return () => document.removeEventListener('keydown', key, first);
  }, [first]);
}

/** Is a key held that makes it the browser's? @param {KeyboardEvent} event */
export const isChord = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;
