"""WAR X-TREME: the written form of a position (docs/rules/war-xtreme.md, part 5)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from fairdeal.engine.records import UNKNOWN
from fairdeal.games.war_xtreme.catalogue.names import Words
from fairdeal.games.war_xtreme.state import (
    BUYS,
    FLEES,
    IS_SPOILS,
    RACED,
    RACED_PASS,
    SAID_CATCH,
    SAID_DISPUTE,
    SAID_NO,
    SAID_YES,
    SLOTS,
)

PURPOSES = ("round", "turn", "price", "stakes")
UNSEEN = "?"
SAID = {"catch": SAID_CATCH, "dispute": SAID_DISPUTE}

Number = int | Literal["?"]
"""A number of equipment, or one that is not known."""


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat with all that is its own."""

    alive: bool = True
    army: list[str] = []
    camp: list[str] = []
    hand: list[Number] = []
    hidden: list[int] = []
    in_play: list[int] = []
    table: list[str] = []
    brag: int = 0
    wars_won: int = 0
    trusted: int = 0
    distrusted: int = 0
    said: list[Literal["catch", "dispute"]] = []
    flipped: bool = False
    seen: list[int] = []
    out_round: int = 0


class War(msgspec.Struct, forbid_unknown_fields=True):
    """A war of this round that has not ended."""

    warriors: list[int]
    rank: int = 2
    depth: int = 0
    source: Literal["army", "camp"] = "army"
    borrowing: list[int] = []
    pot_up: list[str] = []
    pot_down: dict[str, list[str]] = {}
    recruits: dict[str, str | None] = {}


class Regroup(msgspec.Struct, forbid_unknown_fields=True, rename={"purpose": "for"}):
    """A new pile that lies before somebody."""

    owner: int
    new: int
    purpose: Literal["round", "turn", "price", "stakes"]
    asked: int | None = None


class Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, rename={"round_no": "round"}):
    """The fields of a position; what may be left out has a default."""

    seats: list[Seat]
    phase: str = "PREP"
    game: str = ""
    options: dict[str, Any] = {}
    round_no: int = 2
    marshal: int = 0
    acting: list[int] | None = None
    slots: list[str | None] = msgspec.field(default_factory=lambda: [None] * SLOTS)
    tax: list[str] = []
    store: list[Number] = []
    junk: list[int] = []
    wars: list[War] = []
    fight: dict[str, str] = {}
    mods: dict[str, int] = {}
    declared: dict[str, int] = {}
    called: dict[str, int] = {}
    earned: list[tuple[int, int]] = []
    passes: int = 0
    choices: dict[str, str] = {}
    locked: list[int] = []
    regroup: Regroup | None = None
    dispute: tuple[int, int] | None = None
    caught: list[int] = []
    winners: list[int] = []
    turned: dict[str, str] = {}
    swept: int | None = None


def answers(phase: str, words: Words, wars: int) -> dict[str, int]:
    """What a seat may have answered in a phase, in the words of its move."""
    if phase == "EXTREME":
        known = {"yes": SAID_YES, "no": SAID_NO}
    elif phase == "RACE":
        known = {"pass": RACED_PASS} | {f"act {name}": RACED + number for number, name in enumerate(words.actions)}
    else:
        known = {"flee": FLEES, "spoils": IS_SPOILS} | {f"buy-in {number}": BUYS + number for number in range(wars)}
    return known | ({UNSEEN: UNKNOWN} if phase in ("EXTREME", "RACE", "CHOICE") else {})
