"""A model of the room: people play over lines that lose, double and overtake what is sent, with a disk that is full or
fails during a commit, and the room is killed, sleeps, and has another room beside it, in any order.

Everything runs in one thread, in which time passes only when the model says so. So an example that fails does so again.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import sqlite3
from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace

import msgspec
import sqlalchemy as sa
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from starlette.websockets import WebSocket

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.protocol import messages as m
from fairdeal.protocol.patches import Scenes
from fairdeal.server.api.opening import open_table
from fairdeal.server.api.websocket import play
from fairdeal.server.storage.store import Store, metadata, secrets, workers
from fairdeal.server.tables.seating import join, leave
from fairdeal.table.verification import verify
from tests.conftest import SHORT
from tests.server.forking import draw_from
from tests.server.histories import History, check, final
from tests.server.in_process import InsideRoom, end_all

LATER = 10_000.0
"""Seconds after which every table may sleep that can."""


class StillLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still until the model moves it, and whose threads are its own."""

    def __init__(self):
        super().__init__()
        self.now, self.jumped = 1000.0, 0.0
        self.set_default_executor(AtOnce())

    def time(self):
        return self.now

    def time_of_day(self):
        return 1.7e9 + self.now + self.jumped

    def settle(self):
        """Do all that can be done now."""
        while self._ready or any(when._when <= self.now for when in self._scheduled[:1]):
            self.call_soon(self.stop)
            self.run_forever()

    def passes(self, seconds):
        """Let time pass, and do everything at its time."""
        ends = self.now + seconds
        self.settle()
        while self._scheduled and (when := self._scheduled[0]._when) <= ends:
            self.now = max(self.now, when)
            self.settle()
        self.now = ends
        self.settle()

    def do(self, work, patience=60.0):
        """Return the result of a coroutine, for which some time may pass."""
        task, ends = self.create_task(work), self.now + patience
        self.settle()
        while not task.done():
            assert self.now < ends, "this does not end"
            self.passes(0.1)
        return task.result()


class AtOnce(ThreadPoolExecutor):
    """An executor without threads, so that everything happens in one order."""

    def submit(self, work, /, *given, **named):
        found = Future()
        try:
            found.set_result(work(*given, **named))
        except BaseException as problem:
            found.set_exception(problem)
        return found


class Disk(Store):
    """A store that writes in the thread of the model. `trouble` is what happens to it next, or from now on:

    full     nothing can be written
    gone     nothing can be read or written
    noting   the status of a table cannot be written, but moves can
    slow     writes wait until the trouble ends
    failed   the next commit fails
    lost     the connection breaks before the next commit of a move
    saved    the connection breaks after the next commit of a move
    """

    trouble = ""

    def __init__(self, *facts, **more):
        super().__init__(*facts, **more)
        self.held, self.is_move = [], False
        sa.event.listen(self.engine, "before_cursor_execute", self.look_at)
        sa.event.listen(self.engine, "commit", self.end)

    def empty(self):
        with self.engine.begin() as connection:
            for table in reversed(metadata.sorted_tables):
                if table not in (workers, secrets):
                    connection.execute(table.delete())

    def hand_over(self):
        together, self.gathered = self.gathered, []
        self.held += together
        if self.trouble != "slow":
            self.write_out()

    def write_out(self):
        together, self.held = self.held, []
        if together:
            self.is_move = any(isinstance(piece.work, dict) for piece in together)
            self.commit(together)
            self.is_move = False

    def look_at(self, connection, cursor, statement, *_):
        fails = {"gone": True, "full": not statement.startswith("SELECT"), "noting": "UPDATE tables" in statement}
        if fails.get(self.trouble):
            raise sa.exc.OperationalError(statement, {}, sqlite3.OperationalError("database or disk is full"))

    def end(self, connection):
        how = self.trouble
        if how == "failed" or (how in ("lost", "saved") and self.is_move):
            self.trouble = ""
            if how == "saved":
                connection.connection.driver_connection.commit()
            problem = sqlite3.OperationalError("the disk does not answer")
            raise sa.exc.OperationalError(None, {}, problem, connection_invalidated=how != "failed")

    def mend(self):
        self.trouble = ""
        self.write_out()
        if self.failing:
            self.prove()

    def lose(self):
        """Lose what was not written, as the end of the process does."""
        self.held.clear()
        self.gathered.clear()
        self.failing = False


