"""Seats, and sets of seats, which are integers with one bit for each seat."""

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.records import NOBODY, Record, rule


@rule
def seat_after(state: Record, seat: int) -> int:
    """Return the next seat clockwise.

    >>> seat_after(load("chip-it", players=3).blank().record, 2)
    0
    """
    return (int(seat) + 1) % int(state.players)


@rule
def rival(state: Record, player: int, number: int) -> int:
    """Return the seat of opponent `number`. Opponents are counted clockwise from 0.

    >>> rival(load("chip-it", players=3).blank().record, 1, 0), rival(load("chip-it", players=3).blank().record, 1, 1)
    (2, 0)
    """
    return (player + 1 + number) % int(state.players)


@rule
def choose_first(state: Record, wanted: int) -> int:
    """Return the seat that starts: `wanted`, or a random one if `wanted` is NOBODY.

    >>> state = load("chip-it", players=3).deal(seed=7).record
    >>> choose_first(state, 2), choose_first(state, NOBODY)
    (2, 0)
    """
    if wanted == NOBODY:
        return draw(state.chance, state.players)
    return wanted


@rule
def act_alone(state: Record, phase: int, seat: int) -> None:
    """Set the phase and make `seat` the only one that may act.

    >>> state = load("chi").blank().record
    >>> act_alone(state, 2, seat=1)
    >>> int(state.phase), int(state.turn), int(state.to_act)
    (2, 1, 2)
    """
    state.phase = phase
    state.turn = seat
    state.to_act = 1 << int(seat)


@rule
def is_in(seats: int, seat: int) -> bool:
    """Return whether a seat is in a set.

    >>> is_in(0b101, 0), is_in(0b101, 1)
    (True, False)
    """
    return int(seats) >> int(seat) & 1 == 1


@rule
def size_of(seats: int) -> int:
    """Return the number of seats in a set.

    >>> size_of(0b1101)
    3
    """
    size = 0
    while seats != 0:
        seats &= seats - 1
        size += 1
    return size


@rule
def lowest_seat(seats: int) -> int:
    """Return the lowest seat in a non-empty set.

    >>> lowest_seat(0b1100)
    2
    """
    seat = 0
    while seats >> seat & 1 == 0:
        seat += 1
    return seat


def members(seats: int) -> list[int]:
    """Return the seats of a set, in order.

    >>> members(0b1101)
    [0, 2, 3]
    """
    return [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
