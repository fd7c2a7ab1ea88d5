// A table as this page knows it: what the room tells, what is asked of it, and half-made moves.
import { loaded } from '../faults/again.js';
import { motionless, onMotion, places, settle } from '../kit/flip.js';
import { keeperOf, followed } from '../record/keeper.js';
import { Hands } from '../scene/hand.js';
import { Lingering } from '../scene/lingering.js';
import { marked, missed, sinceThen, toldBy } from '../scene/moment.js';
import { isOut, others } from '../scene/seat.js';
import { announce, interrupt, silence, tell } from '../kit/notification.js';
import { TableSocket, UNKNOWN } from '../kit/socket.js';
import { play as sound } from '../kit/sound.js';
import { onSpeed, speed } from '../kit/speed.js';
import { roomTime } from '../kit/time.js';
import { Groups, Staging, byBots } from './staging.js';
import { isYours } from '../kit/page.js';
import { further, sentence } from '../kit/words.js';

/** @import { Before, Chosen, Draw, Facts, Inspection, Message, MessagesAnswer,
 *   MessagesSaid, Place, Refused, Requests, Scene, Search, Shown, State,
 *   Travel, Welcome } from '../types.js' */

const GONE = 'This table no longer exists.';

/** One page at one table: its state, and the connection to the room. */
export class Play {
  /** @param {string} id @param {State} state that before the first message
   * @param {(state: State) => void} draw @param {() => HTMLElement | null} root where the cards are
   * @param {Place} at */
  constructor(id, state, draw, root, at) {
    this.id = id;
    this.at = at;
    /** The keeper of this table's record; a lesson has none. */
    this.keeper = at.startsWith('/api/tables/') ? keeperOf(id) : null;
    this.draw = draw;
    this.root = root;
    this.state = state;
    this.set = this.set.bind(this);
    /** @type {number[]} */ this.draft = [];
    /** The choice that is not answered yet.
     * @type {{ id: string, half: number[], asked: string } | null} */ this.sent = null;
    /** @type {Map<string, (answer: Message | null) => void>} */ this.asked = new Map();
    /** The request for more thought on the hint that is read. @type {string | undefined} */
    this.further = '';
    /** The search for a better hint. @type {Search | null} */ this.searching = null;
    /** Whether this browser searches for hints, as far as is known. */ this.searches = true;
    /** Whether the viewer's last move, for which there was a choice, may be taken back as far as is
     * known, and the open questions to the room whether it may, the last of which counts. */
    this.undo = { may: false, last: '', open: /** @type {Set<string>} */ (new Set()) };
    /** @type {Before | null} */ this.before = null;
    /** The card that had the focus last, and in which move.
     * @type {{ id?: string, zone?: string, seq?: number } | null} */
    this.card = null;
    /** @type {import('./drag.js').Dragging | null} */ this.dragging = null;
    /** @type {TableSocket | null} */ this.socket = null;
    this.lingering = new Lingering(root, (event) => {
      this.remember(this.state.scene, event);
      this.set({ linger: this.lingering.shown });
    });
    this.groups = new Groups((scene) => this.arrive(scene));
    this.staging = new Staging(this);
    /** @type {import('../learn/tips.js').Noting | null} */ this.noting = null;
    /** The order of the cards in hand. */ this.hands = new Hands(this);
    /** The seat and the wish for calm races that the room was told last. */
    this.wished = '';
  }

  /** Change the state, which draws it. @type {Draw} */
  set(more) {
    const next = typeof more === 'function' ? more(this.state) : more;
    const names = /** @type {(keyof State)[]} */ (Object.keys(next));
    if (names.every((name) => Object.is(this.state[name], next[name]))) return;
    this.state = { ...this.state, ...next };
    this.draw(this.state);
  }

  /** Where to connect for patches. A lesson goes on at the step where it was cut off. */
  get address() {
    const { lesson } = this.state.scene ?? {};
    return `${this.at}/play?patches=1${lesson ? `&step=${lesson.step}` : ''}`;
  }

  /** Listen to the room. @returns {() => void} what ends it */
  open() {
    const socket = new TableSocket(
      () => this.address,
      (message) => this.hear(message),
      (line, owed, refusals) => {
        this.set({ line, owed, refusals });
        if (line === 'gone') this.set({ missing: this.state.missing || GONE });
      },
      () =>
        this.set(this.state.facts ? { note: { text: UNKNOWN, icon: 'x' } } : { missing: UNKNOWN }),
      (message, line) => this.keeper?.heard(message, line),
    );
    this.socket = socket;
    const quiet = onSpeed(() => this.askForSpeed());
    const still = onMotion(() => this.wishForCalm());
    return () => {
      quiet();
      still();
      this.noting?.drop();
      silence();
      socket.close();
      this.lingering.close();
      this.groups.drop();
      this.staging.drop();
    };
  }

