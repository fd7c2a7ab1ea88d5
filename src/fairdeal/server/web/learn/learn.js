// The lessons of a game, to choose from.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { gameOf } from '../kit/api.js';
import { Logo, Nowhere, goTo } from '../kit/page.js';
import { goalOf } from '../kit/words.js';

/** @import { GameFacts, Go, Offer, Stateful } from '../types.js' */

/** @param {{ game: string, lesson: Offer, number: number, go: Go }} props */
const Lesson = ({ game, lesson, number, go }) => {
  const to = `/learn/${game}/${lesson.name}`;
  return html`
    <li>
      <a class="lesson" href=${to} data-first=${number === 1 || undefined} onClick=${goTo(to, go)}>
        <span class="number" aria-hidden="true">${number}</span>
        <b>${lesson.title}</b>
        <span>${lesson.about}</span>
      </a>
    </li>
  `;
};

/** The lessons of a game; where there is only one, it begins at once.
 * @param {{ id: string, go: Go }} props */
export function LearnPage({ id, go }) {
  /** @type {Stateful<GameFacts | null>} */ const [game, setGame] = useState(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    gameOf(id).then(
      (found) => {
        if (found?.lessons.length === 1) go(`/learn/${id}/${found.lessons[0].name}`, true);
        else if (found?.lessons.length) setGame(found);
        else setProblem('This game has no lessons.');
      },
      (reason) => setProblem(reason.message),
    );
  }, [id]);
  useEffect(() => {
    document.title = game ? `Learn ${game.title} · fairdeal` : 'fairdeal';
  }, [game]);
  if (!game) {
    return html`
      <${Nowhere} problem=${problem} what="lesson" />
    `;
  }
  return html`
    <main class="rulebook learn">
      <header>
        <${Logo} go=${go} />
        <h1>Learn ${game.title}</h1>
      </header>
      <p>
        <b>Goal:</b>
        ${` ${goalOf(game)}`}
      </p>
      <ol>
        ${game.lessons.map(
          (lesson, number) => html`
            <${Lesson}
              key=${lesson.name}
              game=${id}
              lesson=${lesson}
              number=${number + 1}
              go=${go}
            />
          `,
        )}
      </ol>
      <p class="further">
        ${'Or read '}
        <a href=${`/rules/${id}`} onClick=${goTo(`/rules/${id}`, go)}>the rules in short</a>
        .
      </p>
    </main>
  `;
}
