// Presses of keys, fingers and mouse buttons: each makes one decision, for a question that its
// player could have seen. The page hears every press here first, and refuses it here.
import { useLayoutEffect, useRef } from '../vendor/htm-preact.js';
import { factor } from './speed.js';

/** A press: where, on which control, and what that was called; `key` is empty for a pointer. After
 * the press it may be `spent`, on something else than a control, or have been `refused`.
 * @typedef {{ event: PointerEvent | KeyboardEvent, key: string, control: Element | null,
 *   name: string, spent?: boolean, refused?: boolean, released?: boolean }} Press */
/** An element that has appeared: when, whether a part of it was open already, whether it took the
 * place of a question that the player had not touched, and whether all is shown without pauses
 * here.
 * @typedef {{ since: number, step: boolean, replaces: boolean, hasty: boolean }} Question */

/** For how long nobody can have seen a question, in milliseconds. */
const UNSEEN = 300;
/** The largest distance of two presses at the same place, in pixels. */
const NEAR = 24;
/** The time for which a control shows that a press of it was ignored, in milliseconds. */
const SHOWN = 600;

const CONTROLS = 'button, a, summary, [role=button], [role=slider], [data-can], .card';
/** Elements that are not answers: the bar, the panel, and text fields. */
const APART = '.top, .side, input, textarea, select, [contenteditable]';
/** Keys that lead somewhere and choose nothing. */
const WAYS = /^(Arrow.*|Page.*|Home|End|Tab|Shift|Control|Alt.*|Meta|F\d+)$/;

/** The last press, and the one before it. @type {Press | null} */ let last = null;
/** @type {Press | null} */ let before = null;
/** The last press of a pointer, and of a key. @type {Press | null} */ let pointer = null;
/** @type {Press | null} */ let typed = null;
/** When a press last did something. */
let acted = -Infinity;
/** @type {Question} */
let question = { since: -Infinity, step: false, replaces: false, hasty: true };

/** @param {Element | null} control */
const nameOf = (control) =>
  /** @type {HTMLElement | null} */ (control)?.dataset?.id ??
  control?.getAttribute('aria-label') ??
  control?.textContent ??
  '';

/** @param {Event} event */
const controlOf = ({ target }) => (target instanceof Element ? target.closest(CONTROLS) : null);

/** @param {Event} event */
const isApart = ({ target }) => target instanceof Element && target.closest(APART) !== null;

/** Does an assistive program press here, whose presses have no extent or no force?
 * @param {PointerEvent} event */
const isAssistive = ({ pointerType, width, height, pressure }) =>
  (!width && !height) || (pointerType === 'mouse' && !pressure);

/** Are two presses at the same place: by the same key, on the same control, or close together?
 * @param {Press} one @param {Press} other */
function isThere(one, other) {
  if (one.key && one.key === other.key) return true;
  if (one.control && one.control === other.control) return true;
  if (one.key || other.key) return false;
  const [from, to] = /** @type {PointerEvent[]} */ ([one.event, other.event]);
  return Math.hypot(from.clientX - to.clientX, from.clientY - to.clientY) <= NEAR;
}

/** Was a press begun when its player could not have seen the question yet? One that follows a press
 * of the same question was meant for it. Within the same move, a control that was pressed, and
 * still does the same, can be pressed again at once.
 * @param {Press} press */
function isUnseen(press) {
  const { event, key, control, name } = press;
  const { since, step, replaces, hasty } = question;
  if (hasty || event.timeStamp - since >= UNSEEN) return false;
  if (replaces) return true;
  if (!before || (before.event.timeStamp > since && !before.refused)) return false;
  const again = step && !key && control && control === before.control && name === before.name;
  return !again && isThere(before, press);
}

/** Ignore a press, and show that. @param {Press} press @param {Event} event */
function refuse(press, event) {
  press.refused = true;
  event.stopImmediatePropagation();
  if (event.type !== 'pointerdown') event.preventDefault();
  const shown = press.control ?? document.querySelector('.prompt');
  if (!shown || shown.hasAttribute('data-ignored')) return;
  shown.setAttribute('data-ignored', '');
  setTimeout(() => shown.removeAttribute('data-ignored'), SHOWN);
}

