"""CHIMAX JACKPOT: the options (docs/rules/chimax.md, section 7) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.options import SoloOptions


class JackpotOptions(SoloOptions, frozen=True, kw_only=True):
    """The options of a table of JACKPOT."""

    players: Annotated[int, about("Jackpot is for one.", "JACK-01", label="Players", ge=1, le=1)] = 1
    spins: Annotated[
        int,
        about(
            "How many spins a deal has; with more than 13 you may always hold.",
            "JACK-04 JACK-11",
            label="Spins",
            ge=1,
            le=39,
        ),
    ] = 13
    qmark_values: Annotated[
        Literal["any", "books"],
        about(
            "What a ? may stand for.",
            "JACK-06",
            label="Question marks",
            words={"any": "any face", "books": "15, 25, 50 or 100"},
        ),
    ] = "any"
    qmark_when: Annotated[
        Literal["flip", "claim"],
        about(
            "When you say what a ? stands for.",
            "JACK-06",
            label="Naming a ?",
            words={"flip": "as it is flipped", "claim": "with the Book"},
        ),
    ] = "flip"
    run_order: Annotated[
        Literal["in_place", "any"],
        about(
            "How three neighbours must lie.",
            "JACK-07",
            label="Runs",
            words={"in_place": "in order, up or down", "any": "in any order"},
        ),
    ] = "in_place"
    open_stock: Annotated[
        bool, about("You may look through the piles, and so plan every spin.", "JACK-05", label="Open piles")
    ] = False
    streak: Annotated[
        bool, about("A run in the third spin running scores a point more.", "JACK-09", label="Streaks")
    ] = False
    jackpot_bonus: Annotated[
        int, about("What three infinities score on top of the Book.", "JACK-10", label="Jackpot", ge=0, le=100)
    ] = 3
    deals: Annotated[
        int, about("How many deals a game has; their points are added up.", "JACK-11", label="Deals", ge=1, le=100)
    ] = 1
    par: Annotated[int, about("How many points win a deal.", "JACK-11", label="Par", ge=0, le=100)] = 3


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "tournament": {"tournament": True},
    "evening": {"deals": 5},
    "easy": {"qmark_when": "claim", "run_order": "any"},
    "puzzle": {"open_stock": True},
    "streak": {"streak": True, "qmark_values": "books", "jackpot_bonus": 5},
}

PRESET_WORDS: dict[str, tuple[str, str]] = {
    "standard": ("Standard", "One deal of thirteen spins, against par 3."),
    "tournament": ("Tournament", "You cut the pack, and have ten minutes."),
    "evening": ("A whole evening", "Five deals, added up."),
    "easy": ("Easy", "Runs count in any order, and a ? can wait for its Book."),
    "puzzle": ("Puzzle", "You may look through the piles and plan every spin."),
    "streak": ("Streak", "Runs in a row and the Jackpot pay more, and a ? is worth less."),
}
"""What people call the presets, and what a player notices."""
