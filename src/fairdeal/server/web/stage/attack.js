// An attack: its cards and the answers across them, an arrow to what is attacked, one word at the
// end. It lies in a band of the middle, whose place is kept while nobody attacks.
import { html, useLayoutEffect, useRef } from '../vendor/htm-preact.js';
import { Face } from '../scene/seat.js';
import { StageCard, useResized, zoneOf } from './instrument.js';
import { partOf } from '../kit/decoded.js';
import { INKS } from '../kit/page.js';

/** @import { Attack as Stage, Card, Ref, Table } from '../types.js' */

/** The distance of the second attacker, and of each answer, from the card before, in widths of a
 * card. */
const BESIDE = 0.55;
const ACROSS = 0.7;

/** Between the arrow and what it points at, and half of its head, in pixels. */
const GAP = 12;
const HEAD = 6;

/** The height of its way over words, in pixels. */
const RISE = 28;

/** The cards as they lie there; of an attack that is over, what lay there.
 * @param {Stage} stage @param {Table} table @returns {Card[]} */
function cardsOf({ zones: [id], faces }, table) {
  const { cards } = zoneOf(table, id);
  if (cards.length) return cards;
  return faces.map((face, at) => partOf('Card', { id: `${id}!${at}`, face }));
}

/** Where each card lies, and which lie across the one before.
 * @param {Card[]} cards @param {number} attackers */
const laid = (cards, attackers) =>
  cards.map((card, number) => {
    const answer = number - attackers;
    const across = answer >= 0 && answer % 2 === 0;
    return {
      card,
      across,
      attacks: answer < 0,
      at: answer < 0 ? number * BESIDE : (attackers - 1) * BESIDE + (answer + 1) * ACROSS,
    };
  });

/** Where a card lies when it travels no more. @param {Element} card */
const placeOf = (card) => (card.closest('li') ?? card).getBoundingClientRect();

/** The target: the card, or its owner where the card is not drawn.
 * @param {Element} root @param {Stage} stage @param {number} viewer */
function goalOf(root, { target, defender }, viewer) {
  const card = target ? root.querySelector(`[data-id="${CSS.escape(target)}"]`) : null;
  if (card?.checkVisibility()) return placeOf(card);
  const seat = defender === viewer ? '.own .face' : `.seat[data-seat="${defender}"]`;
  return root.querySelector(seat)?.getBoundingClientRect();
}

/** The way from one box to another, and how the head turns: from the nearest edge to the nearest,
 * or over the words to what lies beside; seen from a corner of the page.
 * @param {DOMRect} from @param {DOMRect} to @param {DOMRect} page */
function way(from, to, page) {
  const middle = (/** @type {DOMRect} */ box) => [
    box.left + box.width / 2 - page.left,
    box.top + box.height / 2 - page.top,
  ];
  const [[x, y], [goalX, goalY]] = [middle(from), middle(to)];
  if (from.top < to.bottom && to.top < from.bottom) {
    const side = Math.sign(goalX - x);
    const [start, end] = [y - from.height / 2, goalX - side * (to.width / 2 + GAP)];
    return {
      d: `M${x} ${start}C${x} ${start - RISE} ${(x + end) / 2} ${goalY} ${end} ${goalY}`,
      x: end,
      y: goalY,
      turn: 90 - side * 90,
    };
  }
  const side = Math.sign(goalY - y);
  const [start, end] = [y + (side * from.height) / 2, goalY - side * (to.height / 2 + GAP)];
  const half = (start + end) / 2;
  return {
    d: `M${x} ${start}C${x} ${half} ${goalX} ${half} ${goalX} ${end}`,
    x: goalX,
    y: end,
    turn: side * 90,
  };
}

/** The arrow from the attacking card to what it attacks. It is drawn anew when the room changes.
 * @param {{ stage: Stage, viewer: number }} props */
function Arrow({ stage, viewer }) {
  /** @type {Ref<SVGSVGElement>} */ const ref = useRef(null);
  const draw = () => {
    const svg = ref.current;
    const root = svg?.closest('.table');
    const page = svg?.parentElement;
    const from = page?.querySelector('.exchange');
    const to = root && goalOf(root, stage, viewer);
    if (!svg || !page || !from || !to) return;
    const first = from.querySelector('li') ?? from;
    const { d, x, y, turn } = way(first.getBoundingClientRect(), to, page.getBoundingClientRect());
    for (const path of svg.querySelectorAll('.way')) path.setAttribute('d', d);
    svg.querySelector('.head')?.setAttribute('transform', `translate(${x} ${y}) rotate(${turn})`);
  };
  useLayoutEffect(draw);
  useResized(ref, draw, '.table');
  return html`
    <svg class="arrow" ref=${ref} aria-hidden="true">
      <path class="way halo" />
      <path class="way" />
      <path class="head" d=${`M${-HEAD * 1.6} ${-HEAD}L0 0L${-HEAD * 1.6} ${HEAD}`} />
    </svg>
  `;
}

/** @param {{ stage: Stage, table: Table }} props */
export default function Attack({ stage, table }) {
  const { attacker, attackers, title, text, word, awaits, zones } = stage;
  const { seats, viewer } = table.scene;
  const lies = laid(cardsOf(stage, table), attackers);
  const last = lies.at(-1);
  const shape = { '--wide': last ? last.at + (last.across ? 1.2 : 1) : 1 };
  return html`
    <section
      class="attack"
      aria-label=${[title, word, text].filter(Boolean).join('. ')}
      data-waits=${(awaits >= 0 && awaits !== viewer) || undefined}
      data-over=${Boolean(word) || undefined}
      style=${{ ...shape, '--who': INKS[attacker % 8] }}
    >
      <p class="does">
        <${Face} seat=${seats.find((one) => one.seat === attacker)} facts=${table.facts} />
        <span>${title}</span>
      </p>
      <div class="exchange" data-zone=${zones[0]}>
        <ul>
          ${lies.map(
            ({ card, across, attacks, at }) => html`
              <li
                key=${card.id}
                data-across=${across || undefined}
                data-attacks=${attacks || undefined}
                style=${{ '--at': at }}
              >
                <${StageCard} table=${table} card=${card} />
              </li>
            `,
          )}
          ${
            !lies.length &&
            html`
              <li style=${{ '--at': 0 }}><span class="gap"></span></li>
            `
          }
        </ul>
        ${
          word &&
          html`
            <b class="word">${word}</b>
          `
        }
      </div>
      <p class="says">${text}</p>
      <${Arrow} stage=${stage} viewer=${viewer} />
    </section>
  `;
}
