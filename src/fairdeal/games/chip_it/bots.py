"""CHIP IT: the greedy bot, which reads only concealed states.

Scores are in hundredths of a turn. Taking a point costs half a turn, because one pass returns two points. Playing a
card saves about one turn. Low green cards save more than high ones, because they rarely beat other cards. The bot plays
the cards and the value that save the most turns after paying for the points, and passes if returning points saves more.
"""

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import Record, rule
from fairdeal.engine.scene import count_of
from fairdeal.games.chip_it import state as chip_it
from fairdeal.games.chip_it.rules import combinations
from fairdeal.games.chip_it.rules.legal import draft_floor, highest_value, is_open
from fairdeal.games.chip_it.rules.play import burden, returns
from fairdeal.games.chip_it.text.notation import played

GREEN, LOW_GREEN, PURPLE, LOW_PURPLE, POINT, CROWD, RETURNED, PLAY, VALUE = range(9)
"""Indices of a row of WEIGHTS: playing a green card, and each unit by which its number is below the highest green;
playing a purple card, and each unit by which its number is below the highest purple; taking a point, and a surcharge,
in hundredths, that grows with the points already held; returning a point; making any play; and each unit of the value
played."""

GREEDY, ROLLOUT = 0, 1
WEIGHTS = np.array([[70, 4, 70, 4, 50, 0, 50, 0, 0], [24, 8, 53, 11, 50, 87, 18, 30, 3]], np.int64)
"""Weights of each style, one row per style: GREEDY, then ROLLOUT. Against three greedy players, the ROLLOUT weights win
42 games in 100 (an equal player wins 25). They were found by experiment: they favour high values, which tend to win the
lead, and avoid large stocks of points, which take many turns to return."""

FIRST = 20
"""Value of finishing first, in points."""

FINISHING = 10_000
REACH = 40
NOT_CHOSEN = -(10**9)

REACHABLE = combinations.COSTS < chip_it.UNREACHABLE
FITTING = np.lib.stride_tricks.sliding_window_view(REACHABLE, REACH + 1, axis=1) @ (1 << np.arange(REACH + 1))
"""Bit sets of the values that a card can reach, by kind and by the lowest value considered. Bit `i` stands for the
lowest value plus `i`."""


@rule
def estimate(state: Record, out: Record) -> None:
    """Write an estimated result for each player into `out`. In a single game it is minus the burden, with a bonus for
    the first player to finish; in a match it is the score."""
    returns(state, out)
    if state.options.mode == chip_it.SINGLE:
        for player in range(state.players):
            out[player] = -float(burden(state, player))
        if state.finished.length > 0:
            out[state.finished.cards[0]] += FIRST


@rule
def weight(style: int, what: int) -> int:
    return int(WEIGHTS[style, what])


@rule
def relief(kind: int, style: int) -> int:
    """Return the value of getting rid of a card."""
    if kind < chip_it.GREENS:
        return weight(style, GREEN) + weight(style, LOW_GREEN) * (21 - int(chip_it.NUMBER[kind]))
    return weight(style, PURPLE) + weight(style, LOW_PURPLE) * (11 - int(chip_it.NUMBER[kind]))


@rule
def gain_at(kind: int, value: int, style: int) -> int:
    """Return the value of playing a card at `value`, minus the cost of its points."""
    if value < GAINS.shape[2]:
        return int(GAINS[style, kind, value])
    return counted_gain(kind, value, style)


@rule
def counted_gain(kind: int, value: int, style: int) -> int:
    cost = combinations.cost_at(kind, value)
    return relief(kind, style) - weight(style, POINT) * cost if cost < chip_it.UNREACHABLE else NOT_CHOSEN


GAINS = np.array(
    [
        [
            [counted_gain(kind, value, way) for value in range(combinations.COSTS.shape[1])]
            for kind in range(chip_it.KINDS)
        ]
        for way in (0, 1)
    ],
    np.int32,
)
"""Gains by style, kind and value. They are precomputed, because computing them took up much of the time of a
greedy move."""


@rule
def purple_values(hand: Record, split: int, lowest: int) -> int:
    """Return the values, from `lowest` upwards, that any purple card of the hand can reach, as a bit set relative to
    `lowest`. All bits are set if `lowest` is too high for the lookup table."""
    if lowest >= FITTING.shape[1]:
        return -1
    found = 0
    for place in range(split, hand.length):
        found |= int(FITTING[hand.cards[place], lowest])
    return found


