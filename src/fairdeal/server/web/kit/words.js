// Facts of games and tables, chances and moves, in words that people use.

import { roomTime } from './time.js';

/** @import { AnalysisView, Better, Facts, GameFacts, Happened, Note, Preset,
 *   Told } from '../types.js' */

/** The seats that a guest may take: before the deal, or in a game that a player has left for good
 * and that is not rated.
 * @param {Pick<Facts, 'status' | 'chairs' | 'origin' | 'rated'>} facts */
export const freeSeats = ({ status, chairs, origin, rated }) =>
  status === 'open' || (status === 'running' && !origin && !rated)
    ? chairs.filter((chair) => !chair.taken)
    : [];

/** From the least to the most. @param {[number, number]} limits */
const span = ([low, high]) => (low === high ? String(low) : `${low}–${high}`);

/** A name of the program as people write it. @param {string} name */
export const words = (name) => name.replaceAll('_', ' ').replaceAll('-', ' ');

/** @param {string} name */
export const title = (name) => words(name).replace(/^./, (letter) => letter.toUpperCase());

/** A reason of the room as a sentence. @param {string} reason */
export const sentence = (reason) =>
  `${reason[0]?.toUpperCase() ?? ''}${reason.slice(1)}${/[.!?…]$/.test(reason) ? '' : '.'}`;

/** Letters that are written from right to left: the blocks that Unicode keeps for them. */
const TURNED = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name to show within a text, as the room sends those of others: if it is written from right to
 * left, it is isolated, so that the words around it keep their places. @param {string} name */
export const isolated = (name) => (TURNED.test(name) ? `\u2068${name}\u2069` : name);

/** The first letter of a name as readers see it, for a face without a drawing.
 * @param {string} name */
export function initial(name) {
  const bare = name.replaceAll(/[\u2068\u2069]/g, '');
  const whole = Intl.Segmenter && [...new Intl.Segmenter().segment(bare)][0]?.segment;
  return whole || [...bare][0] || '?';
}

/** @param {number} number @param {string} thing */
export const count = (number, thing) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** The games that the people at a table have won against one another. An empty string before their
 * first one is over. @param {Facts} facts */
export function scoreOf({ chairs, score }) {
  const name = (/** @type {number} */ seat) => chairs[seat].name;
  if (score.length === 2) {
    const [[one, won], [other, lost]] = score;
    return `${name(one)} ${won} : ${lost} ${name(other)}`;
  }
  const best = [...score].sort(([, wins], [, others]) => others - wins);
  return best.map(([seat, wins]) => `${name(seat)} ${wins}`).join(', ');
}

/** @param {[number, number]} players */
export const seated = (players) => `${span(players)} ${players[1] === 1 ? 'player' : 'players'}`;

/** @param {[number, number]} minutes */
export const lasting = (minutes) => `${span(minutes)} min`;

/** Players, minutes and weight, in one line. @param {GameFacts} game */
export const figures = (game) =>
  [seated(game.players), lasting(game.minutes), game.weight].join(' · ');

/** Return the goal of a game, in a line. @param {GameFacts} game */
export const goalOf = (game) => game.goal || game.blurb;

/** Return the name of a preset. @param {Preset} preset */
export const presetTitle = (preset) => preset.title || title(preset.name);

/** Return the number of rules that these options change.
 * @param {Record<string, unknown>} options */
const changesOf = (options) => Object.keys(options).filter((name) => name !== 'players').length;

/** Return a sentence about what is different in a preset. @param {Preset} preset */
export function presetText(preset) {
  if (preset.text) return preset.text;
  const changed = changesOf(preset.options);
  return changed ? `Changes ${count(changed, 'rule')}.` : 'As printed.';
}

/** @param {Record<string, unknown>} options */
const unlessPlayers = (options) =>
  JSON.stringify(
    Object.entries(options)
      .filter(([name]) => name !== 'players')
      .sort(),
  );

/** The preset that a table plays by, if it is one.
 * @param {GameFacts} game @param {Record<string, unknown>} options */
export const presetOf = (game, options) =>
  game.presets.find((one) => unlessPlayers(one.options) === unlessPlayers(options));

