"""CHI: what is hidden from whom, and how it may lie (docs/rules/chi.md, part 1, section 4)."""

from __future__ import annotations

import numpy as np

from fairdeal.engine.chance import blank, rekey
from fairdeal.engine.piles import clear, hide, insert, name_unknown, shuffle_cards, spread, take
from fairdeal.engine.records import UNKNOWN, Record, rule
from fairdeal.games.chi.state import CARDS, CHI, DUEL, IN_DECK, KINDS, PAIR_OF_3, ROW, SEATS, YANG_3, YIN


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """CHI-03, 05: blank the other hands, the deck's order and chance. A perfect memory still knows the cards that
    were taken from the row and have not been played since."""
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
    """Deal the cards that are nowhere to be seen to the unknown places of hands and deck, and re-key chance."""
    unseen = np.empty(KINDS, np.int8)
    for kind in range(KINDS):
        unseen[kind] = int(IN_DECK[state.options.yang_layout, kind]) - int(state.discard[kind])
    for place in range(ROW):
        if state.row[place] >= 0:
            unseen[state.row[place]] -= 1
    for i in range(state.deck.length):
        if state.deck.cards[i] >= 0:
            unseen[state.deck.cards[i]] -= 1
    for seat in range(SEATS):
        for i in range(state.areas[seat].length):
            stack = int(state.areas[seat].cards[i])
            if stack >= PAIR_OF_3:
                unseen[YANG_3 + stack - PAIR_OF_3] -= 2
            else:
                unseen[YANG_3 + stack] -= 1
        for i in range(state.hands[seat].length):
            if state.hands[seat].cards[i] >= 0:
                unseen[state.hands[seat].cards[i]] -= 1
    if state.phase == DUEL:
        unseen[YIN + int(state.duel.colour)] -= 1
        unseen[CHI] -= state.duel.counters
    cards = np.empty(CARDS, np.int8)
    size = spread(unseen, cards)
    shuffle_cards(cards, size, source)
    for seat in range(SEATS):
        size = name_unknown(state.hands[seat], cards, size)
    for i in range(state.deck.length):
        if state.deck.cards[i] == UNKNOWN and size > 0:
            size -= 1
            state.deck.cards[i] = cards[size]
    rekey(state.chance, source)
