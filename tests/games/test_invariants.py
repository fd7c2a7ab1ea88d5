"""The invariants of our games: each finds a state that is broken on purpose."""

import random
from itertools import islice

import pytest

from fairdeal.engine.state import State
from fairdeal.testing.play import play_at_random, table_of
from tests.games.test_games import OurTests

TESTS = {tests.game: tests for tests in OurTests.__subclasses__()}


def first_card_is_the_second(pile):
    """Make the first card of a pile like another one."""
    other = next(i for i in range(1, int(pile.length)) if pile.cards[i] != pile.cards[0])
    pile.cards[0] = pile.cards[other]


def one_card_is_none(pile):
    pile.cards[0] = -1


def seen_twice(layout):
    """List a place twice among those that were turned up."""
    layout.seen.length = 2
    layout.seen.cards[0] = layout.seen.cards[1] = 5


def one_card_fewer(state):
    state.hands[0].length -= 1


def many_discarded(state):
    state.discard[3] += 20


def one_discarded(state):
    state.discard[3] += 1


def book_of_two_kinds(state):
    first_card_is_the_second(state.hands[0])


def card_in_the_pack(state):
    state.tied = 0
    state.pack.length = 1


def five_alike(state):
    state.pack.length = 5
    state.pack.cards[:5] = 3


def column_altered(state):
    first_card_is_the_second(state.stock[0])


def card_left_behind(deck):
    deck.cards[deck.army] = 1


BROKEN = {
    "chip-it, more copies than there are": ("chip-it", 10, many_discarded),
    "chip-it, a card too few": ("chip-it", 11, one_card_fewer),
    "chip-it, a card of no kind": ("chip-it", 11, lambda state: one_card_is_none(state.hands[0])),
    "chi, a discard too many": ("chi", 20, one_discarded),
    "chi, a card of the deck": ("chi", 20, lambda state: first_card_is_the_second(state.deck)),
    "chi, a card of no kind": ("chi", 20, lambda state: one_card_is_none(state.hands[1])),
    "chaos-ninjas, a discard too many": ("chaos-ninjas", 160, one_discarded),
    "chaos-ninjas, a card of the deck": ("chaos-ninjas", 160, lambda state: first_card_is_the_second(state.deck)),
    "chimax-match-2, a card of the layout": ("chimax-match-2", 70, lambda s: first_card_is_the_second(s.layout)),
    "chimax-match-3, a card of no kind": ("chimax-match-3", 70, lambda s: one_card_is_none(s.layout)),
    "chimax-match-2, a place twice": ("chimax-match-2", 76, lambda state: seen_twice(state.layout)),
    "chimax-order, a place twice": ("chimax-order", 121, lambda state: seen_twice(state.boards[0])),
    "chimax-fate, a place twice": ("chimax-fate", 150, lambda state: seen_twice(state.layout)),
    "chimax-books, a card of a hand": ("chimax-books", 142, book_of_two_kinds),
    "chimax-books, a pack of one card": ("chimax-books", 141, card_in_the_pack),
    "chimax-jackpot, a card of the stock": ("chimax-jackpot", 93, column_altered),
    "chimax-cut, five of a face": ("chimax-cut", 40, five_alike),
    "war-xtreme, a card between army and camp": ("war-xtreme", 212, lambda state: card_left_behind(state.decks[1])),
}


def moments(name: str) -> list[State]:
    """Return states of the first moves of a game."""
    state, chance = table_of(TESTS[name].the_game()).deal(3), random.Random(3)
    found = []
    while len(found) < 12 and not state.over:
        seat = state.to_act[0]
        state.play_actions(seat, chance.choice(list(islice(state.action_moves(seat), 50))))
        found.append(state.copy())
    return found


@pytest.mark.parametrize(("which", "code", "break_it"), BROKEN.values(), ids=BROKEN)
def test_a_broken_state_is_named_by_its_number(which, code, break_it):
    invariant, states = TESTS[which].invariant, moments(which)
    assert [invariant(state.record) for state in states] == [0] * len(states)
    assert len(states) > 2
    break_it(states[1].record)
    assert invariant(states[1].record) == code


def test_a_card_of_an_empty_seat_is_found_when_the_game_is_over():
    invariant, chance = TESTS["war-xtreme"].invariant, random.Random(3)
    state = table_of(TESTS["war-xtreme"].the_game()).deal(3)
    while not state.over:
        play_at_random(state, chance)
    assert invariant(state.record) == 0
    card_left_behind(state.record.decks[state.players])
    assert invariant(state.record) == 212
