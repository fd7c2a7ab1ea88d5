"""Chaos Ninjas: what is hidden from whom, and how it may lie (docs/rules/chi.md, part 2, section 4)."""

from __future__ import annotations

import numpy as np

from fairdeal.engine.chance import blank, rekey
from fairdeal.engine.piles import hide, shuffle_cards, spread
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, rule
from fairdeal.games.chi.ninjas.rules.attacks import clear_draft
from fairdeal.games.chi.ninjas.rules.hands import forget, hold, leave_hand
from fairdeal.games.chi.ninjas.rules.play import copies_in_deck
from fairdeal.games.chi.ninjas.state import CARDS, COUNTER, KINDS, WATCHING
from fairdeal.games.chi.state import ROW


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """CHI-05, NINJA-34: blank the other hands, the deck's order, another player's half-made attack, and chance. A
    perfect memory knows the cards that it has seen go to a hand and not leave it."""
    for seat in range(state.players):
        if seat == viewer:
            forget(state.hands[seat])
        elif recall:
            show_known(state.hands[seat], 1 << (viewer if viewer >= 0 else WATCHING))
        else:
            hide(state.hands[seat])
            forget(state.hands[seat])
    if viewer < 0 or not (state.to_act >> viewer) & 1:
        clear_draft(state)
    hide(state.deck)
    blank(state.chance)


@rule
def show_known(hand: Record, mine: int) -> None:
    """Only the cards that one viewer knows of stay; the unknown ones come first, as in every hand."""
    free = int(hand.length) - 1
    for place in range(int(hand.length) - 1, -1, -1):
        if int(hand.known[place]) & mine:
            hand.cards[free] = hand.cards[place]
            hand.known[free] = mine
            free -= 1
    for place in range(free + 1):
        hand.cards[place] = UNKNOWN
        hand.known[place] = 0


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the cards that are nowhere to be seen to the unknown places of hands and deck, and re-key chance."""
    unseen = np.empty(KINDS, np.int8)
    for kind in range(KINDS):
        unseen[kind] = copies_in_deck(state, kind) - int(state.discard[kind])
    for place in range(ROW):
        if state.row[place] >= 0:
            unseen[state.row[place]] -= 1
    for place in range(state.deck.length):
        if state.deck.cards[place] >= 0:
            unseen[state.deck.cards[place]] -= 1
    for seat in range(state.players):
        for place in range(state.areas[seat].length):
            unseen[state.areas[seat].cards[place]] -= 1
        for place in range(state.hands[seat].length):
            if state.hands[seat].cards[place] >= 0:
                unseen[state.hands[seat].cards[place]] -= 1
    for place in range(2):
        if state.duel.cards[place] != EMPTY:
            unseen[state.duel.cards[place]] -= 1
    unseen[COUNTER] -= state.duel.counters
    cards = np.empty(CARDS, np.int8)
    size = spread(unseen, cards)
    shuffle_cards(cards, size, source)
    for seat in range(state.players):
        while size > 0 and state.hands[seat].length > 0 and state.hands[seat].cards[0] == UNKNOWN:
            leave_hand(state.hands[seat], UNKNOWN)
            size -= 1
            hold(state.hands[seat], cards[size], 0)
    for place in range(state.deck.length):
        if state.deck.cards[place] == UNKNOWN and size > 0:
            size -= 1
            state.deck.cards[place] = cards[size]
    rekey(state.chance, source)
