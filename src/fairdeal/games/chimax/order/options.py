"""CHIMAX ORDER: the options (docs/rules/chimax.md, section 2) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.options import StallLimit, TournamentOptions


class OrderOptions(TournamentOptions, frozen=True, kw_only=True):
    """The options of a table of CHIMAX ORDER."""

    players: Annotated[int, about("One to four; alone it is practice.", "ORDER-01", ge=1, le=4)] = 2
    board: Annotated[
        Literal["shared", "race", "own"],
        about(
            "One layout and one sequence, one layout with a place in the sequence for each, or a layout for each.",
            "ORDER-03 ORDER-13",
        ),
    ] = "shared"
    direction: Annotated[
        Literal["ascending", "descending", "either"],
        about("From a half, from infinity, or as the first card found decides.", "ORDER-08"),
    ] = "ascending"
    on_miss: Annotated[
        Literal["stay", "restart"], about("After a miss, do placed cards stay, or is the run lost?", "ORDER-09")
    ] = "stay"
    winner: Annotated[
        Literal["completer", "most_placed"],
        about("Who wins: the one who places the last card, or who has placed most.", "ORDER-10"),
    ] = "completer"
    stall_limit: StallLimit = 0

    def conflict(self) -> tuple[str, str] | None:
        if self.board == "own" and self.players > 3:
            return "board", "there are only three full sets of faces [ORDER-03]"
        if self.board != "shared" and self.direction == "either":
            return "direction", "where each seat has a sequence of its own, its direction is set [ORDER-13]"
        if self.board != "shared" and self.winner == "most_placed":
            return "winner", "where each seat has a sequence of its own, the first to complete it wins [ORDER-13]"
        return super().conflict()


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "race": {"board": "race", "players": 3},
    "own": {"board": "own"},
    "restart": {"on_miss": "restart", "direction": "either"},
    "most-placed": {"winner": "most_placed", "tie_break": "playoff", "players": 4},
    "solo": {"players": 1},
    "tournament": {"tournament": True},
}
