// The choice for a chair: one of the game's opponents, or a guest who comes by link.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { get } from '../kit/api.js';
import { Portrait } from '../kit/opponents.js';
import { FACES } from '../protocol.js';

/** @import { Against, GameFacts, LevelFacts } from '../types.js' */

/** Your record against each opponent of a game, once the room has told it.
 * @param {string} game @returns {Record<string, Against>} */
function useRecord(game) {
  const [record, setRecord] = useState(/** @type {Record<string, Against>} */ ({}));
  useEffect(() => {
    get(`/api/games/${game}/record`).then(setRecord, () => 0);
  }, [game]);
  return record;
}

/** `you 3, she 8`. @param {LevelFacts} level @param {Against | undefined} met */
const recordWith = (level, met) =>
  met ? `you ${met.you}, ${level.pronoun} ${met.they}` : 'not met yet';

/** An opponent who should be a good match: near the strongest one that you hold your own against.
 * @param {LevelFacts[]} levels @param {Record<string, Against>} record */
export function surprise(levels, record) {
  const held = levels.findLastIndex(({ id }) => record[id] && record[id].you >= record[id].they);
  const near = held < 0 ? levels.slice(0, 3) : levels.slice(Math.max(0, held - 1), held + 3);
  return near[Math.floor(Math.random() * near.length)];
}

/** Six dots, as many of them full as an opponent is strong. @param {{ pips: number }} props */
const Pips = ({ pips }) => html`
  <span class="pips-of" aria-hidden="true">
    ${FACES.map(
      (id, number) => html`
        <i key=${id} data-on=${number < pips || undefined}></i>
      `,
    )}
  </span>
`;

/** @param {{ level: LevelFacts, met?: Against, checked: boolean, choose: () => void }} props */
const Level = ({ level, met, checked, choose }) => html`
  <label class="level">
    <input
      type="radio"
      name="level"
      value=${level.id}
      checked=${checked}
      onChange=${choose}
      onClick=${choose}
    />
    <span>
      <${Portrait} id=${level.id} />
      <b>${level.name}</b>
      <span class="sr">, strength ${level.pips} of ${FACES.length}.</span>
      <${Pips} pips=${level.pips} />
      <span class="line">${level.line}</span>
      <small>${recordWith(level, met)}</small>
    </span>
  </label>
`;

/** @param {{ game: GameFacts, plays: string, seat: number, many: boolean,
 *   choose: (plays: string) => void, all: (plays: string) => void, close: () => void }} props
 * plays: who sits there now; many: whether other bots sit at the table; choose: called with a
 * chair; all: the same for every bot */
export function Chooser({ game, plays, seat, many, choose, all, close }) {
  const record = useRecord(game.name);
  const row = useRef(null);
  const { levels } = game;
  const now = levels.find(({ id }) => id === plays);
  useEffect(() => {
    const to = row.current?.querySelector('input:checked') ?? row.current?.querySelector('input');
    /** @type {HTMLElement | null | undefined} */ (to)?.focus({ preventScroll: true });
    row.current?.scrollIntoView({ block: 'nearest' });
  }, [seat]);
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key === 'Escape' || event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      close();
      return;
    }
    const wanted = levels.find(({ pips }) => String(pips) === event.key);
    if (!wanted) return;
    event.preventDefault();
    choose(wanted.id);
    /** @type {HTMLElement | null | undefined} */ (
      row.current?.querySelector(`input[value=${wanted.id}]`)
    )?.focus();
  };
  return html`
    <fieldset class="levels" ref=${row}>
      <legend class="sr">Who plays in seat ${seat + 1}?</legend>
      <div class="level-row" onKeyDown=${key}>
        ${levels.map(
          (level) => html`
            <${Level}
              key=${level.id}
              level=${level}
              met=${record[level.id]}
              checked=${level.id === plays}
              choose=${() => choose(level.id)}
            />
          `,
        )}
      </div>
      <div class="level-ways">
        <button type="button" class="btn" onClick=${() => choose(surprise(levels, record).id)}>
          Surprise me
        </button>
        ${
          many &&
          now &&
          html`
            <button type="button" class="btn" onClick=${() => all(now.id)}>
              Fill seats around ${now.name}
            </button>
          `
        }
        ${
          game.learned &&
          html`
            <button
              type="button"
              class="btn"
              aria-pressed=${plays === 'learned' ? 'true' : 'false'}
              onClick=${() => choose('learned')}
            >
              A trained net
            </button>
          `
        }
        <button
          type="button"
          class="btn"
          aria-pressed=${plays === 'person' ? 'true' : 'false'}
          onClick=${() => choose('person')}
        >
          Free, by link
        </button>
      </div>
    </fieldset>
  `;
}
