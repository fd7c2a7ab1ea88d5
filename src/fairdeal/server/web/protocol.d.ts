// What a room sends and takes, made from its structs by `python -m tools.renew types`.

export interface Pick {
  type: 'pick';
  seq: number;
  choice: number;
  draft?: number[];
  id?: string;
}

export interface Play {
  type: 'play';
  seq: number;
  move: string;
  id?: string;
}

export interface MessagesDraft {
  type: 'draft';
  draft?: number[];
  id?: string;
}

export interface Why {
  type: 'why';
  card: string;
  draft?: number[];
  id?: string;
}

export interface Inspect {
  type: 'inspect';
  card: string;
  draft?: number[];
  id?: string;
}

export interface Position {
  type: 'position';
  recall?: number;
  id?: string;
}

export interface Recall {
  type: 'recall';
  id?: string;
}

export interface Hint {
  type: 'hint';
  look?: number;
  searches?: boolean;
  seq?: number;
  tried?: Tried[];
  id?: string;
}

export interface Tried {
  actions: number[];
  games: number;
  wins: number;
}

export interface Undo {
  type: 'undo';
  seq: number;
  ask?: boolean;
  id?: string;
}

export interface Say {
  type: 'say';
  text: string;
  id?: string;
}

export interface StandIn {
  type: 'stand_in';
  seat: number;
  on?: boolean;
  id?: string;
}

export interface Speed {
  type: 'speed';
  speed: 'instant' | 'normal' | 'slow';
  id?: string;
}

export interface Calm {
  type: 'calm';
  on?: boolean;
  id?: string;
}

export interface Rematch {
  type: 'rematch';
  hash?: string;
  id?: string;
}

export interface Ping {
  type: 'ping';
  id?: string;
}

export interface Welcome {
  type: 'welcome';
  facts: Facts;
  scene: Scene | null;
  log: Told[];
  chat: MessagesSaid[];
  now: number;
  chain: string;
  protocol: number;
  layout: string;
  epoch: number;
  pause: number;
  version: string;
}

export interface Facts {
  id: string;
  game: string;
  title: string;
  name: string;
  status: string;
  paused: boolean;
  options: Record<string, unknown>;
  chairs: Chair[];
  deal: Deal;
  clock: number;
  calm: boolean | null;
  rated: boolean;
  listed: boolean;
  host: boolean;
  host_seat: number;
  seat: number;
  acts: number[];
  until: number;
  last: Last | null;
  seq: number;
  made: number;
  moved: number;
  rematch: string;
  origin: [string, number] | null;
  daily: Daily | null;
  evening: string;
  watchers: number;
  score: [number, number][];
  won: boolean;
  readable_only: string;
  trouble: string;
  lesson: string;
  next_lesson: Offer | null;
}

export interface Chair {
  seat: number;
  name: string;
  plays: string;
  taken: boolean;
  here: boolean;
  stand_in: boolean;
  you: boolean;
  ready: boolean;
  hash: string;
  asked: boolean;
  shown: boolean;
  late: boolean;
  grace: number;
  calm: boolean;
  away: number;
}

export interface Deal {
  commitment: string;
  stage: string;
  outline: string;
  attempt: number;
  failed: Failed[] | null;
  waits: boolean;
  key: string;
  signature: string;
  header: string;
  seed: string;
  next: string;
}

export interface Failed {
  attempt: number;
  left: [number, string][];
  shown: number[];
}

export interface Last {
  text: string;
  at: number;
}

export interface Daily {
  number: number;
  closes: number;
  counted: boolean;
  hash: string;
}

export interface Offer {
  name: string;
  title: string;
  about: string;
}

export interface Scene {
  skin: string;
  title: string;
  viewer: number;
  sub: string;
  seq: number;
  state: string;
  mode: 'live' | 'over' | 'replay';
  tray: 'none' | 'one' | 'two';
  facts: string[];
  seats: Seat[];
  zones: Zone[];
  panels: Panel[];
  headline: Headline | null;
  stage: Fan | Wheel | Reels | Trick | Fight | Attack | Race | null;
  prompt: Prompt | null;
  choices: Choice[];
  more: number;
  draft: SceneDraft | null;
  events: LogLine[];
  recap: Recap[];
  stood_in: number;
  round: Round | null;
  resolved: Attack | null;
  bites: Bitten[];
  score: Score | null;
  result: Result | null;
  lesson: Lesson | null;
}

