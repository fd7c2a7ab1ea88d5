// The end of a game, in the order of a good host: the card that decided it is looked at, one
// sentence is read, then the points are counted on a sheet that lets the table be seen.
import { html, useEffect, useLayoutEffect, useState } from '../vendor/htm-preact.js';
import { Icon, Minis } from '../kit/card.js';
import { Alarm, Proof as Steps, inOneLine, openIn, useProof } from '../fair/fair.js';
import { bindNext } from '../fair/storage.js';
import { useKeydown } from '../kit/keyboard.js';
import { Score } from './panel.js';
import { minus } from '../scene/seat.js';
import { factor } from '../kit/speed.js';
import { Face, INKS, analysisOf, canBeAnalysed } from '../kit/page.js';

/** @import { Decided as Deciding, Draw, Facts, Go, Open, Ref, Result, Table } from '../types.js' */

/** @typedef {ReturnType<typeof useProof>} Proof */

const ORDINALS = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th'];
/** How long the card is looked at and the sentence is read, in milliseconds. */
const LOOK = 1500;
const BEAT = 900;
/** Of that, at a table that shows everything at once. */
const SHORT = 0.4;
/** How far the light reaches beyond a card, in pixels. */
const MARGIN = 8;

/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

/** Look, word, sheet: one after the other, and at once to the last by a tap or a key.
 * @param {boolean} live has it just ended before the viewer's eyes?
 * @returns {[string, (stage: string | ((now: string) => string)) => void]} */
