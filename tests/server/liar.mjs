// The page's own modules as a player's program, without a browser. Each try is a list of edits of
// what an honest room sent; the program prints what was drawn that is not true, and what the page says of
// the room at the end.
import { readFileSync } from 'node:fs';

const { steps, tries, listed, known, start, stops } = JSON.parse(readFileSync('given.json'));
const description = JSON.parse(readFileSync('description.json'));
const code = readFileSync('module.wasm');

globalThis.location = { origin: 'http://room' };
globalThis.document = { hidden: false, addEventListener() {} };
globalThis.addEventListener = () => {};
globalThis.setTimeout = () => 0; // nobody loses patience
globalThis.clearTimeout = () => {};
crypto.getRandomValues = (bytes) => bytes.fill(7);
const compiled = new WebAssembly.Module(code);
WebAssembly.instantiate = async (_, imports) => ({
  module: compiled,
  instance: new WebAssembly.Instance(compiled, imports),
});

let answers = [];
let asked = [];
const settle = () => {
  while (answers.length && asked.length) asked.shift()(answers.shift());
};
globalThis.fetch = () =>
  new Promise((done) => {
    const headers = new Map();
    asked.push((text) => done({ ok: true, status: 200, headers, json: async () => JSON.parse(text) }));
    settle();
  });

let socket = null;
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    socket = this;
  }
  send() {}
  close() {}
};

const { check } = await import('./web/fair/check.js');
const { readLog } = await import('./web/fair/log.js');
const { replay } = await import('./web/fair/replay.js');
const { Rules } = await import('./web/fair/rules.js');
const { shownIn } = await import('./web/fair/shown.js');
const { whole, unplayed } = await import('./web/fair/verdict.js');
const { forgetRecords } = await import('./web/record/database.js');
const { TableSocket } = await import('./web/kit/socket.js');

/** What a scene claims that the verdict covers: its listed zones and counters, and that there are
 * no others with cards. */
function claimsOfScene({ seq, viewer, state, draft, zones = [], seats = [], result }) {
  const faceOf = ({ face, back, down }) => (down || !face ? (back === 'gap' ? [] : ['-']) : [face]);
  const shown = zones
    .filter(({ id }) => listed.zones.includes(id))
    .map(({ id, count = 0, cards = [] }) => [id, count, cards.flatMap(faceOf).sort()]);
  const counters = seats.flatMap((one) =>
    (one.counters ?? [])
      .filter(({ label }) => listed.counters.includes(label))
      .map(({ label, value }) => [one.seat, label.replace(/s$/, ''), `${value}`]),
  );
  const there = shown.filter(([, count]) => count).map(([id]) => id);
  const names = seats.map((one) => ['name', one.seat, one.name]);
  const claims = [...shown, ...counters, ...names, ['state', state]];
  if (!draft?.picks?.length) claims.push(['there', ...there.sort()]);
  if (result) claims.push(['places', ...result.places]);
  return claims.map((claim) => [seq, viewer, ...claim]);
}

/** What a message claims. */
function claimsOf({ type, facts, scene, seq, chain = '' }) {
  const claims = [];
  const entries = { welcome: facts?.seq, scene: scene?.seq, done: seq }[type] ?? -1;
  if (chain.length >= 32 && entries >= 0) claims.push(['chain', entries, chain.slice(0, 32)]);
  if (facts) {
    const { commitment, key, stage = 'dealt', header, seed } = facts.deal;
    claims.push(['table', facts.id]);
    if (commitment) claims.push(['commitment', commitment]);
    if (key) claims.push(['key', key]);
    if (stage === 'dealt' && facts.seat >= 0) claims.push(['seat', facts.seat]);
    if (header) claims.push(['header', header]);
    if (seed) claims.push(['seed', seed]);
  }
  if (scene && ['welcome', 'scene', 'refused'].includes(type)) claims.push(...claimsOfScene(scene));
  return claims.map((claim) => JSON.stringify(claim));
}

const turns = async (count) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((done) => setImmediate(done));
};

let pages = 0;
const truth = new Set(known.map((claim) => JSON.stringify(claim)));
let honest = '';

/** What the page draws and says if it is sent these steps. */
async function told(all) {
  pages += 1;
  await forgetRecords();
  const page = await import(`./web/record/keeper.js?${pages}`);
  const problems = new Set();
  const drawn = [];
  const note = (reason) => problems.add(reason.message);
  answers = [];
  asked = [];
  let facts = null;
  let log = '';
  const table = JSON.parse(steps[0][1]).facts.id;
  const keeper = page.keeperOf(table);
  const hear = (message) => {
    drawn.push(...claimsOf(message));
    if (!message.facts || !['welcome', 'table'].includes(message.type)) return;
    facts = message.facts;
    page.followed(facts).catch(note);
  };
  const wonder = () => problems.add('refused');
  const line = new TableSocket(
    () => '',
    hear,
    () => {},
    wonder,
    (message, number) => keeper.heard(message, number),
  );
  for (const [kind, text] of all) {
    if (kind === 'message') socket.onmessage?.({ data: text });
    else if (kind === 'answer') answers.push(text);
    else if (kind === 'sit' && facts) page.sitDown(facts).catch(note);
    else if (kind === 'log') log = text;
    settle();
    await turns(kind === 'message' ? 2 : 8);
  }
  await turns(8);
  line.close();
  const { record } = keeper;
  let findings;
  try {
    const found = (await check(record, log)).findings;
    let game = unplayed('not replayed');
    try {
      const rules = await Rules.load(code, description, 64);
      game = [...replay(rules, start, log, shownIn(record, readLog(log).key))].at(-1);
    } catch (problem) {
      note(problem);
    }
    findings = whole(found, game).map((one) => [one.check, one.ok, one.text]);
  } catch (problem) {
    findings = [['log', null, problem.message]];
  }
  return { drawn, findings, problems: [...problems], record: page.file({ id: table }) };
}

const said = [];
{
  const { drawn, findings, problems, record } = await told(steps);
  drawn.forEach((claim) => truth.add(claim));
  honest = record;
  said.push({ findings, problems, claims: drawn.length });
}
for (const edits of tries) {
  const all = [...steps];
  for (const [place, removed, added] of edits) all.splice(place, removed, ...added);
  const { drawn, findings, record } = await told(all);
  const lies = drawn.filter((claim) => !truth.has(claim)).slice(0, 2);
  if (all.at(-1)[1].trimEnd() !== steps.at(-1)[1].trimEnd()) lies.push('log');
  said.push({ findings, lies, same: record === honest });
  if (stops && lies.length && findings.every(([, ok]) => ok)) break;
}
console.log(JSON.stringify(said));
