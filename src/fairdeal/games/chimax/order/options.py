"""CHIMAX ORDER: the options (docs/rules/chimax.md, section 2) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Preset, about, called
from fairdeal.games.chimax.options import PLAYOFF, TOURNAMENT, StallLimit, TournamentOptions, memory_turns


class OrderOptions(TournamentOptions, kw_only=True):
    """The options of a game of CHIMAX ORDER."""

    players: Annotated[
        int, about("Number of players; a single player practises.", "ORDER-01", "Players", ge=1, le=4)
    ] = 2
    board: Annotated[
        Literal["shared", "race", "own"],
        about("Whether players share a layout and a sequence.", "ORDER-03 ORDER-13", "Layouts"),
        called(shared="one layout, one sequence", race="one layout, a sequence each", own="a layout each"),
    ] = "shared"
    direction: Annotated[
        Literal["ascending", "descending", "either"],
        about("Order in which the cards must be found.", "ORDER-08", "Direction"),
        called(ascending="from ½ up to ∞", descending="from ∞ down to ½", either="set by the first card"),
    ] = "ascending"
    on_miss: Annotated[
        Literal["stay", "restart"],
        about("Effect of a miss on the cards in order.", "ORDER-09", "After a miss"),
        called(stay="they stay", restart="they are turned down again"),
    ] = "stay"
    winner: Annotated[
        Literal["completer", "most_placed"],
        about("Player who wins.", "ORDER-10", "Winner"),
        called(completer="the player who places the last card", most_placed="the player who placed the most cards"),
    ] = "completer"
    stall_limit: StallLimit = 0

    def conflict(self) -> tuple[str, str] | None:
        if self.board == "own" and self.players > 3:
            return "board", "there are only three full sets of faces [ORDER-03]"
        if self.board != "shared" and self.direction == "either":
            return "direction", "if each seat has its own sequence, the direction must be fixed [ORDER-13]"
        if self.board != "shared" and self.winner == "most_placed":
            return "winner", "if each seat has its own sequence, the first seat to complete it wins [ORDER-13]"
        return super().conflict()

    def bounds(self) -> Bounds | None:
        """Return the limits: a wrong flip in a turn, and a right one for each placed card (docs/rules/chimax.md,
        section 2). With `restart`, cards are placed again, and no limit of the length is known."""
        if self.on_miss == "restart":
            return Bounds(0, 0, 1) if self.players > 1 else None
        cards = 13 * (self.players if self.board == "own" else 1)
        placed = 13 * (1 if self.board == "shared" else self.players)
        turns = memory_turns(cards, placed, self.stall_limit)
        return Bounds(turns + placed + PLAYOFF, *((-turns, 0) if self.players == 1 else (0, 1)))


PRESETS = {
    "standard": Preset("Standard", "One layout for all; the player who places the last card wins."),
    "race": Preset("Race", "Three players and one layout; each has a sequence of their own.", board="race", players=3),
    "own": Preset("A layout each", "Everybody has thirteen cards of their own.", board="own", minutes=(3, 8)),
    "restart": Preset(
        "Start over",
        "A miss turns everything down again; the first card sets the direction.",
        on_miss="restart",
        direction="either",
        minutes=(4, 7),
    ),
    "most-placed": Preset(
        "Most placed",
        "Four players; the player who placed the most cards wins.",
        winner="most_placed",
        tie_break="playoff",
        players=4,
    ),
    "solo": Preset("Alone", "One player: place all thirteen with as few misses as you can.", players=1),
    "tournament": TOURNAMENT,
}
