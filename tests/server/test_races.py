"""Guests join, leave, and give and show their numbers while messages are under way: two programs of players, the
terminal's and the page's, never accuse an honest room, and a full table never stays without a deal."""

import asyncio
import itertools
import json
import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from fairdeal.engine.errors import FairdealError
from fairdeal.protocol.messages import Facts, Table
from fairdeal.protocol.record import Reader, entries_of
from fairdeal.server.api.opening import open_table
from fairdeal.server.tables.audience import Connection
from fairdeal.server.tables.dealing import show_number
from fairdeal.server.tables.seating import join, leave, start
from fairdeal.table import fairness
from fairdeal.table.log import read_header
from fairdeal.table.verdict import of_deal
from fairdeal.terminal.online import keeper
from tests.server.in_node import answer_of, copy_scripts, needs_node
from tests.server.in_process import KEYS, InsideRoom, end_all, store_of

ROOM, TESS, TWIN, PAULA = "ed", "tess", "twin", "paula"
"""A guest who only comes and goes, and programs: two of the terminal with the record and at first the cookie of one
player, and one with a page."""

ADDRESS = "http://127.0.0.1:8017"

ROUNDS = int(os.environ.get("FAIRDEAL_RACES", "60"))
"""The number of tables; FAIRDEAL_RACES sets another one."""


class StillLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still until the test moves it."""

    now = 1000.0

    def time(self):
        return self.now


class Terminal:
    """The part of the terminal's program in a deal."""

    def __init__(self):
        self.requests, self.waiting, self.replies = [], [], None

    def open(self, facts):
        self.keeper, self.replies, self.waiting, self.requests = keeper.Keeper(ADDRESS, facts.id), None, [], []
        self.keeper.fetched(facts)

    def sit(self, facts):
        self.requests.append(("join", {"hash": self.keeper.sit(facts)}))

    def hear(self, facts):
        self.keeper.heard(Table(facts=facts), 1)
        self.waiting.append(facts)
        self.go_on()

    def go_on(self):
        while self.waiting and self.replies is None and not self.requests:
            self.begin(self.waiting.pop(0))

    def begin(self, facts):
        self.replies = self.keeper.replies(facts)
        self.step(lambda: next(self.replies))

    def step(self, take):
        try:
            self.requests.append(("number", msgspec.to_builtins(take())))
        except StopIteration:
            self.replies = None
            self.go_on()

    def answer(self, request, facts, taken):
        """Hear that the room has carried out a request, or has refused it."""
        self.requests.remove(request)
        what, body = request
        if what == "join" and taken:
            self.keeper.answered(keeper.Number(hash=body["hash"]), facts)
            self.begin(facts)
        elif what == "number":
            self.step(lambda: self.replies.send((facts, taken)))
        self.go_on()

    def lose(self, request):
        """Lose a request, or its answer."""
        self.requests.remove(request)
        self.replies = None
        self.go_on()

    def agree(self, facts):
        self.keeper.heard(Table(facts=facts), 1)
        self.keeper.agree()
        self.hear(facts)

    def wrong(self):
        return self.keeper.wrong

    def record(self):
        return self.keeper.record


class Page:
    """The part of a page in a deal, in Node.js."""

    def __init__(self, node):
        self.node, self.requests, self.found, self.lines, self.problems = node, [], [], "", []

    def tell(self, command, **facts):
        self.node.stdin.write(json.dumps({"do": command} | facts) + "\n")
        self.node.stdin.flush()
        told = json.loads(self.node.stdout.readline())
        for sent in told["sent"]:
            what = sent["path"].rpartition("/")[2] if sent["method"] == "POST" else "look"
            self.requests.append((what, sent["body"], sent["number"]))
        self.found, self.lines = told["found"], told["record"]

    def open(self, facts):
        self.requests = []
        self.tell("open")

    def sit(self, facts):
        self.tell("sit", facts=msgspec.to_builtins(facts))

    def hear(self, facts):
        self.tell("hear", facts=msgspec.to_builtins(facts))

    def agree(self, facts):
        self.tell("agree", facts=msgspec.to_builtins(facts))

    def answer(self, request, facts, taken):
        self.requests.remove(request)
        body = msgspec.to_builtins(facts) if taken else {"reason": "not now"}
        self.tell("answer", number=request[2], status=200 if taken else 409, body=body)

    def lose(self, request):
        self.requests.remove(request)
        self.tell("lose", number=request[2])

    def wrong(self):
        return [one["text"] for one in self.found if one["ok"] is False]

    def record(self):
        reader = Reader()
        for entry in entries_of(self.lines.encode()):
            reader.add(entry)
        assert not reader.record.missed
        return reader.record


