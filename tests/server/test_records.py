"""A guest's record against each opponent, from the games that are over."""

import pytest

from fairdeal.server.api.opening import open_table
from fairdeal.server.storage.queries import record_of
from fairdeal.server.tables.saving import keep_values
from fairdeal.server.tables.seating import start

pytestmark = pytest.mark.databases("sqlite", "postgresql")


@pytest.fixture
async def room(restart):
    return await restart(pause=60.0)


async def ended(room, guest, chairs, result, game="chi", **values):
    """Open a game and end it with this result."""
    live = await open_table(room, guest, game=game, chairs=chairs, options={"players": len(chairs)})
    values = {"status": "over", "result": result} | values
    await room.store.write(lambda c: keep_values(c, live.id, **values))
    return live.id


async def test_first_places_are_counted_for_the_guest_and_for_each_opponent(room):
    await ended(room, "ada", ("you", "bram"), [30, 20])
    await ended(room, "ada", ("bram", "you"), [30, 20])
    await ended(room, "ada", ("you", "bram"), [10, 20])
    await ended(room, "ada", ("you", "bram"), [20, 20])  # shared: nobody's
    await ended(room, "ada", ("you", "otto"), [20, 30])
    await ended(room, "ada", ("you", "otto"), [20, 20], places=[1, 2])  # by a tie-breaker
    await ended(room, "ada", ("you", "greedy"), [20, 30])
    await ended(room, "ben", ("you", "bram"), [30, 20])
    await ended(room, "ada", ("you", "bram"), [30, 20], status="running")
    await ended(room, "ada", ("you", "bram"), [30, 20], origin=["there", 3, 3, "", "there"])
    found = await room.store.read(lambda c: record_of(c, "ada", "chi"))
    assert found == {"bram": (1, 2), "otto": (1, 1), "greedy": (0, 1)}


async def test_at_a_larger_table_an_opponent_counts_once_wherever_it_sits(room):
    await ended(room, "ada", ("you", "bram", "bram", "otto"), [5, 9, 3, 4], game="chip-it")
    await ended(room, "ada", ("you", "bram", "bram", "otto"), [5, 3, 4, 9], game="chip-it")
    await ended(room, "ada", ("you", "bram", "bram", "otto"), [9, 3, 4, 5], game="chip-it")
    found = await room.store.read(lambda c: record_of(c, "ada", "chip-it"))
    assert found == {"bram": (1, 1), "otto": (1, 1)}
    assert await room.store.read(lambda c: record_of(c, "ada", "chi")) == {}


async def test_the_room_tells_a_guest_their_own_record(guest):
    await ended(guest.room, guest.guest, ("you", "juno"), [20, 30])
    assert (await guest.get("/api/games/chi/record")).json() == {"juno": {"you": 0, "they": 1}}
    assert (await guest.another().get("/api/games/chi/record")).json() == {}


async def test_who_opens_a_table_without_a_word_meets_the_usual_opponent_by_its_name(room):
    live = await open_table(room, "ada", game="chip-it", options={"players": 3})
    facts = live.facts("ada")
    assert [(chair.name, chair.plays) for chair in facts.chairs[1:]] == [("Juno", "juno"), ("Bram", "bram")]
    assert live.seats[1].plays.startswith("juno:"), "the log says how it plays"


async def test_who_takes_the_free_seats_is_not_there_already(room):
    chairs = ("you", "juno", "person", "person")
    live = await open_table(room, "ada", game="chip-it", chairs=chairs)
    await start(live, "ada")
    assert [place.name for place in live.seats][1:] == ["Juno", "Bram", "Bo"]
    assert [place.plays.partition(":")[0] for place in live.seats][1:] == ["juno", "bram", "juno"]
