"""CHIMAX CUT: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.seats import is_in, members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Voice
from fairdeal.games.chimax import events as shared
from fairdeal.games.chimax.cards import CODES, DECLARABLE, NAMES
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, KNOCKOUT, ONE_CUT, RUNNING, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.prompts import won
from fairdeal.games.chimax.cut.text.rounds import count_round
from fairdeal.games.chimax.deck import INFINITY

REMARKS = {"half": " Half a card, really.", "0": " Only here is zero nearly everything."}


class CutAndShowed(events.Revealed):
    """CUT-03: a cut, and the card that it shows."""

    again: bool = False

    def sentence(self, voice: Voice) -> str:
        again = " again" if self.again else ""
        verb = voice.does(self.seat, f"cut{again} and show", f"cuts{again} and shows")
        return f"{verb} {NAMES[self.cards[0]]}.{REMARKS.get(self.cards[0], '')}"


class MustKeep(Event):
    """CUT-04: a card that the seat must keep, because it has no cut left."""

    words = "That one must be kept."


class Kept(events.Kept):
    """CUT-04: the card shown, kept by the seat."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'keep')} {NAMES[self.cards[0]]}."


class Declared(events.Act):
    """CUT-07: the value declared for a kept question mark."""

    face: str

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'say')} the ? is {self.face}."


class TimeUp(shared.TimeUp):
    """TOUR-05: the end of the time limit, and of the round, without a winner."""

    follows = "nobody wins this round"


class DroppedOut(Event):
    """CUT-06: the seats that drop out of the round, or no seats if all had the lowest card."""

    lowest: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return self.lowest

    def sentence(self, voice: Voice) -> str:
        if not self.lowest:
            return "All the same: nobody drops out, and everybody cuts again."
        drop = "drops" if len(self.lowest) == 1 and self.lowest[0] != voice.viewer else "drop"
        return f"{voice.several_titled(self.lowest)} {drop} out with the lowest card."


class RoundWon(events.Scored):
    """CUT-05, 08: the win of a round. `at_once` is true for a win with Infinity."""

    at_once: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        return ("inf",) if self.at_once else ()

    def sentence(self, voice: Voice) -> str:
        wins = voice.does(self.seat, "win")
        return f"Infinity! {wins} the round at once." if self.at_once else f"{wins} the round."


class NobodyWon(Event):
    """CUT-08: the end of a round without a winner, because the deck is used up."""

    words = "The deck is used up, and nobody wins the round."


class LostPoint(events.Scored):
    """CUT-06: a point lost for the lowest card, if every seat cuts only once."""

    words = "You lose 1 point for the lowest card."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by its automatic consequences."""
    told = acted if before.phase in RUNNING else shared.layer_events
    ended = shared.closing_events(before, after, won)
    return [*told(before, after, player, actions[0]), *ended, *count_round(before, after)]


def acted(before: Snapshot, after: Snapshot, player: int, action: int) -> Iterator[Event]:
    """Yield the event of an action in a round, and the events of its consequences."""
    match ACTIONS.decode(action):
        case "cut", _:
            yield from cut(before, after, player)
        case "keep", _:
            yield Kept(player, (CODES[before.shown],), clauses=("CUT-04",))
        case "declare", value:
            yield Declared(player, DECLARABLE[value], clauses=("CUT-07",))
        case _:
            yield TimeUp(clauses=("TOUR-05",))
            return
    yield from compared(before, after)
    if after.phase not in RUNNING:
        yield from round_ended(before, after)


def cut(before: Snapshot, after: Snapshot, player: int) -> Iterator[Event]:
    """Yield the event of a card shown by a cut, and an event if that card must be kept (CUT-03, 04)."""
    kind = card_shown(before, after, player)
    yield CutAndShowed(player, (CODES[kind],), again=before.shown != EMPTY, clauses=("CUT-03",))
    stays = kind != INFINITY and after.phase != DECIDING and after.options.mode != UNTIL_INFINITY
    if stays and before.options.recuts > 0:
        yield MustKeep(clauses=("CUT-04",))


def card_shown(before: Snapshot, after: Snapshot, player: int) -> int:
    """Return the card shown by a cut, even if it has been kept or has left the round since."""
    later = 0
    if after.options.mode != UNTIL_INFINITY:  # cards leave the round in the order of the seats
        later = sum(is_in(before.alive, seat) for seat in range(player + 1, before.players))
    places = (after.shown, after.kept[player], *after.out.held[-1 - later :])
    return next(kind for kind in places if kind != EMPTY)


def compared(before: Snapshot, after: Snapshot) -> Iterator[DroppedOut]:
    """Yield the comparison of all kept cards, if the move led to one (CUT-06)."""
    gone = before.alive & ~after.alive
    kept, keep = (any(kind != EMPTY for kind in state.kept) for state in (before, after))
    if gone or (after.options.mode == KNOCKOUT and kept and not keep):
        yield DroppedOut(tuple(members(gone)), clauses=("CUT-06",))


def round_ended(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Yield the events of the winner of a round, and of the points lost (CUT-05, 06, 08)."""
    gained = [new - old for old, new in zip(before.match.totals, after.match.totals, strict=True)]
    winner = next((seat for seat, points in enumerate(gained) if points > 0), None)
    if winner is not None:
        at_once = after.shown == INFINITY
        yield RoundWon(winner, gained[winner], at_once, clauses=("CUT-05" if at_once else "CUT-08",))
    elif after.options.mode != ONE_CUT:
        yield NobodyWon(clauses=("CUT-08",))
    for seat, points in enumerate(gained):
        if points < 0:
            yield LostPoint(seat, points, clauses=("CUT-06",))
