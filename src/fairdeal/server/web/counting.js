// The points of a round, counted in sight: seat by seat from the worst on, every reason with its
// cards, and the total that it adds to. It lies over the middle of a table that has settled.
import { html } from './vendor/htm-preact.js';
import { Card } from './card.js';
import { MANY } from './staging.js';
import { INKS } from './top.js';

/** `−1`. @param {number} number */
const minus = (number) => String(number).replace('-', '−');

/** What a reason brings, as it stands on its pill: `+3`, `−1`, and `3` Books.
 * @param {any} gain */
const brings = ({ value, cards }) => (value > 0 && cards ? `+${value}` : minus(value));

/** The name of a seat. @param {any} scene @param {number} seat */
const nameOf = (scene, seat) => scene.seats.find((one) => one.seat === seat)?.name ?? '';

/** The same in a line: `Bo Books 3, three ∞ +3 · You 0`. @param {any} scene */
export const counted = (scene) =>
  scene.round.tallies
    .map(({ seat, gains = [] }) => {
      const told = gains.map((gain) => `${gain.label} ${brings(gain)}`).join(', ');
      return `${nameOf(scene, seat)} ${told || 0}`;
    })
    .join(' · ');

/** @param {any} props */
const Reason = ({ gain, table, name, order }) => html`
  <span class="gain" style=${{ '--order': order }} title=${gain.clause}>
    ${gain.cards?.length &&
    html`
      <span class="minis" aria-hidden="true">
        ${gain.cards.map(
          (face, number) => html`
            <${Card}
              card=${{ id: `${name}.${number}`, face }}
              face=${table.faces[face]}
              skin=${table.skin}
            />
          `,
        )}
      </span>
    `}
    <span class="pill">
      <b>${brings(gain)}</b>
      ${gain.label}
    </span>
  </span>
`;

/** @param {any} props */
export function Counting({ staged, table }) {
  const { scene, stage } = staged;
  const { tallies } = scene.round;
  const before = ({ total, gains = [] }) => total - gains.reduce((sum, one) => sum + one.value, 0);
  return html`
    <section class="counting" data-stage=${stage} aria-label="The points of the round">
      <ol>
        ${tallies.map(
          (tally, row) => html`
            <li
              key=${tally.seat}
              style=${{
                '--row': tallies.length < MANY ? row : 0,
                '--who': INKS[tally.seat % 8],
              }}
            >
              <span class="face" aria-hidden="true">${nameOf(scene, tally.seat)[0]}</span>
              <b class="named">${nameOf(scene, tally.seat)}</b>
              <span class="gains">
                ${(tally.gains ?? []).map(
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
