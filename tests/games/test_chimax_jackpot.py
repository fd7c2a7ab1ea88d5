"""CHIMAX JACKPOT: the faces that would complete a line."""

import random

import pytest

import fairdeal
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.games.chimax.deck import FACES, QUESTION
from fairdeal.games.chimax.jackpot.rules.lines import faces_claimed
from fairdeal.games.chimax.jackpot.state import ACROSS, REEL
from fairdeal.games.chimax.jackpot.text.prompts import outs
from fairdeal.testing.play import play_at_random

pytestmark = pytest.mark.skipif("chimax-jackpot" not in fairdeal.game_names(), reason="the game is not installed")


@pytest.mark.parametrize("run_order", ["in_place", "any"])
def test_the_faces_that_would_pay_are_those_that_make_a_line(run_order):
    table, dice = fairdeal.load("chimax-jackpot", run_order=run_order), random.Random(run_order)
    named = 0
    for seed in range(5):
        state = table.deal(seed)
        while not state.over:
            record = state.record
            if record.phase == REEL:
                told = outs(snapshot(record))
                assert told == tuple(face for face in range(FACES) if face != QUESTION and pays(state, face))
                named += len(told)
            play_at_random(state, dice)
    assert named > 50


def pays(state, face):
    """Return whether this face would complete a line on top of the column of the turning reel."""
    after = state.record.copy()
    reel = int(after.reel)
    column = after.columns[reel]
    column.cards[column.length] = face
    column.length += 1
    return any(faces_claimed(after, line) >= 0 for line in (ACROSS, reel + 1))
