"""CHIMAX MATCH: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Voice, count_of
from fairdeal.games.chimax import events as shared
from fairdeal.games.chimax.cards import CODES, NAMES
from fairdeal.games.chimax.match.state import FLIPPING, PAIR
from fairdeal.games.chimax.match.text.prompts import SET_NAMES, clause_of, open_faces, won, worth_in_words
from fairdeal.games.chimax.match.text.rounds import count_round
from fairdeal.games.chimax.state import CLOCK, DEALING

REMARKS = {
    "inf": "There is no more to be had.",
    "0": "Somebody had to have the Zeros.",
    "half": "Two halves, and still nothing whole.",
}


class TurnedUp(events.Revealed):
    """M2-04, M3-02: a card turned up that may belong to a set."""

    def sentence(self, voice: Voice) -> str:
        return f"{self.turns(voice)}."

    def turns(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'turn')} up {NAMES[self.cards[0]]}"


class Missed(TurnedUp):
    """M2-07, M3-04: a card that ends the turn without a set of `alike` cards."""

    alike: int = PAIR

    def sentence(self, voice: Voice) -> str:
        return f"{self.turns(voice)}: no {SET_NAMES[self.alike]}."


class TookSet(TurnedUp):
    """M2-06, M3-04: the last card of a set of `alike` cards, and the points of the set."""

    alike: int = PAIR
    points: int = 0

    def sentence(self, voice: Voice) -> str:
        return f"{self.turns(voice)}: {worth_in_words(self.alike, self.points)}."


class SpecialSet(Event):
    """M2-09, M3-05: a set of a face with special points."""

    face: str

    @property
    def shown(self) -> tuple[str, ...]:
        return (self.face,)

    def sentence(self, voice: Voice) -> str:
        return REMARKS[self.face]


class TimeUp(shared.TimeUp):
    """TOUR-05: the end of the time limit, which ends the layout."""

    follows = "what lies there stays there, and nobody counts it"


class Stalled(Event):
    """MEM-07: the end of a layout without progress, with cards left."""

    words = "Nothing new is left to see, and nobody wants the rest: the layout ends."


class DealsAgain(events.Act):
    """M2-11: the deal of another layout, because the target has not been reached."""

    target: int

    def sentence(self, voice: Voice) -> str:
        return f"Nobody has {count_of(self.target, 'point')} yet: {voice.does(self.seat, 'deal')} again."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by its automatic consequences."""
    found = shared.move_events(before, after, player, actions[0], acted)
    return [*found, *shared.closing_events(before, after, won), *count_round(before, after)]


def acted(before: Snapshot, after: Snapshot, player: int, action: int) -> Iterator[Event]:
    """Yield the events that follow when a card is turned up or the time limit expires."""
    if action == CLOCK:
        yield TimeUp(clauses=("TOUR-05",))
    else:
        yield from flipped(before, after, player)
        if after.phase != FLIPPING and after.missed.length:
            yield Stalled(clauses=("MEM-07",))
    if after.phase == DEALING:
        yield DealsAgain(after.dealer, after.options.target, clauses=("M2-11",))


def flipped(before: Snapshot, after: Snapshot, player: int) -> Iterator[Event]:
    """Yield the event of the card turned up, and that of the set taken or missed (M2-04 to 07, M3-02 to 04)."""
    gained, alike = after.taken[player].held[before.taken[player].length :], after.alike
    missed = after.missed.faces[: after.missed.length]
    cards = (CODES[(gained or missed or open_faces(after))[-1]],)
    if missed:
        yield Missed(player, cards, alike, clauses=(clause_of(after, 7, 4), "MEM-04"))
    elif not gained:
        yield TurnedUp(player, cards)
    else:
        points, face = after.match.totals[player] - before.match.totals[player], CODES[gained[0]]
        yield TookSet(player, cards, alike, points, clauses=(clause_of(after, 6, 4),))
        if len(set(gained)) == 1 and face in REMARKS and (face != "half" or alike == PAIR):
            yield SpecialSet(face, clauses=(clause_of(after, 9, 5),))