export interface Seat {
  seat: number;
  name: string;
  kind: 'bot' | 'person';
  state: 'away' | 'done' | 'here' | 'out';
  acts: boolean;
  note: string;
  counters: Counter[];
  clock: Clock | null;
}

export interface Counter {
  label: string;
  value: number | string;
  icon: string;
}

export interface Clock {
  left: number;
  of: number;
  runs: boolean;
}

export interface Zone {
  id: string;
  place: string;
  layout: 'column' | 'fan' | 'grid' | 'groups' | 'lap' | 'ring' | 'row' | 'stack';
  label: string;
  count: number;
  cards: Card[];
  cols: number;
  rows: number;
  narrow: [number, number];
  slots: number;
  gap: string;
  hub: string;
  heed: boolean;
  fold: boolean;
  size: '' | 'hand' | 'mini' | 'small' | 'table';
  panel: string;
  row: string;
  col: string;
  say: string;
  icon: string;
  heap: boolean;
  under: number;
  cell: '' | 'band' | 'left' | 'right';
  any_order: boolean;
}

export interface Card {
  id: string;
  face: string | null;
  down: boolean;
  back: string;
  turned: boolean;
  as: string;
  value: number | null;
  load: number;
  mark: string;
  group: number;
}

export interface Panel {
  id: string;
  title: string;
  text: string;
  icon: string;
  rows: string[];
  cols: string[];
  tone: number;
}

export interface Headline {
  tag: string;
  big: string;
  text: string;
}

export interface Fan {
  kind: 'fan';
  count: number;
  seat: number;
  zones: string[];
  choices: number[];
  shown: string;
  odds: string;
}

export interface Wheel {
  kind: 'wheel';
  sectors: Sector[];
  zones: string[];
  at: number;
  spins: number;
  prize: number[];
  used: number;
  spin: number;
}

export interface Sector {
  label: string;
  face: string;
  taken: boolean;
}

export interface Reels {
  kind: 'reels';
  reels: Reel[];
  zones: string[];
  turn: number;
  of: number;
  points: number;
  par: number;
  won: string;
  lines: PayLine[];
  outs: string[];
  need: string;
  flip: number;
  hold: number;
}

export interface Reel {
  name: string;
  pile: string;
  column: string;
  left: number;
  turns: boolean;
}

export interface PayLine {
  cards: string[];
  label: string;
  why: string;
  value: number;
  choice: number;
}

export interface Trick {
  kind: 'trick';
  spots: Spot[];
  zones: string[];
  done: boolean;
}

export interface Spot {
  seat: number;
  card: string;
  wins: boolean;
  led: boolean;
}

export interface Fight {
  kind: 'fight';
  columns: Fighter[];
  zones: string[];
  title: string;
  text: string;
  pot: number;
  pile: string;
  next: string;
  done: boolean;
}

export interface Fighter {
  seat: number;
  steps: string[];
  face: string;
  value: string;
  parts: string;
  leads: boolean;
  note: string;
}

export interface Attack {
  kind: 'attack';
  attacker: number;
  defender: number;
  zones: string[];
  title: string;
  text: string;
  attackers: number;
  target: string;
  awaits: number;
  word: string;
  faces: string[];
}

export interface Race {
  kind: 'race';
  word: string;
  answers: InstrumentsAnswer[];
  zones: string[];
  card: string;
  tone: number;
  out: number[];
}

export interface InstrumentsAnswer {
  label: string;
  key: string;
  choice: number;
  art: string;
  tone: number;
}

export interface Prompt {
  mode: 'over' | 'replay' | 'together' | 'waiting' | 'yours';
  text: string;
  sub: string;
  clause: string;
  until: number;
  lasts: number;
}

export interface Choice {
  id: number;
  kind: 'button' | 'card' | 'seat' | 'value' | 'zone';
  label: string;
  on: string;
  note: string;
  key: string;
  main: boolean;
  rank: number;
}

export interface SceneDraft {
  chosen: string[];
  aim: string[];
  picks: number[];
  undo: boolean;
}

