// The proof of the deal: what this browser was promised and kept, held against what the room says
// at the end.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { logOf, text } from '../kit/api.js';
import { Icon, IconButton } from '../kit/card.js';
import { file, keeperOf, recordOf } from '../record/keeper.js';
import { chanceKey, chanceText } from './log.js';
import { beforeTheEnd, say, whole } from './verdict.js';

/** @import { Deal, Facts, Stateful } from '../types.js'
 * @import { Check, Finding } from './proof.js'
 * @import { Replayed } from './replayed.js' */

/** A check that takes longer says what it waits for, in milliseconds. */
const LONG = 3000;

const CHECKING = 'Your browser is checking …';

/** The checks that a page makes only in part. */
const PARTS = ['bots', 'undone', 'shown'];

/** All that this browser can check of a table now: of a running game what does not fit, of a
 * finished one everything.
 * @param {Facts} facts */
export function useProof(facts) {
  /** @type {Stateful<Finding[] | null>} */ const [checked, setChecked] = useState(null);
  const [code, setCode] = useState('');
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
    const keeper = keeperOf(id);
    let isGone = false;
    const log = Promise.all([text(logOf(id)), keeper.ready]).then(([found]) => found);
    log
      .then(async (found) => {
        const { check } = await loaded(() => import('./check.js'));
        const one = await check(keeper.record, found);
        if (!isGone) setCode(one.code);
        return one.findings;
      })
      .catch(() => [say('log', 'missing')])
      .then((found) => isGone || setChecked(found));
    log
      .then(async (found) => {
        const { replayed } = await loaded(() => import('./replayed.js'));
        return replayed(id, found, keeper.record, (now) => isGone || setStep(now));
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
  const early = facts.lesson ? [] : beforeTheEnd(recordOf(facts));
  const isOfDay = Boolean(facts.daily);
  const hidden =
    facts.status === 'over' && !deal.seed ? [say('seed', isOfDay ? 'sealed' : 'hidden')] : [];
  const findings = whole([...hidden, ...(checked ?? early)], game?.findings ?? []);
  const wrong = textsOf(findings, false);
  const isLost = checked?.some(
    (one) => one.check === 'log' && one.ok === null && checked.length < 2,
  );
  const done =
    wrong.length > 0 ||
    Boolean(isLost) ||
    (isOfDay && hidden.length > 0) ||
    (checked !== null && game !== null);
  const waits = isLong && step ? `${CHECKING} It waits ${step}.` : CHECKING;
  return { done, findings, wrong, game, waits, code };
}

/** @param {Finding[]} findings @param {boolean | null} ok */
const textsOf = (findings, ok) => findings.filter((one) => one.ok === ok).map((one) => one.text);

/** The findings that are not proven because something is missing. @param {Finding[]} findings */
export const openIn = (findings) =>
  textsOf(
    findings.filter((one) => !PARTS.includes(one.check)),
    null,
  );

/** Do these checks hold? @param {Finding[]} findings @param {Check[]} checks */
const hold = (findings, checks) =>
  checks.every((check) => findings.some((one) => one.check === check && one.ok));

/** The findings of all checks, in one line. @param {ReturnType<typeof useProof>} proof */
export function inOneLine({ done, wrong, findings, waits }) {
  if (wrong.length) return wrong[0];
  if (!done) return waits;
  const [open] = openIn(findings);
  if (open) return `Not proven. ${open}`;
  const [part] = textsOf(findings, null);
  return `Your browser has checked the deal and every move.${part ? ` In part: ${part}` : ''}`;
}

/** @param {{ label: string, value: string }} props */
const Hash = ({ label, value }) => html`
  <div class="hash">
    <dt>${label}</dt>
    <dd>
      <code>${value}</code>
      <${IconButton}
        name="copy"
        label=${`Copy ${label}`}
        onClick=${() => navigator.clipboard?.writeText(value)}
      />
    </dd>
  </div>
`;

/** @param {{ number: string, title: string, text: string, done?: boolean, bad?: boolean,
 *   open?: boolean }} props `open` is a step that could not be taken here */
function Step({ number, title, text: words, done, bad, open }) {
  const icon = bad ? 'x' : open ? 'eye' : done ? 'check' : '';
  return html`
    <li
      data-ok=${done || undefined}
      data-bad=${bad || undefined}
      data-open=${open || undefined}
      data-pending=${!icon || undefined}
    >
      <span class="n">
        ${
          icon
            ? html`
                <${Icon} name=${icon} />
              `
            : number
        }
      </span>
      <span>
        <b>${title}</b>
        ${
          !icon &&
          html`
            <i class="quiet">${' '}to come</i>
          `
        }
        <small class="quiet">${words}</small>
      </span>
    </li>
  `;
}

/** Where the numbers come from, in words. @param {Deal} deal @param {Finding[]} findings */
function mixed({ header }, findings) {
  const origins = ['given', 'withheld'].map(
    (origin) => (header.match(new RegExp(` ${origin} [0-9a-f]{64}$`, 'gm')) ?? []).length,
  );
  if (/^daily /m.test(header)) return 'The numbers of this deal are in the record of its day.';
  if (!header) return 'Every player fixes a number before any of them is shown.';
  if (origins[1]) return 'A player did not show their number. The cards were dealt without it.';
  if (!origins[0]) return 'No player gave a number. The cards follow from the room’s secret alone.';
  return hold(findings, ['number'])
    ? 'Every number was fixed before any was shown, so nobody chose the cards.'
    : 'Every number was fixed before any was shown.';
}

/** The words of the last step. @param {Facts} facts @param {ReturnType<typeof useProof>} proof */
function verdict({ deal, status }, { done, wrong, findings, waits }) {
  if (wrong.length) return { title: 'Deal not kept', text: wrong[0], bad: true };
  if (!deal.seed && status !== 'over') {
    return { title: 'Checked', text: 'When the game is over, your browser checks it.' };
  }
  if (deal.seed && !done) return { title: 'Checked', text: waits };
  const open = openIn(findings);
  if (open.length) return { title: 'Not proven', text: open.join(' '), open: true };
  const parts = textsOf(findings, null);
  if (parts.length) return { title: 'Checked in part', done: true, text: parts.join(' ') };
  return {
    title: 'Verified',
    done: true,
    text: 'The log matches the record of this browser, and your browser played the game again.',
  };
}

/** Save the record of this browser, for `fairdeal verify`. @param {Facts} facts */
function download(facts) {
  const address = URL.createObjectURL(new Blob([file(facts)], { type: 'application/jsonl' }));
  Object.assign(document.createElement('a'), {
    href: address,
    download: `record ${facts.id}.jsonl`,
  }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The code to compare, and the hashes of the rules with which this browser replayed the log.
 * @param {{ facts: Facts, module: string | undefined }} props */
function Hashes({ facts, module }) {
  const { deal } = facts;
  const { numbers, visits } = recordOf(facts);
  const visit = [...visits.values()].at(-1);
  const [name, chain] = [...(visit?.acknowledged ?? [])].at(-1) ?? [];
  const own = [...numbers.values()].at(-1);
  const hashes = [
    ['Promise', deal.commitment],
    ['Your number', own?.nonce],
    [`Running hash at entry ${name?.split(' ')[1]}`, chain],
    ['The room’s key', deal.key],
    ['Seed', deal.seed],
    ['Chance key', deal.seed && chanceKey(deal.seed, chanceText(deal.header.split('\n')))],
    ['Rules that your browser ran', module],
  ];
  return html`
    <dl>
      ${hashes.map(
        ([label, value]) =>
          value &&
          html`
            <${Hash} key=${label} label=${label} value=${value} />
          `,
      )}
    </dl>
  `;
}

/** The commands that check the game with another program. @param {{ facts: Facts }} props */
const Elsewhere = ({ facts }) => html`
  <p class="small">
    This page and its rules come from the room. The fairdeal package contains the rules of all
    built-in games, and${' '}
    <code>fairdeal wasm</code>
    ${' '}prints their hashes. For an independent check, use a program that does not come from the
    room:${' '}
    <a class="link" href=${logOf(facts.id)} download>download the log</a>
    ${' '}and${' '}
    <button class="link" onClick=${() => download(facts)}>this browser’s record</button>
    , then
  </p>
  <pre>fairdeal verify LOG --kept FILE</pre>
`;

/** The purpose of the numbers: only a player whose number is in the deal knows that nobody chose
 * the cards. Of a finished game it is said only if the game was played again.
 * @param {{ facts: Facts, proof: ReturnType<typeof useProof> }} props */
function Why({ facts: { deal, status }, proof: { wrong, findings } }) {
  const isOver = Boolean(deal.seed) || status === 'over';
  if (wrong.length || !deal.header || (isOver && !hold(findings, ['seed', 'moves']))) return null;
  const isUnpicked = hold(findings, ['number', 'promise', 'outline', 'failed', 'waits', 'bound']);
  const isAlone = !/ given [0-9a-f]{64}$/m.test(deal.header);
  return html`
    <p class="small why">
      <b>
        ${
          isUnpicked
            ? 'Nobody picked these cards, and nobody can change them.'
            : 'Nobody can change these cards.'
        }
      </b>
      ${
        isAlone
          ? ' They follow from a secret that the room fixed before the deal.'
          : ' They follow from a secret of the room and the players’ numbers, all fixed before the deal.'
      }
      ${isOver ? '' : ' After the game, your browser plays it again and shows the result here.'}
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
  const { findings } = proof;
  const well = proof.wrong.length === 0;
  return html`
    <div class="fair">
      <${Why} facts=${facts} proof=${proof} />
      <ol class="steps">
        <${Step} number="1" title="Sealed" done=${well} text=${SEALED} />
        <${Step}
          number="2"
          title="Mixed"
          done=${well && Boolean(deal.header)}
          text=${mixed(deal, findings)}
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
      ${
        proof.code &&
        html`
          <p class="small code">
            Everybody who was shown this game has the code${' '}
            <b translate=${false}>${proof.code}</b>
            . Read it aloud to compare.
          </p>
        `
      }
      <${Hashes} facts=${facts} module=${proof.game?.module} />
      ${
        deal.seed &&
        html`
          <${Elsewhere} facts=${facts} />
        `
      }
    </div>
  `;
}
