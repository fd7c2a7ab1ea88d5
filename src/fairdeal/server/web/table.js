// A table: the scene drawn, taps and keys turned into picks.
import {
  html,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from './vendor/htm-preact.js';
import { nearest } from './arrows.js';
import { Board, Trouble } from './board.js';
import { Dragging } from './drag.js';
import { kept } from './kept.js';
import { asked } from './offers.js';
import { broken } from './proof.js';
import { travel } from './flip.js';
import { Join, isStranger } from './join.js';
import * as notice from './notice.js';
import { Play, START, lookOf } from './play.js';
import { buttonsOf } from './prompt.js';
import { factor } from './speed.js';
import { Waiting } from './waiting.js';

/** The card that takes the focus of one that can no longer be chosen: the nearest of its zone.
 * @param {Element} root @param {{ zone?: string, id?: string }} was */
function heir(root, was) {
  const zone = was.zone && root.querySelector(`[data-zone="${CSS.escape(was.zone)}"]`);
  const from = was.id && root.querySelector(`[data-id="${CSS.escape(was.id)}"]`);
  if (!zone || !from) return null;
  const cards = /** @type {HTMLElement[]} */ ([...zone.querySelectorAll('button.card[data-can]')]);
  return (
    cards.find((card) => card === from) ??
    ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']
      .map((key) => nearest(from, cards, key))
      .find(Boolean) ??
    null
  );
}

/** Choices by the card, zone or seat that makes them. */
function byPlace(scene) {
  const found = new Map();
  for (const choice of scene.choices ?? []) {
    if (choice.on) found.set(choice.on, [...(found.get(choice.on) ?? []), choice]);
  }
  return found;
}

/** What is told of a table, and how to draw more of it.
 * @returns {[import('./play.js').Told, import('./play.js').Draw]} */
function useTold() {
  const [told, keep] = useState(START);
  const set = useCallback((more) => {
    keep((last) => {
      const next = typeof more === 'function' ? more(last) : more;
      const same = Object.keys(next).every((name) => Object.is(last[name], next[name]));
      return same ? last : { ...last, ...next };
    });
  }, []);
  return [told, set];
}

/** The game's look, when it is known which game it is. */
function useLook(at, game, set) {
  useEffect(() => {
    if (game) lookOf(at, game).then((look) => set({ look }));
  }, [game, at]);
}

/** Cards travel to where the new scene has them, and the focus goes on to what can be chosen. */
function useTravel(play, scene) {
  useLayoutEffect(() => {
    const was = play.before;
    const root = play.root();
    if (!was || !root) return;
    play.before = null;
    travel(root, was.places, was.first ? null : (scene.events?.[0] ?? {}), factor());
    if (was.focus && (document.activeElement === document.body || !document.activeElement)) {
      const next =
        heir(root, was.card) ??
        root.querySelector('.dock .card[tabindex="0"], .prompt .btn, .prompt .opt') ??
        root.querySelector('.prompt');
      /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
    }
  }, [scene]);
}

/** Your turn: the title, the notice and the focus say so. */
function useTurn(play, { facts, scene }, yours) {
  const wasYours = useRef(false);
  useEffect(() => {
    document.title = facts
      ? `${yours ? '● Your turn · ' : ''}${facts.title} · fairdeal`
      : 'fairdeal';
  }, [yours, facts?.title]);
  useEffect(() => {
    // somebody else has chosen meanwhile
    const goesOn = wasYours.current && scene?.events?.[0]?.seat !== scene?.viewer;
    wasYours.current = yours;
    if (yours && !goesOn && play.held?.prompt) {
      notice.announce(`Your turn · ${facts?.title ?? ''}`, play.held.prompt.text);
    }
    if (yours && document.activeElement === document.body) {
      play.root()?.querySelector('.prompt')?.focus({ preventScroll: true });
    }
  }, [yours, scene?.seq]);
}

/** On to the rematch, when it is there and the result is looked at. */
function useRematch(play, facts, go) {
  useEffect(() => {
    if (!facts?.rematch || facts.status !== 'over' || facts.seat < 0) return;
    if (play.held?.mode !== 'over' || !facts.chairs[facts.seat]?.ready) return;
    go(`/t/${facts.rematch}`);
  }, [facts?.rematch]);
}

/** Cards can be dragged as long as there is something to drag them for. */
function useDragging(play, now) {
  const live = useRef(now);
  live.current = now;
  useEffect(() => {
    const made = new Dragging(play.root, () => live.current);
    play.dragging = made;
    return () => made.stop();
  }, []);
}

/** What can be done at a table, for the scene that is drawn. */
function actions(play, scene, set) {
  const send = (choice, half = play.draft) => play.send(scene, choice, half);
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
  const takeBack = () => {
    set({ menu: null });
    play.ask({ type: 'draft', draft: play.draft.slice(0, -1) });
  };
  return {
    send,
    pick,
    takeBack,
    offer: (offered) => set({ offered }),
    openRules: (clause) => set({ clause, tab: 'rules', drawer: true }),
    openMore: (choices) => set({ menu: { choices, title: 'What else?' } }),
    ask: (request) => play.ask(request),
    say: (text) => play.ask({ type: 'say', text }),
    inspect: (card) => play.inspect(card),
    why: (card) => play.ask({ type: 'why', card, draft: play.draft }),
  };
}

/** What all parts of a table share; nothing before there is a scene and a look. */
function useShared(play, told, set, yours) {
  const { scene, look, facts, fresh, hint, linger, log, chat, unread, clause, skew, offered } =
    told;
  return useMemo(() => {
    if (!scene || !look) return null;
    return {
      ...actions(play, scene, set),
      ...{ scene, facts, log, chat, unread, skew, clause, fresh, hint, linger, offered },
      faces: look.faces,
      game: look.game,
      skin: look.skin,
      choices: byPlace(scene),
      chosen: new Set(scene.draft?.chosen ?? []),
      aim: new Set(scene.draft?.aim ?? []),
      asking: yours && (scene.choices ?? []).some((choice) => choice.kind === 'card'),
    };
  }, [scene, look, facts, fresh, hint, linger, log, chat, unread, clause, skew, offered]);
}

/** Does Enter belong to what has the focus? While a move is half made, cards do not take it. */
const takesEnter = (target, scene) =>
  target.closest(
    scene?.draft ? '.prompt .btn, .opt, .side, .top' : '.card, .btn, .opt, .side, .top',
  );

/** Keys for what can be clicked. */
function useKeys(play, { scene, menu, bite, drawer, open, offered }, set) {
  const { pick, takeBack, openRules } = actions(play, scene, set);
  useEffect(() => {
    const escape = () => {
      if (bite) play.noting?.close();
      else if (menu) set({ menu: null });
      else if (open >= 0) set({ open: -1 });
      else if (drawer) set({ drawer: false });
      else if (scene?.draft?.undo) takeBack();
      else set({ note: null });
    };
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (target.closest('input, textarea, select, [role=dialog]')) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const choices = asked(scene, offered);
      const buttons = buttonsOf(choices);
      const main = buttons.find((choice) => choice.main);
      const values = choices.some((choice) => choice.kind === 'value');
      if (event.key === 'Escape') escape();
      else if (event.key === 'Enter' && main && !takesEnter(target, scene)) {
        event.preventDefault();
        pick([main], '');
      } else if (/^[1-9]$/.test(event.key) && !values && buttons[Number(event.key) - 1]) {
        pick([buttons[Number(event.key) - 1]], '');
      } else if (/^[1-9]$/.test(event.key) && !values && !buttons.length) {
        [...(play.root()?.querySelectorAll('.seat .aim') ?? [])][Number(event.key) - 1]?.click();
      } else if (event.key === 'h') play.ask({ type: 'hint' });
      else if (event.key === 'r') openRules(scene?.prompt?.clause ?? '');
      else if (event.key === 'u' && scene?.draft?.undo) takeBack();
      else if (event.key === 'z') play.ask({ type: 'undo', seq: scene?.seq });
    };
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  });
}

