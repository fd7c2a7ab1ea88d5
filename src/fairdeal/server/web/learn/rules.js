// The rules of a game, which the room writes: a page for people, drawn with its own cards, and
// behind it every clause by number. They stand in the panel beside a table, and alone at
// /rules/GAME, where they print.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { drawCards, skin as loadSkin, sprite, useDocument } from '../kit/lazy.js';
import { Written } from '../kit/page.js';
import { notesAgain } from '../privacy/stored.js';

/** @import { On } from '../types.js' */

/** Show the clauses that contain some words. @param {Element} part @param {string} wanted */
function find(part, wanted) {
  for (const section of part.querySelectorAll('section')) {
    const rules = [...section.querySelectorAll('article')];
    for (const rule of rules) {
      const [id, , text] = rule.children;
      const words = `${id.textContent} ${text.textContent}`.toLowerCase();
      rule.hidden = !words.includes(wanted.toLowerCase());
    }
    section.hidden = rules.every((rule) => rule.hidden);
  }
}

/** The rules of a game, in short or the clauses, as they are looked through.
 * @param {string} game @param {string} [clause] one that is asked for
 * @param {Record<string, unknown>} [options] those of a table */
function useRules(game, clause = '', options = {}) {
  const [{ list, at }, show] = useState({ list: Boolean(clause), at: clause });
  useEffect(() => show({ list: Boolean(clause), at: clause }), [clause, game]);
  const wanted = encodeURIComponent(JSON.stringify(options));
  const path = list ? 'clauses.html' : `rules.html?options=${wanted}`;
  const complete = (/** @type {HTMLElement} */ part) => {
    const look = /** @type {HTMLElement | null} */ (part.querySelector('[data-look]'));
    if (look) {
      loadSkin(game);
      sprite(`/games/${game}/emblems.svg`);
      drawCards(part, JSON.parse(look.dataset.look ?? ''));
      return;
    }
    part.querySelector('[data-here]')?.removeAttribute('data-here');
    const here = document.getElementById(`clause-${at}`);
    here?.setAttribute('data-here', 'true');
    here?.scrollIntoView({ block: 'center' });
  };
  const { problem, laid } = useDocument(`/api/games/${game}/${path}`, complete, at);
  const onClick = (/** @type {On} */ { target }) => {
    if (target.matches('.clause')) show({ list: true, at: target.textContent });
    if (target.matches('.turn-rules')) show({ list: !list, at: '' });
    if (target.matches('.print')) print();
    if (!target.matches('.again')) return;
    notesAgain(game);
    target.textContent = 'Notes are back on';
    target.toggleAttribute('disabled', true);
  };
  const onInput = (/** @type {On} */ { currentTarget, target }) =>
    find(currentTarget, /** @type {HTMLInputElement} */ (target).value);
  return { problem, laid: laid && { ...laid, onClick, onInput } };
}

/** The rules beside a table: the page, or the clauses where one is asked for.
 * @param {{ game: string, clause?: string, options?: Record<string, unknown> }} props */
export function Rules({ game, clause, options }) {
  const { problem, laid } = useRules(game, clause, options);
  const panel = { class: 'panel rules', tabIndex: 0, role: 'region', 'aria-label': 'Rules' };
  return laid
    ? html`
        <div ...${panel} ...${laid} />
      `
    : html`
        <div ...${panel}>${problem}</div>
      `;
}

/** The rules alone, for reading and printing. @param {{ id: string, clause?: string }} props */
export function RulesPage({ id, clause }) {
  return html`
    <${Written} found=${useRules(id, clause)} kind="rules" what="game" about=", the rules" />
  `;
}
