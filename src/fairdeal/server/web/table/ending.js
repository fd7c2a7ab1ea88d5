// The end of a game, in the order of a good host: what decided it is looked at, one sentence is
// read, then the points are counted on a sheet that lets the table be seen.
import { html, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { partOf } from '../kit/decoded.js';
import { Card } from '../kit/card.js';
import { useKeydown } from '../kit/keyboard.js';
import { useQuestion } from '../kit/press.js';
import { useResized } from '../stage/instrument.js';
import { cardsIn, hasWon } from '../scene/moment.js';
import { Verdict } from './verdict.js';

/** @import { Go, Light, Ref, Result, Table } from '../types.js'
 * @import { Box } from '../learn/tips.js' */

/** The distance that the light reaches beyond a card, in pixels. */
const MARGIN = 8;

/** Whether the sheet is pushed down. It makes way for what is opened on the table, and comes back
 * when that is closed.
 * @param {boolean} opened @param {boolean} shown whether there is a sheet
 * @returns {[boolean, (down: boolean) => void]} */
function useDown(opened, shown) {
  const [down, setDown] = useState(false);
  const makesWay = useRef(false);
  useLayoutEffect(() => {
    if (opened && shown && !down) {
      makesWay.current = true;
      setDown(true);
    } else if (!opened) {
      if (makesWay.current) setDown(false);
      makesWay.current = false;
    }
  }, [opened, shown, down]);
  return [down, setDown];
}

/** Is some of it on the screen, under nothing else? @param {Element} part */
function isClear(part) {
  const { left, top, width, height } = part.getBoundingClientRect();
  const shares = [0.1, 0.5, 0.9];
  return shares.some((across) =>
    shares.some((down) =>
      part.contains(document.elementFromPoint(left + across * width, top + down * height)),
    ),
  );
}

/** The cards and the seats of a table that decided a game.
 * @param {HTMLElement} table @param {Light} light @param {number} viewer */
function decidingParts(table, { cards, seats }, viewer) {
  const all = (/** @type {string} */ selector) => [...table.querySelectorAll(selector)];
  const lie = cards.flatMap((id) => all(`[data-id="${CSS.escape(id)}"]`));
  const sit = seats.flatMap((seat) =>
    all(seat === viewer ? '.own > .me' : `.seat[data-seat="${seat}"] > .plate`),
  );
  return { lie, sit };
}

/** Move a table up, or aside if the sheet is beside it, while the sheet would cover the cards that
 * decided the game; on screens where it covers them (ending.css).
 * @param {HTMLElement} table @param {Light} light
 * @param {number} viewer @param {boolean} covered */
function lift(table, light, viewer, covered) {
  const lifted = table.dataset.lifted === undefined ? 'slides' : 'stays';
  delete table.dataset.lifted;
  const sheet = /** @type {HTMLElement | null} */ (covered && table.querySelector('.verdict'));
  const { lie, sit } = decidingParts(table, light, viewer);
  const shown = (lie.length ? lie : sit).filter((part) => part.checkVisibility());
  if (!sheet || !shown.length) return;
  const room = table.getBoundingClientRect();
  const boxes = shown.map((part) => part.getBoundingClientRect());
  const beside = sheet.offsetTop === 0;
  /** @type {['left' | 'top', 'right' | 'bottom', number]} */
  const [near, far, edge] = beside
    ? ['left', 'right', sheet.offsetLeft]
    : ['top', 'bottom', sheet.offsetTop];
  const seats = sit.filter((part) => part.closest('.rivals'));
  const kept = [...boxes, ...seats.map((part) => part.getBoundingClientRect())];
  const first = Math.min(...kept.map((box) => box[near])) - room[near] - 2 * MARGIN;
  const last = Math.max(...boxes.map((box) => box[far])) - room[near] + 2 * MARGIN;
  const way = -Math.max(0, Math.min(last - edge, first));
  table.style.setProperty('--lift', beside ? `${way}px` : `0 ${way}px`);
  table.toggleAttribute('data-seated', seats.length > 0);
  if (way) table.dataset.lifted = lifted;
}

/** The parts of a table that decided a game, as far as they can be seen, each with the parts of it
 * that have a ring: cards, and seats with their counters.
 * @param {HTMLElement} table @param {Light} light @param {number} viewer
 * @returns {{ part: Element, ringed: Element[] }[]} */
function litParts(table, light, viewer) {
  const { counters } = light;
  const { lie, sit } = decidingParts(table, light, viewer);
  return [
    ...lie.map((part) => ({ part, ringed: [part] })),
    ...sit.map((part) => {
      const counts = counters.flatMap((label) => [
        ...part.querySelectorAll(`.count[title="${CSS.escape(label)}"]`),
      ]);
      const seen = counts.filter(isClear);
      return { part, ringed: seen.length ? seen : [part] };
    }),
  ].filter(({ part }) => isClear(part));
}

/** Where parts of a table are, within it; those that touch are one place.
 * @param {HTMLElement} table @param {Element[]} parts @param {number} margin */
function placesOf(table, parts, margin) {
  const { left: x, top: y } = table.getBoundingClientRect();
  /** @type {Box[]} */ let found = [];
  for (const part of parts) {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    let box = {
      left: left - x - margin,
      top: top - y - margin,
      right: right - x + margin,
      bottom: bottom - y + margin,
    };
    const touches = (/** @type {Box} */ one) =>
      one.left < box.right && box.left < one.right && one.top < box.bottom && box.top < one.bottom;
    for (let near = found.filter(touches); near.length; near = found.filter(touches)) {
      found = found.filter((one) => !near.includes(one));
      box = {
        left: Math.min(box.left, ...near.map((one) => one.left)),
        top: Math.min(box.top, ...near.map((one) => one.top)),
        right: Math.max(box.right, ...near.map((one) => one.right)),
        bottom: Math.max(box.bottom, ...near.map((one) => one.bottom)),
      };
    }
    found.push(box);
  }
  return found;
}

/** Where the light falls, when nothing travels any more, and where its rings are.
 * @param {Ref} root @param {Table} table @param {Light | null | undefined} light
 * @param {string} stage @returns {{ lit: Box[], rings: Box[] }} */
function useLight(root, { scene, linger }, light, stage) {
  const [found, setFound] = useState(
    /** @type {{ lit: Box[], rings: Box[] }} */ ({ lit: [], rings: [] }),
  );
  const again = useRef(() => {});
  useLayoutEffect(() => {
    const table = root.current;
    let gone = false;
    const look = () => {
      if (gone || !table) return;
      const parts = light ? litParts(table, light, scene.viewer) : [];
      const lit = parts.map((one) => one.part);
      const rings = parts.flatMap((one) => one.ringed);
      setFound({ lit: placesOf(table, lit, MARGIN), rings: placesOf(table, rings, MARGIN / 2) });
    };
    again.current = () => {
      if (table && light) lift(table, light, scene.viewer, stage === 'sheet');
      const moving = [...(table?.querySelectorAll('[data-id], .verdict, .field') ?? [])];
      const travels = moving.flatMap((one) => one.getAnimations());
      Promise.allSettled(travels.map((one) => one.finished)).then(look);
    };
    again.current();
    return () => {
      gone = true;
      table?.removeAttribute('data-lifted');
    };
  }, [light, stage, linger]);
  useResized(root, () => again.current());
  return found;
}

/** @param {{ box: Box, kind?: string }} props */
const Lit = ({ box: { left, top, right, bottom }, kind }) => html`
  <rect class=${kind} x=${left} y=${top} width=${right - left} height=${bottom - top} rx="12" />
`;

/** The light: all but these places is dimmed. @param {{ lit: Box[], rings: Box[] }} props */
const Spotlight = ({ lit, rings }) => html`
  <svg class="spotlight" aria-hidden="true">
    <mask id="lit">
      <rect width="100%" height="100%" fill="white" />
      ${lit.map(
        (box) => html`
          <${Lit} box=${box} />
        `,
      )}
    </mask>
    <rect class="dark" width="100%" height="100%" mask="url(#lit)" />
    ${rings.map(
      (box) => html`
        <${Lit} box=${box} kind="edge" />
      `,
    )}
  </svg>
`;

/** The number of cards or chips in a winner's gesture. */
const PIECES = 7;
/** Where a ribbon may lie, from the top of the table, the best place first, and how far it reaches
 * up and down from there, in pixels. */
const HEIGHTS = [0.34, 0.5, 0.22, 0.66, 0.8];
const REACH = 48;

/** The highest of these places where a ribbon covers nothing that is lit.
 * @param {Box[]} lit @param {number} room */
const heightFor = (lit, room) =>
  HEIGHTS.find((at) =>
    lit.every((box) => box.bottom < at * room - REACH || box.top > at * room + REACH),
  ) ?? HEIGHTS[0];

/** A winner's joy, in the game's own manner: the wheel spins, chips stack up, or cards rain.
 * @param {{ table: Table }} props */
function Gesture({ table }) {
  const { scene, faces, skin } = table;
  const counters = scene.seats.flatMap((seat) => seat.counters);
  const chips = counters.some((counter) => counter.icon === 'chip');
  const kind = scene.stage?.kind === 'wheel' ? 'spin' : chips ? 'stack' : 'rain';
  const open = cardsIn(scene).map((card) => card.face);
  const known = [...new Set(open.filter(Boolean))];
  const piece = (/** @type {number} */ number) =>
    kind === 'stack'
      ? html`
          <span class="chip" data-v=${1 + (number % 3)}><b>${1 + (number % 3)}</b></span>
        `
      : html`
          <${Card}
            card=${{ id: `joy.${number}`, face: known[number] }}
            face=${faces[known[number] ?? '']}
            skin=${skin}
          />
        `;
  return html`
    <span class="joy" data-kind=${kind} aria-hidden="true">
      ${
        kind !== 'spin' &&
        Array.from(
          { length: PIECES },
          (_, number) => html`
            <i key=${number} style=${{ '--i': number - (PIECES - 1) / 2 }}>${piece(number)}</i>
          `,
        )
      }
    </span>
  `;
}

/** One sentence over the table, where it covers nothing that is lit; amber if you have won.
 * @param {{ table: Table, result: Result, lit: Box[], room: number }} props */
function Ribbon({ table, result, lit, room }) {
  const won = hasWon(result, table.scene.viewer);
  return html`
    <div class="lastword" style=${{ '--at': heightFor(lit, room) }}>
      ${
        won &&
        html`
          <${Gesture} table=${table} />
        `
      }
      <p class=${`ribbon sign${won ? ' won' : ''}`} role="alert">${result.text}</p>
    </div>
  `;
}

/** @param {{ table: Table, root: Ref, go: Go }} props */
export function Ending({ table, root, go }) {
  const { scene, staged, set } = table;
  const result =
    scene.result ?? partOf('Result', { text: 'The game is over', places: [], scores: [] });
  const frame = staged?.kind === 'end' ? staged : null;
  const [down, setDown] = useDown(table.open >= 0 || table.pile !== '', !frame);
  const stage = frame?.stage ?? (down ? 'down' : 'sheet');
  const { lit, rings } = useLight(root, table, result.light, stage);
  useQuestion(stage, 0, !table.pause);
  const toggle = () => {
    set({ open: -1, pile: '' });
    setDown(!down);
  };
  useLayoutEffect(() => {
    if (stage === 'sheet') {
      /** @type {HTMLElement | null | undefined} */ (
        root.current?.querySelector('.verdict h2')
      )?.focus({ preventScroll: true });
    }
  }, [stage]);
  useKeydown((event) => {
    if (frame || event.key !== 't' || event.target.closest('input, textarea, select')) return;
    toggle();
  });
  return html`
    <div class="ending" data-stage=${stage}>
      ${
        stage !== 'down' &&
        lit.length > 0 &&
        html`
          <${Spotlight} lit=${lit} rings=${rings} />
        `
      }
      ${
        stage === 'word' &&
        html`
          <${Ribbon} ...${{ table, result, lit }} room=${root.current?.clientHeight ?? 0} />
        `
      }
      ${
        !frame &&
        html`
          <${Verdict} ...${{ table, result, go, toggle, down }} />
        `
      }
    </div>
  `;
}
