// The top of a page, and the names of its guests.
import { html, useEffect, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { forgetful, lasting, unknown } from '../privacy/stored.js';
import { once, post } from './api.js';
import { Icon } from './card.js';
import { Dealing, useDocument } from './lazy.js';
import { shownAs } from './opponents.js';
import { initial, isolated, sentence } from './words.js';

/** @import { Chair, Facts, Go, On, OnForm, Ref, Report as Reported, Scene } from '../types.js' */

/** The colours of the seats. */
export const INKS = [
  '#3f5d8a',
  '#8a4b2f',
  '#4d6b35',
  '#7b4380',
  '#2f6f72',
  '#80602a',
  '#8a3a54',
  '#555a63',
];

/** Does a condition on the screen hold, also when it changes?
 * @param {MediaQueryList} condition */
export function useMatch(condition) {
  const [holds, set] = useState(condition.matches);
  useEffect(() => {
    const look = () => set(condition.matches);
    condition.addEventListener('change', look);
    return () => condition.removeEventListener('change', look);
  }, []);
  return holds;
}

/** A link within the room, which does not load the page again.
 * @param {string} to @param {Go} go */
export const goTo = (to, go) => (/** @type {Event} */ event) => {
  event.preventDefault();
  go(to);
};

/** @param {{ go: Go }} props */
export const Logo = ({ go }) => html`
  <a class="logo" href="/" aria-label="To the lobby" onClick=${goTo('/', go)}>
    <${Icon} name="fair-mark" />
  </a>
`;

/** A link to the first of the tables that wait for the visitor, if there is one.
 * @param {{ tables: string[], go: Go }} props */
export const Next = ({ tables, go }) => {
  const to = `/t/${tables[0]}`;
  return (
    tables.length > 0 &&
    html`
      <a class="btn next" href=${to} onClick=${goTo(to, go)}>
        Next table, ${tables.length} waiting
      </a>
    `
  );
};

/** The face of a seat: round for people, square for bots, with their portraits, dashed while free.
 * @param {{ chair: Chair, letter?: string }} props */
export const Face = ({ chair, letter }) => html`
  <span
    class="face"
    translate=${false}
    data-bot=${(chair.taken && chair.plays !== 'person') || undefined}
    data-free=${!chair.taken || undefined}
    style=${{ '--who': INKS[chair.seat % 8] }}
  >
    ${letter ?? (chair.taken ? shownAs(chair.name, chair.plays !== 'person' && chair.plays) : '')}
  </span>
`;

export const NAMELESS = 'Guest';
const NAME = 'fairdeal name';
/** @type {Set<(name: string) => void>} */
const watchers = new Set();
let known = '';

/** The last nickname in this browser, in any room at this address. */
const nameBefore = () => lasting.get(NAME) ?? '';

/** Return whether only the viewer and bots play. @param {Facts} facts */
const isWithBots = ({ chairs }) =>
  chairs.every((chair) => chair.you || !chair.taken || chair.plays !== 'person');

/** Return whether an unfinished table concerns only its visitor, who may clear it away.
 * @param {Facts} facts */
export const isAlone = (facts) =>
  facts.host && facts.status !== 'over' && (Boolean(facts.origin) || isWithBots(facts));

/** The consequences of leaving a running game: by the button, and by closing the page.
 * @param {Facts} facts @returns {string[]} */
export function leaving(facts) {
  if (facts.rated) {
    return ['A bot plays for you. As soon as it has moved, you count as last.'];
  }
  if (isWithBots(facts)) {
    return [
      `The game pauses until you are back. ${facts.clock ? 'No clock runs, and no' : 'No'} bot plays for you.`,
    ];
  }
  const waits = facts.clock
    ? 'your clock runs on, and a bot makes your move when it is over'
    : 'the others wait for you';
  return ['A bot plays for you until you are back.', `If you only close the page, ${waits}.`];
}

/** Is it the visitor's turn? @param {Facts} facts */
export const isTurn = (facts) =>
  facts.status === 'running' && !facts.readable_only && facts.acts.includes(facts.seat);

/** Is this a deal of the day that others can still play, so that its log is secret?
 * @param {Facts} facts */
export const isSealed = ({ daily, deal }) => Boolean(daily) && !deal.seed;

/** Can a table be analysed? Only a finished game with a winner can. @param {Facts} facts */
export const canBeAnalysed = (facts) =>
  facts.status === 'over' && !isSealed(facts) && facts.won !== false && !facts.readable_only;

/** Is the viewer of a scene asked? @param {Scene | null | undefined} scene */
export const isYours = (scene) => scene?.prompt?.mode === 'yours';

/** Where the analysis of a table is. @param {Facts} facts */
export const analysisOf = (facts) => `/g/${facts.id}/analysis`;

/** Be called something.
 * @param {string} name @returns {Promise<string>} what the room makes of it */
async function rename(name) {
  known = (await post('/api/me', { name })).name;
  watchers.forEach((tell) => tell(known));
  if (known !== NAMELESS) lasting.set(NAME, known);
  return known;
}

/** Your name as others see it, once the room has sent it. @returns {string} */
export function useName() {
  const [name, setName] = useState(known);
  useEffect(() => {
    watchers.add(setName);
    once('/api/me').then(
      (me) => setName(known || (known = me.name)),
      () => 0,
    );
    return () => void watchers.delete(setName);
  }, []);
  return isolated(name);
}

/** The field that asks a guest without a name for one. It is shown until the room says that the
 * guest has a name, so that a slow answer lets nobody go on without.
 * @param {{ needed?: boolean }} props needed: whether the form waits for a name */
export function NameField({ needed = false }) {
  const name = useName();
  if (name && name !== NAMELESS) return null;
  return html`
    <label class="name">
      <span>What shall we call you?</span>
      <input
        name="nickname"
        autocomplete="nickname"
        required=${needed}
        pattern=${needed ? '.*\\S.*' : undefined}
        placeholder=${needed ? 'Your name' : NAMELESS}
        defaultValue=${nameBefore()}
      />
    </label>
  `;
}

/** Keep the name that was typed into a form with such a field, if there is one.
 * @param {HTMLFormElement} form */
export async function keepName(form) {
  const typed = String(new FormData(form).get('nickname') ?? '').trim();
  if (typed) await rename(typed);
}

/** A form for your nickname, which is all that others learn of you. */
export function Who() {
  const name = useName();
  const [editing, setEditing] = useState(false);
  const [problem, setProblem] = useState('');
  const keep = (/** @type {OnForm} */ event) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('name') ?? '');
    setProblem('');
    rename(typed).then(
      () => setEditing(false),
      (reason) => setProblem(sentence(reason.message)),
    );
  };
  if (editing) {
    return html`
      <form class="whoami" onSubmit=${keep}>
        <input
          name="name"
          aria-label="Your name"
          autocomplete="nickname"
          defaultValue=${name === NAMELESS ? nameBefore() : known}
          placeholder="Your name"
          autofocus
          aria-invalid=${Boolean(problem)}
          aria-describedby=${problem ? 'name-problem' : undefined}
        />
        <button class="btn main">Keep</button>
        ${
          problem
            ? html`
                <p class="bad small" id="name-problem" role="alert">${problem}</p>
              `
            : html`
                <p><a class="btn slim" href="/keep">Use it on other devices</a></p>
              `
        }
      </form>
    `;
  }
  return html`
    <button class="btn bare who-you" onClick=${() => setEditing(true)} title="Change your name">
      <span class="face" style=${{ '--who': INKS[0] }} aria-hidden="true">
        ${initial(name || '?')}
      </span>
      <span class="hide-s" aria-hidden="true">${name}</span>
      <span class="sr">${name}: change your name</span>
    </button>
  `;
}

