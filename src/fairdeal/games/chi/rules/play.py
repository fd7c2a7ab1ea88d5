"""CHI: the deal, the actions, the end and the scores. Clause ids refer to docs/rules/chi.md, part 1."""

from fairdeal.engine.kit.matches import next_game, start_match
from fairdeal.engine.kit.piles import clear, find, insert, pop, push, remove, shuffle, spread, take
from fairdeal.engine.kit.seats import act_alone, choose_first
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chi import state as chi
from fairdeal.games.chi.rules.legal import can_draw_deck
from fairdeal.games.chi.rules.row import draw_card, fill_row, has_gap, lay_row, take_from_row

# --- set-up ---------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """CHI-01..04: shuffle, deal three cards to each player and lay out the row."""
    start_match(state, 1, choose_first(state, state.options.first_player))
    for seat in range(chi.SEATS):
        clear(state.hands[seat])
        clear(state.seen[seat])
        clear(state.areas[seat])
    end_duel(state)
    for kind in range(chi.KINDS):
        state.discard[kind] = 0
    clear(state.deck)
    state.deck.length = spread(chi.IN_DECK[state.options.yang_layout], state.deck.cards)
    shuffle(state.deck, state.chance)
    for seat in range(chi.SEATS):
        for _ in range(chi.START_HAND):
            insert(state.hands[seat], pop(state.deck))
    lay_row(state)
    state.turn_no = 0
    state.last_turn = 0
    begin_turn(state, state.match.first)


@rule
def begin_turn(state: Record, seat: int) -> None:
    """CHI-10: begin the turn of a seat."""
    act_alone(state, chi.ACT, seat)
    state.turn_no += 1


# --- actions --------------------------------------------------------------------------------------------------


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action."""
    if action < chi.PLAY_3:
        draw_from_row(state, player, action)
    elif action < chi.PLAY_6:
        play_3(state, player, action - chi.PLAY_3)
    elif action < chi.ATTACK_3:
        play_6(state, player, action - chi.PLAY_6)
    elif action < chi.ATTACK_6:
        attack(state, player, action - chi.ATTACK_3, chi.SINGLE_3 + action - chi.ATTACK_3)
    elif action < chi.ANSWER_CHI:
        attack(state, player, action - chi.ATTACK_6, chi.SINGLE_6 + action - chi.ATTACK_6)
    elif action == chi.ANSWER_CHI:
        answer_with_chi(state, player)
    elif action == chi.PASS:
        resolve_duel(state, player)
    elif action < chi.DRAW_DECK:
        discard(state, player, action - chi.DISCARD)
    else:
        if can_draw_deck(state):
            draw_to_hand(state, player)
        end_action(state, player)


@rule
def leave_hand(state: Record, player: int, card: int) -> None:
    """Remove a card from a hand, and from the cards of that hand that the other player has seen."""
    remove(state.hands[player], card)
    remove(state.seen[player], card)


@rule
def draw_from_row(state: Record, player: int, place: int) -> None:
    """CHI-20, 52: move a card of the row into a hand, and refill its place immediately."""
    card = take_from_row(state, place)
    insert(state.hands[player], card)
    insert(state.seen[player], card)
    end_action(state, player)


@rule
def draw_to_hand(state: Record, player: int) -> None:
    """CHI-46: draw the top card of the deck into a hand, if there is one."""
    card = draw_card(state)
    if card != EMPTY:
        insert(state.hands[player], card)


@rule
def play_3(state: Record, player: int, colour: int) -> None:
    """CHI-30, 31: play a Yang of 3 points on a single 3 of its colour, or as a new stack."""
    leave_hand(state, player, chi.YANG_3 + colour)
    area = state.areas[player]
    place = find(area, chi.SINGLE_3 + colour)
    if place >= 0:
        area.cards[place] = chi.PAIR_OF_3 + colour
    else:
        push(area, chi.SINGLE_3 + colour)
    end_action(state, player)


@rule
def play_6(state: Record, player: int, colour: int) -> None:
    """CHI-30: play a Yang of 6 points as a new stack."""
    leave_hand(state, player, chi.YANG_3 + 12 + colour)
    push(state.areas[player], chi.SINGLE_6 + colour)
    end_action(state, player)


@rule
def attack(state: Record, player: int, colour: int, target: int) -> None:
    """CHI-40, 41, 45: play a Yin on a stack, and ask the defender for a response."""
    leave_hand(state, player, chi.YIN + colour)
    state.duel.attacker = player
    state.duel.colour = colour
    state.duel.target = find(state.areas[1 - player], target)
    state.duel.counters = 0
    ask(state, 1 - player)


@rule
def ask(state: Record, player: int) -> None:
    """CHI-41: ask a player for a response in a conflict."""
    state.phase = chi.DUEL
    state.duel.answering = player
    state.to_act = 1 << player


@rule
def answer_with_chi(state: Record, player: int) -> None:
    """CHI-41: block the last card with a Chi, and ask the other player for a response."""
    leave_hand(state, player, chi.CHI)
    state.duel.counters += 1
    ask(state, 1 - player)


@rule
def resolve_duel(state: Record, loser: int) -> None:
    """CHI-42..44, 46: end a conflict that the player who passed has lost: discard its cards, and let the attacker
    draw."""
    attacker = int(state.duel.attacker)
    state.discard[chi.YIN + int(state.duel.colour)] += 1
    state.discard[chi.CHI] += state.duel.counters
    if loser != attacker:
        stack = int(take(state.areas[loser], state.duel.target))
        state.discard[chi.YANG_3 + stack] += 1
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
    """CHI-11: discard a card, face up."""
    leave_hand(state, player, card)
    state.discard[card] += 1
    end_action(state, player)


# --- the end --------------------------------------------------------------------------------------------------


@rule
def end_action(state: Record, player: int) -> None:
    """CHI-11: make the player discard cards above the hand limit, or end the turn."""
    if state.hands[player].length > state.options.hand_limit:
        state.phase = chi.DISCARDING
        state.to_act = 1 << player
    else:
        end_turn(state)


@rule
def end_turn(state: Record) -> None:
    """CHI-51, 60, 61, 65: refill the empty places of the row, and then end the game or pass the turn."""
    if has_gap(state):
        fill_row(state)
    if is_end(state):
        state.phase = chi.OVER
        next_game(state, state.match.first)
        return
    state.last_turn = state.turn == state.match.first and has_full_area(state)
    begin_turn(state, 1 - int(state.turn))


@rule
def has_full_area(state: Record) -> bool:
    """CHI-35, 60: return whether a player has enough stacks to trigger the end."""
    wanted = state.options.stacks_to_end
    return state.areas[0].length >= wanted or state.areas[1].length >= wanted


@rule
def is_end(state: Record) -> bool:
    """CHI-60, 61, 65: return whether the current turn is the last one."""
    if state.turn_no >= state.options.turn_limit:
        return True
    if state.turn == state.match.first:
        return False
    return has_full_area(state) or (state.last_turn == 1 and state.options.end_trigger == chi.STICKY)


@rule
def score(state: Record, player: int) -> int:
    """CHI-63: return a player's score: the points in play plus one for each card in hand."""
    area = state.areas[player]
    points = int(state.hands[player].length)
    for i in range(area.length):
        points += 3 if area.cards[i] < chi.SINGLE_6 else 6
    return points


@rule
def returns(state: Record, out: Record) -> None:
    """CHI-63, 64: write the scores. The higher score wins."""
    for player in range(chi.SEATS):
        out[player] = score(state, player)