class Line:
    """A connection to a table, whose messages the model carries. While nobody `listens`, the room cannot know it."""

    def __init__(self, room, guest, table, loop):
        self.coming, self.sent, self.closed = asyncio.Queue(), deque(), False
        self.scenes = Scenes()
        state = SimpleNamespace(
            room=room, guests=SimpleNamespace(of=lambda *_: guest), reach=SimpleNamespace(foreign=lambda _: "")
        )
        scope = {
            "type": "websocket",
            "app": SimpleNamespace(state=state),
            "path_params": {"table": table},
            "query_string": b"patches=1",
            "headers": [],
            "client": None,
        }
        self.coming.put_nowait({"type": "websocket.connect"})
        self.task = loop.create_task(play(WebSocket(scope, self.coming.get, self.send)))

    async def send(self, message):
        if message["type"] == "websocket.send":
            self.sent.append(message["text"])
        elif message["type"] == "websocket.close":
            self.closed = True

    def carry(self, text):
        self.coming.put_nowait({"type": "websocket.receive", "text": text})

    def end(self):
        """Let the room know that nobody is there any more."""
        self.coming.put_nowait({"type": "websocket.disconnect", "code": 1001})


class Person:
    """A guest with a program, which asks again under the same id when a connection is lost.

    sent       all requests
    waits      requests without an answer, by id
    underway   requests that have not arrived, with their lines
    made       the number of the entry that each move of this guest has made, by id
    said       lines that were said
    """

    def __init__(self, name):
        self.name, self.count = name, 0
        self.history = History(name, SPECTATOR, name)
        self.line, self.lines, self.scene, self.draft = None, [], None, ()
        self.sent, self.waits, self.underway, self.made, self.said = [], {}, [], {}, []

    @property
    def is_here(self):
        return self.line is not None and not self.line.closed

    @property
    def is_to_act(self):
        return self.scene["prompt"]["mode"] == "yours"

    def connect(self, line):
        self.history.comes()
        self.line, self.draft = line, ()
        self.lines.append(line)
        for request in self.waits.values():
            self.repeat(request)

    def new_id(self):
        self.count += 1
        return f"{self.name}-{self.count}"

    def ask(self, request):
        self.sent.append(request)
        self.waits[request.id] = request
        self.repeat(request)

    def repeat(self, request):
        if self.line:
            self.history.asks(**msgspec.to_builtins(request))
            self.underway.append((self.line, request))

    def hear(self):
        """Hear the next message."""
        message = self.line.scenes.whole(m.decoded(self.line.sent.popleft()))
        told = json.loads(m.encoded(message))
        self.history.hears(told)
        identity = told.get("id", "")
        self.waits.pop(identity, None)
        if scene := told.get("scene"):
            self.scene, self.draft = scene, tuple(scene.get("draft", {}).get("picks", ()))
        if told["type"] == "refused":
            assert identity not in self.made, f"{identity} is refused, but was made"
        elif told["type"] == "done":
            self.hear_of_success(next(one for one in self.sent if one.id == identity), told.get("seq", 0))

    def hear_of_success(self, request, number):
        if isinstance(request, m.Say):
            self.said.append(request.text)
        elif isinstance(request, m.Play | m.Pick | m.Undo):
            made = self.made.setdefault(request.id, number)
            assert made == number, f"{request.id} is entry {number}, and was entry {made}"


TROUBLES = ("full", "gone", "noting", "slow", "failed", "lost", "saved")
REQUESTS = ("play", "play", "play", "pick", "pick", "undo", "say", "stand_in", "draft")
people, counts = st.integers(0, 3), st.integers(1, 6)


def for_one_who(can, **drawn):
    """Make a rule of a method that is about one person: one of those who can do it."""

    def made(act):
        def able(room):
            return [person for person in getattr(room, "people", ()) if can(person)]

        def acts(room, which, **facts):
            found = able(room)
            act(room, found[which % len(found)], **facts)

        acts.__name__ = act.__name__
        return precondition(able)(rule(which=people, **drawn)(acts))

    return made


