"""The greedy rule of CHIP IT, compared with a search through every card at every value."""

import random

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.fields import fields_of
from fairdeal.games.chip_it import bots
from fairdeal.games.chip_it.rules.combinations import counted_cost
from fairdeal.games.chip_it.rules.legal import highest_value, is_open
from fairdeal.games.chip_it.state import GREENS, LOWEST_RAISE, MOST_RETURNED, UNREACHABLE
from fairdeal.testing.play import must_have, random_states

TABLES = [
    {"players": 4},
    {"players": 2, "start_points": 10},
    {"players": 3, "pool_total": 14},
    {"players": 6, "raise": "lowest"},
    {"players": 5, "value_cap": 30},
]


def every_play(state, player, style):
    """Yield the best play of each value, with the points it saves."""
    hand = state.hands[player]
    kinds, bank = [int(kind) for kind in hand.cards[: hand.length]], int(state.bank[player])
    for value in range(state.top.value + 1, min(highest_value(state), state.top.value + 1 + bots.REACH) + 1):
        budget, chosen, saved, paid = int(state.pool), [], 0, 0
        while is_open(state) or len(chosen) < state.top.count:
            gains = [
                (bots.relief(kind, style) - bots.weight(style, bots.POINT) * counted_cost(kind, value), -place)
                for place, kind in enumerate(kinds)
                if place not in chosen and counted_cost(kind, value) <= budget
            ]
            if not gains or (is_open(state) and max(gains)[0] <= 0):
                break
            gain, place = max(gains)
            chosen.append(-place)
            cost = counted_cost(kinds[-place], value)
            budget, saved, paid = budget - cost, saved + gain, paid + cost
        places = sum(1 << place for place in chosen)
        lowest = state.options.raise_ != LOWEST_RAISE or bots.is_lowest_of(state, hand, places, value)
        if chosen and len(chosen) >= state.top.count and lowest:
            saved += bots.weight(style, bots.PLAY) + bots.weight(style, bots.VALUE) * value
            saved -= bots.weight(style, bots.CROWD) * ((bank + paid) ** 2 - bank**2) // 100
            saved += bots.FINISHING * (len(chosen) == len(kinds) and paid == bank == 0)
            yield saved, -value, places


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_the_greedy_rule_finds_the_best_play(options):
    table, dice = fairdeal.load("chip-it", **options), random.Random(1)
    plan, written, plays = np.zeros(200, np.int16), np.zeros(200, np.int16), 0
    for state, _, where in random_states(table, "greedy", 200):
        player = state.to_act[0]
        view = fields_of(state.view(player).record)
        style = dice.choice((bots.GREEDY, bots.ROLLOUT))
        returned = min(MOST_RETURNED, int(view.bank[player]))
        must = is_open(view) and view.hands[player].length > 0
        passing = bots.NOT_CHOSEN if must else bots.weight(style, bots.RETURNED) * returned
        saved, value, places = max(every_play(view, player, style), default=(bots.NOT_CHOSEN, 0, 0))
        length = bots.best_move(view, player, plan, style)
        if saved > passing:
            assert length == bots.write_play(view, player, places, -value, written), where
            assert plan[:length].tolist() == written[:length].tolist(), where
            plays += 1
        else:
            assert (length, plan[0]) == (1, returned), where
    must_have(plays, 40, "plays")


def test_points_outweigh_numbers_so_that_the_highest_green_card_is_the_best():
    for style in (bots.GREEDY, bots.ROLLOUT):
        for value in range(2, 80):
            gains = [
                bots.gain_at(kind, value, style) for kind in range(GREENS) if counted_cost(kind, value) < UNREACHABLE
            ]
            assert gains == sorted(set(gains))


def test_what_is_looked_up_is_what_is_counted():
    looked = 0
    for lowest in range(bots.FITTING.shape[1]):
        for kind in range(GREENS, len(bots.FITTING)):
            fitting = [step for step in range(bots.REACH + 1) if bots.FITTING[kind, lowest] >> step & 1]
            assert fitting == [
                step for step in range(bots.REACH + 1) if counted_cost(kind, lowest + step) < UNREACHABLE
            ]
            looked += len(fitting)
    must_have(looked, 1000, "values of purple cards")
