// The shelf: what to play next, and the games by ease, each with its cover and what one can do with
// it. Tapping a cover opens the game's sheet.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { textOnce } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { isLearnt, useOpponent } from '../kit/opponents.js';
import { goTo } from '../kit/page.js';
import { figures, goalOf, lasting, seated, sentence, title } from '../kit/words.js';

/** @import { Facts, GameFacts, Opening, Trouble } from '../types.js' */

/** Weights of games, the lightest first. */
const WEIGHTS = ['light', 'medium', 'heavy'];

/** Whether an element has come near the part of the page that is looked at. */
function useNear() {
  const spot = useRef(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const seen = (/** @type {IntersectionObserverEntry[]} */ found) =>
      found.some((one) => one.isIntersecting) && setNear(true);
    const watch = new IntersectionObserver(seen, { rootMargin: '10%' });
    if (spot.current) watch.observe(spot.current);
    return () => watch.disconnect();
  }, []);
  return { spot, near };
}

/** Is the screen a phone's? */
export const isNarrow = () => matchMedia('(max-width: 639.98px)').matches;

let covers = 0;

/** A cover, drawn by the game. It is fetched when it comes into sight.
 * @param {{ game: string, small?: boolean }} props */
export function Cover({ game, small }) {
  const [drawing, setDrawing] = useState('');
  const [own] = useState(() => `cover-${(covers += 1)}-`);
  const { spot, near } = useNear();
  useEffect(() => {
    if (!near) return;
    textOnce(`/games/${game}/cover.svg`).then(
      (svg) =>
        setDrawing(
          svg
            .replace('<svg ', '<svg class="cover" ')
            .replaceAll('id="', `id="${own}`)
            .replaceAll('href="#', `href="#${own}`)
            .replaceAll('url(#', `url(#${own}`),
        ),
      () => setDrawing(''),
    );
  }, [game, near]);
  return html`
    <span
      ref=${spot}
      class=${small ? 'thumb' : 'lid'}
      aria-hidden="true"
      dangerouslySetInnerHTML=${{
        __html: drawing || '<svg class="cover blank" viewBox="0 0 240 320"></svg>',
      }}
    ></span>
  `;
}

/** Games that look alike come in one box. @param {GameFacts[]} games */
const boxes = (games) =>
  [...new Set(games.map((game) => game.look))].map((look) =>
    games.filter((game) => game.look === look),
  );

/** A game's name inside its box, which need not say that of the box again.
 * @param {GameFacts} game @param {string} box */
const within = (game, box) =>
  game.title.startsWith(`${box} `) ? game.title.slice(box.length + 1) : game.title;

/** Why a table could not be opened, beside the button that asked for it, if it could not.
 * @param {{ problem: Trouble | null | false, showTables: () => void }} props */
export const Refusal = ({ problem, showTables }) =>
  problem &&
  html`
    <p class="bad small" role="alert">
      ${sentence(problem.message)}
      ${
        problem.status === 429 &&
        html`
          ${' '}
          <button type="button" class="plain link" onClick=${showTables}>Show my tables</button>
        `
      }
    </p>
  `;

/** The order of games for newcomers: by weight, then by the longest duration.
 * @param {GameFacts} game */
const ease = ({ weight, minutes }) => {
  const place = WEIGHTS.indexOf(weight);
  return [place < 0 ? WEIGHTS.length : place, minutes[1], minutes[0]];
};

/** The easiest first. @param {GameFacts[]} games */
const byEase = (games) =>
  [...games].sort((one, other) => {
    const [a, b] = [ease(one), ease(other)];
    const at = a.findIndex((number, place) => number !== b[place]);
    return at < 0 ? 0 : a[at] - b[at];
  });

/** To a table for friends, if the game can be played by several.
 * @param {{ game: GameFacts, kind?: string, label?: string }
 *   & Pick<Opening, 'busy' | 'friends'>} props kind: classes of its own */
export const WithFriends = ({ game, kind = '', label, busy, friends }) =>
  game.players[1] > 1 &&
  html`
    <button
      class=${`btn ${kind}`}
      disabled=${busy === game.name}
      aria-label=${label}
      onClick=${() => friends(game)}
    >
      <${Icon} name="users" />
      With friends
    </button>
  `;

/** The buttons of a game. @param {{ game: GameFacts } & Opening} props */
function Ways({ game, quick, friends, busy }) {
  const opponent = useOpponent(game);
  return html`
    <div class="gameways">
      <button
        class="btn slim main"
        disabled=${busy === game.name}
        aria-label=${`${opponent ? `Play ${opponent.name}` : 'Play now'}: ${game.title}`}
        onClick=${() => quick(game)}
      >
        Play
      </button>
      ${
        game.lessons.length > 0 &&
        html`
          <a
            class="btn slim"
            href=${`/learn/${game.name}/first`}
            aria-label=${`Learn ${game.title} in 90 seconds`}
          >
            Learn
          </a>
        `
      }
      <${WithFriends}
        kind="slim party"
        label=${`With friends: ${game.title}`}
        ...${{ game, busy, friends }}
      />
    </div>
  `;
}

/** One game: its cover is a link to its sheet.
 * @param {{ game: GameFacts, box?: string, chosen?: string, invited?: string } & Opening} props
 *   invited: the game of the invitation, which says itself why its table was refused */
