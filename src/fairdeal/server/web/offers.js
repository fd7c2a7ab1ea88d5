// What is asked in the prompt where an instrument lies in the middle: what it offers as its own
// gesture is no button too, and what it has ready, such as "Lift here", is.

/** @import { Choice, Ready, Scene, Stage } from './types.js' */

/** The choices that an instrument stands for.
 * @param {Stage | null | undefined} stage @returns {Set<number | undefined>} */
const gestures = (stage) =>
  new Set([...(stage?.choices ?? []), ...(stage?.answers ?? []).map((answer) => answer.choice)]);

/** The choices of a scene as its prompt asks for them. Only one button is the filled one.
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
