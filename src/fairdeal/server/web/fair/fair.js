// The proof of the deal: what this browser was promised and kept, held against what the room says
// at the end.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { logOf, text } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { failures } from './failures.js';
import { file, kept } from './storage.js';
import { broken, chanceKey, check } from './proof.js';

/** @import { Deal, Facts, Stateful } from '../types.js'
 * @import { Kept } from './proof.js' */

/** @typedef {import('./proof.js').Finding} Finding */

/** What does not fit, loudly. @param {{ wrong: string[] }} props */
export const Alarm = ({ wrong }) =>
  wrong.length > 0 &&
  html`
    <section class="alarm" role="alert" aria-label="The deal was not kept">
      <h2>
        <${Icon} name="x" />
        This deal was not kept
      </h2>
      <ul>
        ${wrong.map(
          (one) => html`
            <li>${one}</li>
          `,
        )}
      </ul>
      <p>Keep the log and what this browser kept, and do not trust this room.</p>
    </section>
  `;

const LOST = 'The room does not give out what this game is checked by.';

/** All that this browser can check of a table now: of a running game what does not fit, of a
 * finished one everything.
 * @param {Facts} facts */
export function useProof(facts) {
  /** @type {Stateful<Finding[] | null>} */ const [found, setFound] = useState(null);
  const { deal, id } = facts;
  useEffect(() => {
    setFound(null);
    if (!deal.seed) return;
    /** @type {Finding[]} */
    const lost = [{ check: 'log', ok: null, text: LOST }];
    text(logOf(id))
      .then((log) => check(facts, kept(facts), log))
      .then(setFound, () => setFound(lost));
  }, [id, deal.seed, deal.header]);
  const findings = found ?? broken(facts, kept(facts));
  const wrong = findings.filter((one) => one.ok === false).map((one) => one.text);
  return { done: found !== null, findings, wrong, own: kept(facts) };
}

/** @param {{ label: string, value: string }} props */
const Hash = ({ label, value }) => html`
  <div class="hash">
    <dt>${label}</dt>
    <dd>
      <code>${value}</code>
      <button
        class="btn icon"
        aria-label=${`Copy ${label}`}
        onClick=${() => navigator.clipboard?.writeText(value)}
      >
        <${Icon} name="copy" />
      </button>
    </dd>
  </div>
`;

/** @param {{ number: string, title: string, text: string, done?: boolean, bad?: boolean,
 *   open?: boolean }} props `open` is a step that could not be taken here */
const Step = ({ number, title, text: words, done, bad, open }) => html`
  <li
    data-ok=${done || undefined}
    data-bad=${bad || undefined}
    data-open=${open || undefined}
    data-pending=${(!done && !bad && !open) || undefined}
  >
    <span class="n">
      ${
        bad || open
          ? html`
              <${Icon} name=${bad ? 'x' : 'eye'} />
            `
          : done
            ? html`
                <${Icon} name="check" />
              `
            : number
      }
    </span>
    <span>
      <b>${title}</b>
      ${
        !done &&
        !bad &&
        !open &&
        html`
          <i class="quiet">${' '}to come</i>
        `
      }
      <small class="quiet">${words}</small>
    </span>
  </li>
`;

/** Where the numbers come from, in words. @param {Deal} deal */
function mixed(deal) {
  const origins = ['given', 'withheld'].map(
    (origin) => (deal.header.match(new RegExp(` ${origin} [0-9a-f]{64}$`, 'gm')) ?? []).length,
  );
  if (!deal.header) return 'Every player fixes a number before any of them is shown.';
  if (origins[1]) return 'A player did not show their number. The cards were dealt without it.';
  return origins[0]
    ? 'Every number was fixed before any was shown, so nobody chose the cards.'
    : 'No player gave a number, so the cards follow from the room’s secret alone.';
}

/** What cannot be proven here, in words. @param {Facts} facts @param {Finding[]} findings */
export function openIn({ deal, status }, findings) {
  const open = findings.filter((one) => one.ok === null).map((one) => one.text);
  if (status === 'over' && !deal.seed) open.unshift('The room has not shown its secret.');
  return [...open, failures(deal)].filter(Boolean).join(' ');
}

