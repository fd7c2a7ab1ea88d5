// A card looked at closely: by hover, by a long press, by a tap that does nothing else, or with `i`
// on the card that has the focus.
// Its description comes from the room, which knows no more than the viewer may.
import { html, useEffect, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { Card, IconButton } from '../kit/card.js';
import { Clause } from '../kit/page.js';
import { ignoreClick } from '../kit/press.js';
import { isChord } from '../kit/keyboard.js';
import { onEscape } from '../kit/popover.js';
import { useResized } from '../stage/instrument.js';

/** @import { Inspection, Ref, Stateful, Table } from '../types.js' */

/** The card that is described: its description, how it was opened, and the element that had the
 * focus before.
 * @typedef {{ told: Inspection, id: string, card: HTMLElement, how: string, back: Element | null }}
 *   Looked */

const HOVER = 500;
const PRESS = 350;
const SLACK = 10;
/** Pixels of width below which a card is shown in large. */
const NARROW = 80;
const PHONE = '(max-width: 639.98px)';

/** Return the card, or the top of a pile, that can be described.
 * @param {EventTarget | null} target @param {HTMLElement | null} root
 * @returns {HTMLElement | null} */
function cardAt(target, root) {
  const card = /** @type {Element | null} */ (target)?.closest?.('.card[data-id]') ?? null;
  return root?.contains(card) ? /** @type {HTMLElement | null} */ (card) : null;
}

/** Does a tap on a card do anything? @param {Element} card */
const acts = (card) => card.closest('button, [role=slider], [data-can], [data-fans]');

/** The gestures that open the description of a card. Calls `look(card, how)` with `hover`, `press`
 * or `key`, and `leave()` when a card that was hovered over is left. */
class Watching {
  /** @param {() => HTMLElement | null} root @param {(card: HTMLElement, how: string) => void} look
   * @param {() => void} leave */
  constructor(root, look, leave) {
    this.root = root;
    this.look = look;
    this.leave = leave;
    this.timer = 0;
    /** @type {HTMLElement | null} */ this.over = null;
    /** Where something was clicked: what comes under a mouse that rests is not asked about. */
    /** @type {{ x: number, y: number } | null} */ this.pressed = null;
    /** A finger that is down: how it came, and whether it has looked at something already. */
    /** @type {{ came: PointerEvent, looked: boolean } | null} */ this.finger = null;
    this.listening = new AbortController();
    const { signal } = this.listening;
    /** @template {keyof DocumentEventMap} Name @param {Name} name
     * @param {(event: DocumentEventMap[Name]) => void} act */
    const listen = (name, act, more = {}) =>
      document.addEventListener(name, (event) => act.call(this, event), { signal, ...more });
    listen('pointerover', this.hover);
    listen('pointerdown', this.press, { capture: true });
    listen('pointermove', this.slide, { capture: true });
    listen('pointerup', this.tap, { capture: true });
    listen('pointercancel', this.lift);
    listen('touchmove', this.stay, { passive: false });
    listen('keydown', this.key);
    listen('contextmenu', this.menu);
  }

  stop() {
    clearTimeout(this.timer);
    this.ring(null);
    this.listening.abort();
  }

  /** @param {PointerEvent} event */
  hover(event) {
    if (event.pointerType === 'touch' || event.buttons) return;
    const card = cardAt(event.target, this.root());
    if (card === this.over) return;
    clearTimeout(this.timer);
    if (this.over) this.leave();
    this.over = card;
    const rests = event.clientX === this.pressed?.x && event.clientY === this.pressed.y;
    if (card && !rests) this.timer = setTimeout(() => this.look(card, 'hover'), HOVER);
  }

  /** @param {PointerEvent} event */
  press(event) {
    clearTimeout(this.timer);
    this.pressed = { x: event.clientX, y: event.clientY };
    const card = cardAt(event.target, this.root());
    if (event.pointerType !== 'touch' || !event.isPrimary || !card) return;
    this.finger = { came: event, looked: false };
    this.ring(card);
    this.timer = setTimeout(() => {
      this.ring(null);
      if (!this.finger) return;
      this.finger.looked = true;
      this.look(card, 'press');
    }, PRESS);
  }

  /** The finger may slide on to other cards; before it has looked at one it drags or scrolls.
   * @param {PointerEvent} event */
  slide(event) {
    if (!this.finger) return;
    const { clientX, clientY } = this.finger.came;
    if (this.finger.looked) {
      event.stopPropagation();
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const card = cardAt(under, this.root());
      if (card && card !== this.over) this.look(card, 'press');
      this.over = card;
    } else if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > SLACK) {
      this.lift();
    }
  }

  /** A finger that looks at cards does not scroll. @param {Event} event */
  stay(event) {
    if (this.finger?.looked && event.cancelable) event.preventDefault();
  }

  /** A tap that ends something, such as the staging of a result, does nothing else.
   * @param {Event} event */
  tap(event) {
    const card = cardAt(event.target, this.root());
    const looks = this.finger && !this.finger.looked && !this.finger.came.defaultPrevented;
    this.lift();
    if (card && looks && !acts(card)) this.look(card, 'press');
  }

  lift() {
    clearTimeout(this.timer);
    this.ring(null);
    if (this.finger?.looked) ignoreClick();
    this.finger = null;
    this.over = null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.key !== 'i' || isChord(event)) return;
    if (target.closest('input, textarea, select')) return;
    const card = cardAt(target, this.root()) ?? this.over;
    if (card) this.look(card, 'key');
  }

  /** A long press opens no menu of the browser. @param {Event} event */
  menu(event) {
    if (this.finger && cardAt(event.target, this.root())) event.preventDefault();
  }

  /** The ring that fills while a finger lies on a card. @param {HTMLElement | null} card */
  ring(card) {
    document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    card?.setAttribute('data-pressed', '');
  }
}

