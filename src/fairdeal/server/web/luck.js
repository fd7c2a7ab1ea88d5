// Where the results of a finished game came from: the cards, one's own decisions, those of others.
import { html } from './vendor/htm-preact.js';
import { nameOf, points } from './points.js';

/** A part of a result as a bar to the left or right of zero. */
const Part = ({ kind, part, most }) => html`
  <i class=${kind} hidden=${!Math.round(100 * part)} style=${{ '--part': part / most }}></i>
`;

/** The parts of a result in a line. */
const sums = ({ luck, play, gifts }) =>
  `cards ${points(luck)} · play ${points(play)} · others ${points(gifts)}`;

/** What somebody's chance was changed by, in words. */
function changed(by, what) {
  const rounded = Math.round(100 * by);
  if (!rounded) return `${what} changed nothing`;
  return `${what} ${rounded < 0 ? 'took' : 'gave'} ${Math.abs(rounded)}`;
}

/** What a seat's result came from, in a sentence. */
function fromWhat(facts, { seat, start, luck, play, gifts, result }) {
  const its = seat === facts.seat ? 'your' : 'their';
  return [
    `${nameOf(facts, seat)} began with ${Math.round(100 * start)} points of a hundred:`,
    `${changed(luck, 'the cards')}, ${changed(play, `${its} own decisions`)},`,
    `${changed(gifts, 'those of others')}, which makes ${Math.round(100 * result)}.`,
  ].join(' ');
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
                  <${Part} kind="by-cards" part=${share.luck} most=${most} />
                  <${Part} kind="by-own" part=${share.play} most=${most} />
                  <${Part} kind="by-others" part=${share.gifts} most=${most} />
                </span>
                <span class="in-points">${sums(share)}</span>
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
        <span>
          <i class="by-others"></i>
          decisions of others
        </span>
      </p>
      <p class="small">${fromWhat(facts, shares[seat])}</p>
    </section>
  `;
}
