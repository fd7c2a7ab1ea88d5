"""A game played one action at a time: the seat to act, the views of seats, and copies."""

import pickle
from copy import copy, deepcopy

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import NOBODY
from fairdeal.environments.turns import Turns

IN_STEPS = "chip-it"
"""A game whose moves are made of several actions."""

TOGETHER = "war-xtreme"
"""A game in which several seats may act at once."""


def dealt(name, seed=0, **options):
    turns = Turns(fairdeal.load(name, **options))
    turns.deal(seed)
    return turns


def play(turns, dice, actions=1):
    for _ in range(actions):
        if not turns.over:
            turns.act(dice.choice(turns.legal_actions(turns.player)))


def half_made():
    """Return games in the middle of a move."""
    dice, turns = np.random.default_rng(3), dealt(IN_STEPS)
    found = []
    while len(found) < 10:
        play(turns, dice)
        if turns.over:
            turns.deal(int(dice.integers(1000)))
        elif turns.draft:
            found.append(copy(turns))
    return found


def test_one_of_several_seats_that_may_act_is_next_at_random():
    first, together = set(), 0
    for seed in range(12):
        turns, dice = dealt(TOGETHER, seed, players=3), np.random.default_rng(seed)
        for _ in range(15):
            if len(turns.state.to_act) > 1:
                together += 1
                first.add(turns.state.to_act.index(turns.player))
                assert [seat for seat in range(3) if turns.legal_actions(seat)] == [turns.player]
            play(turns, dice)
    assert together > 20
    assert {0, 1} <= first


def test_equal_seeds_give_equal_orders_of_seats():
    orders = []
    for _ in range(2):
        turns, dice, order = dealt(TOGETHER, 5, players=4), np.random.default_rng(5), []
        for _ in range(40):
            order.append(turns.player)
            play(turns, dice)
        orders.append(order)
    assert orders[0] == orders[1]
    assert len(set(orders[0])) > 1


def test_only_its_own_seat_sees_a_half_made_move():
    looks = 0
    for turns in half_made():
        assert turns.state != turns.moment
        for seat in range(turns.table.players):
            is_own = seat == turns.player
            assert (turns.view(seat, 100) == turns.moment.view(seat, 100)) != is_own
            looks += not is_own
    assert looks >= 20


def test_an_illegal_action_is_refused_and_changes_nothing():
    turns = dealt("chi")
    before = turns.state.copy()
    illegal = int(np.argmin(turns.mask(turns.player)))
    words = rf"action {illegal}.*the legal actions of seat {turns.player} are \d+ \(.+\)"
    with pytest.raises(IllegalMove, match=words):
        turns.act(illegal)
    assert turns.state == before
    assert not turns.draft


def test_no_seat_acts_before_the_deal_or_after_the_end():
    turns, dice = Turns(fairdeal.load("chimax-cut")), np.random.default_rng(1)
    assert turns.player == NOBODY
    with pytest.raises(IllegalMove, match="no game has been dealt"):
        turns.act(0)
    turns.deal(1)
    play(turns, dice, 500)
    assert turns.over
    assert turns.player == NOBODY
    with pytest.raises(IllegalMove, match="the game is over"):
        turns.act(0)


@pytest.mark.parametrize("twin", [copy, deepcopy, lambda turns: pickle.loads(pickle.dumps(turns))])
def test_a_copy_plays_on_as_the_game_does_and_leaves_it_alone(twin):
    begun = [*half_made()[:3], dealt(TOGETHER, 2, players=3), Turns(fairdeal.load("chi", hand_limit=4))]
    for turns in begun:
        other, before = twin(turns), turns.state.copy()
        assert (other.state, other.moment, other.draft) == (turns.state, turns.moment, turns.draft)
        assert (other.player, other.moves) == (turns.player, turns.moves)
        assert other.table.options == turns.table.options
        if turns.player != NOBODY:
            play(other, np.random.default_rng(8), 30)
            assert turns.state == before
            play(turns, np.random.default_rng(8), 30)
            assert other.state == turns.state
            assert other.player == turns.player
