// Keys for what can be clicked at a table, and the list of them.
import { beyond, isChord, onward, useKeydown } from '../kit/keyboard.js';
import { useQuestion } from '../kit/press.js';
import { asked } from '../stage/instrument.js';
import { isOpenPile } from '../scene/zone.js';
import { buttonsOf } from '../dock/prompt.js';

/** @import { Acts, Choice, Chosen, Drawn, Scene } from '../types.js'
 * @import { Play } from './play.js' */

/** The text in the popover while the best moves of a hint are shown. */
export const CHANCES = 'chances';

const KEYS = [
  ['Enter', 'the filled button; finish an animation at once'],
  ['1 … 9', 'the answers, or the players, in the order shown'],
  ['← → ↑ ↓', 'from card to card'],
  ['Shift ← →', 'move a card in your hand'],
  ['Esc, u', 'take back the last choice; close a window over the table'],
  ['h', 'a hint; a better one, if one was found'],
  ['x', 'do what the hint says'],
  ['z', 'take your move back'],
  ['i', 'look at a card closely'],
  ['n', 'the next table that waits for you'],
  ['g', 'the goal'],
  ['d', 'fan out the discards'],
  ['l', 'read the line above the question'],
  ['b', 'replay what happened since your turn'],
  ['t', 'show or hide the result'],
  ['r', 'the rules, at the clause that applies'],
];

/** Does Enter belong to what has the focus? While a move is half made, cards do not take it.
 * @param {HTMLElement} target @param {Scene | null} scene */
const takesEnter = (target, scene) =>
  target.closest(
    scene?.draft ? '.prompt .btn, .opt, .side, .top' : '.card, .btn, .opt, .side, .top',
  );

/** The digit of a choice, or of a seat. @param {Play} play @param {number} digit
 * @param {{ choices: Choice[], buttons: Choice[], pick: Acts['pick'] }} asks */
function choose(play, digit, { choices, buttons, pick }) {
  if (choices.some((choice) => choice.kind === 'value')) return;
  if (buttons[digit - 1]) pick([buttons[digit - 1]], '');
  else if (!buttons.length) {
    const aims = play.root()?.querySelectorAll('.seat .aim');
    /** @type {HTMLElement | undefined} */ (aims?.[digit - 1])?.click();
  }
}

/** Close or take back the innermost thing, as Esc does. @param {Play} play @param {Drawn} table */
function escape(play, { bite, menu, read, pile, open, drawer, scene, set, takeBack }) {
  if (bite) play.noting?.close();
  else if (menu) set({ menu: null });
  else if (read || pile) set({ read: null, pile: '' });
  else if (open >= 0) set({ open: -1 });
  else if (drawer) set({ drawer: false });
  else if (scene?.draft?.undo) takeBack();
  else set({ note: null });
}

/** Return the answers, in the order in which they are read. Values are chosen, and typed digit by
 * digit, within one question.
 * @param {Drawn} table */
function questionOf({ scene, offered, menu }) {
  if (scene?.mode === 'over') return 'over';
  /** @type {Chosen[]} */ const choices = menu?.choices ?? [...(scene?.choices ?? []), ...offered];
  if (!choices.length) return '';
  if (choices.some((choice) => choice.kind === 'value')) return 'values';
  return JSON.stringify([scene?.prompt?.text, choices.map(({ on, label }) => [on, label])]);
}

/** Where an arrow leads from the question: on from the card that opened it, or to what can be
 * chosen.
 * @param {HTMLElement} root @param {HTMLElement} from @param {string} key @param {Play} play
 * @param {Scene | null} scene */
function arrow(root, from, key, { card }, scene) {
  const zone = card?.zone && root.querySelector(`[data-zone="${CSS.escape(card.zone)}"]`);
  const last = zone && zone.querySelector(`[data-id="${CSS.escape(card.id ?? '')}"]`);
  if (!last || from.closest('.card') || card.seq !== scene?.seq) return beyond(root, from, key);
  const layout = last.closest('[data-layout]')?.getAttribute('data-layout') ?? '';
  let to = onward(zone, layout, key, last);
  while (to && !to.matches('[data-can], [data-sel]')) to = onward(zone, layout, key, to);
  return to ?? beyond(root, from, key);
}

/** The keys of a table, and what can be answered there by a press.
 * @param {Play} play @param {Drawn} table */
export function useKeys(play, table) {
  useQuestion(questionOf(table), table.scene?.seq, !table.pause);
  useKeydown((event) => pressed(event, play, table));
}

/** Carry out a key.
 * @param {KeyboardEvent & { target: HTMLElement }} event @param {Play} play
 * @param {Drawn} table */
function pressed(event, play, table) {
  const { scene, offered, staged, look, note, set, pick } = table;
  const goal = () => set({ note: { title: 'Goal', text: look?.game?.goal ?? '' } });
  const line = () =>
    note?.options
      ? set({ read: CHANCES })
      : set({ read: document.querySelector('.status-line > p')?.textContent?.trim() ?? '' });
  /** @type {Record<string, () => void>} */
  const does = {
    h: () => {
      if (play.noting?.held) play.noting.close();
      if (note?.better) set({ ...note.better });
      else play.ask({ type: 'hint', searches: play.searches });
    },
    x: () => note?.picks && table.carryOut(note.picks),
    r: () => table.openRules(scene?.prompt?.clause ?? ''),
    u: () => scene?.draft?.undo && table.takeBack(),
    z: () => play.ask({ type: 'undo', seq: /** @type {number} */ (scene?.seq) }),
    g: goal,
    l: line,
    d: () => table.fan(scene?.zones?.find(isOpenPile)?.id ?? ''),
    b: table.film,
    n: () => /** @type {HTMLElement | null} */ (document.querySelector('.next'))?.click(),
    '?': () => set({ read: KEYS }),
  };
  const { target } = event;
  if (target.closest('input, textarea, select, [role=dialog]:not(.note)')) return;
  if (isChord(event)) return;
  const choices = asked(scene, offered);
  const buttons = buttonsOf(choices);
  const main = buttons.find((choice) => choice.main);
  if (event.key === 'Enter' && main && !takesEnter(target, scene)) {
    event.preventDefault();
    pick([main], '');
    return;
  }
  const root = play.root();
  if (/^Arrow/.test(event.key) && root && !event.defaultPrevented) {
    const from = root.contains(target) ? target : root;
    const to = target.closest('.side, .top') ? null : arrow(root, from, event.key, play, scene);
    if (to) event.preventDefault();
    to?.focus();
    return;
  }
  if (staged?.scene) return; // which has no other answers
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  if (event.key === 'Escape') escape(play, table);
  else if (digit) choose(play, digit, { choices, buttons, pick });
  else does[event.key]?.();
}
