"""CHIMAX CUT: the options (docs/rules/chimax.md, section 5) and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.cut.state import MOST_RECUTS, MOST_ROUNDS
from fairdeal.games.chimax.options import TournamentOptions


class CutOptions(TournamentOptions, frozen=True, kw_only=True):
    """The options of a table of CHIMAX CUT."""

    players: Annotated[int, about("Players.", "CUT-01", ge=2, le=4)] = 3
    cut: Annotated[Literal["auto"], about("Nothing is dealt, so nobody cuts before a deal.", "TOUR-02 GEN-11")] = "auto"
    mode: Annotated[
        Literal["knockout", "until_infinity", "one_cut"],
        about("The lowest drop out; or cut until Infinity shows; or one card each, and the highest wins.", "CUT-06"),
    ] = "knockout"
    recuts: Annotated[int, about("How often a card may be cut away.", "CUT-04", ge=0, le=MOST_RECUTS)] = 1
    qmark: Annotated[
        Literal["declare", "low"], about("What a kept ? is: a value still free, or next to nothing.", "CUT-07")
    ] = "declare"
    rounds: Annotated[int, about("Rounds of a game.", "CUT-01 CUT-08", ge=1, le=MOST_ROUNDS)] = 5

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        """TOUR-02: there is no deal, and so no cut before it."""
        found = super().implied(given)
        found.pop("cut", None)
        return found


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "infinity": {"mode": "until_infinity"},
    "one-cut": {"mode": "one_cut", "recuts": 0},
    "gamblers": {"recuts": 2},
    "tournament": {"tournament": True},
}