/** Where the words go: beside the card, over the middle, never over the card or the prompt.
 * @param {DOMRect} card @param {HTMLElement} root @param {HTMLElement} panel */
function beside(card, root, panel) {
  const table = root.getBoundingClientRect();
  const floor = ['.dock', '.own', '.prompt'] // lying, the dock has no box
    .map((part) => root.querySelector(part)?.getBoundingClientRect())
    .find((box) => box?.width);
  const bottom = Math.min(floor?.top ?? table.bottom, table.bottom) - 8;
  const low = card.top > bottom - 8;
  if (low) panel.style.maxHeight = `${bottom - table.top - 8}px`;
  const { offsetWidth: wide, offsetHeight: high } = panel;
  /** @param {number} value @param {number} least @param {number} most */
  const keep = (value, least, most) => Math.max(least, Math.min(value, Math.max(least, most)));
  const right = card.right + 12 + wide < table.right;
  const under = card.bottom + 12 + high < bottom;
  const left = low || under ? card.left : right ? card.right + 12 : card.left - wide - 12;
  const top = low ? bottom - high : under ? card.bottom + 12 : card.top;
  return {
    left: keep(left, table.left + 8, table.right - wide - 8),
    top: keep(top, table.top + 8, bottom - high),
  };
}

/** @param {{ name: string, text?: string }} props */
const Fact = ({ name, text }) =>
  text &&
  html`
    <dt>${name}</dt>
    <dd>${text}</dd>
  `;

/** The card that is looked at, whose description the room is asked for; and what ends it.
 * @param {Ref} root @param {Table} table */