function Game({ game, box = '', chosen, invited, ...opening }) {
  const { problem, showTables, go } = opening;
  const to = `/?game=${game.name}`;
  const refused = problem?.game === game.name && ![chosen, invited].includes(game.name);
  return html`
    <li class="box" data-inside=${box || undefined} data-game=${game.name}>
      <a
        class="boxlink"
        href=${to}
        aria-current=${chosen === game.name ? 'true' : undefined}
        onClick=${goTo(to, go)}
      >
        <${Cover} game=${game.name} />
        <b>
          ${
            within(game, box) !== game.title &&
            html`
              <span class="sr">${box}</span>
              ${' '}
            `
          }
          ${within(game, box)}
        </b>
        ${
          !box &&
          html`
            <span class="goal">${goalOf(game)}</span>
          `
        }
        <small class="quiet">
          ${box ? `${seated(game.players)} · ${lasting(game.minutes)}` : figures(game)}
        </small>
      </a>
      <${Ways} game=${game} ...${opening} />
      <${Refusal} problem=${refused && problem} showTables=${showTables} />
    </li>
  `;
}

/** The game to play next: the last one played, or the easiest one for a newcomer.
 * @param {GameFacts[]} games @param {Facts[]} mine */
function nextOf(games, mine) {
  const last = mine.find((facts) => facts.status === 'over');
  const again = games.find((game) => last && game.name === last.game);
  if (again) return { game: again, say: 'Play again', again: true };
  const easy = byEase(games);
  const game = easy.find((one) => one.lessons.length > 0 && one.usual_players > 1) ?? easy[0];
  return { game, say: isLearnt(game) ? 'Now play it' : 'Start here', again: false };
}

/** The one invitation of the shelf. For a newcomer it is the lesson, which takes 90 seconds.
 * @param {{ next: ReturnType<typeof nextOf>, busier: boolean, chosen?: string } & Opening} props
 *   busier: whether something else waits for the guest */
function Next({ next, busier, chosen, quick, friends, busy, problem, showTables }) {
  const { game, say, again } = next;
  const opponent = useOpponent(game);
  const learns = say === 'Start here' && game.lessons.length > 0;
  const tone = busier ? 'main' : 'lit';
  const play = html`
    <button
      class=${`btn ${learns ? '' : tone}`}
      disabled=${busy === game.name}
      onClick=${() => quick(game)}
    >
      <${Icon} name="play" />
      ${learns ? 'Play now' : `Play ${opponent ? opponent.name : game.title}`}
    </button>
  `;
  return html`
    <li class="box start-here" aria-label=${`${say}: ${game.title}`}>
      <b class="tag">${say}</b>
      <${Cover} game=${game.name} />
      <div class="start-text">
        <b>${game.title}</b>
        <span class="goal">${goalOf(game)}</span>
        <small>
          ${learns ? `90 seconds to learn, ${lasting(game.minutes)} to play` : figures(game)}
        </small>
      </div>
      <div class="start-ways">
        ${
          learns &&
          html`
            <a class=${`btn ${tone}`} href=${`/learn/${game.name}/first`}>Learn it now</a>
          `
        }
        ${play}
        ${
          again &&
          html`
            <${WithFriends} ...${{ game, busy, friends }} />
          `
        }
        <${Refusal}
          problem=${problem?.game === game.name && chosen !== game.name && problem}
          showTables=${showTables}
        />
      </div>
    </li>
  `;
}

/** A box of several games, which stand side by side.
 * @param {{ games: GameFacts[], chosen?: string, invited?: string } & Opening} props */
function Box({ games, ...shelf }) {
  const name = title(games[0].skin.name);
  return html`
    <section class="inside" aria-label=${`${name}, a box of ${games.length} games`}>
      <h3>
        ${name}
        <small class="quiet">${games.length} games in one box</small>
      </h3>
      <ul>
        ${games.map(
          (game) => html`
            <${Game} key=${game.name} game=${game} box=${name} ...${shelf} />
          `,
        )}
      </ul>
    </section>
  `;
}

/** Boxes while the games are asked for. @param {number} count */
const blank = (count) =>
  Array.from(
    { length: count },
    (_, number) => html`
      <li key=${number}>
        <span class="lid"><svg class="cover blank" viewBox="0 0 240 320"></svg></span>
      </li>
    `,
  );

/** @param {{ games: GameFacts[] | null, mine: Facts[], busier: boolean, chosen?: string }
 *   & Opening} props games: nothing until they and the tables are known; chosen: the game whose
 *   sheet is open */
export function Shelf({ games, mine, busier, ...shelf }) {
  const all = games ? boxes(byEase(games)) : [];
  const single = all.filter((one) => one.length === 1);
  const next = games?.length ? nextOf(games, mine) : null;
  const invited = next?.game.name;
  return html`
    <section class="shelf" aria-label="The shelf">
      <h2 class="sr">Games</h2>
      <ul class="boxes">
        ${
          next &&
          html`
            <${Next} next=${next} busier=${busier} ...${shelf} />
          `
        }
        ${
          games
            ? single.map(
                ([game]) => html`
                  <${Game} key=${game.name} game=${game} invited=${invited} ...${shelf} />
                `,
              )
            : blank(5)
        }
      </ul>
      ${all
        .filter((one) => one.length > 1)
        .map(
          (one) => html`
            <${Box} key=${one[0].look} games=${one} invited=${invited} ...${shelf} />
          `,
        )}
    </section>
  `;
}
