// The side panel: log, chat, rules, score, fair. A drawer on small screens.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { Icon, IconButton } from '../kit/card.js';
import { Rules } from '../learn/rules.js';
import { placeOn } from '../kit/keyboard.js';
import { later } from '../kit/lazy.js';
import { Report } from '../kit/page.js';
import { scoreOf } from '../kit/words.js';

/** @import { Facts, OnInput, OnKey, Score as Pad, Table, Told } from '../types.js' */

const Fair = later(() => import('../fair/fair.js'), 'Fair');

/** A tab: its name in the program, and what people read. @typedef {string[]} Tab */

const REACTIONS = ['👏', '😄', '😮', '🤔', '😢', '👋'];

/** Names of players in bold, a longer one before its own beginning.
 * @param {string} text @param {string[]} names */
function bold(text, names) {
  const longest = [...names].sort((a, b) => b.length - a.length);
  const words = longest.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return words
    ? text.split(new RegExp(`(^(?:${words})(?= )|\\b(?:${words})(?= ))`)).map((part) =>
        names.includes(part)
          ? html`
              <b>${part}</b>
            `
          : part,
      )
    : text;
}

/** Return the entries of a list that can be opened. @param {HTMLElement} list */
const buttonsOf = (list) => [...list.querySelectorAll('button')];

/** A list has one tab stop, however long it is. @param {HTMLElement} list
 * @param {HTMLElement | undefined} stop */
function stopAt(list, stop) {
  for (const button of buttonsOf(list)) button.tabIndex = button === stop ? 0 : -1;
}

/** The arrows move within a list. @param {OnKey} event */
function rove(event) {
  const list = event.currentTarget;
  const all = buttonsOf(list);
  const at = all.findIndex((one) => one === document.activeElement);
  const to = all[placeOn(event.key, at, all.length)];
  if (at < 0 || !to) return;
  event.preventDefault();
  stopAt(list, to);
  to.focus();
}

/** The moves. A line that is pointed at or has the focus names its clauses.
 * @param {{ log: Told[], names: string[], openRules: (clause: string) => void, move?: number,
 *   onMoment?: (move: number) => void }} props move: the one that is looked at, in a replay */
function Log({ log, names, openRules, move, onMoment }) {
  const end = useRef(null);
  useEffect(() => {
    const list = end.current?.parentElement;
    const now = list?.querySelector('[aria-current]');
    if (move === undefined) end.current?.scrollIntoView({ block: 'nearest' });
    else (now ?? list?.firstElementChild)?.scrollIntoView({ block: 'nearest' });
  }, [log.length, move]);
  useEffect(() => {
    const list = end.current?.parentElement;
    if (list && !list.contains(document.activeElement)) stopAt(list, buttonsOf(list).at(-1));
  }, [log]);
  return html`
    <ol class="log" onKeyDown=${rove}>
      ${log.map(
        (line, number) => html`
          <li
            key=${number}
            aria-current=${line.number === move ? 'step' : undefined}
            data-later=${(move !== undefined && line.number > move) || undefined}
          >
            <span>${log[number - 1]?.number === line.number ? '' : line.number}</span>
            <span>
              ${
                onMoment
                  ? html`
                      <button class="plain" onClick=${() => onMoment(line.number)}>
                        ${bold(line.text, names)}
                      </button>
                    `
                  : bold(line.text, names)
              }
              ${
                line.clauses.length > 0 &&
                html`
                  ${' '}
                  <span class="clauses">
                    ${line.clauses.map(
                      (clause) => html`
                        <button key=${clause} class="clause" onClick=${() => openRules(clause)}>
                          ${clause}
                        </button>
                      `,
                    )}
                  </span>
                `
              }
            </span>
          </li>
        `,
      )}
      <li ref=${end} class="end"></li>
    </ol>
  `;
}

