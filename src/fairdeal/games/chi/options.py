"""CHI: the options (docs/rules/chi.md, part 1, section 3) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Options, Preset, about, called

Reshuffle = Annotated[
    Literal["at_once", "when_needed"],
    about("When the discard pile is shuffled into a new deck.", "CHI-50", "Reshuffle"),
    called(at_once="as soon as the deck is empty", when_needed="when a card is needed"),
]


class ChiOptions(Options, kw_only=True):
    """Options of a table of CHI."""

    players: Annotated[int, about("Number of players, always two.", "CHI-01", "Players", ge=2, le=2)] = 2
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("Seat number.", "CHI-04", ge=0, le=1)],
        about("Player who takes the first turn.", "CHI-04", "First player", seat=True),
        called(random="a random player"),
    ] = "random"
    yang_layout: Annotated[
        Literal["halves", "mixed"],
        about("Yang cards of each colour.", "CHI-02 CHI-34", "Yang"),
        called(halves="two 3s or two 6s", mixed="a 3 and a 6"),
    ] = "halves"
    hand_limit: Annotated[
        int, about("Maximum number of cards in hand at the end of a turn.", "CHI-11", "Cards in hand", ge=3, le=10)
    ] = 5
    keep_one: Annotated[bool, about("You may not play the last card of your hand.", "CHI-12", "Keep the last card")] = (
        True
    )
    draw_source: Annotated[
        Literal["row", "row_or_deck"],
        about("Where you may draw cards from.", "CHI-21", "Drawing"),
        called(row="from the row", row_or_deck="from the row or the deck"),
    ] = "row"
    reshuffle: Reshuffle = "at_once"
    stacks_to_end: Annotated[
        int,
        about(
            "Number of stacks in front of one player that end the game.", "CHI-60", "Stacks to end the game", ge=4, le=8
        ),
    ] = 6
    end_trigger: Annotated[
        Literal["sticky", "recheck"],
        about("Whether the game still ends if a stack falls in the last turn.", "CHI-61", "Last turn"),
        called(sticky="the game still ends", recheck="the game goes on"),
    ] = "sticky"
    turn_limit: Annotated[
        int, about("Maximum number of turns.", "CHI-65", "Turn limit", ge=50, le=2000, multiple_of=2)
    ] = 400

    def bounds(self) -> Bounds:
        """Return the limits (docs/rules/chi.md, part 1, section 8)."""
        return Bounds(2 * self.turn_limit + 6, 0, 6 * self.stacks_to_end + self.hand_limit)


PRESETS = {
    "standard": Preset("Standard", "As printed: the sixth stack ends the game."),
    "mixed": Preset("Mixed Yang", "Every colour has a 3 and a 6, which get in each other’s way.", yang_layout="mixed"),
    "open-deck": Preset("Open deck", "You may also draw from the deck, unseen.", draw_source="row_or_deck"),
    "short": Preset("Short", "The fourth stack ends the game.", stacks_to_end=4, minutes=(2, 7)),
}
