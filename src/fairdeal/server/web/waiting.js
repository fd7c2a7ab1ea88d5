// A table before the deal: who is there, and the link for those who are not.
import { html, useState } from './vendor/htm-preact.js';
import { nonce, post } from './api.js';
import { Icon } from './card.js';
import { INKS } from './seat.js';
import { Who } from './lobby.js';

/** @param {any} props */
export function Waiting({ facts, go }) {
  const [problem, setProblem] = useState('');
  const [copied, setCopied] = useState(false);
  const link = `${location.origin}/t/${facts.id}`;
  const ask = (what, body) => post(`/api/tables/${facts.id}/${what}`, body).catch((reason) => setProblem(reason.message));
  const free = facts.chairs.filter((chair) => !chair.taken).length;
  const copy = () => navigator.clipboard?.writeText(link).then(() => setCopied(true));
  return html`<div class="page"><header class="top"><a class="logo" href="/" aria-label="To the shelf" onClick=${(event) => { event.preventDefault(); go('/'); }}><${Icon} name="fair-mark" /></a><h1>${facts.title}</h1><span class="sub">${facts.name}</span><span class="gap-x"></span><${Who} /></header>
    <main class="waiting"><section class="make"><h2>Who plays</h2>
      <ol class="sitting">${facts.chairs.map((chair) => html`<li key=${chair.seat}><span class="face" data-bot=${chair.plays !== 'person' || undefined} data-free=${!chair.taken || undefined} style=${{ '--who': INKS[chair.seat % 8] }}>${chair.taken ? chair.name[0] : '+'}</span><b>${chair.taken ? chair.name : 'free'}</b><small class="quiet">${chair.you ? 'you' : chair.plays !== 'person' ? 'bot' : chair.taken ? (chair.here ? 'here' : 'away') : 'by link'}</small></li>`)}</ol>
      ${facts.seat < 0 ? html`<button class="btn lit wide" disabled=${!free} onClick=${() => ask('join', { nonce: nonce() })}>Sit down</button>`
        : html`<p role="status">${free ? `Waiting for ${free} more. The cards are dealt when every seat is taken.` : 'Dealing …'}</p>`}
      ${facts.host && free > 0 && html`<button class="btn wide" onClick=${() => ask('start')}>Start now, bots take the free seats</button>`}
      ${facts.seat >= 0 && html`<button class="btn bare" onClick=${() => ask('leave').then(() => go('/'))}>Leave the table</button>`}
      ${problem && html`<p class="bad" role="alert">${problem}</p>`}</section>
    <section class="make"><h2>Invite</h2><div class="invite"><span class="qr"><img src=${`/api/tables/${facts.id}/code.svg`} width="144" height="144" alt="QR code of the link" /></span><div><p>Whoever opens the link takes a seat. No account.</p><p><code class="linktext">${link}</code></p><button class="btn" onClick=${copy}><${Icon} name="copy" />${copied ? 'Copied' : 'Copy link'}</button></div></div>
      <p class="small quiet"><${Icon} name="fair" /> The deal is promised already: <code>${facts.deal.commitment.slice(0, 16)}…</code></p></section></main></div>`;
}
