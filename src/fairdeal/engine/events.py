"""Events: the effects of a move, as plain data for one viewer.

A game's `happened` returns the events of a move: first the move itself, then the effects of rules. Events are derived
from two concealed snapshots and from the part of the move that the viewer may know. Sentences are made from events and
are never parsed. Code that needs to know the effects of a move matches these classes, or a game's subclasses of them.
docs/events.md describes them.
"""

import re
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.scene import (
    Gain,
    LogLine,
    Result,
    Round,
    Sentence,
    Tally,
    Voice,
    ordinals_of,
    places_by,
)
from fairdeal.engine.scene.instruments import Attack
from fairdeal.engine.scene.points import minus


class Event(Frozen, kw_only=True, gc=False):
    """An event of a game.

    clauses  ids of the clauses of rules that took effect automatically

    >>> Event(clauses=("CHI-46",)).seats
    ()
    """

    clauses: tuple[str, ...] = ()

    words: ClassVar[str] = ""
    """The sentence, if it does not depend on the fields. That of an `Act` may begin with `You`, as in `You shuffle.`,
    which stands for its seat; the third person of the verb must end with an s."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats named in the sentence."""
        return ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The faces of the cards named in the sentence."""
        return ()

    def sentence(self, voice: Voice) -> str:
        """Return the sentence for the viewer of `voice` (default: `words`); "" if the event has no line of its own."""
        return self.words


class Act(Event):
    """An event that concerns one seat: its action, or something that happened to it.

    seat  the seat

    >>> Act(1).seats
    (1,)
    >>> class Shuffled(Act):
    ...     words = "You shuffle the deck."
    >>> Shuffled(1).sentence(Voice(("Ada", "Bo"), viewer=0))
    'Bo shuffles the deck.'
    """

    seat: int

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.seat,)

    def sentence(self, voice: Voice) -> str:
        done = re.fullmatch(r"You (\w+)(.*)", self.words)
        return voice.does(self.seat, done[1]) + done[2] if done else self.words


class WithOther(Act):
    """An action that a seat directs at another seat.

    other  the other seat

    >>> WithOther(1, 0).seats
    (1, 0)
    """

    other: int

    @property
    def seats(self) -> tuple[int, ...]:
        return self.seat, self.other


class WithCards(Act):
    """An event that concerns one seat and some cards.

    cards  faces of the cards, `""` for a card that the viewer cannot see

    >>> WithCards(1, ("ace", "")).shown
    ('ace',)
    """

    cards: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple([card for card in self.cards if card])


class Drew(WithCards):
    """A seat took cards from a pile, a row or another seat.

    >>> Drew(1, ("", "")).shown
    ()
    """


class Played(WithCards):
    """A seat played its own cards.

    >>> Played(0, ("ace",)).seats
    (0,)
    """


class Revealed(WithCards):
    """Cards were turned face up.

    >>> Revealed(0, ("ace", "king")).shown
    ('ace', 'king')
    """


class Discarded(WithCards):
    """A seat discarded cards because of a rule.

    >>> Discarded(0, ("ace",)).cards
    ('ace',)
    """


class Lost(WithCards):
    """A seat lost cards to another seat.

    >>> Lost(1, ("ace",)).seat
    1
    """


class Kept(WithCards):
    """A seat kept cards that it might have lost, or got them back.

    >>> Kept(1, ("ace",)).shown
    ('ace',)
    """


class Attacked(WithCards):
    """A seat attacked another seat with its cards.

    defender  the attacked seat

    >>> Attacked(0, ("yin-red",), 1).seats
    (0, 1)
    """

    defender: int = -1

    @property
    def seats(self) -> tuple[int, ...]:
        return self.seat, self.defender


class Blocked(WithCards):
    """A seat responded to an attack.

    >>> Blocked(1, ("chi",)).shown
    ('chi',)
    """


class Passed(Act):
    """A seat passed or gave up.

    >>> Passed(1).seats
    (1,)
    """


class Reshuffled(Event):
    """Cards were shuffled into a new deck.

    >>> Reshuffled().seats
    ()
    """


class Scored(Act):
    """A seat won or lost points.

    points  points won; negative if the seat lost them

    >>> Scored(0, -2).points
    -2
    """

    points: int = 0


class AttackEnded(Event):
    """An attack is over. `attack(voice)` returns the attack as screens show it.

    attacker  the seat that attacked
    defender  the seat that was attacked

    >>> AttackEnded(attacker=0, defender=1).seats
    (1,)
    """

    attacker: int
    defender: int

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.defender,)

    def attack(self, voice: Voice) -> Attack:
        """Return the attack with its outcome, which screens show briefly."""
        raise NotImplementedError


class RoundEnded(Event):
    """A round, or a game of a match, is over. `round(voice)` returns its result.

    number  number of the round
    totals  totals after the round, by seat
    gains   reasons for the points gained in the round, by seat
    label   the game's word for it: `Round` or `Game`
    fewest  whether low totals are better
    sweep   zone whose cards are gathered
    winner  seat that gathers them

    >>> ended = RoundEnded(2, totals=(10, 7), gains=((Gain("kings", 3),), ()))
    >>> ended.round(Voice(("Ada", "Bo"), viewer=0)).text
    'Round 2 done: you 10, Bo 7.'
    """

    number: int
    totals: tuple[int, ...]
    gains: tuple[tuple[Gain, ...], ...]
    label: str = "Round"
    fewest: bool = False
    sweep: str = ""
    winner: int = -1

    def round(self, voice: Voice) -> Round:
        """Return the round as screens show it. The tallies are sorted from the worst seat to the best, and the sentence
        from the best to the worst."""
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


class Deciding(NamedTuple):
    """The reasons why a game ended as it did.

    seats     seats to which the reasons apply
    counters  labels of these seats' counters that decided the game; plural labels may add an `s`
    on        ids of cards that decided the game, and of zones whose cards did
    by_move   whether the last move decided it, with the cards that it played or turned up, if one of these seats made
              it

    >>> Deciding((1,), ("point",)).by_move
    False
    """

    seats: tuple[int, ...]
    counters: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    by_move: bool = False


class Won(Event):
    """The game is over; `result(voice)` returns the result, worded by `text(voice)` and `why(voice)`, and `deciding()`
    what decided it. A game's subclass has the fields that its sentences need.

    scores  scores by seat

    >>> class MostBooks(Won):
    ...     def text(self, voice):
    ...         return "Ada wins."
    >>> MostBooks((7, 6)).result(Voice(("Ada", "Bo"), viewer=1)).places
    (1, 2)
    """

    scores: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(len(self.scores)))

    @property
    def best(self) -> tuple[int, ...]:
        """The seats with the highest score."""
        return tuple([seat for seat, score in enumerate(self.scores) if score == max(self.scores)])

    @property
    def ranked(self) -> tuple[int, ...]:
        """The seats that the rules give a place: the others have only not won. By default, all have one."""
        return tuple(range(len(self.scores)))

    def deciding(self) -> Deciding:
        """Return what decided the game. By default, this is the last move of a seat with the highest score."""
        return Deciding(self.best, by_move=True)

    def text(self, voice: Voice) -> str:
        """Return the result as a sentence."""
        raise NotImplementedError

    def why(self, voice: Voice) -> str:
        """Return the reason for the result as a sentence; "" if there is none."""
        return ""

    def sentence(self, voice: Voice) -> str:
        return f"{self.text(voice)} {self.why(voice)}".strip()

    def result(self, voice: Voice, **more: Any) -> Result:
        """Return the result that a scene shows, with places derived from the scores unless `more` sets them."""
        given = {"places": places_by(self.scores), "scores": self.scores, "why": self.why(voice)} | more
        found = Result(text=self.text(voice), **given)
        return found.replaced(ordinals=ordinals_of(found.places, self.ranked)) if found.is_ranked else found


class Described(NamedTuple):
    """An event with its log line."""

    event: Event
    line: LogLine


def described(events: Iterable[Event], voice: Voice, seat: int) -> list[Described]:
    """Return the events of a seat's move with their log lines, omitting events without a sentence."""
    lines = [(event, event.sentence(voice)) for event in events]
    return [Described(event, LogLine(Sentence(text), seat, clauses=event.clauses)) for event, text in lines if text]


def round_in(events: Iterable[Event], voice: Voice) -> Round | None:
    """Return the round that a move ended, or None."""
    return next((event.round(voice) for event in events if isinstance(event, RoundEnded)), None)


def attack_in(events: Iterable[Event], voice: Voice) -> Attack | None:
    """Return the attack that a move ended, or None."""
    return next((event.attack(voice) for event in events if isinstance(event, AttackEnded)), None)
