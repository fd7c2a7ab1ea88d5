// The types that several modules of the pages use, beside those of the room (protocol.d.ts).
import * as room from './protocol.js';

export * from './protocol.js';
export type { Stateful } from './vendor/htm-preact.js';

/** Where a page is played: a table of the room, or a lesson. */
export type Place = `/api/tables/${string}` | `/api/lessons/${string}/${string}`;

/** Faces by the ids of cards that are shown for a while; '' for a card that has not arrived yet. */
export type Shows = Map<string, string | null | undefined>;

type KeyOf<Union> = Union extends unknown ? keyof Union : never;

/** A union whose members can be asked for every property: those of other members are undefined. */
export type Loose<Union, Key extends PropertyKey = KeyOf<Union>> = Union extends unknown
  ? Union & { [Other in Exclude<Key, keyof Union>]?: undefined }
  : never;

export type Message = Loose<room.Messages>;

/** The connection to a table: does the room answer? */
export type Line = 'on' | 'waits' | 'lost' | 'restarts' | 'gone';

export type Stage = Loose<NonNullable<room.Scene['stage']>>;
export type Faces = Record<string, room.Face>;

/** A choice of the scene or, with `act`, a step of the page that is not sent to the room. */
export interface Choice extends room.Choice {
  act?: () => void;
}

/** The parts of a choice that are needed to make it. */
export type Chosen = Partial<Choice> & { id: number };

/** Parts of a scene that the page makes, too. */
export interface Parts {
  Card: room.Card;
  Choice: room.Choice;
  Face: room.Face;
  Prompt: room.Prompt;
  Result: room.Result;
  SceneDraft: room.SceneDraft;
  Skin: room.Skin;
}

/** A button that an instrument adds to the prompt. */
export type Ready = Choice & { kind: 'button'; label: string };

/** A scene as the page draws it; `heard` is the room's Unix time at which it arrived. */
export interface Scene extends Omit<room.Scene, 'choices' | 'stage'> {
  choices: Choice[];
  stage: Stage | null;
  heard?: number;
}

export interface Facts extends room.Facts {
  heard?: number;
}

/** The cards that travel, and the seat that moved them. */
export type Travel = Partial<Pick<room.LogLine, 'seat' | 'moves'>>;

/** Show another page; with `replace` it takes this one's place in the history. */
export type Go = (to: string, replace?: boolean) => void;

/** A reference to an element. */
export interface Ref<Drawn = HTMLElement> {
  current: Drawn | null;
}

/** An event, as an element of this kind handles it. */
export type On<Heard extends Event = Event, Hearer extends Element = HTMLElement> = Heard & {
  currentTarget: Hearer;
  target: HTMLElement;
};

export type OnKey = On<KeyboardEvent>;
export type OnPointer = On<PointerEvent>;
export type OnForm = On<Event, HTMLFormElement>;
export type OnInput = On<Event, HTMLInputElement>;
export type OnSelect = On<Event, HTMLSelectElement>;

/** The drawings and faces of a game. */
export interface Look {
  faces: Faces;
  game: room.GameFacts;
  skin: room.Skin;
}

/** The parts of a rulebook that a row of cards is drawn with. */
export type Drawing = Pick<room.PageFacts, 'cards' | 'faces' | 'skin'>;

/** The places of the cards and the focus before the next scene is drawn. */
export interface Before {
  places: import('./kit/flip.js').Places;
  first: boolean;
  asked?: string;
  seq?: number;
  event?: Travel | null;
  focus?: boolean;
  card: { id?: string; zone?: string };
}

/** Why a request was refused. */
export interface Trouble {
  message: string;
  status?: number;
}

/** How the shelf and a game's sheet open a table at once, against bots or for friends: `busy` is the game that is being
 * opened, `problem` is why that failed. */
export interface Opening {
  quick: (game: room.GameFacts) => void;
  friends: (game: room.GameFacts) => void;
  busy: string;
  problem: (Trouble & { game: string }) | null;
  showTables: () => void;
  go: Go;
}

/** What players did, in words. */
export interface Happened {
  events: Pick<room.LogLine, 'seat' | 'text'>[];
  seats: Scene['seats'];
}

/** An analysis as its page shows it: after `at` moves, for a `seat`. */
export interface Analysed {
  analysis: room.AnalysisView;
  facts: Facts;
  log: room.Told[];
  seat: number;
  at: number;
}

/** A line over the question: a hint, or why something cannot be done. */
export interface Note {
  text: string;
  title?: string;
  icon?: string;
  clause?: string;
  options?: room.Option[];
  of?: string;
  picks?: number[];
  move?: string;
  better?: Better;
}

