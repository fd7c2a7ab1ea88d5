"""CHIMAX JACKPOT: the options (docs/rules/chimax.md, section 7) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.options import SoloOptions


class JackpotOptions(SoloOptions, frozen=True, kw_only=True):
    """The options of a table of JACKPOT."""

    players: Annotated[int, about("Jackpot is for one.", "JACK-01", ge=1, le=1)] = 1
    spins: Annotated[int, about("Spins of a deal; more than 13 make holding free.", "JACK-04 JACK-11", ge=1, le=39)] = (
        13
    )
    qmark_values: Annotated[
        Literal["any", "books"], about("What a ? may stand for: any face, or 15, 25, 50 and 100.", "JACK-06")
    ] = "any"
    qmark_when: Annotated[
        Literal["flip", "claim"], about("When a ? gets its value: as it is flipped, or with the Book.", "JACK-06")
    ] = "flip"
    run_order: Annotated[
        Literal["in_place", "any"], about("Must three neighbours lie in order, up or down?", "JACK-07")
    ] = "in_place"
    open_stock: Annotated[bool, about("You may look through the piles: a puzzle.", "JACK-05")] = False
    streak: Annotated[bool, about("Runs in three spins running score a point more.", "JACK-09")] = False
    jackpot_bonus: Annotated[int, about("What three infinities score on top.", "JACK-10", ge=0, le=100)] = 3
    deals: Annotated[int, about("Deals of a game; their points are added up.", "JACK-11", ge=1, le=100)] = 1
    par: Annotated[int, about("Points that win a deal.", "JACK-11", ge=0, le=100)] = 3


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "tournament": {"tournament": True},
    "evening": {"deals": 5},
    "easy": {"qmark_when": "claim", "run_order": "any"},
    "puzzle": {"open_stock": True},
    "streak": {"streak": True, "qmark_values": "books", "jackpot_bonus": 5},
}
