// A finished game looked at from what each player could know: the chances of all seats, the
// decisions and what they cost, and what came of cards and what of play.
import { html, useEffect, useMemo, useState } from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { get, here, once } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { isChord, useKeydown } from '../kit/keyboard.js';
import { Dealing, lookOf, sheet } from '../kit/lazy.js';
import { Decisions, Progress, dearestFirst } from './costs.js';
import { Curve, Numbers, Turning } from './curve.js';
import { Closely } from './decision.js';
import { LuckAndPlay } from './luck.js';
import { HandsButton, useHands } from '../replay/hands.js';
import { Cover } from '../lobby/shelf.js';
import { Logo, Nothing, goTo } from '../kit/page.js';

/** @import { AnalysisTold, AnalysisView, Facts, Go, Look, OnSelect, Result, Stateful,
 *   Told } from '../types.js' */

/** A finished game as its viewer was told it: the log in words and how it ended.
 * @typedef {{ facts: Facts, look: Look, log: Told[], result?: Result | null }} Game */

/** Milliseconds until the room is asked again how far it is. */
const AGAIN = 700;

/** After how many tries to load what computes an analysis here the room is asked to do it. */
const FEW = 3;

/** The game, once it is there.
 * @param {string} id @param {(problem: string) => void} setProblem */
function useGame(id, setProblem) {
  /** @type {Stateful<Game | null>} */ const [found, setFound] = useState(null);
  useEffect(() => {
    const load = async () => {
      /** @type {`/api/tables/${string}`} */
      const at = `/api/tables/${id}`;
      const facts = await get(at);
      const begun = await once(`${at}/moments/0?seat=${facts.seat}&log=1`);
      const [look, last] = await Promise.all([
        lookOf(at, facts.game),
        once(`${at}/moments/${begun.moves}?seat=${facts.seat}`),
        sheet(here('analysis/analysis.css')),
      ]);
      document.title = `Analysis of ${facts.title} · fairdeal`;
      setFound({ facts, look, log: begun.log, result: last.scene.result });
    };
    load().catch((reason) => setProblem(reason.message));
  }, [id]);
  return found;
}

/** The state of an analysis before it has begun. @type {AnalysisTold} */
const NOTHING = { move: 0, moves: 0, analysis: null, begun: null, decisions: [] };

/** The analysis, asked for until it is there, and what is found meanwhile: the course of the game
 * first, then one decision after another.
 * @param {string} id @param {(problem: string) => void} setProblem */