class Room(RuleBasedStateMachine):
    """A table with one or two players, perhaps a bot, and a spectator. `found` counts what has happened."""

    store: Disk
    loop: StillLoop
    found: Counter

    @initialize(
        game=st.sampled_from(["chi", "chip-it", "war-xtreme", "chaos-ninjas"]),
        bot=st.booleans(),
        clock=st.sampled_from([0, 0, 60]),
        pause=st.sampled_from([0.0, 0.7]),
        trouble=st.sampled_from(["", "", "", "noting"]),
        moves=counts,
        seed=st.integers(0, 2**32),
    )
    def open(self, game="chi", bot=False, clock=0, pause=0.0, trouble="", moves=0, seed=0):
        self.chance, self.pause = random.Random(seed), pause
        draw_from(seed)
        self.store.mend()
        self.store.empty()
        self.begin()
        self.people = [Person(name) for name in ("ada", "ben", "eve")]
        chairs, options = ["you", "greedy" if bot else "person"], SHORT[game] | {"players": 2}
        self.store.trouble = trouble
        opened = open_table(self.room, "ada", game=game, chairs=chairs, options=options, clock=clock)
        self.table = self.loop.do(opened).id
        if not bot:
            self.begin_with(lambda live: join(live, "ben", None, ""))
        for person in self.people:
            self.come(person)
        self.all_goes_well(moves)

    def begin(self):
        """Start the room."""
        self.room = InsideRoom(self.store, self.pause, self.loop.time)
        for work in (self.room.work, self.room.offers, self.room.thinking.bots, self.room.thinking.hints):
            work.threads = AtOnce()
        self.loop.create_task(self.room.mind())
        self.loop.settle()

    @property
    def live(self):
        """The table, if it is in memory."""
        return self.room.live.get(self.table)

    def begin_with(self, change, room=None):
        """Do what may be refused, or may have to wait for the disk."""

        async def done():
            with contextlib.suppress(FairdealError):
                await change(await (room or self.room).find(self.table))

        self.loop.create_task(done())
        self.loop.settle()

    # --- people -----------------------------------------------------------------------------------------------------

    def come(self, person):
        person.connect(Line(self.room, person.name, self.table, self.loop))
        self.loop.settle()

    somebody_comes = for_one_who(lambda person: not person.is_here)(come)

    @for_one_who(lambda person: person.scene, kind=st.sampled_from(REQUESTS), arrives=st.booleans())
    def somebody_asks(self, person, kind, arrives):
        person.ask(getattr(self, kind)(person))
        if arrives and person.underway:
            self.arrive(person)

    def play(self, person, move=""):
        """Make this move, or one that is legal now, perhaps with the number of an old scene."""
        sitting, seat = self.live and self.live.sitting, person.scene["viewer"]
        is_to_act = sitting and seat in sitting.state.to_act
        moves = [*itertools.islice(sitting.state.moves(seat), 50)] if is_to_act else ["pass"]
        return m.Play(id=person.new_id(), seq=person.scene["seq"], move=move or self.chance.choice(moves))

    def pick(self, person):
        choices = person.scene.get("choices") or [{"id": 0}]
        main = [one for one in choices if one.get("main")] or choices
        choice = self.chance.choice([one for one in main if one["id"] not in person.draft] or main)["id"]
        return m.Pick(id=person.new_id(), seq=person.scene["seq"], choice=choice, draft=person.draft)

    def undo(self, person):
        return m.Undo(id=person.new_id(), seq=person.scene["seq"])

    def say(self, person):
        return m.Say(id=person.new_id(), text=f"{person.name} says line {person.count}")

    def stand_in(self, person):
        return m.StandIn(id=person.new_id(), seat=self.chance.choice([0, 1]), on=self.chance.random() < 0.5)

    def draft(self, person):
        return m.Draft(id=person.new_id())

    @for_one_who(lambda person: True)
    def somebody_leaves(self, person):
        self.begin_with(lambda live: leave(live, person.name))

    # --- lines ------------------------------------------------------------------------------------------------------

    def arrive(self, person, overtakes=False, copies=1):
        line, request = person.underway.pop(-1 if overtakes else 0)
        for _ in range(copies):
            line.carry(m.encoded(request))
        self.loop.settle()

    a_request_arrives = for_one_who(
        lambda person: person.underway, overtakes=st.booleans(), copies=st.sampled_from([1, 1, 2])
    )(arrive)

    @for_one_who(lambda person: person.underway)
    def a_request_is_lost(self, person):
        person.underway.pop(0)

    @for_one_who(lambda person: person.line and person.sent)
    def a_request_is_made_again(self, person):
        """Although it may have been answered."""
        person.repeat(self.chance.choice(person.sent[-8:]))

    @for_one_who(lambda person: person.line and person.line.sent, count=counts)
    def somebody_hears(self, person, count):
        for _ in range(min(count, len(person.line.sent))):
            person.hear()

    @for_one_who(lambda person: person.line, silently=st.booleans())
    def a_line_breaks(self, person, silently):
        """If it does so silently, the room does not hear of it, and what was sent may still arrive."""
        person.line = None
        if not silently:
            self.hear_of_the_end(person)

    def hear_of_the_end(self, person):
        for line in person.lines:
            if line is not person.line:
                line.end()
        person.lines = [person.line] if person.line else []
        person.underway = [(line, request) for line, request in person.underway if line in person.lines]
        self.loop.settle()

    the_room_hears_of_a_broken_line = for_one_who(lambda person: person.lines[1:])(hear_of_the_end)

    @rule(moves=counts)
    def all_goes_well(self, moves):
        """Everything arrives, and whoever is to act moves."""
        for _ in range(moves):
            self.everything_arrives()
            for person in self.people:
                if person.is_here and not person.waits and person.scene:
                    if person.is_to_act:
                        person.ask(self.play(person))
                    elif person.made and self.chance.random() < 0.2:
                        person.ask(self.undo(person))
            self.loop.passes(1.0)
        self.everything_arrives()

    def tell(self, person, request):
        """Let somebody ask, and hear the answer."""
        person.ask(request)
        self.everything_arrives()

    def everything_arrives(self):
        for person in self.people:
            while person.underway:
                self.arrive(person)
            while person.line and person.line.sent:
                person.hear()

    # --- the room ---------------------------------------------------------------------------------------------------

    @rule(seconds=st.sampled_from([0.1, 1.0, 3.0, 12.0, 100.0]), days=st.sampled_from([0, 0, 0, -1, 1]))
    def time_passes(self, seconds, days=0):
        """And the clock of the machine may jump."""
        self.loop.jumped += days * 86_400.0
        self.loop.passes(seconds)

    @rule(trouble=st.sampled_from(TROUBLES), moves=st.integers(0, 2))
    def the_disk_has_trouble(self, trouble, moves=0):
        self.store.mend()
        self.store.trouble = trouble
        self.found[trouble] += 1
        self.all_goes_well(moves)

    @precondition(lambda self: self.store.trouble or self.store.failing)
    @rule()
    def the_disk_works(self):
        self.store.mend()
        self.loop.settle()

    @rule(comes_back=st.booleans())
    def the_room_is_killed(self, comes_back=True):
        self.end()
        self.begin()
        for person in self.people:
            person.line, person.lines, person.underway = None, [], []
            if comes_back:
                self.come(person)
        self.found["killed"] += 1

    def end(self):
        self.store.lose()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.settle()
        self.store.lose()

    @rule()
    def tables_sleep(self):
        self.room.let_sleep(self.loop.now + LATER)

    @precondition(lambda self: not self.store.trouble)
    @rule()
    def another_room_moves(self):
        """As if two rooms had the database open. This one hears of it when it writes the next time."""
        other = InsideRoom(self.store, LATER, self.loop.time)
        for room in (other, self.room):
            self.begin_with(self.move, room)
        end_all(other)
        self.loop.settle()

    async def move(self, live):
        async with live.lock:
            acting = [seat for seat in live.running.state.to_act if live.seats[seat].guest] if live.running else []
            for seat in acting[:1]:
                await live.enter(seat, next(live.running.state.moves(seat)))

    # --- what must hold ---------------------------------------------------------------------------------------------

    def teardown(self):
        if hasattr(self, "table"):
            try:
                self.finish()
            finally:
                self.end()

    def finish(self):
        """The disk works and everybody comes. Then bots play the game to its end, which can be noted later at first."""
        self.store.mend()
        self.time_passes(40.0)
        for person in self.people[:2]:
            self.begin_with(lambda live, person=person: join(live, person.name, None, ""))
        for _ in range(3):
            for person in self.people:
                if not person.is_here:
                    self.come(person)
                self.hear_of_the_end(person)
            self.everything_arrives()
        self.look()
        self.store.trouble = self.chance.choice(["", "noting"])
        for person in self.people[:2]:
            if self.live.seats.of(person.name) >= 0 and self.live.status == "running":
                person.ask(m.StandIn(id=person.new_id(), seat=self.live.seats.of(person.name)))
        for _ in range(400):
            self.everything_arrives()
            if self.live.status == "over":
                break
            self.loop.passes(10.0)
        assert self.live.status == "over", "the game does not end"
        self.store.mend()
        self.time_passes(40.0)
        self.everything_arrives()
        self.look()
        self.check()

    def look(self):
        """Nothing is left to do, everybody sees the same, and the database has what the room has in memory."""
        live, (kept, row) = self.live, self.loop.do(self.room.kept(self.table))
        assert (live.audience.trouble, live.driver.owed) == ("", {})
        assert live.status == row.table["status"] != "open"
        assert len(live.audience.connections) == len(self.people)
        assert live.written.text() == kept.written.text()
        assert [*map(vars, live.seats)] == [*map(vars, kept.seats)]
        assert live.audience.chat == kept.audience.chat
        for person in self.people:
            assert not person.waits, f"{person.name} has no answer"
            seat = live.seats.of(person.name)
            assert (person.scene["viewer"], person.scene["seq"]) == (seat, live.number_shown(seat))
            for identity, number in [*person.made.items()][-30:]:
                assert live.done(f"{person.name}:{identity}") == number, f"{identity} of {person.name} is forgotten"

    def check(self):
        histories = [person.history for person in self.people]
        for history in histories:
            history.seat = self.live.seats.of(history.name)
        found = self.loop.do(final(self.room, self.table))
        check(found, histories)
        verify(self.live.sitting.log.text())
        said = [line.text for line in self.live.audience.chat]
        assert len({*said}) == len(said), "a line was said twice"
        assert {text for person in self.people for text in person.said} <= {*said}
        self.found.update(examples=1, entries=len(found.requests), done=sum(len(one.done) for one in histories))
        self.found.update(unknown=sum(len(one.unknown) for one in histories), said=len(said))
