// A table while it is played: the others, the field, the dock with prompt and hand, the panel.
import { html, useState } from './vendor/htm-preact.js';
import { post } from './api.js';
import { Icon } from './card.js';
import { Centre } from './centre.js';
import { Alarm } from './fair.js';
import { Rivals, Scrim, Zones, cloth, ownZones, zonesAt } from './field.js';
import * as notice from './notice.js';
import { LessonSill } from './lesson.js';
import { Panel } from './panel.js';
import { Prompt } from './prompt.js';
import { Me } from './seat.js';
import { isOn, toggle } from './sound.js';
import { Logo } from './top.js';

/** What is the matter with the room. @param {any} props */
export const Trouble = ({ facts, lost }) =>
  facts.trouble &&
  !lost &&
  html`
    <div class="banner" role="status">
      <${Icon} name="off" />
      ${facts.trouble}
    </div>
  `;

/** A game that runs, or one that is over and still looked at. @param {any} props */
export function Board({ told, set, table, wrong, root, play, go }) {
  const { facts, scene, drawer, lost } = told;
  const own = ownZones(scene);
  // where the room is needed, what is yours lies where a hand would
  const low =
    !zonesAt(scene, 'hand').length && (scene.zones ?? []).some((zone) => zone.layout === 'grid');
  const close = () => set({ drawer: false });
  const setTab = (tab) => set(tab === 'chat' ? { tab, unread: 0 } : { tab });
  return html`
    <div
      class="app"
      data-skin=${table.skin.name}
      data-drawer=${drawer || undefined}
      style=${cloth(table.skin)}
    >
      <${Header} told=${told} set=${set} table=${table} wrong=${wrong} go=${go} />
      <main class="table" ref=${root} aria-label=${`${facts.title} table`}>
        <${Alarm} wrong=${wrong} />
        <${Rivals}
          viewer=${scene.viewer}
          table=${table}
          open=${told.open}
          setOpen=${(open) => set({ open })}
        />
        <div class="field">
          <${Centre} zones=${zonesAt(scene, 'centre')} headline=${scene.headline} table=${table} />
          ${own.length > 0 &&
          !low &&
          html`
            <div class="mine"><${Zones} zones=${own} table=${table} /></div>
          `}
        </div>
        <div class="dock">
          ${facts.lesson &&
          html`
            <${LessonSill} table=${table} note=${told.note} go=${go} />
          `}
          <${Note} note=${!facts.lesson && told.note} set=${set} openRules=${table.openRules} />
          <${Menu} menu=${told.menu} set=${set} send=${table.send} />
          <${Prompt} table=${table} />
          <${Mine} zones=${low ? own : zonesAt(scene, 'hand')} table=${table} shown=${told.shown} />
          ${scene.mode === 'over' &&
          !facts.lesson &&
          html`
            <div class="own">
              <button class="btn lit" onClick=${() => set({ stay: false })}>The result</button>
            </div>
          `}
        </div>
        ${lost &&
        html`
          <${Lost} retry=${() => play.socket?.now()} />
        `}
        <${Trouble} facts=${facts} lost=${lost} />
      </main>
      ${drawer &&
      html`
        <${Scrim} close=${close} />
      `}
      <${Panel}
        table=${table}
        tab=${told.tab}
        setTab=${setTab}
        close=${drawer ? close : undefined}
      />
    </div>
  `;
}

/** @param {any} props */
const Lost = ({ retry }) => html`
  <div class="banner" role="status">
    <${Icon} name="off" />
    Connection lost, trying again. Your last move was saved.
    <button class="btn slim" onClick=${retry}>Retry</button>
  </div>
`;

/** A word to the viewer: a hint, or why something cannot be done. @param {any} props */
const Note = ({ note, set, openRules }) =>
  note &&
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
          <button class="clause" onClick=${() => openRules(note.clause)}>${note.clause}</button>
        `}
      </span>
      <button class="btn icon" aria-label="Close" onClick=${() => set({ note: null })}>
        <${Icon} name="x" />
      </button>
    </div>
  `;

