// A table before the deal: who is there, and the link for those who are not.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { post } from './api.js';
import { Icon } from './card.js';
import { Alarm } from './fair.js';
import { forget, sitDown } from './kept.js';
import { INKS } from './seat.js';
import { Who } from './lobby.js';

/** @param {any} props */
export function Waiting({ facts, wrong, go }) {
  const [problem, setProblem] = useState('');
  const [copied, setCopied] = useState(false);
  const link = `${location.origin}/t/${facts.id}`;
  const ask = (what, body) =>
    post(`/api/tables/${facts.id}/${what}`, body).catch((reason) => setProblem(reason.message));
  const free = facts.chairs.filter((chair) => !chair.taken).length;
  const [busy, setBusy] = useState(false);
  const sit = () => {
    setBusy(true);
    sitDown(facts)
      .catch((reason) => setProblem(reason.message))
      .finally(() => setBusy(false));
  };
  const leave = () =>
    ask('leave').then(() => {
      forget(facts.id);
      go('/');
    });
  useEffect(() => {
    if (facts.seat < 0) forget(facts.id);
  }, [facts.seat]); // what is not dealt needs no proof
  const late = facts.chairs
    .filter((chair) => chair.late)
    .map((chair) => (chair.you ? 'you' : chair.name));
  const copy = () => navigator.clipboard?.writeText(link).then(() => setCopied(true));
  return html`
    <div class="page">
      <header class="top">
        <a
          class="logo"
          href="/"
          aria-label="To the shelf"
          onClick=${(event) => {
            event.preventDefault();
            go('/');
          }}
        >
          <${Icon} name="fair-mark" />
        </a>
        <h1>${facts.title}</h1>
        <span class="sub">${facts.name}</span>
        <span class="gap-x"></span>
        <${Who} />
      </header>
      <main class="waiting">
        <${Alarm} wrong=${wrong} />
        <section class="make">
          <h2>Who plays</h2>
          <ol class="sitting">
            ${facts.chairs.map(
              (chair) => html`
                <li key=${chair.seat}>
                  <span
                    class="face"
                    data-bot=${chair.plays !== 'person' || undefined}
                    data-free=${!chair.taken || undefined}
                    style=${{ '--who': INKS[chair.seat % 8] }}
                  >
                    ${chair.taken ? chair.name[0] : '+'}
                  </span>
                  <b>${chair.taken ? chair.name : 'free'}</b>
                  <small class="quiet">
                    ${chair.you
                      ? 'you'
                      : chair.plays !== 'person'
                        ? 'bot'
                        : chair.taken
                          ? chair.here
                            ? 'here'
                            : 'away'
                          : 'by link'}
                  </small>
                </li>
              `,
            )}
          </ol>
          ${facts.seat < 0
            ? html`
                <button class="btn lit wide" disabled=${!free || busy} onClick=${sit}>
                  Sit down
                </button>
              `
            : html`
                <p role="status">
                  ${free
                    ? `Waiting for ${free} more. The cards are dealt when every seat is taken.`
                    : late.length
                      ? `Waiting for ${late.join(' and ')} to come back: the deal needs a number from every seat.`
                      : 'Every seat adds its number …'}
                </p>
              `}
          ${facts.host &&
          (free > 0 || late.length > 0) &&
          html`
            <button class="btn wide" onClick=${() => ask('start')}>
              Start now,${' '}
              ${free > 0 ? 'bots take the free seats' : `a bot plays for ${late.join(' and ')}`}
            </button>
          `}
          ${facts.seat >= 0 &&
          html`
            <button class="btn bare" onClick=${leave}>Leave the table</button>
          `}
          ${problem &&
          html`
            <p class="bad" role="alert">${problem}</p>
          `}
        </section>
        <section class="make">
          <h2>Invite</h2>
          <div class="invite">
            <span class="qr">
              <img
                src=${`/api/tables/${facts.id}/code.svg`}
                width="144"
                height="144"
                alt="QR code of the link"
              />
            </span>
            <div>
              <p>Whoever opens the link takes a seat. No account.</p>
              <p><code class="linktext">${link}</code></p>
              <button class="btn" onClick=${copy}>
                <${Icon} name="copy" />
                ${copied ? 'Copied' : 'Copy link'}
              </button>
            </div>
          </div>
          <p class="small quiet">
            <${Icon} name="fair" />
            ${' '}The deal is promised already:${' '}
            <code>${facts.deal.commitment.slice(0, 16)}…</code>
          </p>
        </section>
      </main>
    </div>
  `;
}
