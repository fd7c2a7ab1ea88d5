"""My Game: the rules and a greedy bot. Clause ids refer to rules.md."""

from fairdeal.engine.kit.piles import remove
from fairdeal.engine.kit.seats import is_in, seat_after
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.skeleton.my_game.rules import clear_table, end_round, give_turn

SUITS = 4
RANKS = 6
CARDS = SUITS * RANKS
"""Number of cards. The number of a card is its suit * RANKS + its rank, counted from 0."""

HAND = 5


@rule
def led_suit(state: Record) -> int:
    """MINE-10: return the suit that was led, or -1 before the first card."""
    led = int(state.played[leader_of(state)])
    return -1 if led == EMPTY else led // RANKS


@rule
def leader_of(state: Record) -> int:
    """Return the seat that leads the trick."""
    return int(state.leader)


@rule
def can_follow(state: Record, player: int) -> bool:
    """MINE-10: return whether a hand has a card of the suit that was led."""
    hand = state.hands[player]
    for i in range(hand.length):
        if int(hand.cards[i]) // RANKS == led_suit(state):
            return True
    return False


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """MINE-10: list the cards of the suit that was led, or all cards if the hand has none, and return their number."""
    if not is_in(state.to_act, player):
        return 0
    hand, must, count = state.hands[player], can_follow(state, player), 0
    for i in range(hand.length):
        if not must or int(hand.cards[i]) // RANKS == led_suit(state):
            actions[count] = hand.cards[i]
            count += 1
    return count


@rule
def apply(state: Record, player: int, action: int) -> None:
    """MINE-10, 11: play a card. The last card of a trick ends it."""
    remove(state.hands[player], action)
    if state.played[state.leader] == EMPTY:
        state.leader = player
    state.played[player] = action
    following = seat_after(state, player)
    if state.played[following] == EMPTY:
        give_turn(state, following)
    else:
        take_trick(state)


@rule
def winning(state: Record) -> int:
    """MINE-11: return the seat with the highest card of the suit that was led."""
    best = leader_of(state)
    for seat in range(state.players):
        card = int(state.played[seat])
        if card >= 0 and card // RANKS == led_suit(state) and card > state.played[best]:
            best = seat
    return best


@rule
def take_trick(state: Record) -> None:
    """MINE-11, 20: let the winner of the trick lead the next one. End the game if no card is left."""
    best = winning(state)
    state.won[best] += 1
    if state.hands[best].length == 0:
        end_round(state)
        return
    clear_table(state)
    state.leader = best
    give_turn(state, best)


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Plan to play the lowest card that wins the trick so far, or else the lowest card."""
    count = legal_actions(state, player, plan)
    led, chosen, lowest = led_suit(state), -1, 0
    for i in range(count):
        card = int(plan[i])
        takes = led < 0 or (card // RANKS == led and card > state.played[winning(state)])
        if takes and (chosen < 0 or card % RANKS < int(plan[chosen]) % RANKS):
            chosen = i
        if card % RANKS < int(plan[lowest]) % RANKS:
            lowest = i
    plan[0] = plan[chosen if chosen >= 0 else lowest]
    return 1
