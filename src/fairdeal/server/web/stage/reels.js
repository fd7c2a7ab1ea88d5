// The machine: three reels with their columns, a lever, lamps for the spins and a tally against
// par. A lit line says why it pays.
import { html, useRef, useState } from '../vendor/htm-preact.js';
import { Card } from '../kit/card.js';
import { isChord } from '../kit/keyboard.js';
import { StageCard, choiceOf, zoneOf } from './instrument.js';

/** @import { OnPointer, PayLine, Reel as Drum, Reels as Stage, Ref, Table,
 *   Zone } from '../types.js' */

const PULL = 80;
/** A finger that moves less presses. */
const TOUCH = 6;
const MOST_LAMPS = 20;
const MOST_SLOTS = 8;
const MOST_OUTS = 5;

/** One light a spin. @param {{ stage: Stage }} props */
const Lamps = ({ stage }) => html`
  <p class="lamps">
    ${
      stage.of <= MOST_LAMPS &&
      Array.from(
        { length: stage.of },
        (_, spin) => html`
          <i
            key=${spin}
            data-done=${spin + 1 < stage.turn || undefined}
            data-now=${spin + 1 === stage.turn || undefined}
          ></i>
        `,
      )
    }
    <span>spin ${stage.turn} of ${stage.of}</span>
  </p>
`;

/** The cards that would complete a line. @param {{ stage: Stage, table: Table }} props */
function Need({ stage, table }) {
  const { outs, need } = stage;
  const minis = outs.length <= MOST_OUTS ? outs : [];
  return html`
    <p class="need">
      ${minis.map(
        (key) => html`
          <${Card} key=${key} card=${{ id: '' }} face=${table.faces[key]} skin=${table.skin} />
        `,
      )}
      <span>${need}</span>
    </p>
  `;
}

/** The pile that a reel flips from.
 * @param {{ reel: Drum, zone: Zone, table: Table }} props */
function Pile({ reel, zone, table }) {
  const choices = table.choices.get(zone.id);
  const top = { id: `${zone.id}-top`, back: table.skin.name };
  const known = zone.cards[0];
  const label = `${reel.name} reel, ${reel.left} left`;
  const card = html`
    <${Card}
      card=${known ?? top}
      face=${known?.face ? table.faces[known.face] : null}
      skin=${table.skin}
      can=${Boolean(choices)}
      onPick=${choices && (() => table.pick(choices, zone.id))}
    />
  `;
  return html`
    <header aria-label=${label}>
      <b>${reel.left}</b>
      ${' '}left
    </header>
    <div class="undrawn" data-left=${Math.min(3, reel.left)}>${reel.left > 0 && card}</div>
  `;
}

/** @param {{ reel: Drum, table: Table, held: boolean, lines: PayLine[] }} props */
function Reel({ reel, table, held, lines }) {
  const [pile, column] = [zoneOf(table, reel.pile), zoneOf(table, reel.column)];
  const cards = column.cards;
  const line = lines.find((one) => one.cards.every((id) => cards.some((card) => card.id === id)));
  return html`
    <section class="reel" aria-label=${`${reel.name} reel`} data-turns=${reel.turns || undefined}>
      <${Pile} reel=${reel} zone=${pile} table=${table} />
      <ul class="column" style=${{ '--lapped': Math.max(1, cards.length - 1) }}>
        ${cards.map(
          (card) => html`
            <li
              key=${card.id}
              data-pays=${lines.some((one) => one.cards.includes(card.id)) || undefined}
            >
              <${StageCard} table=${table} card=${card} />
            </li>
          `,
        )}
        ${
          !cards.length &&
          html`
            <li><span class="gap" role="img" aria-label="no card yet"></span></li>
          `
        }
      </ul>
      ${
        held &&
        html`
          <span class="clamp">held</span>
        `
      }
      ${
        line &&
        html`
          <span class="payline" data-down="true" aria-hidden="true"></span>
        `
      }
    </section>
  `;
}

/** The reels of this spin that were passed by: their piles are as long as when it began.
 * @param {Stage} stage */
function useHeld(stage) {
  const began = useRef({ turn: -1, left: /** @type {number[]} */ ([]) });
  const left = stage.reels.map((reel) => reel.left);
  if (began.current.turn !== stage.turn) began.current = { turn: stage.turn, left };
  const now = stage.reels.findIndex((reel) => reel.turns);
  return left.map(
    (cards, reel) => now >= 0 && reel < now && cards > 0 && cards === began.current.left[reel],
  );
}

