// Where the results of a finished game came from: the cards, one's own decisions, those of others.
import { html } from './vendor/htm-preact.js';
import { nameOf, points } from './chances.js';

/** A part of a result as a bar to the left or right of zero. */
const Part = ({ kind, part, most }) => html`
  <i
    class=${kind}
    style=${{ width: `${(50 * Math.abs(part)) / most}%`, [part < 0 ? 'right' : 'left']: '50%' }}
  ></i>
`;

/** What a seat's result came from, in a sentence. */
function fromWhat(facts, share) {
  const who = nameOf(facts, share.seat);
  const its = share.seat === facts.seat ? 'your' : 'their';
  const given = share.luck < 0 ? 'took' : 'gave';
  const least = Math.round(100 * Math.abs(share.luck));
  return `${who} began at ${Math.round(100 * share.start)} %: the cards ${given} ${least}, ${its} own
    decisions cost ${Math.round(-100 * share.play)}, the mistakes of others were worth
    ${points(share.gifts)}.`;
}

/** Where the results came from. @param {any} props */
export function LuckAndPlay({ analysis, facts, seat }) {
  const { shares } = analysis;
  const most = Math.max(
    ...shares.flatMap(({ luck, play, gifts }) => [luck, play, gifts].map(Math.abs)),
    0.01,
  );
  return html`
    <section class="luck" aria-labelledby="luck">
      <h2 id="luck">Luck and play</h2>
      <dl>
        ${shares.map(
          (share) => html`
            <div key=${share.seat}>
              <dt>${nameOf(facts, share.seat)}</dt>
              <dd>
                <span class="parts" aria-hidden="true">
                  <${Part} kind="cards" part=${share.luck} most=${most} />
                  <${Part} kind="own" part=${share.play} most=${most} />
                  <${Part} kind="others" part=${share.gifts} most=${most} />
                </span>
                <span class="sums">
                  cards ${points(share.luck)} · play ${points(share.play)} · others
                  ${points(share.gifts)}
                </span>
              </dd>
            </div>
          `,
        )}
      </dl>
      <p class="key quiet" aria-hidden="true">
        <i class="cards"></i>
        deal and draws
        <i class="own"></i>
        own decisions
        <i class="others"></i>
        mistakes of others
      </p>
      <p class="small">${fromWhat(facts, shares[seat])}</p>
    </section>
  `;
}
