"""Rounds of faults while people play: the room is killed or stopped for a moment, lines are cut, the disk is full, the
clock jumps, and the database is locked or its server restarts. What was acknowledged is there, nobody saw what they may
not, and every table lives on."""

import contextlib
import json
import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, example, given, seed, settings
from hypothesis import strategies as st

from fairdeal.cli.serve import located
from fairdeal.engine.records import SPECTATOR
from fairdeal.table.log import read_log
from tests.conftest import SHORT
from tests.server.conftest import PORT, ForkedRoom, Guest, RoomProcess
from tests.server.histories import check_stored
from tests.server.in_process import apart, execute
from tests.server.lossy import LossyLine, PatientGuest, cookie_of
from tests.server.machine import Machine
from tests.server.test_play import seat_two

pytestmark = [pytest.mark.databases("sqlite", "postgresql"), pytest.mark.durable]

ROUNDS = int(os.environ.get("FAIRDEAL_ROUNDS", "10"))
"""The number of rounds with each kind of database."""

GAMES = ("chi", "chip-it", "war-xtreme")
BY_COMMAND = 25
"""Number of kills between rounds in which the room is started by its command instead of a fork."""

LONGEST = 60.0
"""Seconds in which a table must go on after a fault."""


class Fault(NamedTuple):
    """A fault. It begins `delay` seconds after the guests know of `entries` more entries, and lasts `lasts` seconds."""

    kind: str
    entries: int
    delay: float
    lasts: float


class Plan(NamedTuple):
    """A round of two people, or of one and a bot, over a good line or a bad one."""

    game: str
    bot: bool
    clock: int
    good: bool
    chance: int
    faults: list[Fault]


def plans(good, kinds):
    delays, durations = st.floats(0, 0.02), st.floats(0.02, 0.3)
    faults = st.builds(Fault, st.sampled_from(kinds), st.integers(0, 6), delays, durations)
    games, clocks, chances = st.sampled_from(GAMES), st.sampled_from([0, 0, 60]), st.integers(0, 2**32)
    several = st.lists(faults, min_size=1, max_size=6)
    return st.builds(Plan, games, st.booleans(), clocks, st.just(good), chances, several)


KINDS = ["kill", "pause", "jump", "cut", "full", "away"]
ANY_PLAN = plans(True, KINDS) | plans(True, KINDS[2:]) | plans(False, ["kill", "kill", "pause", "jump"])
"""A bad line cuts connections by itself. It also doubles requests, and if the disk is full only for the first copy, the
guest hears of a refusal, but perhaps not that the move was made after all. So the disk is full only on good lines."""


