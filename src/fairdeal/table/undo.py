"""Decide which moves may be undone: only those that revealed nothing to any viewer."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, Record, new
from fairdeal.engine.state import State

DEALS = 120
"""Number of deals sampled for each viewer to check a move. A difference that one in forty deals shows is missed with a
probability of 5 %."""


def tells_nothing(before: State, player: int, actions: Sequence[int], after: State) -> bool:
    """Return whether a move has revealed nothing except itself.

    A move reveals nothing if every viewer, including the player and spectators, could have predicted everything that
    they see after it: in every deal that fits the viewer's knowledge, the move is legal and looks the same. A card that
    is turned up reveals something, and so does a rule that depends on a hidden card, such as one that skips a seat
    without a playable card. The deals are sampled for each viewer with a fixed seed. A move that uses random numbers or
    ends the game always counts as revealing.
    """
    if after.over or before.record.chance.tobytes() != after.record.chance.tobytes():
        return False
    source = new(before.record.chance.dtype)
    chance.set_key(source, chance.key_of("undo"))
    viewers = sorted((SPECTATOR, *range(before.players)), key=lambda viewer: viewer != player)  # the player learns most
    return all(foresees(viewer, before, player, actions, after, source) for viewer in viewers)


def foresees(viewer: int, before: State, player: int, actions: Sequence[int], after: State, source: Record) -> bool:
    """Return whether a move leads to what `viewer` sees in `after` in each of the sampled deals that fit the viewer's
    knowledge in `before`."""
    known, seen = before.view(viewer, 100), after.view(viewer, 100)
    for _ in range(DEALS):
        otherwise = known.resample(source).after(player, actions)
        if otherwise is None or otherwise.view(viewer, 100) != seen:
            return False
    return True