export interface LogLine {
  text: string;
  seat: number;
  moves: Moved[];
  turned: string[];
  clauses: string[];
}

export interface Moved {
  card: string;
  origin: string;
  goal: string;
  was: string;
}

export interface Recap {
  seat: number;
  text: string;
  moves: number;
}

export interface Round {
  number: number;
  text: string;
  tallies: Tally[];
  label: string;
  sweep: string;
  winner: number;
}

export interface Tally {
  seat: number;
  total: number;
  gains: Gain[];
}

export interface Gain {
  label: string;
  value: number;
  clause: string;
  cards: string[];
}

export interface Bitten {
  id: string;
  cards: Card[];
}

export interface Score {
  head: string[];
  rows: (number | string)[][];
}

export interface Result {
  text: string;
  places: number[];
  scores: number[];
  why: string;
  shown: string[];
  ordinals: string[];
  won: boolean;
  par: number | null;
  decided: Decided | null;
  light: Light | null;
  comfort: string;
}

export interface Decided {
  text: string;
  move: number;
  cards: string[];
}

export interface Light {
  cards: string[];
  seats: number[];
  counters: string[];
}

export interface Lesson {
  step: number;
  of: number;
  kind: '' | 'button' | 'card' | 'seat' | 'zone';
  on: string;
}

export interface Told {
  number: number;
  seat: number;
  text: string;
  clauses: string[];
}

export interface MessagesSaid {
  seat: number;
  name: string;
  text: string;
  at: number;
}

export interface Shown {
  type: 'scene';
  scene: Scene;
  id: string;
  log: Told[];
  chain: string;
}

export interface Patch {
  type: 'patch';
  base: number;
  changes: Record<string, unknown>;
  id: string;
  log: Told[];
  chain: string;
}

export interface Done {
  type: 'done';
  id: string;
  seq: number;
  chain: string;
  now: number;
}

export interface Undoable {
  type: 'undoable';
  id: string;
  seq: number;
}

export interface Refused {
  type: 'refused';
  id: string;
  reason: string;
  clause: string;
  scene: Scene | null;
}

export interface MessagesAnswer {
  type: 'answer';
  id: string;
  text: string;
  clause: string;
  move: string;
  choices: number[];
  marks: string[];
  options: Option[];
  of: string;
  look: number;
  search: Search | null;
  bite: Bitten | null;
}

export interface Option {
  text: string;
  notation: string;
  chance: number;
  error: number;
}

export interface Search {
  module: string;
  description: string;
  view: string;
  seq: number;
  seconds: number;
}

export interface Inspected {
  type: 'inspected';
  id: string;
  card: string;
  told: Inspection;
}

export interface Inspection {
  name: string;
  where: string;
  text: string;
  now: string;
  seen: string;
  clause: string;
  face: string;
}

export interface Positioned {
  type: 'positioned';
  id: string;
  seq: number;
  position: Record<string, unknown>;
}

export interface Recalled {
  type: 'recalled';
  id: string;
  scenes: Scene[];
}

export interface Chat {
  type: 'chat';
  said: MessagesSaid;
}

export interface Table {
  type: 'table';
  facts: Facts;
}

export interface Rename {
  name: string;
}

export interface Words {
  words: string;
  brings?: boolean;
}

export interface BeAway {
  until: number;
}

export interface SetWebhook {
  address: string;
}

export interface SetDevice {
  endpoint: string;
  keys: DeviceKeys | null;
  silent?: Silent | null;
}

export interface DeviceKeys {
  p256dh: string;
  auth: string;
}

export interface Silent {
  begin: string;
  end: string;
  zone: string;
}

export interface SetNetwork {
  open: boolean;
}

export interface NewTable {
  game: string;
  preset?: string;
  options?: Record<string, unknown>;
  chairs?: string[];
  listed?: boolean;
  clock?: number;
  ticket?: string;
  hash?: string;
  waits?: boolean;
  calm?: boolean;
  rated?: boolean;
}

export interface Try {
  deal: number;
  counted?: boolean;
  hash?: string;
}

export interface OwnNumber {
  number: string;
}

export interface NewEvening {
  game: string;
  preset?: string;
  options?: Record<string, unknown>;
  rounds?: number;
  clock?: number;
}

