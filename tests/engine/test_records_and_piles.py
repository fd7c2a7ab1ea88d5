"""Records, piles and hands."""

from collections import Counter

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.compile.compiler import called_rules, compile_rules, unchecked
from fairdeal.engine.compile.fingerprint import described_rule
from fairdeal.engine.fields import fields_of
from fairdeal.engine.kit import chance, piles
from fairdeal.engine.kit.sets import set_of, write_set
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.records import (
    EMPTY,
    UNKNOWN,
    blank_array,
    game_state,
    i1,
    i2,
    new,
    pile,
    record,
    restored,
    rule,
    u4,
)
from fairdeal.engine.records import chance as chance_record


def hand_of(*cards):
    hand = new(pile(8))
    for card in cards:
        piles.insert(hand, card)
    return hand


def test_a_record_has_no_padding_between_fields():
    assert record(a=i1, b=u4, c=i1, d=i2).itemsize == 8


def test_a_copy_is_the_same_to_the_last_byte(name):
    state = fairdeal.load(name).deal(seed=1)
    copies = blank_array(state.game.state, 1)
    for _ in range(20):
        copies[0] = state.record
        assert state.record.copy().tobytes() == copies[0].tobytes() == state.record.tobytes()


NATURAL = ("base", "size", "data", "item", "take", "round", "T", "held")


def test_a_field_may_be_called_like_an_attribute_of_numpy_records():
    kind = record(**dict.fromkeys(NATURAL, i2), flags=(i1, 3), seats=(record(size=i1, data=pile(2)), 2))
    state = new(kind)
    for value, name in enumerate(NATURAL, start=7):
        setattr(state, name, value)
    state.seats[1].data.length = state.flags[2] = 2
    for read in (state, restored(state.tobytes(), state.dtype), fields_of(state), snapshot(state)):
        assert [getattr(read, name) for name in NATURAL] == [*range(7, 7 + len(NATURAL))]
        assert (read.seats[1].data.length, read.flags[2]) == (2, 2)


@rule
def natural_sum(state):
    state.size += int(state.base) * 2
    state.seats[1].data.cards[1] = 5
    return int(state.size) + int(state.item) + int(state.seats[1].data.cards[1])


def test_compiled_rules_read_fields_of_natural_names_too():
    kind = record(base=i2, size=i2, item=i2, seats=(record(data=pile(2)), 2))
    plain, compiled = new(kind), new(kind)
    twin = compile_rules("natural", kind, {"sum": natural_sum}, {})["sum"]
    for state in (plain, compiled):
        state.base, state.size, state.item = 3, 4, 5
    assert natural_sum(plain) == twin(compiled) == 20
    assert plain.tobytes() == compiled.tobytes()


@pytest.mark.parametrize("word", ["dtype", "tobytes", "copy", "_hidden", "filler"])
def test_a_field_may_not_have_a_name_that_records_need(word):
    with pytest.raises(TypeError, match=f"cannot be called {word}: .* call it {word.lstrip('_')}_of"):
        record(**{word: i1})


def test_a_game_adds_its_own_fields_to_those_of_every_state():
    with pytest.raises(TypeError, match="every state already has a field over"):
        game_state(2, record(limit=i1), over=i1)
    with pytest.raises(TypeError, match="state cannot be called data; call it data_of"):
        game_state(2, record(limit=i1), data=i1)
    with pytest.raises(ValueError, match="1 to 15 seats, not 16"):
        game_state(16, record(limit=i1))
    assert game_state(15, record(limit=i1))["match"]["totals"].shape == (15,)


def test_nested_records_are_views_of_their_state():
    state = new(record(hands=(pile(4), 2)))
    piles.push(state.hands[1], 7)
    assert [int(hand.length) for hand in state.hands] == [0, 1]


def test_places_beyond_the_cards_of_a_pile_are_0():
    stack = new(pile(4))
    blank = stack.tobytes()
    for card in (3, 5):
        piles.push(stack, card)
    assert (int(piles.pop(stack)), int(piles.pop(stack))) == (5, 3)
    assert stack.tobytes() == blank
    hand = hand_of(5, 1, 9, 1, UNKNOWN)
    assert piles.remove(hand, 1)
    assert hand.cards.tolist() == [UNKNOWN, 1, 5, 9, 0, 0, 0, 0]


def test_every_order_of_three_cards_comes_up_equally_often():
    source, counts = new(chance_record), Counter()
    chance.set_key(source, chance.key_of(1))
    for _ in range(3000):
        cards = np.array([0, 1, 2])
        piles.shuffle_cards(cards, 3, source)
        counts[tuple(cards.tolist())] += 1
    assert len(counts) == 6
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 20.5


def test_a_set_holds_the_known_cards_of_a_pile_and_becomes_actions_in_order():
    row = new(pile(6))
    for card in (5, UNKNOWN, 2, EMPTY, 36):
        piles.push(row, card)
    assert set_of(row) == 1 << 2 | 1 << 5 | 1 << 36
    actions = np.array([7, 0, 0, 0, 0], np.int16)
    assert write_set(set_of(row), 100, actions, 1) == 4
    assert actions.tolist() == [7, 102, 105, 136, 0]
    assert write_set(0, 100, actions, 2) == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            lambda: piles.push(hand_of(*range(8)), 9),
            "card 9 does not fit: the pile has room for only 8 cards, and already has 8",
        ),
        (
            lambda: piles.insert(hand_of(*range(8)), 9),
            "card 9 does not fit: the pile has room for only 8 cards, and already has 8",
        ),
        (lambda: piles.pop(hand_of()), "no card to take: the pile is empty"),
        (lambda: piles.take(hand_of(1, 2), 2), "no card at place 2: the pile has 2, counted from 0"),
        (
            lambda: piles.spread(np.array([4, 5]), np.zeros(8)),
            "the deck does not fit: it has 9 cards, but there is room for 8",
        ),
        (lambda: piles.spread(np.array([4, -2]), np.zeros(8)), "card 1 is counted -2 times: 2 more are seen than"),
        (lambda: write_set(0b111, 0, np.zeros(4), 2), "too many actions: 5 are legal, but there is room for 4"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_plain_rules_name_the_number_that_is_too_large_or_too_small(wrong, words):
    with pytest.raises(IndexError, match=words):
        wrong()


def test_compiled_rules_do_without_these_checks():
    for function in (piles.push, piles.pop, piles.insert, piles.take, piles.spread, write_set):
        assert unchecked(function) is not function
        assert described_rule(unchecked(function), {"draw": 0, "take": 1, "find": 2})
    called = called_rules(piles.remove, {})
    assert called["take"] is unchecked(piles.take)
    twin = compile_rules("unchecked", pile(8), {"push": piles.push}, {})["push"]
    stack = new(pile(8))
    twin(stack, 3)
    assert (int(stack.length), int(stack.cards[0])) == (1, 3)


def test_a_pile_of_many_cards_has_room_for_their_number():
    stack = new(pile(200, i2))
    for card in range(200):
        piles.push(stack, card)
    assert (int(stack.length), int(piles.pop(stack))) == (200, 199)
    assert pile(127)["length"].itemsize == 1
