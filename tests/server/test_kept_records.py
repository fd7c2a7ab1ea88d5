"""The records of tables that programs keep, whatever happens meanwhile: an honest room is never accused."""

import itertools

import pytest

from fairdeal.engine.registry import installed_games
from fairdeal.protocol import messages as m
from tests.server.histories import check, final
from tests.server.in_node import needs_node, run_in_node
from tests.server.in_process import InsideRoom, Viewer, done, seated
from tests.server.inside import SHORT
from tests.server.visiting import sit_at

COURSES = """
import { readFileSync } from 'node:fs';
globalThis.location = { origin: 'http://room' };
globalThis.document = Object.assign(new EventTarget(), { hidden: false });
globalThis.addEventListener = document.addEventListener.bind(document);
let line;
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() {
    line = this;
  }
  send() {}
  close() {}
};
const { keeperOf } = await import('./web/record/keeper.js');
const { database } = await import('./web/record/database.js');
const { TableSocket } = await import('./web/kit/socket.js');
const { beforeTheEnd } = await import('./web/fair/verdict.js');
const base = await database();
const facts = JSON.parse(readFileSync('facts.json'));
const about = { at: 0, isOver: false };
const gist = ({ type, base, changes, scene }) => JSON.stringify([type, base, changes, scene?.seq, scene?.title]);
const turn = () => new Promise((go) => setImmediate(go));

async function run(course, table) {
  const keeper = keeperOf(table);
  let [socket, scenes, seq, notes] = [null, 0, 0, 0];
  const told = [];
  const say = (message) => {
    told.push(gist(message));
    line.onmessage({ data: JSON.stringify(message) });
  };
  const chain = () => String(seq).repeat(64);
  const welcome = () => {
    scenes = 1;
    const scene = { skin: '', title: `${notes}`, viewer: 0, seq };
    say({ type: 'welcome', facts: { ...facts, id: table, seq }, scene, chain: chain() });
  };
  const patch = (changes) => say({ type: 'patch', base: scenes++, changes, chain: chain() });
  const steps = {
    comes() {
      socket?.close();
      socket = new TableSocket(() => '', () => {}, () => {}, () => told.push('?'), (...one) => keeper.heard(...one));
      welcome();
    },
    loses() {
      socket.connect();
      welcome();
    },
    moves: () => patch({ seq: ++seq }),
    notes: () => patch({ title: `${++notes}` }),
    writes: () => keeper.written.then(turn),
    elsewhere: () => base.append('elsewhere', ['{}'], about),
    beside: () => base.append(table, ['{"entry":"sent","visit":"beside","hash":""}'], about),
    claims: () => void keeper.claim({ ...facts, chairs: [{ ...facts.chairs[0], hash: '0' }] }),
  };
  await keeper.ready;
  for (const step of ['comes', ...course]) await steps[step]();
  await keeper.written;
  await turn();
  await keeper.written;
  socket.close();
  const stored = (await base.read(table, 0)).map((one) => one.line);
  const own = keeper.lines.map((one) => JSON.parse(one)).filter((one) => one.line);
  const { scenes: shown } = keeper.now;
  return {
    wrong: beforeTheEnd(keeper.record).filter((one) => one.ok === false).map((one) => one.text),
    missed: keeper.record.missed,
    twice: JSON.stringify(keeper.lines.toSorted()) !== JSON.stringify(stored.toSorted()),
    order: JSON.stringify(own.map((one) => gist(one.message))) !== JSON.stringify(told),
    shown: shown.length === told.length && shown.at(-1).scene.seq === seq,
  };
}

const found = [];
for (const [number, course] of JSON.parse(readFileSync('courses.json')).entries()) {
  const one = await run(course, `table${number}`);
  if (one.wrong.length || one.missed || one.twice || one.order || !one.shown) found.push([course, one]);
}
console.log(JSON.stringify(found.slice(0, 3)));
process.exit();
"""
"""What a page records in each course, as far as it is wrong. `comes` opens the table, or leaves it and comes back on
the same page; the room `moves` and `notes`; other lines are added `elsewhere`, and `beside` by another page of this
table."""

STEPS = ("comes", "loses", "moves", "notes", "writes", "elsewhere", "beside", "claims")
"""What can happen to a page at a table."""


@needs_node
def test_a_page_records_everything_once_and_in_order_beside_other_pages(tmp_path):
    """Every course of three steps, and a change of the scene without a move after it, in a browser that has records of
    other tables."""
    courses = [(*course, "notes") for course in itertools.product(STEPS, repeat=3)]
    deal = m.Deal(commitment="00" * 32, key="11" * 32, header="header")
    chairs = (m.Chair(seat=0, name="Ada"),)
    facts = m.Facts(
        id="abc", game="chi", title="", name="", status="running", options={}, chairs=chairs, seat=0, deal=deal
    )
    assert run_in_node(tmp_path, COURSES, courses=courses, facts=facts) == []


GAMES = [game.name for game in installed_games() if game.has_windows or game.calm_race]


@pytest.mark.parametrize("game", GAMES)
async def test_a_room_that_restarts_in_each_state_acknowledges_one_game(game, restart, ticker, store):
    """A whole game with windows or races, after each entry of which the room ends and begins again."""
    guests, windows = ("ada", "ben", "cleo", "dora"), 0
    options = SHORT[game] | {"players": len(guests) - 1}
    live = await seated(await restart(ticker=ticker), *guests[:-1], game=game, options=options)
    histories = {guest: Viewer(live.home, live, guest).history for guest in guests}
    while live.status != "over":
        live = await (await restart(ticker=ticker)).find(live.id)
        viewers = [Viewer(live.home, live, guest) for guest in guests]
        for viewer, guest in zip(viewers, guests, strict=True):
            viewer.history, viewer.count = histories[guest], live.number
            await viewer.arrive()
        await done(viewers[live.sitting.state.to_act[0]].play())
        windows += bool(live.pace.windows.moments)
    assert windows > sum(entry.hidden for entry in live.sitting.log.entries) > 3
    check(await final(InsideRoom(store), live.id), histories.values())


LINES = """async () => {
    const { name } = performance.getEntriesByType('resource').find((one) => one.name.includes('record/keeper.js'));
    const [table] = location.pathname.split('/').slice(-1);
    const keeper = (await import(name)).keeperOf(table);
    for (let last; last !== keeper.written; await last) last = keeper.written;
    const lines = [...keeper.lines];
    const base = await (await import(name.replace('keeper', 'database'))).database();
    return [base.constructor.name, lines, (await base.read(table, 0)).map(({ line }) => line)];
}"""
"""The lines of the record of the table that a page shows, as the page and as the database of the browser has them."""


def test_a_browser_with_records_of_other_tables_records_each_line_once(visit):
    page = visit()
    for _ in range(2):
        sit_at(page, "chi", options={"first_player": 0})
        kind, lines, stored = page.evaluate(LINES)
        assert kind == "Database"
        assert lines == stored[: len(lines)]
        assert len(lines) > 1