  /** @param {Requests} request @returns {string | undefined} its number, if it is heard */
  ask(request) {
    return this.socket?.ask(request);
  }

  /** Carry out a choice of a scene.
   * @param {Scene} scene @param {Chosen} choice @param {number[]} half */
  send(scene, choice, half = this.draft) {
    const stale = this.noting?.held;
    this.noting?.close();
    const asked = `${scene.seq} ${choice.id} ${half}`;
    if (stale || this.sent?.asked === asked || this.socket?.refuses(this.sent)) return;
    if (!this.noting) this.note();
    interrupt();
    this.lingering.settle();
    settle(this.root());
    const request = this.ask({
      type: 'pick',
      seq: /** @type {number} */ (scene.seq),
      choice: choice.id,
      draft: half,
    });
    this.sent = request ? { id: request, half: this.draft, asked } : null;
    this.undo.may = half.length > 0 || scene.choices.length > 1;
  }

  /** Ask the room whether the viewer's last move can be taken back, with what bots answered.
   * @param {Scene} next */
  askForUndo(next) {
    const own = byBots(next, this.state.facts, next.viewer);
    this.undo.may &&= own && next.mode !== 'over' && !this.state.facts?.lesson;
    this.undo.may &&= !this.state.facts?.rated;
    if (!this.undo.may) return;
    const seq = /** @type {number} */ (next.seq);
    this.undo.last = this.ask({ type: 'undo', seq, ask: true }) ?? '';
    this.undo.open.add(this.undo.last);
  }

  /** The last move can be taken back, or not, or the table has gone on since that was asked.
   * @param {Message} message */
  heardOfUndo({ type, id, seq }) {
    if (type === 'undoable') this.set({ undo: seq });
    else if (id === this.undo.last) this.undo.may = false;
  }

  /** Return the room's answer, or null if it is not known.
   * @param {Requests} request @returns {Promise<Message | null>} */
  answerTo(request) {
    return new Promise((answer) => {
      const id = this.ask(request);
      if (id) this.asked.set(id, answer);
      else answer(null);
    });
  }

  /** The scene with a half-made move, or null if there is none such. Nothing is done.
   * @param {number[]} picks @returns {Promise<Scene | null>} */
  async preview(picks) {
    const answer = await this.answerTo({ type: 'draft', draft: picks });
    return answer?.type === 'scene' ? answer.scene : null;
  }

  /** A card in words, or null if nobody knows. @param {string} card
   * @returns {Promise<Inspection | null>} */
  async inspect(card) {
    const answer = await this.answerTo({ type: 'inspect', card, draft: this.draft });
    return answer?.told ?? null;
  }

  /** The moments since the viewer's own last act, or none if nobody knows.
   * @returns {Promise<Scene[]>} */
  async recall() {
    const answer = await this.answerTo({ type: 'recall' });
    return answer?.scenes ?? [];
  }

  /** Make a half-made move again on a scene that has come in the meantime.
   * @param {number[]} half */
  async revive(half) {
    const found = await this.preview(half);
    if (found?.draft && found.seq === this.state.scene?.seq) this.show(found);
    else {
      const text = 'Your unfinished move is no longer possible; choose again.';
      this.set({ note: { title: 'The table has changed', text, icon: 'undo' } });
    }
  }

  /** A scene that was not asked for: what the viewer was about to do is kept, unless it is being
   * carried out. @param {Scene} next */
  arrive(next) {
    if (this.state.skipped >= 0 && next.mode !== 'over') {
      this.set({ skipped: next.seq });
      return;
    }
    if (this.staging.holds(next)) return;
    const { facts } = this.state;
    if (this.noting?.holds(next, facts) || this.groups.holds(next, facts)) return;
    const half = this.draft;
    this.show(this.groups.take(next));
    if (half.length && !next.draft && !this.sent && next.choices.length) this.revive(half);
  }

  /** A new scene: remember where the cards are, then draw. @param {Scene} next */
  show(next) {
    const last = this.state.scene;
    const news = !last || next.seq !== last.seq || toldBy(next) !== toldBy(last);
    this.staging.drop();
    this.remember(last, news ? next.events[0] : null);
    if (news) this.hands.follow(next);
    if (news) this.step(last, next);
    else this.asks(last, next);
    this.draft = next.draft?.picks ?? [];
    this.set({ scene: next });
    if (last && next.seq !== last.seq) this.staging.show(last, next);
  }

