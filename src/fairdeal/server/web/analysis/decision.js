// One move of a finished game: what its player held, the best that could be done, what it cost, and
// what the others could have held.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { percent, toldOf, withSign } from '../kit/words.js';
import { once } from '../kit/api.js';
import { Card, Icon } from '../kit/card.js';
import { momentAt } from '../replay/hands.js';
import { Thumbnail } from '../replay/thumbnail.js';
import { goTo, useMatch } from '../kit/page.js';

/** @import { Analysed, AnalysisView, AnswerTo, DecisionView, Go, Held as Could, Look,
 *   Scene } from '../types.js' */

/** Cards that are drawn of what a rival could have held. */
const MOST_HELD = 10;

/** Milliseconds for which a move is looked at before more is asked for. */
const REST = 150;

/** The data at an address, or null before they arrive or if the room has none. It is asked for when
 * nobody has walked on for a while.
 * @template {string} Path @param {Path} path @returns {AnswerTo<`GET ${Path}`> | null} */
function useFound(path) {
  const [found, setFound] = useState(
    /** @type {{ path: string, answer: AnswerTo<`GET ${Path}`> | null }} */ ({
      path: '',
      answer: null,
    }),
  );
  useEffect(() => {
    let left = false;
    const ask = () =>
      once(path).then(
        (answer) => left || setFound({ path, answer }),
        () => left || setFound({ path, answer: null }),
      );
    const timer = setTimeout(ask, REST);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [path]);
  return found.path === path ? found.answer : null;
}

/** The cards that a seat held.
 * @param {{ analysis: AnalysisView, look: Look, scene: Scene, seat: number }} props */
function Hand({ analysis, look, scene, seat }) {
  const cards = scene.zones
    .filter((zone) => zone.place === 'hand')
    .flatMap((zone) => zone.cards)
    .filter((card) => card.face);
  if (!cards.length) return null;
  return html`
    <div class="knew" style=${{ '--cards': cards.length }}>
      <h3>${analysis.names[seat]} held</h3>
      <div class="held-cards" role="list">
        ${cards.map(
          (card) => html`
            <span key=${card.id} role="listitem">
              <${Card} card=${card} face=${look.faces[card.face ?? '']} skin=${look.skin} />
            </span>
          `,
        )}
      </div>
    </div>
  `;
}

/** The moves that were best, and the one that was made.
 * @param {Pick<Analysed, 'analysis' | 'facts'> & { decision: DecisionView }} props */
const Options = ({ analysis, decision, facts }) => html`
  <ol class="ways">
    ${decision.options.map(
      (option, number) => html`
        <li key=${option.notation} data-mine=${number === decision.played || undefined}>
          <span class="option-text">
            <b>${option.text}</b>
            ${
              number === decision.played &&
              html`
                <small>${decision.seat === facts.seat ? 'you played' : 'played'} this</small>
              `
            }
          </span>
          <span class="chance" aria-hidden="true">
            <i style=${{ width: `${100 * option.height}%` }}></i>
          </span>
          <em>
            ${withSign(analysis, option.shown)}
            <small>± ${option.margin}</small>
          </em>
        </li>
      `,
    )}
  </ol>
`;

/** The cards that one rival could have held: the likeliest ones, and all that it held.
 * @param {{ analysis: AnalysisView, held: Could, look: Look }} props */
function Rival({ analysis, held, look }) {
  const really = new Set(held.true);
  const shown = held.faces.filter(([face], place) => place < MOST_HELD || really.has(face));
  if (!shown.length) return null;
  return html`
    <section class="could">
      <h3>
        ${analysis.names[held.seat]} could have held${' '}
        <small>ringed: what they really held</small>
      </h3>
      <ul>
        ${shown.map(
          ([face, chance]) => html`
            <li key=${face} data-true=${really.has(face) || undefined}>
              <${Card}
                card=${{ id: `held.${held.seat}.${face}`, mark: '' }}
                face=${look.faces[face]}
                skin=${look.skin}
              />
              <em>${percent(chance)}</em>
              ${
                really.has(face) &&
                html`
                  <span class="sr">really held</span>
                `
              }
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** @param {Pick<Analysed, 'analysis' | 'facts'> & { look: Look, move: number }} props */
function Held({ analysis, facts, look, move }) {
  const found = useFound(`/api/tables/${facts.id}/analysis/held?move=${move}`);
  return (found ?? []).map(
    (held) => html`
      <${Rival} key=${held.seat} ...${{ analysis, held, look }} />
    `,
  );
}

/** The hand of a player, though it was hidden then.
 * @param {Pick<Analysed, 'analysis' | 'facts' | 'seat'> & { look: Look, move: number }} props */
function OpenHand({ analysis, facts, look, move, seat }) {
  const found = useFound(momentAt(facts.id, move, seat, true));
  return (
    found &&
    html`
      <${Hand} analysis=${analysis} look=${look} scene=${found.scene} seat=${seat} />
    `
  );
}

/** The hands of all seats.
 * @param {Pick<Analysed, 'analysis' | 'facts'> & { look: Look, move: number }} props */
const AllHands = ({ analysis, facts, look, move }) => html`
  <div class="all-hands">
    ${analysis.names.map(
      (_, seat) => html`
        <${OpenHand} key=${seat} ...${{ analysis, facts, look, move, seat }} />
      `,
    )}
  </div>
`;

/** A decision and its cost.
 * @param {Pick<Analysed, 'analysis' | 'facts'> & { decision: DecisionView, look: Look,
 *   scene?: Scene, hands: boolean }} props */
const Told = ({ analysis, decision, facts, look, scene, hands }) => html`
  ${
    scene &&
    !hands &&
    html`
      <${Hand} analysis=${analysis} look=${look} scene=${scene} seat=${decision.seat} />
    `
  }
  <${Options} analysis=${analysis} decision=${decision} facts=${facts} />
  ${
    decision.why &&
    html`
      <p class="why">
        <b>Why.</b>
        ${` ${decision.why}`}
      </p>
    `
  }
  ${
    !hands &&
    html`
      <${Held} ...${{ analysis, facts, look }} move=${decision.move} />
    `
  }
`;

/** Where the window is narrow, a move lies over the page as a sheet, without its picture. */
const narrow = matchMedia('(max-width: 62rem)');

/** A move closely. On a desk it stands beside the curve, on a phone it is a sheet that is opened.
 * @param {Analysed & { look: Look, hands: boolean, open: boolean, close: () => void, go: Go }}
 *   props hands: whether all lie face up; open: whether the sheet is */
export function Closely({ analysis, facts, look, log, hands, at, open, close, go }) {
  const part = useRef(null);
  const isSheet = useMatch(narrow);
  useEffect(() => {
    if (!open || !isSheet) return undefined;
    const from = /** @type {HTMLElement | null} */ (document.activeElement);
    part.current?.focus({ preventScroll: true });
    document.querySelector('.plot')?.scrollIntoView();
    return () => from?.focus();
  }, [open]);
  useEffect(() => part.current?.scrollTo(0, 0), [at]);
  const decision = analysis.decisions.find((one) => one.move === at - 1);
  const mover = decision?.seat ?? log.find((line) => line.number === at)?.seat ?? -1;
  const before = Math.max(0, at - 1);
  const seen = useFound(momentAt(facts.id, before, decision?.seat ?? facts.seat, hands));
  const scene = seen?.scene;
  const replay = `/t/${facts.id}?move=${before}`;
  const by = mover < 0 ? '' : ` · ${analysis.whose[mover]} ${decision ? 'decision' : 'move'}`;
  return html`
    <section
      class="closely"
      data-open=${open || undefined}
      aria-labelledby="closely-title"
      tabindex="-1"
      ref=${part}
    >
      <header>
        <div>
          <span class="tag">${at ? `Move ${at}${by}` : 'Before the first move'}</span>
          <h2 id="closely-title">
            ${decision?.options[decision.played].text ?? (toldOf(log, at) || 'The deal')}
          </h2>
        </div>
        ${
          decision &&
          html`
            <p class="cost" data-label=${decision.label}>
              <b>${decision.change}</b>
              <span>${decision.label}</span>
            </p>
          `
        }
        <button class="btn icon shut" aria-label="Close" onClick=${close}>
          <${Icon} name="x" />
        </button>
      </header>
      ${
        decision
          ? html`
              <${Told} ...${{ analysis, decision, facts, look, scene, hands }} />
            `
          : html`
              <p class="quiet small">
                ${at ? 'There was nothing to choose.' : 'Choose a move on the curve, or a decision.'}
              </p>
            `
      }
      ${
        hands &&
        html`
          <${AllHands} ...${{ analysis, facts, look }} move=${before} />
        `
      }
      ${
        scene &&
        !isSheet &&
        html`
          <${Thumbnail} ...${{ scene, look, facts, go }} to=${replay} />
        `
      }
      <a class="btn slim" href=${replay} onClick=${goTo(replay, go)}>
        <${Icon} name="play" />
        Replay from here
      </a>
    </section>
  `;
}
