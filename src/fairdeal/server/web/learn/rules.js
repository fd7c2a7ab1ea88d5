// The rules of a game: a page for people, drawn with its own cards, and behind it every clause by
// number. The page stands in the panel beside a table, and alone at /rules/GAME, where it prints.
import { html, useEffect, useMemo, useState } from '../vendor/htm-preact.js';
import { once } from '../kit/api.js';
import { Card } from '../kit/card.js';
import { skin as loadSkin, sprite } from '../kit/lazy.js';
import { notesAgain } from '../privacy/stored.js';
import { Further, Logo, Nowhere } from '../kit/page.js';

/** @import { Bite, Card as OnTable, Clause, Drawing, Go, Kind, Offer, OnInput, Page as Whole,
 *   PageFacts, PageSaid, Question, Rulebook, Scoring as Counts, Stateful,
 *   Sum as Worked } from '../types.js' */

/** @type {Record<string, string>} */
const MARKS = { R: 'in print', A: 'our ruling', X: 'of this edition' };

/** What a game tells of its rules, when it is there; its drawings are loaded beside it.
 * @param {string} game */
function usePage(game) {
  /** @type {Stateful<PageFacts | null>} */ const [told, setTold] = useState(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setTold(null);
    loadSkin(game);
    sprite(`/games/${game}/emblems.svg`);
    once(`/api/games/${game}/page`).then(setTold, (reason) => setProblem(reason.message));
  }, [game]);
  return { told, problem };
}

/** What holds instead at a table with these options, in words.
 * @param {PageSaid['otherwise']} otherwise @param {Record<string, unknown>} options */
function differs(otherwise, options) {
  return Object.entries(otherwise ?? {})
    .filter(([option]) => option in options)
    .map(([option, words]) => {
      const value = String(options[option]);
      const said = typeof words === 'string' ? words : words[value];
      return said?.replaceAll('{}', value);
    })
    .filter(Boolean);
}

/** Cards beside one another, with words between them: cards by their text on the page, or as they
 * lie on a table.
 * @param {{ cards?: (string | OnTable)[], told: Drawing }} props */
const Row = ({ cards = [], told }) =>
  cards.length > 0 &&
  html`
    <div class="drawn">
      ${cards.map((text, number) => {
        const card = typeof text === 'string' ? told.cards[text] : text;
        return card
          ? html`
              <${Card}
                key=${number}
                card=${card}
                face=${told.faces[card.face ?? ''] ?? null}
                skin=${told.skin}
              />
            `
          : html`
              <span key=${number}>${/** @type {string} */ (text).slice(1).trim()}</span>
            `;
      })}
    </div>
  `;

/** The clause that a paragraph comes from, as a quiet link.
 * @param {{ clause?: string, told: Rulebook }} props */
const Source = ({ clause, told }) =>
  clause &&
  html`
    ${' '}
    <button class="clause quiet" onClick=${() => told.open(clause)}>${clause}</button>
  `;

/** The differences at this table.
 * @param {{ otherwise: PageSaid['otherwise'], told: Rulebook }} props */
const Here = ({ otherwise, told }) =>
  differs(otherwise, told.options).map(
    (words) => html`
      <p class="here" key=${words}>${words}</p>
    `,
  );

/** @param {{ said: PageSaid, told: Rulebook }} props */
const Said = ({ said, told }) => html`
  <p>
    ${said.text}
    <${Source} clause=${said.clause} told=${told} />
  </p>
  <${Row} cards=${said.cards} told=${told} />
  <${Here} otherwise=${said.otherwise} told=${told} />
`;

/** @param {{ steps: PageSaid[], told: Rulebook }} props */
const Steps = ({ steps, told }) => html`
  <ol class="turns">
    ${steps.map(
      (said, number) => html`
        <li key=${number}><${Said} said=${said} told=${told} /></li>
      `,
    )}
  </ol>
`;

/** Every kind of card, with its words. @param {{ kinds: Kind[], told: Rulebook }} props */
const Kinds = ({ kinds, told }) => html`
  <ul class="kinds">
    ${kinds.map(
      (kind, number) => html`
        <li
          key=${number}
          data-many=${kind.faces.length > 4 ? 'long' : kind.faces.length > 1 || undefined}
        >
          <${Row} cards=${kind.faces} told=${told} />
          <b>${kind.name}</b>
          <p>
            ${kind.text}
            <${Source} clause=${kind.clause} told=${told} />
          </p>
        </li>
      `,
    )}
  </ul>
`;

