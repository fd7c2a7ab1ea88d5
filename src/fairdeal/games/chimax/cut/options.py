"""CHIMAX CUT: the options (docs/rules/chimax.md, section 5) and the presets."""

from collections.abc import Mapping
from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Preset, about, called
from fairdeal.games.chimax.options import PLAYOFF, TournamentOptions


class CutOptions(TournamentOptions, kw_only=True):
    """The options of a game of CHIMAX CUT."""

    players: Annotated[int, about("Number of players.", "CUT-01", "Players", ge=2, le=4)] = 3
    cut: Annotated[
        Literal["auto"],
        about(
            "Player who cuts the pack; always nobody, because no cards are dealt.", "TOUR-02 GEN-11", "Cutting the pack"
        ),
        called(auto="nobody"),
    ] = "auto"
    mode: Annotated[
        Literal["knockout", "until_infinity", "one_cut"],
        about("Way of winning a round.", "CUT-06", "Game"),
        called(
            knockout="the lowest card drops out",
            until_infinity="cut until Infinity shows",
            one_cut="one card each, the highest wins",
        ),
    ] = "knockout"
    recuts: Annotated[
        int, about("Maximum number of times you may cut again.", "CUT-04", "Cutting again", ge=0, le=2)
    ] = 1
    qmark: Annotated[
        Literal["declare", "low"],
        about("Value of a ? that you keep.", "CUT-07", "Question marks"),
        called(declare="a value that is still free", low="almost nothing"),
    ] = "declare"
    rounds: Annotated[int, about("Number of rounds in a game.", "CUT-01 CUT-08", "Rounds", ge=1, le=100)] = 5

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        """Return the options implied by tournament play, except for the cut before a deal, because nothing is dealt
        (TOUR-02)."""
        found = super().implied(given)
        found.pop("cut", None)
        return found

    def bounds(self) -> Bounds:
        """Return the limits (docs/rules/chimax.md, section 5)."""
        lowest = -self.rounds if self.mode == "one_cut" else 0
        return Bounds(79 * self.rounds + PLAYOFF, lowest, self.rounds + 0.5)


PRESETS = {
    "standard": Preset("Standard", "The lowest card drops out until one player is left; five rounds."),
    "infinity": Preset(
        "Until Infinity", "You cut in turn until somebody shows Infinity.", mode="until_infinity", minutes=(7, 12)
    ),
    "one-cut": Preset(
        "One cut",
        "One card each and no second chance; the lowest loses a point.",
        mode="one_cut",
        recuts=0,
        minutes=(2, 5),
    ),
    "gamblers": Preset("Gamblers", "You may cut again twice.", recuts=2),
    "tournament": Preset("Tournament", "Rounds last at most ten minutes, and ties are played off.", tournament=True),
}
