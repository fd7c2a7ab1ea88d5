"""My Game in words: moves, positions, reasons and events."""

from fairdeal.engine import written
from fairdeal.engine.events import Event, RoundEnded, Scored
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Gain, Voice, count_of
from fairdeal.skeleton.my_game.rules import HAND, SEATS
from fairdeal.skeleton.my_game.words import DECK, TookTrick, WonByMost

from .rules import options

POSITION = written.Position(
    DECK,
    options,
    SEATS,
    start=written.Seat(at="match.first"),
    over=written.Flag(at="over"),
    round=written.Match(),
    totals=written.Numbers(at="match.totals", highest=12),
    turn=written.Seat("who is to play"),
    hands=written.Hands(room=HAND, zone="hand{}"),
    played=written.Places("the card in front of each seat"),
    used=written.Owners("by card, who has played it in a finished trick of this round"),
    won=written.Numbers("tricks of this round", highest=HAND, counter="trick"),
)


class RoundScored(Scored):
    """MINE-13: the points of a seat for the tricks of a round."""

    def sentence(self, voice: Voice) -> str:
        """Return the sentence, such as `Bo scores 2 points.`"""
        return f"{voice.does(self.seat, 'score')} {count_of(self.points, 'point')}."


def tricks(before: Snapshot, after: Snapshot) -> list[Event]:
    """Return the events of the trick that a move has ended, if any, and of the round, if the move has ended one."""
    seats = range(after.players)
    points = [after.match.totals[seat] - before.match.totals[seat] for seat in seats]
    won = [points[seat] or after.won[seat] for seat in seats] if any(points) else after.won
    found: list[Event] = [TookTrick(seat, 1, clauses=("MINE-11",)) for seat in seats if won[seat] > before.won[seat]]
    if any(points):
        found += [RoundScored(seat, points[seat], clauses=("MINE-13",)) for seat in seats if points[seat]]
        gains = tuple((Gain("Tricks", gained),) if gained else () for gained in points)
        found.append(RoundEnded(before.match.game, tuple(after.match.totals[: after.players]), gains))
    return found


def ended(state: Snapshot) -> list[WonByMost]:
    """Return the event of the end of the game if it is over."""
    scores = tuple(state.match.totals[: state.players])
    return [WonByMost(scores, "point", clauses=("MINE-20",))] if state.over else []
