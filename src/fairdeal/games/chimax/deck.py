"""CHIMAX: the deck of forty cards, and its rank order (GEN-01 to GEN-06)."""

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
"""GEN-02: offset of declared question marks. A question mark declared as a face has the number of that face plus
DECLARED."""

KINDS = 2 * FACES

CARDS = 40

EACH, MARKS = 3, 4
"""GEN-01: number of cards of each face, and number of question marks."""

COPIES = np.array([EACH] * 11 + [MARKS, EACH], np.int8)
"""Number of cards by face."""

VALUES = 4
"""BOOKS-15: number of values that a question mark may be declared as. They are 15, 25, 50 and 100, starting at the face
FIFTEEN."""

RANK = np.array(
    [2 * place + 2 for place in range(11)] + [3, 24] + [2 * place + 1 for place in range(11)] + [3, 23], np.int8
)
"""GEN-04, 05: the rank of each kind in a Book. `?v` is just below the real `v`, and an undeclared `?` is between 1 and
half."""


@rule
def face_of(card: int) -> int:
    """Return the face of a card in a won pile, where a declared question mark is an ordinary one again (GEN-02)."""
    return QUESTION if card >= DECLARED else card


@rule
def stands_for(card: int) -> int:
    """Return the face that a card counts as, which is the declared one for a declared question mark."""
    return card - DECLARED if card >= DECLARED else card


@rule
def fill_pack(pack: Record, copies: int, questions: int, chance: Record) -> None:
    """Fill the pack with `copies` cards of each face and `questions` question marks, and shuffle it (GEN-10)."""
    pack.length = 0
    for face in range(FACES):
        for _ in range(questions if face == QUESTION else copies):
            pack.cards[pack.length] = face
            pack.length += 1
    shuffle(pack, chance)


@rule
def cut_pack(pack: Record, place: int) -> None:
    """Move the top `place` cards under the other cards (GEN-11). The top of a pack is its first card."""
    reverse(pack.cards, 0, place)
    reverse(pack.cards, place, pack.length)
    reverse(pack.cards, 0, pack.length)
