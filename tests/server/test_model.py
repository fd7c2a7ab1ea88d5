"""Whatever happens to a room, no acknowledged move is lost and none is made twice, everybody sees the same game, nobody
sees what is hidden, and every table goes on by itself: the model of the room, and examples that once failed."""

import os
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from fairdeal.table.redrawing import CANNOT_SAVE
from tests.server.in_process import BOTH_DATABASES, store_of
from tests.server.model import TROUBLES, Disk, Room, StillLoop

EXAMPLES = int(os.environ.get("FAIRDEAL_EXAMPLES", "16"))
"""The number of random examples with SQLite. There are a quarter as many with PostgreSQL, which takes longer."""


@pytest.fixture
def model(database, monkeypatch):
    """The model, with a database that all its examples share."""
    made, loop = store_of(database, Disk), StillLoop()
    for name, clock in (("time", loop.time_of_day), ("monotonic", loop.time), ("thread_time", lambda: 0.0)):
        monkeypatch.setattr(time, name, clock)
    yield type("OnThisDisk", (Room,), {"store": made, "loop": loop, "found": Counter()})
    loop.close()
    made.close()


@pytest.fixture
def room(model):
    made = model()
    yield made
    made.teardown()


@BOTH_DATABASES
def test_no_history_contradicts_the_log(model, database, deal):
    examples = EXAMPLES if isinstance(database, Path) else EXAMPLES // 4
    how = settings(
        max_examples=examples,
        stateful_step_count=40,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        report_multiple_bugs=False,
    )
    run_state_machine_as_test(seed(deal)(model), settings=how)
    print(dict(model.found))
    assert model.found["done"] > examples, "hardly anything was acknowledged: this says little"


def asked(room, kind):
    """Let one of the players ask for something, and return who."""
    player = next(one for one in room.people[:2] if one.is_to_act)
    if kind == "undo":
        room.tell(player, room.play(player, "pass 1"))
    player.ask(getattr(room, kind)(player))
    return player


@pytest.mark.parametrize("kind", ["play", "undo", "say", "stand_in"])
@pytest.mark.parametrize("trouble", TROUBLES)
def test_what_meets_a_trouble_is_made_once(kind, trouble, room):
    """If it is asked again at once, or when the trouble is over."""
    room.open("chip-it")
    player = asked(room, kind)
    room.store.trouble = trouble
    room.everything_arrives()
    for _ in range(2):
        room.come(player)
        room.everything_arrives()


@pytest.mark.parametrize("kind", ["play", "undo"])
def test_what_may_have_been_saved_is_not_refused_while_nothing_can_be_read(kind, room):
    room.open("chip-it")
    player = asked(room, kind)
    room.store.trouble = "saved"
    room.arrive(player)
    room.store.trouble = "gone"
    room.come(player)
    room.everything_arrives()
    assert player.waits
    room.store.mend()
    room.time_passes(40.0)
    room.everything_arrives()
    assert {person.scene["seq"] for person in room.people if person is not player} == {room.live.number}


@pytest.mark.parametrize("killed", [False, True])
def test_a_table_whose_deal_cannot_be_noted_is_dealt_when_it_can(killed, room):
    room.open(trouble="noting")
    assert room.live.status == "open"
    if killed:
        room.the_room_is_killed()


def test_a_game_whose_end_was_not_noted_before_the_room_was_killed_is_noted_then(room):
    room.open()
    room.store.trouble = "noting"
    while room.live.status == "running":
        room.all_goes_well(10)
    assert {person.scene["mode"] for person in room.people} == {"over"}
    room.the_room_is_killed()


@pytest.mark.parametrize("kind", ["play", "undo"])
def test_a_request_that_arrives_late_over_a_broken_line_is_made_once(kind, room):
    room.open("chip-it")
    player = asked(room, kind)
    room.a_line_breaks(room.people.index(player), silently=True)
    room.come(player)
    room.arrive(player, overtakes=True)
    room.everything_arrives()


@pytest.mark.parametrize("kind", ["play", "undo", "say"])
def test_a_request_that_was_answered_is_known_when_the_room_was_killed(kind, room):
    room.open("chip-it")
    player = asked(room, kind)
    room.everything_arrives()
    room.the_room_is_killed()
    player.repeat(player.sent[-1])
    room.everything_arrives()


def test_bots_go_on_when_the_disk_works_again(room):
    room.open(bot=True, pause=0.7)
    room.store.trouble = "full"
    room.all_goes_well(3)
    assert {person.scene["prompt"]["sub"] for person in room.people} == {CANNOT_SAVE}
    room.store.mend()
    room.time_passes(40.0)
    assert room.live.status == "running"
    assert all(room.live.seats[seat].guest for seat in room.live.sitting.state.to_act)
