"""WAR X-TREME: clauses that no case can check, guesses, bots, and words of scenes."""

import json
from collections import Counter

import numpy as np
import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.options import option_number
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.rulebook import specification
from fairdeal.engine.state import setup_blank
from fairdeal.games.war_xtreme.options import WarOptions
from fairdeal.games.war_xtreme.state import phase_of
from fairdeal.games.war_xtreme.text.standing import kit_count
from fairdeal.testing.play import random_states

pytestmark = pytest.mark.skipif("war-xtreme" not in fairdeal.game_names(), reason="the game is not installed")


def table(**options):
    return fairdeal.load("war-xtreme", **{"ask_extreme": False} | options)


def seat(army, **others):
    return {"army": army.split()} | others


@pytest.mark.clause("WAR-67", "WAR-69")
def test_t69_tax_is_owed_by_the_count_of_cards():
    from fairdeal.games.war_xtreme.rules.taxes import owed_by_count

    FIFTH, CAP = (option_number(WarOptions, tax_over_59=word) for word in ("fifth", "cap"))

    cards = (0, 15, 16, 19, 20, 24, 25, 34, 39, 44, 49, 54, 55, 59, 60, 72)
    assert [owed_by_count(count, FIFTH) for count in cards] == [0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 11, 11, 12, 14]
    assert [owed_by_count(count, CAP) for count in cards] == [0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 11, 11, 11, 11]


@pytest.mark.clause("WAR-06")
def test_the_pack_is_dealt_from_its_top(monkeypatch):
    """Thirteen cards go to seat 0, thirteen to seat 1, ..., eight to the slots, the rest to the tax pile."""
    from fairdeal.games.war_xtreme.rules import setting_up

    shuffled = []

    def shuffle_and_note(state, cards, size):
        shuffle_pile(state, cards, size)
        shuffled.extend(int(card) for card in cards[:size])

    shuffle_pile = setting_up.shuffle_pile
    monkeypatch.setattr(setting_up, "shuffle_pile", shuffle_and_note)
    record = table(players=3).blank().record
    chance.set_key(record.chance, chance.key_of("deal"))
    setting_up.deal_in(record, 0b111)
    top_first = shuffled[::-1]
    assert len(set(top_first)) > 30
    dealt = [card for deck in record.decks[:3] for card in deck.cards[: deck.army][::-1]]
    assert [*dealt, *record.slots, *record.tax.cards[: record.tax.length][::-1]] == top_first
    assert [deck.army for deck in record.decks[:3]] == [13, 13, 13]
    assert record.tax.length == 33


@pytest.mark.clause("WAR-04", "WAR-09")
def test_t71_the_deal_holds_every_card_of_its_sets():
    """Eight suits of twenty cards have two Tax, two Win, eight Speed, three Wild and two Joker (section 3)."""
    position = table(players=8).deal(2).position()
    cards = [card for seat in position["seats"] for card in seat["army"]] + position["slots"] + position["tax"]
    assert [*Counter(card.split("/")[0] for card in cards).values()] == [20] * 8
    faces = Counter(card.split("/")[1] for card in cards)
    assert [faces[face] for face in ("tax", "win", "speed", "wild", "joker", "K")] == [2, 2, 8, 3, 2, 8]
    assert faces["9:6"] + faces["6:9"] == 24


@pytest.mark.clause("WAR-10", "WAR-12")
def test_the_cards_rank_from_tax_21_down_to_lose_1():
    from fairdeal.games.war_xtreme.rules.fight import card_rank

    falling = """
        robot/tax princess/win ninja/speed monster/war-all ninja/joker princess/wild ninja/A:2 ninja/K ninja/Q ninja/P
        ninja/J ninja/10 ninja/9:6 ninja/8:8 ninja/7 ninja/6:9 ninja/5 ninja/4 ninja/3 ninja/2:A zombie/lose
    """
    state = table().setup({"round": 5, "seats": [seat(falling), seat("princess/3")]})
    army = state.record.decks[0]
    assert [card_rank(state.record, int(card)) for card in army.cards[army.army - 1 :: -1]] == [*range(21, 0, -1)]


@pytest.mark.clause("WAR-18", "WAR-19", "WAR-20")
def test_t73_a_seeded_race_is_won_by_each_equally_often():
    three = table(players=3, race="seeded", max_rounds=5)
    position = {
        "round": 5,
        "seats": [seat("monster/speed ninja/3"), seat("princess/4 princess/5"), seat("ninja/K ninja/5")],
    }
    wins, blank, source = Counter(), setup_blank(three, position), new(chance_record)
    for seed in range(600):
        chance.set_key(source, chance.key_of(seed))
        state = blank.resample(source)
        for player in range(3):
            state.play(player, "flip")
        for player in (2, 0, 1):
            state.play(player, "act roar")
        wins.update(player for player in range(3) if state.position()["seats"][player]["camp"])
    assert sum(wins.values()) == 600
    assert [player for player in range(3) if abs(wins[player] - 200) > 45] == [], wins


@pytest.mark.clause("WAR-83", "WAR-84", "WAR-87")
@pytest.mark.parametrize("must_play", ["catch", "enforced"])
def test_a_rival_is_seldom_thought_to_hide_what_was_due(must_play):
    """Seat 1 has turned a card in this round, so a due card was played or is hidden."""
    rounds = table(must_play=must_play)
    hands = [seat("ninja/K ninja/5"), seat("princess/4 princess/5", hand=[1, 2, 3])]
    state = rounds.setup({"round": 5, "seats": hands, "store": list(range(4, 16))})
    state.play(1, "flip")
    view, source, due = state.view(0), new(chance_record), {14, 15}
    hiding, strangers = 0, Counter()
    for seed in range(400):
        chance.set_key(source, chance.key_of(seed))
        rival = view.resample(source).position()["seats"][1]
        assert len(rival["hand"]) + len(rival["hidden"]) == 3
        assert not due & set(rival["hand"]), f"deal {seed} leaves in a hand what was due"
        assert set(rival["hidden"]) <= due
        hiding += bool(rival["hidden"])
        strangers.update(rival["hand"])
    assert set(strangers) == set(range(1, 14)), "every other card is dealt"
    assert (4 <= hiding <= 40) if must_play == "catch" else hiding == 0, f"{hiding} of 400 deals have something hidden"


