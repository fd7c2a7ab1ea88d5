"""The prompt tells every viewer whether the next move is theirs."""

import random

import pytest

import fairdeal
from tests.games.test_non_interference import play_at_random, viewers

LOOKS = 25


def states_of(name, preset):
    """States spread over random games of a preset, their ends included."""
    dice = random.Random(f"prompts {name} {preset}")
    table = fairdeal.load(name, preset=preset)
    state, looks = table.deal(dice.random()), 0
    while looks < LOOKS:
        if state.over or dice.random() < 0.2:
            looks += 1
            yield state
        state = table.deal(dice.random()) if state.over else state
        play_at_random(state, dice)


def test_the_prompt_says_yours_to_those_who_may_act_and_to_nobody_else(name, preset):
    said = {"yours": 0, "not yours": 0}
    for state in states_of(name, preset):
        for viewer in viewers(state):
            scene, acts = state.scene(viewer), viewer in state.to_act and not state.over
            assert (scene.prompt.mode == "yours") == acts, (state.position(), viewer, scene.prompt)
            assert (scene.prompt.mode == "over") == state.over
            assert bool(scene.choices) == acts
            said["yours" if acts else "not yours"] += 1
            if acts:
                picked = state.pick(viewer, (), scene.choices[0].id)
                assert picked.move or state.scene(viewer, picked.draft).prompt.mode == "yours"
    assert min(said.values()) >= LOOKS / 2


@pytest.mark.parametrize(
    ("game", "options"), [("chimax-books", {"reveal": "simultaneous"}), ("war-xtreme", {"ask_extreme": False})]
)
def test_whoever_has_chosen_waits_together_with_the_others_who_choose_at_once(game, options):
    """BOOKS-11, WAR-30."""
    state = fairdeal.load(game, players=3, **options).deal(seed=1)
    assert modes(state) == ["yours", "yours", "yours", "waiting"]
    state.play(1, next(state.moves(1)))
    assert modes(state) == ["yours", "together", "yours", "waiting"]
    state.play(0, next(state.moves(0)))
    assert modes(state) == ["together", "together", "yours", "waiting"]


def modes(state):
    return [state.scene(viewer).prompt.mode for viewer in viewers(state)]
