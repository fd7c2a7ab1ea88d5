// A trick: each card under its player's name, at a spot that is always the same one.
import { html } from '../vendor/htm-preact.js';
import { StageCard, cardOf } from './instrument.js';

/** @import { Table, Trick as Stage } from '../types.js' */

/** @param {{ stage: Stage, table: Table }} props */
export default function Trick({ stage, table }) {
  const { spots, done } = stage;
  const seat = (/** @type {number} */ number) =>
    table.scene.seats.find((one) => one.seat === number);
  return html`
    <ul class="trick" aria-label="This Book" style=${{ '--spots': spots.length }}>
      ${spots.map((spot) => {
        const card = spot.card && cardOf(table, spot.card);
        return html`
          <li
            key=${spot.seat}
            data-wins=${spot.wins || undefined}
            data-acts=${seat(spot.seat)?.acts || undefined}
          >
            <b class="who">
              ${
                spot.led &&
                html`
                  <span role="img" aria-label="led">▸</span>
                `
              }
              <span>${seat(spot.seat)?.name}</span>
            </b>
            ${
              card
                ? html`
                    <${StageCard} table=${table} card=${{ ...card, mark: '' }} />
                  `
                : html`
                    <span class="gap" role="img" aria-label="no card yet"></span>
                  `
            }
            ${
              spot.wins &&
              html`
                <em>${done ? 'wins' : 'wins so far'}</em>
              `
            }
          </li>
        `;
      })}
    </ul>
  `;
}
