"""CHIMAX FATE: the options (docs/rules/chimax.md, section 6) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.options import StallLimit, TournamentOptions


class FateOptions(TournamentOptions, frozen=True, kw_only=True):
    """The options of a table of CHIMAX FATE."""

    players: Annotated[int, about("One to four; one plays for a high score.", "FATE-01", ge=1, le=4)] = 2
    wheel: Annotated[
        Literal["face", "position"],
        about("The wheel names a face to be found, or points at a place whose face is to be said.", "FATE-05 FATE-10"),
    ] = "face"
    tries: Annotated[int, about("Cards that may be turned in search of the face.", "FATE-06", ge=1, le=13)] = 3
    prize: Annotated[
        Literal["falling", "flat"],
        about("A find is worth less with each card turned before it, or always one point.", "FATE-07"),
    ] = "falling"
    spin_again: Annotated[bool, about("Whoever finds the face spins again.", "FATE-07")] = False
    solo_spins: Annotated[int, about("Spins of a game for one.", "FATE-11", ge=1, le=500)] = 20
    stall_limit: StallLimit = 0


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "clairvoyant": {"wheel": "position"},
    "lucky-streak": {"spin_again": True, "prize": "flat"},
    "solo": {"players": 1},
    "tournament": {"tournament": True},
}
