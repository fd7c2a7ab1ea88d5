"""CHIMAX CUT: the open cards and what they are called, so that each can be followed from `shown` to `kept` to `out`."""

from __future__ import annotations

from typing import NamedTuple

from fairdeal.engine.records import EMPTY, Record
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.cut.rules import kept_rank, lowest_rank
from fairdeal.games.chimax.deck import FACES, face_of


class OpenCard(NamedTuple):
    """A card on the table: its zone, its id, its kind."""

    zone: str
    id: str
    kind: int


def cards_on_table(state: Record) -> list[OpenCard]:
    """The open cards of a round. A card is named by its face and which of its copies it is, in the order in which they
    left the deck as far as that can be told: those that are out, those kept, the one shown."""
    met = [0] * FACES
    zones = [("out", kind) for kind in state.out.cards.tolist()[: int(state.out.length)]]
    zones += [(f"kept{seat}", kind) for seat, kind in enumerate(state.kept.tolist()[: int(state.players)])]
    zones.append(("shown", int(state.shown)))
    found = []
    for zone, kind in zones:
        if kind != EMPTY:
            face = int(face_of(kind))
            met[face] += 1
            found.append(OpenCard(zone, f"{FACE_CODES[face]}.{met[face]}", kind))
    return found


def lowest_kept(state: Record) -> list[int]:
    """The seats with the lowest of the cards kept so far."""
    lowest = lowest_rank(state)
    return [
        seat
        for seat in range(int(state.players))
        if int(state.kept[seat]) != EMPTY and kept_rank(state, seat) == lowest
    ]
