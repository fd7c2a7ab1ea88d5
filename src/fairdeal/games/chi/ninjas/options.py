"""Chaos Ninjas: the options (docs/rules/chi.md, part 2, section 3) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import Options, about


class NinjaOptions(Options, frozen=True, kw_only=True):
    """The options of a table of Chaos Ninjas."""

    players: Annotated[int, about("How many play.", "NINJA-02", ge=2, le=4)] = 2
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("A seat.", "NINJA-02", ge=0, le=3)], about("Who starts.", "NINJA-02")
    ] = "random"
    counters: Annotated[int, about("Counters in the deck.", "NINJA-01", ge=0, le=8)] = 4
    spirits: Annotated[int, about("Spirits in the deck.", "NINJA-01", ge=0, le=8)] = 4
    abilities: Annotated[bool, about("Defenders have abilities, one for each colour.", "NINJA-30")] = True
    spirit: Annotated[
        Literal["guardian", "wild"],
        about("A Spirit stands in front of you, or attacks like an Attacker of any colour.", "NINJA-20"),
    ] = "guardian"
    pair_attack: Annotated[
        Literal["any_two", "same_colour"], about("May two attacking cards differ in colour?", "NINJA-11")
    ] = "any_two"
    same_colour: Annotated[
        Literal["separate", "stack"],
        about("Two Defenders of a colour lie side by side, or on each other and safe.", "NINJA-07"),
    ] = "separate"
    late_seat_bonus: Annotated[
        int, about("Cards more at the start for all but the first player.", "NINJA-02", ge=0, le=1)
    ] = 0
    hand_limit: Annotated[int, about("Cards in hand at the end of the own turn.", "NINJA-03", ge=3, le=10)] = 6
    turn_limit: Annotated[int, about("Turns after which the game ends.", "NINJA-09", ge=50, le=2000, multiple_of=2)] = (
        600
    )
    reshuffle: Annotated[
        Literal["at_once", "when_needed"], about("When the discard pile becomes the deck.", "CHI-50")
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
