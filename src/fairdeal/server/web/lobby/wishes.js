// The settings of a new table: the first ones, the request to the room, and a summary in a line.
import { useState } from '../vendor/htm-preact.js';
import { companyOf, opponentIn } from '../kit/opponents.js';
import { clockOf, count, presetTitle } from '../kit/words.js';
import { differing } from './options.js';

/** @import { GameFacts, NewTable, Preset } from '../types.js' */

/** The settings, and the function that changes them.
 * @typedef {ReturnType<typeof fresh>} Wishes
 * @typedef {(more: Partial<Wishes>) => void} Wish */

/** Is a preset possible for a number of players? @param {Preset} preset @param {number} players */
const isFor = ({ tables, options }, players) =>
  players in tables && (options.players ?? players) === players;

/** The preset that names the rules of a table: of several with the same options, the one that sets
 * the most, or else the one that is chosen.
 * @param {GameFacts} game @param {Preset} preset @param {number} players */
function named(game, preset, players) {
  const rules = JSON.stringify(preset.tables[players]);
  const same = game.presets.filter(
    (one) => isFor(one, players) && JSON.stringify(one.tables[players]) === rules,
  );
  const sets = (/** @type {Preset} */ { options }) => Object.keys(options).length;
  return [preset, ...same].sort((one, other) => sets(other) - sets(one))[0];
}

/** The number of players nearest to a wish for which a preset names the rules.
 * @param {GameFacts} game @param {Preset} preset @param {number} wished */
export function playersFor(game, preset, wished) {
  const possible = Object.keys(preset.tables)
    .map(Number)
    .filter((players) => isFor(preset, players));
  const own = possible.filter((players) => named(game, preset, players) === preset);
  const far = (/** @type {number} */ players) => Math.abs(players - wished);
  return (own.length ? own : possible).sort((one, other) => far(one) - far(other))[0];
}

/** The preset of a table for a number of players: the one that is wished, if it is possible.
 * @param {GameFacts} game @param {string} wished @param {number} players */
export function presetFor(game, wished, players) {
  const possible = game.presets.filter((one) => isFor(one, players));
  const chosen = possible.find((one) => one.name === wished) ?? possible[0];
  return chosen ? named(game, chosen, players).name : wished;
}

/** Return the first settings: you play with bots. @param {GameFacts} game @param {string} preset */
export function fresh(game, preset) {
  /** @type {Preset | undefined} */
  const chosen = game.presets.find((one) => one.name === preset) ?? game.presets[0];
  const wished = /** @type {number} */ (chosen?.options.players ?? game.usual_players);
  return {
    preset: chosen?.name ?? '',
    wished: chosen?.name ?? '',
    players: chosen ? playersFor(game, chosen, wished) : wished,
    usual: companyOf(game, opponentIn(game)?.id ?? ''),
    chairs: /** @type {string[]} */ ([]),
    options: /** @type {Record<string, unknown>} */ ({}),
    listed: true,
    clock: 0,
    waits: true,
    calm: false,
    rated: false,
  };
}

/** Return the first settings of a table for friends: every other seat is free, and the lobby does
 * not list it.
 * @param {GameFacts} game @param {string} [preset] @returns {Wishes} */
export const friendly = (game, preset = '') => ({
  ...fresh(game, preset),
  usual: [],
  listed: false,
});

/** Return a game with the forms that friends can play: with two players and more.
 * @param {GameFacts} game @returns {GameFacts} */
export function amongFriends(game) {
  const [low, high] = game.players;
  const several = (/** @type {Preset} */ one) => ({
    ...one,
    tables: Object.fromEntries(Object.entries(one.tables).filter(([players]) => +players > 1)),
  });
  const presets = game.presets
    .map(several)
    .filter((one) => Object.keys(one.tables).some((players) => isFor(one, +players)));
  return { ...game, players: [Math.max(2, low), high], presets };
}

/** Return the settings, and the function that changes them.
 * @param {() => Wishes} first @returns {[Wishes, Wish]} */
export function useWishes(first) {
  const [wishes, keep] = useState(first);
  return [wishes, (more) => keep((last) => ({ ...last, ...more }))];
}

/** Does a bot play on a chair? @param {string} plays */
export const isBot = (plays) => plays !== 'you' && plays !== 'person';

/** Return the player of each chair.
 * @param {Wishes} wishes @param {number} [number] @returns {string[]} */
export const seated = ({ chairs, usual, players }, number = players) =>
  Array.from(
    { length: number },
    (_, seat) => chairs[seat] ?? (seat === 0 ? 'you' : (usual[seat - 1] ?? 'person')),
  );

/** The table that the room is asked for. @param {GameFacts} game @param {Wishes} wishes
 * @returns {NewTable} */
export const tableOf = (game, wishes) => ({
  game: game.name,
  preset: wishes.preset,
  options: { ...wishes.options, players: wishes.players },
  chairs: seated(wishes),
  listed: wishes.listed,
  clock: wishes.clock,
  waits: wishes.waits,
  calm: wishes.calm,
  rated: wishes.rated && wishes.players > 1,
});

/** @param {GameFacts} game @param {Wishes} wishes */
function rulesIn(game, { preset, players, options }) {
  const chosen = game.presets.find((one) => one.name === preset);
  const rules = chosen?.tables[players] ?? {};
  const usual = game.presets[0]?.tables[players];
  const isUsual = !chosen || JSON.stringify(rules) === JSON.stringify(usual);
  const changed = differing(game, options, rules).length;
  const name = isUsual ? 'usual rules' : `rules “${presetTitle(chosen)}”`;
  return changed ? `${name} with ${count(changed, 'change')}` : name;
}

/** The table in a line, which is not broken within its clock.
 * @param {GameFacts} game @param {Wishes} wishes */
export function lineOf(game, wishes) {
  const bots = seated(wishes).filter(isBot).length;
  return [
    count(wishes.players, 'player'),
    bots > 0 && (bots === 1 ? 'one of them a bot' : `${bots} of them bots`),
    clockOf(wishes.clock).replaceAll(' ', '\u00a0'),
    wishes.calm && 'calm races',
    wishes.rated && wishes.players > 1 && 'rated',
    rulesIn(game, wishes),
    wishes.listed && 'listed in the lobby',
  ]
    .filter(Boolean)
    .join(', ');
}
