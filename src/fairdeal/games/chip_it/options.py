"""CHIP IT: the options (docs/rules/chip-it.md, section 3) and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from fairdeal.engine.options import Options, about
from fairdeal.games.chip_it.state import SUPPLY


class ChipItOptions(Options, frozen=True, kw_only=True):
    """The options of a table of CHIP IT."""

    players: Annotated[int, about("How many play; two play a duel.", "CHIP-03", ge=2, le=6)] = 4
    mode: Annotated[
        Literal["single", "tournament", "duel"],
        about("One game, one game for each starter, or the match for two.", "CHIP-70 CHIP-80"),
    ] = "single"
    placement: Annotated[bool, about("Play on for the other places.", "CHIP-64 CHIP-65 CHIP-66")] = False
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("A seat.", "CHIP-06", ge=0, le=5)],
        about("Who starts.", "CHIP-06 CHIP-70 CHIP-80"),
    ] = "random"
    raise_: Annotated[Literal["any", "lowest"], about("May a card be raised further than it needs?", "CHIP-28")] = (
        msgspec.field(default="any", name="raise")
    )
    value_cap: Annotated[
        Literal["none"] | Annotated[int, about("A value.", "CHIP-29", ge=21, le=1199)],
        about("The highest value that may be played.", "CHIP-29"),
    ] = "none"
    leader_pass: Annotated[
        Literal["must_return", "never", "free"],
        about("May the leader of a round pass, and must a point be returned?", "CHIP-44 CHIP-45 CHIP-46"),
    ] = "must_return"
    collect: Annotated[
        Literal["turn_start", "after_pass"], about("When a front's points join the bank.", "CHIP-11")
    ] = "turn_start"
    start_points: Annotated[int, about("Points everyone starts with.", "CHIP-05", ge=0, le=10)] = 3
    pool_total: Annotated[int, about("All points there are.", "CHIP-02 CHIP-27", ge=1, le=SUPPLY)] = SUPPLY
    duel_points: Annotated[
        tuple[
            Annotated[int, about("Of the starter.", "CHIP-81", ge=0, le=SUPPLY)],
            Annotated[int, about("Of the other.", "CHIP-81", ge=0, le=SUPPLY)],
        ],
        about("Points of starter and other in a duel.", "CHIP-81"),
    ] = (2, 0)
    duel_games: Annotated[int, about("Games of a duel.", "CHIP-80", ge=2, le=20, multiple_of=2)] = 4

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        if given.get("mode") == "duel" or given.get("players") == 2:
            return {"players": 2, "mode": "duel"}
        if given.get("mode") == "tournament":
            return {"placement": True}
        return {}

    def conflict(self) -> tuple[str, str] | None:
        if (self.mode == "duel") != (self.players == 2):
            return "mode", "two players play a duel, and a duel is for two [CHIP-80]"
        if self.mode == "tournament" and not self.placement:
            return "placement", "a tournament is always played for places [CHIP-71]"
        if self.mode == "duel" and self.placement:
            return "placement", "a duel is not played for places [CHIP-82]"
        if isinstance(self.first_player, int) and self.first_player >= self.players:
            return "first_player", f"the seats are 0 to {self.players - 1} [CHIP-06]"
        banks = sum(self.duel_points) if self.mode == "duel" else self.players * self.start_points
        if banks > self.pool_total:
            return "pool_total", f"it must cover the starting banks, {banks} points [CHIP-02]"
        return None


PRESETS: dict[str, dict[str, object]] = {
    "single": {},
    "places": {"placement": True},
    "tournament": {"mode": "tournament"},
    "duel": {"mode": "duel"},
}
