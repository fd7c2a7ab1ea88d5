"""CHI: the greedy bot. It sees a concealed state only.

It counts in tenths of a point. Every legal action gets a value: the points it brings or takes from the other player,
what the cards it moves are worth for later turns, and, where it ends the game or is the last action of it, who wins.
"""

from __future__ import annotations

from fairdeal.engine.records import Record, rule
from fairdeal.games.chi.rules import score, stacks_of
from fairdeal.games.chi.state import (
    CHI,
    CHI_CARDS,
    ROW,
    SINGLE_3,
    SINGLE_6,
    STICKY,
    YANG_3,
    YANG_6,
    YIN,
)

POINT = 10
THREE = 3 * POINT
SIX = 6 * POINT
WIN = 1000
"""What a game won for certain is worth next to points."""

# What cards are worth in hand, beyond the point that every card counts.
CHI_WORTH = 45
SPARE_CHI = 30
PAIR_IN_PLAY = 38
PAIR_IN_HAND = 30
LONE_3 = 14
FREE_6 = 42
SECOND_6 = 8
AIMED_AT_6 = 50
AIMED_AT_3 = 28
IDLE_YIN = 6
GUARD_6 = 12
GUARD_3 = 6

DANGER_6 = 8
DANGER_3 = 4
"""What a stack in play loses in value for each Yin that may yet attack it."""

DECK_DRAW = 16
TEMPO = 12
"""A card now is worth more than one later: what drawing falls short of acting."""

THIN_HAND = 12
SAFE_LEAD = 6
"""Points ahead at which giving the other player his last turn is no danger."""


@rule
def held(state: Record, player: int, kind: int) -> int:
    """How many cards of a kind a player sees in his hand."""
    count = 0
    hand = state.hands[player]
    for place in range(hand.length):
        count += hand.cards[place] == kind
    return count


@rule
def unseen_yin(state: Record, player: int, colour: int) -> int:
    """How many Yin of a colour the other player holds or may yet draw."""
    return 2 - int(state.discard[YIN + colour]) - held(state, player, YIN + colour)


@rule
def has_stack(state: Record, player: int, stack: int) -> bool:
    return (stacks_of(state.areas[player]) >> stack) & 1 == 1


@rule
def yin_worth(state: Record, player: int, colour: int) -> int:
    """A Yin is worth its targets, and a little for each of the own stacks that it can no longer harm."""
    worth = IDLE_YIN
    if has_stack(state, 1 - player, SINGLE_6 + colour):
        worth += AIMED_AT_6
    elif has_stack(state, 1 - player, SINGLE_3 + colour):
        worth += AIMED_AT_3
    if has_stack(state, player, SINGLE_6 + colour):
        worth += GUARD_6
    elif has_stack(state, player, SINGLE_3 + colour):
        worth += GUARD_3
    return worth


@rule
def three_worth(state: Record, player: int, kind: int, others: int) -> int:
    """A 3 is worth most as the second of a stack of two."""
    if has_stack(state, player, SINGLE_3 + kind - YANG_3):
        return PAIR_IN_PLAY
    if others > 0:
        return PAIR_IN_HAND
    return LONE_3


@rule
def six_worth(state: Record, player: int, colour: int, others: int) -> int:
    """A 6 is worth most while no other of its colour is there (CHI-33)."""
    if others > 0 or has_stack(state, player, SINGLE_6 + colour):
        return SECOND_6
    return FREE_6 - DANGER_6 * unseen_yin(state, player, colour) // 2


@rule
def worth(state: Record, player: int, kind: int, others: int) -> int:
    """What a card is worth in a hand that holds so many others of its kind."""
    if kind == CHI:
        return CHI_WORTH if others == 0 else SPARE_CHI
    if kind >= YANG_6:
        return six_worth(state, player, kind - YANG_6, others)
    if kind >= YANG_3:
        return three_worth(state, player, kind, others)
    return yin_worth(state, player, kind) if others == 0 else yin_worth(state, player, kind) // 2


@rule
def is_last_action(state: Record, player: int) -> bool:
    """CHI-60, 61, 65: does the game end with this turn, whatever is done?"""
    if state.turn == state.match.first:
        return False
    if state.turn_no >= state.options.turn_limit:
        return True
    return state.last_turn == 1 and state.options.end_trigger == STICKY


@rule
def lead(state: Record, player: int) -> int:
    return score(state, player) - score(state, 1 - player)


@rule
def chi_risk(state: Record, player: int) -> int:
    """The chance in percent that the other player holds a Chi, roughly."""
    unseen = CHI_CARDS - int(state.discard[CHI]) - held(state, player, CHI) - int(state.duel.counters)
    for place in range(ROW):
        unseen -= state.row[place] == CHI
    cards = int(state.hands[1 - player].length)
    if unseen <= 0 or cards < 2:
        return 0
    return min(90, 100 * unseen * cards // (int(state.deck.length) + cards))
