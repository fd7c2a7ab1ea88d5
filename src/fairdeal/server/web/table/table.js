// A table: the scene drawn, taps and keys turned into picks.
import {
  html,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { partOf } from '../kit/decoded.js';
import { logOf, reported } from '../kit/api.js';
import { heir, isIdle, promptIn } from '../kit/keyboard.js';
import { Board, Trouble } from './board.js';
import { LINES } from '../kit/socket.js';
import { hasDealt, recordOf } from '../record/keeper.js';
import { Dealing, later, lookOf } from '../kit/lazy.js';
import { useKeys } from './shortcuts.js';
import { arranging, inArrangement } from '../scene/hand.js';
import { lookedAt } from '../scene/lingering.js';
import { still, unanswered } from '../scene/moment.js';
import { beforeTheEnd } from '../fair/verdict.js';
import { travel } from '../kit/flip.js';
import * as notice from '../kit/notification.js';
import { Play } from './play.js';
import { factor } from '../kit/speed.js';
import { Nowhere, isYours } from '../kit/page.js';

/** @import { Choice, Chosen, Drawn, Facts, Go, Place, Prompt, Scene, Shows, State,
 *   Table } from '../types.js' */

const Join = later(() => import('../lobby/join.js'), 'Join');
const Waiting = later(() => import('../lobby/waiting.js'), 'Waiting');

/** The state of a table's page before its first message. @type {State} */
const START = {
  facts: null,
  scene: null,
  look: null,
  log: [],
  chat: [],
  pause: 0,
  undo: -1,
  fresh: new Set(),
  linger: new Map(),
  hint: new Set(),
  staged: null,
  bite: null,
  note: null,
  read: null,
  menu: null,
  pile: '',
  open: -1,
  drawer: false,
  tab: 'log',
  clause: '',
  unread: 0,
  muted: [],
  line: 'on',
  owed: [],
  refusals: 0,
  missing: '',
  orders: {},
  offered: [],
  skipped: -1,
  unkept: [],
};

/** Return a sentence about the proof of a table that is lost, if it was dealt.
 * @param {string} id */
const vanished = (id) =>
  hasDealt(id) ? ' Its deal is not proven: the room has not shown its secret.' : '';

/** Has its visitor nothing to do with a table? Then they are asked first what they want here.
 * @param {Facts} facts */
const isStranger = (facts) => facts.seat < 0 && !facts.host;

/** Choices by the card, zone or seat that makes them. @param {Choice[]} choices */
function byPlace(choices) {
  /** @type {Map<string, Choice[]>} */
  const found = new Map();
  for (const choice of choices) {
    if (choice.on) found.set(choice.on, [...(found.get(choice.on) ?? []), choice]);
  }
  return found;
}

/** The game's look, when it is known which game it is.
 * @param {Play} play @param {string | undefined} game */
function useLook({ at, set }, game) {
  useEffect(() => {
    if (!game) return;
    lookOf(at, game).then(
      (look) => set({ look }),
      (reason) => set({ missing: reason.message }),
    );
  }, [game, at]);
}

/** Cards travel to where the new scene has them, and the focus goes on to what can be chosen.
 * @param {Play} play @param {Scene | null} scene @param {Shows} linger */
function useTravel(play, scene, linger) {
  useLayoutEffect(() => {
    const was = play.before;
    const root = play.root();
    if (!was || !root) return;
    play.before = null;
    travel(root, was.places, was.first ? null : was.event || {}, factor());
    if (was.focus && (document.activeElement === document.body || !document.activeElement)) {
      (heir(root, was.card) ?? promptIn(root))?.focus({ preventScroll: true });
    }
    // what was opened on the table is read where it is asked
    const opens = was.seq === scene?.seq && was.asked !== scene?.prompt?.text && isYours(scene);
    if (opens && document.activeElement?.closest('.card, .aim')) {
      promptIn(root)?.focus({ preventScroll: true });
    }
  }, [scene, linger]);
}

/** Is the viewer asked, or will be once a note on a rule is read? @param {State} state */
const isAsked = ({ scene, bite }) => isYours(scene) || isYours(bite?.held);

/** The title says what the question says. @param {State} state */
function useTitle(state) {
  const { facts } = state;
  const yours = isAsked(state);
  useEffect(() => {
    document.title = facts
      ? `${yours ? '● Your turn · ' : ''}${facts.title} · fairdeal`
      : 'fairdeal';
  }, [yours, facts?.title]);
}

/** Your turn: the notice and the focus say so.
 * @param {Play} play */
function useTurn(play) {
  const { facts, scene, look, bite } = play.state;
  const yours = isAsked(play.state);
  const wasYours = useRef(false);
  useEffect(() => {
    // another player has chosen meanwhile
    const goesOn = wasYours.current && scene?.events?.[0]?.seat !== scene?.viewer;
    wasYours.current = yours;
    const asked = (bite?.held ?? scene)?.prompt?.text;
    if (yours && !goesOn && asked) {
      notice.announce(`Your turn · ${facts?.title ?? ''}`, asked);
    }
    if (!document.hidden) notice.clear();
    const root = play.root();
    if (yours && root && isIdle()) promptIn(root)?.focus({ preventScroll: true });
  }, [yours, scene?.seq, Boolean(look)]);
}

/** On to the rematch, when it is there and the result is looked at.
 * @param {Play} play @param {Facts | null} facts @param {Go} go */
function useRematch(play, facts, go) {
  useEffect(() => {
    if (!facts?.rematch || facts.status !== 'over' || facts.seat < 0) return;
    if (play.state.scene?.mode !== 'over' || !facts.chairs[facts.seat]?.ready) return;
    go(`/t/${facts.rematch}`);
  }, [facts?.rematch]);
}

/** Cards can be dragged as long as there is something to drag them for. Without the module for it,
 * they are chosen by taps and keys alone.
 * @param {Play} play @param {Table | null} now */
function useDragging(play, now) {
  const live = useRef(now);
  live.current = now;
  useEffect(() => {
    const make = (/** @type {typeof import('./drag.js')} */ { Dragging }) =>
      (play.dragging = new Dragging(play, () => live.current));
    const made = loaded(() => import('./drag.js')).then(make, () => null);
    return () => made.then((dragging) => dragging?.stop());
  }, []);
}

/** Return the actions of a table, for the scene that is shown.
 * @param {Play} play @param {Scene | null} scene
 * @returns {import('../types.js').Acts} */
function actions(play, scene) {
  const { set } = play;
  /** @param {Chosen} choice */
  const send = (choice, half = play.draft) => play.send(/** @type {Scene} */ (scene), choice, half);
  /** @param {Chosen[]} choices @param {string} on */
  const pick = (choices, on) => {
    set({ note: null, menu: null });
    if (choices[0].act) {
      choices[0].act();
      return;
    }
    const again = choices.find((choice) => play.draft.includes(choice.id));
    if (choices.length === 1 || again) send(again ?? choices[0]);
    else set({ menu: { choices, on } });
  };
  const carryOut = (/** @type {number[]} */ picks) =>
    send({ id: /** @type {number} */ (picks.at(-1)) }, picks.slice(0, -1));
  const takeBack = () => {
    set({ menu: null });
    play.ask({ type: 'draft', draft: play.draft.slice(0, -1) });
  };
  return {
    send,
    pick,
    carryOut,
    takeBack,
    offer: (offered) => set({ offered }),
    openRules: (clause) => set({ clause, tab: 'rules', drawer: true }),
    fan: (pile) =>
      set((last) => ({ pile: last.pile === pile ? '' : pile, menu: null, read: null })),
    openMore: (choices) => set({ menu: { choices, title: 'What else?' } }),
    ask: (request) => play.ask(request),
    say: (text) => play.ask({ type: 'say', text }),
    mute: (muted) => set({ muted }),
    report: (what) => reported(play.id, what),
    inspect: (card) => play.inspect(card),
    film: () => play.staging.film(),
    skipToEnd: () => play.skipToEnd(),
    why: (card) => play.ask({ type: 'why', card, draft: play.draft }),
  };
}

/** The question while a note on a rule is read, and the game waits for that.
 * @param {Scene | null} held @returns {Prompt} */
function reading(held) {
  const [text, sub] =
    held?.mode === 'over'
      ? ['The game is over', 'The result follows when you have read the rule.']
      : isYours(held)
        ? ['It is your turn once you have read the rule', '']
        : ['The game is waiting for you', 'It continues when you have read the rule.'];
  return partOf('Prompt', { mode: 'replay', text, sub });
}

/** The scene that is drawn: that of a frame, or that of the table, where a note on a rule or a
 * silent room leaves nothing to be chosen. @param {State} state @returns {Scene | null} */
function drawnScene({ scene, staged, bite, owed }) {
  if (staged?.scene) return staged.scene;
  if (scene && bite?.held) return { ...scene, prompt: reading(bite.held) };
  return scene && unanswered(scene, owed);
}

/** The cards that are marked, and those that are shown for a while.
 * @param {State} state @returns {Pick<State, 'fresh' | 'linger'>} */
function marksOf({ staged, fresh, linger }) {
  if (!staged?.scene || staged.kind === 'round') return { fresh, linger };
  const shown = lookedAt(staged.scene);
  return { linger: shown, fresh: new Set([...still(staged.scene).fresh, ...shown.keys()]) };
}

/** The state of a table as it is drawn, and what can be done there.
 * @param {Play} play @returns {Drawn} */
function useDrawn(play) {
  const { state, set } = play;
  const { scene: known, staged, bite, owed, orders, fresh, linger } = state;
  const marks = useMemo(() => marksOf(state), [staged, fresh, linger]);
  const [scene, arranged] = useMemo(
    () => inArrangement(drawnScene(state), orders),
    [known, staged, bite, owed, orders],
  );
  return { ...state, ...marks, ...actions(play, scene), set, scene, arranged };
}

/** Return the properties that all parts of a table share, or null before there is a scene and a
 * look.
 * @param {Play} play @param {Drawn} drawn @returns {Table | null} */
function tableOf(play, drawn) {
  const { scene, look, facts, line } = drawn;
  if (!scene || !look || !facts) return null;
  const choices = scene.choices;
  return {
    ...drawn,
    ...look,
    ...arranging(play),
    scene,
    facts,
    choices: byPlace(choices),
    chosen: new Set(scene.draft?.chosen ?? []),
    aim: new Set([...(scene.draft?.aim ?? []), scene.stage?.target]),
    silent: line !== 'on',
    asking: isAsked(play.state) && choices.some((choice) => choice.kind === 'card'),
  };
}

/** @param {{ id: string, watch?: boolean, at?: Place, go: Go }} props */
export function TablePage({ id, watch, at = `/api/tables/${id}`, go }) {
  const root = useRef(null);
  const [, draw] = useState(/** @type {State | null} */ (null));
  const play = useMemo(() => new Play(id, START, draw, () => root.current, at), [id]);
  const drawn = useDrawn(play);
  const table = tableOf(play, drawn);
  const { facts, scene, line, missing } = drawn;
  useEffect(() => play.open(), [play]);
  useLook(play, facts?.game);
  useRematch(play, facts, go);
  useTravel(play, scene, drawn.linger);
  useTitle(drawn);
  useTurn(play);
  useKeys(play, drawn);
  useDragging(play, table && (scene?.mode ?? 'live') === 'live' && !table.staged ? table : null);

  if (facts?.status === 'cleared') {
    return html`
      <${Nowhere} problem=${`It has been cleared away.${vanished(id)}`} what="table" />
    `;
  }
  if (missing) {
    return html`
      <${Nowhere} problem=${`${missing}${vanished(id)}`} what="table" />
    `;
  }
  if (!facts) {
    return html`
      <${Dealing} says=${LINES[line].join('')} />
    `;
  }
  const wrong = (facts.lesson ? [] : beforeTheEnd(recordOf(facts)))
    .filter((one) => one.ok === false)
    .map((one) => one.text);
  if (isStranger(facts) && !watch && !facts.readable_only) {
    return html`
      <${Join} facts=${facts} wrong=${wrong} go=${go} />
      <${Trouble} facts=${facts} line=${line} />
    `;
  }
  if (facts.status === 'open') {
    return html`
      <${Waiting} facts=${facts} wrong=${wrong} go=${go} table=${drawn} />
      <${Trouble} facts=${facts} line=${line} />
    `;
  }
  if (facts.readable_only) {
    return html`
      <${ReadOnly} facts=${facts} />
    `;
  }
  return table
    ? html`
        <${Board} ...${{ table, wrong, root, play, go }} />
      `
    : html`
        <${Dealing} />
      `;
}

/** A game of older rules. @param {{ facts: Facts }} props */
const ReadOnly = ({ facts }) => html`
  <main class="nothing">
    <h1>${facts.name}</h1>
    <p>${facts.readable_only}</p>
    ${
      facts.deal.header &&
      html`
        <a class="btn" href=${logOf(facts.id)} download>Download the log</a>
      `
    }
    <a class="btn main" href="/">To the lobby</a>
  </main>
`;
