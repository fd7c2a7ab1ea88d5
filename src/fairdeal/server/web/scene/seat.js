// A seat: who sits there, what they have, and their cards on the table.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { Icon } from '../kit/card.js';
import { shownAs } from '../kit/opponents.js';
import { Popover } from '../kit/popover.js';
import { zonesOnStage } from '../stage/instrument.js';
import { INKS, Report, isOther } from '../kit/page.js';
import { roomTime } from '../kit/time.js';
import { dayOf, lengthOf } from '../kit/words.js';
import { Zone } from './zone.js';

/** @import { Counter, Facts, Scene, Seat as Sitting, Table, Zone as OnScene } from '../types.js' */

/** `0:09`, `2:05`, `3 h`, `2 days`. @param {number} seconds */
export function time(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= 7200) return lengthOf(left);
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}

/** Seconds left until a time of the room.
 * @param {number} until */
export function useLeft(until) {
  const [, beat] = useState(0);
  useEffect(() => {
    if (!until) return undefined;
    const timer = setInterval(() => beat((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [until]);
  return until ? until - roomTime() : 0;
}

/** @param {Counter} counter */
const sign = ({ icon }) => {
  if (icon === 'chip') {
    return html`
      <span class="chip" data-v="2"><b></b></span>
    `;
  }
  return icon
    ? html`
        <span class="sign"><${Icon} name=${icon} /></span>
      `
    : '';
};

/** `−1`. @param {number | string} number */
export const minus = (number) => String(number).replace('-', '−');

/** @param {{ counters?: Counter[] }} props */
const Counters = ({ counters = [] }) => html`
  <span class="counts">
    ${counters.map(
      (counter) => html`
        <span
          class="count"
          data-of=${/\//.test(/** @type {string} */ (counter.value)) || undefined}
          data-sign=${counter.icon || undefined}
          key=${counter.label}
          title=${counter.label}
        >
          <b translate=${false}>${sign(counter)}${minus(counter.value)}</b>
          <small>${counter.label}</small>
        </span>
      `,
    )}
  </span>
`;

/** @param {{ seat: Sitting, facts?: Facts }} props */
export function Face({ seat, facts }) {
  const plays = facts?.chairs[seat.seat]?.plays ?? seat.kind;
  return html`
    <span
      class="face"
      translate=${false}
      data-bot=${seat.kind === 'bot' || undefined}
      aria-hidden="true"
    >
      ${shownAs(seat.name, plays !== 'person' && plays)}
    </span>
  `;
}

/** Return the zones before a seat; folded ones only if their cards can be read.
 * @param {Scene} scene @param {number} seat */
export const zonesOf = (scene, seat) =>
  scene.zones.filter(
    (zone) =>
      zone.place === `seat:${seat}` && !(zone.fold && !zone.cards.some((card) => card.face)),
  );

/** The area of a single rival lies in the middle, across from the viewer's own.
 * @param {OnScene} zone */
export const isArea = (zone) => zone.size === 'table' && Boolean(zone.slots);

/** A play that matters now is featured: the middle shows it large.
 * @param {OnScene} zone @param {Scene} scene */
export const isLent = (zone, scene) =>
  Boolean(zone.heed && scene.headline && zone.layout === 'lap' && zone.size === 'table');

/** Return a zone with empty places for the cards that the middle shows. @param {OnScene} zone */
const without = (zone) => ({
  ...zone,
  heed: false,
  cards: [],
  slots: Math.max(zone.slots, zone.layout === 'groups' ? 1 : zone.cards.length),
});

/** The note of a seat beside its name: its parts one after the other as far as there is room,
 * and the clock in any case. @param {{ note: string, clock?: string }} props */
const Note = ({ note, clock }) => html`
  <small class="notes">
    <span>
      ${note.split(' · ').map(
        (part, number) => html`
          <i key=${number}>${number ? `· ${part}` : part}</i>
        `,
      )}
    </span>
    ${
      clock &&
      html`
        <span class="clock" translate=${false}>${note ? `· ${clock}` : clock}</span>
      `
    }
  </small>
`;

/** @param {{ seat: Sitting, facts: Facts, note: string, clock: string, onOpen?: () => void,
 *   opens: string }} props */
const Plate = ({ seat, facts, note, clock, onOpen, opens }) => {
  const inside = html`
    <${Face} seat=${seat} facts=${facts} />
    <span class="who">
      <b title=${seat.name} translate=${false}>${seat.name}</b>
      <${Note} note=${note} clock=${clock} />
    </span>
    <${Counters} counters=${seat.counters} />
  `;
  return onOpen
    ? html`
        <button class="plate" aria-expanded=${opens} onClick=${onOpen}>${inside}</button>
      `
    : html`
        <div class="plate">${inside}</div>
      `;
};

/** @param {Scene | null} scene @param {number | undefined} seat */
const stateOf = (scene, seat) => scene?.seats?.find((one) => one.seat === seat)?.state;

/** Is the viewer out of a game that goes on? @param {Scene | null} scene */
export const isOut = (scene) =>
  (scene?.mode ?? 'live') === 'live' && stateOf(scene, scene?.viewer) === 'out';

/** Return the number of other people who still play.
 * @param {Facts} facts @param {Scene | null} scene */
export const others = ({ chairs }, scene) =>
  chairs.filter(
    ({ seat, you, plays }) => !you && plays === 'person' && stateOf(scene, seat) !== 'out',
  ).length;

/** Return the kind of a bot: `like Juno` if it has a name of its own.
 * @param {Sitting} seat @param {Table} table */
function playsLike({ seat, name }, { facts, game }) {
  const level = game?.levels.find((one) => one.id === facts?.chairs?.[seat]?.plays);
  return level && level.name !== name ? ` · like ${level.name}` : '';
}

/** A player's part of the table, in words. @param {Sitting} seat */
export const spokenSeat = ({ name, note, acts }) =>
  [name, note || (acts ? 'to act' : '')].filter(Boolean).join(', ');

/** @param {{ seat: Sitting, table: Table }} props */
export function Seat({ seat, table }) {
  const { scene, facts, choices, chosen, set } = table;
  const open = table.open === seat.seat;
  const alone = scene.seats.length === 2 && scene.viewer >= 0;
  const staged = zonesOnStage(scene);
  const all = zonesOf(scene, seat.seat);
  const zones = all.filter((zone) => !(alone && isArea(zone)));
  const areas = alone && zones.length < all.length;
  const left = useLeft(
    seat.clock?.runs ? /** @type {number} */ (scene.heard) + seat.clock.left : 0,
  );
  const clock = seat.clock ? time(seat.clock.runs ? left : seat.clock.left) : '';
  const like = playsLike(seat, table);
  const until = facts?.chairs?.[seat.seat]?.away;
  const away = seat.state === 'away' ? 'away' : seat.kind === 'bot' ? `bot${like}` : '';
  const choice = choices.get(String(seat.seat)) ?? choices.get(`seat${seat.seat}`);
  const inside = zones.some(
    (zone) =>
      !staged.has(zone.id) &&
      zone.cards.some((card) => choices.has(card.id) || chosen.has(card.id)),
  );
  return html`
    <article
      class="seat"
      data-seat=${seat.seat}
      data-turn=${seat.acts || undefined}
      data-away=${seat.state === 'away' || undefined}
      data-out=${seat.state === 'out' || undefined}
      data-can=${choice ? true : undefined}
      data-inside=${inside || undefined}
      data-hint=${table.hint?.has(`seat:${seat.seat}`) || undefined}
      style=${{ '--who': INKS[seat.seat % 8] }}
      aria-label=${spokenSeat(seat)}
      aria-owns=${areas ? 'theirs' : undefined}
      title=${`${facts?.chairs?.[seat.seat]?.name ?? seat.name}${like}`}
    >
      <${Plate}
        seat=${seat}
        facts=${facts}
        note=${until ? `away until ${dayOf.format(1000 * until)}` : seat.note || (clock ? '' : away)}
        clock=${clock}
        onOpen=${set && (() => set({ open: open ? -1 : seat.seat }))}
        opens=${open ? 'true' : 'false'}
      />
      ${
        zones.length > 0 &&
        html`
          <div class="zones">
            ${zones.map((zone) => {
              const elsewhere = staged.has(zone.id) || isLent(zone, scene);
              return html`
                <${Zone}
                  key=${zone.id}
                  zone=${elsewhere ? without(zone) : zone}
                  table=${table}
                  left=${elsewhere}
                />
              `;
            })}
          </div>
        `
      }
      ${
        choice &&
        html`
          <button
            class="aim"
            aria-label=${choice[0].label || `Choose ${seat.name}`}
            onClick=${() => table.pick(choice, String(seat.seat))}
          ></button>
        `
      }
    </article>
  `;
}

/** All that lies before a seat, large enough to be read and tapped.
 * @param {{ seat: Sitting, table: Table, close: () => void }} props */
export function SeatSlip({ seat, table, close }) {
  const staged = zonesOnStage(table.scene);
  const zones = zonesOf(table.scene, seat.seat).filter((zone) => !staged.has(zone.id));
  const chair = table.facts.chairs[seat.seat];
  return html`
    <${Popover} label=${`In front of ${seat.name}`} close=${close}>
      <b translate=${false}>${seat.name}</b>
      <${Counters} counters=${seat.counters} />
      <div class="zones" style=${{ '--who': INKS[seat.seat % 8] }}>
        ${zones.map(
          (zone) => html`
            <${Zone}
              key=${zone.id}
              zone=${{ ...zone, size: 'table', label: zone.label || zone.say }}
              table=${table}
              role="group"
            />
          `,
        )}
        ${
          !zones.length &&
          html`
            <p class="quiet">There are no face-up cards here.</p>
          `
        }
      </div>
      ${
        isOther(chair) &&
        html`
          <${Report}
            of=${{ seat: seat.seat, name: chair.name }}
            report=${table.report}
            words=${html`
              Report the name${' '}
              <span translate=${false}>${chair.name}</span>
            `}
          />
        `
      }
    <//>
  `;
}

/** @param {{ seat: Sitting, note?: string, children?: unknown }} props */
export function Me({ seat, note, children }) {
  return html`
    <div
      class="me"
      data-turn=${seat.acts || undefined}
      data-sorts=${Boolean(children) || undefined}
      style=${{ '--who': INKS[seat.seat % 8] }}
    >
      <div class="plate">
        <${Face} seat=${seat} />
        <span class="who">
          <b translate=${false}>${seat.name}</b>
          <${Note} note=${note || seat.note || ''} />
        </span>
      </div>
      ${children}
      <${Counters} counters=${seat.counters} />
    </div>
  `;
}