/** A pull of the lever flips the next card; let go too early it springs back.
 * @param {{ pull?: () => void }} props */
function Lever({ pull }) {
  /** @type {Ref<number>} */ const from = useRef(null);
  const dragged = useRef(false);
  const [down, setDown] = useState(0);
  const end = () => {
    from.current = null;
    setDown(0);
  };
  return html`
    <button
      class="lever"
      aria-label="Pull the lever: flip a card"
      disabled=${!pull}
      style=${{ '--down': `${down}px` }}
      onPointerDown=${(/** @type {OnPointer} */ event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = event.clientY;
        dragged.current = false;
      }}
      onPointerMove=${(/** @type {PointerEvent} */ event) => {
        if (from.current === null) return;
        if (Math.abs(event.clientY - from.current) > TOUCH) dragged.current = true;
        setDown(Math.max(0, Math.min(PULL, event.clientY - from.current)));
      }}
      onPointerUp=${(/** @type {PointerEvent} */ event) => {
        if (from.current !== null && event.clientY - from.current >= PULL) pull?.();
        end();
      }}
      onPointerCancel=${end}
      onClick=${(/** @type {MouseEvent} */ event) => !(event.detail && dragged.current) && pull?.()}
    >
      <i></i>
    </button>
  `;
}

/** The points of the lines that light up, with reasons.
 * @param {{ lines: PayLine[], table: Table }} props */
const Lines = ({ lines, table }) => html`
  <div class="lines">
    ${lines.map((line) => {
      const choice = choiceOf(table, line.choice);
      return html`
        <button
          key=${line.label}
          tabindex="-1"
          disabled=${!choice}
          onClick=${() => choice && table.pick([choice], '')}
        >
          <b>${line.label}</b>
          ${' '}${line.why} +${line.value}
        </button>
      `;
    })}
  </div>
`;

/** Points against par, the Books that brought them lying in the first slots.
 * @param {{ stage: Stage, table: Table }} props */
function Tally({ stage, table }) {
  const { points, par } = stage;
  const won = zoneOf(table, stage.won).cards;
  const books = [...new Set(won.map((card) => card.group))].map((group) =>
    won.filter((card) => card.group === group),
  );
  const slots = Math.min(MOST_SLOTS, Math.max(par + 2, points));
  return html`
    <section class="tally" aria-label=${`${points} points, par is ${par}`}>
      <ol aria-hidden="true" style=${{ '--slots': slots }}>
        ${Array.from(
          { length: slots },
          (_, slot) => html`
            <li
              key=${slot}
              data-par=${slot + 1 === par || undefined}
              data-full=${slot < points || undefined}
            >
              ${(books[slot] ?? []).map(
                (card) => html`
                  <${StageCard} key=${card.id} table=${table} card=${card} still=${true} />
                `,
              )}
            </li>
          `,
        )}
      </ol>
      <p>
        <b>${points}</b>
        ${' '}of par ${par}
      </p>
    </section>
  `;
}

/** @param {{ stage: Stage, table: Table }} props */
export default function Reels({ stage, table }) {
  const { lines, reels } = stage;
  const held = useHeld(stage);
  const flip = choiceOf(table, stage.flip);
  const hold = choiceOf(table, stage.hold);
  const down = (/** @type {PayLine} */ line) =>
    reels.some((reel) => {
      const cards = zoneOf(table, reel.column).cards;
      return line.cards.every((id) => cards.some((card) => card.id === id));
    });
  /** F and H; elsewhere on the page, H is the hint. @param {KeyboardEvent} event */
  const key = (event) => {
    const choice = event.key === 'f' ? flip : event.key === 'h' ? hold : null;
    if (!choice || isChord(event)) return;
    event.preventDefault();
    event.stopPropagation();
    table.pick([choice], '');
  };
  return html`
    <section
      class="machine"
      role="group"
      aria-label="The machine"
      onKeyDown=${key}
      data-rolls="true"
    >
      <${Lamps} stage=${stage} />
      <${Need} stage=${stage} table=${table} />
      <div class="reels">
        ${reels.map(
          (reel, number) => html`
            <${Reel}
              key=${reel.name}
              reel=${reel}
              table=${table}
              held=${held[number]}
              lines=${lines}
            />
          `,
        )}
        ${
          lines.some((line) => !down(line)) &&
          html`
            <span class="payline" aria-hidden="true"></span>
          `
        }
        <${Lines} lines=${lines} table=${table} />
      </div>
      <${Lever} pull=${flip && (() => table.pick([flip], ''))} />
      <${Tally} stage=${stage} table=${table} />
    </section>
  `;
}
