// The chances of all seats over a game, as a curve through which pointer and arrows walk, as its
// turning points, and as numbers.
import { html } from './vendor/htm-preact.js';
import { heightOf, playedAlone, nameOf, plain, span, told, toldOf } from './points.js';
import { INKS } from './top.js';

/** How the lines of seats are broken, so that they are told apart without their inks. */
const DASHES = ['10 4', '7 5', '2 4', '12 4 2 4', '4 4', '16 4 4 4', '2 8', '6 2 2 2'];

/** Two names at the end of the curve are at least so much of its height apart, in percent. */
const APART = 11;

/** How far from above a chance lies, in percent. @param {any} analysis @param {number} chance */
const below = (analysis, chance) => 100 - 100 * heightOf(analysis, chance);

/** The line of a seat. @param {any} analysis @param {number} seat */
const line = (analysis, seat) =>
  analysis.chances
    .map(
      (row, at) =>
        `${at ? 'L' : 'M'}${across(at, analysis.chances)} ${below(analysis, row[seat]).toFixed(1)}`,
    )
    .join('');

/** Where a number of moves is, from the left, in percent.
 * @param {number} at @param {number[][]} chances */
const across = (at, chances) => +((100 * at) / Math.max(1, chances.length - 1)).toFixed(2);

/** Where the names of the seats stand: at the ends of their lines, but never on one another.
 * @param {any} analysis @returns {[number, number][]} seats and how far from above */
export function ends(analysis) {
  const found = analysis.chances
    .at(-1)
    .map((chance, seat) => /** @type {[number, number]} */ ([seat, below(analysis, chance)]))
    .sort((a, b) => a[1] - b[1]);
  for (let at = 1; at < found.length; at += 1) {
    found[at][1] = Math.max(found[at][1], found[at - 1][1] + APART);
  }
  for (let at = found.length - 1, most = 100; at >= 0; at -= 1, most -= APART) {
    found[at][1] = Math.min(found[at][1], most);
  }
  return found;
}

/** The curve in a sentence. @param {any} analysis @param {any} facts @param {number} seat */
function summary(analysis, facts, seat) {
  const { chances, turns } = analysis;
  if (playedAlone(analysis)) {
    const [first, last] = [chances[0][0], chances.at(-1)[0]].map((score) => told(analysis, score));
    return `The score to be expected over ${chances.length - 1} moves, from ${first} to ${last}.`;
  }
  const lead = chances.slice(0, -1).filter((row) => row[seat] >= Math.max(...row)).length;
  const [first, last] = [chances[0][seat], chances.at(-1)[seat]];
  return [
    `The chance to win over ${chances.length - 1} moves.`,
    `${nameOf(facts, seat)}: from ${told(analysis, first)} to ${told(analysis, last)},`,
    `the highest of all before ${lead} of them.`,
    `${turns.length} turning points.`,
  ].join(' ');
}

/** The lines, without what stands on them. @param {any} props */
const Lines = ({ analysis, facts, seat }) => html`
  <svg
    viewBox="0 0 100 100"
    preserveAspectRatio="none"
    role="img"
    aria-label=${summary(analysis, facts, seat)}
  >
    ${[25, 50, 75].map(
      (y) => html`
        <path class=${y === 50 ? 'half' : 'quarter'} d=${`M0 ${y}H100`} />
      `,
    )}
    ${analysis.rounds.map(
      (round) => html`
        <path class="round" d=${`M${across(round, analysis.chances)} 0V100`} />
      `,
    )}
    <path
      class="area"
      style=${{ '--who': INKS[seat % 8] }}
      d=${`${line(analysis, seat)}L100 100L0 100Z`}
    />
    ${facts.chairs.map(
      (chair) => html`
        <path
          key=${chair.seat}
          class="line"
          data-own=${chair.seat === seat || undefined}
          style=${{ '--who': INKS[chair.seat % 8] }}
          stroke-dasharray=${chair.seat === seat ? '' : DASHES[chair.seat % 8]}
          d=${line(analysis, chair.seat)}
        />
      `,
    )}
  </svg>
`;

