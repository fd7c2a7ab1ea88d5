"""CHIMAX: what positions of layouts have in writing: places, cards seen, missed and taken (MEM-01 to MEM-06)."""

from __future__ import annotations

from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.piles import find, push
from fairdeal.engine.records import Record
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.text.positions import TablePosition, pile_codes


class Missed(msgspec.Struct, forbid_unknown_fields=True):
    """MEM-04: a card that was turned back just now: its place, counted from 1, and the face that all saw."""

    place: int
    card: str | int


class LayoutPosition(TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a game in which cards of one layout are taken for points."""

    layout: list[str | int | None] = msgspec.field(default_factory=list)
    open: list[int] = msgspec.field(default_factory=list)
    seen: list[int] = msgspec.field(default_factory=list)
    taken: list[list[str | int]] | None = None
    points: list[int] | None = None
    dead: int = 0
    live: bool = False


def write_layout(state: Snapshot) -> dict[str, Any]:
    """These fields of a state."""
    players, layout = state.players, state.layout
    return {
        "layout": pile_codes(layout),
        "open": numbers_of(layout.open),
        "taken": [pile_codes(taken) for taken in state.taken[:players]],
        "points": state.match.totals[:players],
        "seen": numbers_of(layout.seen),
        "dead": layout.dead,
        "live": bool(layout.live),
    }


def numbers_of(pile: Snapshot) -> list[int]:
    """The places that a pile lists, as they are written: from 1 on."""
    return [place + 1 for place in pile.held]


def read_places(pile: Record, path: str, given: object, places: int) -> None:
    """Places of a layout, none of them twice. Raises BadPosition."""
    if not isinstance(given, list):
        raise BadPosition(path, given, "a list of places belongs here")
    for number, place in enumerate(given):
        if type(place) is not int or not 1 <= place <= places or find(pile, place - 1) >= 0:
            raise BadPosition(f"{path}[{number}]", place, f"a place from 1 to {places}, named once")
        push(pile, place - 1)
