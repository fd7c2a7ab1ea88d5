// The form for a new table: who sits there, the rules, the clock; all options behind one line.
import { html, useState } from '../vendor/htm-preact.js';
import { Chooser } from './chooser.js';
import { openTable } from '../fair/storage.js';
import { calledAt, chooseOpponent, companyOf, opponentIn, shownAs } from '../kit/opponents.js';
import { Options, range } from './options.js';
import { Refusal } from './shelf.js';
import { INKS, NAMELESS, NameField, keepName, useName } from '../kit/page.js';
import { clockOf, initial, presetText, presetTitle, title } from '../kit/words.js';

/** @import { GameFacts, Go, LevelFacts, OnForm, OnInput, Preset, Stateful,
 *   Trouble } from '../types.js' */

/** What the form has chosen, and what changes it.
 * @typedef {ReturnType<typeof fresh>} Wishes
 * @typedef {(more: Partial<Wishes>) => void} Wish */

/** Seconds a turn that are offered. */
const CLOCKS = [0, 60, 24 * 3600];

/** Is a preset possible for a number of players? @param {Preset} preset @param {number} players */
const isFor = ({ tables, options }, players) =>
  players in tables && (options.players ?? players) === players;

/** The preset that names the rules of a table: of several with the same options, the one that sets
 * the most, or else the one that is chosen.
 * @param {GameFacts} game @param {Preset} preset @param {number} players */
function named(game, preset, players) {
  const rules = JSON.stringify(preset.tables[players]);
  const same = game.presets.filter(
    (one) => isFor(one, players) && JSON.stringify(one.tables[players]) === rules,
  );
  const sets = (/** @type {Preset} */ { options }) => Object.keys(options).length;
  return [preset, ...same].sort((one, other) => sets(other) - sets(one))[0];
}

/** The number of players nearest to a wish for which a preset names the rules.
 * @param {GameFacts} game @param {Preset} preset @param {number} wished */
function playersFor(game, preset, wished) {
  const possible = Object.keys(preset.tables)
    .map(Number)
    .filter((players) => isFor(preset, players));
  const own = possible.filter((players) => named(game, preset, players) === preset);
  const far = (/** @type {number} */ players) => Math.abs(players - wished);
  return (own.length ? own : possible).sort((one, other) => far(one) - far(other))[0];
}

/** The preset of a table for a number of players: the one that is wished, if it is possible.
 * @param {GameFacts} game @param {string} wished @param {number} players */
export function presetFor(game, wished, players) {
  const possible = game.presets.filter((one) => isFor(one, players));
  const chosen = possible.find((one) => one.name === wished) ?? possible[0];
  return chosen ? named(game, chosen, players).name : wished;
}

/** What the form has before anything is chosen.
 * @param {GameFacts} game @param {string} preset */
function fresh(game, preset) {
  /** @type {Preset | undefined} */
  const chosen = game.presets.find((one) => one.name === preset) ?? game.presets[0];
  const wished = /** @type {number} */ (chosen?.options.players ?? game.usual_players);
  return {
    preset: chosen?.name ?? '',
    wished: chosen?.name ?? '',
    players: chosen ? playersFor(game, chosen, wished) : wished,
    usual: companyOf(game, opponentIn(game)?.id ?? ''),
    chairs: /** @type {string[]} */ ([]),
    options: /** @type {Record<string, unknown>} */ ({}),
    listed: true,
    clock: 0,
    waits: true,
    calm: false,
  };
}

/** Who sits on each chair.
 * @param {Wishes} wishes @param {number} players @returns {string[]} */
const seated = ({ chairs, usual }, players) =>
  Array.from(
    { length: players },
    (_, seat) => chairs[seat] ?? (seat === 0 ? 'you' : (usual[seat - 1] ?? 'person')),
  );

