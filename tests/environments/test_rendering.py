"""A table as text and as a picture, as its viewer may see it."""

import numpy as np
import pytest

import fairdeal
from fairdeal.environments.rendering import CELL, HEIGHT, WIDTH, rendered
from fairdeal.environments.turns import Turns

IN_STEPS = ("chip-it", "chaos-ninjas")
"""Games whose moves are made of several actions."""


def test_only_what_the_seat_may_know_is_drawn():
    turns = Turns(fairdeal.load("chi"))
    turns.deal(3)
    for seat in (0, 1):
        view = turns.table_seen_by(seat)
        guess = view.guess()
        assert guess.position() != turns.moment.position()
        for mode in ("ansi", "rgb_array"):
            ours = rendered(mode, view)
            assert np.array_equal(ours, rendered(mode, guess.view(seat, 0)))
            assert not np.array_equal(ours, rendered(mode, turns.table_seen_by(1 - seat)))


def test_a_picture_shows_letters_on_the_colours_of_the_text():
    view = fairdeal.load("chi").deal(3).view(0)
    picture, text = rendered("rgb_array", view), rendered("ansi", view)
    assert picture.shape == (HEIGHT * CELL[1], WIDTH * CELL[0], 3)
    assert len(text.splitlines()) == HEIGHT
    bar, title = picture[: CELL[1]], picture[: CELL[1], CELL[0] : 4 * CELL[0]]
    assert len(np.unique(bar[0], axis=0)) == 1
    assert len(np.unique(title.reshape(-1, 3), axis=0)) > 5
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100


def test_a_whole_state_is_not_drawn():
    with pytest.raises(AssertionError, match="must be concealed"):
        rendered("ansi", fairdeal.load("chi").deal(3))


def test_every_game_can_be_drawn_at_any_time_even_during_a_move(name):
    turns, dice = Turns(fairdeal.load(name)), np.random.default_rng(2)
    turns.deal(2)
    drawn, half_made = set(), 0
    for number in range(100):
        if turns.over:
            turns.deal(number)
        turns.act(dice.choice(turns.legal_actions(turns.player)))
        if number % 15 == 0 or (turns.draft and half_made < 3):
            half_made += bool(turns.draft)
            drawn.add(rendered("ansi", turns.table_seen_by(max(turns.player, 0))))
    assert len(drawn) >= 3
    assert (half_made >= 3) == (name in IN_STEPS)
