"""CHIMAX: the deck of forty cards, and what ranks above what (GEN-01 to GEN-06)."""

import numpy as np

from fairdeal.engine.kit.piles import reverse, shuffle
from fairdeal.engine.records import Record, rule

# Faces, numbered as in the printed sequence (GEN-06): half 1 2 3 5 10 15 25 50 100 0 ? inf.
HALF = 0
FIFTEEN = 6
HUNDRED = 9
ZERO = 10
QUESTION = 11
INFINITY = 12
FACES = 13

DECLARED = 13
"""A question mark standing for a face is that face's number and this (GEN-02)."""

KINDS = 2 * FACES

CARDS = 40

EACH, MARKS = 3, 4
"""GEN-01: how many cards of each face there are, and how many question marks."""

COPIES = np.array([EACH] * 11 + [MARKS, EACH], np.int8)
"""The same by face."""

VALUES = 4
"""BOOKS-15: a question mark may be 15, 25, 50 or 100: the faces from FIFTEEN on."""

RANK = np.array(
    [2 * place + 2 for place in range(11)] + [3, 24] + [2 * place + 1 for place in range(11)] + [3, 23], np.int8
)
"""GEN-04, 05: the rank of each kind in a Book: `?v` just under the real `v`, a bare `?` between 1 and half."""


@rule
def face_of(card: int) -> int:
    """GEN-02: the face of a card that lies in a won pile: a declared question mark is a plain one again."""
    return QUESTION if card >= DECLARED else card


@rule
def stands_for(card: int) -> int:
    """The face that a card counts as where question marks may stand for others."""
    return card - DECLARED if card >= DECLARED else card


@rule
def fill_pack(pack: Record, copies: int, questions: int, chance: Record) -> None:
    """GEN-10: so many cards of each face, and so many question marks, shuffled uniformly."""
    pack.length = 0
    for face in range(FACES):
        for _ in range(questions if face == QUESTION else copies):
            pack.cards[pack.length] = face
            pack.length += 1
    shuffle(pack, chance)


@rule
def cut_pack(pack: Record, place: int) -> None:
    """GEN-11: the top `place` cards go under the rest. The top of a pack is its first card."""
    reverse(pack.cards, 0, place)
    reverse(pack.cards, place, pack.length)
    reverse(pack.cards, 0, pack.length)