/** Has the press become one that does not count, as the question has come since it began?
 * @param {Press} press @param {Event} event its end */
function isLate(press, event) {
  if (question.hasty || question.since <= press.event.timeStamp) return false;
  const control = controlOf(event);
  const other = control !== press.control || nameOf(control) !== press.name;
  return !question.step || other || isUnseen(press);
}

/** @param {PointerEvent | KeyboardEvent} event @param {string} [key] */
function begin(event, key = '') {
  const control = !key || key === 'Enter' || key === ' ' ? controlOf(event) : null;
  before = last;
  /** @type {Press} */ const press = { event, key, control, name: nameOf(control) };
  last = press;
  // one that waited for a busy page fell on what was there before
  const waited = !question.hasty && !question.step && event.timeStamp < question.since;
  if (!isApart(event) && (waited || isUnseen(press))) refuse(press, event);
  else if (key) acted = event.timeStamp;
  return press;
}

/** @param {PointerEvent} event */
function down(event) {
  if (!event.isPrimary || event.button > 0) return;
  pointer = isAssistive(event) ? null : begin(event);
}

/** Some controls act when they are let go; such a one hears that the press was taken from it.
 * @param {PointerEvent} event */
function up(event) {
  const press = pointer;
  if (!press || !event.isPrimary || isApart(event)) return;
  if (!press.refused && !isLate(press, event)) {
    acted = event.timeStamp;
    return;
  }
  refuse(press, event);
  const { pointerId, target } = event;
  target?.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true, pointerId }));
}

/** @param {MouseEvent} event */
function click(event) {
  const press = event.detail ? pointer : typed;
  const isFrom = press && !press.released && /^(|Enter| )$/.test(press.key);
  acted = event.timeStamp;
  if (!isFrom || isApart(event)) return; // an assistive program clicks
  if (press.spent || press.event.defaultPrevented) {
    event.stopImmediatePropagation();
    event.preventDefault();
  } else if (press.refused || isLate(press, event)) refuse(press, event);
}

/** A held key repeats itself. It goes on moving and typing, and chooses nothing.
 * @param {KeyboardEvent} event */
function keydown(event) {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (WAYS.test(key) || ctrlKey || metaKey || altKey) return;
  if (!event.repeat) {
    if (key !== 'Escape') typed = begin(event, key);
  } else if (!(target instanceof Element && target.closest('input, textarea, [contenteditable]'))) {
    event.stopImmediatePropagation();
    if (controlOf(event)) event.preventDefault();
  }
}

/** The click that a key makes follows at once. @param {KeyboardEvent} event */
function keyup({ key }) {
  const press = typed;
  if (press?.key === key) setTimeout(() => (press.released = true));
}

for (const [name, hear] of Object.entries({
  click,
  keydown,
  keyup,
  pointerdown: down,
  pointerup: up,
})) {
  addEventListener(name, /** @type {EventListener} */ (hear), true);
}

/** The press is over with what it has done, such as a drag or a look at a card: the click that the
 * browser adds to it, perhaps late, does nothing. */
export function ignoreClick() {
  if (pointer) pointer.spent = true;
}

/** A part of the page asks something, or offers something to press.
 * @param {string} asked what: nobody need look anew at the same again; empty for nothing
 * @param {number} [move] what is asked anew within the same move is a step of it
 * @param {boolean} [hasty] is everything shown without pauses here, and nothing ignored? */
export function useQuestion(asked, move = 0, hasty = false) {
  const shown = useRef({ asked: '', move: -1, since: Infinity });
  useLayoutEffect(() => {
    const was = shown.current;
    const touched = acted >= was.since;
    const same = was.asked === asked && (was.move === move || !touched);
    shown.current = same ? { ...was, move } : { asked, move, since: performance.now() };
    if (same || !asked) return;
    const step = was.move === move;
    question = {
      since: shown.current.since,
      step,
      replaces: was.asked !== '' && !touched && !step,
      hasty: hasty || !factor(),
    };
  }, [asked, move, hasty]);
}
