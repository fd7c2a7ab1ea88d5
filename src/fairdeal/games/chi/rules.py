"""CHI: the rules. Clause ids refer to docs/rules/chi.md, part 1."""

from __future__ import annotations

import numpy as np

from fairdeal.engine.chance import blank, rekey
from fairdeal.engine.matches import next_game, start_match
from fairdeal.engine.piles import (
    choose_first,
    clear,
    find,
    hide,
    insert,
    name_unknown,
    pop,
    push,
    remove,
    shuffle,
    shuffle_cards,
    spread,
    take,
)
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, rule
from fairdeal.games.chi.state import (
    ACT,
    ALL_COLOURS,
    ALL_KINDS,
    ANSWER_CHI,
    AT_ONCE,
    ATTACK_3,
    ATTACK_6,
    CARDS,
    CHI,
    DISCARD,
    DISCARDING,
    DRAW_DECK,
    DUEL,
    IN_DECK,
    KINDS,
    OVER,
    PAIR_OF_3,
    PASS,
    PLAY_3,
    PLAY_6,
    ROW,
    ROW_OR_DECK,
    SEATS,
    SINGLE_3,
    SINGLE_6,
    START_HAND,
    STICKY,
    YANG_3,
    YANG_6,
    YIN,
)

# --- set-up ---------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """CHI-01..04: shuffle, deal three cards each, lay out the row."""
    start_match(state, 1, choose_first(state, state.options.first_player))
    for seat in range(SEATS):
        clear(state.hands[seat])
        clear(state.seen[seat])
        clear(state.areas[seat])
    end_duel(state)
    for kind in range(KINDS):
        state.discard[kind] = 0
    clear(state.deck)
    state.deck.length = spread(IN_DECK[state.options.yang_layout], state.deck.cards)
    shuffle(state.deck, state.chance)
    for seat in range(SEATS):
        for _ in range(START_HAND):
            insert(state.hands[seat], pop(state.deck))
    for place in range(ROW):
        state.row[place] = EMPTY
    fill_row(state)
    state.turn_no = 0
    state.last_turn = 0
    begin_turn(state, state.match.first)


@rule
def begin_turn(state: Record, seat: int) -> None:
    """CHI-10: a player is on turn."""
    state.turn = seat
    state.turn_no += 1
    state.phase = ACT
    state.to_act = 1 << seat


# --- piles and row --------------------------------------------------------------------------------------------


@rule
def reshuffle(state: Record) -> None:
    """CHI-50: the discard pile becomes the deck."""
    state.deck.length = spread(state.discard, state.deck.cards)
    for kind in range(KINDS):
        state.discard[kind] = 0
    shuffle(state.deck, state.chance)


@rule
def draw_card(state: Record) -> int:
    """CHI-46, 50, 51: the top card of the deck, or EMPTY if both piles are empty."""
    if state.deck.length == 0:
        reshuffle(state)
    if state.deck.length == 0:
        return EMPTY
    card = pop(state.deck)
    if state.deck.length == 0 and state.options.reshuffle == AT_ONCE:
        reshuffle(state)
    return card


@rule
def draw_to_hand(state: Record, player: int) -> None:
    """CHI-46: take the top card of the deck into hand, if there is one."""
    card = draw_card(state)
    if card != EMPTY:
        insert(state.hands[player], card)


@rule
def fill_row(state: Record) -> None:
    """CHI-20, 51: refill the empty places from left to right; then see whether the row must go."""
    filled = False
    for place in range(ROW):
        if state.row[place] == EMPTY:
            state.row[place] = draw_card(state)
            filled |= state.row[place] != EMPTY
    if filled:
        flush_row(state)


@rule
def flush_row(state: Record) -> None:
    """CHI-52, 53: after a refill, deal the row anew while it is all Yin."""
    while is_all_yin(state) and has_other_than_yin(state):
        for place in range(ROW):
            state.discard[state.row[place]] += 1
            state.row[place] = EMPTY
        for place in range(ROW):
            state.row[place] = draw_card(state)