export interface EveningAct {
  do: 'end' | 'enter' | 'leave' | 'pause' | 'resume' | 'start';
}

export interface Join {
  seat?: number | null;
  hash?: string;
}

export interface Number {
  nonce?: string;
  hash?: string;
}

export interface Report {
  seat: number;
  at?: number | null;
}

export interface Branch {
  move: number;
  seat: number;
}

export interface Sums {
  games: number;
  start: Ends;
  chances: number[][];
  decisions?: DecisionSums[];
  whole?: boolean;
}

export interface Ends {
  actions: number[];
  shares: number[];
  squares: number;
  gain: number;
  spread: number;
  better: number;
  worse: number;
}

export interface DecisionSums {
  move: number;
  played: number;
  moves: Ends[];
}

export interface Typed {
  code: string;
}

export interface Me {
  name: string;
}

export interface Forgotten {
  deleted: number;
  kept: number;
}

export interface Away {
  until: number;
  left: number;
}

export interface OwnData {
  guest: string;
  name: string;
  named: number | null;
  banned: number | null;
  devices: OwnDevice[];
  notices: OwnNotice[];
  kept: boolean;
  acts: OwnAct[];
  tables: OwnTable[];
  lines: OwnLine[];
  tries: OwnTry[];
  vacations: [number, number][];
  evenings: OwnEvening[];
}

export interface OwnDevice {
  endpoint: string;
  silent: Silent | null;
  at: number;
}

export interface OwnNotice {
  table: string;
  kind: 'reminder' | 'turn';
  at: number;
  due: number | null;
}

export interface OwnAct {
  at: number;
  text: string;
}

export interface OwnTable {
  id: string;
  game: string;
  title: string;
  status: string;
  made: number;
  ended: number | null;
  opened: boolean;
  options: Record<string, unknown>;
  seat: OwnSeat | null;
  moves: OwnMove[];
  log: string;
  rated: boolean;
  rating: Record<string, unknown> | null;
}

export interface OwnSeat {
  seat: number;
  name: string;
  nonce: string;
  hash: string | null;
  withheld: boolean;
  stand_in: boolean;
  calm: boolean;
  ready: string | null;
}

export interface OwnMove {
  at: number;
  text: string;
}

export interface OwnLine {
  table: string;
  at: number;
  name: string;
  text: string;
}

export interface OwnTry {
  deal: number;
  table: string;
  counted: boolean;
  day: number;
  hash: string;
  nonce: string;
}

export interface OwnEvening {
  id: string;
  opened: boolean;
  number: number | null;
  name: string | null;
}

export interface History {
  name: string;
  away: Away;
  games: number;
  since: number | null;
  standings: Standing[];
  met: Met[];
  played: Played[];
  older: string;
}

export interface Standing {
  game: string;
  title: string;
  games: number;
  wins: Record<string, [number, number]>;
  best: number | null;
  best_of: number;
  streak: number;
  last: string[];
  strength: Strength | null;
}

export interface Strength {
  rating: number;
  deviation: number;
  games: number;
}

export interface Met {
  key: string;
  name: string;
  bot: boolean;
  games: number;
  you: number;
  they: number;
}

export interface Played {
  table: string;
  game: string;
  title: string;
  ended: number;
  seat: number;
  seats: PlayedSeat[];
  outcome: string;
  result: string;
  decided: string;
  change: number | null;
}

export interface PlayedSeat {
  key: string;
  name: string;
  plays: string;
  place: number;
  score: number;
}

export interface Webhook {
  address: string;
  hosts: string[];
  push: string;
  silent: Silent | null;
}

export interface GameFacts {
  name: string;
  title: string;
  designer: string;
  publisher: string;
  goal: string;
  blurb: string;
  players: [number, number];
  usual_players: number;
  minutes: [number, number];
  weight: string;
  presets: Preset[];
  options: Record<string, unknown>;
  skin: Skin;
  look: string;
  levels: LevelFacts[];
  usual: string;
  lessons: Offer[];
  calm_race: number;
  learned: boolean;
}

export interface Preset {
  name: string;
  title: string;
  text: string;
  options: Record<string, unknown>;
  tables: Record<string, Record<string, unknown>>;
  minutes: [number, number];
}

