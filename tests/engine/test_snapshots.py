"""Snapshots: the plain values that words and pictures read."""

import msgspec

import fairdeal
from fairdeal.engine.fields import fields_of
from fairdeal.engine.game import READERS, Game
from fairdeal.engine.kit.snapshots import Snapshot, reading, snapshot
from fairdeal.engine.records import game_state, i1, i2, i4, new, pile, record
from fairdeal.engine.registry import find_game

KIND = game_state(3, record(limit=i2), turn=i1, hands=(pile(4), 2), far=i4, row=(i1, 3))

DEFAULTS = {
    **{
        "limit": 0,
        "tempo": (0, 0),
        "in_window": False,
        "could_be_asked": None,
        "standing": (),
        "say_move": "",
        "picks_of": [1],
    },
    "tapped": "other",
}
"""Values that functions return which a game does not define."""


def test_a_snapshot_holds_plain_numbers():
    state = new(KIND)
    state.options.limit, state.far, state.row[1] = 300, -(2**31), 7
    shown = snapshot(state)
    assert [type(one) for one in (shown.turn, shown.options.limit, shown.far, shown.row[1])] == [int] * 4
    assert (shown.options.limit, shown.far, shown.row) == (300, -(2**31), [0, 7, 0])
    assert shown["far"] == shown.far


def test_a_snapshot_lists_the_cards_of_piles_and_the_seats_that_may_act():
    state = new(KIND)
    state.hands[1].cards[:2], state.hands[1].length, state.to_act = (5, 9), 2, 0b101
    shown = snapshot(state)
    assert [hand.held for hand in shown.hands] == [[], [5, 9]]
    assert shown.acting == (0, 2)


def test_a_snapshot_does_not_change_and_is_its_own_snapshot():
    state = new(KIND)
    shown = snapshot(state)
    state.turn = 2
    assert shown.turn == 0
    assert snapshot(shown) is shown


def test_the_fields_of_a_record_give_the_same_snapshot():
    state = new(KIND)
    fields = fields_of(state)
    fields.options.limit, fields.hands[1].length, fields.hands[1].cards[0] = 300, 1, 9
    shown = snapshot(fields)
    assert (shown.options.limit, shown.hands[1].held) == (300, [9])
    assert msgspec.structs.asdict(shown.match) == msgspec.structs.asdict(snapshot(state).match)
    assert snapshot(fields.hands[1]).held == [9]


def test_reading_functions_get_snapshots_instead_of_records_and_other_values_unchanged():
    shown = snapshot(new(KIND))
    first, *others = reading(lambda *arguments: arguments)(new(KIND), 3, "text", shown, [1])
    assert isinstance(first, Snapshot)
    assert others == [3, "text", shown, [1]]


def test_the_readers_of_a_game_follow_from_its_fields():
    assert len(READERS) == 16
    assert {*DEFAULTS, "happened", "scene", "pick"} < READERS
    assert not {"read_position", "windows", "greedy", "faces"} & READERS


def test_no_reader_of_a_game_is_given_a_record(name):
    for reader in READERS:
        wrapped = getattr(find_game(name), reader)
        if wrapped is getattr(Game, reader, None):
            given = [None] * (wrapped.__code__.co_argcount - 1) + [[1]]
            assert wrapped(*given) == DEFAULTS[reader]
        else:
            assert hasattr(wrapped, "__wrapped__"), f"{name}.{reader} is not `reading`"


def test_a_position_is_written_from_a_snapshot(name):
    state = fairdeal.load(name).deal(1)
    shown = snapshot(state.record)
    assert state.position() == {"game": name, "options": state.position()["options"]} | state.game.write_position(shown)
