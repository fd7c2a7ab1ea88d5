"""The JSON form of row, deck and discard pile in CHI and Chaos Ninjas (docs/rules/chi.md, section 4 of both parts)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from fairdeal.engine.kit.positions import CardCounter, code_of, codes_of, kinds_in, sized
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record
from fairdeal.games.chi.state import ROW


class Written(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The fields of positions in both games. Fields that can be omitted have a default."""

    row: list[str | None]
    hands: list[list[str]]
    game: str = ""
    options: dict[str, Any] = {}
    start: int = 0
    turn: int = 0
    phase: str = "act"
    turn_no: int | None = None
    deck: list[str] | None = None
    deck_size: int | None = None
    discard: list[str] = []


def write_piles(state: Snapshot, codes: Sequence[str]) -> dict[str, Any]:
    """Return the JSON form of the row, the deck from its top, and the discard pile."""
    return {
        "row": [None if kind == EMPTY else code_of(codes, kind) for kind in state.row],
        "deck": codes_of(codes, state.deck.held[::-1]),
        "deck_size": state.deck.length,
        "discard": codes_of(codes, kinds_in(state.discard)),
    }


def read_row(state: Record, row: list[str | None], counted: CardCounter) -> None:
    sized("row", row, ROW, f"the row has {ROW} places; write null for an empty place [CHI-03]")
    for place, card in enumerate(row):
        state.row[place] = EMPTY if card is None else counted.kind(f"row[{place}]", card)


def read_discard(state: Record, discard: list[str], counted: CardCounter) -> None:
    for kind in counted.read("discard", discard):
        state.discard[kind] += 1
