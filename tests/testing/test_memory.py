"""The check of memory finds games that deal cards again although a viewer saw where they went."""

from dataclasses import replace

import pytest

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.records import rule
from fairdeal.games.chi.state import KINDS
from fairdeal.testing.memory import check_memory
from fairdeal.testing.play import table_of
from tests.games.test_games import OurTests
from tests.games.test_games import TestChaosNinjas as Ninjas
from tests.games.test_games import TestChi as Chi
from tests.games.test_games import TestWarXtreme as War

CHI = fairdeal.find_game("chi")
chi_apply, chi_conceal = CHI.rules.apply, CHI.rules.conceal


@rule
def apply_and_clear(state, player, action):
    chi_apply(state, player, action)
    for kind in range(KINDS):
        state.discard[kind] = 0


@rule
def conceal_what_was_taken(state, viewer, recall):
    chi_conceal(state, viewer, 0)


def chi(**rules):
    return table_of(replace(CHI, name=f"chi-{'-'.join(rules)}", rules=replace(CHI.rules, **rules)))


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"apply": apply_and_clear}, r"left '[\w-]+' in no place, as viewer -?\d saw, but `resample` deals it again"),
        ({"conceal": conceal_what_was_taken}, r"`draw \d` of seat \d left '[\w-]+' in hands\[\d\], as viewer -?\d saw"),
    ],
    ids=["cards that were discarded", "cards that went from the row to a hand"],
)
def test_a_game_that_forgets_is_found(rules, words, monkeypatch):
    monkeypatch.setattr(compiled, "_compiled", {})
    assert check_memory(chi(), Chi.hidden, "kit")["followed"] > 500
    with pytest.raises(AssertionError, match=words):
        check_memory(chi(**rules), Chi.hidden, "kit")


FORGETTING = [
    (Ninjas, "wild-spirits", "12", "Gave", r"`give atk-lime` of seat 1 left '[\w-]+' in hands"),
    (Ninjas, "melee", "14", "Reshuffled", r"`draw 0` of seat 2 left '[\w-]+' in deck"),
    (War, "lunch-break", "12", "*", r"`distrust shuffle` of seat 0 left '[\w/-]+' in seats\[0\]"),
]
"""The exceptions of our games, each with a preset, random games and a move that needs it."""


def test_every_exception_is_known():
    found = [(tests, event) for tests in OurTests.__subclasses__() for event in tests.hidden.forgets]
    assert found == [(tests, event) for tests, _, _, event, _ in FORGETTING]


@pytest.mark.parametrize(("tests", "chosen", "dice", "event", "words"), FORGETTING)
def test_an_exception_is_needed(tests, chosen, dice, event, words):
    others = replace(tests.hidden, forgets=[other for other in tests.hidden.forgets if other != event])
    with pytest.raises(AssertionError, match=words):
        check_memory(table_of(tests.the_game(), preset=chosen), others, dice, states=30)