/** A worked example. @param {{ sum: Worked, told: Rulebook }} props */
const Sum = ({ sum, told }) => html`
  <table class="sum">
    <caption>${sum.title}</caption>
    <tbody>
      ${sum.rows.map(
        (row, number) => html`
          <tr key=${number}>
            <th scope="row">
              ${row.text}
              <${Row} cards=${row.cards} told=${told} />
            </th>
            <td>${row.value}</td>
          </tr>
        `,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">${sum.unit ?? 'points'}</th>
        <td>${sum.total}</td>
      </tr>
    </tfoot>
  </table>
`;

/** @param {{ scoring: Counts, told: Rulebook }} props */
const Scoring = ({ scoring, told }) => html`
  ${(scoring.said ?? []).map(
    (said, number) => html`
      <${Said} key=${number} said=${said} told=${told} />
    `,
  )}
  <div class="sums">
    ${(scoring.sums ?? []).map(
      (sum) => html`
        <${Sum} key=${sum.title} sum=${sum} told=${told} />
      `,
    )}
  </div>
`;

/** @param {{ asked: Question[], told: Rulebook }} props */
const Asked = ({ asked, told }) =>
  asked.map(
    (one) => html`
      <div class="asked" key=${one.ask}>
        <h4>${one.ask}</h4>
        <p>
          ${one.answer}
          <${Source} clause=${one.clause} told=${told} />
        </p>
        <${Here} otherwise=${one.otherwise} told=${told} />
      </div>
    `,
  );

/** The rows of a note; in place of @ stand the viewer's own cards, where there are any.
 * @param {{ bite: Bite, own?: OnTable[], told: Drawing }} props */
export const Example = ({ bite, own = [], told }) =>
  (bite.rows ?? []).map((row, number) => {
    const filled = own.length ? own : (bite.cards ?? []);
    const cards = row.flatMap(
      /** @returns {string | (string | OnTable)[]} */ (item) => (item === '@' ? filled : item),
    );
    return html`
      <${Row} key=${number} cards=${cards} told=${told} />
    `;
  });

/** The notes that rise when a rule first bites, to be read again.
 * @param {{ bites: Bite[], told: Rulebook }} props */
function Notes({ bites, told }) {
  const [again, setAgain] = useState(false);
  const forget = () => {
    notesAgain(told.game);
    setAgain(true);
  };
  return html`
    ${bites.map(
      (bite) => html`
        <div class="bite" key=${bite.id}>
          <p>
            ${bite.text}
            <${Source} clause=${bite.clause} told=${told} />
          </p>
          <${Example} bite=${bite} told=${told} />
        </div>
      `,
    )}
    <p>
      <button class="btn slim" disabled=${again} onClick=${forget}>
        ${again ? 'Notes are back on' : 'Show rule notes again'}
      </button>
    </p>
  `;
}

/** @typedef {(part: unknown, told: Rulebook) => unknown} Draws */

/** What stands under the head of a part. @type {{
 *   [Part in keyof Whole]?: (part: NonNullable<Whole[Part]>, told: Rulebook) => unknown }} */
const PARTS = {
  set_up: (part, told) => part.map((said) => Said({ said, told })),
  turn: (part, told) => Steps({ steps: part, told }),
  cards: (part, told) => Kinds({ kinds: part, told }),
  end: (part, told) => part.map((said) => Said({ said, told })),
  scoring: (part, told) => Scoring({ scoring: part, told }),
  asked: (part, told) => Asked({ asked: part, told }),
  bites: (part, told) => html`
    <${Notes} bites=${part} told=${told} />
  `,
};

/** The lessons of a game: rules are easier to remember when played.
 * @param {{ game: string, lessons?: Offer[] }} props */
const Taught = ({ game, lessons = [] }) =>
  lessons.length > 0 &&
  html`
    <section class="told taught">
      <h3>Learn it</h3>
      <p>
        <a class="btn slim" href=${`/learn/${game}/first`}>Play the first lesson: 90 seconds</a>
      </p>
      <${Further} game=${game} lessons=${lessons} />
    </section>
  `;

/** The page of a game. `told`: what the room says of it, with `options`, those of a table that
 * differ from the usual, and `open`, which shows a clause. @param {{ told: Rulebook }} props */
