"""CHI: how a game ended, in words and numbers."""

from fairdeal.engine.scene import Result, Voice, capital, places_by
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.rules import play as rules
from fairdeal.games.chi.state import SEATS


def scores(state: Snapshot) -> tuple[int, ...]:
    return tuple(rules.score(state, seat) for seat in range(SEATS))


def victory(state: Snapshot, voice: Voice) -> str:
    """`You win 32 to 31.`, `A draw at 14.`"""
    points = scores(state)
    if points[0] == points[1]:
        return f"A draw, {points[0]} each."
    winner = 0 if points[0] > points[1] else 1
    return f"{voice.does(winner, 'win')} {points[winner]} to {points[1 - winner]}."


def decided(state: Snapshot, voice: Voice) -> str:
    """One sentence on what decided it."""
    points = scores(state)
    hands = [hand.length for hand in state.hands]
    areas = [point - hand for point, hand in zip(points, hands, strict=True)]
    best = 0 if points[0] >= points[1] else 1
    told = ", ".join(
        f"{voice.name(seat)} with {areas[seat]} on the table and {hands[seat]} in hand" for seat in (best, 1 - best)
    )
    if points[0] != points[1] and areas[best] < areas[1 - best]:
        return f"The hand decided it: {told}."
    return f"{capital(told)}."


def result(state: Snapshot, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    if not state.over:
        return None
    points = scores(state)
    return Result(text=victory(state, voice), places=places_by(points), scores=points, why=decided(state, voice))
