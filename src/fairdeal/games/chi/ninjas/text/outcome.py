"""Chaos Ninjas: the result of a game, as text and places."""

from fairdeal.engine import events
from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.snapshots import Snapshot, seats_in
from fairdeal.engine.scene import Result, Voice, capital, count_of
from fairdeal.games.chi.ninjas.state import TO_WIN


class Won(events.Won):
    """NINJA-06, 09: the end of a game, won with six cards in play (`six`) or reached by the turn limit.

    Scores are the numbers of cards in play; `hands` holds the numbers of cards in hand.
    """

    winners: tuple[int, ...]
    hands: tuple[int, ...]
    six: bool

    @property
    def seats(self) -> tuple[int, ...]:
        return self.winners if self.six else tuple(range(len(self.scores)))

    @property
    def ranked(self) -> tuple[int, ...]:
        return self.winners

    def deciding(self) -> Deciding:
        """Return the winners with their cards in play, or with their hands if others have as many in play."""
        if self.six:
            return Deciding(self.winners, ("in play",), tuple([f"area{seat}" for seat in self.winners]))
        return Deciding(self.winners, ("in play",) if len(self.best) == len(self.winners) else ("in hand",))

    def text(self, voice: Voice) -> str:
        """Return the headline of the result, such as `You win.` or `Bo and Cleo share the win.`"""
        if len(self.winners) == 1:
            return f"{voice.does(self.winners[0], 'win')}."
        return f"{capital(voice.several(self.winners))} share the win."

    def why(self, voice: Voice) -> str:
        if self.six:
            return f"Nobody broke the six cards in front of {voice.name(self.winners[0])}."
        told = "; ".join(
            f"{voice.name(seat)} with {self.scores[seat]} in play and {count_of(self.hands[seat], 'card')}"
            for seat in sorted(range(len(self.scores)), key=lambda seat: -self.scores[seat])
        )
        return f"The turns ran out: {told}."


def won(state: Snapshot) -> Won:
    """Return the end of a finished game."""
    winners, in_play = seats_in(state.winners), standing(state)
    six = winners == (state.turn,) and in_play[state.turn] >= TO_WIN
    hands = tuple([hand.length for hand in state.hands[: state.players]])
    return Won(tuple(in_play), winners, hands, six, clauses=("NINJA-06" if six else "NINJA-09",))


def standing(state: Snapshot) -> list[int]:
    """NINJA-06: return each seat's number of cards in play."""
    return [area.length for area in state.areas[: state.players]]


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result of the game, or None while it runs."""
    if not state.over:
        return None
    end = won(state)
    places = tuple(1 if seat in end.winners else 1 + len(end.winners) for seat in range(state.players))
    return end.result(voice, places=places)
