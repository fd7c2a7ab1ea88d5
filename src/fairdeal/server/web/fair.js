// The proof of the deal, checked here in the browser with WebCrypto.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { Icon } from './card.js';

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const bytes = (text) => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));

/** The promise is SHA-256 of the seed; the chance key is HMAC-SHA-256 of the seed over the header.
 * @returns {Promise<{ kept: boolean, key: string }>} */
export async function check(deal) {
  const seed = bytes(deal.seed);
  const promise = hex(await crypto.subtle.digest('SHA-256', seed));
  const key = await crypto.subtle.importKey('raw', seed, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const chance = hex(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(deal.header)));
  return { kept: promise === deal.commitment && deal.header.includes(`commitment sha256 ${promise}`), key: chance };
}

const Hash = ({ label, value }) => html`<div class="hash"><dt>${label}</dt><dd><code>${value}</code>
  <button class="btn icon" aria-label=${`Copy ${label}`} onClick=${() => navigator.clipboard?.writeText(value)}><${Icon} name="copy" /></button></dd></div>`;

const Step = ({ number, title, text, done, bad }) => html`<li data-ok=${done || undefined} data-bad=${bad || undefined}><span class="n">${bad ? html`<${Icon} name="x" />` : done ? html`<${Icon} name="check" />` : number}</span><span><b>${title}</b><small class="quiet">${text}</small></span></li>`;

/** @param {any} props */
export function Fair({ facts }) {
  const { deal } = facts;
  const [found, setFound] = useState(/** @type {any} */ (null));
  useEffect(() => { setFound(null); if (deal.seed) check(deal).then(setFound, () => setFound({ kept: null })); }, [deal.seed, deal.header]);
  const secure = typeof crypto !== 'undefined' && crypto.subtle;
  const mine = deal.header?.split('\n').find((line) => line.startsWith(`seat ${facts.seat} `))?.split(' nonce ')[1];
  return html`<div class="fair">
    <ol class="steps">
      <${Step} number="1" title="Promised" done=${true} text="The hash of a secret seed was fixed before anybody sat down." />
      <${Step} number="2" title="Mixed" done=${Boolean(deal.header)} text="Every seat added a number of its own, so nobody chose the cards." />
      <${Step} number="3" title="Revealed" done=${Boolean(deal.seed)} text=${deal.seed ? 'The seed is open now.' : 'The seed is shown when the game is over.'} />
      <${Step} number="4" title=${found && found.kept === false ? 'Not kept' : 'Verified'} done=${Boolean(found?.kept)} bad=${found?.kept === false}
        text=${!deal.seed ? 'Then your browser checks it.' : !secure ? 'This browser can only check over https or on this machine.' : found?.kept ? 'This browser has hashed the seed: it is the one that was promised.' : found ? 'The seed is not the one that was promised. Keep the log.' : 'Checking …'} />
    </ol>
    <dl><${Hash} label="Promise" value=${deal.commitment} />
      ${mine && html`<${Hash} label="Your number" value=${mine} />`}
      ${deal.seed && html`<${Hash} label="Seed" value=${deal.seed} />`}
      ${found?.key && html`<${Hash} label="Chance key" value=${found.key} />`}</dl>
    ${deal.seed && html`<p class="small">The whole game, every move of it, can be checked offline: <a class="link" href=${`/api/tables/${facts.id}/log`} download>download the log</a>, then</p><pre>fairdeal verify LOG</pre>`}
  </div>`;
}
