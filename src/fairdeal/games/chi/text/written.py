"""Positions in writing: what those of CHI and Chaos Ninjas have alike (docs/rules/chi.md, section 4 of both parts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from fairdeal.engine import piles
from fairdeal.engine.errors import BadPosition
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chi.state import ROW

Codes = Sequence[str]
"""The code of each kind of card."""

Form = TypeVar("Form", bound=msgspec.Struct)


def code(codes: Codes, kind: int) -> str:
    return "?" if kind == UNKNOWN else codes[kind]


def pile_codes(codes: Codes, pile: Record) -> list[str]:
    return [code(codes, kind) for kind in pile.cards.tolist()[: int(pile.length)]]


def write_piles(state: Record, codes: Codes) -> dict[str, Any]:
    """Row, deck from its top, and discard pile."""
    deck = pile_codes(codes, state.deck)[::-1]
    return {
        "row": [None if kind == EMPTY else code(codes, kind) for kind in state.row.tolist()],
        "deck": deck,
        "deck_size": len(deck),
        "discard": [codes[kind] for kind, count in enumerate(state.discard.tolist()) for _ in range(count)],
    }


def converted(position: Mapping[str, Any], form: type[Form]) -> Form:
    """The fields of a position; BadPosition for one that does not belong there, or is of another type."""
    try:
        return msgspec.convert(dict(position), form)
    except (msgspec.ValidationError, UnicodeEncodeError) as problem:
        words, _, path = str(problem).partition(" - at `$")
        raise BadPosition(path.rstrip("`").lstrip("."), "", words) from None


def in_range(path: str, value: int, lowest: int, highest: int) -> int:
    if not lowest <= value <= highest:
        raise BadPosition(path, value, f"give a number from {lowest} to {highest}")
    return value


def read_phase(given: str, phases: Sequence[str]) -> int:
    if given not in phases:
        raise BadPosition("phase", given, f"give {', '.join(phases)}")
    return phases.index(given)


class CardCounter:
    """Reads card codes and never lets a kind come up more often than the deck has it."""

    def __init__(self, codes: Codes, in_deck: list[int], examples: str, clauses: str) -> None:
        self.kinds = {text: kind for kind, text in enumerate(codes)}
        self.in_deck, self.examples, self.clauses = in_deck, examples, clauses
        self.met: Counter[int] = Counter()

    def kind(self, path: str, text: str, unknown: bool = False) -> int:
        if text == "?" and unknown:
            self.met[UNKNOWN] += 1
            return UNKNOWN
        kind = self.kinds.get(text)
        if kind is None:
            raise BadPosition(path, text, f"no such card: {self.examples}")
        self.met[kind] += 1
        if self.met[kind] > self.in_deck[kind]:
            raise BadPosition(path, text, f"the deck has {self.in_deck[kind]} of this card [{self.clauses}]")
        return kind

    @property
    def left(self) -> int:
        """How many cards have not come up."""
        return sum(self.in_deck) - sum(self.met.values())


def read_row(state: Record, row: list[str | None], counted: CardCounter) -> None:
    if len(row) != ROW:
        raise BadPosition("row", len(row), f"the row has {ROW} places; an empty one is null [CHI-03]")
    for place, card in enumerate(row):
        state.row[place] = EMPTY if card is None else counted.kind(f"row[{place}]", card)


def read_discard(state: Record, discard: list[str], counted: CardCounter) -> None:
    for place, text in enumerate(discard):
        state.discard[counted.kind(f"discard[{place}]", text)] += 1


def read_deck(state: Record, deck: list[str] | None, size: int | None, counted: CardCounter) -> None:
    """The top card is the first one written and the last one of the pile; unnamed cards lie below."""
    named = [counted.kind(f"deck[{place}]", text, unknown=True) for place, text in enumerate(deck or [])]
    if size is None:
        size = len(named) if deck is not None else counted.left
    most = counted.left + len(named)
    if not len(named) <= size <= most:
        reason = f"give a number from {len(named)} (those named) to {most} (those left)"
        raise BadPosition("deck_size", size, reason)
    for _ in range(size - len(named)):
        piles.push(state.deck, UNKNOWN)
    for kind in reversed(named):
        piles.push(state.deck, kind)
