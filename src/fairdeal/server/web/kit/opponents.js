// The opponents: their names and portraits, and which of them this browser plays next in each game.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { lasting } from '../privacy/stored.js';
import { FACES, OTHERS } from '../protocol.js';
import { here } from './api.js';
import { Icon } from './card.js';
import { initial, title } from './words.js';

/** @import { Facts, GameFacts, LevelFacts, NewTable } from '../types.js' */

const CHOSEN = 'fairdeal opponents';
const LEARNT = 'fairdeal learnt';
const CHANGED = 'fairdeal-opponents';

/** @param {{ id: string }} props */
export const Portrait = ({ id }) => html`
  <img key=${id} class="portrait" src=${here(`faces/${id}.svg`)} alt="" />
`;

/** The picture of a player: the portrait of a bot by its name, or else by its kind; otherwise a
 * letter.
 * @param {string} name @param {string | false | undefined} plays nothing for a person */
export function shownAs(name, plays) {
  const own = name.toLowerCase();
  const id = [...FACES, ...OTHERS].includes(own) ? own : plays;
  return plays && id && [...FACES, ...OTHERS].includes(id)
    ? html`
        <${Portrait} id=${id} />
      `
    : initial(name || '?');
}

/** The names of the bots on the chairs of a new table, in the order of the seats; of all others
 * nothing is said.
 * @param {string[]} chairs @param {string} you @returns {string[]} */
export function calledAt(chairs, you) {
  const taken = new Set([you.toLowerCase()]);
  return chairs.map((plays) => {
    if (plays === 'you' || plays === 'person') return '';
    const name = [plays, ...OTHERS].find((one) => !taken.has(one)) ?? plays;
    taken.add(name);
    return title(name);
  });
}

/** The opponents that sit down if one is chosen for several seats, itself the first.
 * @param {GameFacts} game @param {string} id @returns {string[]} */
export const companyOf = (game, id) => game.levels.find((one) => one.id === id)?.company ?? [];

/** The records of games in this browser, by game. @param {string} key
 * @returns {Record<string, string>} */
const kept = (key) => lasting.read(key, {});

/** Keep this of a game. @param {string} key @param {string} game @param {string} value */
function keep(key, game, value) {
  lasting.write(key, { ...kept(key), [game]: value });
  dispatchEvent(new Event(CHANGED));
}

/** Play against this one next. @param {string} game @param {string} id */
export const chooseOpponent = (game, id) => keep(CHOSEN, game, id);

/** A guest who has just learnt a game meets the kindest opponent first. @param {string} game */
export function learnt(game) {
  keep(LEARNT, game, 'learnt');
  if (!kept(CHOSEN)[game]) chooseOpponent(game, FACES[0]);
}

/** Has this browser's guest learnt a game? @param {GameFacts} game */
export const isLearnt = (game) => game.name in kept(LEARNT);

/** The next opponent in a game: the last choice, or the one for newcomers; null if there is none.
 * @param {GameFacts} game */
export function opponentIn(game) {
  const known = (/** @type {string} */ id) => game.levels.find((one) => one.id === id);
  return known(kept(CHOSEN)[game.name]) ?? known(game.usual) ?? null;
}

/** The same, heard of when it changes. @param {GameFacts} game */
export function useOpponent(game) {
  const [opponent, setOpponent] = useState(() => opponentIn(game));
  useEffect(() => {
    const look = () => setOpponent(opponentIn(game));
    look();
    addEventListener(CHANGED, look);
    addEventListener('storage', look);
    return () => {
      removeEventListener(CHANGED, look);
      removeEventListener('storage', look);
    };
  }, [game]);
  return game.usual_players > 1 ? opponent : null;
}

/** A table at which one plays at once, by the game's first preset.
 * @param {GameFacts} game @returns {NewTable} */
export function quickTable(game) {
  const wished = { game: game.name, preset: game.presets[0]?.name ?? '', listed: false };
  const opponent = opponentIn(game);
  if (!opponent || game.usual_players < 2) return wished;
  return { ...wished, chairs: ['you', ...opponent.company.slice(0, game.usual_players - 1)] };
}

/** The opponent to play after a game against bots, with a sentence about it: a stronger one after a
 * win, and otherwise an easier one. Null if people played too, or if there is no such opponent.
 * @param {GameFacts} game @param {Facts} facts @param {boolean} won
 * @returns {{ said: string, next?: LevelFacts } | null} */
export function nextAfter(game, { chairs, seat }, won) {
  const place = (/** @type {string} */ id) => game.levels.findIndex((one) => one.id === id);
  const others = chairs.filter((chair) => chair.seat !== seat);
  if (seat < 0 || !others.length || others.some(({ plays }) => place(plays) < 0)) return null;
  const best = others.reduce((one, other) => (place(other.plays) > place(one.plays) ? other : one));
  const next = game.levels[place(best.plays) + (won ? 1 : -1)];
  if (won) {
    const then = next ? `; ${next.name} is next` : ', the strongest of all';
    return { said: `You beat ${best.name}${then}.`, next };
  }
  return next ? { said: `${next.name} is easier to beat.`, next } : null;
}

/** A table with that opponent, by the same rules.
 * @param {LevelFacts} next @param {Facts} facts @returns {NewTable} */
export const tableAfter = ({ company }, { game, options, clock, calm, chairs }) => ({
  game,
  options,
  chairs: ['you', ...company.slice(0, chairs.length - 1)],
  listed: false,
  clock,
  calm: calm ?? undefined,
});

/** The label of the button that opens the list of opponents.
 * @param {{ opponent: LevelFacts | null }} props */
export const PlayNow = ({ opponent }) =>
  opponent
    ? html`
        <span class="face" data-bot><${Portrait} id=${opponent.id} /></span>
        Play ${opponent.name}
      `
    : html`
        <${Icon} name="play" />
        Play now
      `;