@rule
def has_gap(state: Record) -> bool:
    """CHI-51: did a place of the row stay empty?"""
    for place in range(ROW):
        if state.row[place] == EMPTY:
            return True
    return False


@rule
def is_yin(card: int) -> bool:
    return YIN <= card < YANG_3


@rule
def is_all_yin(state: Record) -> bool:
    for place in range(ROW):
        if not is_yin(state.row[place]):
            return False
    return True


@rule
def has_other_than_yin(state: Record) -> bool:
    """CHI-53: does a pile hold a card that can end the flushing?"""
    for kind in range(YANG_3, KINDS):
        if state.discard[kind] > 0:
            return True
    for i in range(state.deck.length):
        if not is_yin(state.deck.cards[i]):
            return True
    return False


# --- what is legal --------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal ids for a player in ascending order; how many."""
    if state.over or not (state.to_act >> player) & 1:
        return 0
    if state.phase == DUEL:
        return legal_answers(state, player, actions)
    if state.phase == DISCARDING:
        return legal_discards(state, player, actions)
    count = legal_draws(state, actions)
    if may_play_card(state, player):
        count = legal_yang(state, player, actions, count)
        count = legal_yin(state, player, actions, count)
    if count == 0 or can_draw_deck(state):
        actions[count] = DRAW_DECK  # CHI-13: the same id says `none` when nothing else is legal
        count += 1
    return count


@rule
def may_play_card(state: Record, player: int) -> bool:
    """CHI-12: nobody plays his last hand card."""
    return state.hands[player].length >= 2 or (not state.options.keep_one and state.hands[player].length == 1)


@rule
def can_draw_deck(state: Record) -> bool:
    """CHI-21: only under `draw_source: row_or_deck`, while a pile holds a card."""
    if state.options.draw_source != ROW_OR_DECK:
        return False
    if state.deck.length > 0:
        return True
    for kind in range(KINDS):
        if state.discard[kind] > 0:
            return True
    return False


# An id is written before it is known to be legal and counts only if it is: there is no branch to mispredict.


@rule
def legal_draws(state: Record, actions: Record) -> int:
    """CHI-20: any card of the row."""
    count = 0
    for place in range(ROW):
        actions[count] = place
        count += state.row[place] != EMPTY
    return count


@rule
def stacks_of(area: Record) -> int:
    """The stacks of an area as a bit set."""
    stacks = 0
    for i in range(area.length):
        stacks |= 1 << int(area.cards[i])
    return stacks


@rule
def legal_yang(state: Record, player: int, actions: Record, count: int) -> int:
    """CHI-30, 33, 34: any 3; a 6 if no Yang of its colour is in the own area (in `mixed` that may be a 3)."""
    stacks = stacks_of(state.areas[player])
    colours = (stacks | stacks >> SINGLE_6 | stacks >> PAIR_OF_3) & ALL_COLOURS
    playable = (ALL_COLOURS << YANG_3) | ((ALL_COLOURS & ~colours) << YANG_6)
    return legal_from(state.hands[player], playable, PLAY_3 - YANG_3, actions, count)


@rule
def legal_yin(state: Record, player: int, actions: Record, count: int) -> int:
    """CHI-32, 40: the Yin that match a single stack of the other area; first those on a 3, then those on a 6."""
    stacks = stacks_of(state.areas[1 - player])
    count = legal_from(state.hands[player], stacks & ALL_COLOURS, ATTACK_3, actions, count)
    return legal_from(state.hands[player], (stacks >> SINGLE_6) & ALL_COLOURS, ATTACK_6, actions, count)


@rule
def legal_from(hand: Record, allowed: int, first_id: int, actions: Record, count: int) -> int:
    """Write `first_id` + kind for every kind of card in a hand that is in the bit set `allowed`."""
    previous = -1
    for place in range(hand.length):
        card = int(hand.cards[place])
        actions[count] = first_id + card
        count += (card != previous) & ((allowed >> card) & 1)
        previous = card
    return count