/** A hint that was found while another is read. */
export interface Better {
  hint: Set<string>;
  note: Note;
}

/** A note on a rule with the page that draws it and the viewer's own cards; `held` is what waits until it is read. */
export interface Risen extends room.Bite {
  page: room.PageFacts;
  own: room.Card[];
  Note: (props: never) => unknown;
  held: Scene | null;
}

/** The state of a table in its page, which table/play.js keeps. Everything that is drawn follows from it.
 *
 * From the room: `facts`, the table; `scene`, the cards and the question; `log` and `chat`; `pause`, that of bots;
 *   `undo`, the move after which the viewer may take one back; `look`, the drawings of the game.
 * Marks: `fresh`, cards of the last move; `linger`, faces that are shown for a while; `hint`, what a hint names.
 * Over the table, each until it is closed: `staged`, a frame in place of the scene; `bite`, a note on a rule; `note`, a
 *   line; `read`, that line in full; `menu`, several choices; `pile`, the zone that is fanned out; `open`, the seat.
 * The side panel: `drawer`, whether it is open; `tab`; `clause` of the rules; `unread` and `muted` of the chat.
 * The line: `line`; `owed`, requests that are kept; `refusals`, their number; `missing`, why there is no table.
 * And `orders` of the cards in hand, `offered`, the buttons of instruments, `skipped`, the move that has been reached on
 *   the way to the end, and `unkept`, what does not fit the deal. */
export interface State {
  facts: Facts | null;
  scene: Scene | null;
  look: Look | null;
  log: room.Told[];
  chat: room.MessagesSaid[];
  pause: number;
  undo: number;
  fresh: Set<string>;
  linger: Shows;
  hint: Set<string>;
  staged: import('./table/staging.js').Frame | null;
  bite: Risen | null;
  note: Note | null;
  read: string | string[][] | null;
  menu: { choices: Chosen[]; on?: string; title?: string } | null;
  pile: string;
  open: number;
  drawer: boolean;
  tab: string;
  clause: string;
  unread: number;
  muted: string[];
  line: Line;
  owed: room.Requests[];
  refusals: number;
  missing: string;
  orders: import('./scene/hand.js').Orders;
  offered: Ready[];
  skipped: number;
  unkept: string[];
}

/** Change the state of a table, which draws it. */
export type Draw = (more: Partial<State> | ((last: State) => Partial<State>)) => void;

/** What can be done at a table. */
export interface Acts {
  send(choice: Chosen, half?: number[]): void;
  pick(choices: Chosen[], on: string): void;
  carryOut(picks: number[]): void;
  takeBack(): void;
  offer(offered: Ready[]): void;
  openRules(clause?: string): void;
  fan(pile: string): void;
  openMore(choices: Chosen[]): void;
  ask(request: room.Requests): void;
  say(text: string): void;
  mute(names: string[]): void;
  /** Report a line or a name to the keeper, and return what came of it. */
  report(what: room.Report): Promise<string>;
  inspect(card: string): Promise<room.Inspection | null>;
  film(): void;
  skipToEnd(): void;
  why(card: string): void;
}

/** The state of a table as it is drawn, and what can be done there. */
export interface Drawn extends State, Acts {
  set: Draw;
  /** The hands that the viewer has arranged. */
  arranged: Set<string>;
}

/** What the parts of a table have in common. */
export interface Table extends Omit<Drawn, 'facts' | 'scene' | 'fan'>, Look {
  facts: Facts;
  scene: Scene;
  fan?: Acts['fan'];
  /** Lay a card of the viewer's own hand at a place. */
  arrange?: (zone: string, card: string, to: number) => void;
  /** Lay the cards of a hand as the scene has them. */
  sort?: (zone: string) => void;
  choices: Map<string, Choice[]>;
  chosen: Set<string>;
  aim: Set<string | undefined>;
  asking: boolean;
  /** Whether the room does not answer. */
  silent?: boolean;
  move?: number;
  onMoment?: (move: number) => void;
}

/** The service worker, with the name of what it keeps. */
export interface Worker {
  kept: string;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(query: { type: 'window' }): Promise<{ url: string; focus(): Promise<unknown> }[]>;
    openWindow(path: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    kind: string,
    hear: (event: {
      request: Request;
      data: { json(): { table: string; game: string; text: string } };
      notification: Notification;
      waitUntil(work: Promise<unknown>): void;
      respondWith(answer: Promise<Response>): void;
    }) => void,
  ): void;
}
