"""CHIMAX FATE: the options (docs/rules/chimax.md, section 6) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Preset, about, called
from fairdeal.games.chimax.options import PLAYOFF, TOURNAMENT, StallLimit, TournamentOptions, memory_turns


class FateOptions(TournamentOptions, kw_only=True):
    """The options of a game of CHIMAX FATE."""

    players: Annotated[
        int, about("Number of players; a single player plays for a high score.", "FATE-01", "Players", ge=1, le=4)
    ] = 2
    wheel: Annotated[
        Literal["face", "position"],
        about("Task that the wheel sets.", "FATE-05 FATE-10", "Wheel"),
        called(face="a face to find", position="a face-down card to name"),
    ] = "face"
    tries: Annotated[
        int, about("Maximum number of cards you may turn to find the face.", "FATE-06", "Looks per spin", ge=1, le=13)
    ] = 3
    prize: Annotated[
        Literal["falling", "flat"],
        about("Number of points for a find.", "FATE-07", "Prize"),
        called(falling="less with each card turned", flat="always one point"),
    ] = "falling"
    spin_again: Annotated[bool, about("The player who finds the face spins again.", "FATE-07", "Spin again")] = False
    solo_spins: Annotated[
        int, about("Number of spins in a game for one player.", "FATE-11", "Spins alone", ge=1, le=500)
    ] = 20
    stall_limit: StallLimit = 0

    def bounds(self) -> Bounds:
        """Return the limits: in a turn, a spin, the looks and a `stop`, and again after each of thirteen hits
        (docs/rules/chimax.md, section 6). Parts of a point break ties."""
        turns = self.solo_spins if self.players == 1 else memory_turns(13, 13, self.stall_limit)
        return Bounds((turns + 13) * (self.tries + 2) + PLAYOFF, 0, 13 * max(3, self.tries) + 1)


PRESETS = {
    "standard": Preset("Standard", "Three looks per spin; the sooner you find the card, the more it pays."),
    "clairvoyant": Preset("Clairvoyant", "The wheel points at a card, and you name it unseen.", wheel="position"),
    "lucky-streak": Preset(
        "Lucky streak", "If you find the card, you spin again; a find is one point.", spin_again=True, prize="flat"
    ),
    "solo": Preset("Alone", "One player, twenty spins, for a high score.", players=1),
    "tournament": TOURNAMENT,
}
