// Where the results of a finished game came from: the cards, one's own decisions, those of others.
import { html } from '../vendor/htm-preact.js';

/** @import { Analysed } from '../types.js' */

const KINDS = ['by-cards', 'by-own', 'by-others'];

/** Where the results came from. @param {Analysed} props */
export function LuckAndPlay({ analysis, seat }) {
  const { names, shares } = analysis;
  if (!shares.length) return null;
  return html`
    <section class="luck" aria-labelledby="cards-and-play">
      <h2 id="cards-and-play">Cards and play</h2>
      <dl>
        ${shares.map(
          (share) => html`
            <div key=${share.seat}>
              <dt>${names[share.seat]}</dt>
              <dd>
                <span class="parts" aria-hidden="true">
                  ${share.bars.map(
                    (bar, part) => html`
                      <i
                        class=${KINDS[part]}
                        hidden=${Math.abs(bar) < 0.005}
                        style=${{ '--part': bar }}
                      ></i>
                    `,
                  )}
                </span>
                <span class="in-points">${share.sums}</span>
              </dd>
            </div>
          `,
        )}
      </dl>
      <p class="key quiet" aria-hidden="true">
        <span>
          <i class="by-cards"></i>
          deal and draws
        </span>
        <span>
          <i class="by-own"></i>
          own decisions
        </span>
        ${
          names.length > 1 &&
          html`
            <span>
              <i class="by-others"></i>
              others’ decisions
            </span>
          `
        }
      </p>
      <p class="small">${shares[seat].sentence}</p>
    </section>
  `;
}
