"""Forms: how an observation shows the numbers of a state, where their type does not say it.

The layout of an observation is derived from the record type of a game (`engine.observe.layout`). That tells which
numbers there are; which of them are cards, seats or one of a few, a game declares: `Observed({"hands.cards":
counted(KINDS), "turn": one_seat()})`. What it does not name is shown as numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fairdeal.engine.records import UNKNOWN

NUMBERS, COUNTED, ONE_OF, FLAGS, SEAT_NUMBER, SEAT_SET, NOTHING = range(7)
"""The kinds of forms."""


@dataclass(frozen=True)
class Form:
    """How numbers are shown. Fields:

    kind     one of the kinds above
    values   of a number that is one of a few: how many there are; of cards: the kinds, an unknown one among them
    first    the lowest of these values; of seats, the number that stands for seat 0
    by_seat  does an array with as many numbers as there are seats have one for each of them?
    words    what the numbers are, where their name does not say it
    """

    kind: int
    values: int = 1
    first: int = 0
    by_seat: bool = True
    words: str = ""


def number(words: str = "") -> Form:
    """Numbers as they are."""
    return Form(NUMBERS, words=words)


def one_seat(words: str = "", first: int = 0) -> Form:
    """The number of a seat, where seat 0 has the number `first`; lower ones mean nobody."""
    return Form(SEAT_NUMBER, first=first, words=words)


def some_seats(words: str = "") -> Form:
    """A set of seats, as bits."""
    return Form(SEAT_SET, words=words)


def absent() -> Form:
    """Not shown: it is the same at every moment of a table, or cards that nobody ever sees."""
    return Form(NOTHING)


def counted(kinds: int, words: str = "") -> Form:
    """Cards of a pile of which the order says nothing: how many are unknown, and how many there are of each kind."""
    return Form(COUNTED, kinds + 1, UNKNOWN, words=words)


def placed(kinds: int, words: str = "") -> Form:
    """Cards that lie in places, or in an order: each is unknown or of one kind; EMPTY is none of these."""
    return Form(ONE_OF, kinds + 1, UNKNOWN, words=words)


def one_of(values: int, first: int = 0, words: str = "") -> Form:
    """A number that is one of a few, such as a phase."""
    return Form(ONE_OF, values, first, words=words)


def flags(count: int, words: str = "") -> Form:
    """A set of something, as bits."""
    return Form(FLAGS, count, words=words)


def in_order(form: Form) -> Form:
    """The same for an array that goes by places or in an order, though it is as long as there are seats."""
    return replace(form, by_seat=False)


COMMON: Mapping[str, Form] = {
    "rules_version": absent(),
    "players": absent(),
    "options": absent(),
    "chance": absent(),
    "to_act": some_seats("who may act now"),
    "composing": number("1 while a move of several choices is half made"),
    "over": number("1 when the match is over"),
    "match.game": number("the running game of the match, from 1"),
    "match.games": number("how many games the match has"),
    "match.first": one_seat("who began this game"),
    "match.totals": number("the points of the games that are over"),
}
"""What every state begins with."""


@dataclass(frozen=True)
class Observed:
    """What a game says of its record: `forms` by the names of fields, nested ones with dots; and whether seats are told
    from the viewer on, which comes first then. They are not where actions name seats by their numbers."""

    forms: Mapping[str, Form] = field(default_factory=dict)
    rotates: bool = True
