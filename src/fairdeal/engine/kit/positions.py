"""Checks and counts for the fields of positions. Errors are raised as `BadPosition`, with the path of the value in the
JSON and the expected value."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.records import UNKNOWN

Thing = TypeVar("Thing")


def in_range(path: str, value: int, lowest: int, highest: int) -> int:
    """Return `value` if it is from `lowest` to `highest`. Raises BadPosition otherwise.

    >>> in_range("turn", 1, 0, 3)
    1
    >>> in_range("turn", 4, 0, 3)
    Traceback (most recent call last):
    BadPosition: position, at turn: 4: give a number from 0 to 3
    """
    if not lowest <= value <= highest:
        raise BadPosition(path, value, f"give a number from {lowest} to {highest}")
    return value


def sized(path: str, values: Sequence[Thing], count: int, what: str = "") -> Sequence[Thing]:
    """Return `values` if there are `count` of them. Raises BadPosition with the message `what` otherwise.

    >>> sized("hands", [["ace"], []], 2)
    [['ace'], []]
    """
    if len(values) != count:
        raise BadPosition(path, len(values), what or f"give a list of {count}")
    return values


def number_of(path: str, value: str, names: Sequence[str]) -> int:
    """Return the index of a word among `names`. Raises BadPosition if it is not among them.

    >>> number_of("phase", "answer", ("ask", "answer"))
    1
    """
    if value not in names:
        raise BadPosition(path, value, f"give {', '.join(names)}")
    return names.index(value)


def kinds_in(counts: Sequence[int]) -> list[int]:
    """Return the kinds of the cards of a pile that is stored as counts by kind.

    >>> kinds_in([2, 0, 1])
    [0, 0, 2]
    """
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


class CardCounter:
    """A reader of card codes that rejects more cards of a kind than the deck has.

    `examples` are codes to show in error messages, and `clauses` are the ids of the clauses that list the deck.

    >>> counter = CardCounter(("ace", "king"), in_deck=(1, 2), examples="ace, king", clauses="FISH-01")
    >>> counter.read("hands[0]", ["ace", "king"]), counter.left
    ([0, 1], 1)
    >>> counter.kind("hands[1][0]", "ace")
    Traceback (most recent call last):
    BadPosition: position, at hands[1][0]: 'ace': the deck has 1 of this card [FISH-01]
    """

    def __init__(self, codes: Sequence[str], in_deck: Sequence[int], examples: str, clauses: str) -> None:
        if len(codes) != len(in_deck):
            raise ValueError(f"{len(codes)} card codes, but `in_deck` has {len(in_deck)} kinds")
        self.codes, self.kinds = codes, {text: kind for kind, text in enumerate(codes)}
        self.in_deck, self.examples, self.clauses = in_deck, examples, clauses
        self.met: Counter[int] = Counter()

    def kind(self, path: str, text: str, unknown: bool = False) -> int:
        """Return the kind of card for a code, or UNKNOWN for `?` if `unknown` is true. Raises BadPosition for other
        codes."""
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
        """Return the kinds of cards for some codes. Raises BadPosition if one of them is invalid."""
        return [self.kind(f"{path}[{place}]", text, unknown) for place, text in enumerate(codes)]

    @property
    def left(self) -> int:
        """The number of cards of the deck that have not been counted."""
        return sum(self.in_deck) - sum(self.met.values())
