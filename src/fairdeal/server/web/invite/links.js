// Links that others can open. The room says which of its addresses they have, and where these work:
// the address of this page may be one that only this device can open.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { bytes, get, put } from '../kit/api.js';
import { Icon } from '../kit/card.js';

/** @import { Facts, Network, Stateful } from '../types.js' */

/** The time between requests for the room's addresses, in milliseconds: networks come and go. */
const EVERY = 4000;

/** The addresses at which others reach the room. Null until the room has answered. `change` opens
 * or closes it.
 * @returns {Reach} */
export function useNetwork() {
  /** @type {Stateful<Network | null>} */ const [network, setNetwork] = useState(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let asking = false;
    const look = () => {
      if (document.hidden || asking) return;
      asking = true;
      get('/api/network')
        .then(setNetwork, () => 0)
        .finally(() => (asking = false));
    };
    look();
    const timer = setInterval(look, EVERY);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => setProblem(''), [network]);
  const change = async (/** @type {boolean} */ open) => {
    setBusy(true);
    try {
      setNetwork(await put('/api/network', { open }));
    } catch (reason) {
      setProblem(/** @type {Error} */ (reason).message);
    }
    setBusy(false);
  };
  return { network, problem, busy, change };
}

/** @typedef {{ network: Network | null, problem: string, busy: boolean,
 *   change: (open: boolean) => Promise<void> }} Reach */

/** A button that copies a link, after some words. Only pages with HTTPS have a clipboard: on others
 * the link is shown, selected, to be copied by hand.
 * @param {{ link: string, words?: string, label?: string, icon?: string, lit?: boolean }} props */
export function CopyLink({ link, words = '', label = 'Copy link', icon = 'copy', lit = false }) {
  const [says, setSays] = useState(label);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(`${words} ${link}`.trim());
      setSays('Link copied');
    } catch {
      setSays('');
    }
  };
  if (!says) {
    const select = (/** @type {HTMLInputElement | null} */ field) => field?.select();
    return html`
      <input class="linkfield" aria-label="Link to copy" readonly value=${link} ref=${select} />
    `;
  }
  return html`
    <button class=${lit ? 'btn lit' : 'btn'} disabled=${!link} onClick=${copy}>
      <${Icon} name=${icon} />
      ${says}
    </button>
  `;
}

/** The game in a line that does not say how it ended. @param {Facts} facts */
function lineOf({ title, chairs }) {
  const names = chairs.map((chair) => chair.name);
  const first = names.slice(0, -1).join(', ');
  return `${first}${first && ' and '}${names.at(-1)} played ${title}. See how it went.`;
}

/** The time that a click waits for the picture, in milliseconds: browsers open their sheet only
 * soon after a click. */
const SOON = 2500;

/** A picture to share, where the device can share files and the room has it in time.
 * @param {string} path @param {string} title @returns {Promise<File | null>} */
export async function pictureOf(path, title) {
  const kind = { type: 'image/png' };
  const file = (/** @type {BlobPart[]} */ parts) => new File(parts, `${title}.png`, kind);
  if (!navigator.canShare?.({ files: [file([])] })) return null;
  try {
    return file([await bytes(path, 1, SOON)]);
  } catch {
    return null;
  }
}

/** Share the picture and the link of the replay, or copy the link where the device shares nothing.
 * Beside a file, some programs take a link only as part of the text. A link that only this computer
 * can open is copied with a word about it, and not shared.
 * @param {{ facts: Facts, path: string }} props */
export function Share({ facts, path }) {
  const { network } = useNetwork();
  const address = network?.addresses[0];
  const own = address?.works === 'computer';
  const url = address ? `${address.url}${path}` : '';
  const line = lineOf(facts);
  const share = async () => {
    const picture = await pictureOf(`/api/tables/${facts.id}/picture.png`, facts.title);
    const text = picture && !own ? `${line}\n${url}` : line;
    const what = picture ? { files: [picture], text } : own ? { text } : { text, url };
    // rejected if the sheet is closed
    navigator.share({ title: facts.title, ...what }).catch(() => 0);
  };
  const shares = 'share' in navigator;
  return html`
    ${
      shares
        ? html`
            <button class="btn" disabled=${!url} onClick=${share}>
              <${Icon} name="link" />
              Share
            </button>
          `
        : html`
            <${CopyLink} key=${url} link=${url} words=${line} label="Share" icon="link" />
          `
    }
    ${
      own &&
      html`
        <p class="small quiet">${address.text}${shares ? ' It is not shared.' : ''}</p>
      `
    }
  `;
}
