// The chances of all seats over a game, as a curve through which pointer and arrows walk, as its
// turning points, and as numbers.
import { html, useState } from '../vendor/htm-preact.js';
import { toldOf, withSign } from '../kit/words.js';
import { INKS } from '../kit/page.js';

/** @import { Analysed, AnalysisView, OnInput, Told } from '../types.js' */

/** The line of a seat. @param {AnalysisView} analysis @param {number} seat */
const line = ({ curves }, seat) =>
  curves
    .map((row, at) => `${at ? 'L' : 'M'}${across(at, curves)} ${below(row[seat]).toFixed(1)}`)
    .join('');

/** The distance of a height from the top, in percent. @param {number} height */
const below = (height) => 100 - 100 * height;

/** Where a number of moves is, from the left, in percent.
 * @param {number} at @param {unknown[]} moves */
const across = (at, moves) => +((100 * at) / Math.max(1, moves.length - 1)).toFixed(2);

/** The lines, without what stands on them.
 * @param {{ analysis: AnalysisView, seat: number }} props */
const Lines = ({ analysis, seat }) => html`
  <svg
    viewBox="0 0 100 100"
    preserveAspectRatio="none"
    role="img"
    aria-label=${analysis.courses[seat]}
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
    ${analysis.names.map(
      (_, who) => html`
        <path
          key=${who}
          class="line"
          data-own=${who === seat || undefined}
          style=${{ '--who': INKS[who % 8] }}
          stroke-dasharray=${who === seat ? '' : analysis.dashes[who]}
          d=${line(analysis, who)}
        />
      `,
    )}
  </svg>
`;

/** The numbers of the turning points, each where its move has led.
 * @param {{ analysis: AnalysisView, at: number, go: (at: number) => void }} props */
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
          top: `${below(analysis.curves[turn.move + 1][turn.seat])}%`,
        }}
        onClick=${() => go(turn.move + 1)}
      >
        ${number + 1}
      </button>
    `,
  );

/** The chances after a number of moves, in words. @param {AnalysisView} analysis
 * @param {Told[]} log @param {number} at */
export function reading(analysis, log, at) {
  const row = analysis.names.map(
    (name, seat) => `${name}\u00a0${withSign(analysis, analysis.rows[at][seat])}`,
  );
  if (analysis.rests[at]) row.push(analysis.rests[at].replaceAll(' ', '\u00a0'));
  const happened = at ? toldOf(log, at) : 'The deal';
  return { move: at ? `Move ${at} of ${analysis.rows.length - 1}` : 'The deal', happened, row };
}

/** The curve, filled for the seat.
 * @param {Analysed & { go: (at: number) => void }} props go: called with another number of moves */
export function Curve({ analysis, log, seat, at, go }) {
  const { rows, levels, ends, names } = analysis;
  const { move, happened, row } = reading(analysis, log, at);
  return html`
    <div class="plot">
      <${Lines} analysis=${analysis} seat=${seat} />
      ${[100, 50, 0].map(
        (y) => html`
          <span class="height" aria-hidden="true" style=${{ top: `${100 - y}%` }}>
            ${y === 100 ? withSign(analysis, levels[4]) : levels[y / 25]}
          </span>
        `,
      )}
      ${ends.map(
        (top, who) => html`
          <b key=${who} class="at-end" aria-hidden="true" style=${{ top: `${top}%` }}>
            ${names[who]}
          </b>
        `,
      )}
      <i class="cursor" style=${{ left: `${across(at, rows)}%` }}></i>
      <input
        type="range"
        class="walk"
        min="0"
        max=${rows.length - 1}
        value=${at}
        aria-label="Move"
        aria-valuetext=${`${move}. ${happened} ${row.join(', ')}`}
        onInput=${(/** @type {OnInput} */ event) => go(Number(event.currentTarget.value))}
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

/** The moves that changed most.
 * @param {Analysed & { choose: (at: number) => void }} props */
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
              <small>${analysis.names[turn.seat]}</small>
              <em>${withSign(analysis, analysis.swings[number])}</em>
            </button>
          </li>
        `,
      )}
    </ol>
  `;

/** The same numbers as a table, for those who do not see the curve, or want to read it. It is drawn
 * when it is opened. @param {Analysed} props */
export function Numbers({ analysis, log }) {
  const [open, setOpen] = useState(false);
  return html`
    <details
      class="numbers"
      onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ { currentTarget }) =>
        setOpen(currentTarget.open)}
    >
      <summary>The numbers, move by move</summary>
      ${
        open &&
        html`
          <${NumbersTable} analysis=${analysis} log=${log} />
        `
      }
    </details>
  `;
}

/** @param {Pick<Analysed, 'analysis' | 'log'>} props */
const NumbersTable = ({ analysis, log }) => html`
  <div tabindex="0" role="region" aria-label="The numbers, move by move">
    <table>
      <thead>
        <tr>
          <th scope="col">Move</th>
          ${analysis.names.map(
            (name, seat) => html`
              <th key=${seat} scope="col">${name}</th>
            `,
          )}
          ${
            analysis.rests.some(Boolean) &&
            html`
              <th scope="col">Rest</th>
            `
          }
          <th scope="col">What happened</th>
        </tr>
      </thead>
      <tbody>
        ${analysis.rows.map(
          (row, at) => html`
            <tr key=${at}>
              <th scope="row">${at || 'deal'}</th>
              ${row.map(
                (shown) => html`
                  <td>${withSign(analysis, shown)}</td>
                `,
              )}
              ${
                analysis.rests.some(Boolean) &&
                html`
                  <td>${analysis.rests[at]}</td>
                `
              }
              <td>${at ? toldOf(log, at) : ''}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  </div>
`;
