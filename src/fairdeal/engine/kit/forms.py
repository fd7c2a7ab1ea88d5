"""Forms: how an observation encodes the numbers of a state, if their type does not determine it.

The layout of an observation is derived from the record type of a game (`engine.observe.layout`), which gives the
numbers. The game declares which of them are cards, seats or one of a few values: `Observed({"hands.cards":
counted(KINDS), "turn": one_seat()})`. Fields without a form are shown as numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fairdeal.engine.records import UNKNOWN

NUMBERS, COUNTED, ONE_OF, FLAGS, SEAT_NUMBER, SEAT_SET, NOTHING = range(7)
"""The kinds of forms."""


@dataclass(frozen=True)
class Form:
    """The encoding of a field's numbers in an observation. Fields:

    kind     one of the kinds above
    values   number of possible values; for cards, number of kinds, including unknown
    first    the lowest possible value; for seats, the number that stands for seat 0
    by_seat  whether an array with as many numbers as there are seats has one number for each seat
    words    meaning of the numbers, if the field's name does not give it
    """

    kind: int
    values: int = 1
    first: int = 0
    by_seat: bool = True
    words: str = ""


def number(words: str = "") -> Form:
    """Return the form of plain numbers."""
    return Form(NUMBERS, words=words)


def one_seat(words: str = "", first: int = 0) -> Form:
    """Return the form of a seat number. Seat 0 has the number `first`; lower numbers mean no seat."""
    return Form(SEAT_NUMBER, first=first, words=words)


def some_seats(words: str = "") -> Form:
    """Return the form of a set of seats, as bits."""
    return Form(SEAT_SET, words=words)


def absent() -> Form:
    """Return the form of a field that is left out, because it never changes at a table or holds cards that nobody ever
    sees."""
    return Form(NOTHING)


def counted(kinds: int, words: str = "") -> Form:
    """Return the form of a pile whose order carries no information: number of unknown cards, then number of cards of
    each kind."""
    return Form(COUNTED, kinds + 1, UNKNOWN, words=words)


def placed(kinds: int, words: str = "") -> Form:
    """Return the form of cards whose places or order matter: each is unknown or of one kind, and EMPTY is neither."""
    return Form(ONE_OF, kinds + 1, UNKNOWN, words=words)


def one_of(values: int, first: int = 0, words: str = "") -> Form:
    """Return the form of a number with a few possible values, such as a phase."""
    return Form(ONE_OF, values, first, words=words)


def flags(count: int, words: str = "") -> Form:
    """Return the form of a set, as bits."""
    return Form(FLAGS, count, words=words)


def in_order(form: Form) -> Form:
    """Return a form for an array that is indexed by place or order, although it is as long as the number of seats."""
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


@dataclass(frozen=True)
class Observed:
    """A game's declaration of its observations: `forms` by field name, with dots for nested fields; and whether seats
    are numbered from the viewer on (`rotates`). Seats do not rotate if actions name seats by number."""

    forms: Mapping[str, Form] = field(default_factory=dict)
    rotates: bool = True
