"""CHIMAX JACKPOT: the lines of the columns, and the lines that are Books (JACK-06 to 10)."""

from fairdeal.engine.records import Record, rule
from fairdeal.games.chimax.deck import DECLARED, FACES, INFINITY, QUESTION, stands_for
from fairdeal.games.chimax.jackpot.state import ACROSS, ALLOWED, AT_CLAIM, COMPLETING, REELS, WILD


@rule
def has_line(state: Record, line: int) -> bool:
    """Return whether a line has three cards (JACK-08)."""
    if line != ACROSS:
        return state.columns[line - 1].length >= 3
    for reel in range(REELS):
        if state.columns[reel].length == 0:
            return False
    return True


@rule
def card_of_line(state: Record, line: int, place: int) -> int:
    """Return a card of a line. The cards are those of the top row from left to right, or the top three cards of a
    column from bottom to top (JACK-08)."""
    column = state.columns[place if line == ACROSS else line - 1]
    depth = 1 if line == ACROSS else 3 - place
    return int(column.cards[int(column.length) - depth])


@rule
def shown_face(state: Record, card: int) -> int:
    """Return the face that a card of a column counts as, or WILD for a question mark that is declared only when
    claimed."""
    if card == QUESTION and state.options.qmark_when == AT_CLAIM:
        return WILD
    return stands_for(card)


@rule
def faces_claimed(state: Record, line: int) -> int:
    """Return the three faces that a line stands for as a Book, as one number in base 13, or -1 if it is not a Book
    (JACK-07)."""
    if not has_line(state, line):
        return -1
    first = shown_face(state, card_of_line(state, line, 0))
    second = shown_face(state, card_of_line(state, line, 1))
    third = shown_face(state, card_of_line(state, line, 2))
    if first < 0 or second < 0 or third < 0:
        return -1  # a hidden card, flipped in a concealed state
    if first == WILD or second == WILD or third == WILD:
        return best_filling(state, first, second, third)
    if int(COMPLETING[state.options.run_order, 2, first, second]) >> third & 1:
        return in_one(first, second, third)
    return -1


@rule
def in_one(first: int, second: int, third: int) -> int:
    return (first * FACES + second) * FACES + third


@rule
def best_filling(state: Record, first: int, second: int, third: int) -> int:
    """Return the best Book that undeclared question marks can complete, as one number in base 13, or -1 if there is
    none (JACK-06).

    Books are compared by points. Among equal ones, three of a kind comes before a run, and then the one with the lower
    face at the first difference.
    """
    found, most = -1, -1
    for face in range(FACES):
        if fits(state, first, face) and fits(state, second, face) and fits(state, third, face):
            worth = worth_of_book(state, face, face, face)
            if worth > most:
                found, most = in_one(face, face, face), worth
    for low in range(FACES):
        if not fits(state, first, low):
            continue
        for middle in range(FACES):
            if middle == low or not fits(state, second, middle):
                continue
            runs = int(COMPLETING[state.options.run_order, 2, low, middle])
            for last in range(FACES):
                if runs >> last & 1 and fits(state, third, last):
                    worth = worth_of_book(state, low, middle, last)
                    if worth > most:
                        found, most = in_one(low, middle, last), worth
    return found


@rule
def fits(state: Record, shown: int, face: int) -> bool:
    """Return whether a card can stand for this face in a Book (JACK-06)."""
    if shown == WILD:
        return int(ALLOWED[state.options.qmark_values]) >> face & 1 == 1
    return shown == face


@rule
def worth_of_book(state: Record, first: int, second: int, third: int) -> int:
    """Return the points of a Book, which are 1, plus bonuses for three infinities and for a run that completes a streak
    (JACK-09, 10)."""
    if first != second:
        return 2 if completes_streak(state) else 1
    return 1 + int(state.options.jackpot_bonus) if first == INFINITY else 1


@rule
def worth_of_line(state: Record, line: int) -> int:
    """Return the points for claiming a line now, or 0 if it is not a Book."""
    faces = faces_claimed(state, line)
    if faces < 0:
        return 0
    return worth_of_book(state, faces // (FACES * FACES), faces // FACES % FACES, faces % FACES)


@rule
def completes_streak(state: Record) -> bool:
    """Return whether claiming a run now would complete a streak of three spins with runs (JACK-09)."""
    return state.options.streak == 1 and state.ran == 0 and state.streak == 2


@rule
def written(face: int) -> int:
    """Return the kind of a question mark declared as `face`. Declared as itself, it is an ordinary question mark."""
    return QUESTION if face == QUESTION else DECLARED + face