def for_one_who(can, **facts):
    """Make a rule of a method for one guest: it is for one of those who can do it."""

    def made(act):
        def able(machine):
            return [guest for guest in getattr(machine, "programs", ()) if can(machine, guest)]

        def acts(machine, number, **drawn):
            guests = able(machine)
            act(machine, guests[number % len(guests)], **drawn)

        return precondition(able)(rule(number=st.integers(0, 1), **facts)(acts))

    return made


class Races(RuleBasedStateMachine):
    """A table for three, at which everything may be overtaken by everything else."""

    folder: Path
    node: subprocess.Popen
    loop: StillLoop
    room: InsideRoom
    tables = itertools.count()

    def do(self, work):
        return self.loop.run_until_complete(work)

    @initialize(waits=st.booleans(), guests=st.sampled_from([[TESS], [PAULA], [TESS, PAULA], [TESS, TWIN]]))
    def open(self, waits, guests):
        self.host = f"host {next(self.tables)}"
        self.cookies = {guest: TESS if guest == TWIN else guest for guest in guests}
        self.lost = []
        count = 1 + len({*self.cookies.values()})
        chairs = {"chairs": ["person"] * count, "options": {"players": count}}
        self.live = self.do(open_table(self.room, self.host, game="chip-it", waits=waits, **chairs))
        self.programs = {guest: Page(self.node) if guest == PAULA else Terminal() for guest in guests}
        self.pushed, self.answers, self.nonce = {guest: [] for guest in guests}, {guest: [] for guest in guests}, ""
        for guest, program in self.programs.items():
            program.open(self.facts(guest))
            self.listen(guest)
            if self.may_sit(guest):
                program.sit(self.facts(guest))
                self.reach_the_room(guest)
                self.hear_the_answer(guest)

    def listen(self, guest):
        self.live.audience.connections.append(Connection(self.cookies[guest], -1, self.push(guest), welcomed=True))

    def push(self, guest):
        def pushed(text):
            message = json.loads(text)
            if message["type"] == "table":
                self.pushed[guest].append(msgspec.convert(message["facts"], Facts))

        return pushed

    def facts(self, guest):
        return self.live.facts(self.cookies[guest])

    def seat(self, guest):
        return self.live.seats.of(self.cookies[guest])

    @property
    def is_open(self):
        return hasattr(self, "live") and self.live.status == "open"

    def carried_out(self, guest, request):
        """Let the room carry out a request; return the facts of its answer, and whether it was not refused."""
        what, body = request[:2]
        try:
            if what == "join":
                self.do(join(self.live, self.cookies[guest], None, body["hash"]))
            elif what == "number":
                self.do(show_number(self.live, self.cookies[guest], body.get("nonce", ""), body.get("hash", "")))
        except FairdealError:
            return self.facts(guest), False
        return self.facts(guest), True

    # --- what may happen --------------------------------------------------------------------------------------------

    def unsent(self, guest):
        """Return the requests of a program that have not reached the room."""
        sent = [request for request, *_ in self.answers[guest]]
        return [one for one in self.programs[guest].requests if not any(one is other for other in sent)]

    def requests(self, guest):
        return self.programs[guest].requests

    def may_sit(self, guest):
        return self.is_open and self.seat(guest) < 0 and not self.programs[guest].requests

    def may_leave(self, guest):
        return self.is_open and self.seat(guest) >= 0

    def is_asked(self, guest):
        return self.may_leave(guest) and self.live.seats.attempt > keeper.MOST_UNASKED

    def take_a_seat(self, guest):
        self.programs[guest].sit(self.facts(guest))

    def reach_the_room(self, guest):
        """A request arrives; its answer is under way."""
        for request in self.unsent(guest)[:1]:
            self.answers[guest].append((request, *self.carried_out(guest, request)))

    def hear_the_answer(self, guest):
        for request, facts, taken in self.answers[guest][:1]:
            self.answers[guest].pop(0)
            self.programs[guest].answer(request, facts, taken)

    def hear_of_a_change(self, guest):
        for facts in self.pushed[guest][:1]:
            self.pushed[guest].pop(0)
            self.programs[guest].hear(facts)

    sit = for_one_who(may_sit)(take_a_seat)
    a_request_arrives = for_one_who(unsent)(reach_the_room)
    an_answer_arrives = for_one_who(lambda self, guest: self.answers[guest])(hear_the_answer)
    a_change_is_heard = for_one_who(lambda self, guest: self.pushed[guest])(hear_of_a_change)

    @for_one_who(requests, arrives=st.booleans())
    def the_connection_is_lost(self, guest, arrives):
        """The first request is lost, or its answer; what was pushed is lost, too."""
        if arrives:
            self.reach_the_room(guest)
        request = self.programs[guest].requests[0]
        self.answers[guest].clear()
        self.programs[guest].lose(request)
        self.pushed[guest] = [self.facts(guest)]

    @for_one_who(requests)
    def a_program_is_started_again(self, guest):
        """A request that it had sent arrives."""
        self.reach_the_room(guest)
        self.begin_again(guest)

    def begin_again(self, guest):
        self.answers[guest].clear()
        self.pushed[guest] = [self.facts(guest)]
        self.programs[guest].open(self.facts(guest))

    @for_one_who(may_leave)
    def a_player_leaves(self, guest):
        self.do(leave(self.live, self.cookies[guest]))
        self.begin_again(guest)

    @for_one_who(lambda self, guest: guest in (TESS, TWIN) and len(self.lost) < 2)
    def a_cookie_is_lost(self, guest):
        """The program comes back as another guest, with its record. The first guest stays, and is silent."""
        self.reach_the_room(guest)
        self.lost.append(self.cookies[guest])
        self.cookies[guest] = f"{guest} {len(self.lost)}"
        self.listen(guest)
        self.begin_again(guest)

    @for_one_who(is_asked)
    def a_player_agrees(self, guest):
        self.programs[guest].agree(self.facts(guest))

    @property
    def is_there(self):
        return self.is_open and self.live.seats.of(ROOM) >= 0

    @precondition(lambda self: self.is_open and not self.is_there and not self.live.seats.is_full)
    @rule(binds=st.booleans(), stays=st.sampled_from([True, True, False]))
    def somebody_comes(self, binds, stays):
        """And is gone again before anybody hears of it, if they do not stay."""
        self.nonce = fairness.new_nonce() if binds else ""
        self.do(join(self.live, ROOM, None, fairness.nonce_hash(self.nonce) if binds else ""))
        if not stays and self.is_open:
            self.do(leave(self.live, ROOM))

    @precondition(lambda self: self.is_there)
    @rule()
    def somebody_goes(self):
        self.do(leave(self.live, ROOM))

    @precondition(lambda self: self.is_there)
    @rule()
    def somebody_shows(self):
        self.show()

    def show(self):
        seat = self.live.seats.of(ROOM)
        if seat < 0 or not self.is_open:
            return
        if self.live.seats[seat].is_unbound:
            self.nonce = fairness.new_nonce()
            self.do(show_number(self.live, ROOM, "", fairness.nonce_hash(self.nonce)))
        if self.live.stage == "numbers" and self.live.seats[seat].is_silent:
            self.do(show_number(self.live, ROOM, self.nonce, ""))

    @precondition(lambda self: self.is_open and self.live.seats.is_full)
    @rule(begins=st.booleans())
    def patience_ends(self, begins):
        """Who is silent is late, and the host may start without them."""
        self.loop.now += self.room.limits.settings.nonces + 1
        for _ in range(20):
            self.do(asyncio.sleep(0))
        self.do(self.look())
        if begins and self.is_open and self.live.seats.late:
            self.do(start(self.live, self.host))

    @precondition(lambda self: not self.is_open)
    @rule(number=st.integers(0, 1))
    def the_game_goes_on(self, number):
        guest = [*self.programs][number % len(self.programs)]
        self.programs[guest].hear(self.facts(guest))

    async def look(self):
        async with self.live.lock:
            pass

    # --- what must hold ---------------------------------------------------------------------------------------------

    @invariant()
    def nobody_accuses_the_room(self):
        for guest, program in getattr(self, "programs", {}).items():
            assert not program.wrong(), guest

    def teardown(self):
        if hasattr(self, "live"):
            try:
                self.settle()
            finally:
                self.do(self.look())
                end_all(self.room)

    def settle(self):
        """Guests who are gone leave, all others take a seat, everything arrives, and people click: then the cards are
        dealt."""
        for cookie in self.lost:
            if self.is_open and cookie not in self.cookies.values():
                self.do(leave(self.live, cookie))
        for _ in range(60):
            if not self.is_open:
                break
            for guest, program in self.programs.items():
                if self.may_sit(guest):
                    self.take_a_seat(guest)
                program.agree(self.facts(guest))
                self.reach_the_room(guest)
                self.hear_the_answer(guest)
                self.pushed[guest].append(self.facts(guest))
                self.hear_of_a_change(guest)
            if self.is_open and not self.is_there and not self.live.seats.is_full:
                self.somebody_comes(binds=True, stays=True)
            self.show()
        assert self.live.status == "running", self.live.facts(self.host).deal
        log = read_header(self.live.facts(self.host).deal.header)
        for guest, program in self.programs.items():
            program.hear(self.facts(guest))
            assert not program.wrong(), guest
            if record := program.record():
                assert [one for one in of_deal(log, record) if one.ok is False] == []


