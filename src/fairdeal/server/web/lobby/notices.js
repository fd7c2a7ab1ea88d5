// Messages to a guest who is away.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { put, remove } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import * as notice from '../kit/notification.js';
import { Problem } from '../kit/page.js';

/** @import { OnForm, Webhook } from '../types.js' */

/** @typedef {Webhook & { pushed?: boolean }} Kept
 * @typedef {{ kept: Kept, settle: (asked: Promise<Kept>) => void }} Props */

/** Notices in this browser, and the hours without them. @param {Props} props */
function Here({ kept, settle }) {
  const { begin = '', end = '' } = kept.silent ?? {};
  const keep = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const [from, to] = [...new FormData(event.currentTarget).values()].map(String);
    settle(notice.subscribe(from && to ? { begin: from, end: to, zone: timeZone } : null));
  };
  return html`
    <form class="say" key=${begin + end} onSubmit=${keep}>
      <button type="button" class="btn" onClick=${() => settle(notice.change())}>
        ${notice.isOn() ? 'Off on this device' : 'On this device'}
      </button>
      ${
        notice.isOn() &&
        html`
          <label>
            Silent from${' '}
            <input type="time" name="begin" defaultValue=${begin} />
          </label>
          <label>
            to${' '}
            <input type="time" name="end" defaultValue=${end} />
          </label>
          <button class="btn">Keep</button>
        `
      }
    </form>
  `;
}

/** The address for messages. @param {Props} props */
function Address({ kept, settle }) {
  const keep = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    const [address] = [...new FormData(event.currentTarget).values()].map(String);
    settle(put('/api/webhook', { address: address.trim() }));
  };
  return html`
    <form class="say" onSubmit=${keep}>
      <input
        key=${kept.address}
        name="address"
        type="url"
        required
        aria-label="Web address to notify of your turn"
        placeholder=${`https://${kept.hosts[0]}/…`}
        defaultValue=${kept.address}
        maxlength="500"
      />
      <button class="btn main">Keep</button>
      ${
        kept.address &&
        html`
          <button type="button" class="btn" onClick=${() => settle(remove('/api/webhook'))}>
            Off
          </button>
        `
      }
    </form>
    <p class="small quiet">
      When it is your turn and you are away from the table, the room sends a short message with the
      link to the table to this address, at ${kept.hosts.join(' or ')}.
    </p>
  `;
}

/** The ways in which the room tells you of your turn while you are away, if it does. */
export function Notices() {
  const [kept, setKept] = useState(/** @type {Kept | null} */ (null));
  const [problem, setProblem] = useState('');
  const settle = (/** @type {Promise<Kept>} */ asked) =>
    asked.then(
      (found) => {
        setKept((last) => ({ ...last, ...found }));
        setProblem('');
      },
      (reason) => setProblem(reason.message),
    );
  useEffect(() => {
    settle(notice.subscribe());
  }, []);
  if (!kept?.hosts.length && !kept?.push) return null;
  const pushes = 'PushManager' in globalThis;
  const ways = [
    kept.pushed && 'on this device',
    kept.address && `at ${new URL(kept.address).host}`,
  ].filter(Boolean);
  const cannot = html`
    <p>This browser can show notices only if you install this page as an app.</p>
  `;
  return html`
    <details class="fold">
      <summary>
        <b>Tell me when it is my turn</b>
        ${' '}
        <span class="quiet">${ways.join(' and ') || 'off'}</span>
        <${Icon} name="down" />
      </summary>
      ${kept.push && (pushes ? Here({ kept, settle }) : cannot)}
      ${kept.hosts.length > 0 && Address({ kept, settle })}
      <${Problem} said=${problem} small=${true} />
    </details>
  `;
}
