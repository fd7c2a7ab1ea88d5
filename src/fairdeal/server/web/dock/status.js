// The status line over the question, whose height never changes. It shows the first of its notices
// that applies.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { Icon } from '../kit/card.js';
import { CHANCES } from '../table/shortcuts.js';
import * as notice from '../kit/notification.js';
import { Clause, isYours } from '../kit/page.js';
import { roomTime } from '../kit/time.js';
import { isOut, others, useLeft } from '../scene/seat.js';
import { DAY, count, freeSeats, percent } from '../kit/words.js';
import { toldBy } from '../scene/moment.js';
import { LINES, isLost } from '../kit/socket.js';
import { Tap, isFirstTap } from './prompt.js';
import { CROWD, byBots, counted, lineOf } from '../table/staging.js';

/** @import { Acts, Chair, Draw, MessagesSaid, Note as Line, Scene, Table } from '../types.js'
 * @import { Frame } from '../table/staging.js' */

/** The time for which the reason of a refusal is shown. */
const TOLD = 8000;
/** The time for which the line offers to take a move back, once it is the viewer's turn again. */
const TAKE_BACK = 6000;

/** Return the time for which a message is shown, in seconds: longer if it has more letters.
 * @param {MessagesSaid} said */
export const lasts = ({ text }) => Math.min(12, 4 + text.length / 16);

/** The last messages of the chat, without those of muted guests.
 * @param {Pick<Table, 'chat' | 'muted'>} table */
export function useSaid({ chat, muted }) {
  const [, beat] = useState(0);
  const now = roomTime();
  const said = chat
    .slice(-20)
    .filter((one) => now - one.at < lasts(one) && !muted.includes(one.name));
  useEffect(() => {
    if (!said.length) return undefined;
    const timer = setTimeout(() => beat((n) => n + 1), 500);
    return () => clearTimeout(timer);
  });
  return said;
}

/** Return a sentence about the moves that a bot made for the viewer. @param {Scene} scene */
export const standIn = ({ stood_in: moves }) =>
  moves ? `A bot played ${count(moves, 'move')} for you.` : '';

/** A player who is away and can be played for. @param {Table} table */
function idleOf({ scene, facts }) {
  if (facts.seat < 0 || scene.mode === 'over' || facts.clock >= DAY) return null;
  const gone = (/** @type {Chair} */ chair) =>
    chair.plays === 'person' && !chair.here && !chair.stand_in && !chair.you;
  const away = facts.chairs.filter(gone);
  return away.find((chair) => scene.seats[chair.seat]?.acts) ?? away[0] ?? null;
}

