"""CHIP IT: the result of a game or a match, as text and numbers."""

from fairdeal.engine import events
from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Result, Score, Voice, count_of
from fairdeal.games.chip_it.rules.play import is_stalled, returns, write_places
from fairdeal.games.chip_it.state import DUEL, POINTS_PER_CARD_LEFT, SINGLE, TOURNAMENT, TOURNAMENT_POINTS

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Won(events.Won):
    """CHIP-64, 72, 83: the end of a match or a single game. `totals` are those of the match. For the last game, `order`
    lists the seats from first place to last, `cards` and `points` are those that each seat has left, and `stalled` is
    true if the game stalled (CHIP-46)."""

    mode: int
    totals: tuple[int, ...]
    order: tuple[int, ...]
    cards: tuple[int, ...]
    points: tuple[int, ...]
    stalled: bool

    @property
    def seats(self) -> tuple[int, ...]:
        return self.best

    def deciding(self) -> Deciding:
        """Return the winners, with the cards and points they have left in a single game, and the cards with which one
        finished."""
        return Deciding(self.best, ("card", "points left") if self.mode == SINGLE else (), by_move=True)

    @property
    def ranked(self) -> tuple[int, ...]:
        """CHIP-64, 66: in a single game, those who have finished, and all once play for places is over."""
        return self.order if self.mode == SINGLE else super().ranked

    def text(self, voice: Voice) -> str:
        """Return the result, such as `You win.` or `Bo wins the duel, 15 to 16 points.`"""
        best, *others = self.seats
        if others:
            return f"{voice.several_titled(self.seats)} share the win."
        wins = voice.does(best, "win")
        if self.mode == TOURNAMENT:
            return f"{wins} the tournament with {self.totals[best]} points."
        if self.mode == DUEL:
            return f"{wins} the duel, {self.totals[best]} to {self.totals[1 - best]} points."
        return f"{wins}."

    def why(self, voice: Voice) -> str:
        if self.stalled:
            return "Nobody would play or give anything back, so cards and points were counted."
        if self.mode == DUEL:
            last = self.order[-1]
            points, cards = count_of(self.points[last], "point"), count_of(self.cards[last], "card")
            return f"In the last game {voice.name(last)} had {points} and {cards} at {POINTS_PER_CARD_LEFT} each."
        if self.mode == TOURNAMENT:
            told = ", ".join(f"{ORDINALS[place]} {voice.name(seat)}" for place, seat in enumerate(self.order))
            return f"The last game went: {told}. Places count {', '.join(map(str, TOURNAMENT_POINTS[:3].tolist()))}."
        best, *others = self.order
        told = ", ".join(f"{ORDINALS[place]} {voice.name(seat)}" for place, seat in enumerate(others, 1))
        first = f"{voice.does(best, 'were', 'was')} the first to be rid of every card and point"
        return f"{first}; {told}." if told else f"{first}."

    def sentence(self, voice: Voice) -> str:
        return self.text(voice)

    def left(self, seat: int) -> str:
        """Return the cards and points that a seat has left, or its total in a match."""
        if self.mode != SINGLE:
            return count_of(self.totals[seat], "point")
        cards, points = self.cards[seat], self.points[seat]
        return f"{count_of(cards, 'card')}, {count_of(points, 'point')}" if cards or points else "nothing left"


def points_of(state: Snapshot, seat: int) -> int:
    """CHIP-61: return all points of a seat: those of its bank and those on its front."""
    return state.bank[seat] + state.fronts[seat].load


def burden_of(state: Snapshot, seat: int) -> int:
    """CHIP-46: return the burden of a seat: its points, and three for each card in hand."""
    return points_of(state, seat) + POINTS_PER_CARD_LEFT * state.hands[seat].length


def won(state: Snapshot) -> Won:
    """Return the event that ended a finished game."""
    seats, scores, order = range(state.players), [0] * state.players, [0] * state.players
    returns(state, scores)
    placed = write_places(state, order)
    return Won(
        tuple(scores),
        state.options.mode,
        tuple(state.match.totals[: state.players]),
        tuple(order[:placed]),
        tuple([state.hands[seat].length for seat in seats]),
        tuple([points_of(state, seat) for seat in seats]),
        is_stalled(state),
        clauses=({SINGLE: "CHIP-64", TOURNAMENT: "CHIP-72", DUEL: "CHIP-83"}[state.options.mode],),
    )


def score_pad(state: Snapshot, voice: Voice) -> Score | None:
    """Return the score pad with the totals of a match, or None in a single game."""
    if state.options.mode == SINGLE:
        return None
    rows = tuple((voice.title(seat), state.match.totals[seat]) for seat in range(state.players))
    return Score(head=("", "written down" if state.options.mode == DUEL else "points"), rows=rows)


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result of the match, or None if it is not over."""
    if not state.over:
        return None
    end = won(state)
    return end.result(voice, shown=tuple(map(end.left, range(state.players))))
