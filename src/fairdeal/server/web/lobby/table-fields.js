// The fields of a new table: who sits there, the rules, the clock; all options behind one line.
import { html, useRef, useState } from '../vendor/htm-preact.js';
import { Chooser } from './chooser.js';
import { calledAt, chooseOpponent, companyOf, shownAs } from '../kit/opponents.js';
import { Options, Switch, range } from './options.js';
import { INKS, NAMELESS, useName } from '../kit/page.js';
import { isBot, playersFor, presetFor, seated } from './wishes.js';
import { DAY, clockOf, initial, lasting, presetText, presetTitle, title } from '../kit/words.js';

/** @import { GameFacts, LevelFacts, OnInput, Preset } from '../types.js'
 * @import { Wish, Wishes } from './wishes.js' */

/** @param {{ game: GameFacts, wishes: Wishes, wish: Wish }} props */
export const TableFields = (props) => html`
  <${Players} ...${props} />
  <${Chairs} ...${props} />
  <${Presets} ...${props} />
  <${Clock} ...${props} />
  ${
    props.game.calm_race > 0 &&
    html`
      <${Switch} of="calm" name="Calm races" note=${calmly(props.game.calm_race)} ...${props} />
    `
  }
  <${Options} ...${props} />
`;

/** The meaning of calm races. @param {number} seconds */
const calmly = (seconds) =>
  `Every race lasts ${seconds} seconds, and bots take their time. Races are always calm if ` +
  'somebody at the table has switched on reduced motion.';

/** @param {{ game: GameFacts, wishes: Wishes, wish: Wish }} props */
function Chairs({ game, wishes, wish }) {
  const [open, setOpen] = useState(-1);
  /** @type {{ current: HTMLElement | null }} */ const row = useRef(null);
  const you = useName();
  const seats = seated(wishes);
  const every = seated(wishes, game.players[1]);
  const choose = (/** @type {string} */ plays) => {
    wish({ chairs: every.map((last, seat) => (seat === open ? plays : last)) });
    if (isBot(plays)) chooseOpponent(game.name, plays);
  };
  const all = (/** @type {string} */ plays) => {
    const alike = companyOf(game, plays).values();
    wish({ chairs: every.map((last) => (isBot(last) ? (alike.next().value ?? plays) : last)) });
  };
  const names = calledAt(seats, you);
  const close = () => {
    row.current?.querySelectorAll('button')[open]?.focus();
    setOpen(-1);
  };
  return html`
    <fieldset class="chairs">
      <legend>Who sits there?</legend>
      <ol ref=${row}>
        ${seats.map(
          (plays, seat) => html`
            <${Chair}
              key=${seat}
              seat=${seat}
              plays=${plays}
              name=${names[seat]}
              level=${game.levels.find(({ id }) => id === plays)}
              you=${you}
              open=${seat === open}
              toggle=${() => setOpen(seat === open ? -1 : seat)}
            />
          `,
        )}
      </ol>
      ${
        open >= 0 && open < seats.length
          ? html`
              <${Chooser}
                game=${game}
                plays=${seats[open]}
                seat=${open}
                many=${seats.filter(isBot).length > 1}
                choose=${choose}
                all=${all}
                close=${close}
              />
            `
          : html`
              <small class="quiet">
                ${seats.length > 1 ? 'Tap a seat to choose who sits there.' : 'You play alone.'}
              </small>
            `
      }
    </fieldset>
  `;
}

/** @param {{ game: GameFacts, wishes: Wishes, wish: Wish }} props */
function Players({ game, wishes: { wished, players }, wish }) {
  const [low, high] = game.players;
  if (low === high) return null;
  const choose = (/** @type {number} */ n) =>
    wish({ players: n, preset: presetFor(game, wished, n) });
  const counts = range({ minimum: low, maximum: high });
  return html`
    <fieldset class="seg">
      <legend>Players</legend>
      <${Radios} name="players" values=${counts} chosen=${players} choose=${choose} />
    </fieldset>
  `;
}

