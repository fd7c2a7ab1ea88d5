"""CHIMAX CUT: the scores of a round by seat, with the reasons for them."""

from collections.abc import Iterator

from fairdeal.engine.events import RoundEnded
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Gain
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.cut.state import KNOCKOUT, ONE_CUT, RUNNING
from fairdeal.games.chimax.deck import INFINITY, face_of


def count_round(before: Snapshot, after: Snapshot) -> Iterator[RoundEnded]:
    """Yield the end of a round, if a move has ended one and the game has several (CUT-05, 06, 08)."""
    if before.match.games == 1 or before.phase not in RUNNING or after.phase in RUNNING:
        return
    gains = tuple(tuple(gains_of(before, after, seat)) for seat in range(after.players))
    yield RoundEnded(before.match.game, tuple(after.match.totals[: after.players]), gains)


def gains_of(before: Snapshot, after: Snapshot, seat: int) -> list[Gain]:
    """Return a point for the winner of the round, or a lost point for the lowest card. The two cancel out for a seat
    with both."""
    points = after.match.totals[seat] - before.match.totals[seat]
    kept = after.kept[seat]
    cards = (FACE_CODES[face_of(kept)],) if kept != EMPTY else ()
    if points < 0:
        return [Gain("lowest card", points, "CUT-06", cards)]
    if points == 0:
        return []
    if after.shown == INFINITY:
        return [Gain("Infinity", points, "CUT-05", (FACE_CODES[INFINITY],))]
    words = {ONE_CUT: "highest card", KNOCKOUT: "last one in"}
    return [Gain(words.get(after.options.mode, "this round"), points, "CUT-08", cards)]