/** @param {{ say: (text: string) => void }} props */
function Say({ say }) {
  const [text, setText] = useState('');
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim()) {
      say(text.trim());
      setText('');
    }
  };
  return html`
    <div class="reactions">
      ${REACTIONS.map(
        (sign) => html`
          <button
            key=${sign}
            class="btn icon"
            aria-label=${`React ${sign}`}
            onClick=${() => say(sign)}
          >
            ${sign}
          </button>
        `,
      )}
    </div>
    <form class="say" onSubmit=${send}>
      <input
        aria-label="Message to the table"
        placeholder="Say something kind"
        maxlength="300"
        value=${text}
        onInput=${(/** @type {OnInput} */ event) => setText(event.currentTarget.value)}
      />
      <${IconButton} name="chat" label="Send" />
    </form>
  `;
}

/** `21:41`, which reads the same beside a name of either direction.
 * @param {number} at a Unix time */
const clockTime = (at) =>
  new Date(at * 1000).toLocaleTimeString('en', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

/** The chat, which scrolls by itself only in its own box.
 * @param {{ table: Pick<Table, 'chat' | 'owed' | 'muted' | 'say' | 'mute' | 'report'> }} props */
export function Chat({ table: { chat, owed, muted, say, mute, report } }) {
  /** @type {{ current: HTMLDivElement | null }} */ const box = useRef(null);
  useEffect(() => box.current?.scrollTo(0, box.current.scrollHeight), [chat.length, owed.length]);
  return html`
    <div class="panel chat" ref=${box}>
      ${
        chat.length + owed.length === 0 &&
        html`
          <p class="quiet small">Nobody has said anything yet.</p>
        `
      }
      ${chat
        .filter((line) => !muted.includes(line.name))
        .map(
          (line, number) => html`
            <p class="small" key=${number}>
              <bdi><b translate=${false}>${line.name}</b></bdi>
              ${' '}
              <bdi class="quiet">${line.seat < 0 ? 'watching, ' : ''}${clockTime(line.at)}</bdi>
              ${' '}
              <button
                class="plain mute quiet"
                aria-label=${`Mute ${line.name}`}
                title=${`Mute ${line.name}`}
                onClick=${() => mute([...muted, line.name])}
              >
                <${Icon} name="x" />
              </button>
              <${Report} of=${line} report=${report} />
              <br />
              <bdi>${line.text}</bdi>
            </p>
          `,
        )}
      ${owed.map(
        (request) =>
          request.type === 'say' &&
          html`
            <p class="small quiet" key=${request.id}>
              <b>Not sent yet</b>
              <br />
              ${request.text}
            </p>
          `,
      )}
      ${
        muted.length > 0 &&
        html`
          <button class="btn slim" onClick=${() => mute([])}>Unmute ${muted.join(', ')}</button>
        `
      }
    </div>
    <${Say} say=${say} />
  `;
}

/** The score between the people at the table. @param {{ facts: Facts }} props */
export const Wins = ({ facts }) =>
  facts.score.length > 0 &&
  html`
    <p class="small wins">
      Games won:${' '}
      <b translate=${false}>${scoreOf(facts)}</b>
    </p>
  `;

/** @param {{ score: Pad }} props */
export const Score = ({ score }) => html`
  <div class="panel" tabindex="0" role="region" aria-label="Score">
    <table class="score">
      <thead>
        <tr>
          ${score.head.map((head) =>
            head
              ? html`
                  <th scope="col">${head}</th>
                `
              : html`
                  <td></td>
                `,
          )}
        </tr>
      </thead>
      <tbody>
        ${score.rows.map(
          (row) => html`
            <tr>
              ${row.map(
                (cell, number) => html`
                  <td class=${number === row.length - 1 ? 'sum' : ''}>${cell}</td>
                `,
              )}
            </tr>
          `,
        )}
      </tbody>
    </table>
  </div>
`;

/** @param {{ tabs: Tab[], tab: string, setTab: (tab: string) => void, unread: number,
 *   close?: () => void }} props */
function Tabs({ tabs, tab, setTab, unread, close }) {
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const at = tabs.findIndex(([id]) => id === tab);
    const [to] = tabs[placeOn(event.key, at, tabs.length)] ?? [];
    if (!to) return;
    event.preventDefault();
    setTab(to);
    setTimeout(() => document.getElementById(`tab-${to}`)?.focus());
  };
  const news = html`
    <i class="unread" aria-label=${`${unread} new`}></i>
  `;
  return html`
    <div class="tabs">
      <div class="tablist" role="tablist" onKeyDown=${keys}>
        ${tabs.map(
          ([id, name]) => html`
            <button
              key=${id}
              id=${`tab-${id}`}
              class="tab"
              role="tab"
              aria-selected=${tab === id ? 'true' : 'false'}
              aria-controls="tabpanel"
              tabindex=${tab === id ? 0 : -1}
              onClick=${() => setTab(id)}
            >
              <${Icon} name=${id === 'score' ? 'trophy' : id} />
              ${name}${id === 'chat' && unread ? news : ''}
            </button>
          `,
        )}
      </div>
      ${
        close &&
        html`
          <${IconButton} name="x" label="Close the panel" onClick=${close} />
        `
      }
    </div>
  `;
}

