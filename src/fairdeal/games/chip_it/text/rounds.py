"""CHIP IT: the scores of each game of a tournament or a duel."""

from collections.abc import Iterator

from fairdeal.engine import events
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Gain, Voice, count_of
from fairdeal.games.chip_it.state import DUEL, SINGLE, TOURNAMENT_POINTS
from fairdeal.games.chip_it.text.outcome import ORDINALS, burden_of


class GameEnded(events.RoundEnded):
    """CHIP-71, 82: the end of one game of a match, with the points that each seat scored in it. The `last` game has no
    sentence, because the end of the match describes it."""

    last: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that scored, those with the most points first; in a duel, only the loser."""
        by_points = sorted(range(len(self.gains)), key=lambda seat: -self.gained(seat))
        return tuple(by_points[:1] if self.fewest else filter(self.gained, by_points))

    def gained(self, seat: int) -> int:
        return sum(gain.value for gain in self.gains[seat])

    def sentence(self, voice: Voice) -> str:
        ended, seats = f"Game {self.number} is over", self.seats
        if self.last:
            return ""
        if self.fewest:
            written = count_of(self.gained(seats[0]), "point")
            return f"{ended}: {voice.does_then(seats[0], 'write')} down {written}."
        return f"{ended}. Points: {', '.join(f'{voice.name(seat)} {self.gained(seat)}' for seat in seats)}."


def count_round(before: Snapshot, after: Snapshot) -> Iterator[GameEnded]:
    """Yield the end of a game of a match, if a move has ended one."""
    ended = after.match.game != before.match.game or after.over
    if after.options.mode == SINGLE or not ended:
        return
    duel, totals = after.options.mode == DUEL, after.match.totals[: after.players]
    clause, gains = "CHIP-82" if duel else "CHIP-71", []
    for total, was in zip(totals, before.match.totals, strict=False):
        points = total - was
        label = "written down" if duel or not points else ORDINALS[TOURNAMENT_POINTS.tolist().index(points)]
        gains.append((Gain(label, points, clause),) if points else ())
    number, last = before.match.game, bool(after.over)
    yield GameEnded(number, tuple(totals), tuple(gains), label="Game", fewest=duel, last=last, clauses=(clause,))


def standing(state: Snapshot) -> list[int]:
    """Return a sort value for each seat, higher for a better place: the points in a match. In a single game, those who
    have finished come first in their order, and then the smallest burden (CHIP-46)."""
    seats = range(state.players)
    if state.options.mode != SINGLE:
        return [-total if state.options.mode == DUEL else total for total in state.match.totals[: state.players]]
    done = state.finished.held
    return [state.players - done.index(seat) if seat in done else -burden_of(state, seat) for seat in seats]
