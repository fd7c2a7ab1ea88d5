"""Prompts while several seats choose at once."""

import pytest

import fairdeal
from fairdeal.testing.play import viewers


@pytest.mark.parametrize(
    ("game", "options"), [("chimax-books", {"reveal": "simultaneous"}), ("war-xtreme", {"ask_extreme": False})]
)
def test_a_seat_that_has_chosen_waits_together_with_those_that_choose(game, options):
    """BOOKS-11, WAR-30."""
    state = fairdeal.load(game, players=3, **options).deal(seed=1)
    assert modes(state) == ["yours", "yours", "yours", "waiting"]
    state.play(1, next(state.moves(1)))
    assert modes(state) == ["yours", "together", "yours", "waiting"]
    state.play(0, next(state.moves(0)))
    assert modes(state) == ["together", "together", "yours", "waiting"]


def modes(state):
    return [state.scene(viewer).prompt.mode for viewer in viewers(state)]
