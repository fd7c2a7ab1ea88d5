// The proof of the deal: what this browser was promised and kept, held against what the room says
// at the end.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { logOf, text } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { file, kept, opened } from './storage.js';
import { broken, chanceKey, failures, sorted } from './proof.js';

/** @import { Deal, Facts, Stateful } from '../types.js'
 * @import { Kept } from './proof.js'
 * @import { Replayed } from './replayed.js' */

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
      <p>Save the log and this browser’s records, and do not trust this room.</p>
    </section>
  `;

/** A check that takes longer says what it waits for, in milliseconds. */
const LONG = 3000;

const CHECKING = 'Your browser is checking …';

const LOST = 'The room did not send a log that your browser can check.';

/** All that this browser can check of a table now: of a running game what does not fit, of a
 * finished one everything.
 * @param {Facts} facts */
export function useProof(facts) {
  /** @type {Stateful<Finding[] | null>} */ const [checked, setChecked] = useState(null);
  /** @type {Stateful<Replayed | null>} */ const [game, setGame] = useState(null);
  const [step, setStep] = useState('');
  const [isLong, setLong] = useState(false);
  const { deal, id } = facts;
  useEffect(() => {
    setChecked(null);
    setGame(null);
    setLong(false);
    setStep('for the log of the game');
    if (!deal.seed) return undefined;
    const timer = setTimeout(() => setLong(true), LONG);
    opened(facts);
    let isGone = false;
    /** @type {Finding[]} */
    const lost = [{ check: 'log', ok: null, text: LOST }];
    const log = text(logOf(id));
    log
      .then(async (found) => {
        const { check } = await loaded(() => import('./check.js'));
        return check(facts, kept(facts), found);
      })
      .catch(() => lost)
      .then((found) => isGone || setChecked(found));
    const own = facts.seat < 0 ? null : kept(facts);
    log
      .then(async (found) => {
        const { replayed } = await loaded(() => import('./replayed.js'));
        return replayed(id, found, own, (now) => isGone || setStep(now));
      })
      .then(
        (found) => isGone || setGame(found),
        () => undefined,
      );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [id, deal.seed, deal.header]);
  const findings = sorted([...(game?.findings ?? []), ...(checked ?? broken(facts, kept(facts)))]);
  const wrong = findings.filter((one) => one.ok === false).map((one) => one.text);
  const isLost = checked !== null && checked.every((one) => one.text === LOST);
  const done = wrong.length > 0 || isLost || (checked !== null && game !== null);
  const waits = isLong && step ? `${CHECKING} It waits ${step}.` : CHECKING;
  return { done, findings, wrong, game, waits, own: kept(facts) };
}

/** Has this browser a record from before the deal, which the log can be held against?
 * @param {Kept | null} own */
export const hasRecord = (own) => Boolean(own?.nonce && own.header);

/** What the checks have found, in one line.
 * @param {Facts} facts @param {ReturnType<typeof useProof>} proof */
export function inOneLine(facts, { done, wrong, findings, game, waits, own }) {
  if (wrong.length) return wrong[0];
  const open = openIn(facts, findings);
  if (open) return `Not proven. ${open}`;
  if (!done || !game) return waits;
  const isOpen = findings.some((one) => one.ok === null);
  const known = hasRecord(own) ? '' : ' It has no record from before the deal.';
  return `${game.findings[0].text}${isOpen ? ' Some of it could not be checked here.' : ''}${known}`;
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

/** Where the numbers come from, in words. @param {Deal} deal
 * @param {Kept | null} own what this browser kept */
function mixed(deal, own) {
  const origins = ['given', 'withheld'].map(
    (origin) => (deal.header.match(new RegExp(` ${origin} [0-9a-f]{64}$`, 'gm')) ?? []).length,
  );
  if (!deal.header) return 'Every player fixes a number before any of them is shown.';
  if (origins[1]) return 'A player did not show their number. The cards were dealt without it.';
  if (!origins[0]) return 'No player gave a number. The cards follow from the room’s secret alone.';
  return own?.nonce
    ? 'Every number was fixed before any was shown, so nobody chose the cards.'
    : 'Every number was fixed before any was shown.';
}

/** What cannot be proven because something is missing, in words.
 * @param {Facts} facts @param {Finding[]} findings */
export function openIn({ deal, status }, findings) {
  const open = findings.filter((one) => one.ok === null && !one.part).map((one) => one.text);
  if (status === 'over' && !deal.seed) open.unshift('The room has not shown its secret.');
  return [...open, failures(deal)].filter(Boolean).join(' ');
}

/** The words of the last step. @param {Facts} facts @param {ReturnType<typeof useProof>} proof */
function verdict(facts, { done, wrong, own, findings, waits }) {
  if (wrong.length) return { title: 'Deal not kept', text: wrong[0], bad: true };
  const open = openIn(facts, findings);
  if (open) return { title: 'Not proven', text: open, open: true };
  if (!facts.deal.seed) {
    return { title: 'Checked', text: 'When the game is over, your browser checks it.' };
  }
  if (!done) return { title: 'Checked', text: waits };
  const parts = findings.filter((one) => one.ok === null).map((one) => one.text);
  if (hasRecord(own) && parts.length) {
    return { title: 'Checked in part', done: true, text: parts.join(' ') };
  }
  if (hasRecord(own)) {
    return {
      title: 'Verified',
      done: true,
      text: 'The log matches the records of this browser, and your browser played the game again.',
    };
  }
  return {
    title: 'It adds up',
    open: true,
    text: [
      'Secret, numbers, cards and moves fit together.',
      ...parts,
      'This browser saved nothing before the deal, so it cannot prove more.',
    ].join(' '),
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

/** What can be held against the log, and the rules that this browser played it with.
 * @param {{ deal: Deal, own: Kept | null, module: string | undefined }} props */
const Hashes = ({ deal, own, module }) => html`
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
    ${
      module &&
      html`
        <${Hash} label="Rules that your browser ran" value=${module} />
      `
    }
  </dl>
