// The page of a guest who opens the link of a table: the game, who asks, who is there, and one
// button. Where no seat is free it says so.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { gameOf } from '../kit/api.js';
import { sitDown } from '../record/keeper.js';
import { Cover } from './shelf.js';
import { Alarm, Face, Logo, NAMELESS, NameField, Problem, goTo, keepName } from '../kit/page.js';
import { RATED, clockOf, freeSeats, goalOf, lastingBy, presetOf, rulesOf } from '../kit/words.js';

/** @import { Chair, Facts, GameFacts, Go, OnForm, Stateful } from '../types.js' */

/** The game of a table, as the shelf tells of it; nothing until it is known, or if it is gone.
 * @param {string} name */
function useGame(name) {
  /** @type {Stateful<GameFacts | null | undefined>} */ const [game, setGame] = useState(null);
  useEffect(() => {
    gameOf(name).then(setGame, () => 0);
  }, [name]);
  return game;
}

/** Why nobody can sit down any more; nothing while a seat is free. @param {Facts} facts */
function whyNot(facts) {
  if (facts.status === 'over') return 'This game is over.';
  if (freeSeats(facts).length) return '';
  if (facts.status === 'open') return 'This table is full. The game is about to begin.';
  return 'This table is full, and the game has begun.';
}

/** Return the name of the guest who asks, if that guest is still there and has a name.
 * @param {Facts} facts @param {Chair | undefined} host @param {string} why */
function asking(facts, host, why) {
  if (!host || host.name === NAMELESS) return why ? 'This table plays' : 'You are invited to';
  if (facts.status === 'over') return `${host.name} played`;
  return why ? `${host.name} plays` : `${host.name} invites you to`;
}

/** A sentence about the guest who asks, and the game.
 * @param {{ facts: Facts, game?: GameFacts | null, why: string }} props */
function Head({ facts, game, why }) {
  const host = facts.chairs[facts.host_seat];
  return html`
    <section class="join-head">
      <${Cover} game=${facts.game} />
      <div>
        <p class="asks">
          ${
            host &&
            html`
              <${Face} chair=${host} />
            `
          }
          ${asking(facts, host, why)}
        </p>
        <h1 class="sign">${facts.title}</h1>
        <p>${game ? goalOf(game) : ''}</p>
      </div>
    </section>
  `;
}

/** The players, and the first free seat, which you can take. @param {{ facts: Facts }} props */
function Seats({ facts }) {
  const [first] = freeSeats(facts);
  return html`
    <ul class="join-seats">
      ${facts.chairs.map(
        (chair) => html`
          <li key=${chair.seat}>
            <${Face} chair=${chair} />
            <span>${chair.taken ? chair.name : chair === first ? 'you?' : 'free'}</span>
          </li>
        `,
      )}
    </ul>
  `;
}

/** Return the durations of a game, and of a move at most.
 * @param {Facts} facts
 * @param {GameFacts | null | undefined} game */
function timeOf({ options, clock, calm }, game) {
  const lasts = game && lastingBy(game, options);
  return [lasts && `About ${lasts}`, clockOf(clock), calm && 'calm races']
    .filter(Boolean)
    .join(', ');
}

/** The table in three lines.
 * @param {{ facts: Facts, game?: GameFacts | null }} props */
const Terms = ({ facts, game }) => html`
  <dl class="join-terms">
    <div>
      <dt>At the table</dt>
      <dd><${Seats} facts=${facts} /></dd>
    </div>
    <div>
      <dt>Rules</dt>
      <dd>${game ? rulesOf(game, facts.options) : ''}</dd>
    </div>
    <div>
      <dt>Time</dt>
      <dd>${timeOf(facts, game)}</dd>
    </div>
    ${
      facts.rated &&
      html`
        <div>
          <dt>Rated</dt>
          <dd>${RATED}</dd>
        </div>
      `
    }
  </dl>
`;

/** A sentence about the deal, by the state of the table. @type {Record<string, string>} */
const SEALED = {
  open: 'The deal is sealed before anybody sits down, and you can check it afterwards.',
  running:
    'A player has left, and a bot plays for them. You play on with their cards; the log keeps their name.',
};

/** To sit down, under a name.
 * @param {{ facts: Facts, game?: GameFacts | null, go: Go }} props */
function SitDown({ facts, game, go }) {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const sit = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    setBusy(true);
    keepName(event.currentTarget)
      .then(() => sitDown(facts))
      .catch((reason) => setProblem(reason.message))
      .finally(() => setBusy(false));
  };
  return html`
    <form class="join-form" onSubmit=${sit}>
      <${NameField} />
      <button class="btn lit wide" disabled=${busy}>Sit down</button>
      <${Problem} said=${problem} />
    </form>
    <div class="join-ways">
      ${
        game &&
        game.lessons.length > 0 &&
        html`
          <a class="btn" href=${`/learn/${facts.game}/first`}>Learn it first</a>
        `
      }
      <button class="btn" onClick=${() => go(`/t/${facts.id}?watch`, true)}>Just watch</button>
    </div>
    <p class="small quiet join-foot">No account needed. ${SEALED[facts.status]}</p>
  `;
}

/** No seat is free: look on, or open a table with the same rules.
 * @param {{ facts: Facts, game?: GameFacts | null, why: string, go: Go }} props */
function Full({ facts, game, why, go }) {
  const to = `/?game=${facts.game}&preset=${(game && presetOf(game, facts.options)?.name) ?? ''}`;
  const next = facts.rematch && `/t/${facts.rematch}`;
  return html`
    <p class="join-why" role="status">${why}${next && ' The players have begun a rematch.'}</p>
    <div class="join-ways">
      ${
        next &&
        html`
          <a class="btn lit" href=${next} onClick=${goTo(next, go)}>To the rematch</a>
        `
      }
      <button class="btn main" onClick=${() => go(`/t/${facts.id}?watch`, true)}>
        ${facts.status === 'over' ? 'See how it ended' : 'Watch'}
      </button>
      <a class="btn" href=${to} onClick=${goTo(to, go)}>Open a table like it</a>
    </div>
  `;
}

/** @param {{ facts: Facts, wrong?: string[], go: Go }} props */
export function Join({ facts, wrong = [], go }) {
  const game = useGame(facts.game);
  const why = whyNot(facts);
  return html`
    <div class="page">
      <header class="top">
        <${Logo} go=${go} />
        <h1>Fairdeal</h1>
      </header>
      <main class="join" data-unsettled=${game === null || undefined}>
        <${Alarm} wrong=${wrong} />
        <${Head} facts=${facts} game=${game} why=${why} />
        <${Terms} facts=${facts} game=${game} />
        ${
          why
            ? html`
                <${Full} ...${{ facts, game, why, go }} />
              `
            : html`
                <${SitDown} facts=${facts} game=${game} go=${go} />
              `
        }
      </main>
    </div>
  `;
}
