"""A guest's record against each opponent, and the score between people, from the games that are over."""

import pytest

from fairdeal.protocol import messages as m
from fairdeal.server.api.clearing import forget
from fairdeal.server.api.opening import branch, open_table
from fairdeal.server.storage import queries
from fairdeal.server.storage.queries import record_of, score_of
from fairdeal.server.storage.store import NotSaved
from fairdeal.server.tables.guests import rename
from fairdeal.server.tables.saving import clear_table, keep_values
from fairdeal.server.tables.seating import leave, start
from tests.conftest import SHORT
from tests.server.in_process import BOTH_DATABASES, done, move, seat_two, seated, until

pytestmark = BOTH_DATABASES


@pytest.fixture
async def room(restart):
    return await restart(pause=60.0)


async def ended(room, guest, chairs, result, game="chi", others=(), **values):
    """Open a game, which `others` join, and end it with this result."""
    live = await seated(room, guest, *others, game=game, chairs=chairs, options={"players": len(chairs)})
    places = [1 + sum(other > score for other in result) for score in result]
    values = {"status": "over", "result": result, "places": places} | values
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


# --- the score between people -------------------------------------------------------------------------------------

NAMES = {"ada": "Ada", "zoe": "Zoe", "kim": "Kim"}


@pytest.fixture
async def named(room):
    """A room in which Ada, Zoe and Kim have names."""
    for guest, name in NAMES.items():
        await rename(room.store, guest, name, 100)
    return room


async def score(room, *guests, game="chip-it"):
    return await room.store.read(lambda c: score_of(c, game, {guest: NAMES[guest] for guest in guests}))


async def test_the_score_counts_the_games_of_exactly_these_people_in_any_seats(named):
    two, three = ("you", "person"), ("you", "person", "person")
    both = {"others": ("zoe",), "game": "chip-it"}
    assert await score(named, "ada", "zoe") == {}
    await ended(named, "ada", two, [2, 2], **both)
    assert await score(named, "ada", "zoe") == {"ada": 0, "zoe": 0}, "a draw is a finished game"
    await ended(named, "ada", two, [3, 1], **both)
    await ended(named, "zoe", two, [3, 1], others=("ada",), game="chip-it")
    await ended(named, "ada", ("person", "bram", "you"), [1, 2, 3], **both)
    await ended(named, "ada", ("you", "bram", "person"), [1, 3, 2], **both)  # the bot wins
    await ended(named, "ada", two, [2, 2], places=[2, 1], **both)  # by a tie-breaker
    await ended(named, "ada", two, [3, 1], others=("zoe",), game="chi")
    await ended(named, "ada", two, [3, 1], status="running", **both)
    await ended(named, "ada", two, [3, 1], origin=["there", 3, 3, "", "there"], **both)
    cleared = await ended(named, "ada", two, [3, 1], **both)
    await named.store.write(lambda c: clear_table(c, cleared))
    await ended(named, "ada", three, [3, 2, 1], others=("zoe", "kim"), game="chip-it")
    await ended(named, "ada", ("you", "bram"), [3, 1], game="chip-it")
    assert await score(named, "ada", "zoe") == {"ada": 2, "zoe": 2}
    assert await score(named, "ada", "zoe", "kim") == {"ada": 1, "zoe": 0, "kim": 0}
    assert await score(named, "ada", "zoe", game="chi") == {"ada": 1, "zoe": 0}
    assert await score(named, "ada", "kim") == {}


async def test_only_the_latest_games_are_counted(named, monkeypatch):
    monkeypatch.setattr(queries, "MOST_COUNTED", 2)
    for number, result in enumerate([[3, 1], [1, 3], [1, 3]]):
        await ended(named, "ada", ("you", "person"), result, others=("zoe",), game="chip-it", moved=number)
        await ended(named, "ada", ("you", "bram"), [1, 3], game="chip-it", moved=9.0)
    assert await score(named, "ada", "zoe") == {"ada": 0, "zoe": 2}


