// A table: the scene drawn, taps and keys turned into picks.
import {
  html,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { logOf } from '../kit/api.js';
import { heir, isIdle, promptIn } from '../kit/keyboard.js';
import { Board, Trouble } from './board.js';
import { LINES } from '../kit/socket.js';
import { hasDealt, recordOf } from '../record/keeper.js';
import { Dealing, later, lookOf } from '../kit/lazy.js';
import { useKeys } from './shortcuts.js';
import { arranging, useArranged } from '../scene/hand.js';
import { lookedAt } from '../scene/lingering.js';
import { still, unanswered } from '../scene/moment.js';
import { beforeTheEnd } from '../fair/verdict.js';
import { travel } from '../kit/flip.js';
import * as notice from '../kit/notification.js';
import { Play } from './play.js';
import { factor } from '../kit/speed.js';
import { Nowhere, isYours } from '../kit/page.js';

/** @import { Choice, Chosen, Draw, Facts, Go, Place, Prompt, Scene, Shows, State,
 *   Table as Shared } from '../types.js'
 * @import { Now } from './drag.js' */

const Join = later(() => import('../lobby/join.js'), 'Join');
const Waiting = later(() => import('../lobby/waiting.js'), 'Waiting');

/** The state of a table's page before its first message. @type {State} */
const START = {
  facts: null,
  scene: null,
  look: null,
  fresh: new Set(),
  hint: new Set(),
  linger: new Map(),
  undo: -1,
  skipped: -1,
  log: [],
  chat: [],
  muted: [],
  unread: 0,
  pause: 0,
  note: null,
  menu: null,
  read: null,
  pile: '',
  bite: null,
  line: 'on',
  owed: [],
  refusals: 0,
  missing: '',
  tab: 'log',
  drawer: false,
  clause: '',
  open: -1,
  staged: null,
  offered: [],
  orders: {},
};

/** What the loss of a table leaves open, if it was dealt. @param {string} id */
const vanished = (id) =>
  hasDealt(id) ? ' Its deal is not proven: the room has not shown its secret.' : '';

/** Has its visitor nothing to do with a table? Then they are asked first what they want here.
 * @param {Facts} facts */
const isStranger = (facts) => facts.seat < 0 && !facts.host;

/** Choices by the card, zone or seat that makes them. @param {Scene} scene */
function byPlace(scene) {
  /** @type {Map<string, Choice[]>} */
  const found = new Map();
  for (const choice of scene.choices ?? []) {
    if (choice.on) found.set(choice.on, [...(found.get(choice.on) ?? []), choice]);
  }
  return found;
}

/** The state of a table's page, and the function that changes it.
 * @returns {[State, Draw]} */
function useTold() {
  const [told, keep] = useState(START);
  const set = useCallback((/** @type {Parameters<Draw>[0]} */ more) => {
    keep((last) => {
      const next = typeof more === 'function' ? more(last) : more;
      const same = /** @type {(keyof State)[]} */ (Object.keys(next)).every((name) =>
        Object.is(last[name], next[name]),
      );
      return same ? last : { ...last, ...next };
    });
  }, []);
  return [told, set];
}

/** The game's look, when it is known which game it is.
 * @param {Play} play @param {string | undefined} game @param {Draw} set */
function useLook({ at }, game, set) {
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

/** The title says what the question says. @param {State} told the state that is drawn */
function useTitle({ facts, scene, bite }) {
  const yours = isYours(scene) || isYours(bite?.held);
  useEffect(() => {
    document.title = facts
      ? `${yours ? '● Your turn · ' : ''}${facts.title} · fairdeal`
      : 'fairdeal';
  }, [yours, facts?.title]);
}

/** Your turn: the notice and the focus say so.
 * @param {Play} play @param {State} told @param {boolean} yours */
function useTurn(play, { facts, scene, look, bite }, yours) {
  const wasYours = useRef(false);
  useEffect(() => {
    // another player has chosen meanwhile
    const goesOn = wasYours.current && scene?.events?.[0]?.seat !== scene?.viewer;
    wasYours.current = yours;
    const asked = (bite?.held ?? play.held)?.prompt?.text;
    if (yours && !goesOn && asked) {
      notice.announce(`Your turn · ${facts?.title ?? ''}`, asked);
    }
    const root = play.root();
    if (yours && root && isIdle()) promptIn(root)?.focus({ preventScroll: true });
  }, [yours, scene?.seq, Boolean(look)]);
}

/** On to the rematch, when it is there and the result is looked at.
 * @param {Play} play @param {Facts | null} facts @param {Go} go */
function useRematch(play, facts, go) {
  useEffect(() => {
    if (!facts?.rematch || facts.status !== 'over' || facts.seat < 0) return;
    if (play.held?.mode !== 'over' || !facts.chairs[facts.seat]?.ready) return;
    go(`/t/${facts.rematch}`);
  }, [facts?.rematch]);
}

/** Cards can be dragged as long as there is something to drag them for. Without the module for it,
 * they are chosen by taps and keys alone.
 * @param {Play} play @param {Now | null} now */
function useDragging(play, now) {
  const live = useRef(now);
  live.current = now;
  useEffect(() => {
    const make = (/** @type {typeof import('./drag.js')} */ { Dragging }) =>
      (play.dragging = new Dragging(play.root, () => live.current));
    const made = loaded(() => import('./drag.js')).then(make, () => null);
    return () => made.then((dragging) => dragging?.stop());
  }, []);
}

/** What can be done at a table, for the scene that is drawn.
 * @param {Play} play @param {Scene | null} scene @param {Draw} set
 * @returns {import('../types.js').Acts} */
function actions(play, scene, set) {
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
    inspect: (card) => play.inspect(card),
    film: () => play.staging.film(),
    skipToEnd: () => play.skipToEnd(),
    why: (card) => play.ask({ type: 'why', card, draft: play.draft }),
  };
}

/** The chat of a table, also before there is a scene.
 * @param {Play} play @param {State} told @param {Draw} set */
const talkOf = (play, told, set) => ({ ...told, ...actions(play, told.scene, set) });

/** The question while a note on a rule is read, and the game waits for that.
 * @param {Scene | null} held @returns {Prompt} */
function reading(held) {
  const mode = 'replay';
  if (held?.mode === 'over') {
    return {
      mode,
      text: 'The game is over',
      sub: 'The result follows when you have read the rule.',
    };
  }
  return isYours(held)
    ? { mode, text: 'It is your turn once you have read the rule', sub: '' }
    : {
        mode,
        text: 'The game is waiting for you',
        sub: 'It continues when you have read the rule.',
      };
}

/** What is told, with what is laid over the table in place of what it is. @param {State} told */
function useStaged(told) {
  const { staged } = told;
  return useMemo(() => {
    const { bite, scene: asks } = told;
    if (!staged?.scene && asks && bite?.held) {
      return { ...told, scene: { ...asks, prompt: reading(bite.held) } };
    }
    if (!staged?.scene && asks) return { ...told, scene: unanswered(asks, told.owed) };
    if (!staged?.scene) return told;
    const { scene } = staged;
    if (staged.kind === 'round') return { ...told, scene };
    const linger = lookedAt(scene);
    const fresh = new Set([...still(scene).fresh, ...linger.keys()]);
    return { ...told, scene, fresh, linger };
  }, [told]);
}

/** What all parts of a table share; nothing before there is a scene and a look.
 * @param {Play} play @param {State} told @param {Draw} set @param {boolean} yours
 * @param {Set<string>} arranged @returns {Shared | null} */
function useShared(play, told, set, yours, arranged) {
  const { scene, look, facts, fresh, hint, linger, log, chat, muted, unread, clause } = told;
  const { offered, owed, line, staged } = told;
  return useMemo(() => {
    if (!scene || !look || !facts) return null;
    return {
      ...actions(play, scene, set),
      ...arranging(play, told),
      arranged,
      scene,
      facts,
      log,
      chat,
      muted,
      unread,
      clause,
      fresh,
      hint,
      linger,
      offered,
      owed,
      faces: look.faces,
      game: look.game,
      skin: look.skin,
      choices: byPlace(scene),
      chosen: new Set(scene.draft?.chosen ?? []),
      aim: new Set([...(scene.draft?.aim ?? []), scene.stage?.target]),
      silent: line !== 'on',
      asking: yours && (scene.choices ?? []).some((choice) => choice.kind === 'card'),
    };
  }, [
    scene,
    look,
    facts,
    fresh,
    hint,
    linger,
    log,
    chat,
    muted,
    unread,
    clause,
    offered,
    owed,
    line,
    staged,
  ]);
}

/** @param {{ id: string, watch?: boolean, at?: Place, go: Go }} props */
export function Table({ id, watch, at = `/api/tables/${id}`, go }) {
  const [heard, set] = useTold();
  const [told, arranged] = useArranged(useStaged(heard));
  const root = useRef(null);
  const play = useMemo(() => new Play(id, set, () => root.current, at), [id]);
  play.muted = told.muted;
  const { facts, scene } = told;
  const yours = isYours(heard.scene) || isYours(heard.bite?.held);
  useEffect(() => play.open(), [play]);
  useLook(play, facts?.game, set);
  useRematch(play, facts, go);
  useTravel(play, scene, told.linger);
  useTitle(told);
  useTurn(play, heard, yours);
  useKeys(play, told, actions(play, scene, set), set);
  const table = useShared(play, told, set, yours, arranged);
  const live = table && (scene?.mode ?? 'live') === 'live' && !told.staged;
  useDragging(
    play,
    live
      ? {
          ...table,
          draft: play.draft,
          preview: (picks) => play.preview(picks),
          lift: () => set({ note: null, menu: null }),
        }
      : null,
  );

  if (facts?.status === 'cleared') {
    return html`
      <${Nowhere} problem=${`It has been cleared away.${vanished(id)}`} what="table" />
    `;
  }
  if (told.missing) {
    return html`
      <${Nowhere} problem=${`${told.missing}${vanished(id)}`} what="table" />
    `;
  }
  if (!facts) {
    return html`
      <${Dealing} says=${LINES[told.line].join('')} />
    `;
  }
  const wrong = (facts.lesson ? [] : beforeTheEnd(recordOf(facts)))
    .filter((one) => one.ok === false)
    .map((one) => one.text);
  if (isStranger(facts) && !watch && !facts.readable_only) {
    return html`
      <${Join} facts=${facts} wrong=${wrong} go=${go} />
      <${Trouble} facts=${facts} line=${told.line} />
    `;
  }
  if (facts.status === 'open') {
    return html`
      <${Waiting} facts=${facts} wrong=${wrong} go=${go} table=${talkOf(play, told, set)} />
      <${Trouble} facts=${facts} line=${told.line} />
    `;
  }
  if (facts.readable_only) {
    return html`
      <${ReadOnly} facts=${facts} />
    `;
  }
  if (!table) {
    return html`
      <${Dealing} />
    `;
  }
  return html`
    <${Board}
      told=${told}
      set=${set}
      table=${table}
      wrong=${wrong}
      root=${root}
      play=${play}
      go=${go}
    />
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
