"""A game of ten seats wherever games are played; tests/test_examples.py runs this where sky-sea is installed."""

import numpy as np

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.scene import Voice
from fairdeal.environments.batch import batch
from fairdeal.server.tables.new_seats import places_for, seats_for
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.look import Look
from fairdeal.terminal.pictures.table_picture import TablePicture
from fairdeal.terminal.screens.new_table import Plan

SEATS = 10


def played(table, rules):
    """Return the bytes of a whole game in which everybody plays their first legal action."""
    state, actions = table.deal(7), compiled.scratch(table.game)
    while not state.over:
        rules.legal_actions(state.record, state.to_act[-1], actions)
        rules.apply(state.record, state.to_act[-1], int(actions[0]))
    return state.record.tobytes()


def test_a_game_of_ten_seats_is_possible_everywhere():
    name = "sky-sea"
    table = fairdeal.load(name, players=SEATS)
    game, state = table.game, table.deal(7)
    assert game.players[1] >= SEATS
    assert state.to_act == tuple(range(SEATS))
    assert played(table, compiled.plain(game).rules) == played(table, compiled.compiled(game).rules)

    people = Plan(game=name, options={"players": SEATS}, people=SEATS).seated(SEATS)
    names = tuple(player.name for player in people)
    assert len({*names}) == SEATS
    for viewer in (0, SEATS - 1, -1):
        scene = game.scene(state.view(viewer).record, Voice(names, viewer), ())
        for size in ((80, 24), (120, 40)):
            drawn = TablePicture(scene, Catalogue(game.faces(table.options), game.skin), *size, Look())
            text = drawn.canvas.text().plain
            assert [one for one in names if names.index(one) != viewer and one not in text] == []
            assert "Which card do you play?" in text or viewer < 0

    sitting = Plan(game=name, players=SEATS, bots=["otto"], seed="ten").open()
    assert len({player.name for player in sitting.log.players}) == SEATS
    places = places_for(["you", *["pip"] * (SEATS - 1)], "guest", "Ada", "", b"seed")
    assert len({place.name for place in places}) == len(seats_for(table, ["you", *["pip"] * (SEATS - 1)])) == SEATS

    games = batch(name, 4, players=SEATS)
    arrays, finished = games.reset(seed=3), 0
    for _ in range(200):
        chosen = np.array([np.flatnonzero(mask)[-1] for mask in arrays.mask], np.int16)
        arrays = games.step(chosen)
        assert arrays.reward.shape == (4, SEATS)
        finished += int(arrays.done.sum())
    assert finished > 8
