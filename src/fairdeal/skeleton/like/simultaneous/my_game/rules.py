"""My Game: the rules and a greedy bot. Clause ids refer to rules.md."""

import numpy as np

from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.hidden import count_off, fill, fill_hand, shuffle_unseen
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.piles import hide, remove
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, i1, record, rule
from fairdeal.skeleton.my_game.rules import clear_table, deal_hands, end_round, legal_actions

# without: give_turn, take_trick

CARDS = 30
SEATS = 10

options = record(lowest=i1)


@rule
def deal(state: Record) -> None:
    """MINE-01: deal, and ask all seats."""
    start_match(state, 1, 0)
    deal_hands(state)
    for seat in range(SEATS):
        state.chosen[seat] = EMPTY
    ask_all(state)


@rule
def ask_all(state: Record) -> None:
    """MINE-10: ask all seats to choose at the same time."""
    state.to_act = (1 << int(state.players)) - 1


@rule
def apply(state: Record, player: int, action: int) -> None:
    """MINE-10: choose a card. When all seats have chosen, turn the cards up."""
    remove(state.hands[player], action)
    state.chosen[player] = action
    state.to_act = int(state.to_act) & ~(1 << int(player))
    if state.to_act == 0:
        turn_up(state)


@rule
def turn_up(state: Record) -> None:
    """MINE-11, 20: give the trick to the best card. End the game if a seat has no card left."""
    clear_table(state)
    best, last = 0, False
    for seat in range(state.players):
        state.played[seat] = state.chosen[seat]
        state.chosen[seat] = EMPTY
        if beats(state, state.played[seat], state.played[best]):
            best = seat
        last = last or state.hands[seat].length == 0
    state.won[best] += 1
    if last:
        end_round(state)
    else:
        ask_all(state)


@rule
def beats(state: Record, card: int, other: int) -> bool:
    """MINE-11: return whether a card is better than another."""
    if state.options.lowest == 1:
        return card < other
    return card > other


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """MINE-01, 10: hide the other hands, and the choices of other seats."""
    for seat in range(state.players):
        if seat != viewer:
            hide(state.hands[seat])
            if state.chosen[seat] != EMPTY:
                state.chosen[seat] = UNKNOWN
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the cards that nobody has played to the unknown places of the hands and to the choices of other seats."""
    unseen, cards = np.empty(CARDS, np.int8), np.empty(CARDS, np.int8)
    for card in range(CARDS):
        unseen[card] = int(state.used[card] == 0)
    count_off(unseen, state.played, state.players)
    count_off(unseen, state.chosen, state.players)
    for seat in range(SEATS):
        count_off(unseen, state.hands[seat].cards, state.hands[seat].length)
    size = shuffle_unseen(unseen, cards, source)
    for seat in range(SEATS):
        size = fill_hand(state.hands[seat], cards, size)
    fill(state.chosen, state.players, cards, size)
    rekey(state.chance, source)


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Plan to play the best card."""
    best = 0
    for i in range(1, legal_actions(state, player, plan)):
        if beats(state, int(plan[i]), int(plan[best])):
            best = i
    plan[0] = plan[best]
    return 1
