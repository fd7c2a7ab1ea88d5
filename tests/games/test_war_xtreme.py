"""WAR X-TREME: worked tests without a position, and clauses that no single position shows."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.rulebook import specification
from fairdeal.engine.state import setup_blank
from fairdeal.games.war_xtreme.state import phase_of
from fairdeal.games.war_xtreme.text.standing import kit_count
from fairdeal.testing.play import random_states

pytestmark = pytest.mark.skipif("war-xtreme" not in fairdeal.game_names(), reason="the game is not installed")


def table(**options):
    return fairdeal.load("war-xtreme", **{"ask_extreme": False} | options)


def seat(army, **others):
    return {"army": army.split()} | others


OWED = {
    0: 0,
    15: 0,
    16: 1,
    19: 1,
    20: 2,
    24: 2,
    25: 3,
    34: 4,
    39: 5,
    44: 6,
    49: 7,
    54: 8,
    55: 11,
    59: 11,
    60: 12,
    72: 14,
}


@pytest.mark.parametrize(("cards", "owed"), list(OWED.items()))
@pytest.mark.clause("WAR-67", "WAR-69")
def test_t69_tax_is_owed_by_the_count_of_cards(cards, owed):
    from fairdeal.games.war_xtreme.rules.taxes import owed_by_count
    from fairdeal.games.war_xtreme.state import CAP, FIFTH

    assert owed_by_count(cards, FIFTH) == owed
    assert owed_by_count(cards, CAP) == min(owed, 11)


@pytest.mark.parametrize(
    ("options", "tax", "store"),
    [({}, 6, 13), ({"players": 5}, 47, 40), ({"players": 5, "sets": [1, 2]}, 7, 25), ({"players": 8}, 48, 52)],
)
@pytest.mark.clause("WAR-04", "WAR-05")
def test_t70_the_deal(options, tax, store):
    """Thirteen cards and one piece of equipment each, eight slots, the rest to the middle."""
    position = table(**options).deal(1).position()
    assert [len(seat["army"]) for seat in position["seats"]] == [13] * len(position["seats"])
    assert [len(seat["hand"]) for seat in position["seats"]] == [1] * len(position["seats"])
    assert None not in position["slots"]
    assert (len(position["tax"]), len(position["store"])) == (tax, store)


@pytest.mark.clause("WAR-06")
def test_the_pack_is_dealt_from_its_top(monkeypatch):
    """Thirteen to seat 0, thirteen to seat 1, eight to the slots, the rest in order to the tax pile."""
    from fairdeal.games.war_xtreme.rules import setting_up

    shuffled = []

    def shuffle_and_tell(state, cards, size):
        shuffle_pile(state, cards, size)
        shuffled.extend(int(card) for card in cards[:size])

    shuffle_pile = setting_up.shuffle_pile
    monkeypatch.setattr(setting_up, "shuffle_pile", shuffle_and_tell)
    record = table(players=3).blank().record
    chance.set_key(record.chance, chance.key_of("deal"))
    setting_up.deal_in(record, 0b111)
    top_first = shuffled[::-1]
    assert len(set(top_first)) > 30
    armies = [list(map(int, record.decks[seat].cards[: record.decks[seat].army][::-1])) for seat in range(3)]
    assert armies == [top_first[:13], top_first[13:26], top_first[26:39]]
    assert list(map(int, record.slots)) == top_first[39:47]
    assert list(map(int, record.tax.cards[: record.tax.length][::-1])) == top_first[47:80]
    assert [len(armies[0]), int(record.tax.length)] == [13, 33]


@pytest.mark.clause("WAR-04")
def test_t70_too_few_sets_and_equal_ones_are_refused():
    for sets in ([1], [1, 1]):
        with pytest.raises(fairdeal.BadOption) as problem:
            table(players=5, sets=sets)
        assert "WAR-04" in problem.value.reason


@pytest.mark.clause("WAR-04", "WAR-09")
def test_t71_the_deal_holds_every_card_of_its_sets():
    """Section 3: forty cards a set, no secret among them; eight suits have two Tax, two Win, eight Speed, five War, two
    Joker, three Wild."""
    position = table(players=8).deal(2).position()
    cards = [card for seat in position["seats"] for card in seat["army"]] + position["slots"] + position["tax"]
    suits = Counter(card.split("/")[0] for card in cards)
    assert len(suits) == 8
    assert set(suits.values()) == {20}
    faces = Counter(card.split("/")[1] for card in cards)
    assert (faces["tax"], faces["win"], faces["speed"], faces["wild"], faces["joker"]) == (2, 2, 8, 3, 2)
    assert faces["K"] == 8
    assert faces["9:6"] + faces["6:9"] == 24


SPECIAL = ["robot/tax", "princess/win", "ninja/speed", "monster/war-all", "ninja/joker", "princess/wild"]
REGULAR = [f"ninja/{face}" for face in ("A:2", "K", "Q", "P", "J", 10, "9:6", "8:8", 7, "6:9", 5, 4, 3, "2:A")]
FALLING = [*SPECIAL, *REGULAR, "zombie/lose"]


@pytest.mark.clause("WAR-10", "WAR-12")
def test_the_cards_rank_from_tax_21_down_to_lose_1():
    from fairdeal.games.war_xtreme.rules.fight import card_rank

    state = table().setup({"round": 5, "seats": [seat(" ".join(FALLING)), seat("princess/3")]})
    army = state.record.decks[0].cards[: len(FALLING)][::-1]
    assert [card_rank(state.record, int(card)) for card in army] == list(range(21, 0, -1))


@pytest.mark.clause("WAR-10", "WAR-31")
@pytest.mark.parametrize(("higher", "lower"), list(pairwise([*REGULAR, "zombie/lose"])))
def test_the_higher_of_two_cards_takes_both(higher, lower):
    """Of a kind with no action of its own; one seat or the other."""
    lower = lower.replace("ninja", "princess")
    for winner in (0, 1):
        cards = (higher, lower) if winner == 0 else (lower, higher)
        state = table(equipment=False).setup({"round": 5, "seats": [seat(f"{card} ninja/3") for card in cards]})
        for player in (0, 1):
            state.play(player, "flip")
        assert [len(found["camp"]) for found in state.position()["seats"]] == ([2, 0] if winner == 0 else [0, 2])


@pytest.mark.clause("WAR-73", "WAR-83", "WAR-87")
def test_t72_where_it_is_enforced_a_due_card_is_all_that_is_legal():
    strict = table(must_play="enforced")
    position = {"round": 5, "seats": [seat("ninja/K ninja/3", hand=[15]), seat("princess/7 princess/4")]}
    assert list(strict.setup(position).moves(0)) == ["equip 15"]
    assert list(strict.setup(position | {"round": 1}).moves(0)) == ["flip", "dispute 1"]
    assert list(strict.setup(position).moves(1)) == ["flip", "dispute 0"]


@pytest.mark.clause("WAR-18", "WAR-19", "WAR-20")
def test_t73_a_seeded_race_is_won_by_each_equally_often():
    three = table(players=3, race="seeded", max_rounds=5)
    position = {
        "round": 5,
        "seats": [seat("monster/speed ninja/3"), seat("princess/4 princess/5"), seat("ninja/K ninja/5")],
    }
    wins, blank, source = Counter(), setup_blank(three, position), new(chance_record)
    for seed in range(1500):
        chance.set_key(source, chance.key_of(seed))
        state = blank.resample(source)
        for player in range(3):
            state.play(player, "flip")
        for player in (2, 0, 1):
            state.play(player, "act roar")
        wins.update(player for player in range(3) if state.position()["seats"][player]["camp"])
    assert sum(wins.values()) == 1500
    assert all(abs(wins[player] - 500) <= 71 for player in range(3))


@pytest.mark.clause("WAR-83", "WAR-84", "WAR-87")
@pytest.mark.parametrize("must_play", ["catch", "enforced"])
def test_a_rival_is_seldom_thought_to_hide_what_was_due(must_play):
    """Seat 1 has turned a card in this round: what was due would have been played, or it lies hidden."""
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
    """WAR-85, 86: what was hidden stays hidden, so that there is time."""
    rival = seat(
        "princess/4 princess/5 princess/7 princess/10 princess/K princess/Q princess/J princess/3 princess/8:8"
    )
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


@pytest.mark.clause("WAR-03")
def test_who_does_not_feel_extreme_is_not_dealt_in():
    """The sets are worked out for those left; fewer than two, and there is no game."""
    state = fairdeal.load("war-xtreme", players=4).deal(3)
    for player, answer in ((2, "yes"), (0, "no"), (3, "no"), (1, "yes")):
        assert state.view(2).position()["choices"].get("0", "?") == "?"
        state.play(player, answer)
    position = state.position()
    assert [len(seat["army"]) for seat in position["seats"]] == [0, 13, 13, 0]
    assert (position["marshal"], len(position["tax"]), position["acting"]) == (1, 6, [1, 2])
    alone = fairdeal.load("war-xtreme").deal(3)
    alone.play(0, "yes")
    alone.play(1, "no")
    assert alone.over
    assert alone.scores == (0, 0)


@pytest.mark.clause("WAR-07", "WAR-30")
def test_the_marshal_moves_left_after_every_round():
    """The cards turn when all have flipped."""
    state = table(players=3, equipment=False, trust=False).deal(5)
    first = state.position()["marshal"]
    state.play(1, "flip")
    assert state.position()["seats"][1]["flipped"]
    assert state.to_act == (0, 2)
    while state.position()["round"] == 1:
        player = state.to_act[0]
        state.play(player, state.game.write_move(state.record, player, state.legal_actions(player)[:1]))
    assert (first, state.position()["marshal"]) == (0, 1)


@pytest.mark.clause("WAR-08", "WAR-13", "WAR-72")
def test_armies_are_hidden_from_their_owners_too():
    """Camps are open; of equipment only the owner's own is."""
    state = table().deal(6)
    view = state.view(0).position()
    assert set(view["seats"][0]["army"]) == {"?"}
    assert set(view["tax"] + view["slots"]) == {"?"}
    assert view["seats"][0]["hand"] != ["?"]
    assert view["seats"][1]["hand"] == ["?"]