  /** Say what is asked or told within a move, such as `Take a blue Yang?`.
   * @param {Scene} last @param {Scene} next */
  asks({ prompt: was }, { prompt }) {
    const part = prompt?.mode === 'yours' ? 'text' : 'sub';
    if (prompt?.[part] !== was?.[part]) tell({ asks: prompt?.[part] ?? '' });
  }

  /** @param {Scene | null} last the scene that is drawn now
   * @param {Travel | null | undefined} event what moves then */
  remember(last, event) {
    const root = this.root();
    const focus = document.activeElement;
    /** @type {HTMLElement | null} */ const card = focus?.closest('.card') ?? null;
    /** @type {HTMLElement | null} */ const zone = card?.closest('[data-zone]') ?? null;
    this.before = {
      places: places(root),
      first: !last,
      asked: last?.prompt?.text,
      seq: last?.seq,
      event,
      focus: root?.contains(focus),
      card: { id: card?.dataset.id, zone: zone?.dataset.zone },
    };
    if (card) this.card = { ...this.before.card, seq: last?.seq };
    this.dragging?.handOver(this.before.places);
  }

  /** A player has moved, so hints and notes of the last scene no longer apply. What lies before a
   * seat or in a pile stays open until the viewer is asked something else.
   * @param {Scene | null} last @param {Scene} next */
  step(last, next) {
    const { facts } = this.state;
    this.lingering.arrive(last, next);
    const linger = this.lingering.shown;
    const yours = isYours(next);
    const closes = next.result || (yours && next.prompt?.text !== last?.prompt?.text);
    this.set({
      ...(closes && { open: -1, pile: '' }),
      linger,
      fresh: new Set(last && !next.result ? [...marked(next), ...linger.keys()] : []),
      hint: new Set(),
      note: null,
      menu: null,
      read: null,
    });
    if (last) this.askForUndo(next);
    if (this.noting) this.noting.look(last, next, facts);
    else if (next.bites.length) this.note((noting) => noting.look(last, next, facts));
    const why = next.lesson ? next.prompt?.sub : '';
    const asks = yours || next.choices.length ? next.prompt?.text : '';
    tell({
      moves: last ? sinceThen(last, next) : null,
      asks: [asks, why].filter(Boolean).join(' '),
    });
    if (!last) return;
    if (isOut(last) && next.mode === 'over') announce('The game is over', next.result?.text ?? '');
    if (isOut(next) && !isOut(last)) this.askForSpeed();
    sound(yours && !isYours(last) ? 'turn' : 'card');
  }

  /** Load the notes on rules with the first move, before one can be needed.
   * @param {(noting: import('../learn/tips.js').Noting) => void} use */
  async note(use = () => {}) {
    const { Noting } = await loaded(() => import('../learn/tips.js'));
    this.noting ??= new Noting(this.set, (scene) => this.arrive(scene));
    use(this.noting);
  }

  /** @param {Message} message */
  hear(message) {
    /** @type {{ id?: string, scene?: Scene | null }} */ const { id = '', scene } = message;
    if (scene) scene.heard = roomTime(); // from when on its clocks run
    const answer = this.asked.get(id);
    if (answer) {
      this.asked.delete(id);
      answer(message);
      return;
    }
    const mine = id && this.sent?.id === id ? this.sent : null;
    if (mine) this.sent = null;
    if (mine && message.type === 'done') this.draft = []; // carried out: there is nothing to revive
    if (message.type === 'welcome') this.welcomed(message);
    else if (message.type === 'scene') this.heardScene(message);
    else if (message.type === 'table') this.learn(message.facts);
    else if (message.type === 'chat') this.heardChat(message.said);
    else if (message.type === 'answer') this.answered(message);
    else if (this.undo.open.delete(id)) this.heardOfUndo(message);
    else if (message.type === 'refused' && id && id === this.further) this.further = '';
    else if (message.type === 'refused') this.refused(message, mine);
  }

  /** @param {Facts} facts */
  learn(facts) {
    const began = this.state.facts?.status === 'open' && facts.status === 'running';
    this.set({ facts: { ...facts, heard: roomTime() } });
    if (began) this.askForSpeed();
    this.wishForCalm();
    followed(facts).catch((reason) => this.set({ note: { text: reason.message, icon: 'x' } }));
  }