/** The numbers of the turning points, each where its move has led. @param {any} props */
const Points = ({ analysis, at, go }) =>
  analysis.turns.map(
    (turn, number) => html`
      <button
        key=${turn.move}
        class="point"
        tabindex="-1"
        aria-hidden="true"
        aria-current=${at === turn.move + 1 || undefined}
        style=${{
          left: `${across(turn.move + 1, analysis.chances)}%`,
          top: `${below(analysis, turn.after)}%`,
        }}
        onClick=${() => go(turn.move + 1)}
      >
        ${number + 1}
      </button>
    `,
  );

/** What is true after so many moves, in words. @param {any} analysis @param {any} facts
 * @param {any[]} log @param {number} at */
export function reading(analysis, facts, log, at) {
  const { chances } = analysis;
  const row = facts.chairs.map(
    ({ seat }) => `${nameOf(facts, seat)}\u00a0${told(analysis, chances[at][seat])}`,
  );
  const happened = at ? toldOf(log, at) : 'The deal';
  return { move: at ? `Move ${at} of ${chances.length - 1}` : 'The deal', happened, row };
}

/** The curve. @param {any} props analysis, facts, log; seat: whose curve is filled; at: after how
 * many moves; go: called with another number of moves */
export function Curve({ analysis, facts, log, seat, at, go }) {
  const { chances } = analysis;
  const [low, high] = span(analysis);
  const { move, happened, row } = reading(analysis, facts, log, at);
  return html`
    <div class="plot">
      <${Lines} analysis=${analysis} facts=${facts} seat=${seat} />
      ${[100, 50, 0].map(
        (y) => html`
          <span class="height" aria-hidden="true" style=${{ top: `${100 - y}%` }}>
            ${(y === 100 ? told : plain)(analysis, low + (y / 100) * (high - low))}
          </span>
        `,
      )}
      ${ends(analysis).map(
        ([who, top]) => html`
          <b key=${who} class="at-end" aria-hidden="true" style=${{ top: `${top}%` }}>
            ${nameOf(facts, who)}
          </b>
        `,
      )}
      <i class="cursor" style=${{ left: `${across(at, chances)}%` }}></i>
      <input
        type="range"
        class="walk"
        min="0"
        max=${chances.length - 1}
        value=${at}
        aria-label="Move"
        aria-valuetext=${`${move}. ${happened} ${row.join(', ')}`}
        onInput=${(event) => go(Number(event.currentTarget.value))}
      />
      <${Points} analysis=${analysis} at=${at} go=${go} />
    </div>
    <p class="reading" aria-hidden="true">
      <b>${move}</b>
      <span class="happened">${at ? happened : ''}</span>
      <span class="all-seats">${row.join(' · ')}</span>
    </p>
  `;
}

/** The moves that changed most. @param {any} props */
export const Turning = ({ analysis, facts, log, at, choose }) =>
  analysis.turns.length > 0 &&
  html`
    <ol class="turning" aria-label="Turning points">
      ${analysis.turns.map(
        (turn, number) => html`
          <li key=${turn.move}>
            <button
              aria-current=${at === turn.move + 1 ? 'true' : undefined}
              onClick=${() => choose(turn.move + 1)}
            >
              <b>${number + 1}</b>
              <span>${facts.seat < 0 ? turn.text : toldOf(log, turn.move + 1)}</span>
              <small>${nameOf(facts, turn.seat)}</small>
              <em>${plain(analysis, turn.before)} → ${told(analysis, turn.after)}</em>
            </button>
          </li>
        `,
      )}
    </ol>
  `;

/** The same numbers as a table, for those who do not see the curve, or want to read it.
 * @param {any} props */
export const Numbers = ({ analysis, facts, log }) => html`
  <details class="numbers">
    <summary>The numbers, move by move</summary>
    <div tabindex="0" role="region" aria-label="The numbers, move by move">
      <table>
        <thead>
          <tr>
            <th scope="col">Move</th>
            ${facts.chairs.map(
              ({ seat }) => html`
                <th key=${seat} scope="col">${nameOf(facts, seat)}</th>
              `,
            )}
            <th scope="col">What happened</th>
          </tr>
        </thead>
        <tbody>
          ${analysis.chances.map(
            (row, at) => html`
              <tr key=${at}>
                <th scope="row">${at || 'deal'}</th>
                ${row.map(
                  (chance) => html`
                    <td>${told(analysis, chance)}</td>
                  `,
                )}
                <td>${at ? toldOf(log, at) : ''}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  </details>
`;