@pytest.mark.clause("WAR-75", "WAR-80")
def test_a_peek_is_seen_by_one_seat():
    """The Spyglass before the cards turn."""
    position = {"round": 5, "seats": [seat("ninja/K ninja/3", hand=[4]), seat("princess/7 princess/4")]}
    position |= {"slots": ["ninja/Q", *["zombie/3"] * 6, "ninja/J"], "tax": ["zombie/4"], "store": [1]}
    state = table(max_rounds=9).setup(position)
    state.play(0, "equip 4 on 8")
    assert state.view(0).position()["slots"] == ["ninja/Q", *["?"] * 6, "ninja/J"]
    assert state.view(1).position()["slots"] == ["?"] * 8
    assert state.position()["junk"] == [4]


@pytest.mark.clause("WAR-96")
def test_every_decision_has_a_default():
    """A game of defaults alone comes to an end, whatever is decided by default."""
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
    """Section 5: it is read, says the same of itself, and is played on."""
    text = specification("war-xtreme")
    position = json.loads(text[text.index("```json") + 7 : text.index("```", text.index("```json") + 7)])
    state = fairdeal.load("war-xtreme").setup(position)
    found = state.position()
    for field, value in position.items():
        if field not in ("options", "seats", "wars"):
            assert found[field] == value, field
    assert list(state.moves(1)) == [f"recruit {slot}" for slot in range(1, 9)]
    state.play(1, "recruit 1")
    assert state.to_act == (0,)