/** One card, several choices. @param {any} props */
function Menu({ menu, set, send }) {
  const close = () => set({ menu: null });
  const choose = (choice) => {
    close();
    send(choice);
  };
  if (!menu) return null;
  return html`
    <div class="why" role="dialog" aria-label="Which of these?">
      <b>Which of these?</b>
      <div class="acts">
        ${menu.choices.map(
          (choice) => html`
            <button class="btn" key=${choice.id} onClick=${() => choose(choice)}>
              ${choice.label}
            </button>
          `,
        )}
      </div>
      <button class="btn icon" aria-label="Close" onClick=${close}><${Icon} name="x" /></button>
    </div>
  `;
}

/** The viewer's own place: the counters, a last move to take back, the hand. @param {any} props */
function Mine({ zones, table, shown }) {
  const { scene, ask, facts } = table;
  const { viewer } = scene;
  const mine = (scene.seats ?? []).find((seat) => seat.seat === viewer);
  const last = viewer >= 0 && scene.events?.[0]?.seat === viewer;
  const mayUndo = last && !facts.lesson && scene.mode !== 'over' && !scene.draft && !shown;
  const undo = () => ask({ type: 'undo', seq: scene.seq });
  if (!mine) return null;
  return html`
    <div class="own">
      <${Me} seat=${mine} />
      ${mayUndo &&
      html`
        <button class="btn slim" onClick=${undo}>
          <${Icon} name="undo" />
          Take back
        </button>
      `}
      <${Zones} zones=${zones} table=${table} />
    </div>
  `;
}

/** @param {any} props */
function Header({ told, set, table, wrong, go }) {
  const { facts, scene, unread, drawer } = told;
  const { ask, openRules } = table;
  const hint = () => ask({ type: 'hint' });
  const kind = wrong.length ? 'Not kept' : facts.deal.seed ? 'Seed open' : 'Committed';
  return html`
    <header class="top">
      <${Logo} go=${go} />
      <h1>${facts.title}</h1>
      <span class="sub">${scene.sub ?? ''}</span>
      <span class="gap-x"></span>
      ${(scene.facts ?? []).map(
        (fact) => html`
          <span class="pill hide-s" key=${fact}>${fact}</span>
        `,
      )}
      ${scene.viewer < 0 &&
      html`
        <span class="pill">
          <${Icon} name="eye" />
          watching
        </span>
      `}
      ${!facts.lesson &&
      html`
        <button class="pill hide-s" onClick=${() => set({ tab: 'fair', drawer: true })}>
          <${Icon} name="fair" />
          ${kind}
        </button>
      `}
      ${scene.prompt?.mode === 'yours' &&
      !facts.lesson &&
      html`
        <button class="btn icon" aria-label="Hint" title="Hint (h)" onClick=${hint}>
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
      <${Sound} />
      ${notice.able() &&
      scene.viewer >= 0 &&
      html`
        <${Bell} />
      `}
      <button
        class="btn icon only-s"
        aria-label="Log and more"
        aria-expanded=${drawer ? 'true' : 'false'}
        onClick=${() => set({ drawer: !drawer })}
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
  `;
}

function Sound() {
  const [on, setOn] = useState(isOn());
  return html`
    <button
      class="btn icon"
      aria-label=${on ? 'Sound off' : 'Sound on'}
      aria-pressed=${on ? 'true' : 'false'}
      onClick=${() => setOn(toggle())}
    >
      <${Icon} name=${on ? 'sound' : 'mute'} />
    </button>
  `;
}

function Bell() {
  const [on, setOn] = useState(notice.isOn());
  return html`
    <button
      class="btn icon"
      aria-label=${on ? 'Stop telling me when it is my turn' : 'Tell me when it is my turn'}
      title="Tell me when it is my turn and I look elsewhere"
      aria-pressed=${on ? 'true' : 'false'}
      onClick=${() => notice.toggle().then(setOn)}
    >
      <${Icon} name=${on ? 'bell' : 'bell-off'} />
    </button>
  `;
}

function Leave({ facts, go }) {
  const [sure, setSure] = useState(false);
  const leave = () => {
    post(`/api/tables/${facts.id}/leave`).finally(() => go('/'));
  };
  const running = facts.seat >= 0 && facts.status === 'running' && !facts.lesson;
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
