// A moment of a game that is only looked at: in a replay, when the last moves are shown again, at
// the end of an attack, and while the room does not answer.
import { partOf } from '../kit/decoded.js';
import { turnedBack } from '../kit/flip.js';
import { DEAL } from '../protocol.js';
import { count } from '../kit/words.js';

/** @import { Attack, Card, Happened, Prompt, Requests, Result, Scene, Told, Travel,
 *   Zone } from '../types.js' */

/** All cards of a scene. @param {Scene} scene @returns {Card[]} */
export const cardsIn = (scene) => scene.zones.flatMap((zone) => zone.cards);

/** The cards to mark: those that the last move brought somewhere or turned up, but for the viewer's
 * own hand. @param {Scene} scene @returns {string[]} */
export function marked(scene) {
  const { moves = [], turned = [] } = scene.events[0] ?? {};
  const hands = scene.zones.filter((zone) => zone.place === 'hand').map((zone) => zone.id);
  const brought = moves.filter((move) => !hands.includes(move.goal)).map((move) => move.card);
  const found = [...brought, ...turned].filter(Boolean);
  return found.length > DEAL ? [] : found;
}

/** Return the events of a scene in words. After a window there are more than before, although no
 * move was made.
 * @param {Scene} scene @returns {string} */
export const toldBy = (scene) => scene.events.map((event) => event.text).join(' ');

/** A scene with what has happened since the last one: after a window it has that once more.
 * @param {Scene} last @param {Scene} next @returns {Scene} */
export function sinceThen(last, next) {
  if (last.seq !== next.seq) return next;
  const told = last.events.map(({ text }) => text);
  return { ...next, events: next.events.filter(({ text }) => !told.includes(text)) };
}

/** Maximum number of lines that are said after a lost connection. */
const MOST_MISSED = 10;

/** The lines that were missed without a connection, or the last of them, up to those of the scene.
 * @param {Told[]} before the lines that were known @param {Scene} scene @param {Told[]} log
 * @returns {Happened} */
export function missed(before, { events, seats }, log) {
  const known = before.at(-1)?.number ?? 0;
  const own = events.filter(({ text }) => text).length;
  const all = log.filter(({ number }) => number > known).slice(0, -own || undefined);
  const last = all.slice(-MOST_MISSED);
  const more = all.length - last.length;
  const first = more ? [{ seat: -1, text: `${count(more, 'more line')} in the log.` }] : [];
  return { events: [...first, ...last], seats };
}

/** Has this viewer won, and not everybody? @param {Result} result @param {number} viewer */
export const hasWon = ({ won, places }, viewer) =>
  won !== false && places[viewer] === 1 && (places.length === 1 || places.some((one) => one > 1));

/** A moment that is looked at shows what its move has ended.
 * @param {Scene} scene @returns {Scene} */
export const withEnd = (scene) => ({ ...scene, stage: scene.stage ?? scene.resolved });

/** The properties of a table's parts at a moment in which nothing can be done.
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
    open: -1,
    pick() {},
    offer() {},
    takeBack() {},
    why() {},
  };
}

/** A scene while the room does not answer: what was chosen is kept and shown, and nothing else can
 * be chosen until it is answered.
 * @param {Scene} scene @param {Requests[]} owed the requests that are kept @returns {Scene} */
export function unanswered(scene, owed) {
  const pick = owed.find((request) => request.type === 'pick');
  if (!scene.choices.length || !scene.prompt || !pick) return scene;
  const choice = scene.choices.find(({ id }) => id === pick.choice);
  const chosen = [...(scene.draft?.chosen ?? []), ...(choice?.on ? [choice.on] : [])];
  /** @type {Prompt} */
  const prompt = {
    ...scene.prompt,
    mode: 'waiting',
    text: `Your choice is kept${choice?.label ? `: ${choice.label}` : ''}`,
    sub: 'It is sent when the room answers.',
  };
  const draft = partOf('SceneDraft', { ...scene.draft, chosen, undo: false });
  return { ...scene, choices: [], draft, prompt };
}

/** Where a seat's things lie. @param {Scene} scene
 * @param {number | undefined} seat */
const before = (scene, seat) => (seat === scene.viewer ? ['own', 'hand'] : [`seat:${seat}`]);

/** The cards of an attack that was over as soon as it was made, out of the attacker's hand: by
 * their faces, or from the end of a hand that nobody sees.
 * @param {Zone | undefined} hand @param {Attack} resolved @returns {Card[]} */
function played(hand, { faces, attackers, zones }) {
  const rest = [...(hand?.cards ?? [])];
  return faces.map((face, number) => {
    const seen = rest.findIndex((card) => card.face === face);
    const at = seen >= 0 ? seen : rest.findLastIndex((card) => !card.face);
    const [card] = number < attackers && at >= 0 ? rest.splice(at, 1) : [];
    return partOf('Card', { id: card?.id ?? `${zones[0]}!${number}`, face });
  });
}

/** The attacked card: it is marked in the last scene, or it has left the area of its owner.
 * @param {Scene} last @param {Scene} next */
function targetOf(last, next) {
  if (last.stage?.target) return last.stage.target;
  const places = before(last, next.resolved?.defender);
  const areas = last.zones.filter((zone) => places.includes(zone.place) && zone.slots);
  const moves = next.events[0]?.moves ?? [];
  return moves.find(({ origin }) => areas.some((zone) => zone.id === origin))?.was ?? '';
}

/** The last scene once more, with the word for what the next one has ended, and the cards that were
 * played with the same move beside the others; and the event that lets these travel there.
 * @param {Scene} last @param {Scene} next @returns {{ scene: Scene, event: Travel }} */
export function endOf(last, next) {
  const resolved = /** @type {Attack} */ (next.resolved);
  const [goal] = resolved.zones;
  const places = before(last, resolved.attacker);
  const hand = last.zones.find((zone) => places.includes(zone.place) && zone.say === 'hand');
  const lies = last.zones.find((zone) => zone.id === goal)?.cards ?? [];
  const came = lies.length ? [] : played(hand, resolved);
  const gone = new Set(came.map(({ id }) => id));
  const zones = last.zones.map((zone) => {
    if (zone.id === goal && came.length) return { ...zone, cards: came, count: came.length };
    if (zone !== hand || !came.length) return zone;
    const cards = zone.cards.filter(({ id }) => !gone.has(id));
    return { ...zone, cards, count: zone.count - (zone.cards.length - cards.length) };
  });
  const text = `${resolved.text}.`;
  const others = next.events.filter((event) => event.text !== text);
  /** @type {Scene} */
  const scene = {
    ...last,
    zones,
    choices: [],
    draft: null,
    recap: [],
    stage: { ...resolved, target: targetOf(last, next) },
    prompt: partOf('Prompt', {
      mode: 'waiting',
      text,
      sub: toldBy({ ...next, events: others }),
    }),
  };
  const moves = came.map(({ id }) => ({ card: id, origin: hand?.id ?? '', goal, was: id }));
  return { scene, event: { seat: resolved.attacker, moves } };
}
