// The result sheet: who won and why, what decided it, and where one goes from here.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { Icon, Minis } from '../kit/card.js';
import { later } from '../kit/lazy.js';
import { Proof as Steps, inOneLine, openIn, useProof } from '../fair/fair.js';
import { bindNext, openTable } from '../record/keeper.js';
import { nextAfter, tableAfter } from '../kit/opponents.js';
import { Score, Wins } from './panel.js';
import { hasWon } from '../scene/moment.js';
import { minus } from '../scene/seat.js';
import { standIn } from '../dock/status.js';
import { Alarm, Face, INKS, analysisOf, canBeAnalysed, goTo, isSealed } from '../kit/page.js';

/** @import { Decided as Deciding, Facts, Go, LevelFacts, Result,
 *   Table } from '../types.js' */

/** @typedef {ReturnType<typeof useProof>} Proof */

const Share = later(() => import('../invite/links.js'), 'Share');

/** One player alone, against par: how far it went, and the line it had to reach.
 * @param {{ score: number, par: number }} props */
function Alone({ score, par }) {
  const most = Math.max(score, par, 1);
  return html`
    <div class="podium alone" role="img" aria-label=${`${score} of par ${par}`}>
      <div class="col" style=${{ '--h': Math.max(0, score) / most, '--par': par / most }}>
        <span class="run"><span class="bar"></span></span>
        <span class="named">
          <b translate=${false}>${minus(score)}</b>
          ${` of par ${par}`}
        </span>
      </div>
    </div>
  `;
}

/** The podium, for games with a winner.
 * @param {{ table: Table, result: Result }} props */
function Podium({ table, result }) {
  const { scene, facts } = table;
  const order = facts.chairs
    .map((_, seat) => seat)
    .sort((a, b) => result.places[a] - result.places[b] || result.scores[b] - result.scores[a]);
  const fits = order.every(
    (seat, at) => !at || result.scores[order[at - 1]] >= result.scores[seat],
  );
  const steps = fits ? result.scores : result.places.map((place) => order.length - place);
  const best = Math.max(...steps, 1);
  const worst = Math.min(...steps, 0);
  const height = (/** @type {number} */ seat) => (steps[seat] - worst) / (best - worst || 1);
  const name = (/** @type {number} */ seat) =>
    seat === scene.viewer ? 'You' : facts.chairs[seat].name;
  return html`
    <div class="podium" role="list">
      ${order.map(
        (seat) => html`
          <div
            class="col"
            role="listitem"
            key=${seat}
            style=${{ '--h': height(seat), '--who': INKS[seat % 8] }}
          >
            ${
              result.shown.length
                ? html`
                    <small>${result.shown[seat]}</small>
                  `
                : html`
                    <b translate=${false}>${minus(result.scores[seat])}</b>
                  `
            }
            <${Face} chair=${facts.chairs[seat]} />
            <span class="bar">
              ${
                result.ordinals[seat] &&
                html`
                  <i>${result.ordinals[seat]}</i>
                `
              }
            </span>
            <span class="named" title=${name(seat)}>${name(seat)}</span>
          </div>
        `,
      )}
    </div>
  `;
}

/** The move that decided it, with its cards.
 * @param {{ table: Table, result: Result, go: Go }} props */
function Decided({ table, result, go }) {
  const decided = /** @type {Deciding} */ (result.decided);
  return html`
    <section class="decided" aria-label="What decided it">
      ${
        decided.cards.length > 0 &&
        html`
          <${Minis} faces=${decided.cards} name="decided" table=${table} />
        `
      }
      <p>
        <b>${result.comfort ? 'The turning point' : 'What decided it'}</b>
        ${decided.text}
      </p>
      <button
        class="link"
        aria-label="See it: that move in the replay"
        onClick=${() => go(`/t/${table.facts.id}?move=${decided.move}`)}
      >
        See it
      </button>
    </section>
  `;
}

/** Where a finished game is seen again from its deal. @param {Facts} facts */
const replayOf = (facts) => `/t/${facts.id}?move=0`;

