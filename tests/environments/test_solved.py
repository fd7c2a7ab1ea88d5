"""A game in OpenSpiel that is small enough to solve: its value is computed without OpenSpiel, and found by its CFR.

It is CHIMAX CUT with one cut for each of two players, and four shuffles. The first player does not know the shuffle.
The second sees the card that the first cut shows, but not where it was.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import gambit
from scipy.optimize import linprog

import fairdeal
import fairdeal.environments.openspiel  # registers all games
from tests.environments.test_page import PAGE

OPTIONS = {"players": 2, "first_dealer": 1, "mode": "one_cut", "rounds": 1, "recuts": 0, "qmark": "low"}
SHUFFLES = 4
NAME = f"fairdeal_chimax_cut({','.join(f'{name}={value}' for name, value in OPTIONS.items())},shuffles={SHUFFLES})"

FIRST = {2: Fraction(1, 4), 3: Fraction(1, 4), 11: Fraction(1, 4), 33: Fraction(1, 4)}
"""How the first player cuts, at best."""

VALUE = Fraction(-1, 8)

RANKS = ["half", "?", "1", "2", "3", "5", "10", "15", "25", "50", "100", "0", "inf"]


def decks():
    return [fairdeal.load("chimax-cut", **OPTIONS).deal(shuffle).position()["deck"] for shuffle in range(SHUFFLES)]


@cache
def outcomes():
    """Return the results of the first player, by the rules alone: by the first cut and the card that it shows, the sums
    over the shuffles with that card for each second cut. An Infinity wins at once, and otherwise the higher card, or
    the first of equal ones."""
    found = {}
    for deck in decks():
        for cut, card in enumerate(deck[:-1], 1):
            rest = deck[cut:] + deck[: cut - 1]
            lower = [RANKS.index(other) <= RANKS.index(card) for other in rest[:-1]]
            wins = [card == "inf" or (won and other != "inf") for won, other in zip(lower, rest, strict=False)]
            found.setdefault((cut, card), []).append([1 if won else -1 for won in wins])
    return {key: np.array(rows).sum(axis=0) for key, rows in found.items()}


CUTS, ANSWERS = range(1, 40), range(1, 39)


def worst(first):
    """Return what the first player gets for sure, if it cuts so often at each place, and the second knows that."""
    found = outcomes()
    answers = {
        card: sum((first.get(cut, 0) * found[cut, seen] for cut, seen in found if seen == card), 0) for card in RANKS
    }
    return sum(min(sums) for sums in answers.values()) / SHUFFLES


def second_player():
    """Return how the second player cuts after each card, at best, by linear programming: the numbers of a policy that
    keeps the best first cut as low as possible."""
    found = outcomes()
    costs = np.zeros(1 + len(RANKS) * len(ANSWERS))
    costs[0] = 1
    limits, sums = np.zeros((len(CUTS), len(costs))), np.zeros((len(RANKS), len(costs)))
    limits[:, 0] = -1
    for (cut, card), row in found.items():
        begin = 1 + RANKS.index(card) * len(ANSWERS)
        limits[cut - 1, begin : begin + len(ANSWERS)] += row / SHUFFLES
    for number in range(len(RANKS)):
        sums[number, 1 + number * len(ANSWERS) : 1 + (number + 1) * len(ANSWERS)] = 1
    bounds = [(None, None), *[(0, None)] * (len(costs) - 1)]
    solved = linprog(costs, limits, np.zeros(len(CUTS)), sums, np.ones(len(RANKS)), bounds)
    shares = [Fraction(float(share)).limit_denominator(100) for share in solved.x[1:]]
    return {card: shares[at * len(ANSWERS) : (at + 1) * len(ANSWERS)] for at, card in enumerate(RANKS)}


def test_the_value_is_exact():
    """The first player gets the value for sure, and the second can keep every first cut at the value."""
    assert worst(FIRST) == VALUE
    answers, found = second_player(), outcomes()
    assert all(sum(shares) == 1 and min(shares) >= 0 for shares in answers.values())
    reached = {cut: Fraction(0) for cut in CUTS}
    for (cut, card), row in found.items():
        reached[cut] += sum(share * int(result) for share, result in zip(answers[card], row, strict=True)) / SHUFFLES
    assert max(reached.values()) == VALUE


def test_a_player_who_always_cuts_at_the_same_place_gets_less():
    assert max(worst({cut: Fraction(1)}) for cut in CUTS) == Fraction(-1, 2)


def test_the_game_in_open_spiel_has_these_outcomes():
    game, found = pyspiel.load_game(NAME), {}
    for shuffle, deck in enumerate(decks()):
        dealt = game.new_initial_state().child(shuffle)
        for first in dealt.legal_actions():
            cut = int(dealt.action_to_string(first).split()[1])
            after = dealt.child(first)
            results = [after.child(second).returns()[0] for second in after.legal_actions()]
            row = results or [after.returns()[0]] * len(ANSWERS)
            found[cut, deck[cut - 1]] = found.get((cut, deck[cut - 1]), 0) + np.array(row)
    expected = outcomes()
    assert found.keys() == expected.keys()
    assert all((found[key] == expected[key]).all() for key in expected)


def test_counterfactual_regret_minimization_finds_the_value():
    """OpenSpiel's solver runs in C++ on the same tree, as a file of Gambit; in Python, an iteration takes a second."""
    tree = gambit.export_gambit(pyspiel.load_game(NAME)).replace(NAME, "cut")
    game = pyspiel.load_efg_game(tree)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(150):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    assert value == pytest.approx(float(VALUE), abs=0.003)
    assert pyspiel.nash_conv(game, policy) < 0.01


def test_the_page_names_the_game_and_its_value():
    page = PAGE.read_text("utf-8")
    assert NAME in page
    assert f"**{VALUE}**" in page
