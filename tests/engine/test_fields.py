"""Fields through which plain Python reads and writes the bytes of records."""

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.fields import fields_of, in_place, on_fields, structure_of
from fairdeal.engine.records import blank_array, i1, i2, new, pile, record, rule, u4

KIND = record(turn=i1, points=(i2, 3), hands=(pile(4), 2), word=u4)


def test_fields_and_their_record_share_every_value():
    state = new(KIND)
    fields = in_place(state, structure_of(KIND))
    fields.turn, fields.points[2], fields.word = -3, 700, 2**32 - 1
    fields.hands[1].cards[3] = 9
    assert (state.turn, state.points[2], state.word, state.hands[1].cards[3]) == (-3, 700, 2**32 - 1, 9)
    state.hands[0].length = 4
    assert fields.hands[0].length == 4
    assert bytes(fields) == state.tobytes()


def test_a_part_of_a_record_is_written_through_its_own_fields():
    state = new(KIND)
    fields_of(state.hands[1]).cards[2] = 7
    fields_of(state).points[:] = [1, 2, 3]
    assert state.hands[1].cards.tolist() == [0, 0, 7, 0]
    assert state.points.tolist() == [1, 2, 3]


def test_a_record_of_an_array_has_fields_of_its_own():
    states = blank_array(KIND, 3)
    in_place(states[1], structure_of(KIND)).turn = 5
    assert states["turn"].tolist() == [0, 5, 0]
    in_place(states[1].hands[1], structure_of(pile(4))).length = 2
    assert states[1].hands[1].length == 2
    array = in_place(states, structure_of(KIND))
    array[2] = array[1]
    assert states[2].tobytes() == states[1].tobytes()


def test_numbers_are_plain_integers_that_overflow_as_in_compiled_code():
    fields = in_place(new(KIND), structure_of(KIND))
    fields.turn = 100
    assert type(fields.turn) is int
    assert 1 << fields.turn == 2**100
    fields.turn += 100
    assert fields.turn == -56


def test_every_field_of_a_game_has_the_offset_and_size_that_numpy_gives_it(name):
    state = fairdeal.load(name).deal(1).record
    layout = structure_of(state.dtype)
    assert bytes(in_place(state, layout)) == state.tobytes()
    for field, (kind, offset) in state.dtype.fields.items():
        place = getattr(layout, field)
        assert (place.offset, place.size) == (offset, kind.itemsize), field


def test_a_rule_takes_a_record_and_changes_it():
    @rule
    def end_turn(state, steps, actions):
        state.turn += steps
        actions[0] = state.turn

    state, actions = new(KIND), np.zeros(1, np.int16)
    on_fields(end_turn, structure_of(KIND))(state, 3, actions)
    assert (state.turn, actions[0]) == (3, 3)


def test_a_field_of_floats_is_refused():
    with pytest.raises(TypeError, match="float64"):
        structure_of(np.dtype([("share", "f8")]))
