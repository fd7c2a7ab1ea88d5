// A table while it is played, and when its game is over: the others, the middle, the dock with
// question and hand, the panel.
import { html, useEffect } from '../vendor/htm-preact.js';
import { Header } from './header.js';
import { Icon } from '../kit/card.js';
import { Alarm } from '../kit/page.js';
import { Field, Rivals, Tray, cloth, frame } from '../scene/field.js';
import { LessonLine } from '../learn/lesson.js';
import { Panel } from './panel.js';
import { Prompt } from '../dock/prompt.js';
import { StatusLine } from '../dock/status.js';
import { Popover } from '../kit/popover.js';
import { later } from '../kit/lazy.js';
import { LINES, isLost } from '../kit/socket.js';

/** @import { Chosen, Facts, Go, Line, Ref, Table } from '../types.js'
 * @import { Noting } from '../learn/tips.js'
 * @import { Play } from './play.js' */

/** The parts that a table loads later. */
const LATER = {
  counting: () => import('./counting.js'),
  ending: () => import('./ending.js'),
  inspector: () => import('../scene/inspector.js'),
  pile: () => import('../scene/pile.js'),
  read: () => import('../dock/reader.js'),
  speech: () => import('./speech.js'),
};
const Counting = later(LATER.counting, 'Counting');
const Ending = later(LATER.ending, 'Ending');
const Inspector = later(LATER.inspector, 'Inspector');
const Pile = later(LATER.pile, 'Pile');
const Read = later(LATER.read, 'Read');
const Speech = later(LATER.speech, 'Speech');

/** Fetch it while nothing else is to be done, so that it is there when it is wanted. */
function useLater() {
  useEffect(() => {
    const fetchAll = () => Object.values(LATER).forEach((load) => load().catch(() => 0));
    const timer = setTimeout(fetchAll, 1500);
    return () => clearTimeout(timer);
  }, []);
}

/** The problem with the room, or with the connection unless it is shown elsewhere.
 * @param {{ facts: Facts, line?: Line }} props */
export const Trouble = ({ facts, line = 'on' }) =>
  (facts.trouble || line !== 'on') &&
  html`
    <div class="banner" role="status">
      <${Icon} name="off" />
      ${line === 'on' ? facts.trouble : `${LINES[line].join('')}.`}
    </div>
  `;

/** The parts that are above the field for a while.
 * @param {{ table: Table, noting: Noting | null }} props */
function Above({ table, noting }) {
  const { scene, set, read, note, pile, staged, bite } = table;
  const fanned = pile && scene.zones.find((zone) => zone.id === pile);
  return html`
    ${
      read &&
      html`
        <${Read} read=${read} note=${note} close=${() => set({ read: null })} />
      `
    }
    ${
      fanned &&
      html`
        <${Pile} zone=${fanned} table=${table} close=${() => set({ pile: '' })} />
      `
    }
    ${
      staged?.kind === 'round' &&
      staged.stage !== 'look' &&
      html`
        <${Counting} staged=${staged} table=${table} />
      `
    }
    ${
      bite &&
      html`
        <${bite.Note} bite=${bite} table=${table} noting=${noting} />
      `
    }
  `;
}

/** A game that runs, or one that is over.
 * @param {{ table: Table, wrong: string[], root: Ref, play: Play, go: Go }} props */
export function Board({ table, wrong, root, play, go }) {
  const { facts, scene, skin, drawer } = table;
  const lost = isLost(table);
  useLater();
  return html`
    <div
      class="app"
      data-skin=${skin.name}
      data-drawer=${drawer || undefined}
      data-lost=${lost || undefined}
      data-noted=${Boolean(table.bite) || undefined}
      ...${frame(scene)}
      style=${cloth(skin)}
    >
      <${Header} table=${table} wrong=${wrong} go=${go} />
      <main class="table" ref=${root} aria-label=${`${facts.title} table`}>
        <${Alarm} wrong=${scene.mode === 'over' && !facts.lesson ? [] : wrong} />
        <h2 class="sr">The table</h2>
        <${Rivals} viewer=${scene.viewer} table=${table} />
        <${Field} table=${table}>
          <${Menu} table=${table} />
          <${Above} table=${table} noting=${play.noting} />
        <//>
        <div class="dock">
          ${
            facts.lesson && table.line === 'on'
              ? html`
                  <${LessonLine} table=${table} go=${go} />
                `
              : html`
                  <${StatusLine} table=${table} retry=${() => play.socket?.connect()} />
                `
          }
          <${Prompt} table=${table} go=${go} />
          <${Tray} table=${table} />
        </div>
        ${
          scene.mode === 'over' &&
          !facts.lesson &&
          html`
            <${Ending} key=${facts.id} ...${{ table, root, go }} />
          `
        }
        ${
          !lost &&
          html`
            <${Trouble} facts=${facts} />
          `
        }
        ${
          !table.staged?.scene &&
          html`
            <${Inspector} root=${root} table=${table} />
          `
        }
        <${Speech} table=${table} root=${root} />
      </main>
      <${Panel} table=${table} />
    </div>
  `;
}

/** Several choices of one card, or more answers than the row has room for.
 * @param {{ table: Table }} props */
function Menu({ table: { menu, set, send } }) {
  if (!menu) return null;
  const close = () => set({ menu: null });
  const choose = (/** @type {Chosen} */ choice) => {
    close();
    send(choice);
  };
  return html`
    <${Popover} label=${menu.title ?? 'Which of these?'} close=${close}>
      <b>${menu.title ?? 'Which of these?'}</b>
      <div class="acts">
        ${menu.choices.map(
          (choice, number) => html`
            <button
              class="btn"
              key=${choice.id}
              data-first=${number ? undefined : true}
              onClick=${() => choose(choice)}
            >
              ${choice.label}
            </button>
          `,
        )}
      </div>
    <//>
  `;
}