function useStages(live) {
  const [stage, setStage] = useState(live ? 'look' : 'sheet');
  useLayoutEffect(() => {
    if (stage === 'sheet' || stage === 'down') return undefined;
    const next = stage === 'look' ? 'word' : 'sheet';
    const pace = factor() || SHORT;
    const timer = setTimeout(() => setStage(next), (stage === 'look' ? LOOK : BEAT) * pace);
    /** @param {Event} event */
    const skip = (event) => {
      if (event instanceof KeyboardEvent && !['Enter', ' ', 'Escape'].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      setStage('sheet');
    };
    document.addEventListener('keydown', skip, true);
    document.addEventListener('pointerdown', skip, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', skip, true);
      document.removeEventListener('pointerdown', skip, true);
    };
  }, [stage]);
  return [stage, setStage];
}

/** The cards of a table with these ids.
 * @param {HTMLElement | null} table @param {Iterable<string>} cards @returns {Element[]} */
const found = (table, cards) =>
  [...cards].flatMap((id) => [...(table?.querySelectorAll(`[data-id="${CSS.escape(id)}"]`) ?? [])]);

/** Where the cards that decided it lie, within the table.
 * @param {HTMLElement | null} table @param {Iterable<string>} cards @returns {Box[]} */
function boxes(table, cards) {
  if (!table) return [];
  const { left, top } = table.getBoundingClientRect();
  return found(table, cards)
    .map((card) => card.getBoundingClientRect())
    .filter((box) => box.width)
    .map((box) => ({
      left: box.left - left - MARGIN,
      top: box.top - top - MARGIN,
      width: box.width + 2 * MARGIN,
      height: box.height + 2 * MARGIN,
    }));
}

/** The light: all but these places is dimmed. A card that was only looked at for a while is gone by
 * the next stage, and its light with it.
 * @param {{ root: Ref, cards: string[], stage: string }} props */
function Spotlight({ root, cards, stage }) {
  const [lit, setLit] = useState(/** @type {Box[]} */ ([]));
  useLayoutEffect(() => {
    let gone = false;
    const look = () => !gone && setLit(boxes(root.current, cards));
    const travels = found(root.current, cards).flatMap((card) => card.getAnimations());
    Promise.allSettled(travels.map((one) => one.finished)).then(look);
    addEventListener('resize', look);
    return () => {
      gone = true;
      removeEventListener('resize', look);
    };
  }, [cards, stage]);
  return html`
    <svg class="spotlight" aria-hidden="true">
      <mask id="lit">
        <rect width="100%" height="100%" fill="white" />
        ${lit.map(
          (box) => html`
            <rect x=${box.left} y=${box.top} width=${box.width} height=${box.height} rx="12" />
          `,
        )}
      </mask>
      <rect class="dark" width="100%" height="100%" mask="url(#lit)" />
      ${lit.map(
        (box) => html`
          <rect
            class="edge"
            x=${box.left}
            y=${box.top}
            width=${box.width}
            height=${box.height}
            rx="12"
          />
        `,
      )}
    </svg>
  `;
}

/** One player alone, against par: how far it went, and the line it had to reach.
 * @param {{ score: number, par: number }} props */
function Alone({ score, par }) {
  const most = Math.max(score, par, 1);
  return html`
    <div class="podium alone" role="img" aria-label=${`${score} of par ${par}`}>
      <div class="col" style=${{ '--h': Math.max(0, score) / most, '--par': par / most }}>
        <span class="run"><span class="bar"></span></span>
        <span class="named">
          <b>${minus(score)}</b>
          ${` of par ${par}`}
        </span>
      </div>
    </div>
  `;
}

/** The places of the seats, of which a game that nobody has won has none.
 * @param {{ table: Table, result: Result }} props */
function Podium({ table, result }) {
  const { scene, facts } = table;
  const order = facts.chairs
    .map((_, seat) => seat)
    .sort((a, b) => result.places[a] - result.places[b] || result.scores[b] - result.scores[a]);
  const best = Math.max(...result.scores, 1);
  const worst = Math.min(...result.scores, 0);
  const height = (/** @type {number} */ seat) =>
    (result.scores[seat] - worst) / (best - worst || 1);
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
              result.shown
                ? html`
                    <small>${result.shown[seat]}</small>
                  `
                : html`
                    <b>${minus(result.scores[seat])}</b>
                  `
            }
            <${Face} chair=${facts.chairs[seat]} />
            <span class="bar">
              ${
                order.length > 1 &&
                html`
                  <i>${ORDINALS[result.places[seat] - 1]}</i>
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
 * @param {{ decided: Deciding, table: Table, go: Go }} props */
const Decided = ({ decided, table, go }) => html`
  <section class="decided" aria-label="What decided it">
    ${
      decided.cards &&
      html`
        <${Minis} faces=${decided.cards} name="decided" table=${table} />
      `
    }
    <p>${decided.text}</p>
    <button
      class="link"
      aria-label="See that move in the replay"
      onClick=${() => go(`/t/${table.facts.id}?move=${decided.move}`)}
    >
      See it
    </button>
  </section>
`;

/** Where one goes from here. @param {{ table: Table, go: Go }} props */
function Ways({ table, go }) {
  const { facts } = table;
  const you = facts.chairs[facts.seat];
  const again = () => {
    if (facts.rematch) go(`/t/${facts.rematch}`);
    else table.ask({ type: 'rematch', hash: bindNext(facts) });
  };
  const here = facts.chairs.filter(
    (chair) => chair.plays === 'person' && chair.taken && chair.here && !chair.you,
  );
  const waiting = here.filter((chair) => !chair.ready);
  return html`
    <div class="acts">
      ${
        facts.seat >= 0 &&
        !facts.origin &&
        html`
          <button class="btn lit" disabled=${you?.ready && !facts.rematch} onClick=${again}>
            Rematch
            ${here
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
        `
      }
      <button class="btn" onClick=${() => go(`/t/${facts.id}?move=0`)}>
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
    </div>
    ${
      you?.ready &&
      !facts.rematch &&
      waiting.length > 0 &&
      html`
        <p class="small quiet" role="status">
          Waiting for ${waiting.map((chair) => chair.name).join(' and ')}.
        </p>
      `
    }
  `;
}

/** One line that says whether the deal was kept, and behind it how that is known.
 * @param {{ facts: Facts, proof: Proof }} props */
function WasItFair({ facts, proof }) {
  const [open, setOpen] = useState(false);
  const { done, wrong, findings } = proof;
  const unproven = Boolean(openIn(facts, findings));
  const fits = done && !wrong.length && !unproven;
  return html`
    <section class="was-it-fair" aria-label="The deal" data-ok=${fits || undefined}>
      <p>
        <${Icon} name=${wrong.length ? 'x' : unproven ? 'eye' : fits ? 'check' : 'fair'} />
        <b>Was it fair?</b>
        <span>${inOneLine(facts, proof)}</span>
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

/** @param {{ table: Table, result: Result, down: boolean, toggle: () => void, set: Draw, go: Go }}
 *   props */
function Verdict({ table, result, down, toggle, set, go }) {
  const { scene, facts } = table;
  const proof = useProof(facts);
  useEffect(() => {
    if (proof.done) set({ unkept: proof.wrong });
  }, [proof.done]);
  const won = result.won !== false && result.places[scene.viewer] === 1;
  return html`
    <section class="verdict" aria-label="Result" data-down=${down || undefined}>
      <button
        class="grip"
        aria-label=${down ? 'Pull the result up' : 'Push the result down and look at the table'}
        aria-expanded=${down ? 'false' : 'true'}
        title="T"
        onClick=${toggle}
      ></button>
      <h2 class=${`sign${won ? ' won' : ''}`} tabindex="-1">${result.text}</h2>
      <div class="scrolls">
        <${Alarm} wrong=${proof.wrong} />
        <div class="count-up">
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
          ${
            (scene.score?.rows ?? []).length > 0 &&
            html`
              <${Score} score=${scene.score} />
            `
          }
        </div>
        ${
          result.why &&
          html`
            <p class="small why">${result.why}</p>
          `
        }
        ${
          result.decided &&
          html`
            <${Decided} decided=${result.decided} table=${table} go=${go} />
          `
        }
        <${Ways} table=${table} go=${go} />
        <${WasItFair} facts=${facts} proof=${proof} />
      </div>
    </section>
  `;
}

/** @param {{ table: Table, told: Open, set: Draw, root: Ref, go: Go }} props */
export function Ending({ table, told, set, root, go }) {
  const { scene } = table;
  const result = scene.result ?? { text: 'The game is over', places: [], scores: [] };
  const [live] = useState(told.ended);
  const [stage, setStage] = useStages(live);
  const [cards] = useState(() => [...told.fresh]);
  const shown = stage === 'sheet' || stage === 'down';
  const toggle = () => setStage((now) => (now === 'down' ? 'sheet' : 'down'));
  useLayoutEffect(() => {
    if (stage === 'sheet') {
      /** @type {HTMLElement | null | undefined} */ (
        root.current?.querySelector('.verdict h2')
      )?.focus({ preventScroll: true });
    }
  }, [stage]);
  useKeydown((event) => {
    if (!shown || event.key !== 't' || event.target.closest('input, textarea, select')) return;
    toggle();
  });
  return html`
    <div class="ending" data-stage=${stage}>
      ${
        stage !== 'down' &&
        html`
          <${Spotlight} root=${root} cards=${cards} stage=${stage} />
        `
      }
      ${
        stage === 'word' &&
        html`
          <p class="ribbon sign" role="alert">${result.text}</p>
        `
      }
      ${
        shown &&
        html`
          <${Verdict} ...${{ table, result, set, go, toggle }} down=${stage === 'down'} />
        `
      }
    </div>
  `;
}
