// A popover over the middle of the table: more answers, an example, a card read large, a clause.
// Only one is open. The focus moves into it, and back when it closes.
import { html, useEffect, useRef } from '../vendor/htm-preact.js';
import { IconButton } from './card.js';

/** Esc takes away what lies over the table, and nothing else hears of it.
 * @param {GlobalEventHandlers} from where it is heard, before all others with `first`
 * @param {() => void} close
 * @returns {() => void} what ends it */
export function onEscape(from, close, first = false) {
  const escape = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  from.addEventListener('keydown', escape, first);
  return () => from.removeEventListener('keydown', escape, first);
}

/** @param {{ label: string, close: () => void, kind?: string, quiet?: boolean,
 *   place?: { left: number, top: number } | null, children?: unknown }} props label: its name for
 * those who hear the page, close: called by Esc and the cross, kind: a class of its own, quiet: the
 * focus stays where it is, place: where it lies within its parent; children, of which the one with
 * data-first takes it */
export function Popover({ label, close, kind = '', quiet = false, place, children }) {
  const sheet = useRef(null);
  useEffect(() => {
    const was = /** @type {HTMLElement | null} */ (document.activeElement);
    /** @type {HTMLElement | null | undefined} */
    const first = sheet.current?.querySelector('[data-first]');
    if (!quiet) (first ?? sheet.current)?.focus({ preventScroll: true });
    const drawn = sheet.current;
    const deaf = drawn ? onEscape(drawn, close) : () => {};
    return () => {
      const inside =
        drawn?.contains(document.activeElement) || document.activeElement === document.body;
      deaf();
      if (inside && was?.isConnected) was.focus({ preventScroll: true });
    };
  }, []);
  return html`
    <section
      class=${`popover ${kind}`}
      role="dialog"
      aria-label=${label}
      tabindex="-1"
      ref=${sheet}
      style=${place ? { left: `${place.left}px`, top: `${place.top}px` } : undefined}
    >
      <${IconButton} name="x" label="Close" onClick=${close} />
      ${children}
    </section>
  `;
}
