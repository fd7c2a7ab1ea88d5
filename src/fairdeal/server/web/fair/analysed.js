// An analysis of a finished game, computed by this browser in workers. The room puts the figures
// into words.

import { logOf, post, text } from '../kit/api.js';
import { ofTab } from '../privacy/stored.js';
import { rulesOf, within } from './replayed.js';
import { asked, startWorker } from './workers.js';

/** @import { AnalysisTold, DecisionSums, Sums } from '../types.js' */

/** Target duration, in milliseconds, and the numbers of games from which the largest that fits is
 * chosen. */
const LONGEST = 15_000;
const FINENESS = [4000, 2800, 2000, 1400, 1000, 700, 500, 350, 250, 200];

/** With fewer games than these in the target duration, the room computes the analysis. */
const LEAST = 50;

/** Games played out before a move besides those for the chances of each seat, as a multiple of the
 * number of games: for the moves that are compared, and for finding them. */
const COMPARED = 7;

const MOST_WORKERS = 4;

/** Maximum time to load the rules and to choose the number of games, in milliseconds. */
const LONGEST_BEGIN = 30_000;

/** Time between two requests to the room, in milliseconds. */
const PAUSE = 1000;

/** A message of a worker: it is ready, with the size of the game and the time per game; some
 * figures; the end; or the reason of a failure.
 * @typedef {{ moves?: number, seats?: number, each?: number, start?: Sums['start'], move?: number,
 *   chances?: number[], decision?: DecisionSums | null,
 *   reason?: string, more?: boolean }} Answer */

/** The figures of an analysis, which workers compute. */
class Figures {
  /** @param {Worker[]} workers */
  constructor(workers) {
    this.workers = workers;
    this.games = 0;
    this.moves = 0;
    this.looked = 0;
    /** @type {Sums['start'] | undefined} */ this.start = undefined;
    /** @type {number[][]} */ this.chances = [];
    /** @type {DecisionSums[]} */ this.decisions = [];
  }

  /** Load the rules and the game, and choose the number of games. @param {string} table */
  async begin(table) {
    const [rules, log] = await Promise.all([rulesOf(table), text(logOf(table))]);
    if (!rules.module) throw new Error(rules.missing);
    const analysis = { rules, text: log };
    const ready = await Promise.all(
      this.workers.map((one) => /** @type {Promise<Answer>} */ (asked(one, { analysis }))),
    );
    const each = Math.max(...ready.map((one) => one.each ?? 0));
    const { moves = 0, seats = 1 } = ready[0];
    this.moves = moves;
    const most = (LONGEST * this.workers.length) / (each * (this.moves + 1) * (COMPARED + seats));
    if (most < LEAST) throw new Error('this browser is too slow for this game');
    this.games = FINENESS.find((games) => games <= most) ?? FINENESS[FINENESS.length - 1];
  }

  /** Compute everything. */
  async compute() {
    const { workers, games } = this;
    const shares = workers.map((one, part) =>
      asked(one, { share: { games, part, of: workers.length } }, (/** @type {Answer} */ answer) =>
        this.take(answer),
      ),
    );
    await Promise.all(shares);
  }

  /** @param {Answer} answer */
  take({ start, move, chances, decision }) {
    if (start) this.start = start;
    if (move === undefined) return;
    if (chances) this.chances[move] = chances;
    else this.looked += 1;
    if (decision) this.decisions.push(decision);
  }

  get hasCourse() {
    return Object.keys(this.chances).length === this.moves && this.start !== undefined;
  }

  /** The figures with some of the decisions, or with all.
   * @param {DecisionSums[]} decisions @param {boolean} [whole] @returns {Sums} */
  sums(decisions, whole = false) {
    const { games, chances } = this;
    const start = /** @type {Sums['start']} */ (this.start);
    return { games, start, chances, decisions: [...decisions].sort(byMove), whole };
  }
}

/** @param {{ move: number }} one @param {{ move: number }} other */
const byMove = (one, other) => one.move - other.move;

/** @param {string} table @param {Sums} sums */
const inWords = (table, sums) => post(`/api/tables/${table}/analysis`, sums);

/** Put figures into words as they are found, and then all of them.
 * @param {Figures} figures @param {string} table @param {(told: AnalysisTold) => void} tell */
async function follow(figures, table, tell) {
  let ended = false;
  const computed = figures.compute().finally(() => {
    ended = true;
  });
  /** @type {AnalysisTold} */
  let told = { move: 0, moves: figures.moves, analysis: null, begun: null, decisions: [] };
  let known = 0;
  while (!ended) {
    await Promise.race([computed, new Promise((resolve) => setTimeout(resolve, PAUSE))]);
    if (!told.begun) {
      const { begun } = figures.hasCourse ? await inWords(table, figures.sums([])) : told;
      told = { ...told, begun, move: Object.keys(figures.chances).length };
    } else {
      const fresh = figures.decisions.slice(known);
      known += fresh.length;
      const { decisions } = fresh.length
        ? await inWords(table, figures.sums(fresh))
        : { decisions: [] };
      told = {
        ...told,
        decisions: [...told.decisions, ...decisions].sort(byMove),
        move: figures.looked,
      };
    }
    tell(told);
  }
  return figures.sums(figures.decisions, true);
}

/** Analyse a game, and pass on each finding. The figures are kept as long as the tab is open.
 * Rejects if this browser or the room cannot.
 * @param {string} table @param {(told: AnalysisTold) => void} tell */
export async function analysed(table, tell) {
  const name = `fairdeal analysis ${table}`;
  const kept = JSON.parse(ofTab.get(name) ?? 'null');
  if (kept) {
    tell(await inWords(table, kept));
    return;
  }
  const number = Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1);
  const starting = Array.from({ length: number }, startWorker);
  try {
    const figures = new Figures(await Promise.all(starting));
    await within(figures.begin(table), LONGEST_BEGIN, new Error('the rules did not come'));
    const sums = await follow(figures, table, tell);
    tell(await inWords(table, sums));
    ofTab.set(name, JSON.stringify(sums));
  } finally {
    for (const worker of await Promise.allSettled(starting)) {
      if (worker.status === 'fulfilled') worker.value.terminate();
    }
  }
}
