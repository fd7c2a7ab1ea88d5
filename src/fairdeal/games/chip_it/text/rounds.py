"""CHIP IT: what a game of a tournament or a duel brought each seat."""

from collections.abc import Iterator

from fairdeal.engine.events import RoundEnded
from fairdeal.engine.scene import Gain
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chip_it.state import DUEL, SINGLE, TOURNAMENT_POINTS
from fairdeal.games.chip_it.text.outcome import ORDINALS


def count_round(before: Snapshot, after: Snapshot) -> Iterator[RoundEnded]:
    """CHIP-71, 82: the game of a match that a move has ended."""
    ended = after.match.game != before.match.game or after.over
    if after.options.mode == SINGLE or not ended:
        return
    duel, totals = after.options.mode == DUEL, after.match.totals[: after.players]
    gains = []
    for seat, total in enumerate(totals):
        points = total - before.match.totals[seat]
        label = "written down" if duel or not points else ORDINALS[TOURNAMENT_POINTS.tolist().index(points)]
        gains.append((Gain(label, points, "CHIP-82" if duel else "CHIP-71"),) if points else ())
    yield RoundEnded(before.match.game, tuple(totals), tuple(gains), label="Game", fewest=duel)


def standing(state: Snapshot) -> list[float]:
    """Who was rid of everything first is first; in a match the points say."""
    if state.options.mode != SINGLE:
        return [-total if state.options.mode == DUEL else total for total in state.match.totals[: state.players]]
    done = state.finished.held
    return [-done.index(seat) if seat in done else -state.players for seat in range(state.players)]
