"""Shared functions for reading and writing positions.

A game declares the form of its positions as a msgspec struct. Errors are raised as `BadPosition`, with the path of the
value in the JSON and the expected value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields, fields_of
from fairdeal.engine.kit import piles
from fairdeal.engine.records import UNKNOWN, Record

Form = TypeVar("Form", bound=msgspec.Struct)
Thing = TypeVar("Thing")


def converted(position: Mapping[str, Any], form: type[Form]) -> Form:
    """Convert a position to a struct of type `form`. Raises BadPosition for an unknown field or a wrong type."""
    try:
        return msgspec.convert(dict(position), form)
    except (msgspec.ValidationError, UnicodeEncodeError) as problem:
        words, _, path = str(problem).partition(" - at `$")
        raise BadPosition(path.rstrip("`").lstrip("."), "", words) from None


def opened(position: Mapping[str, Any], form: type[Form], state: Record) -> tuple[Form, Fields]:
    """Return a position as a struct of type `form`, and the fields of the record into which it is read."""
    return converted(position, form), fields_of(state)


def in_range(path: str, value: int, lowest: int, highest: int) -> int:
    """Return a number if it is within limits. Raises BadPosition otherwise."""
    if not lowest <= value <= highest:
        raise BadPosition(path, value, f"give a number from {lowest} to {highest}")
    return value


def sized(path: str, values: Sequence[Thing], count: int, what: str = "") -> Sequence[Thing]:
    """Return a list if it has `count` items. Raises BadPosition otherwise, with the reason `what`."""
    if len(values) != count:
        raise BadPosition(path, len(values), what or f"give a list of {count}")
    return values


def number_of(path: str, value: str, names: Sequence[str]) -> int:
    """Return the index of a word among some names. Raises BadPosition for an unknown word."""
    if value not in names:
        raise BadPosition(path, value, f"give {', '.join(names)}")
    return names.index(value)


def code_of(codes: Sequence[str], kind: int) -> str:
    """Return the code of a card; `?` if it is unknown."""
    return "?" if kind == UNKNOWN else codes[kind]


def codes_of(codes: Sequence[str], kinds: Iterable[int]) -> list[str]:
    """Return the codes of cards."""
    return [code_of(codes, kind) for kind in kinds]


def kinds_in(counts: Sequence[int]) -> list[int]:
    """Return the cards of a pile that is stored as counts by kind."""
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


class CardCounter:
    """A reader of card codes that allows no more cards of a kind than the deck has.

    `examples` are sample codes for errors, `clauses` the ids of the clauses on the deck's contents.
    """

    def __init__(self, codes: Sequence[str], in_deck: Sequence[int], examples: str, clauses: str) -> None:
        if len(codes) != len(in_deck):
            raise ValueError(f"{len(codes)} codes of cards, but the deck counts {len(in_deck)} kinds")
        self.codes, self.kinds = codes, {text: kind for kind, text in enumerate(codes)}
        self.in_deck, self.examples, self.clauses = in_deck, examples, clauses
        self.met: Counter[int] = Counter()

    def kind(self, path: str, text: str, unknown: bool = False) -> int:
        """Return the kind of a card; UNKNOWN for `?`, if `unknown` allows it. Raises BadPosition."""
        if text == "?" and unknown:
            self.met[UNKNOWN] += 1
            return UNKNOWN
        kind = self.kinds.get(text)
        if kind is None:
            raise BadPosition(path, text, f"no such card: {self.examples}")
        self.count(path, kind)
        return kind

    def count(self, path: str, kind: int) -> None:
        """Count a card of a kind. Raises BadPosition if the deck has no more of them."""
        self.met[kind] += 1
        if self.met[kind] > self.in_deck[kind]:
            reason = f"the deck has {self.in_deck[kind]} of this card [{self.clauses}]"
            raise BadPosition(path, self.codes[kind], reason)

    def read(self, path: str, codes: Sequence[str], unknown: bool = False) -> list[int]:
        """Return the kinds of a list of cards."""
        return [self.kind(f"{path}[{place}]", text, unknown) for place, text in enumerate(codes)]

    @property
    def left(self) -> int:
        """Number of cards of the deck that have not been counted."""
        return sum(self.in_deck) - sum(self.met.values())


def read_hand(hand: Record, path: str, codes: Sequence[str], most: int, counted: CardCounter, clause: str = "") -> None:
    """Put the cards of a list into a hand, `?` for unknown ones. Raises BadPosition for more than `most` cards."""
    if len(codes) > most:
        raise BadPosition(path, len(codes), f"a hand has at most {most} cards{clause and f' [{clause}]'}")
    for kind in counted.read(path, codes, unknown=True):
        piles.insert(hand, kind)


def read_deck(deck: Record, codes: Sequence[str] | None, size: int | None, counted: CardCounter) -> None:
    """Read a deck from its top, the last card of the pile, with unnamed cards below.

    Without a `size`, the deck has only the named cards; without names either, it has all cards not counted yet. Call
    this after reading all other cards.
    """
    named = counted.read("deck", codes or [], unknown=True)
    if size is None:
        size = len(named) if codes is not None else counted.left
    most = counted.left + len(named)
    if not len(named) <= size <= most:
        reason = f"give a number from {len(named)} (those named) to {most} (those left)"
        raise BadPosition("deck_size", size, reason)
    for kind in [UNKNOWN] * (size - len(named)) + named[::-1]:
        piles.push(deck, kind)
