// A finished game, move by move: step, scrub, link to a moment, play on from it.
import {
  html,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from '../vendor/htm-preact.js';
import { isAway } from '../faults/again.js';
import { partOf } from '../kit/decoded.js';
import { get, logOf, once, post, reported } from '../kit/api.js';
import { IconButton } from '../kit/card.js';
import { Field, Rivals, Tray, cloth, frame } from '../scene/field.js';
import { places, travel } from '../kit/flip.js';
import { HandsButton, momentAt, useHands } from './hands.js';
import { Inspector } from '../scene/inspector.js';
import { isChord, useKeydown } from '../kit/keyboard.js';
import { Dealing, lookOf } from '../kit/lazy.js';
import { Lingering, taken } from '../scene/lingering.js';
import { still } from '../scene/moment.js';
import { Panel } from '../table/panel.js';
import { Prompt } from '../dock/prompt.js';
import { SpeedButton, factor, lasts, useSpeed } from '../kit/speed.js';
import { Logo, Nothing, analysisOf, canBeAnalysed, goTo } from '../kit/page.js';

/** @import { Facts, Go, Look, Moment as Found, OnInput, OnSelect, Ref, Report,
 *   Scene, Shows, Stateful, Table, Told, Travel } from '../types.js' */

/** A game and its look. @param {string} id @param {(problem: string) => void} setProblem */
function useGame(id, setProblem) {
  const [found, setFound] = useState({
    facts: /** @type {Facts | null} */ (null),
    look: /** @type {Look | null} */ (null),
  });
  useEffect(() => {
    get(`/api/tables/${id}`)
      .then(async (facts) => {
        document.title = `Replay of ${facts.title} · fairdeal`;
        setFound({ facts, look: await lookOf(`/api/tables/${id}`, facts.game) });
      })
      .catch((reason) => setProblem(reason.message));
  }, [id]);
  return found;
}

/** Where the cards were, and what travels. @typedef {{ places: ReturnType<typeof places>,
 *   event: Travel }} Was */

/** A moment of the game as a player saw it, and the cards of a set, which are looked at where they
 * were taken before they travel on; the next moment is asked for beside it.
 * @param {Facts | null} facts @param {number} move @param {number} viewer @param {boolean} hands
 * @param {Ref} root @param {(problem: string) => void} setProblem */
function useMoment(facts, move, viewer, hands, root, setProblem) {
  /** @type {Stateful<Found | null>} */ const [moment, setMoment] = useState(null);
  const [linger, setLinger] = useState(/** @type {Shows} */ (new Map()));
  /** @type {Ref<Was>} */ const was = useRef(null);
  const shown = useRef(-1);
  /** @type {Lingering} */
  const lingering = useMemo(() => {
    const over = (/** @type {Travel} */ event) => {
      was.current = { places: places(root.current), event };
      setLinger(lingering.shown);
    };
    return new Lingering(() => root.current, over, taken);
  }, []);
  useEffect(() => () => lingering.close(), []);
  useEffect(() => {
    if (!facts) return;
    const at = (/** @type {number} */ number) => once(momentAt(facts.id, number, viewer, hands));
    at(move).then(
      (found) => {
        was.current = { places: places(root.current), event: found.scene.events[0] ?? {} };
        if (move !== shown.current + 1) lingering.close();
        shown.current = move;
        lingering.arrive(found.scene, found.scene);
        setLinger(lingering.shown);
        setMoment(found);
        if (move < found.moves) at(move + 1).catch(() => 0);
      },
      (reason) => setProblem(reason.message),
    );
  }, [facts, move, viewer, hands]);
  useLayoutEffect(() => {
    if (was.current && moment) {
      travel(root.current, was.current.places, was.current.event, factor());
    }
    was.current = null;
  }, [moment, linger]);
  return { moment, linger };
}

/** All events as a player was told them, and where rounds ended.
 * @param {Facts | null} facts @param {number} viewer */
function useLog(facts, viewer) {
  const [found, setFound] = useState({
    log: /** @type {Told[]} */ ([]),
    marks: /** @type {number[]} */ ([]),
  });
  useEffect(() => {
    if (!facts) return;
    once(`/api/tables/${facts.id}/moments/0?seat=${viewer}&log=1`).then(setFound, () => 0);
  }, [facts, viewer]);
  return found;
}

/** Move after move, until the last.
 * @param {number} move @param {number} last @param {(move: number) => void} to
 * @returns {[boolean, () => void]} does it play, and what toggles it */
function usePlaying(move, last, to) {
  const [playing, setPlaying] = useState(false);
  const speed = useSpeed();
  useEffect(() => {
    if (playing && move >= last) setPlaying(false);
    if (!playing || move >= last) return undefined;
    const timer = setTimeout(() => to(move + 1), lasts('film', 'moment'));
    return () => clearTimeout(timer);
  }, [playing, move, last, speed]);
  return [playing, () => (move >= last && !playing ? to(0) : 0, setPlaying(!playing))];
}

/** Keys, wherever the focus is; what was clicked gives it up, so that Space plays on.
 * @param {number} move @param {number} last @param {number[]} marks
 * @param {(move: number) => void} to @param {() => void} toggle */
function useKeys(move, last, marks, to, toggle) {
  /** @type {Record<string, () => void>} */
  const goes = {
    ArrowRight: () => to(move + 1),
    ArrowLeft: () => to(move - 1),
    PageUp: () => to(marks.findLast((mark) => mark < move) ?? 0),
    PageDown: () => to(marks.find((mark) => mark > move) ?? last),
    Home: () => to(0),
    End: () => to(last),
    ' ': toggle,
  };
  useKeydown((event) => {
    const slides = event.target.matches('.scrub input');
    if (event.target.closest('input, select, textarea, .side') && !slides) return;
    if (isChord(event) || !goes[event.key]) return;
    if (event.key === ' ' && event.target.closest('button, a')) return;
    event.preventDefault();
    goes[event.key]();
  });
  useEffect(() => {
    /** @param {MouseEvent} event */
    const click = (event) => {
      const held = /** @type {HTMLElement | null} */ (document.activeElement);
      if (event.detail && held?.closest('.table, .top') && !held.matches('select')) held.blur();
    };
    const chosen = () => {
      /** @type {HTMLElement | null} */
      const select = document.querySelector('.seen-by select:focus');
      select?.blur();
    };
    document.addEventListener('click', click);
    document.addEventListener('change', chosen);
    return () => {
      document.removeEventListener('click', click);
      document.removeEventListener('change', chosen);
    };
  }, []);
}

/** The properties of a table that only shows scenes.
 * @param {Scene} scene @param {Look} look @param {Shows} looked */
const unplayed = (scene, look, looked) => {
  const { linger, fresh, ...rest } = still(scene);
  return {
    ...rest,
    linger: new Map([...linger, ...looked]),
    fresh: new Set([...fresh, ...looked.keys()]),
    faces: look.faces,
    skin: look.skin,
    chat: [],
    owed: [],
    muted: [],
    unread: 0,
    say() {},
    mute() {},
    ask() {},
  };
};

/** @param {{ id: string, move: number, go: Go }} props */
export function Replay({ id, move, go }) {
  const [problem, setProblem] = useState('');
  const branching = useRef(false);
  /** @type {Stateful<number | null>} */ const [seat, setSeat] = useState(null);
  const root = useRef(null);
  const { facts, look } = useGame(id, setProblem);
  const viewer = seat ?? facts?.seat ?? -1;
  const [hands, toggleHands] = useHands(facts?.status === 'over');
  /** Some old games do not let all hands be shown. */
  const refused = (/** @type {string} */ reason) => (hands ? toggleHands() : setProblem(reason));
  const { moment, linger } = useMoment(facts, move, viewer, hands, root, refused);
  const { log, marks } = useLog(facts, viewer);
  const last = moment?.moves ?? 0;
  const to = (/** @type {number} */ wanted) => {
    const next = Math.max(0, Math.min(last, wanted));
    if (next !== move) go(`${location.pathname}?move=${next}`, true);
  };
  const [playing, toggle] = usePlaying(move, last, to);
  useKeys(move, last, marks, to, toggle);
  if (problem) {
    return html`
      <${Nothing} head="No replay" said=${problem} to=${`/t/${id}`} label="To the table" />
    `;
  }
  if (!facts || !moment || !look) {
    return html`
      <${Dealing} />
    `;
  }
  const { events, prompt: asked } = moment.scene;
  const prompt = partOf('Prompt', {
    text: events.map((event) => event.text).join(' ') || 'The deal',
    sub: `You are looking at move ${move} of ${last}.`,
    ...(facts.lesson && asked),
    mode: 'replay',
  });
  const scene = { ...moment.scene, prompt, choices: [] };
  const inspect = (/** @type {string} */ card) =>
    once(
      /** @type {`/api/tables/${string}/moments/${string}/card?${string}`} */ (
        momentAt(id, move, viewer, hands).replace('?', `/card?card=${encodeURIComponent(card)}&`)
      ),
    ).catch(() => null);
  const table = {
    ...unplayed(scene, look, linger),
    ...{ facts, log, inspect, move, onMoment: to },
    report: (/** @type {Report} */ what) => reported(id, what),
  };
  const branch = () => {
    if (branching.current) return;
    branching.current = true;
    post(`/api/tables/${id}/branch`, { move, seat: Math.max(0, viewer) }).then(
      (found) => go(`/t/${found.id}`),
      (reason) => setProblem(reason.message),
    );
  };
  return html`
    <${Moment} ...${{ table, viewer, setSeat, hands, toggleHands, root, go }}>
      <${Scrub}
        ...${{ id, move, last, marks, to, playing, toggle, branch, facts, viewer, setSeat }}
      />
    <//>
  `;
}

/** The viewer, and whether all hands are open.
 * @typedef {{ facts: Facts, viewer: number, setSeat: (seat: number) => void }} Seen
 * @typedef {{ setSeat: Seen['setSeat'], hands: boolean, toggleHands: () => void, go: Go }} Ways */

/** The table at a moment.
 * @param {{ table: Table, viewer: number, root: Ref, children: unknown } & Ways} props */
function Moment({ table: shared, viewer, root, children, ...ways }) {
  const [own, setOwn] = useState({ tab: 'log', drawer: false, clause: '', open: -1 });
  const set = (/** @type {Partial<typeof own>} */ more) => setOwn({ ...own, ...more });
  const openRules = (/** @type {string} */ clause) => set({ tab: 'rules', drawer: true, clause });
  const table = { ...shared, ...own, set, openRules };
  const { scene, facts, skin } = table;
  const toggle = () => set({ drawer: !own.drawer });
  return html`
    <div
      class="app"
      data-skin=${skin.name}
      data-drawer=${own.drawer || undefined}
      ...${frame(scene)}
      style=${cloth(skin)}
    >
      <${Header} ...${{ facts, viewer, toggle, ...ways }} />
      <main class="table" ref=${root} aria-label="Replay">
        <h2 class="sr">The table</h2>
        <${Rivals} viewer=${viewer} table=${table} />
        <${Field} table=${table} />
        <div class="dock">
          ${children}
          <${Prompt} table=${table} />
          <${Tray} table=${table} />
        </div>
        <${Inspector} root=${root} table=${table} />
      </main>
      <${Panel} table=${table} />
    </div>
  `;
}

/** Through whose eyes. @param {Seen & { where: string }} props */
const SeenBy = ({ facts, viewer, setSeat, where }) =>
  !isAway() &&
  html`
    <label class=${`pill seen-by ${where}`}>
      seen by${' '}
      <select
        value=${viewer}
        onChange=${(/** @type {OnSelect} */ event) => setSeat(Number(event.currentTarget.value))}
      >
        <option value="-1">the public</option>
        ${facts.chairs.map(
          (chair) => html`
            <option value=${chair.seat}>${chair.name}</option>
          `,
        )}
      </select>
    </label>
  `;

/** @param {Seen & Ways & { toggle: () => void }} props */
const Header = ({ facts, viewer, setSeat, hands, toggleHands, toggle, go }) => html`
  <header class="top">
    <${Logo} go=${go} />
    <h1>${facts.title}</h1>
    <span class="sub">replay</span>
    <span class="gap-x"></span>
    <${SeenBy} ...${{ facts, viewer, setSeat }} where="hide-s" />
    ${
      facts.chairs.length > 1 &&
      !isAway() &&
      html`
        <${HandsButton} open=${hands} toggle=${toggleHands} />
      `
    }
    ${
      canBeAnalysed(facts) &&
      html`
        <a class="btn bare" href=${analysisOf(facts)} onClick=${goTo(analysisOf(facts), go)}>
          Analysis
        </a>
      `
    }
    <${IconButton} name="menu" label="Log and more" onClick=${toggle} />
  </header>
`;

/** @param {Seen & { id: string, move: number, last: number, marks: number[], playing: boolean,
 *   to: (move: number) => void, toggle: () => void, branch: () => void }} props */
const Scrub = ({ id, move, last, marks, to, playing, toggle, branch, ...seen }) => html`
  <div class="scrub">
    <${SeenBy} ...${seen} where="only-phone" />
    <${IconButton} name="prev" label="Back one move" onClick=${() => to(move - 1)} />
    <${IconButton}
      name=${playing ? 'x' : 'play'}
      label=${playing ? 'Stop' : 'Play'}
      title=${playing ? 'Stop (Space)' : 'Play (Space)'}
      onClick=${toggle}
    />
    <${IconButton} name="next" label="Forward one move" onClick=${() => to(move + 1)} />
    <span class="along">
      <input
        type="range"
        min="0"
        max=${last}
        value=${move}
        aria-label="Move"
        onInput=${(/** @type {OnInput} */ event) => to(Number(event.currentTarget.value))}
      />
      ${marks.map(
        (mark) => html`
          <i key=${mark} style=${{ '--at': mark / last }}></i>
        `,
      )}
    </span>
    <${SpeedButton} />
    ${
      move < last &&
      !isAway() &&
      html`
        <button class="btn" aria-label="Play on from here" onClick=${branch}>
          <span>
            Play on
            <span class="hide-s">${' '}from here</span>
          </span>
        </button>
      `
    }
    ${
      !isAway() &&
      html`
        <a class="btn" href=${logOf(id)} download>Log</a>
      `
    }
  </div>
`;
