"""What a move did, for one viewer: the second of the three kinds of plain data that leave a game.

A game's `happened` returns the events of a move: the move itself first, then what the rules did on their own. They are
made from two concealed snapshots and from the part of the move that the viewer may know. Sentences are made from events
and are never read again: code that wants to know what happened matches these kinds, or a game's own kinds of them.
docs/events.md describes them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Gain, Line, LogLine, Result, Round, Sentence, Tally, Voice, places_by
from fairdeal.engine.scene.instruments import Attack
from fairdeal.engine.scene.points import minus


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened.

    clauses  the rules that acted by themselves
    """

    clauses: tuple[str, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that the sentence names."""
        return ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The faces of the cards that the sentence names."""
        return ()

    def sentence(self, voice: Voice) -> str:
        """Return what happened in words for the viewer of `voice`; "" if it has no line of its own."""
        return ""


class Act(Event, frozen=True):
    """Something that a seat did, or that befell it.

    seat  the seat
    """

    seat: int

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.seat,)


class WithCards(Act, frozen=True):
    """An act with cards.

    cards  their faces, `""` for one that the viewer cannot see
    """

    cards: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple([card for card in self.cards if card])


class Drew(WithCards, frozen=True):
    """A seat took cards from somewhere."""


class Played(WithCards, frozen=True):
    """A seat played cards of its own."""


class Revealed(WithCards, frozen=True):
    """Cards were turned up."""


class Discarded(WithCards, frozen=True):
    """A seat gave cards up by a rule."""


class Lost(WithCards, frozen=True):
    """A seat lost cards to another."""


class Kept(WithCards, frozen=True):
    """A seat kept cards that it might have lost, or returned."""


class Attacked(WithCards, frozen=True):
    """A seat attacked another with its cards.

    defender  the seat that was attacked
    """

    defender: int = -1

    @property
    def seats(self) -> tuple[int, ...]:
        return self.seat, self.defender


class Blocked(WithCards, frozen=True):
    """A seat answered an attack."""


class Passed(Act, frozen=True):
    """A seat did nothing, or gave in."""


class Reshuffled(Event, frozen=True):
    """Cards were shuffled and became a deck."""


class LastTurn(Act, frozen=True):
    """The seat has the last turn of the game."""


class Scored(Act, frozen=True):
    """A seat won or lost points.

    points  how many it won, below 0 if it lost them
    """

    points: int = 0


class AttackEnded(Event, frozen=True):
    """An attack is over; `attack(voice)` is the picture of it.

    attacker, defender  the seats
    """

    attacker: int
    defender: int

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.defender,)

    def attack(self, voice: Voice) -> Attack:
        """Return the attack with what came of it, as screens show it for a moment."""
        raise NotImplementedError


class RoundEnded(Event, frozen=True):
    """A round, or a game of a match, is over; `round(voice)` is the count of it.

    number         which round
    totals         the totals after it, by seat
    gains          by seat the reasons for what is new of its total
    label          what the game calls it: `Round`, `Game`
    fewest         low totals are good
    sweep, winner  the zone whose cards are gathered, and the seat that gathers them
    """

    number: int
    totals: tuple[int, ...]
    gains: tuple[tuple[Gain, ...], ...]
    label: str = "Round"
    fewest: bool = False
    sweep: str = ""
    winner: int = -1

    def round(self, voice: Voice) -> Round:
        """Return the round as screens count it: from the worst seat to the best one, and told from the best on."""
        best_first = sorted(range(len(self.totals)), key=lambda seat: self.totals[seat] * (1 if self.fewest else -1))
        told = ", ".join(f"{voice.name(seat)} {minus(self.totals[seat])}" for seat in best_first)
        return Round(
            self.number,
            Sentence(f"{self.label} {self.number} done: {told}."),
            tuple(Tally(seat, self.totals[seat], self.gains[seat]) for seat in reversed(best_first)),
            self.label,
            self.sweep,
            self.winner,
        )


class Won(Event, frozen=True):
    """The game is over; `result(voice)` is its result, in words `text(voice)` and `why(voice)`. A game's own kind has
    whatever its words need.

    scores  the scores by seat
    """

    scores: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(len(self.scores)))

    def text(self, voice: Voice) -> str:
        """Return the result in a sentence."""
        raise NotImplementedError

    def why(self, voice: Voice) -> str:
        """Return the reason for the result, in a sentence; "" without one."""
        return ""

    def sentence(self, voice: Voice) -> str:
        return f"{self.text(voice)} {self.why(voice)}".strip()

    def result(self, voice: Voice, **more: Any) -> Result:
        """Return the result that a scene shows, with places by scores unless `more` says otherwise."""
        given = {"places": places_by(self.scores), "scores": self.scores, "why": self.why(voice)} | more
        return Result(text=self.text(voice), **given)


class Described(NamedTuple):
    """An event with its line of the log."""

    event: Event
    line: LogLine


def described(events: Iterable[Event], voice: Voice, seat: int) -> list[Described]:
    """Put the events of a move that `seat` made into words, those that have any."""
    lines = [(event, event.sentence(voice)) for event in events]
    return [Described(event, LogLine(Sentence(text), seat, clauses=event.clauses)) for event, text in lines if text]


def round_in(events: Iterable[Event], voice: Voice) -> Round | None:
    """Return the round that a move has ended; None if it ended none."""
    return next((event.round(voice) for event in events if isinstance(event, RoundEnded)), None)


def attack_in(events: Iterable[Event], voice: Voice) -> Attack | None:
    """Return the attack that a move has ended; None if it ended none."""
    return next((event.attack(voice) for event in events if isinstance(event, AttackEnded)), None)


def grown_totals(before: Snapshot, after: Snapshot) -> Iterator[RoundEnded]:
    """Return, for a match of several games, by how much each total has grown in the game that a move has ended."""
    number = before.match.game
    if before.match.games < 2 or (after.match.game == number and after.over == before.over):
        return
    totals = tuple(after.match.totals[: after.players])
    grown = [total - was for total, was in zip(totals, before.match.totals, strict=False)]
    if any(grown):
        gains = tuple((Gain("this game", points),) if points else () for points in grown)
        yield RoundEnded(number, totals, gains, label="Game")


# --- games that narrate ---------------------------------------------------------------------------------------------

UNNAMED = tuple(map(chr, range(0xE000, 0xE040)))
"""Names of seats that no sentence has by chance: characters for private use."""

TO_YOU = re.compile(r"\b(you|your)\b", re.IGNORECASE)


class Narrated(Event, frozen=True):
    """A line of a game that describes moves in words alone (`narrate`), as older games do."""

    number: int
    named: tuple[int, ...]
    lines: Callable[[Voice], Sequence[Line]]

    @property
    def seats(self) -> tuple[int, ...]:
        return self.named

    def sentence(self, voice: Voice) -> str:
        return self.lines(voice)[self.number].text


def from_narration(narrate: Callable[..., Sequence[Line]]) -> Callable[..., list[Event]]:
    """Return `happened` for a game that has `narrate(before, after, player, actions, voice)`."""

    def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
        @functools.cache
        def lines(voice: Voice) -> Sequence[Line]:
            return narrate(before, after, player, actions, voice)

        def named(text: str) -> tuple[int, ...]:
            seats = range(after.players)
            return tuple(seat for seat in seats if UNNAMED[seat] in text or (seat == viewer and TO_YOU.search(text)))

        told = lines(Voice(UNNAMED[: after.players], viewer))
        found = [Narrated(number, named(line.text), lines, clauses=line.clauses) for number, line in enumerate(told)]
        return [*found, *grown_totals(before, after)]

    return happened
