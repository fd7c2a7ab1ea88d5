"""CHIMAX: hidden information of the tournament layer, and how unknown cards are filled in at random."""

import numpy as np

from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.hidden import fill, shuffle_unseen
from fairdeal.engine.kit.piles import hide
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, rule
from fairdeal.games.chimax.deck import CARDS, EACH, FACES, MARKS, QUESTION, face_of
from fairdeal.games.chimax.state import PLAYOFF, SEATS


@rule
def conceal_table(state: Record, viewer: int) -> None:
    """Hide the RNG, the pack, and the cards of a playoff that have not been played yet."""
    blank(state.chance)
    hide(state.pack)
    if state.phase != PLAYOFF:
        return
    for seat in range(SEATS):
        if state.ones[seat] != EMPTY and not (seat == viewer and state.book.peek == 1):
            state.ones[seat] = UNKNOWN


# --- counting faces ----------------------------------------------------------------------------------------------


@rule
def count_deck(left: Record, copies: int, questions: int) -> None:
    """Count a deck by face: `copies` cards of each face and `questions` question marks (GEN-01)."""
    for face in range(FACES):
        left[face] = questions if face == QUESTION else copies


@rule
def take_from(left: Record, card: int) -> None:
    """Subtract a known card from the counts, if any of its face are left."""
    if card >= 0 and left[face_of(card)] > 0:
        left[face_of(card)] -= 1


@rule
def take_all(left: Record, pile: Record) -> None:
    """Subtract the known cards of a pile from the counts."""
    for i in range(pile.length):
        take_from(left, pile.cards[i])


@rule
def take_visible(state: Record, left: Record) -> None:
    """Subtract the visible cards of the tournament layer from the counts of a whole deck."""
    take_all(left, state.pack)
    take_all(left, state.book)
    for seat in range(SEATS):
        if state.phase == PLAYOFF and state.ones[seat] != EMPTY:
            take_from(left, state.ones[seat])


# --- dealing what is not seen ------------------------------------------------------------------------------------


@rule
def fill_table(state: Record, faces: Record, size: int) -> None:
    """Deal shuffled faces to the unknown places of the pack and of the playoff cards."""
    size = fill(state.pack.cards, state.pack.length, faces, size)
    fill(state.ones, SEATS, faces, size)


@rule
def resample_table(state: Record, copies: int, questions: int, source: Record) -> None:
    """Fill in the unknown cards of the pack and the playoff at random, and reseed the RNG (GEN-15, TOUR-07).

    The pack has `copies` cards of each face. A playoff is counted separately, as a whole deck, because cards dealt
    before it may still lie on the table.
    """
    left, faces = np.empty(FACES, np.int8), np.empty(CARDS, np.int8)
    playoff = state.phase == PLAYOFF
    count_deck(left, EACH if playoff else copies, MARKS if playoff else questions)
    take_visible(state, left)
    fill_table(state, faces, shuffle_unseen(left, faces, source))
    rekey(state.chance, source)
