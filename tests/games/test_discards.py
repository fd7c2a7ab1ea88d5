"""Discard piles: the card that lies on top is the one that came last, though the rules keep no order."""

from collections import Counter

import pytest
from msgspec import structs

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Card, Scene, Zone
from fairdeal.engine.scene.open_piles import followed, in_order
from fairdeal.table.log import Player, read_log
from fairdeal.table.sitting import Sitting, replay

GAMES = {"chi": 2, "chaos-ninjas": 3, "chip-it": 3}


def scene_of(*faces):
    """A scene with one heap, in the order of kinds, as a state draws it."""
    cards = tuple(Card(f"{face}.{number}", face) for number, face in enumerate(sorted(faces)))
    return Scene("", "", 0, zones=(Zone("heap", "centre", "stack", cards=cards, count=len(cards), heap=True),))


def order_after(*moments):
    order = {}
    for faces in moments:
        order = followed(order, scene_of(*faces))
    return "".join(order["heap"])


def test_what_came_last_lies_on_top():
    assert order_after("", "c", "ca", "cab") == "cab"
    assert order_after("b", "ba", "bab") == "bab"


def test_cards_that_came_together_lie_in_the_order_of_their_kinds():
    assert order_after("c", "cab") == "cab"
    assert order_after("z", "zcb") == "zbc"


def test_what_is_taken_away_leaves_the_others_as_they_lay():
    assert order_after("c", "ca", "cab", "cb") == "cb"
    assert order_after("c", "ca", "", "b") == "b"


def test_a_heap_that_is_spread_out_for_a_viewer_keeps_its_order():
    order = followed(followed({}, scene_of(*"c")), scene_of(*"ca"))
    spread = scene_of(*"cab")
    spread = structs.replace(spread, zones=(structs.replace(spread.zones[0], heap=False),))
    assert followed(followed(order, spread), scene_of(*"cabd"))["heap"] == tuple("cabd")


def test_a_heap_is_drawn_in_its_order_and_cards_keep_their_names():
    lying = in_order(scene_of(*"cab").zones[0], "bca").cards
    assert [card.face for card in lying] == ["b", "c", "a"]
    assert {card.id for card in lying} == {card.id for card in scene_of(*"cab").zones[0].cards}


def test_cards_that_nobody_knows_the_order_of_are_newer_than_the_others():
    assert [card.face for card in in_order(scene_of(*"cab").zones[0], "c").cards] == ["c", "a", "b"]


def pile(sitting, viewer=SPECTATOR, number=None):
    """What lies in the discard pile, the newest last; None where it is spread out for somebody who takes from it."""
    scene = sitting.scene(viewer) if number is None else sitting.drawn(number, viewer)
    zone = next(zone for zone in scene.zones if zone.id == "discard")
    return [card.face for card in zone.cards] if zone.heap else None


def played(game, moves, watch=lambda sitting: None):
    """A game of bots that have no plan."""
    players = [Player(f"P{seat}", "random") for seat in range(GAMES[game])]
    sitting = Sitting.open(fairdeal.load(game, players=GAMES[game]), players, seed="1")
    while not sitting.over and sitting.moves_made < moves:
        sitting.play_bot(sitting.state.to_act[0])
        watch(sitting)
    return sitting


@pytest.mark.parametrize("game", GAMES)
def test_the_newest_card_is_one_that_the_last_discard_brought(game):
    newest, last, mixed = None, Counter(), 0

    def watch(sitting):
        nonlocal newest, last, mixed
        cards = pile(sitting)
        assert all(card.face and not card.down for z in sitting.scene(0).zones if z.heap for card in z.cards)
        came = Counter(cards) - last
        if came:
            assert cards[-1] in came
            mixed += sorted(cards)[-1] != cards[-1]
        elif cards:
            assert newest == cards[-1] or last - Counter(cards)
        newest, last = (cards or [None])[-1], Counter(cards)
        assert all(seen in (None, cards) for seen in (pile(sitting, seat) for seat in range(GAMES[game])))

    played(game, 60, watch)
    assert mixed > 3, "the order of kinds would do"


@pytest.mark.parametrize("game", GAMES)
def test_the_order_is_the_same_after_reload_after_take_back_and_in_a_replay(game):
    orders = []
    sitting = played(game, 40, lambda sitting: orders.append(pile(sitting)))
    moves = sitting.moves_made
    again = replay(read_log(sitting.log.text()), sitting.seed)
    assert pile(again) == orders[-1]
    assert [pile(again, number=number) for number in range(moves, 0, -1)] == orders[::-1]
    assert sum(len(order) > 2 for order in orders) > 5
    back = moves // 2
    for _ in range(moves - back):
        sitting.take_back()
    assert pile(sitting) == orders[back - 1]
    while sitting.moves_made < moves and not sitting.over:
        sitting.play_bot(sitting.state.to_act[0])
    assert pile(sitting) == pile(replay(read_log(sitting.log.text()), sitting.seed)) != orders[-1]
    assert len(sitting.heaps.known) < 6
