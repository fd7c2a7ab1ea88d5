"""CHI: the result of a game, as text and numbers."""

from fairdeal.engine import events
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Result, Voice, capital
from fairdeal.games.chi.rules import play as rules
from fairdeal.games.chi.state import SEATS


class Won(events.Won, frozen=True):
    """CHI-63, 64: the end of the game, with the number of cards in each hand. Each of these cards counts one point."""

    hands: tuple[int, ...]

    def text(self, voice: Voice) -> str:
        """Return the headline of the result, such as `You win 32 to 31.` or `A draw, 14 each.`"""
        if self.scores[0] == self.scores[1]:
            return f"A draw, {self.scores[0]} each."
        winner = 0 if self.scores[0] > self.scores[1] else 1
        return f"{voice.does(winner, 'win')} {self.scores[winner]} to {self.scores[1 - winner]}."

    def why(self, voice: Voice) -> str:
        areas = [points - hand for points, hand in zip(self.scores, self.hands, strict=True)]
        best = 0 if self.scores[0] >= self.scores[1] else 1
        told = ", ".join(
            f"{voice.name(seat)} with {areas[seat]} on the table and {self.hands[seat]} in hand"
            for seat in (best, 1 - best)
        )
        if self.scores[0] != self.scores[1] and areas[best] < areas[1 - best]:
            return f"The hand decided it: {told}."
        return f"{capital(told)}."


def won(state: Snapshot) -> Won:
    """Return the end of a finished game."""
    scores = tuple(rules.score(state, seat) for seat in range(SEATS))
    return Won(scores, tuple(hand.length for hand in state.hands), clauses=("CHI-64",))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result of the game, or None while it runs."""
    return won(state).result(voice) if state.over else None