@pytest.mark.parametrize(
    ("options", "army", "junk", "accuses"),
    [
        ({}, "ninja/K", [], True),
        ({}, "ninja/K", [14, 15], False),  # nothing that had to be played can be hidden
        ({}, "ninja/K ninja/5", [], False),
        ({"false_catch": 0}, "ninja/K ninja/5", [], True),
        ({"max_rounds": 5}, "ninja/K ninja/5", [], True),
        ({"max_rounds": 5}, "ninja/K ninja/5 ninja/4", [], False),  # nine cards can be reached from three
        ({"max_rounds": 6}, "ninja/K ninja/5", [], False),
    ],
)
def test_greedy_accuses_where_it_has_nothing_to_lose(options, army, junk, accuses):
    """A hidden card stays hidden, so there is time (WAR-85, 86)."""
    rival = seat("princess/4 princess/5 princess/7 princess/10 princess/K princess/Q princess/J princess/3 princess/P")
    state = table(**options).setup({"round": 5, "seats": [seat(army), rival | {"hand": [1, 2, 3, 4, 5]}], "junk": junk})
    answer = ask(GreedyBot(state.game.recall), state, 0, 0)
    assert state.game.write_move(state.record, 0, answer.actions) == ("catch 1" if accuses else "flip")


@pytest.mark.parametrize(
    ("things", "worth"),
    [
        ({}, 3),
        ({"hand": [1, 2, 15], "in_play": [9]}, 9),  # 15 is no gain
        ({"in_play": [9, 13, 12]}, 1),
        ({"hand": [1], "hidden": [15]}, 2.5),
    ],
)
def test_search_counts_equipment_and_what_it_may_cost_to_hide_a_card(things, worth):
    seats = [seat("ninja/K ninja/5 ninja/4", **things), seat("princess/4 princess/5")]
    state, found = table().setup({"round": 5, "seats": seats}), np.zeros(2)
    state.game.estimate(state.record, found)
    assert [*found] == [worth, 2]


@pytest.mark.clause("WAR-96")
def test_every_decision_has_a_default():
    """A game of defaults alone comes to an end."""
    from fairdeal.games.war_xtreme.rules.phases import default_action

    for options in ({}, {"players": 4, "trust_partner": "choose", "auto_sweep": False}):
        state = table(max_rounds=60, **options).deal(8)
        while not state.over:
            player = state.to_act[0]
            state.apply(player, int(default_action(state.record, player)))
        assert max(state.ranks) > 1


@pytest.mark.clause("WAR-12", "WAR-13")
def test_shuffles_draw_every_order_and_every_end():
    from fairdeal.games.war_xtreme.rules.kit.piles import shuffle_pile

    record = table().blank().record
    source = new(record.chance.dtype)
    chance.set_key(source, chance.key_of("ends"))
    record.chance = source
    found = Counter()
    for _ in range(600):
        cards = record.tax.cards
        cards[:2] = [0, 1]  # an Ace/Two and a King
        shuffle_pile(record, cards, 2)
        found[tuple(map(int, cards[:2]))] += 1
    assert set(found) == {(0, 1), (1, 0), (-3, 1), (1, -3)}
    assert min(found.values()) > 110


def test_the_position_on_the_page_can_be_set_up():
    """The position of section 5 is read, written unchanged, and played on."""
    text = specification("war-xtreme")
    position = json.loads(text.split("```json")[1].split("```")[0])
    state = fairdeal.load("war-xtreme").setup(position)
    written = {field: value for field, value in position.items() if field not in ("options", "seats", "wars")}
    assert written.items() <= state.position().items()
    assert list(state.moves(1)) == [f"recruit {slot}" for slot in range(1, 9)]
    state.play(1, "recruit 1")
    assert state.to_act == (0,)


def test_the_actions_that_a_race_calls_for_are_on_buttons():
    """WAR-18."""
    shouted = set()
    for state, _, where in random_states(fairdeal.load("war-xtreme", ask_extreme=False), "race", 1200):
        if phase_of(snapshot(state.record)) == "RACE":
            scene = state.scene(state.to_act[0])
            labels = {choice.label for choice in scene.choices}
            wanted = scene.prompt.text.removeprefix("Quick! ").removesuffix("!").split(" or ")
            assert set(wanted) <= labels, f"{where}: {wanted} are asked for, and the buttons are {labels}"
            shouted |= {*wanted}
    assert len(shouted) == 2


def test_catching_and_quarrels_stand_back_until_they_can_matter():
    """Accusations wait while no rival holds equipment, and quarrels always, as they bring bragging rights only (WAR-86,
    89)."""
    ranks = {"Catch a cheat": set(), "Quarrel": set()}
    for state, _, _ in random_states(fairdeal.load("war-xtreme", ask_extreme=False), "ranks", 300):
        for choice in state.scene(state.to_act[0]).choices:
            if choice.label in ranks:
                rivals = [seat for seat in range(state.players) if seat != state.to_act[0]]
                held = any(kit_count(snapshot(state.record), seat) for seat in rivals)
                ranks[choice.label].add((held, choice.rank))
    assert ranks["Catch a cheat"] == {(True, 0), (False, 1)}
    assert {rank for _, rank in ranks["Quarrel"]} == {1}
