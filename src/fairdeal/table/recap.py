"""A summary of the moves since a viewer last acted, in the order in which they were played."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fairdeal.engine.scene import Recap, Sentence, as_text
from fairdeal.table.log import ANOTHER, Move

LONGEST = 88
"""Maximum length of a summary clause, in characters. Two more characters are allowed for the mark of omitted
clauses."""

ROOM = 240
"""Maximum total length of all summary clauses, in characters."""

TOLD = 30
"""Maximum number of recent moves that are described. Older moves are only counted."""


OWN = "", "person", ANOTHER
"""The values of `Move.by` of a move that a person made at the seat. Any other names the bot that made it."""


def moves_since(moves: Sequence[Move], viewer: int) -> int:
    """Return the number of the viewer's own last move, or 0. A move that a bot made for the viewer does not count."""
    for number in range(len(moves), 0, -1):
        if moves[number - 1].seat == viewer and moves[number - 1].by in OWN:
            return number
    return 0


def stood_in(moves: Sequence[Move], viewer: int) -> int:
    """Return the number of moves that a bot has made for the viewer since the viewer's own last move."""
    since = moves_since(moves, viewer)
    return sum(move.seat == viewer for move in moves[since:])


class Telling(NamedTuple):
    """A move in words for one viewer. `unseen` is true if another seat made the move and was asked only because of the
    cards that it holds."""

    sentences: Sequence[Sentence]
    unseen: bool


@dataclass
class Stretch:
    """Consecutive moves of one seat, as their number and their descriptions."""

    seat: int
    made: int = 0
    told: list[str] = field(default_factory=list)


def recap(moves: Sequence[Move], since: int, viewer: int, telling: Callable[[int], Telling]) -> tuple[Recap, ...]:
    """Summarize the moves after move `since` for a viewer, with a clause for each stretch of moves by one seat, in
    order of play.

    As many of the newest clauses as fit are included, and the first of these also counts the omitted moves before it.
    `telling` is called with the number of a move. A move that the viewer cannot see is not counted, and its effects are
    attributed to the move before it. Directly after the viewer's own move it is omitted entirely, because it would
    reveal that a seat was asked.
    """
    stretches: list[Stretch] = []
    newest_first = (number for number in range(len(moves), 0, -1) if moves[number - 1].is_known(viewer))
    first = next(itertools.islice(newest_first, TOLD - 1, None), 0)
    for number in range(since + 1, len(moves) + 1):
        told = telling(number) if number >= first else None
        if moves[number - 1].is_known(viewer) and (told is None or not told.unseen):
            seat = moves[number - 1].seat
            if not stretches or stretches[-1].seat != seat:
                stretches.append(Stretch(seat))
            stretches[-1].made += 1
        if told and stretches:
            stretches[-1].told += [as_text(sentence) for sentence in told.sentences if sentence]
    return newest([Recap(one.seat, Sentence(shortened(one.told)), one.made) for one in stretches])


def newest(clauses: Sequence[Recap]) -> tuple[Recap, ...]:
    """Return the last clauses that fit. If others came before, the first clause begins with an ellipsis and counts
    their moves."""
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
    """Join sentences into one line. If the line is too long, include the first sentence and the newest ones that
    fit."""
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