`;

/** How to check it all with another program.
 * @param {{ facts: Facts, own: Kept | null }} props */
const Elsewhere = ({ facts, own }) => html`
  <p class="small">
    This page and its rules come from the room. The fairdeal package contains the rules of all
    built-in games, and
    <code>fairdeal wasm</code>
    prints their hashes. For an independent check, use a program that does not come from the room:
    <a class="link" href=${logOf(facts.id)} download>download the log</a>
    ${
      own &&
      html`
        ${' '}and${' '}
        <button class="link" onClick=${() => download(facts)}>this browser’s records</button>
      `
    },
    then
  </p>
  <pre>fairdeal verify LOG${own ? ' --kept FILE' : ''}</pre>
`;

/** What all of it is for. Where no player gave a number, the room alone fixed the cards, and only
 * who gave one knows that not all others acted together. Once the game is over, it is said only of
 * a game that was played again.
 * @param {{ deal: Deal, proof: ReturnType<typeof useProof> }} props */
function Why({ deal, proof: { done, wrong, game, own } }) {
  if (wrong.length || (done && !game?.done)) return null;
  const alone = deal.header && !/ given [0-9a-f]{64}$/m.test(deal.header);
  const failed = failures(deal);
  const isLess = !own?.nonce || alone || failed || / withheld [0-9a-f]{64}$/m.test(deal.header);
  return html`
    <p class="small why">
      <b>
        ${
          isLess
            ? 'Nobody can change these cards.'
            : 'Nobody picked these cards, and nobody can change them.'
        }
      </b>
      ${
        alone
          ? ' They follow from a secret that the room fixed before the deal.'
          : ' They follow from a secret of the room and the players’ numbers, all fixed before the deal.'
      }
      ${' '}${failed}
      ${deal.seed ? '' : 'After the game, your browser plays it again and shows the result here.'}
    </p>
  `;
}

const SEALED =
  'The room’s secret was fixed before anybody made a number. The promise is its fingerprint.';

/** @param {{ facts: Facts }} props */
export function Fair({ facts }) {
  return html`
    <${Proof} facts=${facts} proof=${useProof(facts)} />
  `;
}

/** The steps of a deal, and all findings.
 * @param {{ facts: Facts, proof: ReturnType<typeof useProof> }} props */
export function Proof({ facts, proof }) {
  const { deal } = facts;
  const { findings, own } = proof;
  const well = proof.wrong.length === 0;
  return html`
    <div class="fair">
      <${Why} deal=${deal} proof=${proof} />
      <ol class="steps">
        <${Step} number="1" title="Sealed" done=${well} text=${SEALED} />
        <${Step}
          number="2"
          title="Mixed"
          done=${well && Boolean(deal.header)}
          text=${mixed(deal, own)}
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
      <${Hashes} deal=${deal} own=${own} module=${proof.game?.module} />
      ${
        deal.seed &&
        html`
          <${Elsewhere} facts=${facts} own=${own} />
        `
      }
    </div>
  `;
}
