"""CHIP IT: the values that cards can reach, and the cost of a combination (CHIP-20..29)."""

import numpy as np

from fairdeal.engine.records import Record, rule
from fairdeal.games.chip_it.state import GREENS, KINDS, NUMBER, UNREACHABLE


@rule
def value_of(kind: int, points: int) -> int:
    """Return the value of a card with `points` on it. Each point adds 1 to the value of a green card, and the printed
    number to that of a purple card (CHIP-23, 24)."""
    if kind < GREENS:
        return NUMBER[kind] + points
    return NUMBER[kind] * (1 + points)


@rule
def cost_at(kind: int, value: int) -> int:
    """Return the number of points that raise a card to a value, or UNREACHABLE (CHIP-23, 24)."""
    if value < LOOKED_UP:
        return int(COSTS[kind, value])
    return counted_cost(kind, value)


@rule
def counted_cost(kind: int, value: int) -> int:
    number = NUMBER[kind]
    if value < number:
        return UNREACHABLE
    if kind < GREENS:
        return value - number
    steps = value // number
    if steps * number != value:
        return UNREACHABLE
    return steps - 1


LOOKED_UP = 100
"""Number of values whose costs are in COSTS. Computing them by division took half the time of a greedy move."""

COSTS = np.array([[counted_cost(kind, value) for value in range(LOOKED_UP)] for kind in range(KINDS)], np.int16)


@rule
def first_purple(hand: Record, start: int) -> int:
    """Return the first place, starting at `start`, that holds a purple card, or the size of the hand."""
    place = start
    while place < hand.length and hand.cards[place] < GREENS:
        place += 1
    return place


@rule
def cheapest(hand: Record, start: int, value: int, count: int, used: int) -> int:
    """Return the lowest cost of `count` cards, from place `start` onwards, at a value (CHIP-25). It is UNREACHABLE or
    more if there are too few cards.

    Places in the bit set `used` are skipped. The hand is sorted, so that the cost falls from place to place within a
    colour. The cheapest card is therefore the last green or the last purple card that can reach the value.
    """
    split = first_purple(hand, start)
    green, purple = split - 1, int(hand.length) - 1
    total = 0
    for _ in range(count):
        green_cost, purple_cost = UNREACHABLE, UNREACHABLE
        while green >= start:
            if not (used >> green) & 1 and NUMBER[hand.cards[green]] <= value:
                green_cost = value - NUMBER[hand.cards[green]]
                break
            green -= 1
        while purple >= split:
            if not (used >> purple) & 1:
                purple_cost = cost_at(hand.cards[purple], value)
                if purple_cost < UNREACHABLE:
                    break
            purple -= 1
        if green_cost < purple_cost:
            total += green_cost
            green -= 1
        else:
            total += purple_cost
            if purple_cost >= UNREACHABLE:
                return UNREACHABLE
            purple -= 1
    return total


@rule
def least_possible(hand: Record, start: int, value: int, count: int) -> int:
    """Return a lower bound on the cost of `count` cards, from place `start` onwards, at `value` or any higher value.

    This is `cheapest` with two relaxations: a purple card need not reach the value exactly, and a card above the value
    costs nothing.
    """
    split = first_purple(hand, start)
    green, purple = split - 1, int(hand.length) - 1
    total = 0
    for _ in range(count):
        green_cost, purple_cost = UNREACHABLE, UNREACHABLE
        if green >= start:
            green_cost = max(0, value - NUMBER[hand.cards[green]])
        if purple >= split:
            purple_cost = max(0, (value - 1) // NUMBER[hand.cards[purple]])
        if green_cost < purple_cost:
            total += green_cost
            green -= 1
        else:
            total += purple_cost
            purple -= 1
    return total


@rule
def least_common_multiple(a: int, b: int) -> int:
    product = a * b
    while b:
        a, b = b, a % b
    return product // a


@rule
def can_complete_lowest(
    hand: Record, start: int, value: int, floor: int, step: int, budget: int, need: int, is_open: bool
) -> bool:
    """Return whether cards from place `start` onwards can complete a draft such that `value` is its lowest legal value
    (CHIP-28, option `raise: lowest`).

    The lowest value of a set is the first multiple of `step` (the least common multiple of its purple numbers) that is
    at least `floor` (its highest number, or one above the value to beat). Adding cards only raises `floor` and `step`.
    The search therefore tries small subsets of cards that rule out every lower value (purple cards and the highest
    green one), and adds the cheapest other cards. Exactly `need` more cards are required; in an open round any number
    may follow.
    """
    split = first_purple(hand, start)
    green = split - 1
    while green >= start and NUMBER[hand.cards[green]] > value:
        green -= 1
    eligible = 0
    for place in range(split, hand.length):
        if hand.cards[place] != hand.cards[place - 1] or place == split:
            eligible |= (cost_at(hand.cards[place], value) <= budget) << place
    if green >= start:
        eligible |= 1 << green
    used = 0
    while True:  # every subset of the eligible places
        cost, count, highest, multiple = 0, 0, floor, step
        for place in range(start, hand.length):
            if (used >> place) & 1:
                kind = hand.cards[place]
                cost += cost_at(kind, value)
                count += 1
                highest = max(highest, NUMBER[kind])
                if kind >= GREENS:
                    multiple = least_common_multiple(multiple, NUMBER[kind])
        if (
            cost <= budget
            and highest > value - multiple
            and (is_open or (count <= need and cost + cheapest(hand, start, value, need - count, used) <= budget))
        ):
            return True
        used = (used - eligible) & eligible
        if used == 0:
            return False
