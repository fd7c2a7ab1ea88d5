// The sheet of a game: play at once, or set up a table. On the desk it lies at the right over the
// page, on the phone it comes from below.
import { html, useEffect, useRef } from '../vendor/htm-preact.js';
import { IconButton } from '../kit/card.js';
import { useKeydown } from '../kit/keyboard.js';
import { NewTable } from './new-table.js';
import { PlayNow, useOpponent } from '../kit/opponents.js';
import { Cover, Refusal, WithFriends } from './shelf.js';
import { figures, goalOf } from '../kit/words.js';

/** @import { GameFacts, Opening } from '../types.js' */

/** The lessons of a game after the first one, in a line. @param {{ game: GameFacts }} props */
const Further = ({ game: { name: game, lessons } }) =>
  lessons.length > 1 &&
  html`
    <p class="further">
      ${'Then: '}
      ${lessons.slice(1).map(
        ({ name, title }, number) => html`
          ${number > 0 && ' · '}
          <a key=${name} href=${`/learn/${game}/${name}`}>${title}</a>
        `,
      )}
    </p>
  `;

/** @param {{ game: GameFacts, preset: string, close: () => void } & Opening} props preset: the one
 * that is chosen at first */
export function Sheet({ game, preset, quick, friends, busy, problem, close, showTables, go }) {
  const opponent = useOpponent(game);
  const sheet = useRef(null);
  useEffect(() => sheet.current?.focus({ preventScroll: true }), []);
  useKeydown(({ key }) => {
    if (key === 'Escape' && !document.querySelector('dialog[open]')) close();
  });
  return html`
    <div class="sheet-scrim" onClick=${close}></div>
    <section
      class="game-sheet"
      role="dialog"
      tabindex="-1"
      aria-labelledby="sheet-title"
      aria-describedby="sheet-goal"
      ref=${sheet}
    >
      <div class="sheet-head">
        <${Cover} game=${game.name} small=${true} />
        <div>
          <h2 id="sheet-title">${game.title}</h2>
          <p id="sheet-goal">
            <b>Goal:</b>
            ${` ${goalOf(game)}`}
          </p>
          <p class="small quiet">${figures(game)} · by ${game.designer}, ${game.publisher}</p>
        </div>
        <${IconButton} name="x" label="Close" onClick=${close} />
      </div>
      <div class="at-once">
        <button class="btn lit" disabled=${busy === game.name} onClick=${() => quick(game)}>
          <${PlayNow} opponent=${opponent} />
        </button>
        ${
          game.lessons.length > 0 &&
          html`
            <a class="btn" href=${`/learn/${game.name}/first`}>Learn it: 90 seconds</a>
          `
        }
        <${WithFriends} ...${{ game, busy, friends }} />
      </div>
      <${Refusal} problem=${problem?.game === game.name && problem} showTables=${showTables} />
      <${Further} game=${game} />
      <${NewTable} ...${{ game, preset, showTables, go }} />
    </section>
  `;
}
