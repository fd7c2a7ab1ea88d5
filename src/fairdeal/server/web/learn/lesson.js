// A lesson: what the coach says in the place of the prompt, what they point at, and the way out.
import { html, useEffect, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { gameOf, post } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { useKeydown } from '../kit/keyboard.js';
import { hasWon } from '../scene/moment.js';
import { asked } from '../stage/instrument.js';
import { learnt, quickTable } from '../kit/opponents.js';

/** @import { Choice, Facts, GameFacts, Go, Lesson, Prompt, Ref, Scene, Stateful,
 *   Table } from '../types.js' */

/** The coach's own choices, as the room numbers them. */
const [SKIP, BACK] = [-2, -3];
/** A table at which a lesson is under way.
 * @typedef {Table & { scene: { lesson: Lesson, prompt: Prompt } }} Taught */

/** When the pointer looks again where its target is, in milliseconds: cards travel meanwhile. */
const LOOKS = [0, 160, 480];
/** The distance of the dashed frame from its target; how far from the target the middle of the
 * wedge is, and how far it dips into the cards of a hand, below the words of the prompt. */
const OFF = 6;
const WEDGE = { reach: OFF + 16.5, dip: OFF - 2.5, half: 17 };

/** Is this a lesson, and not a table of the room? @param {Table} table */
export const isLesson = ({ facts, scene }) =>
  Boolean(scene.lesson || (facts.lesson && scene.mode === 'over'));

/** The element that the coach points at; a button is lit, and needs no pointer.
 * @param {Lesson} lesson @returns {HTMLElement | null} */
function target({ kind, on }) {
  const found = {
    card: () => document.querySelector(`.table [data-id="${CSS.escape(on)}"]`),
    zone: () => document.querySelector(`.table [data-zone="${CSS.escape(on)}"]`),
    seat: () => document.querySelector(`.rivals [data-seat="${CSS.escape(on)}"]`) ?? mine(),
  }[/** @type {'card' | 'zone' | 'seat'} */ (kind)]?.();
  return /** @type {HTMLElement | null} */ (found ?? null);
}

/** The viewer's own place. */
const mine = () => document.querySelector('.dock .me');

/** The boxes of all words on the table, except for those on cards. */
function boxesOfWords() {
  /** @type {DOMRect[]} */ const found = [];
  const table = document.querySelector('.table');
  const texts = table && document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  for (let node = texts?.nextNode(); node; node = texts?.nextNode()) {
    const holder = node.parentElement;
    if (!node.nodeValue?.trim() || !holder?.checkVisibility()) continue;
    if (holder.closest('.card, .sr')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    found.push(...range.getClientRects());
  }
  return found;
}

/** The sides on which the wedge may stand, the usual one first, each with its middle there.
 * @param {DOMRect} box @param {boolean} below @returns {[string, number, number][]} */
function sidesOf({ left, right, top, bottom }, below) {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  /** @type {[string, number, number][]} */ const others = [
    ['above', x, top + WEDGE.dip],
    ['right', right + WEDGE.reach, y],
    ['left', left - WEDGE.reach, y],
  ];
  return below ? [['below', x, bottom + WEDGE.reach], ...others] : others;
}

/** Where the pointer stands: a frame around its target, and a wedge at the first side where it
 * covers no words. A zone has the frame alone: a wedge would point at one of its cards.
 * @param {HTMLElement | null} found */
function standing(found) {
  const box = found?.getBoundingClientRect();
  if (!box?.width) return null;
  const below = !found?.closest('.dock') && box.bottom + 56 < innerHeight;
  const frame = {
    left: `${box.left - OFF}px`,
    top: `${box.top - OFF}px`,
    width: `${box.width + 2 * OFF}px`,
    height: `${box.height + 2 * OFF}px`,
  };
  if (found?.matches('.zone')) return { frame, side: '' };
  const [words, sides, { half }] = [boxesOfWords(), sidesOf(box, below), WEDGE];
  const free = sides.find(
    ([, x, y]) =>
      x > half &&
      x + half < innerWidth &&
      !words.some(
        ({ left, right, top, bottom }) =>
          left < x + half && right > x - half && top < y + half && bottom > y - half,
      ),
  );
  return { frame, side: (free ?? sides[0])[0] };
}

/** A wedge of ink and a dashed frame about what the step is about.
 * @param {{ lesson: Lesson, scene: Scene }} props */
function Pointer({ lesson, scene }) {
  /** @type {Stateful<ReturnType<typeof standing>>} */ const [place, setPlace] = useState(null);
  useLayoutEffect(() => {
    /** @type {number[]} */ let timers = [];
    const look = () => setPlace(standing(target(lesson)));
    const lookOften = () => {
      look();
      timers.forEach(clearTimeout);
      timers = LOOKS.map((wait) => setTimeout(look, wait));
    };
    lookOften();
    addEventListener('resize', lookOften);
    addEventListener('scroll', look, true);
    return () => {
      timers.forEach(clearTimeout);
      removeEventListener('resize', lookOften);
      removeEventListener('scroll', look, true);
    };
  }, [scene]);
  if (!place) return null;
  return html`
    <div class="coach-wedge" aria-hidden="true" data-side=${place.side} style=${place.frame}>
      ${
        place.side &&
        html`
          <i key=${`${lesson.step} ${lesson.on}`}></i>
        `
      }
    </div>
  `;
}

/** The card or button that a step asks for has the focus, so that Enter does it.
 * @param {Taught['scene']} scene @param {Ref} bar */
function useFocus(scene, bar) {
  useEffect(() => {
    const now = document.activeElement;
    if (now && now !== document.body && now.closest('.side, .top, [role=dialog]')) return;
    const card = scene.choices.some((choice) => choice.on) ? target(scene.lesson) : null;
    const next = card?.matches('button') && !scene.draft ? card : bar.current;
    next?.focus({ preventScroll: true });
  }, [scene]);
}

/** Backspace shows the step before again, and Escape leads to the way out. @param {Taught} table */
function useWays(table) {
  useKeydown(({ key, target: at }) => {
    const { lesson, draft } = table.scene;
    if (at.closest('input, textarea, [role=dialog]')) return;
    if (key === 'Backspace' && lesson.step > 1) table.send({ id: BACK }, []);
    if (key === 'Escape' && !draft) {
      /** @type {HTMLElement | null} */ (document.querySelector('.status-line .leave'))?.focus();
    }
  });
}

/** @param {{ lesson: Lesson }} props */
const Ticks = ({ lesson: { step, of } }) => html`
  <span class="ticks" aria-hidden="true">
    ${Array.from(
      { length: of },
      (_, number) => html`
        <i
          data-now=${number + 1 === step || undefined}
          data-done=${number + 1 < step || undefined}
        ></i>
      `,
    )}
  </span>
`;

/** The way to the lesson that follows, if there is one.
 * @param {{ facts: Facts, main?: boolean }} props */
const Onward = ({ facts, main }) =>
  facts.next_lesson &&
  html`
    <a
      class=${main ? 'btn main' : 'btn'}
      href=${`/learn/${facts.game}/${facts.next_lesson.name}`}
      title=${facts.next_lesson.title}
    >
      Next lesson
    </a>
  `;

/** The buttons: the answer to the question, and a quiet way on. @param {{ table: Taught }} props */
const Answers = ({ table }) => {
  const { lesson } = table.scene;
  const buttons = asked(table.scene, table.offered).filter((choice) => choice.kind === 'button');
  const kind = (/** @type {Choice} */ choice) =>
    choice.id === SKIP ? 'btn bare' : choice.main ? 'btn main' : 'btn';
  const ordered = [...buttons].sort(
    (one, other) => Number(other.id === SKIP) - Number(one.id === SKIP),
  );
  return html`
    <div class="acts">
      ${
        lesson.step === lesson.of &&
        html`
          <${Onward} facts=${table.facts} />
        `
      }
      ${ordered.map(
        (choice) => html`
          <button key=${choice.id} class=${kind(choice)} onClick=${() => table.pick([choice], '')}>
            <span>${choice.label}</span>
            ${
              choice.main &&
              html`
                ${' '}
                <kbd class="hide-s">Enter</kbd>
              `
            }
          </button>
        `,
      )}
    </div>
  `;
};

/** The prompt of a lesson. @param {{ table: Table }} props */
export function Coach({ table }) {
  return table.scene.lesson
    ? html`
        <${Step} table=${table} />
      `
    : html`
        <${Learnt} table=${table} />
      `;
}

/** @param {{ table: Taught }} props */
function Step({ table }) {
  const { scene } = table;
  const { lesson, prompt } = scene;
  const bar = useRef(null);
  const acts = scene.choices.some((choice) => choice.id === SKIP);
  const yours = prompt.mode === 'yours';
  useFocus(scene, bar);
  useWays(table);
  return html`
    <div
      class="prompt coach"
      role="group"
      tabindex="-1"
      ref=${bar}
      aria-label=${`Lesson, step ${lesson.step} of ${lesson.of}: ${prompt.text}`}
      data-yours=${acts || undefined}
      data-wait=${!yours || undefined}
    >
      <${Ticks} lesson=${lesson} />
      <${Icon} name="pencil" />
      <div class="ask">
        <b class="question">${prompt.text}</b>
        <span class="help">${prompt.sub}</span>
      </div>
      ${
        yours &&
        html`
          <${Answers} table=${table} />
        `
      }
    </div>
    <${Pointer} lesson=${lesson} scene=${scene} />
  `;
}

/** The game that began as a lesson is over. @param {{ table: Table }} props */
function Learnt({ table }) {
  const { facts, scene } = table;
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const won = Boolean(scene.result && hasWon(scene.result, scene.viewer));
  const after = facts.next_lesson
    ? `Next: ${facts.next_lesson.title}`
    : `You know the game now${won ? ', and have won one' : ''}. Play a full game?`;
  const open = () => {
    setBusy(true);
    setProblem('');
    gameOf(facts.game)
      .then((game) => post('/api/tables', quickTable(/** @type {GameFacts} */ (game))))
      .then(
        ({ id }) => location.assign(`/t/${id}`),
        (reason) => {
          setProblem(reason.message);
          setBusy(false);
        },
      );
  };
  return html`
    <div
      class="prompt coach"
      role="group"
      tabindex="-1"
      aria-label="The lesson is over"
      data-won=${won || undefined}
    >
      <${Icon} name=${won ? 'trophy' : 'pencil'} />
      <div class="ask" role="status">
        <b class="question">${scene.result?.text ?? scene.prompt?.text}</b>
        <span class="help">${problem || after}</span>
      </div>
      <div class="acts">
        <a class="btn" href=${`/learn/${facts.game}/${facts.lesson}`}>Once more</a>
        <button class=${facts.next_lesson ? 'btn' : 'btn main'} disabled=${busy} onClick=${open}>
          New game
        </button>
        <${Onward} facts=${facts} main=${true} />
      </div>
    </div>
  `;
}

/** The one line over the prompt: where the learner is, or what they were told last.
 * @param {{ table: Table, go: Go }} props */
export function LessonLine({ table, go }) {
  const { facts, scene, note } = table;
  const { lesson } = scene;
  const leave = (/** @type {Event} */ event) => {
    event.preventDefault();
    go('/');
  };
  useEffect(() => {
    if (!lesson) learnt(facts.game);
  }, [lesson]);
  const done = scene.mode === 'over' ? 'done.' : 'done. Keep playing if you like.';
  const where = lesson ? `step ${lesson.step} of ${lesson.of}` : done;
  const line = note
    ? html`
        <p class="why" role="status">${note.text}</p>
      `
    : html`
        <p>
          <${Icon} name="rules" />
          ${' '}
          <b>Lesson,${' '}</b>
          ${where}
        </p>
      `;
  return html`
    <div class="status-line" data-kind="lesson">
      ${line}
      <a class="slimbtn leave" href="/" onClick=${leave}>
        Leave the lesson
        <span class="sr">${' '}of ${facts.title}</span>
      </a>
    </div>
  `;
}
