"""What happened since a viewer last did something, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fairdeal.engine.scene import Recap, Sentence, as_text
from fairdeal.table.log import Move

LONGEST = 88
"""Letters of a clause; two more where it says that others came before it."""

ROOM = 240
"""Letters of all of them."""

TOLD = 30
"""Moves that are put into words, the newest; those before them are only counted."""


def moves_since(moves: Sequence[Move], viewer: int, own: Sequence[str]) -> int:
    """After how many moves the viewer has done nothing more; what another made for them is not theirs. `own` is what
    the log calls their own hand."""
    for number in range(len(moves), 0, -1):
        if moves[number - 1].seat == viewer and moves[number - 1].by in own:
            return number
    return 0


class Telling(NamedTuple):
    """A move in words for one viewer. It is `unseen` if another seat made it that was asked only because of what it
    holds."""

    sentences: Sequence[Sentence]
    unseen: bool


@dataclass
class Stretch:
    """Moves that one seat made without another's between them: how many, and what was told of them."""

    seat: int
    made: int = 0
    told: list[str] = field(default_factory=list)


def recap(moves: Sequence[Move], since: int, telling: Callable[[int], Telling]) -> tuple[Recap, ...]:
    """Sum up the moves after move `since`: a clause for each stretch of moves by one seat, in the order in which they
    were made. The newest are told, as far as there is room; the first of them counts those before it as well. `telling`
    is called with the number of a move. An unseen move is not counted, and what came of it belongs to the move before
    it; after the viewer's own it is not told, for then nobody may know that somebody was asked."""
    stretches: list[Stretch] = []
    for number in range(since + 1, len(moves) + 1):
        told = telling(number) if number > len(moves) - TOLD else None
        if told is None or not told.unseen:
            seat = moves[number - 1].seat
            if not stretches or stretches[-1].seat != seat:
                stretches.append(Stretch(seat))
            stretches[-1].made += 1
        if told and stretches:
            stretches[-1].told += [as_text(sentence) for sentence in told.sentences if sentence]
    return newest([Recap(one.seat, Sentence(shortened(one.told)), one.made) for one in stretches])


def newest(clauses: Sequence[Recap]) -> tuple[Recap, ...]:
    """The last clauses, as far as there is room. Where others came before them, the first one says and counts them."""
    told, room = len(clauses), ROOM
    while told and (told == len(clauses) or len(as_text(clauses[told - 1].text)) <= room):
        told -= 1
        room -= len(as_text(clauses[told].text))
    if not told:
        return tuple(clauses)
    first, *others = clauses[told:]
    moves = first.moves + sum(one.moves for one in clauses[:told])
    return (Recap(first.seat, Sentence(f"… {as_text(first.text)}"), moves), *others)


def shortened(sentences: Sequence[str]) -> str:
    """Sentences in a line. Where they are too long, how it began and the newest of them stay."""
    if not sentences or len(" ".join(sentences)) <= LONGEST:
        return " ".join(sentences)
    first, last = sentences[0], ""
    for sentence in reversed(sentences[1:]):
        longer = f"{sentence} {last}".strip()
        if len(f"{first} … {longer}") > LONGEST:
            break
        last = longer
    if last:
        return f"{first} … {last}"
    return f"{first[: LONGEST - 2].rsplit(' ', 1)[0]} …" if len(first) > LONGEST - 2 else f"{first} …"