def play_rounds(play, plans, first, rounds, deal):
    """Call `play` with a plan for each list of faults in `first`, and with other plans, up to a number of rounds."""
    run = given(plans)(play)
    for faults in first:
        run = example(Plan("chip-it", faults[0].kind == "kill", 0, True, 1, faults))(run)
    limits = settings(
        max_examples=max(1, rounds - len(first)),
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    seed(deal)(limits(run))()


class Round:
    """A table with two players and a spectator, or one player and two spectators, beside another player's table, in a
    room with a new database."""

    def __init__(self, plan, room, server, machine=None, by_command=False):
        self.plan, self.room, self.server, self.machine, self.by_command = plan, room, server, machine, by_command
        self.seats = 0, SPECTATOR if plan.bot else 1, SPECTATOR, 0

    def open(self):
        """Open the tables, and return their ids and the cookies of their guests."""
        people = []

        def come(name):
            people.append(Guest(self.room, name))
            return people[-1]

        wishes = {"options": SHORT[self.plan.game] | {"players": 2}, "clock": self.plan.clock}
        if self.plan.bot:
            table = come("Ada").open(self.plan.game, chairs=["you", "greedy"], **wishes)["id"]
            come("Ben")
        else:
            *_, table = seat_two(come, self.plan.game, **wishes)
        come("Eve")
        beside = come("Dan").open("chi", chairs=["you", "greedy"])["id"]
        for guest in people:
            guest.close()
        return [table] * 3 + [beside], [cookie_of(guest) for guest in people]

    def play(self):
        """Play with all faults, and return the histories by the ids of their tables."""
        facts = zip(("ada", "ben", "eve", "dan"), *self.open(), self.seats, strict=True)
        with LossyLine(self.room.port, self.plan.chance, self.plan.good) as self.line, ThreadPoolExecutor(4) as threads:
            self.guests = [
                PatientGuest(name, self.line.address, cookie, table, f"{self.plan.chance} {name}", seat, 0.5)
                for name, table, cookie, seat in facts
            ]
            self.playing = [threads.submit(guest.play_out) for guest in self.guests]
            try:
                for fault in self.plan.faults:
                    self.wait_for(fault.entries)
                    time.sleep(fault.delay)
                    getattr(self, fault.kind)(fault.lasts)
                self.wait_for(2)
                self.until(lambda: all(guest.history.told for guest in self.guests))
                for guest in self.guests:
                    guest.has_enough = True
                for game in self.playing:
                    game.result(LONGEST)
            finally:
                for guest in self.guests:
                    guest.give_up()
        *around, beside = self.guests
        return {beside.table: [beside.history], around[0].table: [guest.history for guest in around]}

    def known(self):
        """Return the number of entries at the first table that a guest knows of."""
        return max(guest.scene["seq"] for guest in self.guests[:3])

    def wait_for(self, entries):
        """Wait until the guests know of this number of further entries, or their game is over."""
        wanted = self.known() + entries
        self.until(lambda: self.known() >= wanted or any(game.done() for game in self.playing[:3]))

    def until(self, ready):
        ends = time.monotonic() + LONGEST
        while not ready():
            assert time.monotonic() < ends, f"nobody can play on after entry {self.known()}"
            time.sleep(0.002)

    # --- faults ---------------------------------------------------------------------------------------------

    def kill(self, _):
        self.room.kill()
        if self.by_command:
            self.room = RoomProcess(self.room.database, port=self.room.port, errors=self.room.errors)
        else:
            self.room.start()

    def cut(self, _):
        self.line.cut()

    def pause(self, seconds):
        os.kill(self.room.process.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(self.room.process.pid, signal.SIGCONT)

    def jump(self, seconds):
        """Forward or back, up to two days."""
        self.machine.be(jump=(seconds - 0.16) * 1e6)

    def full(self, seconds):
        self.machine.be(full=True)
        time.sleep(seconds)
        self.machine.be(full=False)

    def away(self, seconds):
        """Restart the server of the database, or lock its file."""
        if self.server:
            self.server.stop()
            time.sleep(seconds)
            self.server.start()
        else:
            with apart(located(self.room.database)) as other:
                other.exec_driver_sql("BEGIN IMMEDIATE")
                time.sleep(seconds)


@pytest.fixture
def own_server(database, server):
    """The server of the database, or None if it is a file."""
    return None if isinstance(database, Path) else server(fsync=True)


@pytest.fixture
def new_database(own_server, tmp_path):
    """Return a function that returns a context with a new database."""
    numbers = count()
    return own_server.database if own_server else lambda: contextlib.nullcontext(tmp_path / f"{next(numbers)}.db")


def test_no_fault_loses_an_acknowledged_move_or_shows_what_is_hidden(new_database, own_server, tmp_path, deal):
    found = Counter()

    def play(plan):
        machine, errors = Machine(tmp_path / "machine"), tmp_path / "errors"
        errors.unlink(missing_ok=True)
        with new_database() as database:
            room = ForkedRoom(database, port=PORT, errors=errors, chance=str(plan.chance), change=machine.begin)
            one = Round(plan, room, own_server, machine, by_command=found["kill"] % BY_COMMAND == 0)
            try:
                tables = one.play()
            finally:
                one.room.kill()
            for table, histories in tables.items():
                note(check_stored(database, table, histories), histories)
        one.room.stop()
        found.update(fault.kind for fault in plan.faults)
        found.update(rounds=1)

    def note(final, histories):
        found.update(histories=len(histories), entries=len(final.requests))
        for history in histories:
            made = sum(final.place(history, request) > 0 for request in history.unknown)
            found.update(done=len(history.done), refused=len(history.refused), unknown=len(history.unknown), made=made)
            found.update(scenes=sum(told.scene is not None for told in history.told))

    play_rounds(play, ANY_PLAN, [[Fault(kind, 2, 0.005, 0.1)] * 2 for kind in KINDS], ROUNDS, deal)
    print(dict(found))
    assert found["done"] > 2 * ROUNDS, "hardly anything was acknowledged: the rounds are too short to say much"
    assert found["unknown"]


def test_a_table_that_was_killed_before_its_deal_or_before_its_end_was_noted_goes_on(room, guests):
    """The room writes to the database in between."""
    ada = guests()
    full = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0})["id"]
    over = ada.open("chi", chairs=["greedy", "greedy"])["id"]
    text = ada.finish(over)
    room.kill()
    with apart(located(room.database)) as connection:
        assert execute(connection, "update tables set status = 'open' where id = ?", full).rowcount
        undone = "update tables set status = 'running', result = null where id = ?"
        assert execute(connection, undone, over).rowcount
    room.start()
    assert ada.facts(full)["status"] == "running", "it is dealt"
    assert ada.connect(full)["scene"]["choices"]
    assert ada.facts(over)["status"] == "over"
    for _ in range(200):  # it is noted in the background
        ((status, result),) = room.rows("select status, cast(result as varchar) from tables where id = ?", over)
        if status == "over":
            break
        time.sleep(0.05)
    assert status == "over"
    assert tuple(json.loads(result)) == read_log(text).result
    assert ada.log(over) == text
