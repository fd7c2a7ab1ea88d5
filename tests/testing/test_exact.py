"""The solver of late positions: every outcome of chance, and values that can be worked out by hand."""

from collections import Counter
from fractions import Fraction

import pytest

import fairdeal
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.testing import exact
from fairdeal.testing.exact import Lots, Solver


def test_every_outcome_comes_once_with_its_probability():
    lots = Lots()
    found = lots.ways(lambda: (lots.draw(None, 2), lots.draw(None, 3)))
    assert sorted(found) == [((one, two), Fraction(1, 6)) for one in range(2) for two in range(3)]


def test_equal_cards_are_shuffled_as_one_kind():
    lots = Lots()

    def shuffled():
        cards = [1, 1, 2]
        lots.shuffle_cards(cards, 3, None)
        return tuple(cards)

    assert sorted(lots.ways(shuffled)) == [(cards, Fraction(1, 3)) for cards in ((1, 1, 2), (1, 2, 1), (2, 1, 1))]


FATE = {
    "layout": ["5", None, "100", "1"],
    "seen": [1],
    "taken": [["half", "3"], ["2"]],
    "points": [4, 2],
    "turn": 1,
    "phase": "flip",
    "wheel": "5",
}


def test_values_are_those_worked_out_by_hand():
    """Seat 1 takes the 5 and has five points. Seat 0 finds the next card for 3 or 2, and then the last place is known:
    seat 1 takes it for 3 more and has eight, where seat 0 has seven at most. If seat 0 stops after a miss, all is
    known, and both take 3. So taking wins for sure."""
    state = fairdeal.load("chimax-fate").setup(FATE)
    solved = Solver(state.game).solve(state, 1)
    assert solved.deals == 2
    assert solved.values[state.read_move(1, "flip 1")] == 1
    assert min(solved.values.values()) < 1, "every other place would do as well"
    assert solved.states > 10


def test_a_card_is_as_likely_as_the_number_of_unseen_cards_of_its_kind():
    """One card lies in the piles of Jackpot, where two infinities, three question marks and 31 others are unseen."""
    position = {"stock": [["1"], [], []], "columns": [["50", "25"], ["inf"], ["10"]], "spin": 13}
    state = fairdeal.load("chimax-jackpot").setup(position)
    deals = Solver(state.game).deals(state.view(0), 0).values()
    likely = {deal.position()["stock"][0][0]: chance for deal, chance in deals}
    assert len(likely) == 13
    assert sum(likely.values()) == 1
    assert likely["inf"] == Fraction(2, 35)
    assert likely["?"] == likely["3"] == Fraction(3, 35)


def test_a_hand_is_as_likely_as_the_number_of_unseen_cards_like_it():
    """A Counter and two Spirits of Chaos Ninjas are unseen, one of them in a hand."""
    game = fairdeal.load("chaos-ninjas")
    coloured = [f"{side}-{colour}" for side in ("atk", "def") for colour in COLOUR_NAMES]
    cards = coloured * 2 + ["counter", "spirit"] * 4
    row, deck = cards[12:18], ["spirit", "counter"]
    gone = list((Counter(cards) - Counter([*row, *deck, "spirit"])).elements())
    position = {"turn": 1, "hands": [["spirit"], []], "areas": [[], []], "row": row, "deck": deck, "discard": gone}
    state = game.setup(position)
    deals = Solver(state.game).deals(state.view(1), 1).values()
    likely = Counter()
    for deal, chance in deals:
        likely[deal.position()["hands"][0][0]] += chance
    assert likely == {"spirit": Fraction(2, 3), "counter": Fraction(1, 3)}
    assert len(deals) == 3, "a Counter in hand, or on top of the deck, or below"


def test_a_position_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(exact, "MOST_STATES", 50)
    state = fairdeal.load("chimax-fate").deal(seed=1)
    with pytest.raises(ValueError, match="more than 50 states"):
        Solver(state.game).solve(state, state.to_act[0])