export interface Skin {
  name: string;
  cloth: [string, string];
  cloth_2: [string, string];
  kinds: Record<string, Ink>;
  back: Ink;
  back_sign: string;
  back_art: string;
  tones: string[];
  light_tones: string[];
}

export interface Ink {
  ground: string;
  ink: string;
}

export interface LevelFacts {
  id: string;
  name: string;
  line: string;
  colour: string;
  animal: string;
  pips: number;
  pronoun: string;
  rating: number;
  company: string[];
}

export interface Against {
  you: number;
  they: number;
}

export interface Clause {
  id: string;
  mark: string;
  text: string;
  heading: string;
}

export interface PageFacts {
  title: string;
  designer: string;
  publisher: string;
  page: Page;
  heads: Record<string, string>;
  cards: Record<string, Card>;
  faces: Record<string, Face>;
  skin: Skin;
  lessons: Offer[];
}

export interface Page {
  goal: PageSaid;
  set_up: PageSaid[];
  turn: PageSaid[];
  cards: Kind[];
  end: PageSaid[];
  scoring: Scoring;
  asked: Question[];
  bites: Bite[];
}

export interface PageSaid {
  text: string;
  clause: string;
  cards: string[];
  otherwise: Record<string, string | Record<string, string>>;
}

export interface Kind {
  faces: string[];
  name: string;
  text: string;
  clause: string;
}

export interface Scoring {
  said: PageSaid[];
  sums: Sum[];
}

export interface Sum {
  title: string;
  rows: Row[];
  total: number;
  unit: string;
}

export interface Row {
  text: string;
  value: number;
  cards: string[];
}

export interface Question {
  ask: string;
  answer: string;
  clause: string;
  otherwise: Record<string, string | Record<string, string>>;
}

export interface Bite {
  id: string;
  clause: string;
  text: string;
  rows: string[][];
  cards: string[];
  when: 'any' | 'others' | 'refused' | 'you';
  event: string;
  card: string;
  of: 'all' | 'came' | 'left';
}

export interface Face {
  kind: string;
  name: string;
  big: string;
  corner: string;
  glyph: string;
  art: string;
  corner_art: string;
  tone: number;
  value: number | null;
  step: string;
  shape: boolean;
  ring: boolean;
  pips: number;
  ends: string[];
  title: string;
  text: string;
  tag: string;
  foot: string;
  clause: string;
  printed: boolean;
}

export interface Lobby {
  mine: Facts[];
  open: Facts[];
  playing: number;
  notices: boolean;
  now: number;
  is_owner: boolean;
  notice: string;
  holds: boolean;
  today: Stamp | null;
  evenings: Record<string, string>;
}

export interface Stamp {
  deal: number;
  title: string;
  state: string;
}

export interface Network {
  addresses: Address[];
  is_owner: boolean;
  is_open: boolean;
  opens_to: string;
}

export interface Address {
  url: string;
  works: 'computer' | 'network' | 'public';
  text: string;
  tried: boolean;
}

export interface RoomKey {
  key: string;
}

export interface Promise {
  promise: string;
  ticket: string;
}

export interface Today {
  deal: number;
  title: string;
  state: string;
  today: number;
  goal: string;
  best: string;
  rivals: string[];
  begins: number;
  closes: number;
  table: string;
  week: Stamp[];
  row: number;
  end: string;
  result: string;
  beside: Beside[];
  waits: boolean;
  marks: string;
  missed: string;
  text: string;
}

export interface Beside {
  name: string;
  bot: boolean;
  result: string;
  alike: number;
  theirs: string;
  yours: string;
}

export interface DayRecord {
  room: string;
  deal: number;
  end: string;
  next_end: string;
  numbers: Record<string, string>;
  signed_list: string;
  signed: string;
  link: string;
}

export interface Evening {
  id: string;
  name: string;
  title: string;
  form: string;
  rounds: number;
  round: number;
  scale: number[];
  state: string;
  began: number;
  host: boolean;
  you: number;
  table: string;
  players: EveningPlayer[];
  games: EveningGame[];
}

export interface EveningPlayer {
  name: string;
  plays: string;
  left: boolean;
  number: number;
  place: number;
  points: number;
  opponents: number;
  beaten: number;
}

