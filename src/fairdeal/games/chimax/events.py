"""CHIMAX: the events shared by its games: moves of the tournament layer, and the end of a game."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from fairdeal.engine import events
from fairdeal.engine.events import Deciding, Event
from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Result, Voice, count_of, places_by
from fairdeal.games.chimax.cards import CODES, DECLARABLE, FACE_OF, NAMES
from fairdeal.games.chimax.rules.trick import winning_entry
from fairdeal.games.chimax.state import CUTTING, LAYER_ACTIONS, OVER, OWN, OWN_PHASE, PLAYOFF

# --- a move ------------------------------------------------------------------------------------------------------


class Shuffled(events.Act):
    """GEN-10: a shuffle, after which the pack must be cut."""

    words = "You shuffle."


class Dealt(events.Act):
    """GEN-13: the deal of the cards."""

    words = "You deal."


class Cut(events.Act):
    """GEN-11: a cut of the pack, after `place` cards."""

    place: int

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'cut')} at {self.place}."


class Declared(events.Act):
    """BOOKS-15: the value declared for a question mark. TOUR-05: the house may choose it."""

    face: str
    by_house: bool = False

    def sentence(self, voice: Voice) -> str:
        return f"{voice.title_of(self.seat)} ? {'counts as' if self.by_house else 'is'} {self.face}."


class Tapped(events.Act):
    """BOOKS-21: the announcement of a Tap."""

    def sentence(self, voice: Voice) -> str:
        return f"Tap! {voice.title(self.seat)} went one higher."


class PlayedOff(events.Played):
    """TOUR-07: a card turned up in a playoff."""

    def sentence(self, voice: Voice) -> str:
        name = NAMES.get(self.cards[0])
        return f"{voice.does(self.seat, 'turn')} up {name}." if name else f"{voice.does(self.seat, 'play')}."


class TimeUp(Event):
    """TOUR-05: the end of the time limit. Each game has a subclass that describes the consequence."""

    follows: ClassVar[str] = ""

    def sentence(self, voice: Voice) -> str:
        return f"Time is up: {self.follows}." if self.follows else "Time is up."


class CutByHouse(TimeUp):
    """TOUR-05: a cut by the house, because the pack was not cut in time."""

    follows = "the house cuts the pack"


class PlayoffEnded(TimeUp):
    """TOUR-05: the end of a playoff by the house, which plays the remaining cards and declares the highest values."""

    follows = "the playoff is played out"


def layer_events(before: Snapshot, after: Snapshot, player: int, action: int) -> Iterator[Event]:
    """Yield the events of a tournament-layer action. Yield nothing for the game's own actions, nor for a time limit
    that ends one of the game's own phases."""
    if action >= OWN:
        return
    match LAYER_ACTIONS.decode(action):
        case "deal", _ if after.pack.length:
            yield Shuffled(player, clauses=("GEN-10",))
        case "deal", _:
            yield Dealt(player, clauses=("GEN-13",))
        case "cut", place:
            yield Cut(player, place, clauses=("GEN-11",))
        case "declare", value:
            yield Declared(player, DECLARABLE[value], clauses=("BOOKS-15",))
            yield from tapped(before, after)
        case "playoff_card", _:
            played = dict(zip(after.book.seats, after.book.held, strict=False))
            kind = before.ones[player] if before.ones[player] >= 0 else played.get(player, -1)
            yield PlayedOff(player, (CODES[kind] if kind >= 0 else "",))
        case "clock", _ if before.phase in (CUTTING, PLAYOFF):
            yield (CutByHouse if before.pack.length else PlayoffEnded)(clauses=("TOUR-05",))


def move_events(
    before: Snapshot,
    after: Snapshot,
    player: int,
    action: int,
    acted: Callable[[Snapshot, Snapshot, int, int], Iterable[Event]],
) -> list[Event]:
    """Return the events of the move itself. `acted` returns those of an action in one of the game's own phases."""
    own = acted(before, after, player, action) if before.phase >= OWN_PHASE else ()
    return [*layer_events(before, after, player, action), *own]


def tapped(before: Snapshot, after: Snapshot) -> Iterator[Tapped]:
    for seat, (had, has) in enumerate(zip(before.book.taps, after.book.taps, strict=True)):
        if has > had:
            yield Tapped(seat, clauses=("BOOKS-21",))


# --- the end -----------------------------------------------------------------------------------------------------


class Level(Event):
    """TOUR-06: a tie that is broken by a playoff."""

    tied: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return self.tied

    def sentence(self, voice: Voice) -> str:
        return f"{voice.several_titled(self.tied)} are level: one Book decides."


class FinishedAlone(events.Won):
    """The end of a single-player game, whose sentence names no seat."""

    @property
    def seats(self) -> tuple[int, ...]:
        return ()


class Won(events.Won):
    """GEN-14, TOUR-06: the end of a game. `decider` is the card that won the playoff."""

    winners: tuple[int, ...]
    decider: str
    unit: ClassVar[str] = "point"
    counters: ClassVar[tuple[str, ...]] = ("point",)

    @property
    def seats(self) -> tuple[int, ...]:
        return self.winners

    def deciding(self) -> Deciding:
        """Return the winners with their counters, or the card that won the playoff."""
        seats = self.winners or self.best
        if self.decider:
            return Deciding(seats, on=tuple([f"book.{seat}" for seat in seats]))
        return Deciding(seats, self.counters)

    @property
    def shown(self) -> tuple[str, ...]:
        return (FACE_OF[self.decider],) if self.decider else ()

    def text(self, voice: Voice) -> str:
        if not self.winners:
            return "Nobody wins."
        return f"{self.win(voice)} with {count_of(self.scores[self.winners[0]], self.unit)}."

    def win(self, voice: Voice) -> str:
        """Return a clause such as `Bo wins`, `You win` or `Ada and Bo win`."""
        verb = "wins" if len(self.winners) == 1 and self.winners[0] != voice.viewer else "win"
        return f"{voice.several_titled(self.winners)} {verb}"

    def why(self, voice: Voice) -> str:
        return f"Level before the playoff, which {NAMES[self.decider]} won." if self.decider else ""

    def result(self, voice: Voice, **more: Any) -> Result:
        """Return the result, with the winners first and the other seats by score."""
        places = places_by([(seat in self.winners, score) for seat, score in enumerate(self.scores)])
        return super().result(voice, **{"places": places, "won": bool(self.winners)} | more)


def decided(state: Snapshot) -> tuple[tuple[int, ...], str]:
    """Return the winners of a finished game, and the code of the card that won the playoff, or "" if there was none."""
    decider = CODES[state.book.cards[winning_entry(state.book)]] if state.tied else ""
    return tuple(members(state.winners)), decider


def closing_events(before: Snapshot, after: Snapshot, won: Callable[[Snapshot], events.Won]) -> Iterator[Event]:
    """Yield the event of a tie that is broken by a playoff, and the event of the end of the game."""
    if after.phase == PLAYOFF and before.phase != PLAYOFF:
        yield Level(tuple(members(after.tied)), clauses=("TOUR-06",))
    if after.phase == OVER:
        yield won(after)
