"""What happened since a viewer last did something, one clause a seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairdeal.engine.records import HOUSE
from fairdeal.engine.scene import Event, Recap
from fairdeal.table.log import Move

LONGEST = 90
"""Letters of what one seat did."""

TOLD = 30
"""Moves that are put into words, the newest; those before them are only counted."""


def moves_since(moves: Sequence[Move], viewer: int, own: Sequence[str]) -> int:
    """After how many moves the viewer has done nothing more; what another made for them is not theirs. `own` is what
    the log calls their own hand."""
    for number in range(len(moves), 0, -1):
        if moves[number - 1].seat == viewer and moves[number - 1].by in own:
            return number
    return 0


def recap(
    moves: Sequence[Move], since: int, events: Callable[[int], Sequence[Event]], unseen: Callable[[int], bool]
) -> tuple[Recap, ...]:
    """The moves after so many, a clause for each seat, in the order in which the seats first moved. `events` tells a
    move by its number, as the viewer saw it. An `unseen` move, by somebody who was asked only because of what they
    hold, is not counted, and what came of it belongs to the move before it."""
    made: dict[int, int] = {}
    words: dict[int, list[str]] = {}
    seat = HOUSE
    for number in range(since + 1, len(moves) + 1):
        is_told = number > len(moves) - TOLD
        if not (is_told and unseen(number)):
            seat = moves[number - 1].seat
            made[seat] = made.get(seat, 0) + 1
        if is_told:
            words.setdefault(seat, []).extend(event.text for event in events(number) if event.text)
    return tuple(Recap(seat, newest(words.get(seat, [])), count) for seat, count in made.items())


def newest(sentences: Sequence[str]) -> str:
    """As many of the newest sentences as fit, and of one that is too long its beginning."""
    text = ""
    for sentence in reversed(sentences):
        longer = f"{sentence} {text}".strip()
        if len(longer) > LONGEST:
            return text or f"{sentence[: LONGEST - 2].rsplit(' ', 1)[0]} …"
        text = longer
    return text