/** @param {{ chair: Chair, table: Table & { facts: { heard: number } } }} props */
function Idle({ chair, table }) {
  const grace = useLeft(chair.grace ? table.facts.heard + chair.grace : 0);
  return html`
    <div class="status-line" data-kind="idle">
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
 * @param {{ note: Line, table: Table }} props */
function Note({ note, table }) {
  const { set } = table;
  useEffect(() => {
    if (note.icon === 'hint') return undefined;
    const timer = setTimeout(() => set({ note: null }), TOLD);
    return () => clearTimeout(timer);
  }, [note]);
  const own = note.options?.find((option) => option.notation === note.move);
  const chance = own ? percent(own.chance) : '%';
  const title = note.title ?? (note.icon === 'hint' ? 'Hint' : '');
  return html`
    <div class="status-line why" data-kind=${note.icon === 'hint' ? 'hint' : 'no'} role="status">
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
        ${note.text} ${' '}
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

/** Is the undo of the viewer's last move offered? As long as it is possible, but only for some
 * seconds once it is their turn again.
 * @param {Scene} scene @param {boolean} may */
function useTakeBack(scene, may) {
  const [over, setOver] = useState(false);
  const yours = isYours(scene);
  useEffect(() => {
    setOver(false);
    if (!may || !yours) return undefined;
    const timer = setTimeout(() => setOver(true), TAKE_BACK);
    return () => clearTimeout(timer);
  }, [scene.seq, may, yours]);
  return may && !over;
}

/** The offer to undo the viewer's last move, with the answers of bots.
 * @param {{ table: Table }} props */
function Back({ table: { scene, ask } }) {
  const recap = isYours(scene) ? scene.recap : [];
  return html`
    <div class="status-line" data-kind="back">
      <p>${recap.map((part) => part.text).join(' · ') || toldBy(scene)}</p>
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

/** The line about an overlay of the table: how a round is counted, or how far a film has got.
 * @param {{ staged: Extract<Frame, { kind: 'round' | 'film' }>, table: Table }} props */
const Over = ({ staged, table }) =>
  staged.kind === 'round'
    ? html`
        <div
          class="status-line"
          data-kind="round"
          data-stage=${staged.stage}
          style=${{ '--wait': `${staged.time}ms` }}
        >
          <p>
            <b>Counted:${' '}</b>
            ${counted(staged.scene)}
          </p>
        </div>
      `
    : html`
        <div class="status-line" data-kind="film" style=${{ '--part': staged.at / staged.of }}>
          <p>
            <b>Since your turn:${' '}</b>
            ${staged.at} of ${staged.of}
          </p>
          <button class="slimbtn" onClick=${table.film}>Stop</button>
        </div>
      `;

/** Offers for a viewer who is out: to skip to the end if only bots still play, or to be told when
 * the game ends.
 * @param {{ table: Table }} props */
function Out({ table: { facts, scene, skipped, skipToEnd } }) {
  const [told, setTold] = useState(notice.isOn());
  const left = scene.seats.filter((seat) => seat.state !== 'out').length;
  const alone = !others(facts, scene);
  const later = !alone && told ? ' You will be notified when it ends.' : '';
  const still = `${left} are still playing.${later}`;
  return html`
    <div class="status-line" data-kind="out">
      <p>
        <b>You are out.${' '}</b>
        ${skipped < 0 ? still : `Skipping to the end: move ${skipped} …`}
      </p>
      ${
        alone
          ? html`
              <button class="slimbtn" disabled=${skipped >= 0} onClick=${skipToEnd}>
                Skip to the end
              </button>
            `
          : notice.able() &&
            !told &&
            html`
              <button class="slimbtn" onClick=${async () => setTold(await notice.toggle())}>
                Tell me when it ends
              </button>
            `
      }
    </div>
  `;
}

/** A chat message that arrives while the chat is not in view; a tap anywhere on the line opens it.
 * @param {{ said: MessagesSaid, set: Draw }} props */
const Said = ({ said, set }) => html`
  <div class="status-line" data-kind="said">
    <p>
      <b>${said.name}:${' '}</b>
      <bdi>${said.text}</bdi>
    </p>
    <button
      class="slimbtn"
      aria-label="Open the chat"
      onClick=${() => set({ tab: 'chat', drawer: true, unread: 0 })}
    >
      <${Icon} name="chat" />
    </button>
  </div>
`;

/** The state of the last request. @param {Table} table */
function fate({ line, owed, facts, scene }) {
  if (owed.some(({ type }) => type === 'pick' || type === 'play')) return 'Your choice is kept.';
  if (owed.some(({ type }) => type === 'say')) return 'Your message is kept.';
  if (owed.length) return 'What you asked for is kept.';
  return line !== 'waits' && facts.seat >= 0 && scene.seq ? 'Your last move was saved.' : '';
}

/** The room does not answer; if something is asked for that is not kept, it is seen to be refused.
 * @param {{ table: Table, retry: () => void }} props */
function Unanswered({ table, retry }) {
  const { line, refusals } = table;
  const [what, how] = LINES[line];
  return html`
    <div
      class="status-line"
      key=${refusals}
      data-kind=${isLost(table) ? 'lost' : line}
      data-refused=${refusals > 0 || undefined}
      role=${isLost(table) ? 'alert' : 'status'}
    >
      <p>
        <b>${what}</b>
        ${how}. ${fate(table)}
      </p>
      ${
        isLost(table) &&
        html`
          <button class="slimbtn" onClick=${retry}>Retry</button>
        `
      }
    </div>
  `;
}

/** @param {{ table: Table, retry: () => void }} props */
export function StatusLine({ table, retry }) {
  const { scene, line, note, undo, staged } = table;
  const back = useTakeBack(scene, undo === scene.seq && !scene.draft);
  const idle = idleOf(table);
  const said = useSaid(table).at(-1);
  if (line !== 'on') {
    return html`
      <${Unanswered} table=${table} retry=${retry} />
    `;
  }
  if (staged?.kind === 'round' || staged?.kind === 'film') {
    return html`
      <${Over} staged=${staged} table=${table} />
    `;
  }
  if (note) {
    return html`
      <${Note} note=${note} table=${table} />
    `;
  }
  if (idle) {
    return html`
      <${Idle} chair=${idle} table=${table} />
    `;
  }
  if (back) {
    return html`
      <${Back} table=${table} />
    `;
  }
  if (said && table.unread > 0) {
    return html`
      <${Said} said=${said} set=${table.set} />
    `;
  }
  if (isOut(scene)) {
    return html`
      <${Out} table=${table} />
    `;
  }
  return isFirstTap(table)
    ? html`
        <${Tap} table=${table} />
      `
    : html`
        <${Quiet} table=${table} />
      `;
}

/** The moves since the viewer's last turn, or the goal. @param {{ table: Table }} props */
function Quiet({ table }) {
  const { scene, game, openRules, facts } = table;
  const yours = isYours(scene);
  const live = scene.mode === 'live';
  if (live && !yours && facts.chairs.length >= CROWD && byBots(scene, facts)) {
    return html`
      <div class="status-line" data-kind="news">
        <p title=${lineOf(scene)}>${lineOf(scene)}</p>
      </div>
    `;
  }
  const recap = yours ? scene.recap : [];
  if (recap.length > 0 || scene.stood_in) {
    return html`
      <div class="status-line" data-kind="recap">
        <p>
          <b>${standIn(scene) || 'Since your turn:'}${' '}</b>
          ${recap.map((part) => part.text).join(' · ')}
        </p>
        ${
          recap.reduce((sum, part) => sum + part.moves, 0) > 1 &&
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
  if (facts.seat < 0 && freeSeats(facts).length) {
    return html`
      <div class="status-line" data-kind="free">
        <p>A player has left this game, and a bot plays for them.</p>
        <button class="slimbtn" onClick=${() => location.assign(`/t/${facts.id}`)}>
          Sit down there
        </button>
      </div>
    `;
  }
  return html`
    <div class="status-line" data-kind="goal">
      <p>
        <b>Goal:${' '}</b>
        ${game?.goal || game?.blurb || ''}
      </p>
      <button class="slimbtn" onClick=${() => openRules('')}>How to play</button>
    </div>
  `;
}
