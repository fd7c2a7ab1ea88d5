// Cards that lie together: a named region with one tab stop, in which the arrows move.
import { html, useCallback, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { partOf } from '../kit/decoded.js';
import { isChord, onward, placeOn } from '../kit/keyboard.js';
import { Card, chips } from '../kit/card.js';
import { count } from '../kit/words.js';
import { groups } from './fit.js';

/** @import { Drawn } from '../vendor/htm-preact.js'
 * @import { Card as OnTable, Choice, Faces, On, OnKey, Scene, Shows, Skin, Table,
 *   Zone as OnScene } from '../types.js' */

/** @typedef {(card: OnTable, number: number) => Drawn} DrawOne
 * @typedef {{ name?: string, node: Drawn, under?: boolean }} Place */

/** Can everything there be chosen? In a layout of places only what still lies face down counts.
 * @param {OnScene} zone @param {OnTable[]} cards @param {Map<string, Choice[]>} choices
 * @param {Set<string>} chosen */
function allLit(zone, cards, choices, chosen) {
  const asked =
    zone.layout === 'grid'
      ? cards.filter((card) => card.back !== 'gap' && (card.down || choices.has(card.id)))
      : cards;
  return (
    asked.length > 1 &&
    asked.every((card) => choices.has(card.id)) &&
    !cards.some((card) => chosen.has(card.id))
  );
}

/** A card of a layout that is looked at lies face up, though it was turned back or taken; one that
 * memory alone knows lies face down.
 * @param {OnTable} card @param {Shows} linger @returns {OnTable} */
function turned(card, linger) {
  const face = linger.get(card.id);
  if (face) return { ...card, face, down: false, back: '' };
  return card.face && card.down ? { ...card, face: null } : card;
}

/** Of a pile nobody sees the face of a card that lies face down.
 * @param {OnTable} card @returns {OnTable} */
const shut = (card) => (card.down ? { ...card, face: null } : card);

/** The cards of a zone, each with the state that it needs.
 * @param {OnScene} zone @param {Table} table @param {(card: OnTable) => boolean} live
 * @param {OnTable | undefined} first @param {(id: string) => void} setStop @returns {DrawOne} */
function useCards(zone, table, live, first, setStop) {
  const { faces, skin, choices, chosen, aim, fresh, hint, silent, pick, why, asking } = table;
  const hand = isHand(zone);
  /** @type {{ current: Pick<Table, 'choices' | 'pick' | 'why'> }} */
  const now = useRef(null);
  now.current = { choices, pick, why };
  const onPick = useCallback((/** @type {On} */ event) => {
    const { id = '' } = event.currentTarget.dataset;
    const last = now.current;
    const able = last.choices.get(id);
    if (able) last.pick(able, id);
    else last.why(id);
  }, []);
  const onFocus = useCallback(
    (/** @type {On} */ event) => setStop(event.currentTarget.dataset.id ?? ''),
    [],
  );
  /** @type {{ current: Map<string, { look: string, node: Drawn, skin: Skin, faces: Faces }> }} */
  const drawn = useRef(new Map());
  const former = drawn.current;
  drawn.current = new Map();
  /** @param {OnTable} card @param {number} number */
  const state = ({ id }, number) => ({
    can: choices.has(id),
    silent,
    chosen: chosen.has(id),
    aim: aim.has(id),
    hint: hint.has(id),
    fresh: fresh.has(id),
    off: hand && asking && !choices.has(id),
    stop: first?.id === id,
    place: zone.layout === 'grid' ? number + 1 : undefined,
  });
  /** @param {OnTable} card @param {ReturnType<typeof state>} more */
  const draw = (card, more) => html`
    <${Card}
      key=${card.id}
      card=${card}
      face=${card.face ? faces[card.face] : null}
      skin=${skin}
      ...${more}
      onFocus=${onFocus}
      onPick=${live(card) ? onPick : undefined}
    />
  `;
  /** A card that looks as before is the same node as before, so nothing of it is compared again. */
  return (card, number) => {
    const more = state(card, number);
    const look = JSON.stringify([card, more, live(card)]);
    const was = former.get(card.id);
    const same = was?.look === look && was.skin === skin && was.faces === faces;
    const node = same ? was.node : draw(card, more);
    drawn.current.set(card.id, { look, node, skin, faces });
    return node;
  };
}

/** The hand proper: other layouts lie beside it. @param {OnScene} zone */
const isHand = (zone) => zone.place === 'hand' && zone.layout === 'fan';

/** The cards of a ring, and the words in its middle. @param {OnScene} zone
 * @param {OnTable[]} cards @param {DrawOne} one @param {Skin} skin @returns {Place[]} */
function ring(zone, cards, one, skin) {
  const places = cards.map((card, number) => ({ name: card.id, node: one(card, number) }));
  if (!zone.hub) return places;
  const node = html`
    <span class="card" translate=${false} data-back=${skin.name} role="img" aria-label=${zone.hub}>
      <span class="g"></span>
    </span>
    <span class="stackno" aria-hidden="true">${zone.hub}</span>
  `;
  return [...places, { name: 'hub', node }];
}

/** The top card of a stack, and a few below it. @param {OnScene} zone
 * @param {OnTable[]} cards @param {DrawOne} one @param {Skin} skin @returns {Place[]} */
function stack(zone, cards, one, skin) {
  if (!zone.count) {
    return [
      {
        node: html`
          <span class="gap" role="img" aria-label="empty"></span>
        `,
      },
    ];
  }
  const top = cards.at(-1) ?? partOf('Card', { id: `${zone.id}-top` });
  const depth = Math.min(3, Math.max(0, zone.count - 1));
  const under = () => ({
    under: true,
    node: html`
      <span class="card under" data-back=${skin.name}>
        <span class="g"></span>
      </span>
    `,
  });
  return [...Array.from({ length: depth }, under), { node: one(top, 0) }];
}

/** Cards beside one another, and places for more. @param {OnScene} zone
 * @param {OnTable[]} cards @param {DrawOne} one @returns {Place[]} */
function row(zone, cards, one) {
  const grouped = (/** @type {OnTable[]} */ group) => group.length > 1 || zone.layout === 'groups';
  /** @type {Place[]} */
  const places = groups(cards).map((group, number) => ({
    name: group[0].id,
    node: grouped(group)
      ? html`
          <div class="group">${group.map(one)}</div>
        `
      : one(group[0], number),
  }));
  while (places.length < zone.slots) {
    const node = html`
      <span class="gap" role="img" aria-label="empty place"><span>${zone.gap}</span></span>
    `;
    places.push({ name: undefined, node });
  }
  return places;
}

/** The style of a place by its number: how deep it is, or which one of the ring (zones.css).
 * @type {Record<string, (number: number) => Record<string, unknown>>} */
const STYLES = {
  stack: (number) => ({ '--i': number }),
  ring: (number) => ({ gridArea: 'abcdefghi'[number] }),
};

/** @param {{ zone: OnScene, places: Place[] }} props */
const Places = ({ zone, places }) => html`
  <ul
    class="cards"
    data-layout=${zone.layout}
    style=${{
      '--n': Math.max(1, places.length),
      '--per': places.length > 14 ? 8 : 7,
      '--cols': zone.cols || 1,
      '--rows': zone.rows || 1,
      '--cols-s': zone.narrow[0] || zone.cols || 1,
      '--rows-s': zone.narrow[1] || zone.rows || 1,
    }}
  >
    ${places.map(
      ({ name, node, under }, number) => html`
        <li
          key=${name ?? `place ${number}`}
          aria-hidden=${under ? 'true' : undefined}
          style=${STYLES[zone.layout]?.(number)}
        >
          ${node}
        </li>
      `,
    )}
  </ul>
`;

/** Points that lie together, counted.
 * @param {{ zone: OnScene, head: unknown, name: string, role?: string }} props name: the same in
 * words */
const Tokens = ({ zone, head, name, role }) => html`
  <section class="zone tokens" data-size="small" role=${role} aria-label=${name}>
    ${head}
    <div class="heap" aria-hidden="true">
      ${chips(Math.min(zone.count, 9)).map(
        (v) => html`
          <span class="chip" translate=${false} data-v=${v}><b>${v}</b></span>
        `,
      )}
    </div>
  </section>
`;

/** The arrows move within a zone. @param {OnKey} event @param {string} layout */
function onArrow(event, layout) {
  if (isChord(/** @type {KeyboardEvent} */ (event))) return;
  const to = onward(event.currentTarget, layout, event.key);
  if (!to) return;
  event.preventDefault();
  to.focus();
}

/** With Shift, they move the card that has the focus, which keeps it.
 * @param {OnScene} zone as it lies @param {Table['arrange']} arrange nothing if it cannot be done
 * @returns {(event: OnKey) => boolean} whether the key was meant for that */
function useArranging(zone, arrange) {
  /** @type {{ current: HTMLElement | null }} */ const moved = useRef(null);
  useLayoutEffect(() => {
    moved.current?.focus({ preventScroll: true });
    moved.current = null;
  });
  return (event) => {
    const cards = zone.cards;
    const focus = /** @type {HTMLElement} */ (document.activeElement);
    const from = cards.findIndex(({ id }) => id === focus.dataset.id);
    const to = from < 0 ? -1 : placeOn(event.key, from, cards.length);
    if (!arrange || !event.shiftKey || to < 0) return false;
    event.preventDefault();
    if (to === from) return true;
    moved.current = focus;
    arrange(zone.id, cards[from].id, to);
    return true;
  };
}

/** The name of a zone, and how much lies there where that cannot be seen.
 * @param {OnScene} zone */
function headOf(zone) {
  if (!zone.label) return '';
  const number =
    (zone.layout === 'stack' || zone.layout === 'ring' || zone.icon) &&
    html`
      ${' '}
      <b translate=${false}>${zone.count}</b>
    `;
  return html`
    <h3>${zone.label}${number}</h3>
  `;
}

/** Return the owner of a zone: `Your `, `Juno’s `, or an empty string.
 * @param {OnScene} zone @param {Scene} scene */
function whose({ place }, { seats, viewer }) {
  const seat = seats.find((one) => place === `seat:${one.seat}`);
  if (seat && seat.seat !== viewer) return `${seat.name}’s `;
  return seat || (viewer >= 0 && (place === 'own' || place === 'hand')) ? 'Your ' : '';
}

/** A zone in words: its player, and its count unless its name tells one.
 * @param {OnScene} zone @param {Scene} scene */
export function spokenZone(zone, scene) {
  const name = zone.say || zone.label || zone.id;
  const owned = /^your /i.test(name) ? name : whose(zone, scene) + name;
  const number = zone.count;
  if (/\d/.test(name)) return owned;
  return `${owned}, ${zone.icon ? number : count(number, 'card')}`;
}

/** Can a pile be fanned out? All its cards are known, and there is more than the one on top.
 * @param {OnScene} zone */
export const isOpenPile = ({ layout, cards }) =>
  layout === 'stack' && cards.length > 1 && cards.every((card) => card.face && !card.down);

/** @param {{ zone: OnScene, table: Table, left?: boolean, role?: string }} props left: only its
 * place is here, and its cards are shown and told elsewhere; role: of a zone that is shown a second
 * time, as the page has one region of a name */
export function Zone({ zone, table, left = false, role }) {
  const [stop, setStop] = useState('');
  const { skin, choices, chosen, linger, pick, asking } = table;
  const { layout } = zone;
  const all = zone.cards.filter((card) => linger.get(card.id) !== '');
  const lies = {
    grid: (/** @type {OnTable} */ card) => turned(card, linger),
    stack: shut,
  }[/** @type {'grid' | 'stack'} */ (layout)];
  const cards = lies ? all.map(lies) : all;
  const hand = isHand(zone);
  const live = (/** @type {OnTable} */ card) => choices.has(card.id) || (hand && asking);
  const reach = cards.filter(live);
  const first =
    reach.find((card) => card.id === stop) ??
    reach.find((card) => choices.has(card.id)) ??
    reach[0];
  const one = useCards(zone, table, live, first, setStop);
  const head = headOf(zone);
  const loose = hand && zone.any_order && cards.length > 1 ? table.arrange : undefined;
  const arranges = useArranging(zone, loose);
  if (zone.icon) {
    return html`
      <${Tokens} ...${{ zone, head, role }} name=${spokenZone(zone, table.scene)} />
    `;
  }
  const lay = layout === 'ring' ? ring : layout === 'stack' ? stack : row;
  const able = choices.get(zone.id);
  const fans = table.fan && !reach.length && isOpenPile(zone);
  return html`
    <section
      class=${`zone${hand ? ' hand' : ''}`}
      role=${role}
      data-zone=${zone.id}
      data-fold=${zone.fold || undefined}
      data-size=${zone.size || (hand ? 'hand' : 'table')}
      data-heed=${zone.heed || undefined}
      data-lit=${allLit(zone, cards, choices, chosen) || undefined}
      data-can=${able ? true : undefined}
      data-hint=${table.hint?.has(zone.id) || undefined}
      aria-label=${spokenZone(zone, table.scene)}
      aria-hidden=${left ? 'true' : undefined}
      data-fans=${fans || undefined}
      data-loose=${Boolean(loose) || undefined}
      onClick=${able ? () => pick(able, zone.id) : fans && (() => table.fan?.(zone.id))}
      onKeyDown=${(/** @type {OnKey} */ event) => arranges(event) || onArrow(event, layout)}
    >
      ${hand ? '' : head}
      <${Places} zone=${zone} places=${lay(zone, cards, one, skin)} />
    </section>
  `;
}