def test_what_a_race_shouts_is_what_a_button_says():
    """WAR-18."""
    shouted = set()
    for state, _, where in random_states(fairdeal.load("war-xtreme", ask_extreme=False), "race", 2500):
        if phase_of(snapshot(state.record)) == "RACE":
            scene = state.scene(state.to_act[0])
            labels = {choice.label for choice in scene.choices}
            wanted = scene.prompt.text.removeprefix("Quick! ").removesuffix("!").split(" or ")
            assert set(wanted) <= labels, f"{where}: {wanted} is shouted, and {labels} can be pressed"
            shouted |= {*wanted}
    assert len(shouted) == 2


def test_catching_and_quarrels_stand_back_until_they_can_matter():
    """WAR-86, 89: nobody can be caught where nobody holds equipment, and a quarrel is for bragging rights alone."""
    ranks = {"Catch a cheat": set(), "Quarrel": set()}
    for state, _, _ in random_states(fairdeal.load("war-xtreme", ask_extreme=False), "ranks", 300):
        for choice in state.scene(state.to_act[0]).choices:
            if choice.label in ranks:
                rivals = [seat for seat in range(state.players) if seat != state.to_act[0]]
                held = any(kit_count(snapshot(state.record), seat) for seat in rivals)
                ranks[choice.label].add((held, choice.rank))
    assert ranks["Catch a cheat"] == {(True, 0), (False, 1)}
    assert {rank for _, rank in ranks["Quarrel"]} == {1}
