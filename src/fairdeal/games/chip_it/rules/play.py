"""CHIP IT: the course of play. Clause ids refer to docs/rules/chip-it.md."""

import numpy as np

from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.hidden import count_off, fill_hand, shuffle_unseen
from fairdeal.engine.kit.matches import next_game, start_match
from fairdeal.engine.kit.piles import clear, find, hide, insert, push, remove, shuffle_cards
from fairdeal.engine.kit.seats import choose_first, seat_after
from fairdeal.engine.records import NOBODY, Record, rule
from fairdeal.games.chip_it import state as chip_it
from fairdeal.games.chip_it.rules.combinations import cost_at, value_of
from fairdeal.games.chip_it.rules.legal import is_open

# --- set-up ---------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """Choose the starter, begin the match, and deal its first game (CHIP-06, 70, 80)."""
    start_match(state, games_of(state), choose_first(state, state.options.first_player))
    deal_game(state)


@rule
def games_of(state: Record) -> int:
    """Return the number of games in a match (CHIP-70, 80)."""
    if state.options.mode == chip_it.TOURNAMENT:
        return int(state.players)
    if state.options.mode == chip_it.DUEL:
        return int(state.options.duel_games)
    return 1


@rule
def deal_game(state: Record) -> None:
    """Deal a game: a new deck, hands, banks and pool. The starter is that of the match (CHIP-03..05, 73, 81)."""
    reset_table(state)
    cards = np.empty(chip_it.CARDS, np.int8)
    for i in range(chip_it.CARDS):
        cards[i] = i // chip_it.COPIES
    shuffle_cards(cards, chip_it.CARDS, state.chance)
    dealt = 0
    for player in range(state.players):
        for _ in range(chip_it.HAND_SIZE[state.players]):
            insert(state.hands[player], cards[dealt])
            dealt += 1
    fill_banks(state)
    begin_turn(state, state.match.first)


@rule
def reset_table(state: Record) -> None:
    """Remove all cards, all points and the combination to beat from the table."""
    for player in range(chip_it.SEATS):
        clear(state.hands[player])
        clear_combination(state.fronts[player])
        state.bank[player] = 0
    for kind in range(chip_it.KINDS):
        state.discard[kind] = 0
    clear(state.finished)
    state.zero_passes = 0
    end_round(state)


@rule
def fill_banks(state: Record) -> None:
    """Give every player the starting points, taken from the pool (CHIP-05, 81)."""
    state.pool = state.options.pool_total
    for player in range(state.players):
        points = int(state.options.start_points)
        if state.options.mode == chip_it.DUEL:
            points = int(state.options.duel_points[0 if player == state.match.first else 1])
        state.bank[player] = points
        state.pool -= points


# --- a turn ---------------------------------------------------------------------------------------------------


@rule
def begin_turn(state: Record, seat: int) -> None:
    """Begin the turn of a seat or, if it has finished, of the next seat that has not (CHIP-10, 50, 51, 54)."""
    while find(state.finished, seat) >= 0:
        collect_front(state, seat)
        if state.top.owner == seat:
            end_round(state)
        seat = seat_after(state, seat)
    if state.top.owner == seat:
        collect_front(state, seat)
        end_round(state)
    elif state.options.collect != chip_it.AFTER_PASS:
        collect_front(state, seat)
    state.turn = seat
    state.to_act = 1 << int(seat)


@rule
def collect_front(state: Record, player: int) -> None:
    """Discard the cards of a front, and add its points to the owner's bank (CHIP-10, 30)."""
    front = state.fronts[player]
    for i in range(front.length):
        state.discard[front.cards[i]] += 1
    state.bank[player] += front.load
    clear_combination(front)


@rule
def end_round(state: Record) -> None:
    """End the round by removing the combination to beat (CHIP-50)."""
    state.top.owner = NOBODY
    state.top.count = 0
    state.top.value = 0


@rule
def clear_combination(cards: Record) -> None:
    clear(cards)
    cards.value = 0
    cards.load = 0


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Apply one action of a move. The move is complete when `composing` is 0 again."""
    if action < chip_it.FIRST_CARD:
        pass_turn(state, player, action)
    elif action < chip_it.FIRST_POINTS:
        add_card(state, player, action - chip_it.FIRST_CARD)
    elif action < chip_it.COMPLETE:
        raise_first(state, player, action - chip_it.FIRST_POINTS)
    else:
        play_draft(state, player)


@rule
def add_card(state: Record, player: int, kind: int) -> None:
    """Add a card to the draft, and play the draft if it has the required number of cards (CHIP-22)."""
    state.composing = 1
    place = int(state.draft_place)
    while state.hands[player].cards[place] != kind:
        place += 1
    state.draft_place = place + 1
    push(state.draft, kind)
    if state.draft.value > 0:
        state.draft.load += cost_at(kind, int(state.draft.value))
        complete_if_following(state, player)


@rule
def raise_first(state: Record, player: int, points: int) -> None:
    """Lay points on the first card, which sets the common value (CHIP-23, 24)."""
    kind = state.draft.cards[0]
    state.draft.value = value_of(kind, points)
    state.draft.load = points
    complete_if_following(state, player)


@rule
def complete_if_following(state: Record, player: int) -> None:
    """Play the draft if it has as many cards as the combination to beat (CHIP-22)."""
    if not is_open(state) and state.draft.length == state.top.count:
        play_draft(state, player)


@rule
def play_draft(state: Record, player: int) -> None:
    """Play the draft: it becomes the player's front and the combination to beat (CHIP-20..31)."""
    collect_front(state, player)
    draft, front = state.draft, state.fronts[player]
    for i in range(draft.length):
        remove(state.hands[player], draft.cards[i])
        push(front, draft.cards[i])
    front.value = draft.value
    front.load = draft.load
    state.pool -= front.load
    state.top.owner = player
    state.top.count = front.length
    state.top.value = front.value
    clear_draft(state)
    state.zero_passes = 0
    end_action(state, player)


