// A race: the card, its word, and the answers round it at the places of the number pad.
import { html, useEffect } from './vendor/htm-preact.js';
import { Emblem } from './card.js';
import { nearest } from './arrows.js';
import { StageCard, cardOf, choiceOf } from './stage.js';
import { time, useLeft } from './seat.js';

/** @param {any} props */
function Answer({ answer, table, stop }) {
  const choice = choiceOf(table, answer.choice ?? -1);
  return html`
    <button
      class="answer"
      data-key=${answer.key}
      disabled=${!choice}
      tabindex=${stop ? 0 : -1}
      style=${{ gridArea: `k${answer.key}`, '--tone': table.skin.tones?.[answer.tone] }}
      onClick=${() => table.pick([choice], '')}
    >
      <${Emblem} name=${answer.art} />
      <b>${answer.label}</b>
      <kbd>${answer.key}</kbd>
    </button>
  `;
}

/** @param {any} props */
export default function Race({ stage, table }) {
  const { answers, word, card } = stage;
  const { prompt, seats } = table.scene;
  const left = useLeft(prompt?.until, table.skew);
  const asks = card && cardOf(table, card);
  const first = answers.find((answer) => choiceOf(table, answer.choice ?? -1));
  const out = (stage.out ?? []).map((seat) => seats.find((one) => one.seat === seat)?.name);
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      const answer = answers.find((one) => one.key === event.key);
      const choice = answer && choiceOf(table, answer.choice ?? -1);
      if (!choice || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/** @type {HTMLElement} */ (event.target).closest('input, textarea')) return;
      event.preventDefault();
      event.stopPropagation();
      table.pick([choice], '');
    };
    document.addEventListener('keydown', key, true);
    return () => document.removeEventListener('keydown', key, true);
  }, [answers, table]);
  const arrow = (event) => {
    const others = [...event.currentTarget.querySelectorAll('.answer:not(:disabled)')];
    const to = nearest(event.target, others, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  return html`
    <section
      class="race"
      role="group"
      aria-label=${`Race. The card says ${word}. ${answers.length} answers`}
      onKeyDown=${arrow}
    >
      <div class="word" style=${{ '--tone': table.skin.tones?.[stage.tone] }}>
        ${asks &&
        html`
          <${StageCard} table=${table} card=${asks} />
        `}
        <p>
          <span>the card says</span>
          <strong>${word}!</strong>
          ${prompt?.until
            ? html`
                <span class="left">${time(left)}</span>
              `
            : ''}
          ${out.length > 0 &&
          html`
            <span class="outs">${out.join(', ')}: out of this race</span>
          `}
        </p>
      </div>
      ${answers.map(
        (answer) => html`
          <${Answer} key=${answer.key} answer=${answer} table=${table} stop=${answer === first} />
        `,
      )}
    </section>
  `;
}
