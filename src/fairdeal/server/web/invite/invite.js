// The link of a table, for friends: where it works, and how to open the room to them.
import { html, useState } from '../vendor/htm-preact.js';
import { post } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { CopyLink, useNetwork } from './links.js';
import { NAMELESS, Problem, useName } from '../kit/page.js';

/** @import { Address, Facts, Network } from '../types.js' */
/** @import { Reach } from './links.js' */

/** A code to say aloud, shown on request. @param {{ facts: Facts }} props */
function Spoken({ facts }) {
  const [said, setSaid] = useState({ code: '', text: '' });
  const ask = () =>
    post(`/api/tables/${facts.id}/code`).then(
      ({ code, seconds }) => {
        const minutes = Math.max(1, Math.floor(seconds / 60));
        const text = `Type it in the lobby within ${minutes} minutes.`;
        setSaid({ code: `${code.slice(0, 3)} ${code.slice(3)}`, text });
      },
      (reason) => setSaid({ code: '', text: reason.message }),
    );
  return html`
    <button class="btn" onClick=${ask}>
      <${Icon} name="chat" />
      Code to say aloud
    </button>
    <span class="spoken" role="status">
      ${
        said.code &&
        html`
          <b>${said.code}</b>
        `
      }
      <small>${said.text}</small>
    </span>
  `;
}

/** To open the room to the network, or to close it. @param {Reach & { network: Network }} props */
const OpenOrClose = ({ network, busy, change }) =>
  network.is_open
    ? html`
        <button class="btn" disabled=${busy} onClick=${() => change(false)}>
          <${Icon} name="x" />
          Close to the network
        </button>
      `
    : html`
        <button class="btn lit" disabled=${busy} onClick=${() => change(true)}>
          <${Icon} name="users" />
          ${network.opens_to === 'Wi-Fi' ? 'Open to this Wi-Fi' : 'Open to this network'}
        </button>
      `;

/** Whether the address works, as far as the room knows. @param {{ address: Address }} props */
const Tried = ({ address }) =>
  address.works === 'network' &&
  html`
    <p class="small quiet">
      ${
        address.tried
          ? 'Another device has opened the room at this address.'
          : 'No other device has opened the room at this address yet. If the link does not open on ' +
            'one, a firewall on the computer of the room may block it.'
      }
    </p>
  `;

/** The ways to make a link that others can open.
 * @param {{ reach: Reach & { network: Network } }} props */
const OnlyHere = ({ reach }) =>
  reach.network.is_owner
    ? html`
        <${OpenOrClose} ...${reach} />
        <p class="small quiet">
          People in the same network can then open this room, until you close it or the program
          stops.
        </p>
      `
    : reach.network.opens_to &&
      html`
        <p class="small quiet">
          To open the room to your network, use the link that the program printed when it was
          started, or start it with${' '}
          <code>fairdeal --lan</code>
          .
        </p>
      `;

/** A link with the place where it works, and its QR code if others can open it.
 * @param {{ address: Address, path: string, table: string, another?: () => void }} props */
const Link = ({ address, path, table, another }) => html`
  <div class="invite">
    ${
      address.works !== 'computer' &&
      html`
        <span class="qr">
          <img
            src=${`/api/tables/${table}/code.svg?url=${encodeURIComponent(address.url)}`}
            width="144"
            height="144"
            alt="QR code of the link"
          />
        </span>
      `
    }
    <div>
      ${
        address.text &&
        html`
          <p role="status">
            <b>${address.text}</b>
            ${' '}
            ${
              another &&
              html`
                <button class="plain link" onClick=${another}>Another network</button>
              `
            }
          </p>
        `
      }
      <p>
        <code class="linktext">
          ${address.url}/
          <wbr />
          ${path.slice(1)}
        </code>
      </p>
      ${
        address.works !== 'computer' &&
        html`
          <p>Anyone with the link can take a free seat, without an account.</p>
        `
      }
    </div>
  </div>
`;

/** The address that the link has: the first one, or another network's if it was chosen.
 * @param {Network | null} network */
function useAddress(network) {
  const [chosen, choose] = useState('');
  const addresses = network?.addresses ?? [];
  const at = addresses.findIndex((one) => one.url === chosen);
  const place = Math.max(0, at);
  const next = () => choose(addresses[(place + 1) % addresses.length].url);
  return { address: addresses[place], another: addresses.length > 1 ? next : undefined };
}

/** The link, to share, to copy, to photograph or to say. @param {{ facts: Facts }} props */
export function Invite({ facts }) {
  const name = useName();
  const reach = useNetwork();
  const { network, problem } = reach;
  const { address, another } = useAddress(network);
  const path = `/t/${facts.id}`;
  const link = address ? address.url + path : '';
  const asks = name && name !== NAMELESS ? `${name} invites you to` : 'You are invited to';
  const share = () =>
    navigator
      .share({ title: facts.title, text: `${asks} ${facts.title}`, url: link })
      .catch(() => 0); // rejected if the sheet is closed
  const shares = 'share' in navigator && address?.works !== 'computer';
  return html`
    <h2>Invite your friends</h2>
    <${Problem} said=${problem} />
    ${
      network &&
      address &&
      html`
        <${Link} address=${address} path=${path} table=${facts.id} another=${another} />
        <${Tried} address=${address} />
        ${
          address.works === 'computer' &&
          html`
            <${OnlyHere} reach=${{ ...reach, network }} />
          `
        }
      `
    }
    <p class="inviteways" data-unsettled=${!network || undefined}>
      ${
        shares &&
        html`
          <button class="btn lit" disabled=${!link} onClick=${share}>
            <${Icon} name="link" />
            Send the link
          </button>
        `
      }
      <${CopyLink} key=${link} link=${link} lit=${!shares && address?.works !== 'computer'} />
      ${
        facts.seat >= 0 &&
        html`
          <${Spoken} facts=${facts} />
        `
      }
    </p>
    ${
      network?.is_owner &&
      network.is_open &&
      html`
        <p class="small quiet">
          The room is open to the network until you close it or the program stops.
        </p>
        <${OpenOrClose} ...${{ ...reach, network }} />
      `
    }
    <p class="small quiet">
      <${Icon} name="fair" />
      ${' '}The deal is already sealed:${' '}
      <code>${facts.deal.commitment.slice(0, 16)}…</code>
    </p>
  `;
}

/** Whether the room is open, in the lobby of the guest who may change that. */
export function Owner() {
  const { network, problem, ...ways } = useNetwork();
  if (!network) return null;
  const [address] = network.addresses;
  const open = network.is_open
    ? html`
        The room is open at${' '}
        <code>${address.url}</code>
        . ${address.text}
      `
    : 'Only this computer can open the room.';
  return html`
    <section class="opening" aria-label="The network">
      <p role="status">${open}</p>
      <${OpenOrClose} ...${{ network, problem, ...ways }} />
      <${Problem} said=${problem} small=${true} />
    </section>
  `;
}