/** The people at other seats who are here. @param {Facts} facts */
const othersHere = ({ chairs }) =>
  chairs.filter((chair) => chair.plays === 'person' && chair.taken && chair.here && !chair.you);

const list = new Intl.ListFormat('en');

/** Return a sentence for a viewer about a rematch that was asked for. @param {Facts} facts */
function rematchSaid(facts) {
  if (facts.rematch) return facts.seat < 0 ? 'The players have begun a rematch.' : '';
  const all = othersHere(facts);
  const named = (/** @type {boolean} */ ready) =>
    all.filter((chair) => chair.ready === ready).map((chair) => chair.name);
  const [want, wait] = [named(true), named(false)];
  if (facts.chairs[facts.seat]?.ready) {
    return wait.length ? `Waiting for ${list.format(wait)}.` : '';
  }
  if (!want.length) return '';
  return `${list.format(want)} ${want.length > 1 ? 'want' : 'wants'} a rematch.`;
}

/** To the rematch: players ask for it, or go there once it has begun, and spectators follow.
 * @param {{ table: Table, go: Go }} props */
function Rematch({ table, go }) {
  const { facts } = table;
  const { rematch, seat } = facts;
  if (rematch) {
    const to = `/t/${rematch}${seat < 0 ? '?watch' : ''}`;
    return html`
      <a class="btn lit" href=${to} onClick=${goTo(to, go)}>
        ${seat < 0 ? 'Watch the rematch' : 'To the rematch'}
      </a>
    `;
  }
  if (seat < 0 || facts.origin) return null;
  const ask = async () => table.ask({ type: 'rematch', hash: await bindNext(facts) });
  return html`
    <button class="btn lit" disabled=${facts.chairs[seat].ready} onClick=${ask}>
      Rematch
      ${othersHere(facts)
        .filter((chair) => chair.ready)
        .map(
          (chair) => html`
            <span
              class="face"
              title=${`${chair.name} is ready`}
              style=${{ '--who': INKS[chair.seat % 8] }}
            >
              ${chair.name[0]}
            </span>
          `,
        )}
    </button>
  `;
}

/** Where one goes from here. @param {{ table: Table, go: Go }} props */
function Ways({ table, go }) {
  const { facts } = table;
  const said = rematchSaid(facts);
  const { daily, evening } = facts;
  const back = daily ? `/today?deal=${daily.number}` : `/evening/${evening}`;
  return html`
    <div class="acts">
      ${
        daily || evening
          ? html`
              <a class="btn lit" href=${back} onClick=${goTo(back, go)}>
                ${daily ? 'Deal of the day' : 'To the evening'}
              </a>
            `
          : html`
              <${Rematch} table=${table} go=${go} />
            `
      }
      ${
        !isSealed(facts) &&
        html`
          <${Share} facts=${facts} path=${replayOf(facts)} />
        `
      }
      <button class="btn" onClick=${() => go(replayOf(facts))}>
        <${Icon} name="play" />
        Replay
      </button>
      ${
        canBeAnalysed(facts) &&
        html`
          <button class="btn" onClick=${() => go(analysisOf(facts))}>Analysis</button>
        `
      }
      <button class="btn bare leave" onClick=${() => go('/')}>Leave</button>
      <p class="small quiet" role="status">${said}</p>
    </div>
  `;
}

/** One line that says whether the deal was kept, and behind it how that is known.
 * @param {{ facts: Facts, proof: Proof }} props */
