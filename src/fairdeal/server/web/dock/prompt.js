// The prompt: one sentence that says what to do, and the buttons that answer it. It has one height
// for every question; what does not fit is behind More, in a popover over the middle.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { partOf } from '../kit/decoded.js';
import { Icon, IconButton } from '../kit/card.js';
import { isNoteNew, noteRead } from '../privacy/stored.js';
import { get } from '../kit/api.js';
import { Clause, Next, isYours, useMatch } from '../kit/page.js';
import { Coach, isLesson } from '../learn/lesson.js';
import { asked } from '../stage/instrument.js';
import { Values } from './values.js';
import { time, useLeft } from '../scene/seat.js';

/** @import { Acts, Choice, Go, Prompt as Asked, Scene, Table } from '../types.js' */

/** The number of answers in the row, on a desk and on a phone. Values take the place of one. */
const FIT = { desk: 5, phone: 3 };
/** A longer question is set smaller. */
const LONG = 44;

/** There is as little room as on a phone. */
const phone = matchMedia('(max-width: 639.98px), (max-height: 30rem)');

const Dots = () => html`
  <span class="dots" aria-hidden="true">
    <i></i>
    <i></i>
    <i></i>
  </span>
`;

/** The choices that are buttons: those of the table, and of the piles that lie on it, each once.
 * @param {Choice[]} choices */
export function buttonsOf(choices) {
  const buttons = choices.filter((choice) => choice.kind === 'button');
  const known = new Set(buttons.map((choice) => choice.id));
  return [
    ...buttons,
    ...choices.filter((choice) => choice.kind === 'zone' && !known.has(choice.id)),
  ];
}

/** Divide the buttons into those in the row and those behind More.
 * @param {Choice[]} buttons @param {number} fits */
function split(buttons, fits) {
  const first = buttons.filter((choice) => choice.main || !choice.rank);
  const rest = buttons.filter((choice) => !first.includes(choice));
  const room = rest.length || first.length > fits ? fits - 1 : fits;
  return { shown: first.slice(0, room), more: [...first.slice(room), ...rest] };
}

/** Are the buttons all that can be chosen, and is none the main one? Only then are they all filled,
 * because beside cards and values, a button such as Pass is seldom the answer.
 * @param {Choice[]} choices @param {Choice[]} buttons @param {Scene['draft']} draft */
function areEqual(choices, buttons, draft) {
  const answers = new Set(buttons.map((choice) => choice.id));
  if (draft || answers.size < 2 || buttons.some((choice) => choice.main)) return false;
  return choices.every((choice) => answers.has(choice.id));
}

/** @param {{ buttons: Choice[], equal: boolean, pick: Acts['pick'], openMore: Acts['openMore'],
 *   hint?: Set<string>, fits: number }} props equal: whether they are all filled, fits: how many */
function Buttons({ buttons, equal, pick, openMore, hint, fits }) {
  const { shown, more } = split(buttons, fits);
  const several = buttons.length > 1;
  const kind = (/** @type {Choice} */ choice) => (choice.main || equal ? 'btn main' : 'btn');
  const key = (/** @type {Choice} */ choice, /** @type {number} */ number) =>
    several || choice.key
      ? html`
          ${' '}
          <kbd class="hide-s">${choice.key || number + 1}</kbd>
        `
      : '';
  return html`
    <div class="acts">
      ${shown.map(
        (choice, number) => html`
          <button
            key=${choice.id}
            class=${kind(choice)}
            data-hint=${hint?.has(String(choice.id)) || undefined}
            onClick=${() => pick([choice], choice.on)}
          >
            <span>${choice.label}</span>
            ${key(choice, number)}
          </button>
        `,
      )}
      ${
        more.length > 0 &&
        html`
          <button class="btn more" aria-haspopup="dialog" onClick=${() => openMore(more)}>
            More
          </button>
        `
      }
    </div>
  `;
}

/** The question, and its clause.
 * @param {{ prompt: Asked, openRules: Acts['openRules'] }} props */
function Ask({ prompt, openRules }) {
  const yours = prompt.mode === 'yours';
  const waits = !['yours', 'over', 'replay'].includes(prompt.mode);
  return html`
    <div class="ask">
      <b class="question" title=${prompt.text} data-long=${prompt.text.length > LONG || undefined}>
        ${prompt.text}${
          waits &&
          html`
            ${' '}
            <${Dots} />
          `
        }
      </b>
      <span class="help" title=${prompt.sub}>
        <span>${prompt.sub}</span>
        ${' '}
        <${Clause} clause=${yours ? prompt.clause : ''} openRules=${openRules} />
      </span>
    </div>
  `;
}

