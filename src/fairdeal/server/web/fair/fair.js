// The proof of the deal: what this browser was promised and kept, held against what the room says
// at the end.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { text } from '../kit/api.js';
import { Icon } from '../kit/card.js';
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

/** All that this browser can check of a table now: of a running game what does not fit, of a
 * finished one everything.
 * @param {Facts} facts */
export function useProof(facts) {
  /** @type {Stateful<Finding[] | null>} */ const [found, setFound] = useState(null);
  const { deal, id } = facts;
  useEffect(() => {
    setFound(null);
    if (!deal.seed) return;
    const lost = [{ ok: false, text: 'The room does not give out what this game is checked by.' }];
    text(`/api/tables/${id}/log`)
      .then((log) => check(facts, kept(id), log))
      .then(setFound, () => setFound(lost));
  }, [id, deal.seed, deal.header]);
  const findings = found ?? broken(facts, kept(id));
  const wrong = findings.filter((one) => one.ok === false).map((one) => one.text);
  return { done: found !== null, findings, wrong, own: kept(id) };
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

/** @param {{ number: string, title: string, text: string, done?: boolean, bad?: boolean }} props */
const Step = ({ number, title, text: words, done, bad }) => html`
  <li
    data-ok=${done || undefined}
    data-bad=${bad || undefined}
    data-pending=${(!done && !bad) || undefined}
  >
    <span class="n">
      ${
        bad
          ? html`
              <${Icon} name="x" />
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

/** The words of the last step. @param {Facts} facts @param {ReturnType<typeof useProof>} proof */
function verdict(facts, { done, wrong, own, findings }) {
  if (wrong.length) return { title: 'Deal not kept', text: wrong[0], bad: true };
  if (!facts.deal.seed) {
    return { title: 'Checked', text: 'When the game is over, your browser checks it.' };
  }
  if (!done) return { title: 'Checked', text: 'Checking …' };
  if (own?.nonce && own.header && findings.some((one) => one.ok === null)) {
    return {
      title: 'Checked in part',
      done: true,
      text: 'What this browser kept is all there. It was not there to the end.',
    };
  }
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

/** Save what this browser kept, for `fairdeal verify`. @param {string} id */
function download(id) {
  const address = URL.createObjectURL(new Blob([file(id)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), {
    href: address,
    download: `kept ${id}.json`,
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
    <a class="link" href=${`/api/tables/${facts.id}/log`} download>download the log</a>
    ${
      own &&
      html`
        ${' '}and${' '}
        <button class="link" onClick=${() => download(facts.id)}>what this browser kept</button>
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
  return html`
    <p class="small why">
      <b>
        ${
          alone
            ? 'Nobody can change these cards.'
            : 'Nobody picked these cards, and nobody can change them.'
        }
      </b>
      ${
        alone
          ? ' They follow from a secret that the room fixed before the deal.'
          : ' They follow from a secret of the room and the players’ numbers, all fixed before the deal.'
      }
      ${' '}After the game your browser checks every card.
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
