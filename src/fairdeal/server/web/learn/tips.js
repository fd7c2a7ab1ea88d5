// Notes on rules that surprise. The first time that a rule costs the viewer something, refuses them
// or acts by itself, a slip rises once the cards lie, and the game pauses for them alone: what
// comes meanwhile is held back until it is read. Each note comes once, never two in one turn.
import { html } from '../vendor/htm-preact.js';
import { once } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { isNoteNew, noMoreNotes, noteRead } from '../fair/storage.js';
import { Example } from './rules.js';
import { Slip } from '../kit/slip.js';
import { factor } from '../kit/speed.js';

/** @import { Bite, Bitten, Draw, Facts, Risen, Scene, Table } from '../types.js' */

/** How long the cards are looked at before a note rises, in milliseconds. */
const LOOK = 900;
const LEAST = 300;
/** With fewer seconds for a turn nobody is stopped: a line tells it. */
const HURRY = 60;

/** @param {Scene | null} scene */
const isYours = (scene) => scene?.prompt?.mode === 'yours';

/** Does a turn of the viewer begin? One who plays alone has one with every move.
 * @param {Scene | null} last @param {Scene} next */
const begins = (last, next) => (next.seats ?? []).length === 1 || (isYours(next) && !isYours(last));

/** The notes of one page at one table: which is told now, and what waits for it. */
export class Noting {
  /** @param {Draw} set @param {(scene: Scene) => void} goOn */
  constructor(set, goOn) {
    this.set = set;
    this.goOn = goOn;
    /** @type {Bitten | null} */ this.bite = null;
    /** @type {Scene | null} */ this.held = null;
    this.told = false;
    this.game = '';
    this.risen = false;
    this.timer = 0;
  }

  /** Somebody has moved.
   * @param {Scene | null} last @param {Scene} next @param {Facts | null} facts */
  look(last, next, facts) {
    if (begins(last, next)) this.told = false;
    if (last) this.tell(next.bites, next, facts, Math.max(LEAST, LOOK * factor()));
  }

  /** Tell the first that is new, after so many milliseconds.
   * @param {Bitten[] | undefined} bites @param {Scene} scene @param {Facts | null} facts */
  async tell(bites, scene, facts, wait = 0) {
    if (!bites?.length || this.bite || this.told || !facts || facts.lesson) return;
    if (facts.seat < 0 || scene.mode === 'over' || scene.round) return;
    if (scene.stage?.kind === 'race') return;
    const bite = bites.find((one) => isNoteNew(facts.game, one.id));
    if (!bite) return;
    this.told = true;
    this.game = facts.game;
    this.bite = bite;
    const page = await once(`/api/games/${facts.game}/page`).catch(() => null);
    const note = page?.page.bites?.find((one) => one.id === bite.id);
    if (this.bite !== bite) return;
    if (!page || !note) this.drop();
    else if (facts.clock && facts.clock < HURRY) this.mention(note);
    else this.timer = setTimeout(() => this.rise({ ...note, page, own: bite.cards ?? [] }), wait);
  }

  /** @param {Omit<Risen, 'Note' | 'turn'>} note */
  rise(note) {
    this.risen = true;
    this.set({ bite: { ...note, Note, turn: isYours(this.held) }, menu: null, note: null });
  }

  /** A line in place of the slip. @param {Bite} note */
  mention({ id, text, clause }) {
    noteRead(this.game, id);
    this.set({ note: { text, clause, icon: 'rules' } });
    this.drop();
  }

  /** Keep back what comes while a note is read. At a table with a clock nothing waits.
   * @param {Scene} scene @param {Facts | null} facts @returns {boolean} whether it is kept */
  holds(scene, facts) {
    if (!this.bite || facts?.clock) return false;
    this.held = scene;
    this.set((last) => ({ bite: last.bite && { ...last.bite, turn: isYours(scene) } }));
    return true;
  }

  /** It is read, or the viewer has gone on. @param {boolean} forGood no more in this game */
  close(forGood = false) {
    if (!this.bite) return;
    if (this.risen) noteRead(this.game, this.bite.id);
    else this.told = false;
    if (forGood) noMoreNotes(this.game);
    this.set({ bite: null });
    this.drop();
  }

  /** Nothing is told, and what was held back comes. */
  drop() {
    clearTimeout(this.timer);
    const { held } = this;
    this.bite = null;
    this.held = null;
    this.risen = false;
    if (held) this.goOn(held);
  }
}

/** The slip. @param {{ bite: Risen, table: Table, noting: Noting }} props noting: what closes it */
function Note({ bite, table, noting }) {
  const typing = document.activeElement?.matches('input, textarea');
  const told = { ...bite.page, faces: { ...bite.page.faces, ...table.faces } };
  const head = 'A rule you have not met before';
  return html`
    <${Slip} kind="note" label=${head} quiet=${typing} close=${() => noting.close()}>
      <p class="quiet small">
        <${Icon} name="rules" />
        ${' '}${head}
        <b role="status">${bite.turn ? ' · it is your turn' : ''}</b>
      </p>
      <p class="words">
        ${bite.text}${' '}
        <button class="clause" onClick=${() => table.openRules(bite.clause)}>${bite.clause}</button>
      </p>
      <div class="told"><${Example} bite=${bite} own=${bite.own} told=${told} /></div>
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
