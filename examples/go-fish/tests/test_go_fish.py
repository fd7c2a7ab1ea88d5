"""Run all of fairdeal's game tests on Go Fish."""

from fairdeal.engine.records import Record, rule
from fairdeal.testing import GameTests, Hidden, Zone
from go_fish.rules import OF_A_RANK, RANKS, count


@rule
def sound(state: Record) -> int:
    """Return 0 if every rank has four cards in hands and pool or is a book, and all known cards are in their hands.
    Return a positive number otherwise."""
    for rank in range(RANKS):
        there = count(state.deck.cards, state.deck.length, rank) + OF_A_RANK * (state.books[rank] > 0)
        for seat in range(state.players):
            held = count(state.hands[seat].cards, state.hands[seat].length, rank)
            if held == OF_A_RANK:
                return 1
            if held < state.known[seat].counts[rank]:
                return 2
            there += held
        if there != OF_A_RANK:
            return 3
    if state.over == 0 and state.hands[state.turn].length == 0:
        return 4
    return 0


class TestGoFish(GameTests):
    """All kinds of tests."""

    game = "go-fish"
    options = ({"players": 6}, {"players": 4, "lucky": False, "first_player": 3})
    hidden = Hidden(zones=[Zone("hands.*[]"), Zone("deck.*")], knowledge={"known"})
    spoken = ("ask",)
    invariant = staticmethod(sound)
    longest = 400
    least_cases = 14
    least_clauses = 10
