"""WAR X-TREME: seats, sets of seats, and the order in which they are asked."""

from __future__ import annotations

from fairdeal.engine.records import Record, rule


@rule
def is_in(seats: int, seat: int) -> bool:
    """Is a seat in a set of seats?"""
    return seats >> seat & 1 == 1


@rule
def count_of(seats: int) -> int:
    """How many seats a set has."""
    count = 0
    while seats != 0:
        seats &= seats - 1
        count += 1
    return count


@rule
def first_of(seats: int) -> int:
    """The lowest seat of a set that is not empty."""
    seat = 0
    while seats >> seat & 1 == 0:
        seat += 1
    return seat


@rule
def ring_seat(state: Record, number: int) -> int:
    """WAR-07: seat `number` of all seats clockwise from the marshal, dead ones included."""
    seat = int(state.marshal) + number
    if seat >= state.players:
        return seat - int(state.players)
    return seat


@rule
def in_ring(state: Record, seats: int, number: int) -> int:
    """Seat `number` of a set, in ring order."""
    for place in range(state.players):
        seat = ring_seat(state, place)
        if is_in(seats, seat):
            if number == 0:
                return seat
            number -= 1
    return 0


@rule
def left_of(state: Record, seat: int) -> int:
    """The next living seat clockwise."""
    for _ in range(state.players):
        seat += 1
        if seat == state.players:
            seat = 0
        if is_in(state.alive, seat):
            break
    return seat


@rule
def ask(state: Record, phase: int, seat: int) -> None:
    """It is this seat's turn to decide, in this phase."""
    state.phase = phase
    state.turn = seat
    state.to_act = 1 << seat


@rule
def ask_all(state: Record, phase: int, seats: int) -> None:
    """All these seats decide at once."""
    state.phase = phase
    state.turn = 0
    state.to_act = seats
