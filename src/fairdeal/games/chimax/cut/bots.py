"""CHIMAX CUT: the greedy bot, which counts the faces that have left the deck to estimate the odds of the next cut."""

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chimax.cut.rules import count_unseen, kept_rank, legal_actions, rank_if_kept
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, KNOCKOUT, ONE_CUT
from fairdeal.games.chimax.cut.text.prompts import higher_cards, higher_in_words, odds_of_infinity
from fairdeal.games.chimax.deck import FACES, INFINITY
from fairdeal.games.chimax.state import CUT, CUTTING

SURE = 10**6
"""The probability of a certain event, in the unit in which probabilities are given: millionths."""


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return the number of its actions, which is always 1.

    All cuts are equivalent, so the bot cuts halfway. Of the values to declare, the highest is best.
    """
    count = legal_actions(state, player, plan)
    if state.phase == CUTTING or (state.phase == DECIDING and cuts_again(state, player)):
        plan[0] = CUT + int(state.pack.length) // 2
    else:
        plan[0] = plan[count - 1]
    return 1


@rule
def cuts_again(state: Record, player: int) -> bool:
    """Return whether the expected value of the next card exceeds that of the card shown (CUT-04)."""
    if state.pack.length < 2:
        return False
    left, worths = np.empty(FACES, np.int8), np.empty(FACES, np.int64)
    total = count_unseen(state, left)
    if total == 0:
        return False
    for face in range(FACES):
        worths[face] = worth_of(state, player, face, left, total)
    again = 0
    for _ in range(int(state.options.recuts) + 1 - int(state.cuts)):
        sum_of_worths = 0
        for face in range(FACES):
            sum_of_worths += int(left[face]) * max(int(worths[face]), again)
        again = sum_of_worths // total
    return again > worths[state.shown]


@rule
def worth_of(state: Record, player: int, face: int, left: Record, total: int) -> int:
    """Return the value of keeping a face, in millionths. In `one_cut` the unit is a point; in other modes it is staying
    in the round.

    Infinity wins the round, which counts as much as surviving against each rival.
    """
    one_cut = state.options.mode == ONE_CUT
    if face == INFINITY:
        return SURE if one_cut else SURE * rivals(state, player)
    rank = rank_if_kept(state, player, face)
    lower, higher = 0, 0
    for other in range(FACES):
        other_rank = rank_if_kept(state, player, other)
        lower += int(left[other]) if other_rank < rank else 0
        higher += int(left[other]) if other_rank > rank else 0
    lowest, highest = SURE, SURE
    for seat in range(state.players):
        if seat != player and is_in(state.alive, seat):
            if state.kept[seat] != EMPTY:
                lowest = 0 if kept_rank(state, seat) < rank else lowest
                highest = 0 if kept_rank(state, seat) >= rank else highest
            else:
                lowest = lowest * (SURE - every_time(state, lower, total)) // SURE
                highest = highest * every_time(state, total - higher, total) // SURE
    return highest - lowest if one_cut else SURE - lowest


@rule
def rivals(state: Record, player: int) -> int:
    """Return the number of other seats still in the round."""
    count = 0
    for seat in range(state.players):
        if seat != player and is_in(state.alive, seat):
            count += 1
    return count


@rule
def every_time(state: Record, hits: int, total: int) -> int:
    """Return the probability that every cut of a turn shows one of `hits` cards out of `total`, for a player who wants
    none of these cards and cuts again."""
    odds = SURE
    for _ in range(int(state.options.recuts) + 1):
        odds = odds * hits // total
    return odds


def stays_in(state: Snapshot, player: int) -> bool:
    """Return whether, in a knockout, another seat has kept a card lower than the one shown (CUT-06)."""
    rank = rank_if_kept(state, player, state.shown)
    return state.options.mode == KNOCKOUT and any(
        kept_rank(state, seat) < rank for seat, kind in enumerate(state.kept) if kind != EMPTY and seat != player
    )


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    verb = ACTIONS.decode(actions[0]).verb
    if state.phase == CUTTING:
        return f"One place is as good as another. Infinity wins: {odds_of_infinity(state)}."
    if verb == "declare":
        return "The highest value that is free."
    if state.phase != DECIDING:
        return "There is nothing else to do."
    higher, total = higher_cards(state, player)
    if verb == "keep" and stays_in(state, player):
        return "Somebody else has kept a lower card, so you stay in."
    if verb == "keep":
        return f"{higher_in_words(higher, total)}: that is not worth the risk."
    loses = "lose a point" if state.options.mode == ONE_CUT else "drop out"
    return f"{higher_in_words(higher, total)}, and with this one you may {loses}."
