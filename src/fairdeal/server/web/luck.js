// Where the results of a finished game came from: the cards, one's own decisions, those of others.
import { html } from './vendor/htm-preact.js';
import { playedAlone, nameOf, plain, points } from './points.js';

/** A part of a result as a bar to the left or right of zero. */
const Part = ({ kind, part, most }) => html`
  <i class=${kind} hidden=${Math.abs(part / most) < 0.005} style=${{ '--part': part / most }}></i>
`;

/** The parts of a result in a line. */
function sums(analysis, { luck, play, gifts }) {
  const others = playedAlone(analysis) ? '' : ` · others ${points(analysis, gifts)}`;
  return `cards ${points(analysis, luck)} · play ${points(analysis, play)}${others}`;
}

/** What somebody's chance was changed by, in words. */
function changed(analysis, by, what) {
  const told = points(analysis, by);
  if (told === '0') return `${what} changed nothing`;
  return `${what} ${told.startsWith('−') ? 'took' : 'gave'} ${told.slice(1)}`;
}

/** What a seat's result came from, in a sentence. */
function fromWhat(analysis, facts, { seat, start, luck, play, gifts, result }) {
  const its = seat === facts.seat ? 'your' : 'their';
  const own = changed(analysis, play, `${its} own decisions`);
  if (playedAlone(analysis)) {
    return [
      `${plain(analysis, start)} points were to be expected at the deal:`,
      `${changed(analysis, luck, 'the cards')}, and ${own}, which makes ${plain(analysis, result)}.`,
    ].join(' ');
  }
  return [
    `${nameOf(facts, seat)} began with ${plain(analysis, start)} points of a hundred:`,
    `${changed(analysis, luck, 'the cards')}, ${own},`,
    `${changed(analysis, gifts, 'those of others')}, which makes ${plain(analysis, result)}.`,
  ].join(' ');
}

/** Where the results came from. @param {any} props */
export function LuckAndPlay({ analysis, facts, seat }) {
  const { shares } = analysis;
  if (!shares.length) return null;
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
                <span class="in-points">${sums(analysis, share)}</span>
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
          !playedAlone(analysis) &&
          html`
            <span>
              <i class="by-others"></i>
              decisions of others
            </span>
          `
        }
      </p>
      <p class="small">${fromWhat(analysis, facts, shares[seat])}</p>
    </section>
  `;
}
