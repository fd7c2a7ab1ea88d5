// The decisions of a seat in a finished game, and what each of them cost.
import { html, useState } from '../vendor/htm-preact.js';

/** @import { Analysed, AnalysisTold, DecisionView } from '../types.js' */

/** Decisions that are listed until all are asked for. */
const FEW = 6;

/** The largest cost that a bar shows, as a share of the whole chance. */
const DEAREST = 0.3;

/** The words for costs, each for one decision and for several. */
const WORDS = [
  ['best', 'best'],
  ['fine', 'fine'],
  ['slip', 'slips'],
  ['blunder', 'blunders'],
];

/** Count each label of a seat's decisions. @param {DecisionView[]} decisions */
const tally = (decisions) =>
  WORDS.map(([one, many]) => {
    const number = decisions.filter(({ label }) => label === one).length;
    return number && `${number} ${number === 1 ? one : many}`;
  })
    .filter(Boolean)
    .join(' · ');

/** The cost of a decision, as a word and in points. @param {DecisionView} decision */
const costOf = ({ label, change }) => (change === '0' ? label : `${label} ${change}`);

/** The progress of an analysis.
 * @param {{ told: AnalysisTold }} props told: what the room
 * says of it */
export const Progress = ({ told }) => html`
  <div class="looking" role="status">
    <p>
      ${told.moves ? `Analysing move ${told.move} of ${told.moves} …` : 'Preparing the analysis …'}
    </p>
    <progress
      aria-label="Moves analysed"
      max=${told.moves || 1}
      value=${told.moves ? told.move : undefined}
    ></progress>
  </div>
`;

/** @param {DecisionView[]} decisions */
export const dearestFirst = (decisions) => decisions.toSorted((a, b) => b.cost - a.cost);

/** The decisions of a seat, the dearest first until all are asked for.
 * @param {Analysed & { told: AnalysisTold, choose: (at: number) => void }} props */
export function Decisions({ analysis, told, seat, at, choose }) {
  const [all, setAll] = useState(false);
  const most = DEAREST * analysis.unit;
  const own = analysis.decisions.filter((decision) => decision.seat === seat);
  const dearest = dearestFirst(own).slice(0, FEW);
  return html`
    <section class="decisions" aria-labelledby="decisions">
      <h2 id="decisions">${`${analysis.whose[seat]} decisions`}</h2>
      ${
        !told.analysis &&
        html`
          <${Progress} told=${told} />
        `
      }
      <p class="quiet small">
        ${tally(own) || (told.analysis ? 'There was nothing to choose.' : '')}
      </p>
      <ol>
        ${(all ? own : dearest).map(
          (decision) => html`
            <li key=${decision.move}>
              <button
                aria-current=${at === decision.move + 1 ? 'true' : undefined}
                onClick=${() => choose(decision.move + 1)}
              >
                <span class="number">${decision.move + 1}</span>
                <span class="what">${decision.options[decision.played].text}</span>
                <span class="costs" aria-hidden="true">
                  <i style=${{ width: `${(100 * Math.min(decision.cost, most)) / most}%` }}></i>
                </span>
                <em data-label=${decision.label}>${costOf(decision)}</em>
              </button>
            </li>
          `,
        )}
      </ol>
      ${
        own.length > FEW &&
        html`
          <button
            class="btn slim"
            aria-expanded=${all ? 'true' : 'false'}
            onClick=${() => setAll(!all)}
          >
            ${all ? `The ${FEW} most costly` : `All ${own.length}, in order`}
          </button>
        `
      }
    </section>
  `;
}
