// The page of an evening, which the room writes and this script asks for again and again. It takes
// players to their tables.
import { html, render, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { post, text } from '../kit/api.js';
import { NameField, Nowhere, Problem, keepName } from '../kit/page.js';
import { learnTime, roomTime } from '../kit/time.js';
import { sentence } from '../kit/words.js';

/** @import { Go, On, OnForm, Stateful, Trouble } from '../types.js' */

/** The time after which the page is looked at again, in milliseconds. */
const PAUSE = 3000;

/** The last table to which the page has gone by itself. */
let seen = '';

/** The room's time in the document, which is no part of what it shows. */
const NOW = / data-now='([\d.]+)'/;

/** @param {{ act: (what: object) => Promise<unknown> }} props */
function Enter({ act }) {
  const [problem, setProblem] = useState('');
  const enter = async (/** @type {OnForm} */ event) => {
    event.preventDefault();
    try {
      await keepName(event.currentTarget);
      await act({ do: 'enter' });
    } catch (reason) {
      setProblem(/** @type {Trouble} */ (reason).message);
    }
  };
  return html`
    <form class="form" onSubmit=${enter}>
      <${NameField} needed=${true} />
      <button class="btn lit">Enter</button>
      <${Problem} said=${problem} small=${true} />
    </form>
  `;
}

/** Write how long the round has taken. @param {Element} part */
function tick(part) {
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (
    part.querySelectorAll('[data-since]')
  )) {
    const past = Math.max(0, Math.floor(roomTime() - Number(time.dataset.since)));
    time.textContent = `${Math.floor(past / 60)}:${String(past % 60).padStart(2, '0')}`;
  }
}

/** @param {{ id: string, screen: boolean, go: Go }} props */
export function EveningPage({ id, screen, go }) {
  /** @type {{ current: HTMLElement | null }} */ const part = useRef(null);
  /** @type {Stateful<{ written: string, problem: string }>} */
  const [found, setFound] = useState({ written: '', problem: '' });
  const { written, problem } = found;
  const last = useRef({ open: false, focus: '' });
  const look = () =>
    text(`/api/evenings/${id}/page.html?screen=${screen ? 1 : 0}`).then(
      (now) => {
        if (part.current?.querySelector('input:focus')) return; // it would lose what is typed
        learnTime(Number(now.match(NOW)?.[1]), PAUSE / 1000);
        const { dataset } = /** @type {HTMLElement} */ (document.activeElement);
        last.current = {
          open: Boolean(part.current?.querySelector('details')?.open),
          focus: dataset.do ? `[data-do='${dataset.do}']` : '',
        };
        setFound({ written: now.replace(NOW, ''), problem: '' });
      },
      (reason) => setFound((shown) => ({ ...shown, problem: reason.message })),
    );
  const act = (/** @type {object} */ what) => post(`/api/evenings/${id}`, what).then(look);
  useEffect(() => {
    look();
    const timers = [
      setInterval(() => document.hidden || look(), PAUSE),
      setInterval(() => part.current && tick(part.current), 1000),
    ];
    return () => timers.forEach(clearInterval);
  }, [id, screen]);
  useEffect(() => {
    const page = /** @type {HTMLElement | null} */ (part.current?.querySelector('.evening'));
    if (!part.current || !page) return;
    document.title = `${page.querySelector('.sign')?.textContent} · fairdeal`;
    tick(part.current);
    const { open, focus } = last.current;
    page.querySelector(open ? 'details' : 'none')?.setAttribute('open', '');
    if (focus) /** @type {HTMLElement | null} */ (page.querySelector(focus))?.focus();
    const place = page.querySelector('.enter');
    if (place) {
      render(
        html`
          <${Enter} act=${act} />
        `,
        place,
      );
    }
    const { table = '' } = page.dataset;
    if (table && table !== seen && !screen) go(`/t/${(seen = table)}`);
  }, [written]);
  const onClick = (/** @type {On} */ { target }) => {
    const { do: what, player = 0 } = target.dataset;
    if (!what) return;
    act({ do: what, player: Number(player) }).catch((/** @type {Trouble} */ { message }) => {
      const note = part.current?.querySelector('.problem');
      if (note) note.textContent = sentence(message);
    });
  };
  return written
    ? html`
        <main
          class="rulebook today"
          data-screen=${screen || undefined}
          ref=${part}
          onClick=${onClick}
          dangerouslySetInnerHTML=${{ __html: written }}
        />
      `
    : html`
        <${Nowhere} problem=${problem} what="evening" />
      `;
}