  /** @param {Welcome} message */
  welcomed({ facts, scene, chat, log, pause }) {
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
    this.wished = '';
    this.learn(facts);
    this.groups.end();
    if (scene && this.state.scene) tell({ moves: missed(this.state.log, scene, log) });
    this.set({ chat, log, pause });
    if (scene) this.arrive(scene);
    this.askForSpeed();
  }

  /** Bots that are the only others still playing go at the viewer's speed; a lesson has its own.
   */
  askForSpeed() {
    const { facts, scene, skipped } = this.state;
    if (!facts || facts.lesson || facts.seat < 0 || facts.status !== 'running') return;
    const pace = skipped >= 0 ? 'instant' : speed();
    if (!others(facts, scene)) this.ask({ type: 'speed', speed: pace });
  }

  /** Go on to the end of the game, of which nothing is drawn until then. */
  skipToEnd() {
    this.set({ skipped: this.state.scene?.seq ?? 0 });
    this.askForSpeed();
  }

  /** Viewers who want no motion have calm races, and so does everyone at their table. The page asks
   * the room for this once, and again after a lost connection. */
  wishForCalm() {
    if (!this.state.facts) return;
    const { calm, chairs, seat, status } = this.state.facts;
    const on = motionless();
    const wish = `${seat} ${on}`;
    if (calm === null || seat < 0 || status === 'over' || wish === this.wished) return;
    this.wished = wish;
    if (chairs[seat].calm !== on) this.ask({ type: 'calm', on });
  }

  /** @param {Shown} message */
  heardScene({ id, scene, log }) {
    if (id) this.show(scene);
    else this.arrive(scene);
    if (!log.length) return;
    const before = this.state.log.filter((line) => line.number < log[0].number);
    this.set({ log: [...before, ...log] });
  }

  /** @param {MessagesSaid} said */
  heardChat(said) {
    this.set({ chat: [...this.state.chat, said] });
    if (this.state.muted.includes(said.name)) return;
    const seen = document.querySelector('.panel.chat')?.checkVisibility();
    if (!seen) this.set({ unread: this.state.unread + 1 });
    tell({ words: `${said.name}: \u2068${said.text}\u2069` });
  }

  /** @param {MessagesAnswer} message */
  answered(message) {
    const { text, clause, bite } = message;
    if (message.choices.length) {
      this.hinted(message);
      return;
    }
    this.set({ note: { text, clause, icon: 'x' } });
    tell({ words: text });
    const { facts } = this.state;
    if (bite && facts) this.note((noting) => noting.keep([bite], facts));
  }

  /** A hint; while it is read, the room is asked to think further. The hint does not change: a
   * better move is offered beside it.
   * @param {MessagesAnswer} message */
  hinted({ id, choices, marks, text, move, options, of, look, search }) {
    const first = id !== this.further;
    const hint = new Set([...marks, ...choices.map(String)]);
    const found = options.length ? { options } : {};
    const note = { ...found, text, move, icon: 'hint', of, picks: choices };
    if (first) {
      this.set({ hint, note });
      tell({ words: text });
    } else this.set(further(this.state.note, { hint, note }));
    this.further = '';
    if (look && search && this.searches) this.search(search, look);
    else if (look) this.further = this.ask({ type: 'hint', look, searches: this.searches });
  }

  /** Search for a better hint, which the room puts into words. If that does not work here, the room
   * searches from now on. @param {Search} search @param {number} look */
  async search(search, look) {
    this.searching = search;
    const seat = this.state.facts?.seat ?? 0;
    const tried = await loaded(() => import('../fair/searched.js'), 1).then(
      ({ searched }) => searched(search, seat),
      () => null,
    );
    if (!tried) this.searches = false;
    if (this.searching !== search || this.state.scene?.seq !== search.seq) return;
    const found = tried?.length ? { seq: search.seq, tried } : {};
    this.further = this.ask({ type: 'hint', look, searches: this.searches, ...found });
  }

  /** @param {Refused} message @param {{ half: number[] } | null} mine */
  refused({ id, scene, reason, clause }, mine) {
    if (scene && !this.noting?.holds(scene, this.state.facts)) {
      this.draft = [];
      this.show(scene);
    }
    if (mine?.half.length && scene?.choices?.length) this.revive(mine.half);
    if (!this.state.scene && !id) {
      this.set({ missing: reason });
      return;
    }
    sound('no');
    const text = sentence(reason);
    this.set({ note: { text, clause, icon: 'x' } });
    tell({ words: text });
  }
}