export interface EveningGame {
  table: string;
  round: number;
  players: number[];
  places: number[];
}

export interface Moment {
  move: number;
  moves: number;
  scene: Scene;
  log: Told[];
  marks: number[];
}

export interface TableRules {
  module: string;
  description: string;
  start: string;
  missing: string;
  waits: boolean;
}

export interface AnalysisTold {
  move: number;
  moves: number;
  analysis: AnalysisView | null;
  begun: AnalysisView | null;
  decisions: DecisionView[];
}

export interface AnalysisView {
  game: string;
  seats: string[];
  playouts: number;
  chances: number[][];
  turns: Turn[];
  rounds: number[];
  result: string;
  chain: string;
  rules: number;
  version: number;
  unit: number;
  decisions: DecisionView[];
  shares: ShareView[];
  rows: string[][];
  rests: string[];
  curves: number[][];
  levels: string[];
  names: string[];
  whose: string[];
  courses: string[];
  ahead: string[];
  ends: number[];
  swings: string[];
  dashes: string[];
}

export interface Turn {
  move: number;
  seat: number;
  text: string;
  before: number;
  after: number;
}

export interface DecisionView {
  move: number;
  seat: number;
  played: number;
  cost: number;
  error: number;
  label: string;
  why: string;
  options: OptionView[];
  lost: string;
  margin: string;
  change: string;
}

export interface OptionView {
  text: string;
  notation: string;
  chance: number;
  error: number;
  shown: string;
  margin: string;
  height: number;
}

export interface ShareView {
  seat: number;
  start: number;
  luck: number;
  play: number;
  gifts: number;
  result: number;
  cells: string[];
  bars: number[];
  sums: string;
  sentence: string;
}

export interface Held {
  seat: number;
  faces: [string, number][];
  true: string[];
}

export interface Code {
  code: string;
  seconds: number;
}

export interface Health {
  status: string;
}

export interface Description {
  game: string;
  rules_version: number;
  rules: string;
  numba: string;
  sha256: string;
  free: number;
  size: number;
  source: number;
  seats: number;
  recall: number;
  horizon: number;
  events: boolean;
  actions: ([string, number] | null)[];
  fields: RecordField[];
  options: OptionField[];
  in_scene: InScene[];
  layout: string;
  windows: boolean;
  desk: number;
  view: number;
  desk_fields: RecordField[];
}

export interface RecordField {
  name: string;
  offset: number;
  type: string;
  shape: number[];
  strides: number[];
}

export interface OptionField {
  option: string;
  field: string;
  file: boolean;
  words: Record<string, number>;
  default: number[];
  defaults: Record<string, number[]>;
}

export interface InScene {
  field: string;
  zone: string;
  counter: string;
  faces: string[][];
  first: number;
  counts: boolean;
  own: boolean;
}

export interface Problem {
  reason: string;
}

export type Requests =
  | Pick
  | Play
  | MessagesDraft
  | Why
  | Inspect
  | Position
  | Recall
  | Hint
  | Undo
  | Say
  | StandIn
  | Speed
  | Calm
  | Rematch
  | Ping;

export type Messages =
  | Welcome
  | Shown
  | Patch
  | Done
  | Undoable
  | Refused
  | MessagesAnswer
  | Inspected
  | Positioned
  | Recalled
  | Chat
  | Table;

export interface Limits {
  quiet: 2.0;
  answer: 3.0;
  waits: 2.0;
}

