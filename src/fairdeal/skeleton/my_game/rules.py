"""My Game: the rules and a greedy bot. Clause ids refer to rules.md."""

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.hidden import count_off, fill_hand, shuffle_unseen
from fairdeal.engine.kit.matches import next_game, start_match
from fairdeal.engine.kit.piles import hide, insert, remove, shuffle_cards
from fairdeal.engine.kit.seats import choose_first, is_in, seat_after
from fairdeal.engine.records import EMPTY, Record, i1, record, rule

CARDS = 12
SEATS = 4
HAND = 3

ACTIONS = Actions(play=CARDS)

options = record(first_player=i1)


@rule
def deal(state: Record) -> None:
    """MINE-02: deal, and give the turn to the first player."""
    start_match(state, 1, choose_first(state, state.options.first_player))
    deal_hands(state)
    give_turn(state, state.match.first)


@rule
def deal_hands(state: Record) -> None:
    """MINE-01: shuffle, and deal three cards to each seat."""
    cards = np.empty(CARDS, np.int8)
    for card in range(CARDS):
        cards[card] = card
    shuffle_cards(cards, CARDS, state.chance)
    for seat in range(SEATS):
        state.played[seat] = EMPTY
    for seat in range(state.players):
        for place in range(HAND):
            insert(state.hands[seat], cards[int(seat) * HAND + place])


@rule
def give_turn(state: Record, seat: int) -> None:
    """MINE-10: give the turn to a seat, which alone may act."""
    state.turn = seat
    state.to_act = 1 << int(seat)


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """MINE-10: list the cards in hand as actions, and return their number."""
    if not is_in(state.to_act, player):
        return 0
    hand = state.hands[player]
    for i in range(hand.length):
        actions[i] = hand.cards[i]
    return int(hand.length)


@rule
def apply(state: Record, player: int, action: int) -> None:
    """MINE-10, 11: play a card. The last card of a trick ends it."""
    remove(state.hands[player], action)
    state.played[player] = action
    following = seat_after(state, player)
    if state.played[following] == EMPTY:
        give_turn(state, following)
    else:
        take_trick(state)


@rule
def take_trick(state: Record) -> None:
    """MINE-11: give the trick to the highest card. End the round if no card is left."""
    best = 0
    for seat in range(state.players):
        if state.played[seat] > state.played[best]:
            best = seat
    state.won[best] += 1
    if state.hands[best].length == 0:
        end_round(state)
        return
    clear_table(state)
    give_turn(state, best)


@rule
def end_round(state: Record) -> None:
    """MINE-20: end the game, which has one round."""
    next_game(state, state.match.first)


@rule
def clear_table(state: Record) -> None:
    """MINE-12: lay the cards of a trick aside, open, in front of the players."""
    for seat in range(state.players):
        if state.played[seat] != EMPTY:
            state.used[state.played[seat]] = seat + 1
            state.played[seat] = EMPTY


@rule
def returns(state: Record, out: Record) -> None:
    """MINE-20: write the number of tricks of each seat."""
    for seat in range(state.players):
        out[seat] = state.won[seat]


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """MINE-01: hide the other hands from the viewer."""
    for seat in range(SEATS):
        if seat != viewer:
            hide(state.hands[seat])
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the cards that nobody has played to the unknown places of the hands."""
    unseen, cards = np.empty(CARDS, np.int8), np.empty(CARDS, np.int8)
    for card in range(CARDS):
        unseen[card] = int(state.used[card] == 0)
    count_off(unseen, state.played, state.players)
    for seat in range(SEATS):
        count_off(unseen, state.hands[seat].cards, state.hands[seat].length)
    size = shuffle_unseen(unseen, cards, source)
    for seat in range(SEATS):
        size = fill_hand(state.hands[seat], cards, size)
    rekey(state.chance, source)


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Plan to play the lowest card that beats the cards on the table, or else the lowest card. Return the number of
    actions."""
    count = legal_actions(state, player, plan)
    best = int(plan[0])
    highest = EMPTY
    for seat in range(state.players):
        highest = max(highest, int(state.played[seat]))
    for i in range(count - 1, -1, -1):
        if plan[i] > highest:
            best = int(plan[i])
    plan[0] = best
    return 1
