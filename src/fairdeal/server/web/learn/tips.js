// Notes on rules that surprise. The first time that a rule costs the viewer something, refuses them
// or acts by itself, a note is kept until they have moved. Then it appears where nothing can be
// chosen, and the game pauses for them alone: what comes meanwhile is held back until it is read.
// Each note comes once, at most one after a turn, and none before the second turn has ended.
import { html, useLayoutEffect, useState } from '../vendor/htm-preact.js';
import { once } from '../kit/api.js';
import { Card, Icon } from '../kit/card.js';
import { isNoteNew, noMoreNotes, noteRead } from '../privacy/stored.js';
import { Clause, isYours } from '../kit/page.js';
import { Popover } from '../kit/popover.js';
import { lasts } from '../kit/speed.js';
import { insteadOf } from '../table/staging.js';

/** @import { Bite, Bitten, Card as OnTable, Draw, Drawing, Facts, Risen, Scene,
 *   Table } from '../types.js' */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** With fewer seconds for a turn nobody is stopped: a line tells it. */
const HURRY = 60;
/** Number of turns that end before the first note. */
const CALM = 2;

/** Has a turn of the viewer ended? One who plays alone ends one with every move.
 * @param {Scene} last @param {Scene} next */
const ends = (last, next) =>
  isYours(last) && (!isYours(next) || (next.seats.length === 1 && next.seq !== last.seq));

/** The elements that can be chosen at a table, and others that a note should not cover. */
export const CHOOSABLE =
  '.table :is([data-can], .aim, .stage button:not(:disabled), .popover:not(.note))';
/** Distance of a note from the edges of the middle, in pixels. */
const EDGE = 8;
const LYING = '.field :is(.card, .headline, .stage)';
/** The cards of the last move, of which a note speaks. */
const SPOKEN_OF = '.field .card[data-new]';

/** Return the share of a box that is covered by others. @param {Box} place @param {Box[]} others */
const covered = (place, others) =>
  others.reduce((sum, one) => {
    const width = Math.min(place.right, one.right) - Math.max(place.left, one.left);
    const height = Math.min(place.bottom, one.bottom) - Math.max(place.top, one.top);
    return sum + Math.max(0, width) * Math.max(0, height);
  }, 0);

/** The first place that covers nothing that can be chosen, and as little else as possible.
 * @param {Box[]} places @param {Box[]} choosable @param {Box[]} lying @returns {Box | null} */
export function leastCovering(places, choosable, lying) {
  const [first = null, ...others] = places.filter((place) => !covered(place, choosable));
  return others.reduce(
    (best, one) => (best && covered(one, lying) < covered(best, lying) ? one : best),
    first,
  );
}

/** Where a note of a size may lie: at the bottom or the top of the middle.
 * @param {Box} room @param {{ width: number, height: number }} size @returns {Box[]} */
function placesOf(room, { width, height }) {
  const lefts = [room.right - width, room.left, (room.left + room.right - width) / 2];
  const tops = [room.bottom - height, room.top];
  return tops
    .flatMap((top) =>
      lefts.map((left) => ({ left, top, right: left + width, bottom: top + height })),
    )
    .filter((place) => place.top >= room.top);
}

/** The boxes of all drawn elements that match, outside of the note. @param {string} selector */
export const boxesOf = (selector) =>
  [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility() && !one.closest('.popover.note'))
    .map((one) => one.getBoundingClientRect());

/** The notes of one page at one table: the one that is shown, and the moves that wait for it. */
export class Noting {
  /** @param {Draw} set @param {(scene: Scene) => void} goOn */
  constructor(set, goOn) {
    this.set = set;
    this.goOn = goOn;
    /** The one that waits for the viewer's move. @type {Bitten | null} */ this.waiting = null;
    /** @type {Bitten | null} */ this.bite = null;
    /** @type {Scene | null} */ this.held = null;
    this.turns = 0;
    this.game = '';
    this.risen = false;
    this.timer = 0;
  }

  /** A player has moved.
   * @param {Scene | null} last @param {Scene} next @param {Facts | null} facts */
  look(last, next, facts) {
    if (!last || !facts) return;
    const ended = ends(last, next);
    this.keep(next.bites, facts, ended);
    if (!ended) return;
    this.turns += 1;
    if (this.turns >= CALM) this.tell(next, facts, lasts('note'));
  }

  /** Keep the first that is new until the viewer has moved.
   * @param {Bitten[] | undefined} bites @param {Facts} facts @param {boolean} instead of another */
  keep(bites, facts, instead = false) {
    if (facts.lesson || facts.seat < 0) return;
    const news = bites?.find((one) => isNoteNew(facts.game, one.id));
    if (news && (instead || !this.waiting)) this.waiting = news;
  }

  /** Show the note that waits, after `wait` milliseconds.
   * @param {Scene} scene @param {Facts} facts @param {number} wait */
  async tell(scene, facts, wait) {
    const bite = this.waiting;
    if (!bite || this.bite || scene.mode === 'over' || scene.round) return;
    if (scene.stage?.kind === 'race') return;
    this.waiting = null;
    if (!isNoteNew(facts.game, bite.id)) return;
    this.game = facts.game;
    this.bite = bite;
    const page = await once(`/api/games/${facts.game}/page`, 1).catch(() => null); // the game waits
    const note = page?.page.bites?.find((one) => one.id === bite.id);
    if (this.bite !== bite) return;
    if (!page || !note) this.drop();
    else if (facts.clock && facts.clock < HURRY) this.mention(note);
    else this.timer = setTimeout(() => this.rise({ ...note, page, own: bite.cards }), wait);
  }

