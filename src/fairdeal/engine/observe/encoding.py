"""Observing: the steps that write an observation from the bytes of a concealed record, and the rule that follows them.

A layout (`engine.observe.layout`) comes down to steps in numbers, some for each viewer: whose seat comes first is
settled when they are made. Steps of one kind stand together, so that each kind has a tight loop of its own; most show
one number.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain
from typing import NamedTuple

from fairdeal.engine.kit.forms import COUNTED, FLAGS, NUMBERS, ONE_OF, SEAT_NUMBER, SEAT_SET
from fairdeal.engine.records import EMPTY, Record, rule

NUMBER, VALUE, WIDE, ROW, COUNTS, VALUES, SEATS, BITS = range(8)
"""The kinds of steps, in their order: one number of one byte as it is, one number of one byte that is one of a few, one
number of more bytes as it is; several numbers as they are, counted, each one of a few, each a set of seats, each a set
of something."""

BOUNDS = BITS + 2
"""So many numbers come before the steps of a viewer: where those of each kind begin, and where the last ones end."""

TARGET, AT, FIRST, CHOICES, OWN, WIDTH, HOW_MANY, STRIDE, LENGTH_AT, LENGTH_WIDTH = range(10)
"""The places of what a `Step` tells, after its kind."""

TOLD = (AT + 1, OWN + 1, WIDTH + 1, *[LENGTH_WIDTH + 1] * 5)
"""By the kind of a step, how many of these it has: the first ones."""

LOWEST = -(2**31)
"""The lowest of a few values is counted from here, so that no number of a step is below 0: Numba need not ask then
whether a place is counted from the end."""

KINDS = {NUMBERS: ROW, COUNTED: COUNTS, ONE_OF: VALUES, SEAT_NUMBER: VALUES, SEAT_SET: SEATS, FLAGS: BITS}
"""By the kind of a form, the kind of the steps that show it."""

ALONE = {(ROW, 1): NUMBER, (VALUES, 1): VALUE, (ROW, 2): WIDE, (ROW, 4): WIDE, (ROW, 8): WIDE}
"""By the kind of a step and the bytes of a number, the one that shows a single number."""

FEW = 8
"""So many numbers are shown by a step each, more by a loop."""


class Step(NamedTuple):
    """What is done with some numbers of a record. Fields:

    kind       what is done
    target     where the first number of the observation goes to
    at         where the first number of the record is in its bytes
    first      the lowest of a few values, counted from LOWEST
    choices    how many values, or bits, there are; 1 of a number that is shown as it is
    own        the seat that comes first, for numbers of seats
    width      how many bytes a number has
    numbers    how many numbers there are
    stride     at what distance
    length_at  where the length of their pile is, and how many bytes it has: 0 where all are shown
    """

    kind: int
    target: int
    at: int
    first: int
    choices: int
    own: int
    width: int
    numbers: int
    stride: int
    length_at: int
    length_width: int

    @property
    def simplest(self) -> list[Step]:
        """The steps that do the same, as simple as there are."""
        alone = ALONE.get((self.kind, self.width))
        if alone is None or self.length_width or self.numbers > FEW:
            return [self]
        return [
            self._replace(kind=alone, target=self.target + self.choices * place, at=self.at + self.stride * place)
            for place in range(self.numbers)
        ]


def in_a_row(steps: Iterable[Step]) -> list[int]:
    """The steps of a viewer as the rule reads them: `BOUNDS`, then what each step tells, kind by kind."""
    told: list[list[int]] = [[] for _ in TOLD]
    for step in steps:
        told[step.kind] += step[1 : 1 + TOLD[step.kind]]
    bounds = accumulate(map(len, told), initial=BOUNDS)
    return [*bounds, *chain.from_iterable(told)]


@rule
def observe(content: Record, viewer: int, players: int, steps: Record, out: Record) -> None:
    """Write the observation of a viewer, by the steps of a layout, from the bytes of a concealed record, over nothing
    but 0. In a pile no card lies beyond its length."""
    if viewer >= 0:
        out[viewer] = 1
    own = steps[viewer + 1]
    for step in range(BOUNDS, int(own[NUMBER + 1]), TOLD[NUMBER]):
        out[own[step + TARGET]] = int(content[own[step + AT]])
    for step in range(int(own[VALUE]), int(own[VALUE + 1]), TOLD[VALUE]):
        value = int(content[own[step + AT]]) - int(own[step + FIRST]) - LOWEST
        show_value(value, int(own[step + CHOICES]), int(own[step + OWN]), int(own[step + TARGET]), out)
    for step in range(int(own[WIDE]), int(own[WIDE + 1]), TOLD[WIDE]):
        out[own[step + TARGET]] = number_at(content, int(own[step + AT]), int(own[step + WIDTH]))
    for step in range(int(own[ROW]), int(own[ROW + 1]), TOLD[ROW]):
        show_numbers(content, own, step, out)
    for step in range(int(own[COUNTS]), int(own[COUNTS + 1]), TOLD[COUNTS]):
        count_numbers(content, own, step, out)
    for step in range(int(own[VALUES]), int(own[VALUES + 1]), TOLD[VALUES]):
        show_values(content, own, step, out)
    for step in range(int(own[SEATS]), int(own[SEATS + 1]), TOLD[SEATS]):
        show_sets(content, own, step, players, int(own[step + OWN]), out)
    for step in range(int(own[BITS]), int(own[BITS + 1]), TOLD[BITS]):
        show_sets(content, own, step, 0, 0, out)


@rule
def show_value(value: int, choices: int, own: int, target: int, out: Record) -> None:
    """1 where a number, counted from the lowest one, is one of a few."""
    if 0 <= value < choices:
        value -= own
        out[target + (value if value >= 0 else value + choices)] = 1


@rule
def show_numbers(content: Record, steps: Record, step: int, out: Record) -> None:
    """Numbers as they are."""
    target, at, numbers = int(steps[step + TARGET]), int(steps[step + AT]), int(steps[step + HOW_MANY])
    width, stride = int(steps[step + WIDTH]), int(steps[step + STRIDE])
    length = length_of(content, steps, step)
    if width == 1 and stride == 1:  # a third of the time of what follows
        source, shown = content[at : at + length], out[target : target + length]
        for place in range(length):
            shown[place] = int(source[place])
    else:
        for place in range(length):
            out[target + place] = number_at(content, at + place * stride, width)
    for place in range(length, numbers):
        out[target + place] = EMPTY


@rule
def count_numbers(content: Record, steps: Record, step: int, out: Record) -> None:
    """How often there is each of a few numbers."""
    target, at, first = int(steps[step + TARGET]), int(steps[step + AT]), int(steps[step + FIRST]) + LOWEST
    width, stride, choices = int(steps[step + WIDTH]), int(steps[step + STRIDE]), int(steps[step + CHOICES])
    length = length_of(content, steps, step)
    if width == 1 and stride == 1:
        for place in range(length):
            value = int(content[at + place]) - first
            if 0 <= value < choices:
                out[target + value] += 1
    else:
        for place in range(length):
            value = number_at(content, at + place * stride, width) - first
            if 0 <= value < choices:
                out[target + value] += 1


@rule
def show_values(content: Record, steps: Record, step: int, out: Record) -> None:
    """1 for each number where it is this one of a few."""
    target, at, first = int(steps[step + TARGET]), int(steps[step + AT]), int(steps[step + FIRST]) + LOWEST
    width, stride = int(steps[step + WIDTH]), int(steps[step + STRIDE])
    choices, own = int(steps[step + CHOICES]), int(steps[step + OWN])
    length = length_of(content, steps, step)
    if width == 1 and stride == 1:
        for place in range(length):
            show_value(int(content[at + place]) - first, choices, own, target + place * choices, out)
    else:
        for place in range(length):
            value = number_at(content, at + place * stride, width) - first
            show_value(value, choices, own, target + place * choices, out)


@rule
def show_sets(content: Record, steps: Record, step: int, players: int, own: int, out: Record) -> None:
    """1 for each that is in a set; of seats from the own one on."""
    target, at, choices = int(steps[step + TARGET]), int(steps[step + AT]), int(steps[step + CHOICES])
    width, stride = int(steps[step + WIDTH]), int(steps[step + STRIDE])
    for place in range(length_of(content, steps, step)):
        value = number_at(content, at + place * stride, width)
        for bit in range(choices):
            shown = bit + own if bit + own < players or own == 0 else bit + own - players
            out[target + place * choices + bit] = value >> shown & 1


@rule
def length_of(content: Record, steps: Record, step: int) -> int:
    """How many numbers there are: all, or those of a pile."""
    width = int(steps[step + LENGTH_WIDTH])
    if width == 0:
        return int(steps[step + HOW_MANY])
    return number_at(content, int(steps[step + LENGTH_AT]), width)


@rule
def number_at(content: Record, place: int, width: int) -> int:
    """The number of so many bytes that begins at a place; the lowest byte is the first."""
    if width == 1:
        return int(content[place])
    if width == 2:
        return int(content[place + 1]) << 8 | int(content[place]) & 255
    value = int(content[place + width - 1])
    for lower in range(1, width):
        value = value << 8 | int(content[place + width - 1 - lower]) & 255
    return value
