"""Chaos Ninjas: set-up, actions, and the abilities of Defenders that come into play.

Clause ids refer to docs/rules/chi.md: CHI to part 1, NINJA to part 2.
"""

from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.piles import clear, pop, push, shuffle
from fairdeal.engine.kit.seats import choose_first, rival
from fairdeal.engine.records import Record, rule
from fairdeal.games.chi.ninjas import state as ninjas
from fairdeal.games.chi.ninjas.rules import attacks as attack
from fairdeal.games.chi.ninjas.rules.hands import empty_hand, hold, leave_hand, leave_unseen, others_than
from fairdeal.games.chi.ninjas.rules.legal import has_ability, has_target, kind_in_play
from fairdeal.games.chi.ninjas.rules.turns import ask, begin_turn, draw_to_hand, end_action
from fairdeal.games.chi.rules.row import attacks, lay_row, take_from_row
from fairdeal.games.chi.state import START_HAND

# --- set-up -----------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """NINJA-01, 02, 08: shuffle, deal the hands and lay out the row.

    Each player gets three cards, and all except the first get `late_seat_bonus` more.
    """
    start_match(state, 1, choose_first(state, state.options.first_player))
    clear_table(state)
    for kind in range(ninjas.KINDS):
        for _ in range(copies_in_deck(state, kind)):
            push(state.deck, kind)
    shuffle(state.deck, state.chance)
    for seat in range(state.players):
        late = seat != state.match.first
        for _ in range(START_HAND + int(state.options.late_seat_bonus) * late):
            hold(state.hands[seat], pop(state.deck), 0)
    lay_row(state)
    begin_turn(state, state.match.first)


@rule
def clear_table(state: Record) -> None:
    """Reset the table to its state before the deal."""
    for seat in range(ninjas.SEATS):
        empty_hand(state.hands[seat])
        clear(state.areas[seat])
    for kind in range(ninjas.KINDS):
        state.discard[kind] = 0
    clear(state.deck)
    attack.end_duel(state)
    attack.clear_draft(state)
    state.robbed = 0
    state.winners = 0
    state.turn_no = 0


@rule
def copies_in_deck(state: Record, kind: int) -> int:
    """NINJA-01: return the number of cards of a kind in the deck."""
    if kind == ninjas.COUNTER:
        return int(state.options.counters)
    if kind == ninjas.SPIRIT:
        return int(state.options.spirits)
    return ninjas.OF_A_COLOUR


@rule
def returns(state: Record, out: Record) -> None:
    """NINJA-06, 09: write the scores: 1 for a winner, 0 for the others."""
    for player in range(state.players):
        out[player] = (int(state.winners) >> player) & 1


# --- actions ----------------------------------------------------------------------------------------------------


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action."""
    if action < ninjas.PLAY:
        draw_from_row(state, player, action)
    elif action < ninjas.TARGET:
        play_card(state, player, kind_in_play(action - ninjas.PLAY))
    elif action < ninjas.ANSWER or action == ninjas.WITH_SPIRIT:
        attack.compose_attack(state, player, action)
    elif action == ninjas.ANSWER:
        attack.answer_with_counter(state, player)
    elif action == ninjas.PASS:
        attack.resolve_duel(state, player)
    elif action == ninjas.USE_DECOY:
        attack.lose_decoy(state)
    elif action == ninjas.SKIP and state.phase == ninjas.DECOYING:
        attack.lose_target(state)
    elif action < ninjas.ROB or action == ninjas.NO_ACTION:
        end_action(state, player)
    elif action < ninjas.CARD:
        rob(state, rival(state, player, action - ninjas.ROB))
    elif state.phase == ninjas.GIVING:
        give(state, player, action - ninjas.CARD)
    elif state.phase == ninjas.TAKING:
        take_from_discard(state, player, action - ninjas.CARD)
    else:
        discard(state, player, action - ninjas.CARD)


@rule
def draw_from_row(state: Record, player: int, place: int) -> None:
    """NINJA-05, 37, CHI-20: move a card of the row into a hand. If the card is an Attacker, a Scholar draws another
    card."""
    card = take_from_row(state, place)
    hold(state.hands[player], card, others_than(state, player))
    if attacks(card) and has_ability(state, player, ninjas.SCHOLAR):
        draw_to_hand(state, player)
    end_action(state, player)


@rule
def discard(state: Record, player: int, card: int) -> None:
    """NINJA-03, 32, 38: discard a card, face up. If it was discarded because of a Thorn, the attacker then draws a card
    for the successful attack."""
    leave_hand(state.hands[player], card)
    state.discard[card] += 1
    if state.phase == ninjas.SUFFERING:
        draw_to_hand(state, player)
    end_action(state, player)


# --- playing cards, and the abilities of arriving Defenders --------------------------------------------------------


@rule
def play_card(state: Record, player: int, card: int) -> None:
    """NINJA-05, 07, 20, 30: bring a Defender or a Spirit into play, after the cards already there."""
    leave_hand(state.hands[player], card)
    push(state.areas[player], card)
    if state.options.abilities == 1 and arrive(state, player, card):
        return
    end_action(state, player)


@rule
def arrive(state: Record, player: int, card: int) -> bool:
    """NINJA-30..32, 34, 39: carry out the ability of a Defender that comes into play. Return whether a player has to
    decide."""
    if card == ninjas.STRIKER and has_target(state, player):
        ask(state, player, ninjas.STRIKING)
        return True
    if card == ninjas.SCOUT:
        draw_to_hand(state, player)
        if state.hands[player].length > 0:
            ask(state, player, ninjas.SCOUTING)
            return True
    if card == ninjas.PICKPOCKET and may_rob(state, player):
        ask(state, player, ninjas.ROBBING)
        return True
    if card == ninjas.MEDIC and may_heal(state):
        ask(state, player, ninjas.TAKING)
        return True
    return False


@rule
def may_rob(state: Record, player: int) -> bool:
    """NINJA-30, 34: return whether another player holds more cards than `player`."""
    for seat in range(state.players):
        if state.hands[seat].length > state.hands[player].length:
            return True
    return False


@rule
def may_heal(state: Record) -> bool:
    """NINJA-30, 39: return whether the discard pile has a Defender."""
    for kind in range(ninjas.DEFENDER, ninjas.COUNTER):
        if state.discard[kind] > 0:
            return True
    return False


@rule
def rob(state: Record, robbed: int) -> None:
    """NINJA-34: ask a robbed opponent to give a card."""
    state.robbed = robbed
    ask(state, robbed, ninjas.GIVING)


@rule
def give(state: Record, robbed: int, card: int) -> None:
    """NINJA-34: move a card from the robbed player to the robber. Only these two players can see it."""
    robber = int(state.turn)
    leave_unseen(state.hands[robbed], card, others_than(state, robber))
    hold(state.hands[robber], card, 1 << robbed)
    state.robbed = 0
    end_action(state, robber)


@rule
def take_from_discard(state: Record, player: int, card: int) -> None:
    """NINJA-39: move a Defender from the discard pile into a hand, visible to all viewers."""
    state.discard[card] -= 1
    hold(state.hands[player], card, others_than(state, player))
    end_action(state, player)
