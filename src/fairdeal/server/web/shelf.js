// The shelf: the games in their boxes, each with its cover.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { text } from './api.js';
import { Icon } from './card.js';

const span = ([low, high]) => (low === high ? String(low) : `${low}–${high}`);
export const words = (name) => name.replaceAll('_', ' ').replaceAll('-', ' ');
const seated = ([low, high]) => `${span([low, high])} ${high === 1 ? 'player' : 'players'}`;
export const title = (name) => words(name).replace(/^./, (letter) => letter.toUpperCase());

/** A cover, drawn by the game; that of the box it comes in, if asked for. @param {any} props */
export function Cover({ game, small, box }) {
  const [drawing, setDrawing] = useState('');
  const file = box ? 'box' : 'cover';
  const own = `${small ? 't' : 'c'}-${file}-${game}-`;
  useEffect(() => {
    text(`/games/${game}/${file}.svg`).then(
      (svg) =>
        setDrawing(
          svg
            .replace('<svg ', '<svg class="cover" ')
            .replaceAll('id="', `id="${own}`)
            .replaceAll('href="#', `href="#${own}`),
        ),
      () => setDrawing(''),
    );
  }, [game]);
  return html`
    <span
      class=${small ? 'thumb' : 'lid'}
      aria-hidden="true"
      dangerouslySetInnerHTML=${{
        __html: drawing || '<svg class="cover blank" viewBox="0 0 240 320"></svg>',
      }}
    ></span>
  `;
}

/** Games that look alike come in one box. @param {any[]} games @returns {any[][]} */
const boxes = (games) =>
  [...new Set(games.map((game) => game.look))].map((look) =>
    games.filter((game) => game.look === look),
  );

/** A game's name inside its box, which need not say that of the box again. */
const within = (game, box) =>
  game.title.startsWith(`${box} `) ? game.title.slice(box.length + 1) : game.title;

/** One game. @param {any} props */
const Game = ({ game, box = '', chosen, choose, busy, quick }) => html`
  <li
    class="box"
    data-inside=${box || undefined}
    aria-current=${chosen === game.name ? 'true' : undefined}
  >
    <button
      class="boxbutton"
      aria-pressed=${chosen === game.name ? 'true' : 'false'}
      onClick=${() => choose(game.name)}
      aria-label=${`${game.title}, ${seated(game.players)}`}
    >
      <${Cover} game=${game.name} />
    </button>
    <b>${within(game, box)}</b>
    <span class="small">${seated(game.players)} · ${span(game.minutes)} min · ${game.weight}</span>
    <span class="small quiet">${game.blurb}</span>
    <span class="small quiet">by ${game.designer}, ${game.publisher}</span>
    <button class="btn lit" disabled=${busy === game.name} onClick=${() => quick(game)}>
      <${Icon} name="play" />
      Play now
    </button>
  </li>
`;

/** A box of several games: its lid, and when it is open, the games. @param {any} props */
function Box({ games, open, onOpen, ...shelf }) {
  const name = title(games[0].skin.name);
  const all = games.flatMap((game) => game.players);
  return html`
    <li class="box" data-open=${open || undefined}>
      <button
        class="boxbutton"
        aria-expanded=${open ? 'true' : 'false'}
        onClick=${onOpen}
        aria-label=${`${name}, a box of ${games.length} games`}
      >
        <${Cover} game=${games[0].name} box=${true} />
      </button>
      <b>${name}</b>
      <span class="small">
        ${seated([Math.min(...all), Math.max(...all)])} · ${games.length} games
      </span>
      <span class="small quiet">${games.map((game) => within(game, name)).join(', ')}</span>
      <button class="btn" onClick=${onOpen}>
        <${Icon} name="down" />
        ${open ? 'Close the box' : 'Open the box'}
      </button>
    </li>
    ${open &&
    games.map(
      (game) => html`
        <${Game} key=${game.name} game=${game} box=${name} ...${shelf} />
      `,
    )}
  `;
}

/** Two boxes while the games are asked for. */
const blank = () =>
  Array.from(
    { length: 2 },
    (_, number) => html`
      <li key=${number}>
        <span class="lid"><svg class="cover blank" viewBox="0 0 240 320"></svg></span>
      </li>
    `,
  );

/** @param {any} props games, chosen and choose, busy: the game that is being opened, and quick */
export function Shelf({ games, ...shelf }) {
  const [opened, setOpened] = useState('');
  const box = (one) => {
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
  return html`
    <section class="shelf">
      <h2>The shelf</h2>
      <ul class="boxes">
        ${games ? boxes(games).map(box) : blank()}
      </ul>
    </section>
  `;
}
