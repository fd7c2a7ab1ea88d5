// Cards are dragged with mouse or finger. Dragging makes the same choices as clicks and keys do:
// dropping a card picks it, and dropping it where its next choice would put it picks that too. The
// server says what would follow. Over a hand that its player may arrange, a card is laid in place.
import { ignoreClick } from '../kit/press.js';
import { motionless } from '../kit/flip.js';
import { Room } from '../scene/hand.js';

const SLACK = 8;
const BACK = 220;
/** The elements that can be dragged. */
const CARDS = 'button.card[data-can], .hand[data-loose] .card';

/** @import { Choice, Chosen, Scene, Table } from '../types.js'
 * @import { Play } from './play.js' */

/** @typedef {{ choice: Chosen, draft: number[] }} Step what to send: a choice, and the draft that
 * it continues */
/** A card that is pressed; `copy`: the copy that is dragged, `room`: that in its hand, `stale`: the
 * table has changed since, `waits`: it is dropped.
 * @typedef {{ card: HTMLElement, id: string, pointer: number, x: number, y: number,
 *   steps: Map<string, Step>, now?: Table, copy?: HTMLElement, home?: Element | null,
 *   room?: Room | null, stale?: boolean, waits?: number }} Held */

/** Return the parts on which a lifted card may be dropped. A part counts if its choice is new with
 * the card chosen, or if the half-made move aims at it.
 * @param {Scene | null} before @param {Scene | null} after @param {string} id */
function leads(before, after, id) {
  /** @type {Map<string, Step>} */
  const found = new Map();
  if (!after?.draft?.chosen?.includes(id)) return found;
  const known = new Set(
    (before?.choices ?? []).map((choice) => `${choice.kind} ${choice.id} ${choice.on}`),
  );
  const draft = after.draft.picks;
  for (const choice of after.choices) {
    if (choice.on && choice.on !== id && !known.has(`${choice.kind} ${choice.id} ${choice.on}`)) {
      found.set(choice.on, { choice, draft });
    }
  }
  const main = after.choices.find((choice) => choice.main);
  if (main) for (const aim of after.draft.aim) found.set(aim, { choice: main, draft });
  return found;
}

/** All that a card's choices lead to, asked of the server: nothing is done by asking.
 * @param {Play} play @param {Table} now @param {string} id */
async function targets(play, now, id) {
  const { draft } = play;
  const { scene } = now;
  const preview = (/** @type {number[]} */ picks) => play.preview(picks);
  if (scene.draft?.chosen?.includes(id)) return leads(await preview(draft.slice(0, -1)), scene, id);
  /** @type {Map<string, Step>} */
  const found = new Map();
  for (const choice of now.choices.get(id) ?? []) {
    let after = await preview([...draft, choice.id]);
    if (draft.length && !after?.draft?.chosen?.includes(id)) after = await preview([choice.id]);
    for (const [part, step] of leads(scene, after, id)) found.set(part, step);
  }
  return found;
}

/** The element of a card, zone or seat.
 * @param {Element} root @param {string} part @returns {Element | null} */
function element(root, part) {
  const name = CSS.escape(part);
  return root.querySelector(
    `[data-id="${name}"], [data-zone="${name}"], [data-seat="${CSS.escape(part.replace(/^seat/, ''))}"]`,
  );
}

/** A copy of the card that follows the pointer, above everything. @param {HTMLElement} card */
function lifted(card) {
  const box = card.getBoundingClientRect();
  const copy = /** @type {HTMLElement} */ (card.cloneNode(true));
  const holder = document.createElement('div');
  copy.removeAttribute('data-id');
  copy.tabIndex = -1;
  holder.className = 'lifted';
  holder.inert = true;
  holder.dataset.size =
    /** @type {HTMLElement | null} */ (card.closest('[data-size]'))?.dataset.size ?? '';
  holder.style.setProperty('--w', `${card.offsetWidth}px`);
  Object.assign(holder.style, { left: `${box.left}px`, top: `${box.top}px` });
  holder.append(copy);
  (card.closest('.app') ?? document.body).append(holder);
  return holder;
}

