// The sill: the one line over the question, which is always there and never higher. It tells the
// first thing that applies.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { Icon } from '../kit/card.js';
import { percent } from '../kit/chances.js';
import { CHANCES } from '../table/shortcuts.js';
import { useLeft } from '../scene/seat.js';
import { isYours } from '../kit/page.js';
import { counted } from '../table/overlays.js';

/** @import { Acts, Chair, Draw, Note as Line, Open, Scene, Table } from '../types.js'
 * @import { Staged } from '../table/overlays.js' */

/** How long it is told why something cannot be done. */
const TOLD = 8000;
/** How long a move can be taken back from here. */
const TAKE_BACK = 6000;

/** A clause that opens the rules.
 * @param {{ clause?: string, openRules: Acts['openRules'] }} props */
const Clause = ({ clause, openRules }) =>
  clause
    ? html`
        ${' '}
        <button class="clause" onClick=${() => openRules(clause)}>${clause}</button>
      `
    : '';

/** Somebody who is away and can be played for. @param {Table} table */
function idleOf({ scene, facts }) {
  if (facts.seat < 0 || scene.mode === 'over') return null;
  const gone = (/** @type {Chair} */ chair) =>
    chair.plays === 'person' && !chair.here && !chair.stand_in && !chair.you;
  const away = facts.chairs.filter(gone);
  return away.find((chair) => scene.seats?.[chair.seat]?.acts) ?? away[0] ?? null;
}

/** @param {{ chair: Chair, table: Table & { facts: { heard: number } } }} props */
function Idle({ chair, table }) {
  const grace = useLeft(chair.grace ? table.facts.heard + chair.grace : 0, 0);
  return html`
    <div class="sill" data-kind="idle">
      <p>
        <b>${chair.name}</b>
        ${' '}is away.
      </p>
      <button
        class="slimbtn"
        disabled=${grace > 0}
        onClick=${() => table.ask({ type: 'stand_in', seat: chair.seat })}
      >
        <${Icon} name="bot" />
        ${grace > 0 ? `Away, a bot in ${Math.ceil(grace)} s` : 'Let a bot play on'}
      </button>
    </div>
  `;
}

/** A word to the viewer: a hint, or for some seconds why something cannot be done.
 * @param {{ note: Line, set: Draw, table: Table }} props */
function Note({ note, set, table }) {
  useEffect(() => {
    if (note.icon === 'hint') return undefined;
    const timer = setTimeout(() => set({ note: null }), TOLD);
    return () => clearTimeout(timer);
  }, [note]);
  const own = note.options?.find((option) => option.notation === note.move);
  const chance = own ? percent(own.chance) : '%';
  const title = note.title ?? (note.icon === 'hint' ? 'Hint' : '');
  return html`
    <div class="sill why" data-kind=${note.icon === 'hint' ? 'hint' : 'no'} role="status">
      <p title=${note.text}>
        ${
          note.icon === 'hint' &&
          html`
            <${Icon} name="hint" />
            ${' '}
          `
        }
        ${
          title &&
          html`
            <b>${title}:${' '}</b>
          `
        }
        ${note.text}
        <${Clause} clause=${note.clause} openRules=${table.openRules} />
      </p>
      ${
        note.options &&
        html`
          <button
            class="slimbtn chances"
            aria-haspopup="dialog"
            aria-label=${`${chance} ${note.of}; the next best moves`}
            onClick=${() => set((last) => ({ read: last.read === CHANCES ? null : CHANCES }))}
          >
            ${chance}
          </button>
        `
      }
      ${
        note.icon === 'rules' &&
        html`
          <button class="slimbtn" onClick=${() => set({ read: note.text })}>Read</button>
        `
      }
      ${
        note.better &&
        html`
          <button
            class="slimbtn"
            aria-label=${`A better move: ${note.better.note.text}`}
            title=${note.better.note.text}
            onClick=${() => set({ ...note.better })}
          >
            Better
            <kbd>H</kbd>
          </button>
        `
      }
      ${
        note.picks &&
        html`
          <button
            class="slimbtn"
            onClick=${() => table.carryOut(/** @type {number[]} */ (note.picks))}
          >
            Do it
            <kbd>X</kbd>
          </button>
        `
      }
      <button class="slimbtn" aria-label="Close" onClick=${() => set({ note: null })}>
        <${Icon} name="x" />
      </button>
    </div>
  `;
}

