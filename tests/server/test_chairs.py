"""Who may be seated at a new table."""

import fairdeal
from fairdeal.server.tables.new_seats import name_for, seats_for
from tests.conftest import refusal


def test_a_net_sits_only_where_it_has_learned_to_play():
    assert seats_for(fairdeal.load("chi"), ["you", "learned"]) == ["you", "learned"]
    assert name_for("learned", ["Ada"]) == "Learned"
    with refusal("stacks_to_end = 6, not 4"):
        seats_for(fairdeal.load("chi", stacks_to_end=4), ["you", "learned"])
    with refusal("the game has no trained network"):
        seats_for(fairdeal.load("chip-it", players=2), ["you", "learned"])


async def test_the_shelf_marks_the_games_that_a_net_has_learned(guest):
    told = {facts["name"]: facts["learned"] for facts in (await guest.get("/api/games")).json()}
    assert told["chi"]
    assert [name for name, learned in told.items() if learned] == [
        name for name in told if fairdeal.find_game(name).learned
    ]
