// The bar at the top of a table: the game, its facts, and the buttons for everything
// else.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { post } from '../kit/api.js';
import { Icon, IconButton } from '../kit/card.js';
import * as notice from '../kit/notification.js';
import { isOn, toggle } from '../kit/sound.js';
import { SpeedButton } from '../kit/speed.js';
import { Logo, Problem, isYours, leaving } from '../kit/page.js';
import { RATED, count } from '../kit/words.js';

/** @import { Facts, Go, Scene, Table } from '../types.js' */

/** The state of the deal, in two words, and why it matters. @param {Facts} facts
 * @param {string[]} wrong */
function sealOf({ deal }, wrong) {
  if (wrong.length) return ['Deal not kept', `${wrong[0]} Tap for details.`];
  if (deal.seed) {
    return ['Seal opened', 'The deal’s secret is out, so everybody can check it. Tap to see how.'];
  }
  return [
    'Deal sealed',
    'The cards were settled before the first was dealt, and nobody can change them. Tap to see how.',
  ];
}

/** @param {{ facts: Facts, wrong: string[], show: () => void }} props */
function Seal({ facts, wrong, show }) {
  const [seal, why] = sealOf(facts, wrong);
  return html`
    <button class="pill hide-s" title=${why} onClick=${show}>
      <${Icon} name="fair" />
      <span class="seal">${seal}</span>
    </button>
  `;
}

/** The description of the game, and the facts of the moment, as far as each has room as a whole.
 * @param {Pick<Scene, 'sub' | 'facts'>} props */
const Told = ({ sub, facts }) => html`
  <span class="sub whole">
    ${sub.split(' · ').map(
      (part, number) => html`
        <i key=${number}>${number ? `· ${part}` : part}</i>
      `,
    )}
  </span>
  <span class="gap-x"></span>
  <span class="facts whole">
    ${facts.map(
      (fact) => html`
        <span class="pill" key=${fact}>${fact}</span>
      `,
    )}
  </span>
`;

/** @param {{ table: Table, wrong: string[], go: Go }} props */
export function Header({ table, wrong, go }) {
  const { facts, scene, unread, drawer, unkept, set, ask, openRules } = table;
  return html`
    <header class="top">
      <${Logo} go=${go} />
      <div class="title">
        <h1>${facts.title}</h1>
        <${Told} ...${scene} />
      </div>
      ${
        scene.viewer < 0 &&
        html`
          <span class="pill">
            <${Icon} name="eye" />
            watching
          </span>
        `
      }
      ${
        !facts.lesson &&
        html`
          <${Seal}
            facts=${facts}
            wrong=${unkept.length ? unkept : wrong}
            show=${() => set({ tab: 'fair', drawer: true })}
          />
        `
      }
      ${
        facts.rated &&
        html`
          <span class="pill" title=${RATED}>rated</span>
        `
      }
      <${SpeedButton} />
      ${
        scene.viewer >= 0 &&
        scene.mode !== 'over' &&
        !facts.lesson &&
        !facts.rated &&
        html`
          <${Hint} idle=${!isYours(scene)} ask=${ask} />
        `
      }
      <${IconButton}
        name="rules"
        class="hide-s"
        label="Rules"
        title="Rules (r)"
        onClick=${() => openRules('')}
      />
      <${Sound} />
      ${
        notice.able() &&
        scene.viewer >= 0 &&
        html`
          <${Bell} />
        `
      }
      <button
        class="btn icon only-s"
        aria-label=${unread ? `Log and more, ${count(unread, 'new message')}` : 'Log and more'}
        aria-expanded=${drawer ? 'true' : 'false'}
        onClick=${() => set(unread ? { tab: 'chat', drawer: true, unread: 0 } : { drawer: !drawer })}
      >
        <${Icon} name="menu" />
        ${
          unread
            ? html`
                <i class="unread"></i>
              `
            : ''
        }
      </button>
      <${Leave} facts=${facts} go=${go} />
    </header>
  `;
}

/** @param {{ idle: boolean, ask: Table['ask'] }} props idle: it is not the viewer's turn */
const Hint = ({ idle, ask }) => html`
  <${IconButton}
    name="hint"
    label="Hint"
    title="Hint (h)"
    data-idle=${idle || undefined}
    onClick=${() => ask({ type: 'hint', searches: true })}
  />
`;

function Sound() {
  const [on, setOn] = useState(isOn());
  return html`
    <${IconButton}
      name=${on ? 'sound' : 'mute'}
      label=${on ? 'Sound off' : 'Sound on'}
      aria-pressed=${on ? 'true' : 'false'}
      onClick=${() => setOn(toggle())}
    />
  `;
}

function Bell() {
  const [on, setOn] = useState(notice.isOn());
  return html`
    <${IconButton}
      name=${on ? 'bell' : 'bell-off'}
      label=${on ? 'Stop telling me when it is my turn' : 'Tell me when it is my turn'}
      title="Tell me when it is my turn and this page is hidden"
      aria-pressed=${on ? 'true' : 'false'}
      onClick=${() => notice.toggle().then(setOn)}
    />
  `;
}

/** @param {{ facts: Facts, go: Go }} props */
function Leave({ facts, go }) {
  const [sure, setSure] = useState(false);
  const [problem, setProblem] = useState('');
  const asks = useRef(null);
  const back = useRef(null);
  const was = useRef(sure);
  useEffect(() => {
    if (was.current !== sure) (sure ? asks : back).current?.focus();
    was.current = sure;
  }, [sure]);
  const leave = () => {
    post(`/api/tables/${facts.id}/leave`).then(
      () => go('/'),
      (reason) => setProblem(reason.message),
    );
  };
  const stay = () => {
    setSure(false);
    setProblem('');
  };
  const running = facts.seat >= 0 && facts.status === 'running' && !facts.lesson;
  if (!sure) {
    return html`
      <button
        class="btn icon"
        ref=${back}
        aria-label="Leave"
        title="Leave"
        onClick=${() => (running ? setSure(true) : go('/'))}
      >
        <${Icon} name="x" />
      </button>
    `;
  }
  return html`
    <div class="sure" role="dialog" aria-label="Leave?" tabindex="-1" ref=${asks}>
      <div>
        ${leaving(facts).map(
          (line) => html`
            <p key=${line}>${line}</p>
          `,
        )}
        <${Problem} said=${problem} />
      </div>
      <button class="btn main" onClick=${leave}>Leave</button>
      <button class="btn" onClick=${stay}>Stay</button>
    </div>
  `;
}
