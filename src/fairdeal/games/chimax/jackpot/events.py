"""CHIMAX JACKPOT: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event, RoundEnded
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Gain, Voice, count_of
from fairdeal.games.chimax import events as shared
from fairdeal.games.chimax.cards import CODES, FACE_OF, NAMES
from fairdeal.games.chimax.jackpot.state import ACTIONS
from fairdeal.games.chimax.jackpot.text.prompts import JACKPOT, REEL_NAMES, book_in, faces_of, won
from fairdeal.games.chimax.state import DEALING, OVER, OWN_PHASE


def on_reel(reel: int) -> str:
    return f"on the {REEL_NAMES[reel].lower()} reel"


class Flipped(events.Revealed):
    """JACK-03: the next card of a reel, flipped onto its column."""

    reel: int = 0

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'flip')} {NAMES[self.cards[0]]} {on_reel(self.reel)}."


class Held(events.Kept):
    """JACK-03: a held reel, with its top card, which may be a declared question mark."""

    reel: int = 0

    @property
    def shown(self) -> tuple[str, ...]:
        return (FACE_OF[self.cards[0]],)

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'hold')} {NAMES[self.cards[0]]} {on_reel(self.reel)}."


class StoodFor(Event):
    """JACK-06: the face declared for a question mark, which may be the question mark itself."""

    reel: int
    face: str

    def sentence(self, voice: Voice) -> str:
        return f"The ? {on_reel(self.reel)} stands for {'itself' if self.face == '?' else NAMES[self.face]}."


class Claimed(events.Scored):
    """JACK-07, 10: a claimed Book, as the faces that its cards stand for, and its line."""

    book: tuple[str, ...] = ()
    line: int = 0

    @property
    def shown(self) -> tuple[str, ...]:
        return self.book

    def sentence(self, voice: Voice) -> str:
        told = f"{voice.does(self.seat, 'claim')} {book_in(self.book, self.line)}: {count_of(self.points, 'point')}."
        return f"JACKPOT! {told}" if self.book == JACKPOT else told


class StreakPaid(Event):
    """JACK-09: the extra point for runs in three spins in a row."""

    words = "A run in the third spin running: a point on top."


class LetLie(events.Passed):
    """JACK-08: the choice to claim nothing more."""

    words = "You let it lie."


class TimeUp(shared.TimeUp):
    """TOUR-05: the end of the time limit, and of the deal."""

    follows = "the deal ends as it stands"


class DealEnded(Event):
    """JACK-11: the end of a deal, with its points and its par."""

    points: int
    par: int

    def sentence(self, voice: Voice) -> str:
        against = f"Par is {self.par}: {'won' if self.points >= self.par else 'not this time'}."
        return f"The deal is over: {count_of(self.points, 'point')}. {against}"


class SpinBegan(Event):
    """JACK-03: the start of a spin, with its number and the total number of spins."""

    number: int
    of: int

    def sentence(self, voice: Voice) -> str:
        return f"Spin {self.number} of {self.of}."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by its automatic consequences."""
    if before.phase < OWN_PHASE:
        return [*shared.layer_events(before, after, player, actions[0])]
    move = acted(before, after, player, actions[0])
    return [*move, *what_followed(before, after), *grown_totals(before, after)]


def grown_totals(before: Snapshot, after: Snapshot) -> Iterator[RoundEnded]:
    """Yield the end of a game of a match, if a move has ended one, with the increase of each total."""
    number = before.match.game
    if before.match.games == 1 or (after.match.game == number and after.over == before.over):
        return
    totals = tuple(after.match.totals[: after.players])
    grown = [total - was for total, was in zip(totals, before.match.totals, strict=False)]
    if any(grown):
        gains = tuple((Gain("this game", points),) if points else () for points in grown)
        yield RoundEnded(number, totals, gains, label="Game")


def acted(before: Snapshot, after: Snapshot, player: int, action: int) -> Iterator[Event]:
    """Yield the events of the move itself."""
    reel = before.reel
    match ACTIONS.decode(action):
        case "flip", _:  # nothing is claimed in the same step
            yield Flipped(player, (CODES[after.columns[reel].held[-1]],), reel)
        case "hold", _:
            yield Held(player, (CODES[before.columns[reel].held[-1]],), reel)
        case "stand_for", face:
            yield StoodFor(reel, CODES[face], clauses=("JACK-06",))
        case "claim", line:
            points, book = after.points - before.points, faces_of(before, line)
            yield Claimed(player, points, book, line, clauses=("JACK-10" if book == JACKPOT else "JACK-07",))
            if points > 1 and book != JACKPOT:
                yield StreakPaid(clauses=("JACK-09",))
        case "done", _:
            yield LetLie(player, clauses=("JACK-08",))
        case _:
            yield TimeUp(clauses=("TOUR-05",))


def what_followed(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Yield the event of the start of the next spin, or of the end of the deal or the game."""
    if after.phase == OVER:
        yield won(after)
    elif after.phase == DEALING:
        yield DealEnded(after.points, after.options.par, clauses=("JACK-11",))
    elif after.spin > before.spin:
        yield SpinBegan(after.spin, after.options.spins, clauses=("JACK-03",))
