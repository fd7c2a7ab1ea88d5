// The six opponents: their portraits, and which of them this browser plays next in each game.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { here } from './api.js';
import { Icon } from './card.js';

/** @import { GameFacts, LevelFacts, NewTable } from '../types.js' */

const KEY = 'fairdeal opponents';
const CHANGED = 'fairdeal-opponents';

/** Those who have a portrait, the weakest first. */
export const FACES = ['pip', 'juno', 'bram', 'otto', 'vix', 'nox'];

/** @param {{ id: string }} props */
export const Portrait = ({ id }) => html`
  <img key=${id} class="portrait" src=${here(`faces/${id}.svg`)} alt="" />
`;

/** What a face shows: the portrait of an opponent, else a letter.
 * @param {string | undefined} plays @param {string} letter */
export const shownAs = (plays, letter) =>
  plays && FACES.includes(plays)
    ? html`
        <${Portrait} id=${plays} />
      `
    : letter;

/** The opponents that were chosen last, by game. @returns {Record<string, string>} */
function chosen() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/** Play against this one next. @param {string} game @param {string} id */
export function chooseOpponent(game, id) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...chosen(), [game]: id }));
  } catch {
    /* it is the usual one again */
  }
  dispatchEvent(new Event(CHANGED));
}

/** Whoever has just learnt a game meets the kindest opponent first. @param {string} game */
export function learnt(game) {
  if (!chosen()[game]) chooseOpponent(game, FACES[0]);
}

/** Has this browser's guest learnt a game, or chosen whom to play? @param {GameFacts} game */
export const isLearnt = (game) => game.name in chosen();

/** Whom one plays next in a game: the last choice, or whom newcomers meet; null for nobody.
 * @param {GameFacts} game */
export function opponentIn(game) {
  const known = (/** @type {string} */ id) => game.levels.find((one) => one.id === id);
  return known(chosen()[game.name]) ?? known(game.usual) ?? null;
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
  const others = Array.from({ length: game.usual_players - 1 }, () => opponent.id);
  return { ...wished, chairs: ['you', ...others] };
}

/** What the button says that opens one. @param {{ opponent: LevelFacts | null }} props */
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