@pytest.fixture
def scripts(tmp_path):
    """The scripts of the page, for node."""
    copy_scripts(tmp_path)
    return tmp_path


@pytest.fixture
def node(tmp_path, scripts):
    shutil.copy(Path(__file__).with_name("races.mjs"), tmp_path)
    program = subprocess.Popen(
        ["node", "races.mjs"], cwd=tmp_path, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    yield program
    program.stdin.close()
    program.wait(60)
    program.stdout.close()


TWO_TABLES = """
globalThis.location = { origin: 'http://room' };
const sent = [];
globalThis.fetch = (path, { body } = {}) => {
    sent.push(JSON.parse(body ?? '{}'));
    return new Promise(() => {});
};
const { followed, sitDown } = await import('./web/record/keeper.js');
const key = 'a1'.repeat(32);
const facts = (id, promise, stage, hash) => ({
    id, seat: 0, status: 'open',
    chairs: [{ seat: 0, hash, asked: false, shown: false, you: true }, { seat: 1 }],
    deal: {
        commitment: promise, key, stage, attempt: 1, failed: [],
        outline: [
            'game chi', `room ed25519 ${key}`, `table ${id} attempt 1 waits`, `commitment sha256 ${promise}`,
            `seat 0 ["A","person"] bound ${hash}`,
        ].join('\\n'),
    },
});
const isSent = async () => {
    while (!sent.length) await new Promise((then) => setTimeout(then));
};
const [, , mine, theirs, other] = process.argv;
sitDown({ ...facts('table-one', mine, 'seats', ''), seat: -1 });
await isSent();
const { hash } = sent[0];
sent.length = 0;
await Promise.race([followed(facts(other, theirs, 'numbers', hash)), isSent()]);
console.log(JSON.stringify(sent.map((one) => Boolean(one.nonce))));
process.exit(0);
"""
"""A guest sits down at a table, and then a table of the same room shows the hash of the number made for the first."""


@needs_node
@pytest.mark.parametrize(
    ("theirs", "other", "shows"),
    [("cd", "table-one", True), ("cd", "table-two", False), ("ef", "table-two", False), ("ef", "table-one", False)],
    ids=["that table", "same promise", "another promise", "the promise changed"],
)
def test_a_number_for_one_table_is_not_shown_at_another(scripts, theirs, other, shows):
    (scripts / "tables.mjs").write_text(TWO_TABLES)
    assert any(answer_of(scripts, "tables.mjs", "cd" * 32, theirs * 32, other)) == shows


@needs_node
async def test_facts_that_were_overtaken_do_not_make_the_page_send_its_number_again(node, tmp_path):
    """The room would refuse it if the other guest had left meanwhile."""
    store = store_of(tmp_path / "room.db")
    room, page = InsideRoom(store), Page(node)
    live = await open_table(room, "host", game="chip-it", chairs=("person", "person"), options={"players": 2})
    page.open(None)
    page.sit(live.facts(PAULA))
    ((_, bound, _),) = page.requests
    await join(live, PAULA, None, bound["hash"])
    page.answer(page.requests[0], live.facts(PAULA), True)
    await join(live, ROOM, None, fairness.nonce_hash(fairness.new_nonce()))
    asked = live.facts(PAULA)
    page.hear(asked)
    ((_, shown, _),) = page.requests
    page.hear(asked)
    await show_number(live, PAULA, shown["nonce"], "")
    page.answer(page.requests[0], live.facts(PAULA), True)
    assert page.requests == []
    await leave(live, ROOM)
    page.hear(live.facts(PAULA))
    assert [[*body] for _, body, _ in page.requests] == [["hash"]]
    store.close()


@needs_node
def test_an_honest_room_is_never_accused_and_a_full_table_is_always_dealt(tmp_path, node, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "guests.json")
    store, loop = store_of(tmp_path / "room.db"), StillLoop()
    room = InsideRoom(store)
    assert room.keys is KEYS

    class AtThisTable(Races):
        pass

    AtThisTable.folder, AtThisTable.node, AtThisTable.loop, AtThisTable.room = tmp_path, node, loop, room
    how = settings(
        max_examples=ROUNDS,
        stateful_step_count=40,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    try:
        run_state_machine_as_test(AtThisTable, settings=how)
    finally:
        end_all(room)
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
        store.close()
