"""CHIMAX: a single Book, in the game of Books and in playoffs: playing cards, declaring question marks, and finding the
winner."""

from fairdeal.engine.kit.piles import clear, push
from fairdeal.engine.options import codes_of
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chimax.deck import DECLARED, FACES, FIFTEEN, HUNDRED, INFINITY, QUESTION, RANK, VALUES, ZERO
from fairdeal.games.chimax.options import DeclareScope
from fairdeal.games.chimax.state import SEATS

SCOPES = codes_of(DeclareScope)
BY_TABLE, ONE_A_PLAYER, BY_BOOK = SCOPES["table_round"], SCOPES["one_value_per_player"], SCOPES["table_book"]
"""BOOKS-16: the scopes in which a value can be declared only once."""


@rule
def begin_trick(book: Record, leader: int) -> None:
    """Begin the next Book of a round."""
    for entry in range(book.length):
        book.seats[entry] = 0
        book.cards[entry] = 0
    for seat in range(SEATS):
        book.committed[seat] = EMPTY
    book.leader = leader
    book.length = 0
    book.settled = 0


@rule
def begin_first_trick(book: Record, leader: int) -> None:
    """Begin the first Book of a round, and clear the declared values."""
    begin_trick(book, leader)
    for seat in range(SEATS):
        clear(book.declared[seat])
        book.taps[seat] = 0


@rule
def lay(book: Record, seat: int, card: int) -> None:
    book.seats[book.length] = seat
    book.cards[book.length] = card
    book.length += 1


@rule
def to_declare(book: Record) -> int:
    """Return the first entry that must be declared now, or -1 (BOOKS-15, 17). A question mark without a free value
    stays bare."""
    while book.settled < book.length:
        entry = int(book.settled)
        if book.cards[entry] == QUESTION and free_values(book, book.seats[entry]) != 0:
            return entry
        book.settled += 1
    return -1


@rule
def free_values(book: Record, seat: int) -> int:
    """Return the values that a seat may declare, as a bit set whose lowest bit is 15 (BOOKS-16)."""
    every = (1 << VALUES) - 1
    if book.scope == BY_BOOK:
        used = 0
        for entry in range(book.length):
            if book.cards[entry] >= DECLARED:
                used |= 1 << (int(book.cards[entry]) - DECLARED - FIFTEEN)
        return every & ~used
    if book.scope == ONE_A_PLAYER:
        if book.declared[seat].length > 0:
            return 1 << (int(book.declared[seat].cards[0]) - FIFTEEN)
        return every
    used = 0
    for other in range(SEATS):
        if book.scope == BY_TABLE or other == seat:
            for i in range(book.declared[other].length):
                used |= 1 << (int(book.declared[other].cards[i]) - FIFTEEN)
    return every & ~used


@rule
def declare(book: Record, value: int) -> None:
    """Declare the waiting question mark as the face `value` steps above 15 (BOOKS-15), and count a Tap if it is higher
    than the question mark directly before it (BOOKS-21, 22)."""
    entry = int(book.settled)
    seat = book.seats[entry]
    face = FIFTEEN + value
    book.cards[entry] = DECLARED + face
    push(book.declared[seat], face)
    book.settled += 1
    if entry > 0 and book.cards[entry - 1] >= DECLARED and book.cards[entry - 1] < book.cards[entry]:
        book.taps[seat] += 1


@rule
def winning_entry(book: Record) -> int:
    """Return the entry of the highest card. Of equal cards, it is the one played first (BOOKS-12, 18 to 20)."""
    best = 0
    for entry in range(1, book.length):
        if strength(book, entry) > strength(book, best):
            best = entry
    return best


@rule
def strength(book: Record, entry: int) -> int:
    """Return the rank of a card in its Book. With `takes_book`, a real value outranks most other cards if a question
    mark was declared as that value (BOOKS-19)."""
    card = int(book.cards[entry])
    rank = int(RANK[card])
    if book.takes_book == 1 and FIFTEEN <= card <= HUNDRED:
        for other in range(book.length):
            if book.cards[other] == card + DECLARED:
                return rank + 2 * FACES
    if book.takes_book == 1 and card in (ZERO, INFINITY):
        return rank + 4 * FACES
    return rank