async def test_a_new_name_does_not_reveal_an_old_one_and_a_deleted_guest_is_not_counted(named):
    three = ("you", "person", "person")
    await ended(named, "ada", ("you", "person"), [3, 1], others=("zoe",), game="chip-it")
    await ended(named, "ada", three, [3, 2, 1], others=("zoe", "kim"), game="chip-it")
    await rename(named.store, "zoe", "Stranger", 100)
    live = await seated(named, "ada", "zoe", game="chip-it")
    assert (live.status, live.facts("ada").score) == ("running", ())
    await rename(named.store, "zoe", "Zoe", 100)
    live = await seated(named, "ada", "zoe", game="chip-it")
    assert live.facts("ada").score == ((0, 1), (1, 0))
    larger = await seated(named, *NAMES, game="chip-it")
    assert larger.facts("ada").score == ((0, 1), (1, 0), (2, 0))
    await forget(named, "kim")
    assert larger.facts("ada").score == (), "it is a table of three"
    assert await score(named, "ada", "zoe") == {"ada": 1, "zoe": 0}, "it was a game of three"
    await forget(named, "zoe")
    assert live.facts("ada").score == ()
    assert await score(named, "ada", "zoe") == {}


async def again(live, *viewers):
    """Let the guests play a game to its end and ask for a rematch, and return its table."""
    await move(live, 1000)
    await until(lambda: live.is_over)
    for viewer in viewers:
        await done(viewer.ask(m.Rematch(id=f"again {live.id}", hash="")))
    return live.home.live[live.rematch]


def told(viewer):
    """Return the scores that a viewer was sent, in order, each once."""
    scores = [message["facts"]["score"] for message in viewer.heard if "facts" in message]
    return [now for before, now in zip([None, *scores], scores, strict=False) if now != before]


async def test_the_score_is_sent_at_the_deal_and_at_the_end_and_not_read_in_between(named, restart, monkeypatch):
    reads = []
    monkeypatch.setattr("fairdeal.server.tables.live.score_of", lambda *given: reads.append(given) or score_of(*given))
    live, ada, zoe = await seat_two(named, other="zoe", options=SHORT["chi"])
    await move(live, 3)
    assert (len(reads), live.facts("ada").score) == (1, ())
    second = await again(live, ada, zoe)
    assert len(reads) == 3, "at the deal and at the end of the first game, and at the deal of the second"
    won = [0, 0]
    won[live.sitting.state.ranks.index(1)] += 1
    assert told(ada) == told(zoe) == [[[0, won[0]], [1, won[1]]]]
    assert second.facts("eve").score == live.facts("eve").score == tuple(enumerate(won)), "spectators, too"
    await leave(second, "zoe")  # a bot plays for her, and she may still win
    await move(second, 1000)
    await until(lambda: second.is_over)
    won[second.sitting.state.ranks.index(1)] += 1
    assert second.facts("ada").score == tuple(enumerate(won))
    room = await restart()
    assert (await room.find(live.id)).facts("ada").score == tuple(enumerate(won))
    await room.read_again(room.live[live.id])
    assert room.live[live.id].facts("ada").score == tuple(enumerate(won))
    assert (await branch(room, await room.find(live.id), "ada", 1, 0)).facts("ada").score == ()


async def test_a_guest_against_bots_has_no_score(named):
    await ended(named, "ada", ("you", "bram"), [3, 1])
    live = await open_table(named, "ada", game="chi", chairs=("you", "bram"))
    assert (live.status, live.facts("ada").score) == ("running", ())


async def test_nothing_is_said_if_the_score_cannot_be_read_and_the_game_goes_on(named, monkeypatch):
    def fails(*given):
        raise NotSaved("not now")

    await ended(named, "ada", ("you", "person"), [3, 1], others=("zoe",))
    monkeypatch.setattr("fairdeal.server.tables.live.score_of", fails)
    live, *_ = await seat_two(named, other="zoe", options=SHORT["chi"])
    await move(live, 1000)
    await until(lambda: live.is_over)
    assert live.facts("ada").score == ()
