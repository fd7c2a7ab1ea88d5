"""Seats, and sets of seats: a number with one bit for each seat."""

from __future__ import annotations

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.records import NOBODY, Record, rule


@rule
def seat_after(state: Record, seat: int) -> int:
    """The next seat clockwise."""
    return (int(seat) + 1) % int(state.players)


@rule
def choose_first(state: Record, wanted: int) -> int:
    """The seat that starts: the one wanted, or, for NOBODY, one drawn by chance."""
    if wanted == NOBODY:
        return draw(state.chance, state.players)
    return wanted


@rule
def act_alone(state: Record, phase: int, seat: int) -> None:
    """It is this seat's turn, in this phase."""
    state.phase = phase
    state.turn = seat
    state.to_act = 1 << int(seat)


@rule
def is_in(seats: int, seat: int) -> bool:
    """Is a seat in a set?"""
    return int(seats) >> int(seat) & 1 == 1


@rule
def size_of(seats: int) -> int:
    """How many seats a set has."""
    size = 0
    while seats != 0:
        seats &= seats - 1
        size += 1
    return size


@rule
def lowest_seat(seats: int) -> int:
    """The first seat of a set that is not empty."""
    seat = 0
    while seats >> seat & 1 == 0:
        seat += 1
    return seat


def members(seats: int) -> list[int]:
    """The seats of a set, in order."""
    return [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
