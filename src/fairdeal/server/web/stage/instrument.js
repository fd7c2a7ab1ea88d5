// The instrument on a scene's stage: what it means for the rest of the table, and what instruments
// share.
import { html, useEffect, useRef } from '../vendor/htm-preact.js';
import { Card } from '../kit/card.js';
import { motionless } from '../kit/flip.js';

/** @import { Card as OnTable, Choice, Ready, Ref, Scene, Stage, Table, Zone } from '../types.js' */

/** Call a function whenever the size of an element changes, or of what it lies in, once all that is
 * fitted has its new place. @param {Ref<Element>} root @param {() => void} does
 * @param {string} within a selector */
export function useResized(root, does, within = '') {
  const now = useRef(does);
  now.current = does;
  useEffect(() => {
    const watched = within ? root.current?.closest(within) : root.current;
    const watching = new ResizeObserver(() => requestAnimationFrame(() => now.current?.()));
    if (watched) watching.observe(watched);
    return () => watching.disconnect();
  }, []);
}

/** The zones that the instrument stands for.
 * @param {Scene} scene @returns {Set<string>} */
export const zonesOnStage = (scene) => new Set(scene.stage?.zones);

/** Does it lie in a band of the middle, beside all else? @param {Scene} scene */
export function isBanded(scene) {
  const on = zonesOnStage(scene);
  return scene.zones.some((zone) => zone.cell === 'band' && on.has(zone.id));
}

/** Does the instrument say by itself what the headline says? Beside a fan there is room for it.
 * @param {Scene} scene */
export const saysHeadline = (scene) => scene.stage?.kind !== 'fan';

/** The choices that an instrument offers as its own gestures.
 * @param {Stage | null | undefined} stage @returns {Set<number | undefined>} */
const gestures = (stage) =>
  new Set([...(stage?.choices ?? []), ...(stage?.answers ?? []).map((answer) => answer.choice)]);

/** The choices of a scene for the prompt: without the gestures of the instrument, and with the
 * buttons that it adds, such as "Lift here". Only one button is the filled one.
 * @param {Scene | null} scene @param {Ready[]} offered @returns {Choice[]} */
export function asked(scene, offered = []) {
  const drawn = gestures(scene?.stage);
  const rest = (scene?.choices ?? []).filter(
    (choice) => !drawn.has(choice.id) || choice.kind === 'card',
  );
  if (!offered.some((offer) => offer.main)) return [...rest, ...offered];
  const plain = rest.map((choice) => ({ ...choice, main: false, key: '' }));
  return [...offered, ...plain];
}

/** The zone of this name, which the scene has. @param {Table} table @param {string} id */
export const zoneOf = (table, id) =>
  /** @type {Zone} */ (table.scene.zones.find((one) => one.id === id));

/** The card of this name, wherever it lies. @param {Table} table @param {string} id */
export const cardOf = (table, id) =>
  table.scene.zones.flatMap((zone) => zone.cards).find((card) => card.id === id);

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
      silent=${table.silent}
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
  id >= 0 ? table.scene.choices.find((choice) => choice.id === id) : undefined;

/** Does nothing travel here, by the viewer's wish or the speed of the table? The length of a
 * movement in milliseconds, which is 0 then. @param {Element} element @param {string} token */
export function duration(element, token) {
  if (motionless()) return 0;
  const value = getComputedStyle(element).getPropertyValue(token).trim();
  return parseFloat(value) * (value.endsWith('ms') ? 1 : 1000) || 0;
}
