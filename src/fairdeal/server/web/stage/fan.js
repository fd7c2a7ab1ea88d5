// The cut: the deck as a fan. A thumb opens a gap, pulling up lifts the packet; the keys of a
// slider do the same. The card that came to the bottom is shown large, over the deck, which is
// drawn together.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { button } from '../kit/decoded.js';
import { StageCard, cardOf } from './instrument.js';

/** @import { Card, Fan as Stage, OnPointer, Ref, Table } from '../types.js' */

const PULL = 40;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 };

/** Where a key leads from a gap, in a deck of `count` cards; undefined for other keys.
 * @param {string} key @param {number} gap @param {number} count */
function onward(key, gap, count) {
  if (key === 'Home') return 1;
  if (key === 'End') return count - 1;
  if (key === 'm' || key === 'M') return Math.floor(count / 2);
  const step = STEPS[key];
  return step ? Math.min(count - 1, Math.max(1, gap + step)) : undefined;
}

/** The gap under a pointer: the number of cards above it in the deck.
 * @param {Element} fan @param {number} x @param {number} count */
function gapAt(fan, x, count) {
  const cards = fan.querySelectorAll('.slot');
  const first = cards[0].getBoundingClientRect();
  const last = cards[count - 1].getBoundingClientRect();
  const part = (x - first.left) / Math.max(1, last.left - first.left);
  return Math.min(count - 1, Math.max(1, Math.floor(part * (count - 1)) + 1));
}

/** A finger or a mouse on the fan.
 * @param {{ able: boolean, gap: number, placed: boolean, count: number,
 *   place: (gap: number) => void, lift: () => void }} to what the gestures do */
function useThumb({ able, gap, placed, count, place, lift }) {
  /** @type {Ref<{ x: number, y: number, gap: number, moved: boolean }>} */
  const hold = useRef(null);
  const [pulled, setPulled] = useState(0);
  const end = () => {
    hold.current = null;
    setPulled(0);
  };
  const down = (/** @type {OnPointer} */ event) => {
    if (!able || event.button > 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    hold.current = { x: event.clientX, y: event.clientY, gap, moved: false };
    if (!placed) place(gapAt(event.currentTarget, event.clientX, count));
  };
  const move = (/** @type {OnPointer} */ event) => {
    const from = hold.current;
    if (!from) return;
    const up = Math.max(0, from.y - event.clientY);
    if (Math.hypot(from.x - event.clientX, from.y - event.clientY) > 6) from.moved = true;
    if (from.moved && up < PULL / 2) place(gapAt(event.currentTarget, event.clientX, count));
    setPulled(Math.min(up, 2 * PULL));
  };
  const up = (/** @type {OnPointer} */ event) => {
    const from = hold.current;
    if (!from) return;
    end();
    const there = gapAt(event.currentTarget, event.clientX, count);
    if (from.y - event.clientY >= PULL) lift();
    else if (!from.moved && placed && there <= gap) lift();
    else if (!from.moved) place(there);
  };
  const cancel = () => {
    if (!hold.current) return;
    place(hold.current.gap);
    end();
  };
  const on = {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: cancel,
  };
  return { pulled, cancel, on };
}

/** The cards of the deck, the first `gap` of which rise.
 * @param {{ count: number, gap: number, table: Table }} props */
const Slots = ({ count, gap, table }) =>
  Array.from(
    { length: count },
    (_, place) => html`
      <span
        class="slot"
        key=${place}
        style=${{ '--at': place }}
        data-up=${place < gap || undefined}
        data-edge=${place === gap - 1 || undefined}
      >
        <span class="card" data-back=${table.skin.name}>
          <span class="g"></span>
          <b class="big">${table.skin.back_sign}</b>
        </span>
      </span>
    `,
  );

/** The deck in a hand that may cut it.
 * @param {{ stage: Stage, table: Table, gap: number, placed: boolean, lifted: boolean,
 *   setGap: (gap: number) => void, lift: () => void }} props */
function Cutting({ stage, table, gap, placed, setGap, lifted, lift }) {
  const { count } = stage;
  const able = !lifted && stage.choices.length > 0;
  const thumb = useThumb({ able, gap, placed, count, place: setGap, lift });
  const key = (/** @type {KeyboardEvent} */ event) => {
    const to = onward(event.key, gap, count);
    if (to !== undefined) setGap(to);
    else if (event.key === 'Enter' || event.key === ' ') lift();
    else if (event.key === 'Escape') thumb.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`
    <div
      class="fan"
      role="slider"
      aria-label="Where to cut"
      aria-valuemin="1"
      aria-valuemax=${count - 1}
      aria-valuenow=${gap}
      aria-valuetext=${`${gap} of ${count} cards`}
      tabindex="0"
      data-lifted=${lifted || undefined}
      style=${{ '--of': count, '--pulled': `${thumb.pulled}px` }}
      onKeyDown=${key}
      ...${thumb.on}
    >
      <${Slots} count=${count} gap=${gap} table=${table} />
      <span class="upwards" style=${{ '--at': gap - 1 }} aria-hidden="true"></span>
      <output aria-hidden="true">${gap} of ${count}</output>
    </div>
  `;
}

/** The card that was cut, over the deck drawn together.
 * @param {{ stage: Stage, table: Table, card: Card }} props */
const Shown = ({ stage, table, card }) => html`
  <div class="cut">
    <div class="turned" key=${`${card.id} ${table.scene.seq}`}>
      <${StageCard} table=${table} card=${card} stop=${true} />
    </div>
    ${
      stage.odds &&
      html`
        <p class="odds">${stage.odds}</p>
      `
    }
  </div>
`;

/** @param {{ stage: Stage, table: Table }} props */
export default function Fan({ stage, table }) {
  const { count, choices } = stage;
  const [gap, setGap] = useState(0);
  const [again, setAgain] = useState(false);
  const [lifted, setLifted] = useState(false);
  const { seq } = table.scene;
  useEffect(() => {
    setGap(0);
    setAgain(false);
    setLifted(false);
  }, [seq]);
  const here = gap || Math.floor(count / 2);
  const card = stage.shown && cardOf(table, stage.shown);
  const shows = card && !again;
  const cuts = choices.length > 0 && !shows;
  const lift = () => {
    if (lifted || !cuts) return;
    setLifted(true);
    table.pick([{ id: choices[here - 1] }], '');
  };
  useEffect(() => {
    const id = choices[here - 1];
    if (cuts) table.offer([button(id, 'Lift here', lift, { key: 'Enter', main: true })]);
    else if (choices.length) table.offer([button(id, 'Cut again', () => setAgain(true))]);
    return choices.length ? () => table.offer([]) : undefined;
  }, [seq, here, cuts, lifted, choices.length]);
  const all = { stage, table, setGap, lifted, lift };
  return html`
    <section class="fanned" role="group" aria-label=${`The deck, ${count} cards`}>
      ${
        shows &&
        html`
          <${Shown} stage=${stage} table=${table} card=${card} />
        `
      }
      ${
        cuts
          ? html`
              <${Cutting} ...${all} gap=${here} placed=${gap > 0} />
            `
          : html`
              <div
                class="fan"
                data-closed=${shows || undefined}
                style=${{ '--of': count }}
                aria-hidden="true"
              >
                <${Slots} count=${count} gap=${0} table=${table} />
              </div>
            `
      }
    </section>
  `;
}