/** May the last move be offered for taking back? For some seconds after it.
 * @param {{ scene: Scene, shown: boolean, mayUndo: boolean }} props */
function useTakeBack({ scene, shown, mayUndo }) {
  const [until, setUntil] = useState(0);
  useEffect(() => {
    if (!mayUndo) return undefined;
    setUntil(Date.now() + TAKE_BACK);
    const timer = setTimeout(() => setUntil(0), TAKE_BACK);
    return () => clearTimeout(timer);
  }, [scene.seq, mayUndo]);
  return mayUndo && until > 0 && !shown;
}

/** What is said of what is laid over the table: how a round is counted, or how far a film is.
 * @param {{ staged: Exclude<Staged, { kind: 'attack' }>, table: Table }} props */
const Over = ({ staged, table }) =>
  staged.kind === 'round'
    ? html`
        <div
          class="sill"
          data-kind="round"
          data-stage=${staged.stage}
          style=${{ '--wait': `${staged.wait ?? 0}ms` }}
        >
          <p>
            <b>Counted:${' '}</b>
            ${counted(staged.scene)}
          </p>
        </div>
      `
    : html`
        <div class="sill" data-kind="film" style=${{ '--part': staged.at / staged.of }}>
          <p>
            <b>Since your turn:${' '}</b>
            ${staged.at} of ${staged.of}
          </p>
          <button class="slimbtn" onClick=${table.film}>Stop</button>
        </div>
      `;

/** @param {{ told: Open, set: Draw, table: Table, retry: () => void }} props */
export function Sill({ told, set, table, retry }) {
  const { scene, ask } = table;
  const { lost, note, shown } = told;
  const own = scene.viewer >= 0 && scene.events?.[0]?.seat === scene.viewer;
  const mayUndo = own && scene.mode !== 'over' && !scene.draft;
  const back = useTakeBack({ scene, shown, mayUndo });
  const idle = idleOf(table);
  if (lost) {
    return html`
      <div class="sill" data-kind="lost" role="alert">
        <p>
          <b>Connection lost,</b>
          trying again. Your last move was saved.
        </p>
        <button class="slimbtn" onClick=${retry}>Retry</button>
      </div>
    `;
  }
  if (told.staged && told.staged.kind !== 'attack') {
    return html`
      <${Over} staged=${told.staged} table=${table} />
    `;
  }
  if (note) {
    return html`
      <${Note} note=${note} set=${set} table=${table} />
    `;
  }
  if (idle) {
    return html`
      <${Idle} chair=${idle} table=${table} />
    `;
  }
  if (back) {
    return html`
      <div class="sill" data-kind="back">
        <p>${(scene.events ?? []).map((event) => event.text).join(' ')}</p>
        <button
          class="slimbtn"
          onClick=${() => ask({ type: 'undo', seq: /** @type {number} */ (scene.seq) })}
        >
          <${Icon} name="undo" />
          Take back
          <kbd>Z</kbd>
        </button>
      </div>
    `;
  }
  return html`
    <${Quiet} table=${table} />
  `;
}

/** What happened since the viewer's last turn, else the goal. @param {{ table: Table }} props */
function Quiet({ table }) {
  const { scene, game, openRules } = table;
  const yours = isYours(scene);
  const recap = yours ? (scene.recap ?? []) : [];
  if (recap.length > 0) {
    return html`
      <div class="sill" data-kind="recap">
        <p>
          <b>Since your turn:${' '}</b>
          ${recap.map((part) => part.text).join(' · ')}
        </p>
        ${
          recap.reduce((sum, part) => sum + (part.moves ?? 1), 0) > 1 &&
          html`
            <button class="slimbtn" onClick=${table.film}>
              Show
              <kbd>B</kbd>
            </button>
          `
        }
      </div>
    `;
  }
  return html`
    <div class="sill" data-kind="goal">
      <p>
        <b>Goal:${' '}</b>
        ${game?.goal || game?.blurb || ''}
      </p>
      <button class="slimbtn" onClick=${() => openRules('')}>How to play</button>
    </div>
  `;
}