function WasItFair({ facts, proof }) {
  const [open, setOpen] = useState(false);
  /** @type {{ current: HTMLElement | null }} */ const section = useRef(null);
  useEffect(() => {
    const { current: steps } = section;
    const sheet = steps?.parentElement;
    if (open && steps && sheet) sheet.scrollTop = steps.offsetTop - sheet.offsetTop;
  }, [open]);
  const { done, wrong, findings } = proof;
  const unproven = done && openIn(findings).length > 0;
  const fits = done && !wrong.length && !unproven;
  return html`
    <section
      class="was-it-fair"
      aria-label="The deal"
      data-ok=${fits || undefined}
      data-bad=${wrong.length > 0 || (done && unproven) || undefined}
      ref=${section}
    >
      <p>
        <${Icon} name=${wrong.length ? 'x' : unproven ? 'eye' : fits ? 'check' : 'fair'} />
        <b>Was it fair?</b>
        <span>${inOneLine(proof)}</span>
        <button
          class="link"
          aria-expanded=${open ? 'true' : 'false'}
          onClick=${() => setOpen(!open)}
        >
          ${open ? 'Hide' : 'Show how'}
        </button>
      </p>
      ${
        open &&
        html`
          <${Steps} facts=${facts} proof=${proof} />
        `
      }
    </section>
  `;
}

/** The next steps after a game against bots, and a suggestion for a player who lost.
 * @param {{ table: Table, result: Result, go: Go }} props */
function Onward({ table, result, go }) {
  const { facts, game, scene } = table;
  const [busy, setBusy] = useState(false);
  const won = hasWon(result, scene.viewer);
  const ranked = result.won !== false && (won || result.places[scene.viewer] > 1);
  const onward =
    ranked && !scene.stood_in && !facts.daily && !facts.evening && game
      ? nextAfter(game, facts, won)
      : null;
  if (!onward) return null;
  const { said, next } = onward;
  const play = () => {
    setBusy(true);
    openTable(tableAfter(/** @type {LevelFacts} */ (next), facts)).then(
      ({ id }) => go(`/t/${id}`),
      () => setBusy(false),
    );
  };
  const looks = !won && canBeAnalysed(facts) ? ' Analysis shows what your moves cost.' : '';
  return html`
    <section class="onward" aria-label="What comes next">
      <p>${said}${looks}</p>
      ${
        next &&
        html`
          <button class="link" disabled=${busy} onClick=${play}>Play ${next.name}</button>
        `
      }
    </section>
  `;
}

/** @param {{ table: Table, result: Result, down: boolean, toggle: () => void, go: Go }} props */
export function Verdict({ table, result, down, toggle, go }) {
  const { scene, facts, set } = table;
  const proof = useProof(facts);
  useEffect(() => {
    if (proof.done) set({ unkept: proof.wrong });
  }, [proof.done]);
  const won = hasWon(result, scene.viewer);
  return html`
    <section class="verdict" aria-label="Result" data-down=${down || undefined}>
      <button
        class="grip"
        aria-label=${down ? 'Show the result' : 'Hide the result and look at the table'}
        aria-expanded=${down ? 'false' : 'true'}
        title="T"
        onClick=${toggle}
      ></button>
      <h2 class=${`sign${won ? ' won' : ''}`} tabindex="-1">${result.text}</h2>
      ${
        result.comfort &&
        html`
          <p class="small comfort">${result.comfort}</p>
        `
      }
      ${
        scene.stood_in > 0 &&
        html`
          <p class="small stood-in">${standIn(scene)}</p>
        `
      }
      <div class="scrolls">
        <${Alarm} wrong=${proof.wrong} />
        <div class="count-up" data-many=${result.scores.length > 4 || undefined}>
          ${
            result.scores.length === 1 && (result.par ?? null) !== null
              ? html`
                  <${Alone} score=${result.scores[0]} par=${result.par} />
                `
              : (result.won !== false || result.scores.length === 1) &&
                html`
                  <${Podium} table=${table} result=${result} />
                `
          }
        </div>
        <${Wins} facts=${facts} />
        ${
          result.why &&
          html`
            <p class="small why">${result.why}</p>
          `
        }
        ${
          result.decided &&
          html`
            <${Decided} ...${{ table, result, go }} />
          `
        }
        ${
          (scene.score?.rows ?? []).length > 0 &&
          html`
            <${Score} score=${scene.score} />
          `
        }
        <${WasItFair} facts=${facts} proof=${proof} />
      </div>
      <${Onward} ...${{ table, result, go }} />
      <${Ways} table=${table} go=${go} />
    </section>
  `;
}
