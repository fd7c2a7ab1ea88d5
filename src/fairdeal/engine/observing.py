"""Observing: the steps that write an observation from the bytes of a concealed record, and the rule that follows them.

A layout (`engine.observations`) comes down to steps in numbers, some for each viewer: whose seat comes first is settled
when they are made. Steps of one kind stand together, so that each kind has a tight loop of its own; most show one
number.
"""

from __future__ import annotations

from typing import NamedTuple

from fairdeal.engine.forms import COUNTED, FLAGS, NUMBERS, ONE_OF, SEAT_NUMBER, SEAT_SET
from fairdeal.engine.records import EMPTY, Record, rule

NUMBER, VALUE, WIDE, ROW, COUNTS, VALUES, SEATS, BITS, END = range(9)
"""The kinds of steps, in their order: one number of one byte as it is, one number of one byte that is one of a few, one
number of more bytes as it is; several numbers as they are, counted, each one of a few, each a set of seats, each a set
of something; no more steps."""

KIND, TARGET, AT, FIRST, CHOICES, OWN, WIDTH, HOW_MANY, STRIDE, LENGTH_AT, LENGTH_WIDTH = range(11)
"""The places of what a `Step` tells."""

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
    first      the lowest of a few values
    choices    how many values, or bits, there are; 1 of a number that is shown as it is
    own        the seat that comes first, for numbers of seats
    width      how many bytes a number has
    numbers    how many numbers there are
    stride     at what distance
    length_at  where the length of their pile is, or -1; and how many bytes it has
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
    length_at: int = -1
    length_width: int = 0

    @property
    def simplest(self) -> list[Step]:
        """The steps that do the same, as simple as there are."""
        alone = ALONE.get((self.kind, self.width))
        if alone is None or self.length_at >= 0 or self.numbers > FEW:
            return [self]
        return [
            self._replace(kind=alone, target=self.target + self.choices * place, at=self.at + self.stride * place)
            for place in range(self.numbers)
        ]


LAST = Step(END, *[0] * (len(Step._fields) - 1))
"""It ends the steps of a viewer."""


@rule
def observe(content: Record, viewer: int, players: int, steps: Record, out: Record) -> None:
    """Write the observation of a viewer, by the steps of a layout, from the bytes of a concealed record, over nothing
    but 0. In a pile no card lies beyond its length."""
    if viewer >= 0:
        out[viewer] = 1
    own_steps, row = steps[viewer + 1], 0
    while own_steps[row][KIND] == NUMBER:
        step = own_steps[row]
        out[step[TARGET]] = int(content[step[AT]])
        row += 1
    while own_steps[row][KIND] == VALUE:
        step = own_steps[row]
        show_value(int(content[step[AT]]), step, step[TARGET], out)
        row += 1
    while own_steps[row][KIND] == WIDE:
        step = own_steps[row]
        out[step[TARGET]] = number_at(content, step[AT], step[WIDTH])
        row += 1
    while own_steps[row][KIND] == ROW:
        show_numbers(content, own_steps[row], out)
        row += 1
    while own_steps[row][KIND] == COUNTS:
        count_numbers(content, own_steps[row], out)
        row += 1
    while own_steps[row][KIND] == VALUES:
        show_values(content, own_steps[row], out)
        row += 1
    while own_steps[row][KIND] != END:
        show_sets(content, own_steps[row], players, out)
        row += 1


@rule
def show_value(value: int, step: Record, target: int, out: Record) -> None:
    """1 where a number is this one of a few."""
    value -= step[FIRST]
    if 0 <= value < step[CHOICES]:
        value -= step[OWN]
        out[target + (value if value >= 0 else value + step[CHOICES])] = 1


@rule
def show_numbers(content: Record, step: Record, out: Record) -> None:
    """Numbers as they are."""
    target, at, width, stride = step[TARGET], step[AT], step[WIDTH], step[STRIDE]
    length = length_of(content, step)
    if width == 1 and stride == 1:  # a third of the time of what follows
        source, shown = content[at : at + length], out[target : target + length]
        for place in range(length):
            shown[place] = int(source[place])
    else:
        for place in range(length):
            out[target + place] = number_at(content, at + place * stride, width)
    for place in range(length, step[HOW_MANY]):
        out[target + place] = EMPTY


@rule
def count_numbers(content: Record, step: Record, out: Record) -> None:
    """How often there is each of a few numbers."""
    at, width, stride, choices = step[AT], step[WIDTH], step[STRIDE], step[CHOICES]
    target, first = step[TARGET], step[FIRST]
    for place in range(length_of(content, step)):
        value = number_at(content, at + place * stride, width) - first
        if 0 <= value < choices:
            out[target + value] += 1


@rule
def show_values(content: Record, step: Record, out: Record) -> None:
    """1 for each number where it is this one of a few."""
    at, width, stride, choices = step[AT], step[WIDTH], step[STRIDE], step[CHOICES]
    for place in range(length_of(content, step)):
        show_value(number_at(content, at + place * stride, width), step, step[TARGET] + place * choices, out)


@rule
def show_sets(content: Record, step: Record, players: int, out: Record) -> None:
    """1 for each that is in a set; seats from the own one on."""
    target, choices, own = step[TARGET], step[CHOICES], step[OWN]
    for place in range(length_of(content, step)):
        value = number_at(content, step[AT] + place * step[STRIDE], step[WIDTH])
        for bit in range(choices):
            shown = bit
            if step[KIND] == SEATS:
                shown = bit + own if bit + own < players else bit + own - players
            out[target + place * choices + bit] = value >> shown & 1


@rule
def length_of(content: Record, step: Record) -> int:
    """How many numbers there are: all, or those of a pile."""
    if step[LENGTH_AT] < 0:
        return int(step[HOW_MANY])
    return number_at(content, step[LENGTH_AT], step[LENGTH_WIDTH])


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