@rule
def clear_draft(state: Record) -> None:
    clear_combination(state.draft)
    state.draft_place = 0
    state.composing = 0


@rule
def pass_turn(state: Record, player: int, points: int) -> None:
    """Pass and return points (CHIP-40, 41). Under `collect: after_pass` the front is not collected before this
    (CHIP-11)."""
    state.bank[player] -= points
    state.pool += points
    collect_front(state, player)
    if is_open(state) and points == 0:
        state.zero_passes += 1
    else:
        state.zero_passes = 0
    end_action(state, player)


# --- the end --------------------------------------------------------------------------------------------------


@rule
def is_rid_of_everything(state: Record, player: int) -> bool:
    """Return whether a player has no cards in hand, and no points in the bank or on the front (CHIP-60..62)."""
    return state.hands[player].length == 0 and state.bank[player] == 0 and state.fronts[player].load == 0


@rule
def is_stalled(state: Record) -> bool:
    """Return whether all active players in turn have passed without returning a point (CHIP-46)."""
    playing = int(state.players) - int(state.finished.length)
    return state.options.leader_pass == chip_it.FREE and state.zero_passes >= playing


@rule
def end_action(state: Record, player: int) -> None:
    """End the game if the player has finished or the game has stalled. Otherwise begin the next turn (CHIP-63..66)."""
    if is_rid_of_everything(state, player):
        push(state.finished, player)
        if not state.options.placement or state.finished.length >= int(state.players) - 1:
            end_game(state)
            return
    elif is_stalled(state):
        end_game(state)
        return
    begin_turn(state, seat_after(state, player))


@rule
def write_places(state: Record, order: Record) -> int:
    """Write the seats in order of their places, and return the number of seats that have a place (CHIP-46, 64, 66)."""
    placed = int(state.finished.length)
    for i in range(placed):
        order[i] = state.finished.cards[i]
    if placed < int(state.players) - 1 and not is_stalled(state):
        return placed
    seat = int(state.turn)
    for _ in range(state.players):
        seat = seat_after(state, seat)
        if find(state.finished, seat) < 0:
            place = placed
            while place > state.finished.length and is_better_placed(state, seat, order[place - 1]):
                order[place] = order[place - 1]
                place -= 1
            order[place] = seat
            placed += 1
    return placed


@rule
def is_better_placed(state: Record, player: int, other: int) -> bool:
    """Return whether `player` is placed before `other`. The smaller burden comes first; ties are broken by the fewer
    cards (CHIP-46)."""
    mine, theirs = burden(state, player), burden(state, other)
    if mine != theirs:
        return mine < theirs
    return state.hands[player].length < state.hands[other].length


@rule
def burden(state: Record, player: int) -> int:
    """Return a player's points, including those on the front, plus 3 for each card in hand (CHIP-46, 82)."""
    points = int(state.bank[player]) + int(state.fronts[player].load)
    return chip_it.POINTS_PER_CARD_LEFT * int(state.hands[player].length) + points


@rule
def end_game(state: Record) -> None:
    """Score the game, and deal the next one if the match continues (CHIP-64, 71, 72, 82, 83)."""
    order = np.empty(chip_it.SEATS, np.int8)
    placed = write_places(state, order)
    if state.options.mode == chip_it.TOURNAMENT:
        for place in range(placed):
            state.match.totals[order[place]] += chip_it.TOURNAMENT_POINTS[place]
    elif state.options.mode == chip_it.DUEL:
        loser = 1 - int(order[0])
        state.match.totals[loser] += burden(state, loser)
    if next_game(state, seat_after(state, state.match.first)):
        deal_game(state)


@rule
def returns(state: Record, out: Record) -> None:
    """Write the final scores into `out`. Higher is better.

    In a tournament they are the points; in a duel, the recorded points as negative numbers. In a single game a player
    scores the number of players placed behind (1 for a lone winner), or else 0.
    """
    for player in range(state.players):
        out[player] = 0
    if state.options.mode == chip_it.TOURNAMENT:
        for player in range(state.players):
            out[player] = state.match.totals[player]
    elif state.options.mode == chip_it.DUEL:
        for player in range(state.players):
            out[player] = -int(state.match.totals[player])
    elif state.over:
        order = np.empty(chip_it.SEATS, np.int8)
        placed = write_places(state, order)
        last = placed if placed == state.players else placed + 1
        for place in range(placed):
            out[order[place]] = last - place - 1


# --- hidden information -----------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """Hide the other hands, the draft of another player and the RNG (CHIP-04, 07).

    `recall` has no effect, because cards are never seen before they are played, and stay visible afterwards.
    """
    for player in range(state.players):
        if player != viewer:
            hide(state.hands[player])
    if state.turn != viewer:
        clear_draft(state)
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the unseen cards at random into the unknown places of the hands, and reseed the RNG."""
    unseen, cards = np.empty(chip_it.KINDS, np.int8), np.empty(chip_it.CARDS, np.int8)
    for kind in range(chip_it.KINDS):
        unseen[kind] = chip_it.COPIES - int(state.discard[kind])
    for seat in range(state.players):
        count_off(unseen, state.fronts[seat].cards, state.fronts[seat].length)
        count_off(unseen, state.hands[seat].cards, state.hands[seat].length)
    size = shuffle_unseen(unseen, cards, source)
    for seat in range(state.players):
        size = fill_hand(state.hands[seat], cards, size)
    rekey(state.chance, source)
