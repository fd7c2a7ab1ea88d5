"""Chaos Ninjas: the options (docs/rules/chi.md, part 2, section 3) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import Options, about


class NinjaOptions(Options, frozen=True, kw_only=True):
    """The options of a table of Chaos Ninjas."""

    players: Annotated[int, about("How many play.", "NINJA-02", label="Players", ge=2, le=4)] = 2
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("A seat.", "NINJA-02", ge=0, le=3)],
        about("Who starts.", "NINJA-02", label="First player", words={"random": "drawn by lot"}, seat=True),
    ] = "random"
    counters: Annotated[int, about("How many Counters the deck has.", "NINJA-01", label="Counters", ge=0, le=8)] = 4
    spirits: Annotated[int, about("How many Spirits the deck has.", "NINJA-01", label="Spirits", ge=0, le=8)] = 4
    abilities: Annotated[
        bool, about("Every Defender can do something, by its colour.", "NINJA-30", label="Abilities")
    ] = True
    spirit: Annotated[
        Literal["guardian", "wild"],
        about(
            "What a Spirit does.",
            "NINJA-20",
            label="What Spirits do",
            words={"guardian": "stand in front of you", "wild": "attack as any colour"},
        ),
    ] = "guardian"
    pair_attack: Annotated[
        Literal["any_two", "same_colour"],
        about(
            "Which two Attackers may attack together.",
            "NINJA-11",
            label="Pairs of Attackers",
            words={"any_two": "any two", "same_colour": "two of one colour"},
        ),
    ] = "any_two"
    same_colour: Annotated[
        Literal["separate", "stack"],
        about(
            "How two Defenders of one colour lie.",
            "NINJA-07",
            label="Two of a colour",
            words={"separate": "side by side", "stack": "on each other, and safe"},
        ),
    ] = "separate"
    late_seat_bonus: Annotated[
        int,
        about(
            "How many cards more everybody but the first player starts with.",
            "NINJA-02",
            label="Head start",
            ge=0,
            le=1,
        ),
    ] = 0
    hand_limit: Annotated[
        int,
        about("How many cards you may hold at the end of your turn.", "NINJA-03", label="Cards in hand", ge=3, le=10),
    ] = 6
    turn_limit: Annotated[
        int,
        about("The game ends after so many turns.", "NINJA-09", label="Turns at most", ge=50, le=2000, multiple_of=2),
    ] = 600
    reshuffle: Annotated[
        Literal["at_once", "when_needed"],
        about(
            "When the discard pile becomes the new deck.",
            "CHI-50",
            label="Reshuffle",
            words={"at_once": "as soon as the deck is empty", "when_needed": "when a card is needed"},
        ),
    ] = "at_once"

    def conflict(self) -> tuple[str, str] | None:
        if isinstance(self.first_player, int) and self.first_player >= self.players:
            return "first_player", f"the seats of this table are 0 to {self.players - 1}"
        return None


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "even-start": {"late_seat_bonus": 1},
    "plain": {"abilities": False},
    "wild-spirits": {"spirit": "wild"},
    "stacks": {"same_colour": "stack", "pair_attack": "same_colour"},
    "melee": {"players": 4, "late_seat_bonus": 1},
}

PRESET_WORDS: dict[str, tuple[str, str]] = {
    "standard": ("Standard", "As printed: every Defender can do something."),
    "even-start": ("Even start", "Everybody but the first player starts with a card more."),
    "plain": ("Plain", "Defenders have no abilities: only colours and Counters matter."),
    "wild-spirits": ("Wild Spirits", "Spirits attack as any colour and do not stand in front of you."),
    "stacks": ("Stacks", "Two Defenders of a colour are safe, and only pairs of a colour attack together."),
    "melee": ("Melee", "Four players, each against all."),
}
"""What people call the presets, and what a player notices."""
