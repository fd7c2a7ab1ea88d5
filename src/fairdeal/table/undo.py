"""Taking a move back: only one that has told nobody anything but that it was played."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, Record, new
from fairdeal.engine.state import State

DEALS = 120
"""So many deals are tried; the viewers share them, as each draws the cards of all the others."""


def tells_nothing(before: State, player: int, actions: Sequence[int], after: State) -> bool:
    """Has this move told nobody anything but itself?

    It has not if everybody, the player and the spectators too, could have foreseen all that they see after it: in
    whatever deal fits what they knew, the move is legal and looks the same. A card that comes to light breaks this,
    and so does a rule that acts on a hidden card, such as one that passes over a seat which holds nothing to play.
    The deals are drawn at random for each viewer, always the same ones. A move that uses chance, or ends the game,
    stands.
    """
    if after.over or before.record.chance.tobytes() != after.record.chance.tobytes():
        return False
    source = new(before.record.chance.dtype)
    chance.set_key(source, chance.key_of("undo"))
    viewers = sorted((SPECTATOR, *range(before.players)), key=lambda viewer: viewer != player)  # the player learns most
    deals = DEALS // len(viewers)
    return all(foresees(viewer, before, player, actions, after, deals, source) for viewer in viewers)


def foresees(
    viewer: int, before: State, player: int, actions: Sequence[int], after: State, deals: int, source: Record
) -> bool:
    """Does a move lead to what this viewer sees after it, in every one of so many deals that they could think of?"""
    known, seen = before.view(viewer, 100), after.view(viewer, 100)
    for _ in range(deals):
        otherwise = known.resample(source).after(player, actions)
        if otherwise is None or otherwise.view(viewer, 100) != seen:
            return False
    return True
