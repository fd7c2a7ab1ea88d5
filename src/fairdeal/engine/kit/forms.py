"""Forms: how an observation encodes the numbers of a state, if their type does not determine it.

The layout of an observation is derived from the record type of a game (`engine.observe.layout`), which gives the
numbers. The game declares which of them are cards, seats or one of a few values: `Observed({"hands.cards":
counted(KINDS), "turn": one_seat()})`. Fields without a form are shown as numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fairdeal.engine.records import UNKNOWN

NUMBERS, COUNTED, ONE_OF, FLAGS, SEAT_NUMBER, SEAT_SET, NOTHING = range(7)
"""The kinds of forms: numbers as they are, counts of cards, one of a few values, flags, the number of a seat, a set of
seats, and fields that observations omit."""


@dataclass(frozen=True)
class Form:
    """The encoding of a field's numbers in an observation. Fields:

    kind     kind of form, such as NUMBERS
    values   number of possible values; for cards, number of kinds, including unknown
    first    the lowest possible value; for seats, the number that stands for seat 0
    by_seat  whether an array as long as the number of seats has one element for each seat
    words    meaning of the numbers, if the field's name does not give it
    """

    kind: int
    values: int = 1
    first: int = 0
    by_seat: bool = True
    words: str = ""


def number(words: str = "") -> Form:
    """Return a form that shows numbers unchanged. `words` describes them.

    >>> number("points").words
    'points'
    """
    return Form(NUMBERS, words=words)


def one_seat(words: str = "", first: int = 0) -> Form:
    """Return a form that shows the number of a seat as one of the table's seats. Seat 0 has the number `first`; lower
    numbers mean no seat.

    >>> one_seat("the seat on turn", first=1).first
    1
    """
    return Form(SEAT_NUMBER, first=first, words=words)


def some_seats(words: str = "") -> Form:
    """Return a form that shows a set of seats, stored as bits.

    >>> some_seats("seats that have passed").words
    'seats that have passed'
    """
    return Form(SEAT_SET, words=words)


def absent() -> Form:
    """Return a form that omits a field, because it never changes at a table or contains cards that no seat ever sees.

    >>> Observed({"start": absent()}).forms["start"] == absent()
    True
    """
    return Form(NOTHING)


def counted(kinds: int, words: str = "") -> Form:
    """Return a form that shows a pile whose order has no meaning: the number of its unknown cards, then the number of
    cards of each of `kinds` kinds.

    >>> counted(13).values
    14
    """
    return Form(COUNTED, kinds + 1, UNKNOWN, words=words)


def placed(kinds: int, words: str = "") -> Form:
    """Return a form that shows the card in each place as unknown or as one of `kinds` kinds. An EMPTY place counts as
    neither.

    >>> placed(13).values
    14
    """
    return Form(ONE_OF, kinds + 1, UNKNOWN, words=words)


def one_of(values: int, first: int = 0, words: str = "") -> Form:
    """Return a form that shows a number as one of `values` numbers, the lowest of which is `first`.

    >>> one_of(3, words="the phase").values
    3
    """
    return Form(ONE_OF, values, first, words=words)


def flags(count: int, words: str = "") -> Form:
    """Return a form that shows a set of `count` members, stored as bits.

    >>> flags(4, "suits that have been led").values
    4
    """
    return Form(FLAGS, count, words=words)


def in_order(form: Form) -> Form:
    """Return a copy of `form` for an array whose elements do not belong to seats, although its length equals the number
    of seats.

    >>> in_order(placed(13)).by_seat
    False
    """
    return replace(form, by_seat=False)


COMMON: Mapping[str, Form] = {
    "rules_version": absent(),
    "players": absent(),
    "options": absent(),
    "chance": absent(),
    "to_act": some_seats("seats that may act now"),
    "composing": number("1 while a move of several choices is half made"),
    "over": number("1 if the match is over"),
    "match.game": number("number of the current game of the match, from 1"),
    "match.games": number("number of games in the match"),
    "match.first": one_seat("seat that started this game"),
    "match.totals": number("points in the finished games"),
}
"""Forms of the fields that every state begins with."""

Limits = tuple[int, int | str | None]
"""The lowest and the highest number of a field. The highest may be the name of an option, or None if only its type
limits it."""

COMMON_BOUNDS: Mapping[str, Limits] = {
    "composing": (0, 1),
    "over": (0, 1),
    "match.game": (0, None),
    "match.games": (0, None),
}
"""Bounds of the numbers that every state begins with."""


@dataclass(frozen=True)
class Observed:
    """A game's description of its record for observations: `forms` by field name, with dots for nested fields.

    If `rotates`, seats are numbered starting with the viewer. Set it to False if actions refer to seats by number.
    `bounds` are the lowest and the highest number of fields shown as numbers, by name, if those of the type are too
    wide: `{"turn_no": (0, "turn_limit")}`.

    >>> Observed({"hands.cards": counted(13), "turn": one_seat("the seat on turn")}).rotates
    True
    """

    forms: Mapping[str, Form] = field(default_factory=dict)
    rotates: bool = True
    bounds: Mapping[str, Limits] = field(default_factory=dict)
