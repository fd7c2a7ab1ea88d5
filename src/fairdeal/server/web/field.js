// The parts that a table and its replay have in common.
import { html } from './vendor/htm-preact.js';
import { Seat } from './seat.js';
import { zonesOnStage } from './stage.js';
import { Zone } from './zone.js';

/** The colours of a game's cloth. @param {any} skin */
export const cloth = (skin) => ({
  '--cloth-day': skin.cloth[0],
  '--cloth-night': skin.cloth[1],
  '--cloth-2-day': skin.cloth_2[0],
  '--cloth-2-night': skin.cloth_2[1],
});

/** The zones of a scene at a place, but for those that an instrument stands for.
 * @param {any} scene @param {string} place @returns {any[]} */
export function zonesAt(scene, place) {
  const staged = zonesOnStage(scene);
  return (scene.zones ?? []).filter((zone) => zone.place === place && !staged.has(zone.id));
}

/** Those of them that lie before the viewer. @param {any} scene */
export const ownZones = (scene) =>
  zonesAt(scene, 'own').filter((zone) => zone.cards?.length || zone.slots);

/** @param {any} props */
export const Zones = ({ zones, table }) =>
  zones.map(
    (zone) => html`
      <${Zone} key=${zone.id} zone=${zone} table=${table} />
    `,
  );

/** The others, in their order from the viewer on; a tap opens one. @param {any} props */
export function Rivals({ viewer, table, open = -1, setOpen }) {
  const seats = table.scene.seats ?? [];
  const rivals = seats
    .map((_, number) => seats[(Math.max(viewer, -1) + 1 + number) % seats.length])
    .filter((seat) => seat.seat !== viewer);
  return html`
    <div
      class="rivals"
      data-many=${rivals.length > 4 || undefined}
      data-one=${rivals.length === 1 || undefined}
    >
      ${rivals.map(
        (one) => html`
          <${Seat}
            key=${one.seat}
            seat=${one}
            table=${table}
            open=${open === one.seat || rivals.length === 1}
            onOpen=${setOpen && (() => setOpen(open === one.seat ? -1 : one.seat))}
          />
        `,
      )}
    </div>
  `;
}

/** What shades the table while the drawer is open. @param {any} props */
export const Scrim = ({ close }) => html`
  <div class="scrim" onClick=${close}></div>
`;
