// A race: the card, its word, and the answers round it at the places of the number pad.
import { html, useMemo } from '../vendor/htm-preact.js';
import { Emblem } from '../kit/card.js';
import { isChord, nearest, useKeydown } from '../kit/keyboard.js';
import { StageCard, cardOf, choiceOf } from './instrument.js';
import { useLeft } from '../scene/seat.js';
import { roomTime } from '../kit/time.js';
import { count } from '../kit/words.js';

/** @import { Card, OnKey, Race as Stage, InstrumentsAnswer, Table } from '../types.js' */

/** @param {{ answer: InstrumentsAnswer, table: Table, stop: boolean }} props */
function Answer({ answer, table, stop }) {
  const choice = choiceOf(table, answer.choice);
  return html`
    <button
      class="answer"
      data-key=${answer.key}
      disabled=${!choice}
      tabindex=${stop ? 0 : -1}
      style=${{ gridArea: `k${answer.key}`, '--tone': table.skin.tones[answer.tone] }}
      onClick=${() => choice && table.pick([choice], '')}
    >
      <${Emblem} name=${answer.art} />
      <b>${answer.label}</b>
      <kbd>${answer.key}</kbd>
    </button>
  `;
}

/** The line round the card that drains with the time of the race.
 * @param {{ until: number, lasts: number }} props */
function Drain({ until, lasts }) {
  const gone = useMemo(() => lasts - (until - roomTime()), [until]);
  const run = { animationDuration: `${lasts}s`, animationDelay: `${-gone}s` };
  return html`
    <svg key=${until} class="drain" aria-hidden="true">
      <rect pathLength="1" style=${run} />
    </svg>
  `;
}

/** @param {{ until: number }} props */
function Seconds({ until }) {
  const left = Math.max(0, Math.ceil(useLeft(until)));
  return html`
    <span class="seconds" translate=${false} role="timer" aria-label=${count(left, 'second')}>
      ${left}
      <small>${' '}s</small>
    </span>
  `;
}

/** The card that says what to do, in the frame of its time.
 * @param {{ card?: Card, table: Table }} props */
function Timed({ card, table }) {
  const { until = 0, lasts } = table.scene.prompt ?? {};
  return html`
    <div class="timed">
      ${
        card &&
        html`
          <span class="framed">
            <${StageCard} table=${table} card=${card} />
            ${
              until > 0 &&
              html`
                <${Drain} until=${until} lasts=${lasts} />
              `
            }
          </span>
        `
      }
      ${
        until > 0 &&
        html`
          <${Seconds} until=${until} />
        `
      }
    </div>
  `;
}

/** @param {{ stage: Stage, table: Table }} props */
export default function Race({ stage, table }) {
  const { answers, word, card } = stage;
  const { prompt, seats } = table.scene;
  const asks = card && cardOf(table, card);
  const first = answers.find((answer) => choiceOf(table, answer.choice));
  const lasts = prompt?.until ? `, ${Math.round(prompt.lasts)} seconds` : '';
  const out = stage.out.map((seat) => seats.find((one) => one.seat === seat)?.name);
  useKeydown((event) => {
    const answer = answers.find((one) => one.key === event.key);
    const choice = answer && choiceOf(table, answer.choice);
    if (!choice || isChord(event) || event.target.closest('input, textarea')) return;
    event.preventDefault();
    event.stopPropagation();
    table.pick([choice], '');
  }, true);
  const arrow = (/** @type {OnKey} */ event) => {
    const others = /** @type {HTMLElement[]} */ ([
      ...event.currentTarget.querySelectorAll('.answer:not(:disabled)'),
    ]);
    const to = nearest(event.target, others, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  return html`
    <section
      class="race"
      role="group"
      aria-label=${`Race. The card says ${word}. ${answers.length} answers${lasts}`}
      onKeyDown=${arrow}
    >
      <div class="shouted" style=${{ '--tone': table.skin.tones[stage.tone] }}>
        <${Timed} card=${asks} table=${table} />
        <p>
          <span>the card says</span>
          <strong>${word}!</strong>
          ${
            out.length > 0 &&
            html`
              <span class="outs">${out.join(', ')}: out of this race</span>
            `
          }
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
