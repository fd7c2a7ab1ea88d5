"""CHIMAX ORDER: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import NOBODY
from fairdeal.engine.scene import Voice, count_of
from fairdeal.games.chimax import events as shared
from fairdeal.games.chimax.cards import CODES, NAMES
from fairdeal.games.chimax.order.rules import board_of, how_far
from fairdeal.games.chimax.order.state import ACTIONS, EITHER, FLIPPING, RACE, RESTART
from fairdeal.games.chimax.order.text.prompts import faces_wanted, is_complete, won


class Found(events.Revealed):
    """ORDER-06: the right card, turned up, with the number of cards now in order."""

    reached: int = 0

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'find')} {NAMES[self.cards[0]]}: {self.reached} in order."


class DirectionSet(Event):
    """ORDER-08: the direction of the sequence, set by the first card found."""

    first: str

    def sentence(self, voice: Voice) -> str:
        way = "upwards" if self.first == "half" else "downwards"
        return f"So it goes {way} from {NAMES[self.first]}."


class Missed(events.Revealed):
    """ORDER-07: a wrong card, turned back, with the faces that were wanted. `again` is true for a place that had been
    seen before."""

    again: bool = False
    wanted: tuple[str, ...] = ()

    def sentence(self, voice: Voice) -> str:
        again, wanted = " again" if self.again else "", " or ".join(NAMES[face] for face in self.wanted)
        return f"{voice.does(self.seat, 'turn')} up {NAMES[self.cards[0]]}{again}, not {wanted}."


class RunLost(Event):
    """ORDER-09: the loss of a run of `count` cards, which are turned back."""

    count: int

    def sentence(self, voice: Voice) -> str:
        return f"The run is lost: {count_of(self.count, 'card')} under cover again."


class PlaceKept(Event):
    """ORDER-13: the cards found in a race, turned back. The seat keeps its place in the sequence."""

    words = "The cards found go back; the place is kept."


class Completed(events.Act):
    """ORDER-11: the call for the last card."""

    words = "You call “CHIMAX ORDER!”"


class Stalled(Event):
    """MEM-07: the end of a game without progress, with no unseen card left."""

    words = "Nothing new has come up for too long, and nothing is left to see."


class TimeUp(shared.TimeUp):
    """TOUR-05: the end of the time limit. The cards found so far count."""

    follows = "what is in order counts"


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by its automatic consequences."""
    found = shared.move_events(before, after, player, actions[0], acted)
    return [*found, *shared.closing_events(before, after, won)]


def acted(before: Snapshot, after: Snapshot, player: int, action: int) -> Iterator[Event]:
    """Yield the events of a card turned up, or of the end of the time limit."""
    verb, place = ACTIONS.decode(action)
    if verb == "clock":
        yield TimeUp(clauses=("TOUR-05",))
        return
    yield from (right if after.missed.seat == NOBODY else wrong)(before, after, player, place)
    if is_complete(after):
        yield Completed(player, clauses=("ORDER-11",))
    elif after.phase != FLIPPING:
        yield Stalled(clauses=("MEM-07",))


def wrong(before: Snapshot, after: Snapshot, player: int, place: int) -> Iterator[Event]:
    """Yield the events of a wrong card (ORDER-07, 09, 13)."""
    again = place in before.boards[board_of(before, player)].seen.held
    wanted = tuple([CODES[face] for face in faces_wanted(before, player)])
    yield Missed(player, (CODES[after.missed.card],), again, wanted, clauses=("ORDER-07",))
    lost = how_far(before, player)
    if before.options.on_miss == RESTART and lost:
        yield RunLost(lost, clauses=("ORDER-09",))
    elif before.options.board == RACE and before.boards[0].open.length:
        yield PlaceKept(clauses=("ORDER-13",))


def right(before: Snapshot, after: Snapshot, player: int, place: int) -> Iterator[Event]:
    """Yield the events of a correct card (ORDER-06, 08)."""
    card = CODES[after.boards[board_of(after, player)].cards[place]]
    yield Found(player, (card,), how_far(before, player) + 1, clauses=("ORDER-06",))
    if before.direction == EITHER:
        yield DirectionSet(card, clauses=("ORDER-08",))
