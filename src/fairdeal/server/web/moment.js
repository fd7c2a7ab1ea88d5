// A moment of a game that is only looked at: in a replay, and when the last moves are shown again.
import { turnedBack } from './flip.js';

/** @import { Scene } from './types.js' */

/** So many cards at once are a deal, not a move: nothing of it is marked. */
const DEAL = 12;

/** The cards to mark: those that the last move brought somewhere or turned up, but for the viewer's
 * own hand. @param {Scene} scene @returns {string[]} */
export function marked(scene) {
  const { moves = [], turned = [] } = scene.events?.[0] ?? {};
  const hands = (scene.zones ?? []).filter((zone) => zone.place === 'hand').map((zone) => zone.id);
  const brought = moves.filter((move) => !hands.includes(move.goal)).map((move) => move.card);
  const found = [...brought, ...turned].filter(Boolean);
  return found.length > DEAL ? [] : found;
}

/** What happened, in words: after a window it is more than before, though no move was made.
 * @param {Scene} scene @returns {string} */
export const toldBy = (scene) => (scene.events ?? []).map((event) => event.text).join(' ');

/** A moment that is looked at shows what its move has ended.
 * @param {Scene} scene @returns {Scene} */
export const withEnd = (scene) => ({ ...scene, stage: scene.stage ?? scene.resolved });

/** What the parts of a table are told of a moment in which nothing can be done.
 * @param {Scene} scene */
export function still(scene) {
  const linger = turnedBack(scene);
  return {
    scene: withEnd(scene),
    choices: new Map(),
    chosen: new Set(),
    aim: new Set([scene.stage?.target]),
    hint: new Set(),
    linger,
    fresh: new Set([...marked(scene), ...linger.keys()]),
    asking: false,
    pick() {},
    takeBack() {},
    why() {},
  };
}