/** Return the duration of games by these rules, which is known for presets only.
 * @param {GameFacts} game @param {Record<string, unknown>} options */
export const lastingBy = (game, options) => {
  const preset = presetOf(game, options);
  return preset ? lasting(preset.minutes) : '';
};

/** The rules of a table in one line.
 * @param {GameFacts} game @param {Record<string, unknown>} options */
export function rulesOf(game, options) {
  const preset = presetOf(game, options);
  if (preset && !preset.text && !changesOf(preset.options)) return 'As printed';
  if (preset) return `${presetTitle(preset)}. ${presetText(preset)}`;
  return `As printed, with ${count(changesOf(options), 'change')}`;
}

/** Return sentences about the events: of seats that did the same, the others are only named.
 * @param {Happened} happened @returns {string[]} */
export function linesOf({ events, seats }) {
  /** @type {{ rest: string, text: string, names: string[] }[]} */ const lines = [];
  for (const { seat, text } of events) {
    const name = seats.find((one) => one.seat === seat)?.name ?? '';
    const rest = name && text.startsWith(`${name} `) ? text.slice(name.length) : '';
    const same = rest && lines.find((line) => line.rest === rest && !line.names.includes(name));
    if (same) same.names.push(name);
    else lines.push({ rest, text, names: [name] });
  }
  const list = new Intl.ListFormat('en');
  return lines.flatMap(({ text, names: [, ...also] }) =>
    also.length ? [text, `${list.format(also)} too.`] : [text],
  );
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A day, without its year. */
export const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** A length of time as people say it, in the largest unit. @param {number} seconds */
export function lengthOf(seconds) {
  if (seconds >= 2 * DAY) return count(Math.round(seconds / DAY), 'day');
  if (seconds >= HOUR) return `${Math.round(seconds / HOUR)} h`;
  return `${Math.max(1, Math.round(seconds / MINUTE))} min`;
}

/** Return the time since an event, in words. @param {number} at a Unix time */
export const ago = (at) => {
  const seconds = roomTime() - at;
  return seconds < MINUTE ? 'just now' : `${lengthOf(seconds)} ago`;
};

/** The terms of a rated game. */
export const RATED =
  'The result changes the ratings of the players. There are no hints, no move is taken back, and ' +
  'a player for whom a bot has moved counts as last.';

/** A clock in words, by its seconds for each move. @param {number} seconds */
export function clockOf(seconds) {
  if (!seconds) return 'no clock';
  const units = [
    [DAY, 'day'],
    [HOUR, 'hour'],
    [MINUTE, 'minute'],
    [1, 'second'],
  ];
  const [unit, name] = /** @type {[number, string]} */ (
    units.find(([one]) => seconds % +one === 0)
  );
  const number = seconds / unit;
  const one = name === 'hour' ? 'an hour' : `a ${name}`;
  return `${number === 1 ? one : `${number} ${name}s`} a turn`;
}

/** A chance from 0 to 1 that a search has estimated. It is never said to be 0 or 100 %, because no
 * search is certain. @param {number} chance */
export function percent(chance) {
  if (chance < 0.01) return '<1\u00a0%';
  return chance > 0.99 ? '>99\u00a0%' : `${Math.round(100 * chance)}\u00a0%`;
}

/** A chance of an analysis with its percent sign, or a score.
 * @param {AnalysisView} analysis @param {string} shown */
export const withSign = (analysis, shown) =>
  analysis.names.length === 1 ? shown : `${shown}\u00a0%`;

/** Return the sentences of a move, if there are any.
 * @param {Told[]} log @param {number} number of the move, from 1 */
export const toldOf = (log, number) =>
  log
    .filter((line) => line.number === number)
    .map((line) => line.text)
    .join(' ');

/** The parts of a hint that a longer search changes while it is read: its chances, and a better
 * move beside it.
 * @param {Note | null} read @param {Better} found */
export function further(read, found) {
  if (read?.icon !== 'hint') return {};
  const { options, of } = found.note;
  const same = String(read.picks) === String(found.note.picks);
  return { note: { ...read, options, of, better: same ? undefined : found } };
}
