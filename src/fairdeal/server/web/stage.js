// The stage: the instrument that a scene asks for, in the middle of the table. Instruments are
// fetched when the first scene wants one, so that other games do not pay for them.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { here, sheet } from './api.js';
import { Card } from './card.js';
import { motionless } from './flip.js';

/** @import { Card as OnTable, Scene, Table, Zone } from './types.js' */

/** Draws what a scene has on its stage. What an instrument is given is a scene's stage of its kind.
 * @typedef {(props: { stage: never, table: Table }) => unknown} Instrument */

/** @param {[{ default: Instrument }, void]} all */
const first = ([one]) => one;

/** @type {Record<string, () => Promise<{ default: Instrument }>>} */
const FETCH = {
  fan: () => import('./fan.js'),
  wheel: () => import('./wheel.js'),
  reels: () => import('./reels.js'),
  trick: () => import('./trick.js'),
  fight: () => import('./fight.js'),
  attack: () => Promise.all([import('./attack.js'), sheet(here('attack.css'))]).then(first),
  race: () => import('./race.js'),
};

/** @type {Map<string, Instrument>} */
const fetched = new Map();

/** Can this page draw what the scene asks for? @param {Scene} scene */
export const isStaged = (scene) => Boolean(scene.stage && FETCH[scene.stage.kind]);

/** The zones that the instrument stands for.
 * @param {Scene} scene @returns {Set<string>} */
export const zonesOnStage = (scene) => new Set(isStaged(scene) ? scene.stage?.zones : []);

/** Does it lie in a band of the middle, beside all else? @param {Scene} scene */
export function isBanded(scene) {
  const on = zonesOnStage(scene);
  return (scene.zones ?? []).some((zone) => zone.cell === 'band' && on.has(zone.id));
}

/** Does the instrument say by itself what the headline says? Beside a fan there is room for it.
 * @param {Scene} scene */
export const saysHeadline = (scene) => scene.stage?.kind !== 'fan';

/** The zone of this name, which the scene has. @param {Table} table @param {string} id */
export const zoneOf = (table, id) =>
  /** @type {Zone} */ (table.scene.zones?.find((one) => one.id === id));

/** The card of this name, wherever it lies. @param {Table} table @param {string} id */
export const cardOf = (table, id) =>
  table.scene.zones?.flatMap((zone) => zone.cards ?? []).find((card) => card.id === id);

/** A card of the scene as an instrument draws it; one that can be chosen is picked by a tap, and
 * the instrument's own keys do the same. A tap on the card of a `seat` that can be chosen chooses
 * the seat. @param {{ table: Table, card: OnTable, stop?: boolean, still?: boolean,
 *   seat?: number }} props */
export function StageCard({ table, card, stop = false, still = false, seat = -1 }) {
  const on = table.choices.has(card.id) ? card.id : String(seat);
  const choices = still ? undefined : table.choices.get(on);
  return html`
    <${Card}
      card=${card}
      face=${card.face ? table.faces[card.face] : null}
      skin=${table.skin}
      can=${Boolean(choices)}
      aim=${table.aim.has(`seat:${seat}`)}
      hint=${table.hint.has(card.id) || table.hint.has(`seat:${seat}`)}
      fresh=${table.fresh.has(card.id)}
      stop=${stop}
      onPick=${choices && (() => table.pick(choices, on))}
    />
  `;
}

/** The choice of the scene with this id. @param {Table} table @param {number} id */
export const choiceOf = (table, id) =>
  id >= 0 ? table.scene.choices?.find((choice) => choice.id === id) : undefined;

/** Does nothing travel here, by the viewer's wish or the speed of the table? The length of a
 * movement in milliseconds, which is 0 then. @param {Element} element @param {string} token */
export function duration(element, token) {
  if (motionless()) return 0;
  const value = getComputedStyle(element).getPropertyValue(token).trim();
  return parseFloat(value) * (value.endsWith('ms') ? 1 : 1000) || 0;
}

/** Fetch an instrument, if it is not there. @param {string} kind */
export async function fetchKind(kind) {
  if (fetched.has(kind)) return;
  const [module] = await Promise.all([FETCH[kind](), sheet(here('stage.css'))]);
  fetched.set(kind, module.default);
}

/** @param {{ table: Table & { scene: { stage: { kind: string } } } }} props */
export function Stage({ table }) {
  const { stage } = table.scene;
  const [, arrived] = useState('');
  useEffect(() => {
    fetchKind(stage.kind).then(() => arrived(stage.kind));
  }, [stage.kind]);
  const Instrument = fetched.get(stage.kind);
  return html`
    <div class="stage" data-kind=${stage.kind}>
      ${
        Instrument &&
        html`
          <${Instrument} key=${stage.kind} stage=${stage} table=${table} />
        `
      }
    </div>
  `;
}
