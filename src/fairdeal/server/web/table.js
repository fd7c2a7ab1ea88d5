// A table: the scene drawn, taps and keys turned into picks, and everything that happens told.
import {
  html,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from './vendor/htm-preact.js';
import { once, post, skin as loadSkin, sprite } from './api.js';
import { Icon } from './card.js';
import { nearest } from './arrows.js';
import { Centre } from './centre.js';
import { Dragging } from './drag.js';
import { Alarm } from './fair.js';
import { acknowledged, followed, kept } from './kept.js';
import { broken } from './proof.js';
import { LINGER, places, settle, travel, turnedBack } from './flip.js';
import * as notice from './notice.js';
import { Over } from './over.js';
import { Panel } from './panel.js';
import { Prompt } from './prompt.js';
import { Me, Seat } from './seat.js';
import { TableSocket } from './socket.js';
import { isOn, play as sound, toggle } from './sound.js';
import { Waiting } from './waiting.js';
import { Zone } from './zone.js';

const QUIET = {
  choices: new Map(),
  chosen: new Set(),
  aim: new Set(),
  fresh: new Set(),
  hint: new Set(),
  linger: new Map(),
};

/** What moved: cards of a scene that lie in another zone than before, or were turned up where they
 * lie. */
function moved(before, after) {
  const was = new Map(
    (before?.zones ?? []).flatMap((zone) =>
      (zone.cards ?? []).map((card) => [card.id, `${zone.id} ${card.face ? 'up' : 'down'}`]),
    ),
  );
  const here = (zone, card) =>
    was.get(card.id) === `${zone.id} down` ? !card.face : was.get(card.id) === `${zone.id} up`;
  return new Set(
    (after.zones ?? [])
      .filter((zone) => zone.place !== 'hand')
      .flatMap((zone) =>
        (zone.cards ?? []).filter((card) => !here(zone, card)).map((card) => card.id),
      ),
  );
}

/** Did the last move show a card? Then it cannot be taken back. */
function turnedUp(before, after) {
  const known = new Set(
    (before.zones ?? []).flatMap((zone) =>
      (zone.cards ?? []).filter((card) => card.face).map((card) => card.id),
    ),
  );
  return (after.zones ?? []).some((zone) =>
    (zone.cards ?? []).some((card) => card.face && !known.has(card.id)),
  );
}

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

const tell = (text) => {
  const live = document.getElementById('live');
  if (live && text) live.textContent = text;
};

/** @param {any} props */
export function Table({ id, go }) {
  const [facts, keepFacts] = useState(/** @type {any} */ (null));
  const setFacts = useCallback(
    (told) => keepFacts(told && { ...told, heard: Date.now() / 1000 }),
    [],
  );
  const [scene, setScene] = useState(/** @type {any} */ (null));
  const [fresh, setFresh] = useState(new Set());
  const [log, setLog] = useState(/** @type {any[]} */ ([]));
  const [chat, setChat] = useState(/** @type {any[]} */ ([]));
  const [unread, setUnread] = useState(0);
  const [look, setLook] = useState(/** @type {any} */ (null));
  const [note, setNote] = useState(/** @type {any} */ (null));
  const [hint, setHint] = useState(new Set());
  const [linger, setLinger] = useState(/** @type {Map<string, string>} */ (new Map()));
  const [tab, setTab] = useState('log');
  const [drawer, setDrawer] = useState(false);
  const [clause, setClause] = useState('');
  const [lost, setLost] = useState(false);
  const [missing, setMissing] = useState('');
  const [menu, setMenu] = useState(/** @type {any} */ (null));
  const [open, setOpen] = useState(-1);
  const [skew, setSkew] = useState(0);
  const [stay, setStay] = useState(false);
  const [noise, setNoise] = useState(isOn());
  const [notices, setNotices] = useState(notice.isOn());
  const socket = useRef(/** @type {TableSocket | null} */ (null));
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(/** @type {any} */ (null));
  const draft = useRef(/** @type {number[]} */ ([]));
  const held = useRef(/** @type {any} */ (null));
  const goingBack = useRef(0);
  const wasYours = useRef(false);
  const [shown, setShown] = useState(false);
  const asked = useRef(/** @type {Map<string, (scene: any) => void>} */ (new Map()));
  const sent = useRef(/** @type {{ id: string, half: number[] } | null} */ (null));
  const dragging = useRef(/** @type {Dragging | null} */ (null));
  const now = useRef(/** @type {import('./drag.js').Now | null} */ (null));
  const onTab = useRef(tab);
  onTab.current = tab;

  /** A new scene: remember where the cards are, then draw. */
  const show = useCallback((next) => {
    const last = held.current;
    const step = !last || next.seq !== last.seq;
    const at = /** @type {HTMLElement | null} */ (document.activeElement?.closest('.card') ?? null);
    const zone = /** @type {HTMLElement | null} */ (at?.closest('[data-zone]') ?? null);
    before.current = {
      places: places(root.current),
      first: !last,
      step,
      focus: root.current?.contains(document.activeElement),
      card: { id: at?.dataset.id, zone: zone?.dataset.zone },
    };
    dragging.current?.handOver(before.current.places);
    const back = step && last ? turnedBack(next) : new Map();
    if (step) {
      clearTimeout(goingBack.current);
      setLinger(back);
    }
    if (back.size) goingBack.current = setTimeout(() => setLinger(QUIET.linger), LINGER);
    if (step) setShown(Boolean(back.size || (last && turnedUp(last, next))));
    if (step) {
      setFresh(last ? new Set([...moved(last, next), ...back.keys()]) : new Set());
      setHint(new Set());
      setNote(null);
      setMenu(null);
      if (last) {
        sound(next.prompt?.mode === 'yours' && last.prompt?.mode !== 'yours' ? 'turn' : 'card');
      }
    }
    draft.current = next.draft?.picks ?? [];
    held.current = next;
    setScene(next);
    if (step && last) {
      const events = (next.events ?? []).map((event) => event.text).join(' ');
      tell(
        [events, next.prompt?.mode === 'yours' ? next.prompt.text : ''].filter(Boolean).join(' '),
      );
    }
  }, []);

  const ask = useCallback((request) => socket.current?.ask(request), []);

  /** The scene with a half-made move, or null if there is none such. Nothing is done. */
  const preview = useCallback(
    (picks) =>
      new Promise((answer) => {
        const request = ask({ type: 'draft', draft: picks });
        if (request) asked.current.set(request, answer);
        else answer(null);
      }),
    [],
  );

  /** Make a half-made move again on a scene that has come in the meantime. */
  const revive = useCallback(
    (half) =>
      preview(half).then((found) => {
        if (found?.draft && found.seq === held.current?.seq) show(found);
        else {
          setNote({
            title: 'The table has changed',
            text: 'Your half-made move no longer fits; choose again.',
            icon: 'undo',
          });
        }
      }),
    [],
  );

  /** A scene that was not asked for: what the viewer was about to do is kept, unless it is being
   * carried out. */
  const arrive = useCallback((next) => {
    const half = draft.current;
    show(next);
    if (half.length && !next.draft && !sent.current && next.choices?.length) revive(half);
  }, []);

  useEffect(() => {
    /** @param {any} found */
    const learn = (found) => {
      setFacts(found);
      followed(found).catch((reason) => setNote({ text: reason.message, icon: 'x' }));
    };
    /** @param {any} message */
    const hear = (message) => {
      acknowledged(id, message.seq ?? (message.scene ?? message.facts)?.seq ?? 0, message.chain);
      const answer = asked.current.get(message.id);
      if (answer) {
        asked.current.delete(message.id);
        answer(message.scene && message.type === 'scene' ? message.scene : null);
        return;
      }
      const mine = message.id && sent.current?.id === message.id ? sent.current : null;
      if (mine) sent.current = null;
      if (mine && message.type === 'done') draft.current = []; // carried out: there is nothing to revive
      if (message.type === 'welcome') {
        for (const lostAnswer of asked.current.values()) lostAnswer(null);
        asked.current.clear();
        learn(message.facts);
        setChat(message.chat ?? []);
        setLog(message.log ?? []);
        setSkew((message.now || Date.now() / 1000) - Date.now() / 1000);
        if (message.scene) arrive(message.scene);
      } else if (message.type === 'scene') {
        if (message.id) show(message.scene);
        else arrive(message.scene);
        if (message.log?.length) {
          setLog((lines) => [
            ...lines.filter((line) => line.number < message.log[0].number),
            ...message.log,
          ]);
        }
      } else if (message.type === 'table') learn(message.facts);
      else if (message.type === 'chat') {
        setChat((lines) => [...lines, message.said]);
        if (onTab.current !== 'chat') setUnread((n) => n + 1);
        tell(`${message.said.name}: ${message.said.text}`);
      } else if (message.type === 'answer') {
        if (message.choices?.length) {
          setHint(
            new Set(
              (held.current?.choices ?? [])
                .filter((choice) => message.choices.includes(choice.id))
                .map((choice) => choice.on || String(choice.id)),
            ),
          );
        }
        setNote({
          text: message.text,
          clause: message.clause,
          icon: message.choices ? 'hint' : 'x',
        });
        tell(message.text);
      } else if (message.type === 'refused') {
        if (message.scene) {
          draft.current = [];
          show(message.scene);
        }
        if (mine?.half.length && message.scene?.choices?.length) revive(mine.half);
        if (!held.current && !message.id) {
          setMissing(message.reason);
          return;
        }
        sound('no');
        setNote({ text: message.reason, clause: message.clause, icon: 'x' });
        tell(message.reason);
      }
    };
    const made = (socket.current = new TableSocket(id, hear, (state) => setLost(state === 'lost')));
    held.current = null;
    setFacts(null);
    setScene(null);
    setLook(null);
    setStay(false);
    setMissing('');
    return () => {
      made.close();
      clearTimeout(goingBack.current);
    };
  }, [id]);

  useEffect(() => {
    if (!facts?.game) return;
    loadSkin(facts.game);
    sprite(`/games/${facts.game}/emblems.svg`);
    Promise.all([once('/api/games'), once(`/api/tables/${id}/faces`)]).then(([games, faces]) =>
      setLook({ faces, skin: games.find((game) => game.name === facts.game).skin }),
    );
  }, [facts?.game, id]);

  useEffect(() => {
    if (
      facts?.rematch &&
      facts.status === 'over' &&
      facts.seat >= 0 &&
      held.current?.mode === 'over' &&
      facts.chairs[facts.seat]?.ready
    ) {
      go(`/t/${facts.rematch}`);
    }
  }, [facts?.rematch]);

  const yours = scene?.prompt?.mode === 'yours';
  useEffect(() => {
    document.title = facts
      ? `${yours ? '● Your turn · ' : ''}${facts.title} · fairdeal`
      : 'fairdeal';
  }, [yours, facts?.title]);

  useLayoutEffect(() => {
    const was = before.current;
    if (!was || !root.current) return;
    before.current = null;
    const mover = scene.events?.[0]?.seat ?? -1;
    const from =
      root.current.querySelector(`[data-seat="${mover}"] .plate`) ??
      root.current.querySelector('[data-zone="deck"] .cards');
    travel(
      root.current,
      was.places,
      (was.first ? root.current.querySelector('.centre') : from)?.getBoundingClientRect(),
      was.first,
    );
    if (was.focus && (document.activeElement === document.body || !document.activeElement)) {
      const next =
        heir(root.current, was.card) ??
        root.current.querySelector('.dock .card[tabindex="0"], .prompt .btn, .prompt .opt') ??
        root.current.querySelector('.prompt');
      /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
    }
  }, [scene]);

  useEffect(() => {
    // somebody else has chosen meanwhile
    const goesOn = wasYours.current && scene?.events?.[0]?.seat !== scene?.viewer;
    wasYours.current = yours;
    if (yours && !goesOn && held.current?.prompt) {
      notice.announce(`Your turn · ${facts?.title ?? ''}`, held.current.prompt.text);
    }
    if (yours && document.activeElement === document.body) {
      const prompt = root.current?.querySelector('.prompt');
      /** @type {HTMLElement | null | undefined} */ (prompt)?.focus({ preventScroll: true });
    }
  }, [yours, scene?.seq]);

  const send = (choice, half = draft.current) => {
    settle(root.current);
    const request = ask({ type: 'pick', seq: scene.seq, choice: choice.id, draft: half });
    sent.current = request ? { id: request, half: draft.current } : null;
  };
  const pick = (choices, on) => {
    setNote(null);
    setMenu(null);
    const again = choices.find((choice) => draft.current.includes(choice.id));
    if (choices.length === 1 || again) send(again ?? choices[0]);
    else setMenu({ choices, on });
  };
  const takeBack = () => {
    setMenu(null);
    ask({ type: 'draft', draft: draft.current.slice(0, -1) });
  };
  const openRules = (wanted) => {
    setClause(wanted);
    setTab('rules');
    setDrawer(true);
  };
  const chooseTab = (wanted) => {
    setTab(wanted);
    if (wanted === 'chat') setUnread(0);
  };

  const table = useMemo(
    () =>
      scene &&
      look && {
        ...QUIET,
        scene,
        facts,
        log,
        chat,
        unread,
        skew,
        clause,
        faces: look.faces,
        skin: look.skin,
        choices: byPlace(scene),
        chosen: new Set(scene.draft?.chosen ?? []),
        aim: new Set(scene.draft?.aim ?? []),
        fresh,
        hint,
        linger,
        asking: yours && (scene.choices ?? []).some((choice) => choice.kind === 'card'),
        pick,
        takeBack,
        openRules,
        ask,
        say: (text) => ask({ type: 'say', text }),
        why: (card) => ask({ type: 'why', card, draft: draft.current }),
      },
    [scene, look, facts, fresh, hint, linger, log, chat, unread, clause, skew],
  );

  now.current =
    table && (scene.mode ?? 'live') === 'live' && !lost
      ? {
          scene,
          choices: table.choices,
          draft: draft.current,
          preview,
          pick,
          send,
          lift: () => {
            setNote(null);
            setMenu(null);
          },
        }
      : null;
  useEffect(() => {
    const made = (dragging.current = new Dragging(
      () => root.current,
      () => now.current,
    ));
    return () => made.stop();
  }, []);

  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (
        target.closest('input, textarea, select, [role=dialog]') ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      ) {
        return;
      }
      const buttons = (scene?.choices ?? []).filter((choice) => choice.kind === 'button');
      const main = buttons.find((choice) => choice.main);
      const values = (scene?.choices ?? []).some((choice) => choice.kind === 'value');
      if (event.key === 'Escape') {
        if (menu) setMenu(null);
        else if (drawer) setDrawer(false);
        else if (scene?.draft?.undo) takeBack();
        else setNote(null);
      } else if (
        event.key === 'Enter' &&
        main &&
        !target.closest(
          scene?.draft ? '.prompt .btn, .opt, .side, .top' : '.card, .btn, .opt, .side, .top',
        )
      ) {
        event.preventDefault();
        send(main);
      } else if (/^[1-9]$/.test(event.key) && !values && buttons[Number(event.key) - 1]) {
        pick([buttons[Number(event.key) - 1]], '');
      } else if (/^[0-9]$/.test(event.key) && values) {
        const more = root.current?.querySelector('.opt[aria-expanded]');
        /** @type {HTMLElement | null | undefined} */ (more)?.click();
      } else if (event.key === 'h') ask({ type: 'hint' });
      else if (event.key === 'r') openRules(scene?.prompt?.clause ?? '');
      else if (event.key === 'u' && scene?.draft?.undo) takeBack();
      else return;
    };
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  });

  if (missing) {
    return html`
      <main class="nothing">
        <h1>No such table</h1>
        <p>${missing}</p>
        <a class="btn main" href="/">To the shelf</a>
      </main>
    `;
  }
  if (!facts) {
    return html`
      <main class="nothing">
        <p>Dealing …</p>
        ${lost &&
        html`
          <p role="status">Connection lost, trying again</p>
        `}
      </main>
    `;
  }
  const wrong = broken(facts, kept(id)).map((one) => one.text);
  const trouble =
    facts.trouble &&
    !lost &&
    html`
      <div class="banner" role="status">
        <${Icon} name="off" />
        ${facts.trouble}
      </div>
    `;
  if (facts.status === 'open') {
    return html`
      <${Waiting} facts=${facts} wrong=${wrong} go=${go} />
      ${trouble}
    `;
  }
  if (facts.readable_only) {
    return html`
      <main class="nothing">
        <h1>${facts.name}</h1>
        <p>${facts.readable_only}</p>
        ${facts.deal.header &&
        html`
          <a class="btn" href=${`/api/tables/${id}/log`} download>Download the log</a>
        `}
        <a class="btn main" href="/">To the shelf</a>
      </main>
    `;
  }
  if (!table) {
    return html`
      <main class="nothing"><p>Dealing …</p></main>
    `;
  }
  if (scene.mode === 'over' && !stay) {
    return html`
      <${Over} table=${table} go=${go} look=${() => setStay(true)} />
    `;
  }

  const seats = scene.seats ?? [];
  const viewer = scene.viewer;
  const rivals = seats
    .map((_, number) => seats[(Math.max(viewer, -1) + 1 + number) % seats.length])
    .filter((seat) => seat.seat !== viewer);
  const zones = scene.zones ?? [];
  const at = (place) => zones.filter((zone) => zone.place === place);
  const mine = seats.find((seat) => seat.seat === viewer);
  const own = at('own').filter((zone) => zone.cards?.length || zone.slots);
  const hands = at('hand');
  const low = !hands.length && zones.some((zone) => zone.layout === 'grid'); // the room is needed: what is yours lies where a hand would
  const mayUndo =
    viewer >= 0 &&
    scene.mode !== 'over' &&
    scene.events?.[0]?.seat === viewer &&
    !scene.draft &&
    !shown;
  return html`
    <div
      class="app"
      data-skin=${look.skin.name}
      data-drawer=${drawer || undefined}
      style=${{
        '--cloth-day': look.skin.cloth[0],
        '--cloth-night': look.skin.cloth[1],
        '--cloth-2-day': look.skin.cloth_2[0],
        '--cloth-2-night': look.skin.cloth_2[1],
      }}
    >
      <header class="top">
        <a
          class="logo"
          href="/"
          aria-label="To the shelf"
          onClick=${(event) => {
            event.preventDefault();
            go('/');
          }}
        >
          <${Icon} name="fair-mark" />
        </a>
        <h1>${facts.title}</h1>
        <span class="sub">${scene.sub ?? ''}</span>
        <span class="gap-x"></span>
        ${(scene.facts ?? []).map(
          (fact) => html`
            <span class="pill hide-s" key=${fact}>${fact}</span>
          `,
        )}
        ${viewer < 0 &&
        html`
          <span class="pill">
            <${Icon} name="eye" />
            watching
          </span>
        `}
        <button
          class="pill hide-s"
          onClick=${() => {
            setTab('fair');
            setDrawer(true);
          }}
        >
          <${Icon} name="fair" />
          ${wrong.length ? 'Not kept' : facts.deal.seed ? 'Seed open' : 'Committed'}
        </button>
        ${yours &&
        html`
          <button
            class="btn icon"
            aria-label="Hint"
            title="Hint (h)"
            onClick=${() => ask({ type: 'hint' })}
          >
            <${Icon} name="hint" />
          </button>
        `}
        <button
          class="btn icon hide-s"
          aria-label="Rules"
          title="Rules (r)"
          onClick=${() => openRules(scene.prompt?.clause ?? '')}
        >
          <${Icon} name="rules" />
        </button>
        <button
          class="btn icon"
          aria-label=${noise ? 'Sound off' : 'Sound on'}
          aria-pressed=${noise ? 'true' : 'false'}
          onClick=${() => setNoise(toggle())}
        >
          <${Icon} name=${noise ? 'sound' : 'mute'} />
        </button>
        ${notice.able() &&
        viewer >= 0 &&
        html`
          <button
            class="btn icon"
            aria-label=${notices
              ? 'Stop telling me when it is my turn'
              : 'Tell me when it is my turn'}
            title="Tell me when it is my turn and I look elsewhere"
            aria-pressed=${notices ? 'true' : 'false'}
            onClick=${() => notice.toggle().then(setNotices)}
          >
            <${Icon} name=${notices ? 'bell' : 'bell-off'} />
          </button>
        `}
        <button
          class="btn icon only-s"
          aria-label="Log and more"
          aria-expanded=${drawer ? 'true' : 'false'}
          onClick=${() => setDrawer(!drawer)}
        >
          <${Icon} name="menu" />
          ${unread
            ? html`
                <i class="unread"></i>
              `
            : ''}
        </button>
        <${Leave} facts=${facts} go=${go} />
      </header>
      <main class="table" ref=${root} aria-label=${`${facts.title} table`}>
        <${Alarm} wrong=${wrong} />
        <div
          class="rivals"
          data-many=${rivals.length > 4 || undefined}
          data-one=${rivals.length === 1 || undefined}
        >
          ${rivals.map(
            (seat) => html`
              <${Seat}
                key=${seat.seat}
                seat=${seat}
                table=${table}
                open=${open === seat.seat || rivals.length === 1}
                onOpen=${() => setOpen(open === seat.seat ? -1 : seat.seat)}
              />
            `,
          )}
        </div>
        <div class="field">
          <${Centre} zones=${at('centre')} headline=${scene.headline} table=${table} />
          ${own.length > 0 &&
          !low &&
          html`
            <div class="mine">
              ${own.map(
                (zone) => html`
                  <${Zone} key=${zone.id} zone=${zone} table=${table} />
                `,
              )}
            </div>
          `}
        </div>
        <div class="dock">
          ${note &&
          html`
            <div class="why" role="status">
              <b>
                <${Icon} name=${note.icon} />
                ${note.title ?? (note.icon === 'hint' ? 'Hint' : 'Not now')}
              </b>
              <span>
                ${note.text}${' '}
                ${note.clause &&
                html`
                  <button class="clause" onClick=${() => openRules(note.clause)}>
                    ${note.clause}
                  </button>
                `}
              </span>
              <button class="btn icon" aria-label="Close" onClick=${() => setNote(null)}>
                <${Icon} name="x" />
              </button>
            </div>
          `}
          ${menu &&
          html`
            <div class="why" role="dialog" aria-label="Which of these?">
              <b>Which of these?</b>
              <div class="acts">
                ${menu.choices.map(
                  (choice) => html`
                    <button
                      class="btn"
                      key=${choice.id}
                      onClick=${() => {
                        setMenu(null);
                        send(choice);
                      }}
                    >
                      ${choice.label}
                    </button>
                  `,
                )}
              </div>
              <button class="btn icon" aria-label="Close" onClick=${() => setMenu(null)}>
                <${Icon} name="x" />
              </button>
            </div>
          `}
          <${Prompt} table=${table} />
          ${mine &&
          html`
            <div class="own">
              <${Me} seat=${mine} />
              ${mayUndo &&
              html`
                <button class="btn slim" onClick=${() => ask({ type: 'undo', seq: scene.seq })}>
                  <${Icon} name="undo" />
                  Take back
                </button>
              `}${(low ? own : hands).map(
                (zone) => html`
                  <${Zone} key=${zone.id} zone=${zone} table=${table} />
                `,
              )}
            </div>
          `}
          ${scene.mode === 'over' &&
          html`
            <div class="own">
              <button class="btn lit" onClick=${() => setStay(false)}>The result</button>
            </div>
          `}
        </div>
        ${lost &&
        html`
          <div class="banner" role="status">
            <${Icon} name="off" />
            Connection lost, trying again. Your last move was saved.
            <button class="btn slim" onClick=${() => socket.current?.now()}>Retry</button>
          </div>
        `}
        ${trouble}
      </main>
      ${drawer &&
      html`
        <div class="scrim" onClick=${() => setDrawer(false)}></div>
      `}
      <${Panel}
        table=${table}
        tab=${tab}
        setTab=${chooseTab}
        close=${drawer ? () => setDrawer(false) : undefined}
      />
    </div>
  `;
}

function Leave({ facts, go }) {
  const [sure, setSure] = useState(false);
  const leave = () => {
    post(`/api/tables/${facts.id}/leave`).finally(() => go('/'));
  };
  const running = facts.seat >= 0 && facts.status === 'running';
  if (!sure) {
    return html`
      <button
        class="btn icon"
        aria-label="Leave"
        title="Leave"
        onClick=${() => (running ? setSure(true) : go('/'))}
      >
        <${Icon} name="x" />
      </button>
    `;
  }
  return html`
    <div class="sure" role="dialog" aria-label="Leave?">
      <span>A bot plays on until you are back.</span>
      <button class="btn main" onClick=${leave}>Leave</button>
      <button class="btn" onClick=${() => setSure(false)}>Stay</button>
    </div>
  `;
}