/** A page that only says why there is nothing, with a way on.
 * @param {{ head: string, said: string, to?: string, label?: string }} props */
export const Nothing = ({ head, said, to = '/', label = 'To the lobby' }) => html`
  <main class="nothing">
    <h1>${head}</h1>
    <p>${sentence(said)}</p>
    <a class="btn main" href=${to}>${label}</a>
  </main>
`;

/** A page that is not there, or not yet.
 * @param {{ problem: string, what: string }} props `problem`, if there is one, and `what` is not
 * there */
export const Nowhere = ({ problem, what }) =>
  problem
    ? html`
        <${Nothing} head=${`No such ${what}`} said=${problem} />
      `
    : html`
        <${Dealing} />
      `;

/** A page that the room writes, when it is there.
 * @param {{ found: ReturnType<typeof useDocument>, kind: string, what?: string, about?: string,
 *   onClick?: (event: On) => void }} props what: is not there otherwise; about: the page itself,
 *   after its head in the title of the window */
export function Written({ found: { problem, laid }, kind, what = 'page', about = '', ...more }) {
  useEffect(() => {
    const head = laid && document.querySelector('h1')?.textContent;
    document.title = head ? `${head}${about} · fairdeal` : 'fairdeal';
  }, [!laid]);
  return laid
    ? html`
        <main class=${`rulebook ${kind}`} ...${laid} ...${more} />
      `
    : html`
        <${Nowhere} problem=${problem} what=${what} />
      `;
}

/** A page that the room alone writes.
 * @param {{ at: string, kind: string }} props at: its address */
export const DocumentPage = ({ at, kind }) => html`
  <${Written} found=${useDocument(at)} kind=${kind} />
`;

/** A notice of what the browser does not store, or does not send to the room. */
export function Forgetting() {
  const [said] = useState(() => [forgetful(), unknown()].filter(Boolean));
  return said.map(
    (words) => html`
      <p class="forgets" key=${words}>${words}</p>
    `,
  );
}

/** Why something could not be done. @param {{ said: string, small?: boolean }} props */
export const Problem = ({ said, small }) =>
  said &&
  html`
    <p class=${small ? 'bad small' : 'bad'} role="alert">${sentence(said)}</p>
  `;

/** Is this the name of another guest? Only such a name can be reported.
 * @param {Chair | undefined} chair */
export const isOther = (chair) => Boolean(chair?.taken && chair.plays === 'person' && !chair.you);

/** Report a line, or without its time the name at its seat, to the keeper of the room. What came of
 * it takes the place and the focus of the button.
 * @param {{ of: Reported & { name: string }, report: (what: Reported) => Promise<string>,
 *   words?: unknown }} props words: of the button; without any it is a sign */
export function Report({ of, report, words }) {
  const [told, setTold] = useState('');
  /** @type {Ref} */ const answer = useRef(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) answer.current?.focus({ preventScroll: true });
  }, [told]);
  const what = of.at ? 'line' : 'name';
  return told
    ? html`
        <small class="mute quiet" role="status" tabindex="-1" ref=${answer}>${told}</small>
      `
    : html`
        <button
          class="plain mute quiet"
          aria-label=${words ? undefined : `Report this ${what} of ${of.name}`}
          title=${`Report this ${what} to the keeper of the room`}
          onClick=${() => report(of).then(setTold)}
        >
          <${Icon} name="flag" />
          ${words}
        </button>
      `;
}

/** A clause, which opens the rules.
 * @param {{ clause?: string, openRules: (clause: string) => void }} props */
export const Clause = ({ clause, openRules }) =>
  clause &&
  html`
    <button class="clause" onClick=${() => openRules(clause)}>${clause}</button>
  `;

/** A list of the fields that are not valid. @param {{ wrong: string[] }} props */
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
