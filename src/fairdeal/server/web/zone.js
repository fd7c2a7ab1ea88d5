// Cards that lie together: a named region with one tab stop, in which the arrows move.
import { html, useCallback, useRef, useState } from './vendor/htm-preact.js';
import { onward } from './arrows.js';
import { Card, chips } from './card.js';

/** Cards that lie on one another are one place. */
function groups(cards) {
  const found = [];
  const by = new Map();
  for (const card of cards) {
    if (card.group === undefined || card.group < 0) found.push([card]);
    else if (by.has(card.group)) by.get(card.group).push(card);
    else {
      const one = [card];
      by.set(card.group, one);
      found.push(one);
    }
  }
  return found;
}

/** Can everything there be chosen? In a layout of places only what still lies face down counts. */
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

/** A card of a layout that the last move turned over and back: up for a moment, then as it lies. */
function turned(card, linger) {
  if (!card.face || !card.down) return card;
  return linger.has(card.id) ? { ...card, down: false } : { ...card, face: null };
}

/** @param {any} props zone, table: what all zones of a table share */
export function Zone({ zone, table }) {
  const [stop, setStop] = useState('');
  const { faces, skin, choices, chosen, aim, fresh, hint, linger, pick, why, asking } = table;
  const cards =
    zone.layout === 'grid'
      ? (zone.cards ?? []).map((card) => turned(card, linger))
      : (zone.cards ?? []);
  const hand = zone.place === 'hand' && zone.layout === 'fan'; // other layouts lie beside it
  const live = (card) => choices.has(card.id) || (hand && asking);
  const reach = cards.filter(live);
  const first =
    reach.find((card) => card.id === stop) ??
    reach.find((card) => choices.has(card.id)) ??
    reach[0];
  const lit = allLit(zone, cards, choices, chosen);
  const now = useRef(/** @type {any} */ (null));
  now.current = { choices, pick, why };
  const onPick = useCallback((event) => {
    const { id } = event.currentTarget.dataset;
    const last = now.current;
    if (last.choices.has(id)) last.pick(last.choices.get(id), id);
    else last.why(id);
  }, []);
  const onFocus = useCallback((event) => setStop(event.currentTarget.dataset.id), []);
  const drawn = useRef(new Map());
  const former = drawn.current;
  drawn.current = new Map();
  /** A card that looks as before is the same node as before, so nothing of it is compared again. */
  const one = (card, number) => {
    const can = choices.has(card.id);
    const state = {
      can,
      chosen: chosen.has(card.id),
      aim: aim.has(card.id),
      hint: hint.has(card.id),
      fresh: fresh.has(card.id),
      off: hand && asking && !can,
      stop: first?.id === card.id,
      place: zone.layout === 'grid' ? number + 1 : undefined,
    };
    const look = JSON.stringify([card, state, live(card)]);
    const was = former.get(card.id);
    const node =
      was?.look === look && was.skin === skin && was.faces === faces
        ? was.node
        : html`
            <${Card}
              key=${card.id}
              card=${card}
              face=${card.face ? faces[card.face] : null}
              skin=${skin}
              ...${state}
              onFocus=${onFocus}
              onPick=${live(card) ? onPick : undefined}
            />
          `;
    drawn.current.set(card.id, { look, node, skin, faces });
    return node;
  };
  const size = zone.size || (hand ? 'hand' : 'table');
  const label = zone.label ?? '';
  const say = `${zone.say || label || zone.id}, ${zone.count ?? 0}`;
  const keys = (event) => {
    const to = onward(event.currentTarget, zone.layout, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  const able = choices.get(zone.id);
  const head =
    label &&
    html`
      <h3>
        ${label}${(zone.layout === 'stack' || zone.icon) &&
        html`
          ${' '}
          <b>${zone.count ?? 0}</b>
        `}
      </h3>
    `;
  if (zone.icon) {
    return html`
      <section class="zone tokens" data-size="small" aria-label=${`${label}, ${zone.count ?? 0}`}>
        ${head}
        <div class="heap" aria-hidden="true">
          ${chips(Math.min(zone.count ?? 0, 9)).map(
            (v) => html`
              <span class="chip" data-v=${v}><b>${v}</b></span>
            `,
          )}
        </div>
      </section>
    `;
  }
  let places;
  let names = [];
  if (zone.layout === 'ring') {
    places = cards.map((card, number) => one(card, number));
    names = cards.map((card) => card.id);
    const hub = html`
      <span class="card" data-back=${skin.name} role="img" aria-label=${zone.hub || 'empty'}>
        <span class="g"></span>
      </span>
      <span class="stackno" aria-hidden="true">${zone.hub}</span>
    `;
    if (zone.hub) {
      places.push(hub);
      names.push('hub');
    }
  } else if (zone.layout === 'stack') {
    const depth = Math.min(3, Math.max(0, (zone.count ?? 0) - 1));
    const top = cards.at(-1) ?? { id: `${zone.id}-top`, face: null };
    const under = Array.from(
      { length: depth },
      () => html`
        <span class="card under" data-back=${skin.name} aria-hidden="true">
          <span class="g"></span>
        </span>
      `,
    );
    places = zone.count
      ? [...under, one(top, 0)]
      : [
          html`
            <span class="gap" role="img" aria-label="empty"></span>
          `,
        ];
  } else {
    const lying = groups(cards);
    names = lying.map((group) => group[0].id);
    places = lying.map((group, number) =>
      group.length > 1 || zone.layout === 'groups'
        ? html`
            <div class="group">${group.map(one)}</div>
          `
        : one(group[0], number),
    );
    while (places.length < (zone.slots ?? 0)) {
      places.push(html`
        <span class="gap" role="img" aria-label="empty place"><span>${zone.gap ?? ''}</span></span>
      `);
    }
  }
  const style = {
    '--n': Math.max(1, places.length),
    '--per': places.length > 14 ? 8 : 7,
    '--cols': zone.cols || 1,
    '--rows': zone.rows || 1,
    '--cols-s': zone.narrow?.[0] || zone.cols || 1,
    '--rows-s': zone.narrow?.[1] || zone.rows || 1,
  };
  return html`
    <section
      class=${`zone${hand ? ' hand' : ''}`}
      data-zone=${zone.id}
      data-fold=${zone.fold || undefined}
      data-size=${size}
      data-heed=${zone.heed || undefined}
      data-lit=${lit || undefined}
      aria-label=${say}
      onKeyDown=${keys}
    >
      ${hand ? '' : head}
      <ul class="cards" data-layout=${zone.layout} style=${style}>
        ${places.map(
          (place, number) => html`
            <li
              key=${names[number] ?? `place ${number}`}
              style=${zone.layout === 'stack' ? { '--i': number } : undefined}
            >
              ${place}
            </li>
          `,
        )}
      </ul>
      ${able &&
      html`
        <button class="btn" onClick=${() => pick(able, zone.id)}>${able[0].label}</button>
      `}
    </section>
  `;
}