function useAnalysis(id, setProblem) {
  const [told, setTold] = useState(NOTHING);
  useEffect(() => {
    let timer = 0;
    let left = false;
    let known = NOTHING;
    let computes = true;
    const tell = (/** @type {AnalysisTold} */ found) => {
      if (left) throw new Error('the page is closed');
      setTold(found);
    };
    const ask = async () => {
      if (left) return;
      try {
        const wanted = `decisions=${known.decisions.length}&computes=${computes}`;
        const found = await get(`/api/tables/${id}/analysis?${wanted}`);
        if (left) return;
        if (computes && !found.analysis && !found.moves) {
          computes = false;
          await loaded(() => import('../fair/analysed.js'), FEW)
            .then(({ analysed }) => analysed(id, tell))
            .catch(ask);
          return;
        }
        known = {
          ...found,
          begun: found.begun ?? known.begun,
          decisions: [...known.decisions, ...found.decisions],
        };
        setTold(known);
        if (!found.analysis) timer = setTimeout(ask, AGAIN);
      } catch (reason) {
        if (!left) setProblem(/** @type {Error} */ (reason).message);
      }
    };
    ask();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [id]);
  return told;
}

/** After how many moves the game is looked at: where the reader has gone, and before that, when all
 * is found, those that the dearest decision of a seat led to; the address has it, so that it is
 * found again. @param {AnalysisView} analysis @param {number} seat @param {boolean} whole
 * @returns {[number, (at: number) => void]} */
function usePlace(analysis, seat, whole) {
  const last = analysis.chances.length - 1;
  const [gone, setGone] = useState(() =>
    location.hash ? Math.max(0, Math.min(last, Number(location.hash.slice(1)) || 0)) : null,
  );
  const first = useMemo(() => {
    const own = analysis.decisions.filter((decision) => decision.seat === seat);
    return whole && own.length ? dearestFirst(own)[0].move + 1 : 0;
  }, [whole]);
  const at = gone ?? first;
  const go = (/** @type {number} */ wanted) => {
    const next = Math.max(0, Math.min(last, wanted));
    history.replaceState(null, '', `#${next}`);
    setGone(next);
  };
  return [at, go];
}

/** The arrows walk through the moves wherever the focus is, and Escape closes the sheet.
 * @param {number} at @param {(at: number) => void} go @param {() => void} close */
function useKeys(at, go, close) {
  useKeydown((event) => {
    if (event.key === 'Escape') close();
    if (isChord(event) || event.target.closest('input, select, textarea, [role=region]')) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1 }[/** @type {'ArrowLeft'} */ (event.key)];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
}

/** Before the course of the game is there. @param {{ told: AnalysisTold }} props */
const Waiting = ({ told }) => html`
  <section class="progress">
    <${Progress} told=${told} />
    <p class="quiet small">
      Each possible move is played out many times, using only what its player knew.
    </p>
  </section>
`;

/** @param {{ facts: Facts, go: Go }} props */
const Header = ({ facts, go }) => html`
  <header class="top">
    <${Logo} go=${go} />
    <h1>Analysis</h1>
    <span class="sub">${facts?.title ?? ''}</span>
    <span class="gap-x"></span>
    ${
      facts &&
      html`
        <a class="btn bare" href=${`/t/${facts.id}`} onClick=${goTo(`/t/${facts.id}`, go)}>
          Result
        </a>
        <a
          class="btn bare"
          href=${`/t/${facts.id}?move=0`}
          onClick=${goTo(`/t/${facts.id}?move=0`, go)}
        >
          <${Icon} name="play" />
          Replay
        </a>
      `
    }
  </header>
`;

/** The game, and the seat from whose side it is shown.
 * @param {{ game: Game, analysis?: AnalysisView, seat: number, setSeat: (seat: number) => void,
 *   hands: boolean, toggleHands: () => void }} props */
const Head = ({ game, analysis, seat, setSeat, hands, toggleHands }) => html`
  <section class="result" aria-label="The game">
    <${Cover} game=${game.facts.game} small=${true} />
    <div>
      <h2>${game.result?.text ?? game.facts.title}</h2>
      ${
        analysis &&
        html`
          <p>${analysis.ahead[seat]}</p>
        `
      }
    </div>
    ${
      analysis &&
      analysis.names.length > 1 &&
      html`
        <${HandsButton} open=${hands} toggle=${toggleHands} />
      `
    }
    <label class="pill">
      Decisions of${' '}
      <select
        value=${seat}
        onChange=${(/** @type {OnSelect} */ event) => setSeat(Number(event.currentTarget.value))}
      >
        ${game.facts.chairs.map(
          (chair) => html`
            <option key=${chair.seat} value=${chair.seat}>${chair.you ? 'You' : chair.name}</option>
          `,
        )}
      </select>
    </label>
  </section>
`;

/** The page when there is something to look at.
 * @param {{ told: AnalysisTold, game: Game, seat: number, setSeat: (seat: number) => void,
 *   go: Go }} props */
function Looked({ told, game, seat, setSeat, go }) {
  const { facts, look, log } = game;
  const analysis =
    told.analysis ?? /** @type {AnalysisView} */ ({ ...told.begun, decisions: told.decisions });
  const [at, setAt] = usePlace(analysis, seat, Boolean(told.analysis));
  const [hands, toggleHands] = useHands();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const choose = (/** @type {number} */ wanted) => {
    setAt(wanted);
    setOpen(true);
  };
  useKeys(at, setAt, close);
  const shared = { analysis, facts, log, seat, at };
  return html`
    <${Head} ...${{ game, analysis, seat, setSeat, hands, toggleHands }} />
    <div class="whole">
      <figure
        class="curve"
        aria-label=${analysis.names.length === 1 ? 'The score' : 'Chances of winning'}
      >
        <${Curve} ...${shared} go=${setAt} />
        <${Turning} ...${shared} choose=${choose} />
        <${Numbers} ...${shared} />
      </figure>
      <div class="below">
        <${Decisions} ...${shared} told=${told} choose=${choose} />
        <${LuckAndPlay} ...${shared} />
      </div>
    </div>
    <${Closely} ...${{ ...shared, look, hands, open, close, go }} />
  `;
}

/** @param {{ id: string, go: Go }} props */
export function AnalysisPage({ id, go }) {
  const [problem, setProblem] = useState('');
  /** @type {Stateful<number | null>} */ const [wanted, setSeat] = useState(null);
  const game = useGame(id, setProblem);
  const told = useAnalysis(id, setProblem);
  const seat = useMemo(() => {
    const people = game?.facts.chairs.find((chair) => chair.plays === 'person');
    return wanted ?? (game && game.facts.seat >= 0 ? game.facts.seat : (people?.seat ?? 0));
  }, [game, wanted]);
  if (problem) {
    return html`
      <${Nothing} head="No analysis" said=${problem} to=${`/t/${id}`} label="To the table" />
    `;
  }
  if (!game) {
    return html`
      <${Dealing} />
    `;
  }
  return html`
    <div class="page analysis" data-skin=${game.look.skin.name}>
      <${Header} facts=${game.facts} go=${go} />
      <main>
        ${
          told.analysis || told.begun
            ? html`
                <${Looked} ...${{ told, game, seat, setSeat, go }} />
              `
            : html`
                <${Head} game=${game} seat=${seat} setSeat=${setSeat} />
                <${Waiting} told=${told} />
              `
        }
      </main>
    </div>
  `;
}
