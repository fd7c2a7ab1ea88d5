"""CHI: conceal a state from a viewer, and resample the concealed parts (docs/rules/chi.md, part 1, section 4)."""

import numpy as np

from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.hidden import count_off, fill, fill_hand, shuffle_unseen
from fairdeal.engine.kit.piles import clear, hide, insert, take
from fairdeal.engine.records import Record, rule
from fairdeal.games.chi.state import CARDS, CHI, DUEL, IN_DECK, KINDS, PAIR_OF_3, ROW, SEATS, YANG_3, YIN


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """CHI-03, 05: blank the other hands, the order of the deck and the random generator.

    With `recall`, the viewer still knows the cards in a hand that were taken from the row.
    """
    for seat in range(SEATS):
        if seat != viewer:
            hide(state.hands[seat])
            if recall:
                for i in range(state.seen[seat].length):
                    take(state.hands[seat], 0)
                    insert(state.hands[seat], state.seen[seat].cards[i])
        if not recall:
            clear(state.seen[seat])
    hide(state.deck)
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the unseen cards at random to the unknown places of hands and deck, and re-key the random generator."""
    unseen, cards = np.empty(KINDS, np.int8), np.empty(CARDS, np.int8)
    for kind in range(KINDS):
        unseen[kind] = int(IN_DECK[state.options.yang_layout, kind]) - int(state.discard[kind])
    count_off(unseen, state.row, ROW)
    count_off(unseen, state.deck.cards, state.deck.length)
    for seat in range(SEATS):
        count_off(unseen, state.hands[seat].cards, state.hands[seat].length)
        for i in range(state.areas[seat].length):
            stack = int(state.areas[seat].cards[i])
            if stack >= PAIR_OF_3:
                unseen[YANG_3 + stack - PAIR_OF_3] -= 2
            else:
                unseen[YANG_3 + stack] -= 1
    if state.phase == DUEL:
        unseen[YIN + int(state.duel.colour)] -= 1
        unseen[CHI] -= state.duel.counters
    size = shuffle_unseen(unseen, cards, source)
    for seat in range(SEATS):
        size = fill_hand(state.hands[seat], cards, size)
    fill(state.deck.cards, state.deck.length, cards, size)
    rekey(state.chance, source)
