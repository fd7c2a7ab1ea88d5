"""Discard piles: the newest card lies on top, although the rules store no order."""

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
    """Return a scene with one open pile in the order of kinds, as a state draws it."""
    cards = tuple(Card(f"{face}.{number}", face) for number, face in enumerate(sorted(faces)))
    return Scene("", "", 0, zones=(Zone("heap", "centre", "stack", cards=cards, count=len(cards), heap=True),))


ORDERS = {
    "the newest is on top": (["", "c", "ca", "cab"], "cab"),
    "the newest is on top of one that was there": (["b", "ba", "bab"], "bab"),
    "cards that came together lie in the order of their kinds": (["c", "cab"], "cab"),
    "cards that came together lie on those that were there": (["z", "zcb"], "zbc"),
    "cards below one that is taken away stay": (["c", "ca", "cab", "cb"], "cb"),
    "a new pile has a new order": (["c", "ca", "", "b"], "b"),
}


@pytest.mark.parametrize(("moments", "wanted"), ORDERS.values(), ids=ORDERS)
def test_an_open_pile_lies_in_the_order_in_which_its_cards_came(moments, wanted):
    order = {}
    for faces in moments:
        order = followed(order, scene_of(*faces))
    assert "".join(order["heap"]) == wanted


def test_a_heap_that_is_spread_out_for_a_viewer_keeps_its_order():
    order = followed(followed({}, scene_of(*"c")), scene_of(*"ca"))
    spread = scene_of(*"cab")
    spread = structs.replace(spread, zones=(structs.replace(spread.zones[0], heap=False),))
    assert followed(followed(order, spread), scene_of(*"cabd"))["heap"] == tuple("cabd")


def test_a_heap_is_drawn_in_its_order_and_cards_keep_their_names():
    lying = in_order(scene_of(*"cab").zones[0], "bca").cards
    assert [card.face for card in lying] == ["b", "c", "a"]
    assert {card.id for card in lying} == {card.id for card in scene_of(*"cab").zones[0].cards}


def test_cards_without_a_known_order_lie_on_top():
    assert [card.face for card in in_order(scene_of(*"cab").zones[0], "c").cards] == ["c", "a", "b"]


def pile(sitting, viewer=SPECTATOR, number=None):
    """Return the discard pile, newest last; None if it is spread out for a viewer who takes from it."""
    scene = sitting.scene(viewer) if number is None else sitting.drawn(number, viewer)
    zone = next(zone for zone in scene.zones if zone.id == "discard")
    return [card.face for card in zone.cards] if zone.heap else None


def played(game, moves, watch=lambda sitting: None):
    """Return a game of random bots."""
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
        heaps = [zone for zone in sitting.scene(0).zones if zone.heap]
        assert [card for heap in heaps for card in heap.cards if card.down or not card.face] == []
        came = Counter(cards) - last
        if came:
            assert cards[-1] in came
            mixed += sorted(cards)[-1] != cards[-1]
        elif cards:
            assert newest == cards[-1] or last - Counter(cards)
        newest, last = (cards or [None])[-1], Counter(cards)
        seen = [pile(sitting, seat) for seat in range(GAMES[game])]
        assert [other for other in seen if other not in (None, cards)] == [], "a seat sees another order"

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
