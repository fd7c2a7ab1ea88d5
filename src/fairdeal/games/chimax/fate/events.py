"""CHIMAX FATE: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Voice, count_of
from fairdeal.games.chimax import events as shared
from fairdeal.games.chimax.cards import CODES, NAMES
from fairdeal.games.chimax.fate.rules import must_turn_unseen, spins_are_over
from fairdeal.games.chimax.fate.state import ACTIONS, BY_FACE, SPINNING
from fairdeal.games.chimax.fate.text.prompts import won
from fairdeal.games.chimax.state import OVER, PLAYOFF

EARLY = 3
"""Number of points for a find at the first of three looks."""


class Spun(events.Act):
    """FATE-03, 10: a spin, after which the wheel calls for a face, or points at a card (`face` is then "")."""

    face: str

    def sentence(self, voice: Voice) -> str:
        told = f"calls for {NAMES[self.face]}" if self.face else "points at a card"
        return f"{voice.does(self.seat, 'spin')}: the wheel {told}."


class TurnedUp(events.Revealed):
    """FATE-06, 10: a card turned up, with the face that the seat `said`, if any. The event does not contain the place,
    which players must remember."""

    said: str = ""

    def sentence(self, voice: Voice) -> str:
        said = f"{voice.does(self.seat, 'say')} {NAMES[self.said]}. " if self.said else ""
        return f"{said}{self.outcome(voice)}"

    def outcome(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'turn')} up {NAMES[self.cards[0]]}."


class Missed(TurnedUp):
    """FATE-07, 10: the last miss of a turn, after which the cards are turned face down again."""

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.seat,) if self.said else ()

    def outcome(self, voice: Voice) -> str:
        return f"It is {NAMES[self.cards[0]]}, and goes back."


class Found(TurnedUp):
    """FATE-07, 10: a card found and taken, with its points."""

    points: int = 0

    def outcome(self, voice: Voice) -> str:
        return f"It is {NAMES[self.cards[0]]}: {count_of(self.points, 'point')} for {voice.name(self.seat)}."


class FoundEarly(Found):
    """FATE-07: a find for three points."""


class Stopped(events.Passed):
    """FATE-06: the choice to stop looking."""

    words = "You stop looking, and the cards go back."


class TimeUp(shared.TimeUp):
    """TOUR-05: the end of the time limit, and of the game."""

    follows = "what lies face down stays there"


class LastSpin(Event):
    """FATE-11: the last spin of a single-player game."""

    words = "That was the last spin."


class Stalled(Event):
    """MEM-07: the end of a game without progress, in which no unseen card can be turned."""

    words = "Nobody finds anything any more: the game ends as it lies."


class UnseenNext(Event):
    """MEM-07: the obligation to turn an unseen card, after too many dead turns."""

    words = "Nothing new for so long: the next card must be one that nobody has seen."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by its automatic consequences."""
    found = shared.move_events(before, after, player, actions[0], acted)
    found += shared.closing_events(before, after, won)
    if after.phase == SPINNING and after.turn != before.turn and must_turn_unseen(after):
        found.append(UnseenNext(clauses=("MEM-07",)))
    return found


def acted(before: Snapshot, after: Snapshot, player: int, action: int) -> Iterator[Event]:
    """Yield the event of the move itself and, if the game ended before the last card was taken, that of the reason."""
    match ACTIONS.decode(action):
        case "clock", _:
            yield TimeUp(clauses=("TOUR-05",))
            return
        case "spin", _:
            by_face = after.options.wheel == BY_FACE
            yield Spun(player, CODES[after.wheel] if by_face else "", clauses=("FATE-03" if by_face else "FATE-10",))
            return
        case "flip", place:
            yield turned(before, after, player, place)
        case "name", face:
            yield turned(before, after, player, before.wheel, CODES[face])
        case _:
            yield Stopped(player, clauses=("FATE-06",))
    if after.phase in (OVER, PLAYOFF) and after.left:
        if spins_are_over(after):
            yield LastSpin(clauses=("FATE-11",))
        elif must_turn_unseen(after):
            yield Stalled(clauses=("MEM-07",))


def turned(before: Snapshot, after: Snapshot, player: int, place: int, said: str = "") -> TurnedUp:
    """Return the event of a card that was turned up and found, missed, or only shown."""
    clauses = ("FATE-10" if said else "FATE-07",)
    points = after.match.totals[player] - before.match.totals[player]
    if points:
        kind = FoundEarly if points == EARLY else Found
        return kind(player, (CODES[after.taken[player].held[-1]],), said, points, clauses=clauses)
    if after.missed.card != EMPTY:
        return Missed(player, (CODES[after.missed.card],), said, clauses=clauses)
    return TurnedUp(player, (CODES[after.layout.cards[place]],), said, clauses=clauses)
