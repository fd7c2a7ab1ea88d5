"""CHI: the result of a game, as text and numbers."""

from fairdeal.engine import events
from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Result, Voice, capital
from fairdeal.games.chi.rules import play as rules
from fairdeal.games.chi.state import SEATS


class Won(events.Won):
    """CHI-63, 64: the end of the game, with the number of cards in each hand. Each of these cards counts one point."""

    hands: tuple[int, ...]

    def text(self, voice: Voice) -> str:
        """Return the headline of the result, such as `You win 32 to 31.` or `A draw, 14 each.`"""
        if self.scores[0] == self.scores[1]:
            return f"A draw, {self.scores[0]} each."
        winner = 0 if self.scores[0] > self.scores[1] else 1
        return f"{voice.does(winner, 'win')} {self.scores[winner]} to {self.scores[1 - winner]}."

    @property
    def areas(self) -> list[int]:
        """The points on the table, by seat."""
        return [points - hand for points, hand in zip(self.scores, self.hands, strict=True)]

    @property
    def by_hand(self) -> bool:
        """Whether cards in hand decided the game, because the winner had fewer points on the table."""
        (best, *others), areas = self.best, self.areas
        return not others and areas[best] < areas[1 - best]

    def deciding(self) -> Deciding:
        on = tuple([f"area{seat}" for seat in self.best if not self.by_hand])
        return Deciding(self.best, ("in hand",) if self.by_hand else ("point",), on)

    def why(self, voice: Voice) -> str:
        best = self.best[0]
        told = ", ".join(
            f"{voice.name(seat)} with {self.areas[seat]} on the table and {self.hands[seat]} in hand"
            for seat in (best, 1 - best)
        )
        if self.by_hand:
            return f"The hand decided it: {told}."
        return f"{capital(told)}."


def won(state: Snapshot) -> Won:
    """Return the end of a finished game."""
    scores = tuple(rules.score(state, seat) for seat in range(SEATS))
    return Won(scores, tuple(hand.length for hand in state.hands), clauses=("CHI-64",))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result of the game, or None while it runs."""
    return won(state).result(voice) if state.over else None
