"""Chaos Ninjas: conceal a state from a viewer and resample it (docs/rules/chi.md, part 2, section 4)."""

import numpy as np

from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.hidden import count_off, fill, next_card, shuffle_unseen
from fairdeal.engine.kit.piles import hide
from fairdeal.engine.records import UNKNOWN, Record, rule
from fairdeal.games.chi.ninjas.rules.attacks import clear_draft
from fairdeal.games.chi.ninjas.rules.hands import forget, hold, leave_hand
from fairdeal.games.chi.ninjas.rules.play import copies_in_deck
from fairdeal.games.chi.ninjas.state import CARDS, COUNTER, KINDS, WATCHING
from fairdeal.games.chi.state import ROW


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """CHI-05, NINJA-34: blank the other hands, the order of the deck, another player's unfinished attack and the random
    generator.

    With `recall`, the viewer still knows the cards that it has seen enter a hand but not leave it.
    """
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
    """Blank the cards of a hand that the viewer does not know, and move them to the front.

    `mine` is a bit set with only the viewer.
    """
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
    """Deal the unseen cards at random to the unknown places of hands and deck, and re-key the random generator."""
    unseen, cards = np.empty(KINDS, np.int8), np.empty(CARDS, np.int8)
    for kind in range(KINDS):
        unseen[kind] = copies_in_deck(state, kind) - int(state.discard[kind])
    count_off(unseen, state.row, ROW)
    count_off(unseen, state.deck.cards, state.deck.length)
    for seat in range(state.players):
        count_off(unseen, state.areas[seat].cards, state.areas[seat].length)
        count_off(unseen, state.hands[seat].cards, state.hands[seat].length)
    count_off(unseen, state.duel.cards, 2)
    unseen[COUNTER] -= state.duel.counters
    size = shuffle_unseen(unseen, cards, source)
    for seat in range(state.players):
        while size > 0 and state.hands[seat].length > 0 and state.hands[seat].cards[0] == UNKNOWN:
            leave_hand(state.hands[seat], UNKNOWN)
            size -= 1
            hold(state.hands[seat], next_card(cards, size), 0)
    fill(state.deck.cards, state.deck.length, cards, size)
    rekey(state.chance, source)
