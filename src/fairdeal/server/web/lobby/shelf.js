// The shelf: the games in their boxes, each with its cover. Tapping a box opens its sheet.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { text } from '../kit/api.js';
import { PlayNow, useOpponent } from '../kit/opponents.js';
import { goTo } from '../kit/page.js';
import { figures, goalOf, lasting, seated, sentence, title } from '../kit/words.js';

/** @import { GameFacts, Opening, Trouble } from '../types.js' */

/** Whether an element has come near the part of the page that is looked at. */
function useNear() {
  const spot = useRef(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const seen = (/** @type {IntersectionObserverEntry[]} */ found) =>
      found.some((one) => one.isIntersecting) && setNear(true);
    const watch = new IntersectionObserver(seen, { rootMargin: '25%' });
    if (spot.current) watch.observe(spot.current);
    return () => watch.disconnect();
  }, []);
  return { spot, near };
}

/** Is the screen a phone's? */
export const isNarrow = () => matchMedia('(max-width: 640px)').matches;

/** @type {Map<string, Promise<string>>} */
const drawings = new Map();

/** A drawing, fetched once. @param {string} path */
function drawn(path) {
  const found = drawings.get(path) ?? text(path);
  drawings.set(path, found);
  found.catch(() => drawings.delete(path));
  return found;
}

let covers = 0;

/** A cover, drawn by the game; that of the box it comes in, if asked for. It is fetched when it
 * comes into sight. @param {{ game: string, small?: boolean, box?: boolean }} props */
export function Cover({ game, small, box }) {
  const [drawing, setDrawing] = useState('');
  const [own] = useState(() => `cover-${(covers += 1)}-`);
  const { spot, near } = useNear();
  useEffect(() => {
    if (!near) return;
    drawn(`/games/${game}/${box ? 'box' : 'cover'}.svg`).then(
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

/** Why a table could not be opened, beside the button that asked for it.
 * @param {{ problem: Trouble, showTables: () => void }} props */
export const Refusal = ({ problem, showTables }) => html`
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

/** One game: its box is a link to its sheet, with a shortcut across the lid.
 * @param {{ game: GameFacts, box?: string, chosen?: string } & Opening} props */
function Game({ game, box = '', chosen, quick, busy, problem, showTables, go }) {
  const to = `/?game=${game.name}`;
  const opponent = useOpponent(game);
  const refused = problem?.game === game.name && chosen !== game.name;
  return html`
    <li class="box" data-inside=${box || undefined} data-game=${game.name}>
      <a
        class="boxlink"
        href=${to}
        aria-current=${chosen === game.name ? 'true' : undefined}
        aria-label=${`${game.title}, ${seated(game.players)}, ${lasting(game.minutes)}`}
        onClick=${goTo(to, go)}
      >
        <${Cover} game=${game.name} />
        <b>${within(game, box)}</b>
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
      <button
        class="btn lit across"
        disabled=${busy === game.name}
        aria-label=${`${opponent ? `Play ${opponent.name}` : 'Play now'}: ${game.title}`}
        onClick=${() => quick(game)}
      >
        <${PlayNow} opponent=${opponent} short=${box} />
      </button>
      ${
        refused &&
        html`
          <${Refusal} problem=${problem} showTables=${showTables} />
        `
      }
    </li>
  `;
}

/** A box of several games, which stand below when it is open; on a narrow screen they always do.
 * @param {{ games: GameFacts[], open: boolean, onOpen: () => void, chosen?: string } & Opening}
 *   props */
function Box({ games, open, onOpen, ...shelf }) {
  const narrow = isNarrow();
  const name = title(games[0].skin.name);
  /** @param {'players' | 'minutes'} fact @returns {[number, number]} */
  const widest = (fact) => [
    Math.min(...games.map((game) => game[fact][0])),
    Math.max(...games.map((game) => game[fact][1])),
  ];
  return html`
    <li class="box" data-many data-open=${open || undefined}>
      <${narrow ? 'div' : 'button'}
        class="boxlink plain"
        aria-expanded=${narrow ? undefined : String(Boolean(open))}
        aria-label=${narrow ? undefined : `${name}, a box of ${games.length} games`}
        onClick=${narrow ? undefined : onOpen}
      >
        ${
          narrow ||
          html`
            <${Cover} game=${games[0].name} box=${true} />
          `
        }
        <b>${name}</b>
        <span class="goal">${games.map((game) => within(game, name)).join(', ')}</span>
        <small class="quiet">
          ${games.length} games · ${seated(widest('players'))} · ${lasting(widest('minutes'))}
        </small>
      <//>
    </li>
    <li class="inside" data-open=${open || narrow || undefined}>
      <ul aria-label=${`The games of ${name}`}>
        ${games.map(
          (game) => html`
            <${Game} key=${game.name} game=${game} box=${name} ...${shelf} />
          `,
        )}
      </ul>
    </li>
  `;
}

/** Boxes while the games are asked for. */
const blank = () =>
  Array.from(
    { length: 5 },
    (_, number) => html`
      <li key=${number}>
        <span class="lid"><svg class="cover blank" viewBox="0 0 240 320"></svg></span>
      </li>
    `,
  );

/** @param {{ games: GameFacts[] | null, chosen?: string } & Opening} props chosen: the one whose
 * sheet is open */
export function Shelf({ games, ...shelf }) {
  const [opened, setOpened] = useState('');
  const box = (/** @type {GameFacts[]} */ one) => {
    const [{ look, name }] = one;
    if (one.length === 1) {
      return html`
        <${Game} key=${name} game=${one[0]} ...${shelf} />
      `;
    }
    const open = opened === look;
    return html`
      <${Box}
        key=${look}
        games=${one}
        open=${open}
        onOpen=${() => setOpened(open ? '' : look)}
        ...${shelf}
      />
    `;
  };
  const many = (/** @type {GameFacts[]} */ one) => one.length > 1;
  const order = (/** @type {GameFacts[][]} */ all) => [
    ...all.filter((one) => !many(one)),
    ...all.filter(many),
  ];
  return html`
    <section class="shelf">
      <h2>The shelf</h2>
      <ul class="boxes">
        ${games ? order(boxes(games)).map(box) : blank()}
      </ul>
    </section>
  `;
}