/** Values side by side, of which one is chosen.
 * @param {{ name: string, values: number[], chosen: number, choose: (value: number) => void,
 *   called?: (value: number) => string | number }} props called: the words for a value */
const Radios = ({ name, values, chosen, choose, called = (value) => value }) => html`
  <div>
    ${values.map(
      (value) => html`
        <label key=${value}>
          <input
            type="radio"
            name=${name}
            checked=${value === chosen}
            onChange=${() => choose(value)}
          />
          <span>${called(value)}</span>
        </label>
      `,
    )}
  </div>
`;

/** The parts of a chair: a letter or a portrait, a name, and the kind of player.
 * @param {string} plays @param {string} name @param {string} you
 * @param {LevelFacts | undefined} level */
function chairWords(plays, name, you, level) {
  if (plays === 'you') return [initial(you || '?'), you === NAMELESS ? 'You' : you, 'your seat'];
  if (plays === 'person') return ['+', 'Free', 'by link'];
  if (plays === 'learned') return ['N', 'A net', 'trained'];
  const sort = level?.name === name ? `level ${level.pips}` : `like ${level?.name ?? title(plays)}`;
  return [shownAs(name, plays), name, sort];
}

/** @param {{ seat: number, plays: string, name: string, level?: LevelFacts, you: string,
 *   open: boolean, toggle: () => void }} props `name` is what a bot will be called */
function Chair({ seat, plays, name: called, level, you, open, toggle }) {
  const [shown, name, sort] = chairWords(plays, called, you, level);
  const person = plays === 'person';
  return html`
    <li>
      <button
        type="button"
        class="chair"
        disabled=${plays === 'you'}
        onClick=${toggle}
        aria-expanded=${plays === 'you' ? undefined : String(open)}
      >
        <span class="sr">Seat ${seat + 1}:</span>
        <span
          class="face"
          aria-hidden="true"
          data-bot=${(!person && plays !== 'you') || undefined}
          data-free=${person || undefined}
          style=${{ '--who': INKS[seat % 8] }}
        >
          ${shown}
        </span>
        <span class="who">
          <b>${name}</b>
          <small>${sort}</small>
        </span>
      </button>
    </li>
  `;
}

/** @param {{ game: GameFacts, wishes: Wishes, wish: Wish }} props */
function Presets({ game, wishes: { preset, players, options }, wish }) {
  const choose = (/** @type {Preset} */ one) => {
    const count = playersFor(game, one, /** @type {number} */ (one.options.players ?? players));
    const kept = Object.entries(options).filter(
      ([name]) => !(name in { ...one.tables[count], ...one.options }),
    );
    wish({
      preset: one.name,
      wished: one.name,
      players: count,
      options: Object.fromEntries(kept),
    });
  };
  return html`
    <fieldset class="presets">
      <legend>Rules</legend>
      <div>
        ${game.presets.map(
          (one) => html`
            <label class="preset" key=${one.name}>
              <input
                type="radio"
                name="preset"
                checked=${preset === one.name}
                onChange=${() => choose(one)}
              />
              <span>
                <b>${presetTitle(one)}</b>
                <small class="quiet">${presetText(one)} ${lasting(one.minutes)}.</small>
              </span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}

/** Seconds a turn that are offered. A game with races has no clock in days. */
const CLOCKS = [0, 60, DAY, 3 * DAY, 7 * DAY];

/** @param {{ game: GameFacts, wishes: Wishes, wish: Wish }} props */
const Clock = ({ game, wishes: { clock }, wish }) => html`
  <fieldset class="seg words">
    <legend>Clock for a turn</legend>
    <${Radios}
      name="clock"
      values=${CLOCKS.filter((seconds) => seconds < DAY || !game.calm_race)}
      chosen=${clock}
      choose=${(/** @type {number} */ seconds) => wish({ clock: seconds })}
      called=${(/** @type {number} */ seconds) => title(clockOf(seconds).replace(/ a turn$/, ''))}
    />
    <small class="quiet">
      ${clock ? 'When it runs out, a bot makes the move.' : 'Everybody takes their time.'}
    </small>
  </fieldset>
`;