/** Listens for drags of the cards of a table. */
export class Dragging {
  /** @param {Play} play @param {() => Table | null} live the table, if cards can be dragged */
  constructor(play, live) {
    this.play = play;
    this.live = live;
    /** @type {Held | null} */
    this.held = null;
    this.listening = new AbortController();
    const { signal } = this.listening;
    document.addEventListener('pointerdown', (event) => this.press(event), { signal });
    document.addEventListener('pointermove', (event) => this.move(event), { signal });
    document.addEventListener('pointerup', (event) => this.drop(event), { signal });
    document.addEventListener('pointercancel', () => this.putBack(), { signal });
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape') this.giveUp(event);
      },
      { signal, capture: true },
    );
  }

  /** @param {Event} event */
  giveUp(event) {
    if (!this.held?.copy) return;
    event.stopImmediatePropagation();
    document.addEventListener('pointerup', ignoreClick, {
      once: true,
      signal: this.listening.signal,
    });
    this.putBack();
  }

  stop() {
    this.putBack();
    this.listening.abort();
  }

  /** @param {PointerEvent} event */
  press(event) {
    /** @type {HTMLElement | null} */
    const card = /** @type {Element} */ (event.target).closest(CARDS);
    if (
      this.held?.copy ||
      !event.isPrimary ||
      event.button !== 0 ||
      !card ||
      !this.play.root()?.contains(card)
    ) {
      return;
    }
    this.held = {
      card,
      id: card.dataset.id ?? '',
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      steps: new Map(),
    };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const held = this.held;
    if (!held || held.waits || event.pointerId !== held.pointer) return;
    const x = event.clientX - held.x;
    const y = event.clientY - held.y;
    if (!held.copy) {
      const aside = event.pointerType !== 'mouse' && Math.abs(x) > 2 * SLACK;
      const far =
        event.pointerType === 'mouse'
          ? Math.hypot(x, y) > SLACK
          : Math.abs(y) > SLACK && Math.abs(y) >= Math.abs(x);
      if (far || (aside && held.card.closest('[data-loose]'))) this.lift(held);
      else if (aside) this.held = null;
    } else if (held.stale) this.liftAgain(held);
    if (held.copy) held.copy.style.translate = `${x}px ${y}px`;
    held.room?.make(event.clientX, event.clientY);
  }

  /** The table has changed while a card is dragged in a hand. It is dragged on, if it is there.
   * @param {Held} held */
  liftAgain(held) {
    /** @type {HTMLElement | null | undefined} */
    const card = this.play
      .root()
      ?.querySelector(`.hand[data-loose] [data-id="${CSS.escape(held.id)}"]`);
    if (!card) {
      this.putBack();
      return;
    }
    held.card = card;
    held.stale = false;
    this.light(held);
  }

  /** @param {Held} held */
  lift(held) {
    const now = this.live();
    if (!now || !(now.choices.has(held.id) || held.card.closest('[data-loose]'))) {
      this.held = null;
      return;
    }
    now.set({ note: null, menu: null });
    held.copy = lifted(held.card);
    held.card.setPointerCapture(held.pointer);
    this.light(held);
  }

  /** Show where the card may be dropped. @param {Held} held */
  light(held) {
    const now = this.live();
    const root = this.play.root();
    if (!now || !root) {
      this.putBack();
      return;
    }
    held.now = now;
    held.steps = new Map();
    held.home = held.card.closest('[data-zone]');
    held.room = Room.of(held.card);
    held.card.setAttribute('data-gone', '');
    if (!now.choices.has(held.id)) return;
    root.setAttribute('data-dragging', '');
    for (const area of root.querySelectorAll(
      held.home?.matches('.hand') ? '.rivals, .field' : '.rivals, .field, .own',
    )) {
      area.setAttribute('data-drop', 'area');
    }
    targets(this.play, now, held.id).then((steps) => {
      if (this.held !== held || held.now !== now) return;
      for (const [part, step] of steps) {
        const there = element(root, part);
        if (held.room && there && held.home?.contains(there)) continue;
        held.steps.set(part, step);
        there?.setAttribute('data-drop', 'part');
      }
    });
  }

  /** @param {PointerEvent} event */
  drop(event) {
    const held = this.held;
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.copy) {
      this.held = null;
      return;
    }
    ignoreClick();
    const { room, home } = held;
    if (room && !held.stale && room.to >= 0) {
      if (room.to === room.from) this.putBack();
      else {
        this.wait(held, false);
        this.live()?.arrange?.(home?.getAttribute('data-zone') ?? '', held.id, room.to);
      }
      return;
    }
    const { draft } = this.play;
    const { scene, choices, pick, send } = /** @type {Table} */ (held.now);
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const part = under
      .find((here) => here.closest('[data-drop=part]'))
      ?.closest('[data-drop=part]');
    const step =
      part &&
      [...held.steps].find(
        ([name]) => element(/** @type {HTMLElement} */ (this.play.root()), name) === part,
      )?.[1];
    const table =
      under.some((here) => here.closest('[data-drop=area]')) &&
      !under.some((here) => here === held.home);
    const chosen = scene.draft?.chosen?.includes(held.id);
    const main = scene.choices.find((choice) => choice.main);
    const offered = choices.get(held.id) ?? [];
    const can = step || (table && choices.has(held.id) && (!chosen || main));
    if (this.live()?.scene !== scene || !can) this.putBack();
    else if (step) {
      this.wait(held);
      send(step.choice, step.draft);
    } else if (chosen) {
      this.wait(held);
      send(/** @type {Choice} */ (main), draft);
    } else if (offered.length > 1) {
      this.putBack();
      pick(offered, held.id);
    } else {
      this.wait(held);
      pick(offered, held.id);
    }
  }

  /** The copy stays where it was dropped until the answer is drawn.
   * @param {Held} held @param {boolean} [now] do the others lie as before at once? */
  wait(held, now = true) {
    held.waits = setTimeout(() => {
      if (this.held === held) this.putBack();
    }, 1500);
    if (now) this.unlight();
  }

  /** A new scene is about to be drawn: a dropped card travels on from where it lies.
   * @param {import('../kit/flip.js').Places} places */
  handOver(places) {
    const held = this.held;
    if (!held?.copy) return;
    if (held.waits) {
      const box = /** @type {Element} */ (held.copy.firstElementChild).getBoundingClientRect();
      places.set(held.id, { box, zone: places.get(held.id)?.zone ?? '' });
      this.end();
    } else if (held.room) {
      held.stale = true;
      held.card.removeAttribute('data-gone');
      this.unlight();
    } else this.putBack();
  }

  /** The card goes home softly. */
  putBack() {
    const { copy, card } = this.held ?? {};
    if (!copy || motionless() || !card?.isConnected) {
      this.end();
      return;
    }
    this.end(false);
    const from = copy.getBoundingClientRect();
    copy.style.translate = '';
    const to = copy.getBoundingClientRect();
    const way = copy.animate(
      [
        { transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` },
        { transform: 'none' },
      ],
      { duration: BACK, easing: 'cubic-bezier(.2,.8,.2,1)' },
    );
    way.onfinish = way.oncancel = () => {
      copy.remove();
      card.removeAttribute('data-gone');
    };
  }

  end(now = true) {
    const held = this.held;
    this.unlight();
    this.held = null;
    clearTimeout(held?.waits);
    if (!now) return;
    held?.copy?.remove();
    held?.card.removeAttribute('data-gone');
  }

  unlight() {
    this.held?.room?.clear();
    this.play.root()?.removeAttribute('data-dragging');
    for (const lit of document.querySelectorAll('[data-drop]')) lit.removeAttribute('data-drop');
  }
}