export const Page = ({ told }) => html`
  <section class="told goal">
    <h3>Goal</h3>
    <${Said} said=${told.page.goal} told=${told} />
  </section>
  ${
    /** @type {[keyof Whole, string][]} */ (Object.entries(told.heads))
      .filter(([part]) => told.page[part])
      .map(
        ([part, head]) => html`
          <section class="told" key=${part} data-part=${part}>
            <h3>${head}</h3>
            ${/** @type {Draws} */ (PARTS[part])(told.page[part], told)}
          </section>
        `,
      )
  }
  <p class="quiet small by">
    ${told.title} is by ${told.designer}, published by ${told.publisher}. This is an unofficial
    edition with rules in our own words.
  </p>
`;

/** Every clause by number. @param {{ game: string, clause?: string }} props */
function Clauses({ game, clause }) {
  const [clauses, setClauses] = useState(/** @type {Clause[]} */ ([]));
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    once(`/api/games/${game}/rules`).then(setClauses, () => setClauses([]));
  }, [game]);
  useEffect(() => {
    setWanted('');
    const timer = setTimeout(
      () => document.getElementById(`clause-${clause}`)?.scrollIntoView({ block: 'center' }),
      60,
    );
    return () => clearTimeout(timer);
  }, [clause, clauses.length]);
  const found = clauses.filter((one) =>
    `${one.id} ${one.text}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  return html`
    <input
      type="search"
      class="find-rule"
      aria-label="Find in the rules"
      placeholder="Find in the rules"
      value=${wanted}
      onInput=${(/** @type {OnInput} */ event) => setWanted(event.currentTarget.value)}
    />
    ${found.map(
      (one, number) => html`
        ${
          one.heading !== found[number - 1]?.heading &&
          html`
            <h3>${one.heading}</h3>
          `
        }
        <article
          key=${one.id}
          id=${`clause-${one.id}`}
          class="rule"
          data-here=${one.id === clause || undefined}
        >
          <b>${one.id}</b>
          ${' '}
          <small class="quiet">${MARKS[one.mark]}</small>
          <p>${one.text}</p>
        </article>
      `,
    )}
  `;
}

/** The way from one to the other.
 * @param {{ list: boolean, show: (list: boolean) => void }} props */
const Turn = ({ list, show }) => html`
  <button class="btn slim turn-rules" onClick=${() => show(!list)}>
    ${list ? 'The rules in short' : 'Every rule, by number'}
  </button>
`;

/** The rules beside a table: the page, or the clauses where one is asked for.
 * @param {{ game: string, clause?: string, options?: Record<string, unknown> }} props */
export function Rules({ game, clause, options }) {
  const [list, setList] = useState(Boolean(clause));
  const [at, setAt] = useState(clause);
  const { told, problem } = usePage(game);
  const show = (/** @type {string} */ wanted) => {
    setAt(wanted);
    setList(true);
  };
  useEffect(() => {
    setAt(clause);
    setList(Boolean(clause));
  }, [clause, game]);
  const here = useMemo(
    () => told && { ...told, game, options: options ?? {}, open: show },
    [told, options],
  );
  return html`
    <div class="panel rules" tabindex="0" role="region" aria-label="Rules">
      ${problem}
      <${Turn} list=${list} show=${setList} />
      ${
        list
          ? html`
              <${Clauses} game=${game} clause=${at} />
            `
          : here &&
            html`
              <${Page} told=${here} />
            `
      }
    </div>
  `;
}

/** The rules alone, for reading and printing.
 * @param {{ id: string, clause?: string, go: Go }} props */
export function RulesPage({ id, clause, go }) {
  const { told, problem } = usePage(id);
  const [list, setList] = useState(Boolean(clause));
  const [at, setAt] = useState(clause);
  const show = (/** @type {string} */ wanted) => {
    setAt(wanted);
    setList(true);
  };
  const here = useMemo(() => told && { ...told, game: id, options: {}, open: show }, [told]);
  useEffect(() => {
    document.title = told ? `${told.title}, the rules · fairdeal` : 'fairdeal';
  }, [told]);
  if (!here) {
    return html`
      <${Nowhere} problem=${problem} what="game" />
    `;
  }
  return html`
    <main class="rulebook rules" data-skin=${here.skin.name}>
      <header>
        <${Logo} go=${go} />
        <h1>${here.title}</h1>
        <span class="gap-x"></span>
        <${Turn} list=${list} show=${setList} />
        <button class="btn slim" onClick=${() => print()}>Print</button>
      </header>
      <h2 class="sr">The rules</h2>
      ${
        list
          ? html`
              <${Clauses} game=${id} clause=${at} />
            `
          : html`
              <div class="columns">
                <${Page} told=${here} />
                <${Taught} game=${id} lessons=${here.lessons} />
              </div>
            `
      }
    </main>
  `;
}