@rule
def legal_answers(state: Record, player: int, actions: Record) -> int:
    """CHI-41, 45: a Chi, if there is one that is not the last card; always `pass`."""
    count = 0
    if may_play_card(state, player) and find(state.hands[player], CHI) >= 0:
        actions[count] = ANSWER_CHI
        count += 1
    actions[count] = PASS
    return count + 1


@rule
def legal_discards(state: Record, player: int, actions: Record) -> int:
    """CHI-11: one card of the hand, of any kind."""
    return legal_from(state.hands[player], ALL_KINDS, DISCARD, actions, 0)


# --- actions --------------------------------------------------------------------------------------------------


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action."""
    if action < PLAY_3:
        draw_from_row(state, player, action)
    elif action < PLAY_6:
        play_3(state, player, action - PLAY_3)
    elif action < ATTACK_3:
        play_6(state, player, action - PLAY_6)
    elif action < ATTACK_6:
        attack(state, player, action - ATTACK_3, SINGLE_3 + action - ATTACK_3)
    elif action < ANSWER_CHI:
        attack(state, player, action - ATTACK_6, SINGLE_6 + action - ATTACK_6)
    elif action == ANSWER_CHI:
        answer_with_chi(state, player)
    elif action == PASS:
        resolve_duel(state, player)
    elif action < DRAW_DECK:
        discard(state, player, action - DISCARD)
    else:
        if can_draw_deck(state):
            draw_to_hand(state, player)
        end_action(state, player)


@rule
def leave_hand(state: Record, player: int, card: int) -> None:
    """Take a card out of a hand; a perfect memory takes it off the cards it has seen there."""
    remove(state.hands[player], card)
    remove(state.seen[player], card)


@rule
def draw_from_row(state: Record, player: int, place: int) -> None:
    """CHI-20, 52: take a card of the row; its place is refilled at once."""
    card = state.row[place]
    insert(state.hands[player], card)
    insert(state.seen[player], card)
    state.row[place] = draw_card(state)
    flush_row(state)
    end_action(state, player)


@rule
def play_3(state: Record, player: int, colour: int) -> None:
    """CHI-30, 31: a Yang of 3 points goes on a single one of its colour, or starts a stack."""
    leave_hand(state, player, YANG_3 + colour)
    area = state.areas[player]
    place = find(area, SINGLE_3 + colour)
    if place >= 0:
        area.cards[place] = PAIR_OF_3 + colour
    else:
        push(area, SINGLE_3 + colour)
    end_action(state, player)


@rule
def play_6(state: Record, player: int, colour: int) -> None:
    """CHI-30: a Yang of 6 points starts a stack."""
    leave_hand(state, player, YANG_3 + 12 + colour)
    push(state.areas[player], SINGLE_6 + colour)
    end_action(state, player)


@rule
def attack(state: Record, player: int, colour: int, target: int) -> None:
    """CHI-40, 41, 45: a Yin is played on a stack; the defender is asked."""
    leave_hand(state, player, YIN + colour)
    state.duel.attacker = player
    state.duel.colour = colour
    state.duel.target = find(state.areas[1 - player], target)
    state.duel.counters = 0
    ask(state, 1 - player)


@rule
def ask(state: Record, player: int) -> None:
    """CHI-41: it is this player's turn to answer."""
    state.phase = DUEL
    state.duel.answering = player
    state.to_act = 1 << player


@rule
def answer_with_chi(state: Record, player: int) -> None:
    """CHI-41: a Chi blocks the last card; the other player is asked."""
    leave_hand(state, player, CHI)
    state.duel.counters += 1
    ask(state, 1 - player)


@rule
def resolve_duel(state: Record, loser: int) -> None:
    """CHI-42..44, 46: whoever passes has lost; the cards are discarded and the attacker draws."""
    attacker = int(state.duel.attacker)
    state.discard[YIN + state.duel.colour] += 1
    state.discard[CHI] += state.duel.counters
    if loser != attacker:
        stack = take(state.areas[loser], state.duel.target)
        state.discard[YANG_3 + stack] += 1
    end_duel(state)
    draw_to_hand(state, attacker)
    end_action(state, attacker)


@rule
def end_duel(state: Record) -> None:
    state.duel.attacker = 0
    state.duel.colour = 0
    state.duel.target = 0
    state.duel.counters = 0
    state.duel.answering = 0


