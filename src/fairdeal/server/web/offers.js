// What is asked in the prompt where an instrument lies in the middle: what it offers as its own
// gesture is no button too, and what it has ready, such as "Lift here", is.

/** A choice that an instrument has ready: one of the scene under a name of its own, or, with `act`,
 * a step of its own that no table hears of.
 * @typedef {{ id: number, kind: 'button', label: string, key?: string, main?: boolean,
 *   act?: () => void }} Offer */

/** The choices that an instrument stands for. @param {any} stage @returns {Set<number>} */
const gestures = (stage) =>
  new Set([
    ...(stage?.choices ?? []),
    ...(stage?.answers ?? []).map((/** @type {any} */ answer) => answer.choice),
  ]);

/** The choices of a scene as its prompt asks for them. Only one button is the filled one.
 * @param {any} scene @param {Offer[]} offered @returns {any[]} */
export function asked(scene, offered = []) {
  const drawn = gestures(scene?.stage);
  const rest = (scene?.choices ?? []).filter(
    (/** @type {any} */ choice) => !drawn.has(choice.id) || choice.kind === 'card',
  );
  if (!offered.some((offer) => offer.main)) return [...rest, ...offered];
  const plain = rest.map((/** @type {any} */ choice) => ({ ...choice, main: false, key: '' }));
  return [...offered, ...plain];
}