/** @param {{ game: GameFacts, preset: string, showTables: () => void, go: Go }} props */
export function NewTable({ game, preset, showTables, go }) {
  const [wishes, keep] = useState(() => fresh(game, preset));
  /** @type {Stateful<Trouble | null>} */ const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const name = useName();
  const wish = (/** @type {Partial<Wishes>} */ more) => keep((last) => ({ ...last, ...more }));
  const { players, options, listed, clock, waits, calm } = wishes;
  const seats = seated(wishes, players);
  const start = async (/** @type {OnForm} */ event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const rules = { game: game.name, preset: wishes.preset, options: { ...options, players } };
    try {
      await keepName(event.currentTarget);
      const asked = { ...rules, chairs: seats, listed, clock, waits, calm };
      go(`/t/${(await openTable(asked)).id}`);
    } catch (reason) {
      setProblem(/** @type {Trouble} */ (reason));
      setBusy(false);
    }
  };
  return html`
    <form class="form" onSubmit=${start} aria-label=${`New table of ${game.title}`}>
      <h3 class="sign">Set up a table</h3>
      <${Chairs} game=${game} wishes=${wishes} seats=${seats} you=${name} wish=${wish} />
      <${Presets} game=${game} wishes=${wishes} wish=${wish} />
      <${Clock} clock=${clock} wish=${wish} />
      ${
        game.calm_race > 0 &&
        html`
          <${CalmRaces} seconds=${game.calm_race} calm=${calm} wish=${wish} />
        `
      }
      <${Options} game=${game} wishes=${wishes} wish=${wish} />
      ${
        seats.includes('person') &&
        html`
          <${NameField} needed=${true} />
        `
      }
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} showTables=${showTables} />
        `
      }
      <p class="sheet-foot">
        <button class="btn main wide" disabled=${busy}>Open the table</button>
      </p>
    </form>
  `;
}

/** @param {{ game: GameFacts, wishes: Wishes, seats: string[], you: string, wish: Wish }} props */
function Chairs({ game, wishes, seats, you, wish }) {
  const [open, setOpen] = useState(-1);
  const every = seated(wishes, game.players[1]);
  const isBot = (/** @type {string} */ plays) => plays !== 'you' && plays !== 'person';
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
    document.getElementById(`chair-${open}`)?.focus();
    setOpen(-1);
  };
  return html`
    <${Players} game=${game} wishes=${wishes} players=${seats.length} wish=${wish} />
    <fieldset class="chairs">
      <legend>Who sits there?</legend>
      <ol>
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

/** @param {{ game: GameFacts, wishes: Wishes, players: number, wish: Wish }} props */
function Players({ game, wishes: { wished }, players, wish }) {
  const [low, high] = game.players;
  if (low === high) return null;
  const choose = (/** @type {number} */ n) =>
    wish({ players: n, preset: presetFor(game, wished, n) });
  return html`
    <fieldset class="seg">
      <legend>Players</legend>
      <div>
        ${range({ minimum: low, maximum: high }).map(
          (n) => html`
            <label key=${n}>
              <input
                type="radio"
                name="players"
                checked=${players === n}
                onChange=${() => choose(n)}
              />
              <span>${n}</span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}

/** What a chair shows: a letter or a portrait, a name, and what sits there.
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
        id=${`chair-${seat}`}
        disabled=${plays === 'you'}
        onClick=${toggle}
        aria-expanded=${plays === 'you' ? undefined : String(open)}
        aria-label=${`Seat ${seat + 1}: ${person ? 'open by link' : `${name}, ${sort}`}`}
      >
        <span
          class="face"
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
                <small class="quiet">${presetText(one)}</small>
              </span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}

/** @param {{ clock: number, wish: Wish }} props */
const Clock = ({ clock, wish }) => html`
  <fieldset class="seg words">
    <legend>Clock</legend>
    <div>
      ${CLOCKS.map(
        (seconds) => html`
          <label key=${seconds}>
            <input
              type="radio"
              name="clock"
              checked=${clock === seconds}
              onChange=${() => wish({ clock: seconds })}
            />
            <span>${title(clockOf(seconds))}</span>
          </label>
        `,
      )}
    </div>
    <small class="quiet">
      ${clock ? 'When it runs out, a bot makes the move.' : 'Everybody takes their time.'}
    </small>
  </fieldset>
`;

/** @param {{ seconds: number, calm: boolean, wish: Wish }} props */
const CalmRaces = ({ seconds, calm, wish }) => html`
  <label class="option">
    <span>
      Calm races
      <small class="quiet">
        Every race lasts ${seconds} seconds, and bots take their time. Races are always calm if
        somebody at the table has switched on reduced motion.
      </small>
    </span>
    <input
      type="checkbox"
      checked=${calm}
      onChange=${(/** @type {OnInput} */ event) => wish({ calm: event.currentTarget.checked })}
    />
  </label>
`;