export type AnswerTo<Asked extends string> =
  Asked extends `GET /api/tables/${string}/moments/${string}/card` | `GET /api/tables/${string}/moments/${string}/card?${string}` ? Inspection :
  Asked extends `GET /api/lessons/${string}/${string}/faces` ? Record<string, Face> :
  Asked extends `GET /api/tables/${string}/moments/${string}` | `GET /api/tables/${string}/moments/${string}?${string}` ? Moment :
  Asked extends `GET /api/tables/${string}/analysis/held` | `GET /api/tables/${string}/analysis/held?${string}` ? Held[] :
  Asked extends `GET /api/games/${string}/record` ? Record<string, Against> :
  Asked extends `GET /api/games/${string}/page` ? PageFacts :
  Asked extends `GET /api/tables/${string}/faces` ? Record<string, Face> :
  Asked extends `GET /api/tables/${string}/rules` ? TableRules :
  Asked extends `GET /api/tables/${string}/analysis` | `GET /api/tables/${string}/analysis?${string}` ? AnalysisTold :
  Asked extends `POST /api/tables/${string}/analysis` ? AnalysisTold :
  Asked extends `POST /api/tables/${string}/code` ? Code :
  Asked extends `POST /api/tables/${string}/join` ? Facts :
  Asked extends `POST /api/tables/${string}/number` ? Facts :
  Asked extends `POST /api/tables/${string}/leave` ? Facts :
  Asked extends `POST /api/tables/${string}/start` ? Facts :
  Asked extends `POST /api/tables/${string}/report` ? Facts :
  Asked extends `POST /api/tables/${string}/branch` ? Facts :
  Asked extends `PUT /api/me/away` ? Away :
  Asked extends `GET /api/me/turns` ? string[] :
  Asked extends `GET /api/today/record` | `GET /api/today/record?${string}` ? DayRecord :
  Asked extends `POST /api/today/number` ? DayRecord :
  Asked extends `POST /api/evenings/${string}` ? Evening :
  Asked extends `GET /api/tables/${string}` ? Facts :
  Asked extends `DELETE /api/tables/${string}` ? Facts :
  Asked extends `GET /api/me` ? Me :
  Asked extends `POST /api/me` ? Me :
  Asked extends `DELETE /api/me` ? Forgotten :
  Asked extends `GET /api/webhook` ? Webhook :
  Asked extends `PUT /api/webhook` ? Webhook :
  Asked extends `DELETE /api/webhook` ? Webhook :
  Asked extends `PUT /api/device` ? Webhook :
  Asked extends `GET /api/games` ? GameFacts[] :
  Asked extends `GET /api/lobby` ? Lobby :
  Asked extends `GET /api/network` ? Network :
  Asked extends `PUT /api/network` ? Network :
  Asked extends `POST /api/promise` ? Promise :
  Asked extends `POST /api/evenings` ? Evening :
  Asked extends `POST /api/tables` ? Facts :
  Asked extends `POST /api/today` ? Facts :
  Asked extends `POST /api/codes` ? Facts :
  unknown;

/** A type, as the decoder reads it: `unknown`, `boolean`, `whole`, `number`, `string`, the name of a shape, or one of
 * `['maybe', T]`, `['list', T]`, `['tuple', T, ...]`, `['record', T]`, `['one', value, ...]`,
 * `['whole', lowest, highest]`, `['either', T, ...]` and `['tagged', field, shape, ...]`. */
export type ReadAs = string | [string, ...unknown[]];

/** The patterns of the ids of tables, and of keys. */
export const TABLE_ID: string;
export const KEY: string;

/** All messages of a room; what it sends, by name; and its answers, by method and address. A field has a name, a type,
 * and a default if it may be left out. */
export const MESSAGES: ReadAs;
export const SHAPES: Record<string, [string, ReadAs, unknown?][]>;
export const ANSWERS: Record<string, ReadAs>;

/** The sentences of each check: if it holds, and by the reasons for which it is broken or unknown. */
export const CHECKS: Record<
  'number' | 'promise' | 'room' | 'outline' | 'failed' | 'waits' | 'bound' | 'header' | 'seed' | 'log' | 'signed' | 'acknowledged' | 'moves' | 'bots' | 'undone' | 'shown',
  { holds: string; broken: Record<string, string>; unknown: Record<string, string> }
>;

/** The speeds of a table, as factors of its durations. */
export const SPEEDS: Record<'slow' | 'normal' | 'instant', number>;

/** The stages of each course: name, duration at normal and at instant speed in milliseconds, and whether it takes no
 * longer at slow speed. */
export const COURSES: Record<'round' | 'attack' | 'end' | 'victory' | 'film' | 'miss' | 'note' | 'group', [string, number, number, boolean][]>;

/** The opponents whose portrait says how strong they are, the weakest first; and bots that play like another one at
 * their table, in the order in which they sit down. */
export const FACES: string[];
export const OTHERS: string[];

/** The fewest seats whose points are counted at the same time. */
export const MANY: number;

/** More cards at once are a deal, not a move, and are not marked. */
export const DEAL: number;
