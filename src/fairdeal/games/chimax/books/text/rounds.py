"""CHIMAX BOOKS: the scores of a round by seat, with the reasons for them."""

from collections.abc import Iterator

from fairdeal.engine import events
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Gain, Voice
from fairdeal.games.chimax.books.rules.rounds import count_won, pairs
from fairdeal.games.chimax.books.state import BOOKS_AND_SPECIALS, TAP_COUNTS
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.deck import EACH, HALF, INFINITY, QUESTION, ZERO
from fairdeal.games.chimax.state import OVER, OWN_PHASE, PLAYOFF

WORTH_OF_THREE = 3
"""BOOKS-24: points for all three infinities, and points lost for all three zeros."""


class RoundEnded(events.RoundEnded):
    """BOOKS-23, 27: the end of a round, with its scores."""

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(len(self.totals)))

    def sentence(self, voice: Voice) -> str:
        points = [sum(gain.value for gain in gains) for gains in self.gains]
        told = ", ".join(f"{voice.name(seat)} {points[seat]:+d}" for seat in self.seats)
        return f"Round {self.number} is scored: {told}. Totals {', '.join(map(str, self.totals))}."


def count_round(before: Snapshot, after: Snapshot) -> Iterator[RoundEnded]:
    """Yield the end of a round, if a move has ended one. Before a playoff only the points are known, because the cards
    have been gathered."""
    goes_on = after.match.game == before.match.game and after.phase not in (PLAYOFF, OVER)
    if before.phase < OWN_PHASE or goes_on:
        return
    gathered = after.phase == PLAYOFF
    seats = range(after.players)
    lies = bool(after.taken.length) and not gathered
    yield RoundEnded(
        before.match.game,
        tuple(after.match.totals[: after.players]),
        tuple((whole(after, seat),) if gathered else tuple(gains_of(after, seat)) for seat in seats),
        sweep="taken" if lies else "",
        winner=after.taken.winner if lies else -1,
        clauses=("BOOKS-23", "BOOKS-27"),
    )


def whole(state: Snapshot, seat: int) -> Gain:
    return Gain("this round", state.round_scores[seat], "BOOKS-23")


def gains_of(state: Snapshot, seat: int) -> Iterator[Gain]:
    """Yield a seat's points for Books, infinities, zeros, question marks, halves and Taps (BOOKS-21, 23 to 25)."""
    books, taps = state.books[seat], state.book.taps[seat]
    if books and state.options.scoring == BOOKS_AND_SPECIALS:
        yield Gain("Book" if books == 1 else "Books", books, "BOOKS-23")
    for face, sign, worth in ((INFINITY, "three ∞", WORTH_OF_THREE), (ZERO, "three 0", -WORTH_OF_THREE)):
        if count_won(state, seat, face) == EACH:
            yield Gain(sign, worth, "BOOKS-24", (FACE_CODES[face],) * EACH)
    for face, sign, worth in ((QUESTION, "?", 1), (HALF, "½", -1)):
        count = count_won(state, seat, face)
        if pairs(state, count):
            told = " ".join([sign] * count)
            yield Gain(told, worth * pairs(state, count), "BOOKS-25", (FACE_CODES[face],) * count)
    if taps and state.options.tap == TAP_COUNTS:
        yield Gain("Tap" if taps == 1 else "Taps", taps, "BOOKS-21")