/** @param {any} props */
export function Table({ id, watch, at = `/api/tables/${id}`, go }) {
  const [told, set] = useTold();
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const play = useMemo(() => new Play(id, set, () => root.current, at), [id]);
  play.tab = told.tab;
  const { facts, scene, lost } = told;
  const yours = scene?.prompt?.mode === 'yours';
  useEffect(() => play.open(), [play]);
  useLook(at, facts?.game, set);
  useRematch(play, facts, go);
  useTravel(play, scene);
  useTurn(play, told, yours);
  useKeys(play, told, set);
  const table = useShared(play, told, set, yours);
  const live = table && (scene.mode ?? 'live') === 'live' && !lost;
  useDragging(
    play,
    live && {
      ...table,
      draft: play.draft,
      preview: (picks) => play.preview(picks),
      lift: () => set({ note: null, menu: null }),
    },
  );

  if (told.missing) {
    return html`
      <${Missing} reason=${told.missing} />
    `;
  }
  if (!facts) {
    return html`
      <${Dealing} lost=${lost} />
    `;
  }
  const wrong = broken(facts, kept(id)).map((one) => one.text);
  if (isStranger(facts) && !watch && !facts.readable_only) {
    return html`
      <${Join} facts=${facts} wrong=${wrong} go=${go} />
      <${Trouble} facts=${facts} lost=${lost} />
    `;
  }
  if (facts.status === 'cleared') {
    return html`
      <${Missing} reason="It has been cleared away." />
    `;
  }
  if (facts.status === 'open') {
    return html`
      <${Waiting} facts=${facts} wrong=${wrong} go=${go} />
      <${Trouble} facts=${facts} lost=${lost} />
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

/** @param {any} props */
const Missing = ({ reason }) => html`
  <main class="nothing">
    <h1>No such table</h1>
    <p>${reason}</p>
    <a class="btn main" href="/">To the shelf</a>
  </main>
`;

/** @param {any} props */
const Dealing = ({ lost }) => html`
  <main class="nothing">
    <p>Dealing …</p>
    ${lost &&
    html`
      <p role="status">Connection lost, trying again</p>
    `}
  </main>
`;

/** A game of older rules. @param {any} props */
const ReadOnly = ({ facts }) => html`
  <main class="nothing">
    <h1>${facts.name}</h1>
    <p>${facts.readable_only}</p>
    ${facts.deal.header &&
    html`
      <a class="btn" href=${`/api/tables/${facts.id}/log`} download>Download the log</a>
    `}
    <a class="btn main" href="/">To the shelf</a>
  </main>
`;
