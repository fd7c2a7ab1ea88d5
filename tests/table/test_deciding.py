"""The end says what decided a game: the move from which on the winner led, in a sentence and with its cards."""

import itertools
import re

import pytest

import fairdeal
from fairdeal.engine.events import Described, Event
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Gain, LogLine, Moved, Round, Scene, Seat, Tally
from fairdeal.table.deciding import decided, deciding_move
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from tests.conftest import SHORT
from tests.table.sittings import finished

BO = Seat(1, "Bo")


class Standing:
    """A state of which only the lead matters."""

    def __init__(self, *leaders):
        self.leaders = frozenset(leaders)
        self.ranks = tuple(1 if seat in leaders else 2 for seat in range(3))


def moves_of(*leads):
    return deciding_move(dict(enumerate(Standing(*map(int, lead)) for lead in leads)).__getitem__, len(leads) - 1)


@pytest.mark.parametrize(
    ("leads", "move"),
    [
        (("012", "0", "1", "1", "1"), 2),
        (("012", "1", "0", "1", "1"), 3),
        (("012", "1", "01", "1"), 3),
        (("012", "0", "0", "1"), 3),
        (("1", "1", "1"), 2),
        (("012", "0", "01"), 2),
    ],
)
def test_it_is_the_move_from_which_on_the_winner_led_alone(leads, move):
    assert moves_of(*leads) == move


def test_every_game_for_several_ends_with_a_sentence_and_the_cards_are_printed(name_for_several):
    sitting = finished(name_for_several, **SHORT.get(name_for_several, {}))
    for viewer in (0, SPECTATOR):
        told = sitting.scene(viewer).result.decided
        assert 0 < told.move <= sitting.moves_made
        assert told.text.startswith(("The last move: ", f"From move {told.move} on "))
        assert told.text.endswith((".", "!", "”"))
        assert len(told.text) < 170
        assert set(told.cards) <= set(sitting.table.game.faces(sitting.table.options))
        assert not any(event.text == told.text for event in sitting.scene(viewer).events)


def test_after_that_move_nobody_else_ever_led():
    met = 0
    for name, seed in itertools.product(("chi", "chimax-match-2", "chaos-ninjas"), "abc"):
        sitting = finished(name, seed=seed, **SHORT.get(name, {}))
        move = sitting.scene(SPECTATOR).result.decided.move
        winners = frozenset(seat for seat, place in enumerate(sitting.scene(SPECTATOR).result.places) if place == 1)
        if move < sitting.moves_made:
            met += 1
            assert sitting.state_at(move - 1).leaders != winners
            assert all(sitting.state_at(n).leaders == winners for n in range(move, sitting.moves_made + 1))
    assert met > 4


def test_one_player_alone_has_decided_nothing(name_for_one):
    assert finished(name_for_one, **SHORT.get(name_for_one, {})).scene(0).result.decided is None


def test_a_running_game_has_decided_nothing():
    table = fairdeal.load("chi")
    assert Sitting.open(table, [Player("Ada"), Player("Bo")], "x").scene(0).result is None


def test_a_round_that_decided_it_says_why():
    gains = (Gain("Books", 4), Gain("three ∞", 3, cards=("inf",) * 3))
    ended = Round(3, "Round 3 done: Bo 7.", (Tally(1, 7, gains),))
    told = decided(
        9, 9, BO, [Described(Event(), LogLine("Bo plays 5."))], (Scene("", "", 0), Scene("", "", 0, round=ended))
    )
    assert told.text == "The last move: Round 3 brought Bo 7: Books 4, three ∞ +3."
    assert told.cards == ("inf", "inf", "inf")


def test_the_cards_are_those_that_were_played_and_none_that_was_drawn():
    sitting = finished("chi", seed="a", **SHORT["chi"])
    move = next(n for n in range(1, 60) if re.search("plays an? .* Yang", sitting.told(n, SPECTATOR)[0].line.text))
    scenes = sitting.seen_at(move - 1, SPECTATOR).scene(), sitting.seen_at(move, SPECTATOR).scene()
    told = decided(move, 99, BO, sitting.described(move, SPECTATOR), scenes)
    assert told.text.startswith(f"From move {move} on Bo led: ")
    assert len(told.cards) == 1
    assert told.cards[0].startswith("yang")
    drawn = Described(Event(), LogLine("x", moves=(Moved("c", "deck", "hand0"),)))
    assert decided(move, 99, BO, [drawn], scenes).cards == ()
