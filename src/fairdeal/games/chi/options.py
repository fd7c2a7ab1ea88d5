"""CHI: the options (docs/rules/chi.md, part 1, section 3) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import Options, about


class ChiOptions(Options, frozen=True, kw_only=True):
    """The options of a table of CHI."""

    players: Annotated[int, about("Chi is for two.", "CHI-01", ge=2, le=2)] = 2
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("A seat.", "CHI-04", ge=0, le=1)], about("Who starts.", "CHI-04")
    ] = "random"
    yang_layout: Annotated[
        Literal["halves", "mixed"],
        about("Which Yang there are: colours of two 3s and colours of two 6s, or a 3 and a 6 each.", "CHI-02 CHI-34"),
    ] = "halves"
    hand_limit: Annotated[int, about("Cards in hand at the end of the own turn.", "CHI-11", ge=3, le=10)] = 5
    keep_one: Annotated[bool, about("The last hand card may not be played.", "CHI-12")] = True
    draw_source: Annotated[Literal["row", "row_or_deck"], about("Where the draw action draws from.", "CHI-21")] = "row"
    reshuffle: Annotated[
        Literal["at_once", "when_needed"], about("When the discard pile becomes the deck.", "CHI-50")
    ] = "at_once"
    stacks_to_end: Annotated[int, about("Stacks that trigger the end.", "CHI-60", ge=4, le=8)] = 6
    end_trigger: Annotated[
        Literal["sticky", "recheck"], about("Does the end stand if a stack falls in the last turn?", "CHI-61")
    ] = "sticky"
    turn_limit: Annotated[int, about("Turns after which the game ends.", "CHI-65", ge=50, le=2000, multiple_of=2)] = 400


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "mixed": {"yang_layout": "mixed"},
    "open-deck": {"draw_source": "row_or_deck"},
    "short": {"stacks_to_end": 4},
}
