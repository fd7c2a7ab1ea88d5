"""Steps that write an observation from the bytes of a concealed record, and the rule that carries them out.

A layout (`engine.observe.layout`) is reduced to a list of steps for each viewer, encoded as numbers, so that the order
of the seats is fixed in advance. Steps of one kind are adjacent, so that each kind has a tight loop. Most steps show
one number.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain
from typing import NamedTuple

from fairdeal.engine.kit.forms import COUNTED, FLAGS, NUMBERS, ONE_OF, SEAT_NUMBER, SEAT_SET
from fairdeal.engine.records import EMPTY, Record, rule

NUMBER, VALUE, WIDE, ROW, COUNTS, VALUES, SEATS, BITS = range(8)
"""The kinds of steps, in order. The first three show a single number: a one-byte number unchanged, a one-byte number
with a few possible values, or a wider number unchanged. The others show several numbers: unchanged, as counts, each
with a few possible values, each as a set of seats, or each as another set."""

BOUNDS = BITS + 2
"""Length of the header before a viewer's steps: the start of each kind of steps, and the end of the last kind."""

TARGET, AT, FIRST, CHOICES, OWN, WIDTH, HOW_MANY, STRIDE, LENGTH_AT, LENGTH_WIDTH = range(10)
"""Indices of the fields of a `Step` after `kind`."""

TOLD = (AT + 1, OWN + 1, WIDTH + 1, *[LENGTH_WIDTH + 1] * 5)
"""Number of leading `Step` fields, after `kind`, that each kind of step uses."""

LOWEST = -(2**31)
"""Base from which the lowest value of a few values is counted, so that no number of a step is negative. Numba then does
not check for negative indices."""

KINDS = {NUMBERS: ROW, COUNTED: COUNTS, ONE_OF: VALUES, SEAT_NUMBER: VALUES, SEAT_SET: SEATS, FLAGS: BITS}
"""The kind of step that shows a form, by kind of form."""

ALONE = {(ROW, 1): NUMBER, (VALUES, 1): VALUE, (ROW, 2): WIDE, (ROW, 4): WIDE, (ROW, 8): WIDE}
"""The kind of step that shows a single number, by the kind of step for several numbers and the width of a number in
bytes."""

FEW = 8
"""Maximum number of values for which each gets its own step. More values are shown in a loop."""


class Step(NamedTuple):
    """An instruction that shows some numbers of a record. Fields:

    kind          kind of step
    target        index of the first number in the observation
    at            offset of the first number in the record, in bytes
    first         lowest of a few values, counted from LOWEST
    choices       number of possible values or bits; 1 for a number shown unchanged
    own           seat that is listed first, for numbers of seats
    width         width of a number in bytes
    numbers       count of numbers
    stride        distance between numbers in bytes
    length_at     offset of the length of the numbers' pile, in bytes
    length_width  width of that length in bytes; 0 to show all numbers
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
        """The simplest steps that have the same effect."""
        alone = ALONE.get((self.kind, self.width))
        if alone is None or self.length_width or self.numbers > FEW:
            return [self]
        return [
            self._replace(kind=alone, target=self.target + self.choices * place, at=self.at + self.stride * place)
            for place in range(self.numbers)
        ]


def in_a_row(steps: Iterable[Step]) -> list[int]:
    """Return a viewer's steps as the flat list that `observe` reads: a header of `BOUNDS` numbers, then the fields of
    each step, kind by kind."""
    told: list[list[int]] = [[] for _ in TOLD]
    for step in steps:
        told[step.kind] += step[1 : 1 + TOLD[step.kind]]
    bounds = accumulate(map(len, told), initial=BOUNDS)
    return [*bounds, *chain.from_iterable(told)]


@rule
def observe(content: Record, viewer: int, players: int, steps: Record, out: Record) -> None:
    """Write a viewer's observation into `out`, an array of zeros, from the bytes of a concealed record.

    `steps` are the steps of a layout. Cards beyond a pile's length must be 0. Call `Layout.observe` rather than this
    rule.

    >>> table = load("chi")
    >>> layout, view = layout_of(table), table.deal(seed=7).view(0, recall=100)
    >>> out = np.zeros(layout.size, layout.dtype)
    >>> observe(np.frombuffer(view.record.tobytes(), np.int8), 0, table.players, layout.plain_steps, out)
    >>> np.array_equal(out, layout.observe(view, 0))
    True
    """
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
    """Write a 1 at the index of a value, counted from the lowest value, if the value is in range."""
    if 0 <= value < choices:
        value -= own
        out[target + (value if value >= 0 else value + choices)] = 1


@rule
def show_numbers(content: Record, steps: Record, step: int, out: Record) -> None:
    """Write the numbers of a step unchanged."""
    target, at, numbers = int(steps[step + TARGET]), int(steps[step + AT]), int(steps[step + HOW_MANY])
    width, stride = int(steps[step + WIDTH]), int(steps[step + STRIDE])
    length = length_of(content, steps, step)
    if width == 1 and stride == 1:  # takes a third of the time of the general case
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
    """Write the count of each possible value among the numbers of a step."""
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
    """For each number of a step, write a 1 at the index of its value."""
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
    """Write a 1 for each member of each set in a step. Seats are numbered relative to `own`."""
    target, at, choices = int(steps[step + TARGET]), int(steps[step + AT]), int(steps[step + CHOICES])
    width, stride = int(steps[step + WIDTH]), int(steps[step + STRIDE])
    for place in range(length_of(content, steps, step)):
        value = number_at(content, at + place * stride, width)
        for bit in range(choices):
            shown = bit + own if bit + own < players or own == 0 else bit + own - players
            out[target + place * choices + bit] = value >> shown & 1


@rule
def length_of(content: Record, steps: Record, step: int) -> int:
    """Return the count of numbers that a step shows: all of them, or the length of their pile."""
    width = int(steps[step + LENGTH_WIDTH])
    if width == 0:
        return int(steps[step + HOW_MANY])
    return number_at(content, int(steps[step + LENGTH_AT]), width)


@rule
def number_at(content: Record, place: int, width: int) -> int:
    """Return the little-endian number of `width` bytes at offset `place`."""
    if width == 1:
        return int(content[place])
    if width == 2:
        return int(content[place + 1]) << 8 | int(content[place]) & 255
    value = int(content[place + width - 1])
    for lower in range(1, width):
        value = value << 8 | int(content[place + width - 1 - lower]) & 255
    return value