  /** @param {Omit<Risen, 'Note' | 'held'>} note */
  rise(note) {
    this.risen = true;
    this.set({ bite: { ...note, Note, held: this.held } });
  }

  /** A line in place of the popover, but not in place of a hint. @param {Bite} note */
  mention({ id, text, clause }) {
    if (document.querySelector('.status-line[data-kind=hint]')) this.waiting = this.bite;
    else {
      noteRead(this.game, id);
      this.set({ note: { text, clause, icon: 'rules' } });
    }
    this.drop();
  }

  /** Keep back what comes while a note is read. At a table with a clock nothing waits.
   * @param {Scene} scene @param {Facts | null} facts @returns {boolean} whether it is kept */
  holds(scene, facts) {
    if (!this.bite || facts?.clock) return false;
    const held = insteadOf(this.held, scene);
    this.held = held;
    this.set((last) => ({ bite: last.bite && { ...last.bite, held } }));
    return true;
  }

  /** It is read, or the viewer has gone on. @param {boolean} forGood no more in this game */
  close(forGood = false) {
    if (!this.bite) return;
    if (this.risen) noteRead(this.game, this.bite.id);
    else this.waiting ??= this.bite;
    if (forGood) noMoreNotes(this.game);
    this.drop();
  }

  /** Close the note, and show the scenes that waited for it. */
  drop() {
    clearTimeout(this.timer);
    const { held } = this;
    this.bite = null;
    this.held = null;
    this.risen = false;
    this.set({ bite: null });
    if (held) this.goOn(held);
  }
}

/** Where the note is: nowhere, and then a line tells it, if it would cover what can be chosen.
 * @param {Risen} bite @param {Noting} noting */
function usePlace(bite, noting) {
  const [place, setPlace] = useState(/** @type {{ left: number, top: number } | null} */ (null));
  const [, again] = useState(0);
  useLayoutEffect(() => {
    const look = () => again((times) => times + 1);
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  useLayoutEffect(() => {
    /** @type {HTMLElement | null} */ const sheet = document.querySelector('.popover.note');
    const field = sheet?.parentElement?.getBoundingClientRect();
    if (!sheet || !field) return;
    const size = { width: sheet.offsetWidth, height: sheet.offsetHeight };
    const room = {
      left: field.left + EDGE,
      top: field.top + EDGE,
      right: field.right - EDGE,
      bottom: field.bottom - EDGE,
    };
    const [places, choosable, lying] = [placesOf(room, size), boxesOf(CHOOSABLE), boxesOf(LYING)];
    const found =
      leastCovering(places, [...choosable, ...boxesOf(SPOKEN_OF)], lying) ??
      leastCovering(places, choosable, lying);
    if (!found) noting.mention(bite);
    else {
      const [left, top] = [found.left - field.left, found.top - field.top];
      if (left !== place?.left || top !== place?.top) setPlace({ left, top });
    }
  });
  return place;
}

/** Cards beside one another, with words between them: cards by their text, or as they lie on a
 * table. @param {{ cards: (string | OnTable)[], told: Drawing }} props */
const Row = ({ cards, told }) => html`
  <div class="drawn">
    ${cards.map((text, number) => {
      const card = typeof text === 'string' ? told.cards[text] : text;
      return card
        ? html`
            <${Card}
              key=${number}
              card=${card}
              face=${told.faces[card.face ?? ''] ?? null}
              skin=${told.skin}
            />
          `
        : html`
            <span key=${number}>${/** @type {string} */ (text).slice(1).trim()}</span>
          `;
    })}
  </div>
`;

/** The rows of a note; in place of @ stand the viewer's own cards, where there are any.
 * @param {{ bite: Risen, told: Drawing }} props */
const Example = ({ bite, told }) =>
  bite.rows.map((row, number) => {
    const filled = bite.own.length ? bite.own : bite.cards;
    const cards = row.flatMap(
      /** @returns {string | (string | OnTable)[]} */ (item) => (item === '@' ? filled : item),
    );
    return html`
      <${Row} key=${number} cards=${cards} told=${told} />
    `;
  });

/** The popover of a note, which `noting` closes.
 * @param {{ bite: Risen, table: Table, noting: Noting }} props */
function Note({ bite, table, noting }) {
  const typing = document.activeElement?.matches('input, textarea');
  const told = { ...bite.page, faces: { ...bite.page.faces, ...table.faces } };
  const head = 'A rule that is new to you';
  const place = usePlace(bite, noting);
  return html`
    <${Popover}
      kind="note"
      label=${head}
      quiet=${typing}
      place=${place}
      close=${() => noting.close()}
    >
      <p class="quiet small">
        <${Icon} name="rules" />
        ${' '}${head}
      </p>
      <p class="words">
        ${bite.text}${' '}
        <${Clause} clause=${bite.clause} openRules=${table.openRules} />
      </p>
      <div class="told"><${Example} bite=${bite} told=${told} /></div>
      <div class="acts">
        <button class="btn bare" onClick=${() => noting.close(true)}>
          No more notes in this game
        </button>
        <button class="btn main" data-first onClick=${() => noting.close()}>
          <span>Got it</span>
          ${' '}
          <kbd class="hide-s">Enter</kbd>
        </button>
      </div>
    <//>
  `;
}