function useLooking(root, table) {
  /** @type {Stateful<Looked | null>} */ const [looked, setLooked] = useState(null);
  /** @type {{ current: { table: Table, looked: Looked | null } }} */
  const now = useRef(null);
  now.current = { table, looked };
  useEffect(() => {
    let wanted = '';
    const look = (/** @type {HTMLElement} */ card, /** @type {string} */ how) => {
      const { id = '' } = card.dataset;
      const back = how === 'key' ? document.activeElement : null;
      wanted = id;
      now.current.table.inspect(id).then((told) => {
        if (told && wanted === id) setLooked({ told, id, card, how, back });
      });
    };
    const leave = () => {
      wanted = '';
      if (now.current.looked?.how === 'hover') setLooked(null);
    };
    const watching = new Watching(() => root.current, look, leave);
    return () => watching.stop();
  }, []);
  useEffect(() => setLooked(null), [table.scene]);
  const close = () => {
    const back = /** @type {HTMLElement | null | undefined} */ (looked?.back);
    if (back?.isConnected) back.focus();
    setLooked(null);
  };
  return { looked, close };
}

/** Puts words in their place: above the question on a phone, else beside their card, which a narrow
 * one is shown in large.
 * @param {HTMLElement} panel @param {HTMLElement} root @param {HTMLElement} card */
function place(panel, root, card) {
  const box = card.getBoundingClientRect();
  panel.toggleAttribute('data-narrow', box.width < NARROW);
  panel.style.cssText = '';
  if (matchMedia(PHONE).matches) {
    const dock = root.querySelector('.dock, .prompt')?.getBoundingClientRect();
    const room = innerHeight - Math.max(0, root.getBoundingClientRect().top) - panel.offsetHeight;
    panel.style.bottom = `${Math.min(innerHeight - (dock?.top ?? innerHeight), room)}px`;
  } else {
    const { left, top } = beside(box, root, panel);
    Object.assign(panel.style, { left: `${left}px`, top: `${top}px` });
  }
}

/** Puts the words in their place, also when the window changes; Esc and a tap elsewhere take them
 * away.
 * @param {Ref} panel @param {Ref} root @param {Looked | null} looked @param {() => void} close */
function usePlace(panel, root, looked, close) {
  const again = () => {
    if (looked && panel.current && root.current) place(panel.current, root.current, looked.card);
  };
  useResized(root, again);
  useLayoutEffect(again, [looked]);
  useEffect(() => {
    const drawn = panel.current;
    if (!looked || !drawn) return undefined;
    if (looked.how === 'key') drawn.focus({ preventScroll: true });
    const quiet = onEscape(window, close, true);
    const away = (/** @type {Event} */ event) => {
      if (!drawn.contains(/** @type {Node} */ (event.target)) && looked.how !== 'hover') close();
    };
    addEventListener('pointerdown', away);
    return () => {
      quiet();
      removeEventListener('pointerdown', away);
    };
  }, [looked]);
}

/** Looks at cards of a table.
 * @param {{ root: Ref, table: Table }} props root: where the cards are */
export function Inspector({ root, table }) {
  const panel = useRef(null);
  const { looked, close } = useLooking(root, table);
  usePlace(panel, root, looked, close);
  if (!looked) return null;
  const { told } = looked;
  const face = told.face ? table.faces[told.face] : null;
  return html`
    <div
      class="inspector"
      role="dialog"
      aria-label=${told.name}
      tabindex="-1"
      data-how=${looked.how}
      ref=${panel}
    >
      <div class="large">
        <${Card} card=${{ id: looked.id, face: told.face }} face=${face} skin=${table.skin} />
      </div>
      <div class="words">
        <h2>${told.name}</h2>
        <p class="quiet small">${told.where}</p>
        <p>${told.text}</p>
      </div>
      <dl class="facts">
        <${Fact} name="Now" text=${told.now} />
        <${Fact} name="Seen" text=${told.seen} />
      </dl>
      <footer>
        <${Clause} clause=${told.clause} openRules=${table.openRules} />
        <span class="gap-x"></span>
        ${
          looked.how === 'hover'
            ? html`
                <small class="quiet">
                  <kbd>i</kbd>
                  ${' keeps it here'}
                </small>
              `
            : html`
                <${IconButton} name="x" label="Close" onClick=${close} />
              `
        }
      </footer>
    </div>
  `;
}