/** The content of a tab. @param {Table} table */
function shown(table) {
  const { scene, facts, log, tab } = table;
  if (tab === 'log') {
    const names = facts.chairs.map((chair) => chair.name).filter(Boolean);
    return html`
      <div key="log" class="panel" tabindex="0" role="region" aria-label="Log">
        <${Log}
          log=${log}
          names=${[...names, 'You']}
          openRules=${table.openRules}
          move=${table.move}
          onMoment=${table.onMoment}
        />
      </div>
    `;
  }
  if (tab === 'chat') {
    const people = facts.chairs.filter((chair) => chair.plays === 'person').length;
    return people < 2 && !facts.watchers
      ? html`
          <div key="chat" class="panel">
            <p class="quiet small">There are only bots here.</p>
          </div>
        `
      : html`
          <${Chat} table=${table} />
        `;
  }
  if (tab === 'rules') {
    return html`
      <${Rules} game=${facts.game} clause=${table.clause} options=${facts.options} />
    `;
  }
  if (tab === 'fair') {
    return html`
      <div key="fair" class="panel"><${Fair} facts=${facts} /></div>
    `;
  }
  return (
    tab === 'score' &&
    scene.score &&
    html`
      <${Score} score=${scene.score} />
    `
  );
}

/** The panel, and what shades the table while it is open as a drawer.
 * @param {{ table: Table }} props */
export function Panel({ table }) {
  const { tab, drawer, unread, set } = table;
  const close = drawer ? () => set({ drawer: false }) : undefined;
  const setTab = (/** @type {string} */ to) =>
    set(to === 'chat' ? { tab: to, unread: 0 } : { tab: to });
  const alone = Boolean(table.facts.lesson);
  /** @type {Tab[]} */
  const tabs = [
    ['log', 'Log'],
    ...(alone ? [] : [['chat', 'Chat']]),
    ['rules', 'Rules'],
    ...(table.scene.score ? [['score', 'Score']] : []),
    ...(alone ? [] : [['fair', 'Fair']]),
  ];
  return html`
    ${
      close &&
      html`
        <div class="scrim" onClick=${close}></div>
      `
    }
    <aside class="side" aria-label=${tabs.map(([, name]) => name).join(', ')}>
      <${Tabs} ...${{ tabs, tab, setTab, unread, close }} />
      <${Wins} facts=${table.facts} />
      <div
        id="tabpanel"
        class="tabpanel"
        role="tabpanel"
        aria-labelledby=${`tab-${tab}`}
        tabindex="-1"
      >
        ${shown(table)}
      </div>
    </aside>
  `;
}
