"""Chaos Ninjas: the options (docs/rules/chi.md, part 2, section 3) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Options, Preset, about, called
from fairdeal.games.chi.options import Reshuffle


class NinjaOptions(Options, kw_only=True):
    """Options of a table of Chaos Ninjas."""

    players: Annotated[int, about("Number of players.", "NINJA-02", "Players", ge=2, le=4)] = 2
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("Seat number.", "NINJA-02", ge=0, le=3)],
        about("Player who takes the first turn.", "NINJA-02", "First player", seat=True),
        called(random="a random player"),
    ] = "random"
    counters: Annotated[int, about("Number of Counters in the deck.", "NINJA-01", "Counters", ge=0, le=8)] = 4
    spirits: Annotated[int, about("Number of Spirits in the deck.", "NINJA-01", "Spirits", ge=0, le=8)] = 4
    abilities: Annotated[bool, about("Defenders have abilities, one for each colour.", "NINJA-30", "Abilities")] = True
    spirit: Annotated[
        Literal["guardian", "wild"],
        about("Use of Spirits.", "NINJA-20", "What Spirits do"),
        called(guardian="stand in front of you", wild="attack as any colour"),
    ] = "guardian"
    pair_attack: Annotated[
        Literal["any_two", "same_colour"],
        about("Two Attackers that may attack together.", "NINJA-11", "Pairs of Attackers"),
        called(any_two="any two", same_colour="two of one colour"),
    ] = "any_two"
    same_colour: Annotated[
        Literal["separate", "stack"],
        about("Position of two Defenders of one colour.", "NINJA-07", "Two of a colour"),
        called(separate="side by side", stack="on each other, and safe"),
    ] = "separate"
    late_seat_bonus: Annotated[
        int,
        about(
            "Number of extra cards for all players but the first at the start.", "NINJA-02", "Head start", ge=0, le=1
        ),
    ] = 0
    hand_limit: Annotated[
        int, about("Maximum number of cards in hand at the end of a turn.", "NINJA-03", "Cards in hand", ge=3, le=10)
    ] = 6
    turn_limit: Annotated[
        int, about("Maximum number of turns.", "NINJA-09", "Turn limit", ge=50, le=2000, multiple_of=2)
    ] = 600
    reshuffle: Reshuffle = "at_once"

    def conflict(self) -> tuple[str, str] | None:
        if isinstance(self.first_player, int) and self.first_player >= self.players:
            return "first_player", f"the seats at this table are 0 to {self.players - 1}"
        return None

    def bounds(self) -> Bounds:
        """Return the limits, with at most 20 actions in a turn (docs/rules/chi.md, part 2, section 8)."""
        return Bounds(20 * self.turn_limit, 0, 1)


PRESETS = {
    "standard": Preset("Standard", "As printed: every Defender can do something."),
    "even-start": Preset("Even start", "Everybody but the first player starts with one more card.", late_seat_bonus=1),
    "plain": Preset(
        "Plain", "Defenders have no abilities: only colours and Counters matter.", abilities=False, minutes=(5, 90)
    ),
    "wild-spirits": Preset(
        "Wild Spirits", "Spirits attack as any colour and do not stand in front of you.", spirit="wild", minutes=(5, 90)
    ),
    "stacks": Preset(
        "Stacks",
        "Two Defenders of a colour are safe, and only pairs of a colour attack together.",
        same_colour="stack",
        pair_attack="same_colour",
        minutes=(3, 15),
    ),
    "melee": Preset("Melee", "Four players, everybody for themselves.", players=4, late_seat_bonus=1, minutes=(6, 20)),
}
