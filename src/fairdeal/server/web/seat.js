// A seat: who sits there, what he has, and his cards on the table.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { Icon } from './card.js';
import { INKS } from './top.js';
import { Zone } from './zone.js';

/** `0:09`, `2:05`, `3 h`. @param {number} seconds */
export function time(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= 7200) return `${Math.round(left / 3600)} h`;
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}

/** Seconds left of a time on the server's clock. */
export function useLeft(until, skew) {
  const [, beat] = useState(0);
  useEffect(() => {
    if (!until) return undefined;
    const timer = setInterval(() => beat((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [until]);
  return until ? until - (Date.now() / 1000 + skew) : 0;
}

export const Counters = ({ counters = [] }) => html`
  <span class="counts">
    ${counters.map(
      (counter) => html`
        <span class="count" key=${counter.label} title=${counter.label}>
          <b>
            ${counter.icon === 'chip'
              ? html`
                  <span class="chip" data-v="2"><b></b></span>
                `
              : counter.icon
                ? html`
                    <${Icon} name=${counter.icon} />
                  `
                : ''}${String(counter.value).replace('-', '−')}
          </b>
          <small>${counter.label}</small>
        </span>
      `,
    )}
  </span>
`;

export const Face = ({ seat }) => html`
  <span class="face" data-bot=${seat.kind === 'bot' || undefined} aria-hidden="true">
    ${(seat.name || '?')[0]}
  </span>
`;

/** @param {any} props */
export function Seat({ seat, table, open, onOpen }) {
  const zones =
    table.scene.zones?.filter(
      (zone) =>
        zone.place === `seat:${seat.seat}` &&
        !(zone.fold && !zone.cards?.some((card) => card.face)),
    ) ?? [];
  const chair = table.facts.chairs[seat.seat];
  const grace = useLeft(chair?.grace ? table.facts.heard + chair.grace : 0, 0);
  const left = useLeft(seat.clock?.runs ? table.scene.heard + seat.clock.left : 0, 0);
  const clock = seat.clock ? ` · ${time(seat.clock.runs ? left : seat.clock.left)}` : '';
  const note =
    `${seat.note ?? ''}${clock}` ||
    (seat.kind === 'bot' ? 'bot' : seat.state === 'away' ? 'away' : '');
  const choice = table.choices.get(String(seat.seat)) ?? table.choices.get(`seat${seat.seat}`);
  const idle =
    chair &&
    chair.plays === 'person' &&
    !chair.here &&
    !chair.stand_in &&
    table.facts.seat >= 0 &&
    table.scene.mode !== 'over';
  return html`
    <article
      class="seat"
      data-seat=${seat.seat}
      data-turn=${seat.acts || undefined}
      data-open=${open || undefined}
      data-away=${seat.state === 'away' || undefined}
      data-out=${seat.state === 'out' || undefined}
      data-can=${choice ? true : undefined}
      style=${{ '--who': INKS[seat.seat % 8] }}
      aria-label=${`${seat.name}${seat.acts ? ', to act' : ''}`}
    >
      <div class="plate" onClick=${onOpen}>
        <${Face} seat=${seat} />
        <span class="who">
          <b>${seat.name}</b>
          <small>${note}</small>
        </span>
        <${Counters} counters=${seat.counters} />
      </div>
      ${idle &&
      html`
        <button
          class="btn slim"
          disabled=${grace > 0}
          onClick=${() => table.ask({ type: 'stand_in', seat: seat.seat })}
        >
          <${Icon} name="bot" />
          ${grace > 0 ? `Away, a bot in ${Math.ceil(grace)} s` : 'Let a bot play on'}
        </button>
      `}
      ${choice &&
      html`
        <button class="btn" onClick=${() => table.pick(choice, String(seat.seat))}>
          ${choice[0].label || `Choose ${seat.name}`}
        </button>
      `}
      ${zones.length > 0 &&
      html`
        <div class="zones">
          ${zones.map(
            (zone) => html`
              <${Zone} key=${zone.id} zone=${zone} table=${table} />
            `,
          )}
        </div>
      `}
    </article>
  `;
}

/** @param {any} props */
export function Me({ seat, note }) {
  return html`
    <div
      class="me tall"
      data-turn=${seat.acts || undefined}
      style=${{ '--who': INKS[seat.seat % 8] }}
    >
      <div class="plate bare">
        <${Face} seat=${seat} />
        <span class="who">
          <b>${seat.name}</b>
          <small>${note || seat.note || ''}</small>
        </span>
      </div>
      <${Counters} counters=${seat.counters} />
    </div>
  `;
}
