"""CHIMAX JACKPOT: the options (docs/rules/chimax.md, section 7) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Preset, about, called
from fairdeal.games.chimax.options import SoloOptions


class JackpotOptions(SoloOptions, kw_only=True):
    """The options of a game of JACKPOT."""

    players: Annotated[int, about("Number of players, always one.", "JACK-01", "Players", ge=1, le=1)] = 1
    spins: Annotated[
        int,
        about(
            "Number of spins in a deal; with more than 13, you may always hold.",
            "JACK-04 JACK-11",
            "Spins",
            ge=1,
            le=39,
        ),
    ] = 13
    qmark_values: Annotated[
        Literal["any", "books"],
        about("Faces that a ? may stand for.", "JACK-06", "Question marks"),
        called(any="any face", books="15, 25, 50 or 100"),
    ] = "any"
    qmark_when: Annotated[
        Literal["flip", "claim"],
        about("Time at which you name the face of a ?.", "JACK-06", "Naming a ?"),
        called(flip="when it is flipped", claim="with the Book"),
    ] = "flip"
    run_order: Annotated[
        Literal["in_place", "any"],
        about("Order of three neighbours in a run.", "JACK-07", "Runs"),
        called(in_place="in order, up or down", any="in any order"),
    ] = "in_place"
    open_stock: Annotated[
        bool, about("You may look through the piles and plan every spin.", "JACK-05", "Open piles")
    ] = False
    streak: Annotated[bool, about("A run in the third spin in a row scores an extra point.", "JACK-09", "Streaks")] = (
        False
    )
    jackpot_bonus: Annotated[
        int, about("Number of extra points for three infinities.", "JACK-10", "Jackpot", ge=0, le=100)
    ] = 3
    deals: Annotated[
        int, about("Number of deals in a game; their points are added up.", "JACK-11", "Deals", ge=1, le=100)
    ] = 1
    par: Annotated[int, about("Number of points needed to win a deal.", "JACK-11", "Par", ge=0, le=100)] = 3

    def bounds(self) -> Bounds:
        """Return the limits: in a deal, three choices and one `done` for each spin, at most thirteen Books, three
        declarations and a cut (docs/rules/chimax.md, section 7)."""
        books = 13 + 2 * self.jackpot_bonus + (13 if self.streak else 0)
        return Bounds(self.deals * (4 * self.spins + 17), 0, self.deals * books)


PRESETS = {
    "standard": Preset("Standard", "One deal of thirteen spins, against par 3."),
    "tournament": Preset("Tournament", "You cut the pack and have ten minutes.", tournament=True),
    "evening": Preset("A whole evening", "Five deals, added up.", deals=5, minutes=(14, 18)),
    "easy": Preset(
        "Easy", "Runs count in any order, and a ? can wait for its Book.", qmark_when="claim", run_order="any"
    ),
    "puzzle": Preset("Puzzle", "You may look through the piles and plan every spin.", open_stock=True),
    "streak": Preset(
        "Streak",
        "Runs in a row and the Jackpot pay more, and a ? is worth less.",
        streak=True,
        qmark_values="books",
        jackpot_bonus=5,
    ),
}
