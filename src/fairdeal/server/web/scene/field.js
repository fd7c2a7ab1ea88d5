// The parts that a table and its replay have in common.
import { html } from '../vendor/htm-preact.js';
import { Me, Seat, SeatSlip, isArea, isLent, spokenSeat, zonesOf } from './seat.js';
import { Centre, FittedZones } from './centre.js';
import { zonesOnStage } from '../stage/instrument.js';
import { Zone } from './zone.js';

/** @import { Scene, Skin, Table, Zone as OnScene } from '../types.js' */

/** The colours of a game's cloth. @param {Skin} skin */
export const cloth = (skin) => ({
  '--cloth-day': skin.cloth[0],
  '--cloth-night': skin.cloth[1],
  '--cloth-2-day': skin.cloth_2[0],
  '--cloth-2-night': skin.cloth_2[1],
});

/** The facts that decide the heights of a table's rows: how many rivals there are, and what tray
 * the game wants; and the instrument in its middle.
 * @param {Scene} scene */
export const frame = (scene) => ({
  'data-rivals': scene.seats.length - (scene.viewer >= 0 ? 1 : 0),
  'data-areas': scene.zones.some((zone) => zone.place === 'own' && isArea(zone)) || undefined,
  'data-tray': scene.viewer < 0 ? 'gone' : scene.tray || 'one',
  'data-instrument': scene.stage?.kind,
});

/** The zones of a scene at a place, but for those that an instrument stands for.
 * @param {Scene} scene @param {string} place */
function zonesAt(scene, place) {
  const staged = zonesOnStage(scene);
  return scene.zones.filter((zone) => zone.place === place && !staged.has(zone.id));
}

/** The viewer's own place: the counters, the hand and what lies beside it.
 * @param {{ table: Table }} props */
export function Tray({ table }) {
  const { scene } = table;
  const mine = scene.seats.find((seat) => seat.seat === scene.viewer);
  if (!mine) return null;
  const won = zonesAt(scene, 'own').filter(
    (zone) => !isArea(zone) && !isLent(zone, scene) && zone.cards.length,
  );
  const zones = [...won, ...zonesAt(scene, 'hand')];
  const { sort } = table;
  const own = sort && zones.find((zone) => table.arranged?.has(zone.id));
  return html`
    <div
      class="own"
      role="group"
      aria-label=${spokenSeat(mine)}
      aria-owns=${zonesAt(scene, 'own').some(isArea) ? 'mine' : undefined}
      data-several=${zones.length > 1 || undefined}
    >
      <${Me} seat=${mine}>
        ${
          own &&
          html`
            <button
              class="slimbtn sorts"
              aria-label="Sort your cards"
              onClick=${() => sort(own.id)}
            >
              Sort
            </button>
          `
        }
      <//>
      ${zones.map(
        (zone) => html`
          <${Zone} key=${zone.id} zone=${zone} table=${table} />
        `,
      )}
    </div>
  `;
}

/** The others, in their order from the viewer on.
 * @param {{ viewer: number, table: Table }} props */
export function Rivals({ viewer, table }) {
  const seats = table.scene.seats;
  const rivals = seats
    .map((_, number) => seats[(Math.max(viewer, -1) + 1 + number) % seats.length])
    .filter((seat) => seat.seat !== viewer);
  const count = rivals.length;
  return html`
    <div
      class="rivals"
      data-count=${count}
      data-many=${count > 4 || undefined}
      data-one=${count === 1 || undefined}
      style=${{ '--across': Math.ceil(count / 2) }}
    >
      ${rivals.map(
        (one) => html`
          <${Seat} key=${one.seat} seat=${one} table=${table} />
        `,
      )}
    </div>
  `;
}

/** The middle: the area of a single rival, the centre, the viewer's own area, and what is laid over
 * it. @param {{ table: Table, children?: unknown }} props */
export function Field({ table, children }) {
  const { scene, open, set } = table;
  const { viewer } = scene;
  const rival = scene.seats.length === 2 && viewer >= 0 ? 1 - viewer : -1;
  const theirs = rival < 0 ? [] : zonesOf(scene, rival).filter(isArea);
  const mine = zonesAt(scene, 'own').filter(isArea);
  const opened = scene.seats.find((seat) => seat.seat === open);
  return html`
    <div class="field">
      ${
        theirs.length > 0 &&
        html`
          <${FittedZones} place="theirs" zones=${theirs} table=${table} />
        `
      }
      <${Centre} zones=${zonesAt(scene, 'centre')} headline=${scene.headline} table=${table} />
      ${
        mine.length > 0 &&
        html`
          <${FittedZones} place="mine" zones=${mine} table=${table} />
        `
      }
      ${
        opened &&
        html`
          <${SeatSlip} key=${open} seat=${opened} table=${table} close=${() => set({ open: -1 })} />
        `
      }
      ${children}
    </div>
  `;
}
