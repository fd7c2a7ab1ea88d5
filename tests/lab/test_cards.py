"""Cards that are too strong: the wins of the players who were dealt each card."""

import numpy as np
import pytest
from msgspec.structs import replace

import fairdeal
from fairdeal.engine.registry import installed_games
from fairdeal.lab.simulate.following import Followed
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.outcomes import play_from
from fairdeal.lab.studies.answers import told_cards
from fairdeal.lab.studies.cards import cards_in, hands_from, hands_of
from fairdeal.lab.studies.measures import STATISTICS, telling

CHI = fairdeal.load("chi")
FACES = tuple(CHI.game.faces(CHI.options))

DEALT = {"chaos-ninjas": 3, "chi": 3, "chimax-books": 5, "chip-it": 10, "war-xtreme": 8}
"""The games that deal cards to the players, with a number of different cards that each player has at least."""


@pytest.mark.parametrize("game", [game.name for game in installed_games()])
def test_the_cards_that_each_seat_was_dealt_are_known_in_every_game(game):
    table = fairdeal.load(game)
    order = order_of(table, ("greedy",) * table.players, 0)
    for number in range(3):
        hands = hands_of(Followed(order, number))
        assert len(hands) == (table.players if game in DEALT else 0)
        for hand in hands:
            assert len(hand) >= DEALT[game]
            assert hand <= table.game.faces(table.options).keys()


def dealt_at_random(source, games, cards, better=""):
    """Return made-up hands of three cards, and wins: at random, except that the owner of `better` wins more often."""
    hands, wins = [], np.zeros((games, 2))
    for game in range(games):
        order = source.permutation(cards)
        own = tuple(frozenset(order[3 * seat : 3 * seat + 3]) for seat in range(2))
        seat = next((seat for seat in range(2) if better in own[seat]), None)
        wins[game, source.integers(2) if seat is None or source.random() > 0.3 else seat] = 1
        hands.append(own)
    return hands, wins


def test_among_cards_that_are_all_alike_none_is_called_strong_or_weak():
    """Of 200 studies, at most 5 % name a card; 19 or more would do so in 1 % of all tests of intervals that hold."""
    source = np.random.default_rng(0)
    named = [any(card.side for card in cards_in(CHI, *dealt_at_random(source, 150, FACES), 1)) for _ in range(200)]
    assert sum(named) < 19


def test_a_card_that_is_stronger_is_found():
    source = np.random.default_rng(0)
    hands, wins = dealt_at_random(source, 4000, FACES, better="chi")
    found = cards_in(CHI, hands, wins, 1)
    assert [card.name for card in found if card.side > 0] == ["chi"]
    assert found[0].seats == sum("chi" in hand for own in hands for hand in own)
    assert found[0].games == 4000
    assert told_cards(found, 37).replace("\u00a0", " ").startswith(f"When they are dealt, “{found[0].words}” (6")
    wider = cards_in(CHI, hands, wins, 6)
    assert wider[0].wins.high - wider[0].wins.low > found[0].wins.high - found[0].wins.low


def test_of_few_games_no_card_is_called_strong_or_weak():
    """However many seats are dealt one."""
    hands, wins = [tuple(frozenset({card}) for card in FACES[:2]) * 3] * 29, np.tile([0.5, 0, 0.5, 0, 0, 0], (29, 1))
    few = cards_in(CHI, hands, wins, 1)
    assert [(card.seats, card.p, card.side) for card in few] == [(87, None, 0)] * 2
    assert told_cards(few, 1) == ""
    enough = cards_in(CHI, [*hands, hands[0]], np.vstack([wins, wins[:1]]), 1)
    assert {card.side for card in enough} == {-1}


def test_what_cards_say_is_put_into_words():
    source = np.random.default_rng(0)
    found = cards_in(CHI, *dealt_at_random(source, 300, FACES), 1)
    doubt = "when it is dealt, as far as 300 games can tell."
    none = f"None of 37 cards wins more or less than a fair 50\u00a0% {doubt}"
    assert min(card.p for card in found) < 0.05
    assert told_cards(found, 41) == none.replace("can tell", "can tell among 41 tests")
    assert told_cards([replace(card, p=0.5) for card in found], 41) == none
    weak = replace(found[-1], wins=replace(found[-1].wins, value=0.4), corrected=0.04)
    assert told_cards([weak], 41).endswith("wins less than a fair 50\u00a0%.")
    assert told_cards([], 41) == ""


def test_cards_that_everybody_holds_say_nothing():
    hands = [(frozenset({"chi", "yin-red"}), frozenset({"chi"}))] * 200
    wins = np.tile([1.0, 0.0], (200, 1))
    assert [(card.name, card.side) for card in cards_in(CHI, hands, wins, 1)] == [("yin-red", 1)]


def test_any_number_of_jobs_finds_the_same_cards():
    order = order_of(CHI, ("otto", "otto"))
    wins = play_from(order, 0, 150, 1).wins
    once, again = (cards_in(CHI, hands_from(order, 150, jobs), wins, 1) for jobs in (1, 2))
    assert once == again
    assert len(once) > 10


def test_statistics_that_say_nothing_about_the_course_of_a_game_are_left_out():
    alike = {"margin": np.ones(100), "leads": np.zeros(100), "moves": np.full(100, 4.0), "shared": np.zeros(100)}
    assert [*telling([alike], ())[0]] == ["moves", "shared"]
    shared = alike | {"margin": np.repeat([0.0, 1.0], 50)}
    assert "margin" not in telling([shared], ())[0]
    assert "margin" in telling([shared, alike | {"margin": np.full(100, 2.0)}], ())[0]
    assert [*telling([alike], ["leads"])[0]] == ["leads", "moves", "shared"]
    other = alike | {"leads": np.ones(100)}
    assert [[*one] for one in telling([alike, other], ())] == [["leads", "moves", "shared"]] * 2
    few = {key: values[:20] for key, values in alike.items()}
    assert telling([few], ()) == [few]
    assert {key for key, one in STATISTICS.items() if one.topic == "course"} >= {"margin", "leads", "turns", "decided"}
