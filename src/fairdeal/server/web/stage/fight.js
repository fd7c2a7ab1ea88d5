// A fight: a column for each fighter, the name under the cards and over them what counts.
import { html } from '../vendor/htm-preact.js';
import { Card } from '../kit/card.js';
import { spokenZone } from '../scene/zone.js';
import { StageCard, zoneOf } from './instrument.js';

/** @import { Fight as Stage, Fighter, Table, Zone } from '../types.js' */

/** The columns that a phone has side by side. */
const ACROSS = 4;

/** Return the number of levels of a column: one for stakes, and one for a place.
 * @param {Fighter} fighter @param {Table} table @returns {number} */
function depth({ steps }, table) {
  const zones = steps.map((id) => zoneOf(table, id));
  const cards = zones.map((zone) => (zone.layout === 'lap' ? 1 : Math.max(1, zone.cards.length)));
  return cards.reduce((sum, one) => sum + one, 0);
}

/** A step of a column: its cards on one another, stakes as a stack with their number, or the place
 * for a card that is still to come.
 * @param {{ zone: Zone, seat: number, table: Table }} props */
function Step({ zone, seat, table }) {
  const cards = zone.cards;
  const stack = zone.layout === 'lap';
  return html`
    <div
      class="lies"
      data-zone=${zone.id}
      data-heed=${zone.heed || undefined}
      role="group"
      aria-label=${spokenZone({ ...zone, place: `seat:${seat}` }, table.scene)}
    >
      ${(stack ? cards.slice(-1) : cards).map(
        (card) => html`
          <${StageCard} key=${card.id} table=${table} card=${{ ...card, mark: '' }} seat=${seat} />
        `,
      )}
      ${
        stack &&
        html`
          <b class="number" aria-hidden="true">${zone.count}</b>
        `
      }
      ${
        !cards.length &&
        html`
          <span class="gap"><span>${zone.gap}</span></span>
        `
      }
    </div>
  `;
}

/** @param {{ fighter: Fighter, table: Table }} props */
function Column({ fighter, table }) {
  const { seat, steps, face, value, parts, leads, note } = fighter;
  const name = table.scene.seats.find((one) => one.seat === seat)?.name;
  return html`
    <li data-leads=${leads || undefined} data-gone=${(!steps.length && !face) || undefined}>
      <span class="who" title=${name}>${name}</span>
      <b class="force">${value}</b>
      <small>${parts}</small>
      <div class="file">
        ${steps.map(
          (id) => html`
            <${Step} key=${id} zone=${zoneOf(table, id)} seat=${seat} table=${table} />
          `,
        )}
        ${
          face &&
          html`
            <${Card} card=${{ id: `last${seat}` }} face=${table.faces[face]} skin=${table.skin} />
          `
        }
        ${
          !steps.length &&
          !face &&
          html`
            <span class="gap"><span>${note}</span></span>
          `
        }
        ${
          note &&
          (steps.length > 0 || face) &&
          html`
            <em>${note}</em>
          `
        }
      </div>
    </li>
  `;
}

/** The stakes: the cards that lie in no column, and how many there are in all.
 * @param {{ stage: Stage, table: Table }} props */
function Pot({ stage, table }) {
  const top = stage.pile && zoneOf(table, stage.pile).cards.at(-1);
  return html`
    <p class="pot">
      ${
        top &&
        html`
          <span class="spoils" data-zone=${stage.pile}>
            <${StageCard} table=${table} card=${top} />
          </span>
        `
      }
      ${
        Boolean(stage.pot) &&
        html`
          <span>
            pot${' '}
            <b>${stage.pot}</b>
          </span>
        `
      }
    </p>
  `;
}

/** @param {{ stage: Stage, table: Table }} props */
export default function Fight({ stage, table }) {
  const { columns, title, text, next, done } = stage;
  const shape = {
    '--fighters': columns.length,
    '--across': Math.min(columns.length, ACROSS),
    '--rows': Math.ceil(columns.length / ACROSS),
    '--steps': Math.max(1, ...columns.map((one) => depth(one, table))),
  };
  return html`
    <section
      class="fight"
      aria-label=${title}
      data-many=${columns.length > ACROSS || undefined}
      data-done=${done || undefined}
      data-next=${Boolean(next) || undefined}
      style=${shape}
    >
      <header>
        <b>${title}</b>
        <span>${text}</span>
      </header>
      ${
        next &&
        html`
          <em class="next">${next}</em>
        `
      }
      <ol>
        ${columns.map(
          (fighter) => html`
            <${Column} key=${fighter.seat} fighter=${fighter} table=${table} />
          `,
        )}
      </ol>
      <${Pot} stage=${stage} table=${table} />
    </section>
  `;
}
