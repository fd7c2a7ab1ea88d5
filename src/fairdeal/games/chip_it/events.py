"""CHIP IT: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Voice, count_of
from fairdeal.games.chip_it.cards import CODES, NUMBERS, by_number
from fairdeal.games.chip_it.state import ACTIONS
from fairdeal.games.chip_it.text.notation import played
from fairdeal.games.chip_it.text.outcome import won
from fairdeal.games.chip_it.text.rounds import count_round

PRINTED = dict(zip(CODES, NUMBERS, strict=True))
"""The printed number of each card, by code."""


class Played(events.Played):
    """CHIP-20, 26: a combination played at a common value, and the points taken for it."""

    value: int = 0
    price: int = 0

    def sentence(self, voice: Voice) -> str:
        done = f"{voice.does(self.seat, 'play')} {' '.join(str(PRINTED[card]) for card in self.cards)}"
        if not self.price:
            return f"{done}."
        take = "take" if self.seat == voice.viewer else "takes"
        return f"{done} as {self.value} and {take} {count_of(self.price, 'point')}."


class Passed(events.Passed):
    """CHIP-40: a pass, with the number of points returned."""

    points: int = 0

    def sentence(self, voice: Voice) -> str:
        passes, give = voice.does(self.seat, "pass", "passes"), "give" if self.seat == voice.viewer else "gives"
        return f"{passes} and {give} back {count_of(self.points, 'point')}." if self.points else f"{passes}."


class Finished(events.Act):
    """CHIP-60: the finish of a seat that has no cards and no points left."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'are', 'is')} rid of everything."


class Leads(events.Act):
    """CHIP-50, 54: the start of a new round, because all others passed on the play of `owner`. `seat` leads it, which
    is another seat if `owner` has finished."""

    owner: int

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.seat,) if self.owner == self.seat else (self.owner, self.seat)

    def sentence(self, voice: Voice) -> str:
        leads = voice.does_then(self.seat, "lead")
        if self.owner == self.seat:
            return f"Nobody beat it: {leads} a new round."
        return f"Nobody beat {voice.of(self.owner)} play: {leads} now."


class Collected(events.Scored):
    """CHIP-10: points collected from the seat's own beaten cards."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'collect')} {count_of(self.points, 'point')} from the beaten cards."


class MustPass(events.Act):
    """CHIP-52: a seat that leads without cards, and therefore must pass."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.title(self.seat)} must pass: no cards left."


class GameBegan(events.Act):
    """CHIP-70, 80: the start of the next game of a match, and the seat that starts it."""

    number: int

    def sentence(self, voice: Voice) -> str:
        return f"Game {self.number} begins; {voice.does(self.seat, 'start')}."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by its automatic consequences."""
    found = [acted(player, actions)]
    if after.match.game != before.match.game:
        return [*found, *count_round(before, after), GameBegan(after.turn, after.match.game)]
    found += [Finished(seat, clauses=("CHIP-60",)) for seat in after.finished.held[before.finished.length :]]
    if after.over:
        return [*found, *count_round(before, after), won(after)]
    return [*found, *turn_events(before, after, player)]


def acted(player: int, actions: Sequence[int]) -> Event:
    """Return the event of the move itself."""
    play = played(actions)
    if not play:
        return Passed(player, ACTIONS.decode(actions[0]).which)
    cards, clauses = tuple([CODES[kind] for kind in by_number(play.kinds)]), ("CHIP-26",) if play.price else ()
    return Played(player, cards, play.value, play.price, clauses=clauses)


def turn_events(before: Snapshot, after: Snapshot, player: int) -> Iterator[Event]:
    """Yield the events between the move and the next turn (CHIP-10, 50, 52, 54)."""
    turn, owner = after.turn, before.top.owner
    passed = all(was.length == hand.length for was, hand in zip(before.hands, after.hands, strict=True))
    if passed and before.top.count and not after.top.count:
        yield Leads(turn, owner, clauses=("CHIP-50" if owner == turn else "CHIP-54",))
    load = before.fronts[turn].load if turn != player else 0
    if load and not after.fronts[turn].length:
        yield Collected(turn, load, clauses=("CHIP-10",))
    if not after.hands[turn].length and not after.top.count:
        yield MustPass(turn, clauses=("CHIP-52",))
