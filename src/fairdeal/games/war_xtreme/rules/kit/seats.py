"""WAR X-TREME: the order of the seats around the table."""

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.records import Record, rule


@rule
def ring_seat(state: Record, number: int) -> int:
    """WAR-07: return the seat `number` places clockwise from the marshal, counting seats that are out."""
    seat = int(state.marshal) + number
    if seat >= state.players:
        return seat - int(state.players)
    return seat


@rule
def in_ring(state: Record, seats: int, number: int) -> int:
    """Return the seat at index `number` of a set, in ring order."""
    for place in range(state.players):
        seat = ring_seat(state, place)
        if is_in(seats, seat):
            if number == 0:
                return seat
            number -= 1
    return 0


@rule
def left_of(state: Record, seat: int) -> int:
    """Return the next living seat clockwise after `seat`."""
    for _ in range(state.players):
        seat += 1
        if seat == state.players:
            seat = 0
        if is_in(state.alive, seat):
            break
    return seat


@rule
def ask_all(state: Record, phase: int, seats: int) -> None:
    """Ask a set of seats to decide at the same time."""
    state.phase = phase
    state.turn = 0
    state.to_act = seats