/** The words of the last step. @param {Facts} facts @param {ReturnType<typeof useProof>} proof */
function verdict(facts, { done, wrong, own, findings }) {
  if (wrong.length) return { title: 'Deal not kept', text: wrong[0], bad: true };
  const open = openIn(facts, findings);
  if (open) return { title: 'Not proven', text: open, open: true };
  if (!facts.deal.seed) {
    return { title: 'Verified', text: 'When the game is over, your browser checks it.' };
  }
  if (!done) return { title: 'Verified', text: 'Your browser is checking …' };
  if (own?.nonce && own.header) {
    return {
      title: 'Verified',
      done: true,
      text: 'What this browser kept from before the deal is all there.',
    };
  }
  return {
    title: 'It adds up',
    done: true,
    text: 'Secret, numbers and log fit together. This browser kept nothing from before the deal, so it can say no more.',
  };
}

/** Save what this browser kept, for `fairdeal verify`. @param {Facts} facts */
function download(facts) {
  const address = URL.createObjectURL(new Blob([file(facts)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), {
    href: address,
    download: `kept ${facts.id}.json`,
  }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** What can be held against the log. @param {{ deal: Deal, own: Kept | null }} props */
const Hashes = ({ deal, own }) => html`
  <dl>
    <${Hash} label="Promise" value=${own?.promise ?? deal.commitment} />
    ${
      own?.nonce &&
      html`
        <${Hash} label="Your number" value=${own.nonce} />
      `
    }
    ${
      own?.chains?.[own.entries ?? 0] &&
      html`
        <${Hash}
          label=${`Running hash at move ${own.entries}`}
          value=${own.chains[own.entries ?? 0]}
        />
      `
    }
    ${
      deal.key &&
      html`
        <${Hash} label="The room’s key" value=${deal.key} />
      `
    }
    ${
      deal.seed &&
      html`
        <${Hash} label="Seed" value=${deal.seed} />
      `
    }
    ${
      deal.seed &&
      html`
        <${Hash} label="Chance key" value=${chanceKey(deal.seed, deal.header)} />
      `
    }
  </dl>
`;

/** How to check it all with another program.
 * @param {{ facts: Facts, own: Kept | null }} props */
const Elsewhere = ({ facts, own }) => html`
  <p class="small">
    The cards and every move can be checked with a program that is not the room’s:
    <a class="link" href=${logOf(facts.id)} download>download the log</a>
    ${
      own &&
      html`
        ${' '}and${' '}
        <button class="link" onClick=${() => download(facts)}>what this browser kept</button>
      `
    },
    then
  </p>
  <pre>fairdeal verify LOG${own ? ' --kept FILE' : ''}</pre>
`;

/** What all of it is for. Where no player gave a number, the room alone fixed the cards.
 * @param {{ deal: Deal }} props */
function Why({ deal }) {
  const alone = deal.header && !/ given [0-9a-f]{64}$/m.test(deal.header);
  const failed = failures(deal);
  return html`
    <p class="small why">
      <b>
        ${
          alone || failed
            ? 'Nobody can change these cards.'
            : 'Nobody picked these cards, and nobody can change them.'
        }
      </b>
      ${
        alone
          ? ' They follow from a secret that the room fixed before the deal.'
          : ' They follow from a secret of the room and the players’ numbers, all fixed before the deal.'
      }
      ${' '}${failed} After the game your browser checks the deal.
    </p>
  `;
}

const SEALED =
  'The room’s secret was fixed before anybody made a number. The promise is its fingerprint.';

/** @param {{ facts: Facts }} props */
export function Fair({ facts }) {
  const { deal } = facts;
  const proof = useProof(facts);
  const { findings, own } = proof;
  const well = proof.wrong.length === 0;
  return html`
    <div class="fair">
      <${Why} deal=${deal} />
      <ol class="steps">
        <${Step} number="1" title="Sealed" done=${well} text=${SEALED} />
        <${Step}
          number="2"
          title="Mixed"
          done=${well && Boolean(deal.header)}
          text=${mixed(deal)}
        />
        <${Step}
          number="3"
          title="Opened"
          done=${Boolean(deal.seed)}
          text=${
            deal.seed
              ? 'The secret is out, so everything can be checked.'
              : 'The secret is shown when the game is over.'
          }
        />
        <${Step} number="4" ...${verdict(facts, proof)} />
      </ol>
      ${
        deal.seed &&
        html`
          <ul class="findings">
            ${findings.map(
              (one) => html`
                <li data-ok=${one.ok || undefined} data-open=${one.ok === null || undefined}>
                  <${Icon} name=${one.ok ? 'check' : one.ok === null ? 'eye' : 'x'} />
                  ${one.text}
                </li>
              `,
            )}
          </ul>
        `
      }
      <${Hashes} deal=${deal} own=${own} />
      ${
        deal.seed &&
        html`
          <${Elsewhere} facts=${facts} own=${own} />
        `
      }
    </div>
  `;
}
