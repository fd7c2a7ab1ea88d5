// A browser's part in a deal, without a browser: a test carries its requests to the room and back.
import { createInterface } from 'node:readline';

globalThis.location = { origin: 'http://room' };

// Timers, by number. The pause after a lost connection ends at once; no other timer ends.
const timers = new Map();
let timed = 0;
globalThis.setTimeout = (then) => {
  timed += 1;
  timers.set(timed, then);
  return timed;
};
globalThis.clearTimeout = (number) => timers.delete(number);

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
};

const waiting = new Map();
let sent = [];
let count = 0;
globalThis.fetch = (path, { method = 'GET', body } = {}) =>
  new Promise((answer, fail) => {
    count += 1;
    waiting.set(count, { answer, fail });
    sent.push({ number: count, method, path, body: JSON.parse(body ?? '{}') });
  });

const { beforeTheEnd } = await import('./web/fair/verdict.js');
const { forgetRecords } = await import('./web/record/database.js');
let pages = 0;
let page = null;
let last = null;
let problems = [];

const commands = {
  open() {
    pages += 1;
    return import(`./web/record/keeper.js?${pages}`).then((found) => {
      page = found;
      last = null;
    });
  },
  forget: () => forgetRecords(),
  hear({ facts }) {
    last = facts;
    page.followed(facts).catch((reason) => problems.push(reason.message));
  },
  sit({ facts }) {
    page.sitDown(facts).catch((reason) => problems.push(reason.message));
  },
  agree({ facts }) {
    page.agree(facts).catch((reason) => problems.push(reason.message));
  },
  answer({ number, status, body }) {
    waiting.get(number).answer({
      ok: status < 400,
      status,
      statusText: '',
      json: () => Promise.resolve(body),
    });
  },
  async lose({ number }) {
    const before = timed;
    waiting.get(number).fail(new TypeError('the connection is lost'));
    await turns();
    for (const [pause, then] of [...timers].filter(([one]) => one > before)) {
      timers.delete(pause);
      then();
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  await commands[command.do](command);
  await turns();
  const facts = command.facts ?? last;
  const found = facts && page ? beforeTheEnd(page.recordOf(facts)) : [];
  const record = facts && page ? page.file(facts) : '';
  console.log(JSON.stringify({ sent, found, record, problems }));
  [sent, problems] = [[], []];
}