/** @param {{ until: number }} props */
function Clock({ until }) {
  const left = useLeft(until);
  return html`
    <span class="clock" translate=${false} data-late=${left < 10 || undefined}>
      <${Icon} name="clock" />
      ${time(left)}
    </span>
  `;
}

/** Where to go on, while others are asked here.
 * @param {{ id: string, seq: number, hidden: boolean, go: Go }} props */
function Onward({ id, seq, hidden, go }) {
  const [tables, setTables] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    get('/api/me/turns').then(
      (found) => setTables(found.filter((table) => table !== id)),
      () => 0,
    );
  }, [id, seq]);
  if (hidden || !tables.length) return null;
  return html`
    <div class="acts"><${Next} tables=${tables} go=${go} /></div>
  `;
}

/** @param {{ table: Table, go: Go }} props */
export const Prompt = ({ table, go }) =>
  isLesson(table)
    ? html`
        <${Coach} table=${table} />
      `
    : html`
        <${Question} table=${table} go=${go} />
      `;

/** @param {{ table: Table, go: Go }} props */
function Question({ table, go }) {
  const { scene, pick, takeBack, openRules, openMore } = table;
  const { draft } = scene;
  const prompt = scene.prompt ?? partOf('Prompt', { mode: 'waiting', text: 'Watching' });
  const yours = prompt.mode === 'yours';
  const choices = asked(scene, table.offered);
  const buttons = buttonsOf(choices);
  const values = choices.filter((choice) => choice.kind === 'value');
  const main = buttons.find((choice) => choice.main);
  const now = main?.label?.match(/\d+$/)?.[0];
  const narrow = useMatch(phone);
  return html`
    <div
      class="prompt"
      role="group"
      tabindex="-1"
      aria-label=${`${yours ? 'Your move' : 'The game'}: ${prompt.text}`}
      data-yours=${yours || undefined}
      data-wait=${!yours || undefined}
    >
      ${
        draft?.undo &&
        html`
          <${IconButton}
            name="undo"
            class="back"
            label="Undo"
            title="Undo (Esc)"
            onClick=${takeBack}
          />
        `
      }
      <${Ask} prompt=${prompt} openRules=${openRules} />
      ${
        prompt.until > 0 && scene.stage?.kind !== 'race'
          ? html`
              <${Clock} until=${prompt.until} />
            `
          : ''
      }
      ${
        values.length > 0 &&
        html`
          <${Values} ...${{ values, now, main, pick, hint: table.hint, narrow }} />
        `
      }
      ${
        buttons.length > 0 &&
        html`
          <${Buttons}
            ...${{ buttons, pick, openMore, hint: table.hint }}
            equal=${areEqual(choices, buttons, draft)}
            fits=${narrow ? FIT.phone - (values.length ? 1 : 0) : FIT.desk}
          />
        `
      }
      <${Onward}
        id=${table.facts.id}
        seq=${scene.seq}
        hidden=${yours || buttons.length > 0}
        go=${go}
      />
    </div>
  `;
}

/** The note on how cards are chosen, among those on rules. */
const CHOOSING = 'choosing a card';
const finger = matchMedia('(pointer: coarse)');

/** Must a card be chosen, by a guest who has never chosen one in this game? @param {Table} table */
export const isFirstTap = ({ scene, facts }) =>
  facts.seat >= 0 &&
  isYours(scene) &&
  !scene.draft &&
  scene.choices.some(({ kind }) => kind === 'card') &&
  !scene.choices.some(({ main }) => main) &&
  isNoteNew(facts.game, CHOOSING);

/** A line that says how to choose a card, until the first choice.
 * @param {{ table: Table }} props */
export function Tap({ table: { facts, openRules } }) {
  useEffect(() => () => noteRead(facts.game, CHOOSING), []);
  return html`
    <div class="status-line" data-kind="tap">
      <p>
        ${
          finger.matches
            ? html`
                <b>Tap a lit card</b>
                ${' '}to choose it.
              `
            : html`
                <b>Click a lit card</b>
                ${' '}to choose it, or go to it with the arrow keys and press Space.
              `
        }
      </p>
      <button class="slimbtn" onClick=${() => openRules('')}>How to play</button>
    </div>
  `;
}
