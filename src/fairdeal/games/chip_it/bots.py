"""CHIP IT: the greedy bot. It sees a concealed state only.

It counts in hundredths of a turn. A point costs half a turn, for one pass gives two of them back; a card costs about
one, low green cards more than high ones, because they seldom beat anything. Among all values it takes the one whose
cards relieve the hand most after what they cost, and passes where giving points back is worth more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.records import Record, rule
from fairdeal.engine.scene import count_of
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chip_it.rules.combinations import cost_at, least_common_multiple
from fairdeal.games.chip_it.rules.legal import draft_floor, highest_value, is_open
from fairdeal.games.chip_it.rules.play import burden, returns
from fairdeal.games.chip_it.state import (
    ACTIONS,
    COMPLETE,
    FIRST_CARD,
    FIRST_POINTS,
    GREENS,
    LOWEST_RAISE,
    MOST_RETURNED,
    NUMBER,
    SINGLE,
    UNREACHABLE,
)
from fairdeal.games.chip_it.text.notation import played

GREEN, LOW_GREEN, PURPLE, LOW_PURPLE, POINT, CROWD, RETURNED, PLAY, VALUE = range(9)
"""What there is to weigh: getting rid of a green and of a purple card, and how much more for each number below the
highest; a point to pay, and how much more, in hundredths, the more there are already; a point given back; a play,
whatever it is, and each number of its value."""

GREEDY = np.array([70, 4, 70, 4, 50, 0, 50, 0, 0], np.int64)
ROLLOUT = np.array([24, 8, 53, 11, 50, 87, 18, 30, 3], np.int64)
"""How greedy weighs it, and a better player: 42 first places of 100 among three greedy ones, where 25 are fair. Its
weights were found by trying: a high value stands, so that its player leads next, and many points take many turns."""

FIRST = 20
"""What being first is worth, in points left to others."""

FINISHING = 10_000
REACH = 40
NOT_CHOSEN = -(10**9)


@rule
def estimate(state: Record, out: Record) -> None:
    """A single game: what everybody still has, as a duel would write it down, and what being first is worth beside it.
    A match: the scores."""
    returns(state, out)
    if state.options.mode == SINGLE:
        for player in range(state.players):
            out[player] = -float(burden(state, player))
        if state.finished.length > 0:
            out[state.finished.cards[0]] += FIRST


@rule
def weight(weights: Record, what: int) -> int:
    return int(weights[what])


@rule
def relief(kind: int, weights: Record) -> int:
    """What getting rid of a card is worth."""
    if kind < GREENS:
        return weight(weights, GREEN) + weight(weights, LOW_GREEN) * (21 - int(NUMBER[kind]))
    return weight(weights, PURPLE) + weight(weights, LOW_PURPLE) * (11 - int(NUMBER[kind]))


@rule
def is_for_a_card(hand: Record, value: int) -> bool:
    """Does a value cost nothing for a green card, or is it one for a purple card?"""
    for place in range(hand.length):
        cost = cost_at(hand.cards[place], value)
        if cost == 0 or (cost < UNREACHABLE and hand.cards[place] >= GREENS):
            return True
    return False


@rule
def best_set(state: Record, player: int, value: int, weights: Record) -> int:
    """The places of the cards that are best played at a value, as a bit set; 0 if there is no such play."""
    hand = state.hands[player]
    need, budget = int(state.top.count), int(state.pool)
    chosen = 0
    count = 0
    while need == 0 or count < need:
        best, best_place, best_cost = NOT_CHOSEN, -1, 0
        for place in range(hand.length):
            cost = cost_at(hand.cards[place], value)
            if (chosen >> place) & 1 or cost > budget:
                continue
            gain = relief(hand.cards[place], weights) - weight(weights, POINT) * cost
            if gain > best:
                best, best_place, best_cost = gain, place, cost
        if best_place < 0 or (need == 0 and best <= 0):
            break
        chosen |= 1 << best_place
        budget -= best_cost
        count += 1
    if count < need or (state.options.raise_ == LOWEST_RAISE and not is_lowest_of(state, hand, chosen, value)):
        return 0
    return chosen


@rule
def is_lowest_of(state: Record, hand: Record, chosen: int, value: int) -> bool:
    """CHIP-28: would these cards have a lower value that beats the top?"""
    floor, step = int(draft_floor(state)), 1
    for place in range(hand.length):
        if (chosen >> place) & 1:
            floor = max(floor, NUMBER[hand.cards[place]])
            if hand.cards[place] >= GREENS:
                step = least_common_multiple(step, NUMBER[hand.cards[place]])
    return floor > value - step


@rule
def worth(state: Record, player: int, chosen: int, value: int, weights: Record) -> int:
    """How many hundredths of a turn a play saves."""
    hand, bank = state.hands[player], int(state.bank[player])
    gain, cost, count = weight(weights, PLAY) + weight(weights, VALUE) * value, 0, 0
    for place in range(hand.length):
        if (chosen >> place) & 1:
            gain += relief(hand.cards[place], weights)
            cost += cost_at(hand.cards[place], value)
            count += 1
    if count == hand.length and cost == 0 and bank == 0:
        gain += FINISHING
    crowd = (bank + cost) * (bank + cost) - bank * bank
    return gain - weight(weights, POINT) * cost - weight(weights, CROWD) * crowd // 100


@rule
def write_play(state: Record, player: int, chosen: int, value: int, plan: Record) -> int:
    """Write the actions of a play; their number."""
    hand = state.hands[player]
    count = 0
    for place in range(hand.length):
        if (chosen >> place) & 1:
            plan[count] = FIRST_CARD + int(hand.cards[place])
            count += 1
            if count == 1:
                plan[1] = FIRST_POINTS + cost_at(hand.cards[place], value)
                count = 2
    if is_open(state):
        plan[count] = COMPLETE
        count += 1
    return count


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best whole move into `plan`; the number of its actions."""
    return best_move(state, player, plan, GREEDY)


@rule
def rollout(state: Record, player: int, plan: Record) -> int:
    """The same by the better weights."""
    return best_move(state, player, plan, ROLLOUT)


@rule
def best_move(state: Record, player: int, plan: Record, weights: Record) -> int:
    returned = min(MOST_RETURNED, int(state.bank[player]))
    best, best_set_, best_value = weight(weights, RETURNED) * returned, 0, 0
    if is_open(state) and state.hands[player].length > 0:
        best = NOT_CHOSEN
    lowest = int(state.top.value) + 1
    for value in range(lowest, min(highest_value(state), lowest + REACH) + 1):
        if value > lowest and not is_for_a_card(state.hands[player], value):
            continue  # whatever can be played at this value costs less at the one before
        chosen = best_set(state, player, value, weights)
        if chosen != 0:
            saved = worth(state, player, chosen, value, weights)
            if saved > best:
                best, best_set_, best_value = saved, chosen, value
    if best_set_ == 0:
        plan[0] = returned
        return 1
    return write_play(state, player, best_set_, best_value, plan)


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    play = played(actions)
    if play is None:
        if ACTIONS.decode(actions[0]).which:
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
