// The end of a game: who won and why, the points, the proof, another game, and the whole of it move
// by move.
import { html } from './vendor/htm-preact.js';
import { Icon } from './card.js';
import { Alarm, Fair, useProof } from './fair.js';
import { cloth } from './field.js';
import { bindNext } from './kept.js';
import { Score } from './panel.js';
import { INKS, Logo } from './top.js';

const ORDINALS = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th'];

/** @param {any} props */
function Podium({ table, result }) {
  const { scene, facts } = table;
  const order = facts.chairs
    .map((_, seat) => seat)
    .sort((a, b) => result.places[a] - result.places[b]);
  const best = Math.max(...result.scores, 1);
  const worst = Math.min(...result.scores, 0);
  const height = (seat) => (result.scores[seat] - worst) / (best - worst || 1);
  const name = (seat) => (seat === scene.viewer ? 'You' : facts.chairs[seat].name);
  return html`
    <div class="podium">
      ${order.map(
        (seat) => html`
          <div class="col" key=${seat} style=${{ '--h': height(seat), '--who': INKS[seat % 8] }}>
            ${result.shown
              ? html`
                  <small>${result.shown[seat]}</small>
                `
              : html`
                  <b>${result.scores[seat]}</b>
                `}
            <span class="bar"><i>${ORDINALS[result.places[seat] - 1]}</i></span>
            <span>${name(seat)}</span>
          </div>
        `,
      )}
    </div>
  `;
}

/** Where one goes from here. @param {any} props */
function Ways({ table, go, look }) {
  const { facts } = table;
  const you = facts.chairs[facts.seat];
  const again = () => {
    if (facts.rematch) go(`/t/${facts.rematch}`);
    else table.ask({ type: 'rematch', hash: bindNext(facts) });
  };
  const waiting = facts.chairs.filter(
    (chair) => chair.plays === 'person' && chair.taken && chair.here && !chair.ready && !chair.you,
  );
  return html`
    <div class="acts">
      ${facts.seat >= 0 &&
      !facts.origin &&
      html`
        <button class="btn lit" disabled=${you?.ready && !facts.rematch} onClick=${again}>
          Rematch
        </button>
      `}
      <button class="btn" onClick=${look}>Look at the table</button>
      <button class="btn" onClick=${() => go(`/t/${facts.id}?move=0`)}>
        <${Icon} name="play" />
        Replay
      </button>
      <button class="btn" onClick=${() => go('/')}>Leave</button>
    </div>
    ${you?.ready &&
    !facts.rematch &&
    waiting.length > 0 &&
    html`
      <p class="small quiet" role="status">
        Waiting for ${waiting.map((chair) => chair.name).join(' and ')}.
      </p>
    `}
  `;
}

/** @param {any} props */
export function Over({ table, go, look }) {
  const { scene, facts } = table;
  const { wrong } = useProof(facts);
  const result = scene.result ?? { text: 'The game is over', places: [], scores: [] };
  const won = result.won !== false && result.places[scene.viewer] === 1;
  return html`
    <div class="app over" data-skin=${table.skin.name} style=${cloth(table.skin)}>
      <header class="top">
        <${Logo} go=${go} />
        <h1>${facts.title}</h1>
        <span class="sub">${scene.sub ?? ''} · finished</span>
      </header>
      <main class="table">
        <div class="result">
          <${Alarm} wrong=${wrong} />
          <section class="win" aria-label="Result">
            <h2 class=${`ribbon sign${won ? ' won' : ''}`}>${result.text}</h2>
            <${Podium} table=${table} result=${result} />
            ${result.why &&
            html`
              <p>${result.why}</p>
            `}
            ${scene.score &&
            html`
              <${Score} score=${scene.score} />
            `}
            <${Ways} table=${table} go=${go} look=${look} />
          </section>
          <section aria-label="The deal">
            <h2>
              <${Icon} name="fair" />
              The deal
            </h2>
            <${Fair} facts=${facts} />
          </section>
        </div>
      </main>
    </div>
  `;
}
