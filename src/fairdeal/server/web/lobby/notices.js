// Messages to a guest who is away.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { get, put, remove } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { Problem } from '../kit/page.js';

/** @import { OnForm, Webhook } from '../types.js' */

/** The address for messages about your turn while you are away, if the room offers them. */
export function Notices() {
  const [kept, setKept] = useState(/** @type {Webhook} */ ({ address: '', hosts: [] }));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get('/api/webhook').then(setKept, () => 0);
  }, []);
  const settle = (/** @type {Promise<Webhook>} */ asked) =>
    asked.then(
      (found) => {
        setKept(found);
        setProblem('');
      },
      (reason) => setProblem(reason.message),
    );
  const keep = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    settle(
      put('/api/webhook', {
        address: String(new FormData(event.currentTarget).get('address')).trim(),
      }),
    );
  };
  if (!kept.hosts.length) return null;
  return html`
    <details class="fold">
      <summary>
        <b>Tell me when it is my turn</b>
        ${' '}
        <span class="quiet">${kept.address ? `at ${new URL(kept.address).host}` : 'off'}</span>
        <${Icon} name="down" />
      </summary>
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
      <${Problem} said=${problem} small=${true} />
      <p class="small quiet">
        When it is your turn and you are away from the table, the room sends a short message with
        the link to the table to this address, at ${kept.hosts.join(' or ')}.
      </p>
    </details>
  `;
}