@rule
def discard(state: Record, player: int, card: int) -> None:
    """CHI-11: one card, face up."""
    leave_hand(state, player, card)
    state.discard[card] += 1
    end_action(state, player)


# --- the end --------------------------------------------------------------------------------------------------


@rule
def end_action(state: Record, player: int) -> None:
    """CHI-11: too many cards in hand must go first; then the turn ends."""
    if state.hands[player].length > state.options.hand_limit:
        state.phase = DISCARDING
        state.to_act = 1 << player
    else:
        end_turn(state)


@rule
def end_turn(state: Record) -> None:
    """CHI-51, 60, 61, 65: refill what stayed empty, see whether the game is over, pass the turn."""
    if has_gap(state):
        fill_row(state)
    if is_end(state):
        state.phase = OVER
        next_game(state, state.match.first)
        return
    state.last_turn = state.turn == state.match.first and has_full_area(state)
    begin_turn(state, 1 - state.turn)


@rule
def has_full_area(state: Record) -> bool:
    """CHI-35, 60: has a player the stacks that trigger the end?"""
    wanted = state.options.stacks_to_end
    return state.areas[0].length >= wanted or state.areas[1].length >= wanted


@rule
def is_end(state: Record) -> bool:
    """CHI-60, 61, 65: is the running turn the last one?"""
    if state.turn_no >= state.options.turn_limit:
        return True
    if state.turn == state.match.first:
        return False
    return has_full_area(state) or (state.last_turn == 1 and state.options.end_trigger == STICKY)


@rule
def score(state: Record, player: int) -> int:
    """CHI-63: the points in play and one for each card in hand."""
    area = state.areas[player]
    points = int(state.hands[player].length)
    for i in range(area.length):
        points += 3 if area.cards[i] < SINGLE_6 else 6
    return points


@rule
def returns(state: Record, out: Record) -> None:
    """CHI-63, 64: the scores; higher is better."""
    for player in range(SEATS):
        out[player] = score(state, player)


# --- hidden information -----------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """CHI-03, 05: blank the other hands, the deck's order and chance. A perfect memory still knows the cards that
    were taken from the row and have not been played since."""
    for seat in range(SEATS):
        if seat != viewer:
            hide(state.hands[seat])
            if recall:
                for i in range(state.seen[seat].length):
                    take(state.hands[seat], 0)
                    insert(state.hands[seat], state.seen[seat].cards[i])
        if not recall:
            clear(state.seen[seat])
    hide(state.deck)
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the cards that are nowhere to be seen to the unknown places of hands and deck, and re-key chance."""
    unseen = np.empty(KINDS, np.int8)
    for kind in range(KINDS):
        unseen[kind] = IN_DECK[state.options.yang_layout, kind] - state.discard[kind]
    for place in range(ROW):
        if state.row[place] >= 0:
            unseen[state.row[place]] -= 1
    for i in range(state.deck.length):
        if state.deck.cards[i] >= 0:
            unseen[state.deck.cards[i]] -= 1
    for seat in range(SEATS):
        for i in range(state.areas[seat].length):
            stack = state.areas[seat].cards[i]
            if stack >= PAIR_OF_3:
                unseen[YANG_3 + stack - PAIR_OF_3] -= 2
            else:
                unseen[YANG_3 + stack] -= 1
        for i in range(state.hands[seat].length):
            if state.hands[seat].cards[i] >= 0:
                unseen[state.hands[seat].cards[i]] -= 1
    if state.phase == DUEL:
        unseen[YIN + state.duel.colour] -= 1
        unseen[CHI] -= state.duel.counters
    cards = np.empty(CARDS, np.int8)
    size = spread(unseen, cards)
    shuffle_cards(cards, size, source)
    for seat in range(SEATS):
        size = name_unknown(state.hands[seat], cards, size)
    for i in range(state.deck.length):
        if state.deck.cards[i] == UNKNOWN and size > 0:
            size -= 1
            state.deck.cards[i] = cards[size]
    rekey(state.chance, source)