@rule
def best_set(
    state: Record, hand: Record, green: int, purple: int, value: int, style: int, least: int
) -> tuple[int, int, int, int]:
    """Return the best cards to play at `value` as a bit set of places, with their number, cost and net value.

    All results are zero if no such play is legal, or if none is better than `least`. `green` is the last place of a
    green card that can reach the value, and `purple` is the first place of a purple card. Among green cards the highest
    one left is always best, because a point outweighs a difference of 1 in the number; every purple card is examined.
    """
    need, pool = int(state.top.count), int(state.pool)
    most = need if need > 0 else int(hand.length)
    chosen, count, cost, worth = 0, 0, 0, 0
    while need == 0 or count < need:
        best, best_place = NOT_CHOSEN, -1
        if green >= 0 and cost + combinations.cost_at(hand.cards[green], value) <= pool:
            best, best_place = gain_at(hand.cards[green], value, style), green
        for place in range(purple, hand.length):
            gain = gain_at(hand.cards[place], value, style)
            if (
                gain > best
                and not (chosen >> place) & 1
                and cost + combinations.cost_at(hand.cards[place], value) <= pool
            ):
                best, best_place = gain, place
        if best_place < 0 or (need == 0 and best <= 0):
            break
        if worth + (most - count) * best <= least:
            return 0, 0, 0, 0  # each further card gains at most as much as this one
        if best_place == green:
            green -= 1
        chosen |= 1 << best_place
        count += 1
        cost += combinations.cost_at(hand.cards[best_place], value)
        worth += best
    if count < need or (state.options.raise_ == chip_it.LOWEST_RAISE and not is_lowest_of(state, hand, chosen, value)):
        return 0, 0, 0, 0
    return chosen, count, cost, worth


@rule
def is_lowest_of(state: Record, hand: Record, chosen: int, value: int) -> bool:
    """Return whether `value` is the lowest value at which the chosen cards beat the top (CHIP-28)."""
    floor, step = int(draft_floor(state)), 1
    for place in range(hand.length):
        if (chosen >> place) & 1:
            floor = max(floor, chip_it.NUMBER[hand.cards[place]])
            if hand.cards[place] >= chip_it.GREENS:
                step = combinations.least_common_multiple(step, chip_it.NUMBER[hand.cards[place]])
    return floor > value - step


@rule
def write_play(state: Record, player: int, chosen: int, value: int, plan: Record) -> int:
    """Write the actions of a play into `plan`, and return their number."""
    hand = state.hands[player]
    count = 0
    for place in range(hand.length):
        if (chosen >> place) & 1:
            plan[count] = chip_it.FIRST_CARD + int(hand.cards[place])
            count += 1
            if count == 1:
                plan[1] = chip_it.FIRST_POINTS + combinations.cost_at(hand.cards[place], value)
                count = 2
    if is_open(state):
        plan[count] = chip_it.COMPLETE
        count += 1
    return count


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best complete move by the GREEDY weights into `plan`, and return the number of its actions."""
    return best_move(state, player, plan, GREEDY)


@rule
def rollout(state: Record, player: int, plan: Record) -> int:
    """Write the best complete move by the ROLLOUT weights into `plan`, and return the number of its actions."""
    return best_move(state, player, plan, ROLLOUT)


@rule
def best_move(state: Record, player: int, plan: Record, style: int) -> int:
    """Write the best move into `plan`, and return the number of its actions.

    A value at which no further card can join is skipped, because it only costs more than the value below it.
    """
    hand, bank = state.hands[player], int(state.bank[player])
    returned = min(chip_it.MOST_RETURNED, bank)
    best, best_cards, best_value = weight(style, RETURNED) * returned, 0, 0
    if is_open(state) and hand.length > 0:
        best = NOT_CHOSEN
    split, green = combinations.first_purple(hand, 0), -1
    lowest = int(state.top.value) + 1
    purples = purple_values(hand, split, lowest)
    may_finish = bank == 0 and (is_open(state) or state.top.count == hand.length)
    for value in range(lowest, min(highest_value(state), lowest + REACH) + 1):
        before = green
        while green + 1 < split and chip_it.NUMBER[hand.cards[green + 1]] <= value:
            green += 1
        fits_purple = (purples >> value - lowest) & 1
        if green == before and not fits_purple and value > lowest:
            continue
        purple = split if fits_purple else int(hand.length)
        base = weight(style, PLAY) + weight(style, VALUE) * value
        least = NOT_CHOSEN if may_finish else best - base
        cards, count, cost, worth = best_set(state, hand, green, purple, value, style, least)
        if count > 0:
            worth += base - weight(style, CROWD) * ((bank + cost) * (bank + cost) - bank * bank) // 100
            if count == hand.length and cost == 0 and bank == 0:
                worth += FINISHING
            if worth > best:
                best, best_cards, best_value = worth, cards, value
    if best_cards == 0:
        plan[0] = returned
        return 1
    return write_play(state, player, best_cards, best_value, plan)


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    play = played(actions)
    if play is None:
        if chip_it.ACTIONS.decode(actions[0]).which:
            return "That saves more than any play would."
        return "Every play here costs more points than its cards are worth."
    cards = count_of(len(play.kinds), "card")
    if len(play.kinds) == state.hands[player].length:
        return f"It empties the hand{'' if play.price else ' without a single point'}."
    if is_open(state):
        return "Leading is the time to be rid of low cards."
    if not play.price:
        return f"{cards} gone and not a point to pay."
    return f"{cards} gone: points are given back faster than cards leave a hand."
