"""Which cards moved from one scene to the next: said for every viewer, and never more than they can see."""

import itertools
import random
from collections import Counter

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Card, Moved, Scene, Zone
from fairdeal.engine.travel import Side, moved


def scene_of(**zones):
    """A scene of zones whose cards are faces, `?` for a hidden one."""

    def cards(id, faces):
        return tuple(Card(f"{id}{n}", None if face == "?" else face, down=face == "?") for n, face in enumerate(faces))

    return Scene(
        "", "", 0, zones=tuple(Zone(id, "centre", "row", cards=cards(id, faces)) for id, faces in zones.items())
    )


def test_a_card_goes_from_zone_to_zone():
    moves, turned = moved(scene_of(hand="ab", table="c"), scene_of(hand="a", table="cb"))
    assert moves == (Moved("table1", "hand", "table", "hand1"),)
    assert turned == ()


def test_of_equal_cards_only_one_moved():
    moves, _ = moved(scene_of(hand="aaa", table="a"), scene_of(hand="aa", table="aa"))
    assert moves == (Moved("table1", "hand", "table", "hand2"),)


def test_a_hidden_card_is_played_openly():
    moves, _ = moved(scene_of(hand="???", table=""), scene_of(hand="??", table="b"))
    assert moves == (Moved("table0", "hand", "table", "hand2"),)


def test_a_card_that_was_taken_face_down_lay_where_there_is_a_gap_now():
    before = scene_of(layout="??a?", won="")
    layout = before.zones[0].cards
    taken = (layout[0], Card(layout[1].id, back="gap"), Card(layout[2].id, back="gap"), layout[3])
    won = (Card("won0", "a"), Card("won1", "a"))
    after = Scene(
        "", "", 0, zones=(Zone("layout", "centre", "grid", cards=taken), Zone("won", "own", "row", cards=won))
    )
    moves, turned = moved(before, after)
    assert sorted((move.was, move.origin, move.goal) for move in moves) == [
        ("layout1", "layout", "won"),
        ("layout2", "layout", "won"),
    ]
    assert turned == ()


def test_a_card_is_turned_up_where_it_lies():
    assert moved(scene_of(layout="???"), scene_of(layout="?b?")) == ((), ("layout1",))


def test_a_card_that_is_covered_has_not_moved():
    def pile(count, *faces):
        cards = tuple(Card(f"pile{n}", face) for n, face in enumerate(faces))
        hand = Zone("hand", "hand", "fan", cards=tuple(Card("h", "c") for _ in range(count == 2)))
        return Scene("", "", 0, zones=(Zone("pile", "centre", "stack", count=count, cards=cards), hand))

    moves, turned = moved(pile(2, "a", "b"), pile(3, "b", "c"))
    assert (moves, turned) == ((Moved("pile1", "hand", "pile", "h"),), ())


def test_nothing_moved_where_nothing_changed():
    assert moved(scene_of(hand="ab"), scene_of(hand="ba")) == ((), ())


def counted(scene):
    side = Side()
    for zone in scene.zones:
        side.add(zone, zone.cards)
    return Counter(side.counts)


def test_moves_account_for_what_zones_lost_and_gained(name):
    """Over a random game: carried out on the counts before, moves and turns never take what was not there."""
    dice, met = random.Random(name), 0
    state = fairdeal.load(name).deal(7)
    for _ in range(150):
        if state.over:
            break
        viewers = [SPECTATOR, *range(state.players)]
        before = {viewer: state.scene(viewer) for viewer in viewers}
        seat = dice.choice(state.to_act)
        state.play(seat, dice.choice(list(itertools.islice(state.moves(seat), 40))))
        for viewer in viewers:
            after = state.scene(viewer)
            lost = counted(before[viewer]) - counted(after)
            moves, turned = moved(before[viewer], after)
            met += len(moves) + len(turned)
            ids = {card.id: zone.id for zone in after.zones for card in zone.cards}
            assert all(ids[move.card] == move.goal for move in moves if move.card)
            assert all(move.origin != move.goal for move in moves)
            assert len({move.card for move in moves if move.card}) == sum(bool(move.card) for move in moves)
            for zone in {move.origin for move in moves}:
                left = sum(number for (place, _), number in lost.items() if place == zone)
                assert sum(move.origin == zone for move in moves) <= left
    assert met > 20, met
