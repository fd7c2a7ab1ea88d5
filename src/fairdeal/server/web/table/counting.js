// The points of a round, counted in sight: seat by seat from the worst on, every reason with its
// cards, and the total that it adds to. It lies over the middle of a table that has settled.
import { html } from '../vendor/htm-preact.js';
import { Minis } from '../kit/card.js';
import { Face, minus } from '../scene/seat.js';
import { brings, nameOf, stepsOf } from './staging.js';
import { INKS } from '../kit/page.js';

/** @import { Gain, Table, Tally } from '../types.js'
 * @import { Frame } from './staging.js' */

/** @param {{ gain: Gain, table: Table, name: string, order: number }} props */
const Reason = ({ gain, table, name, order }) => html`
  <span class="gain" style=${{ '--order': order }} title=${gain.clause}>
    ${
      gain.cards.length > 0 &&
      html`
        <${Minis} faces=${gain.cards} name=${name} table=${table} />
      `
    }
    <span class="pill">
      <b>${brings(gain)}</b>
      ${gain.label}
    </span>
  </span>
`;

/** @param {{ staged: Extract<Frame, { kind: 'round' }>, table: Table }} props */
export function Counting({ staged, table }) {
  const { scene, stage } = staged;
  const { tallies } = scene.round;
  /** @param {Tally} tally */
  const before = ({ total, gains }) => total - gains.reduce((sum, one) => sum + one.value, 0);
  return html`
    <section class="counting" data-stage=${stage} aria-label="The points of the round">
      <ol>
        ${tallies.map(
          (tally, row) => html`
            <li
              key=${tally.seat}
              style=${{
                '--row': stepsOf(tallies) > 1 ? row : 0,
                '--who': INKS[tally.seat % 8],
              }}
            >
              <${Face}
                seat=${scene.seats.find((one) => one.seat === tally.seat)}
                facts=${table.facts}
              />
              <b class="named">${nameOf(scene, tally.seat)}</b>
              <span class="gains">
                ${tally.gains.map(
                  (gain, order) => html`
                    <${Reason}
                      ...${{ gain, table, order }}
                      name=${`counted.${tally.seat}.${order}`}
                    />
                  `,
                )}
              </span>
              <span class="sum">
                <i aria-hidden="true">${minus(before(tally))}</i>
                <b>${minus(tally.total)}</b>
              </span>
            </li>
          `,
        )}
      </ol>
    </section>
  `;
}
