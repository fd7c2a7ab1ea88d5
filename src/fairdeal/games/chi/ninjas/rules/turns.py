"""Chaos Ninjas: turns, hand limits and the end. Clause ids refer to docs/rules/chi.md."""

from fairdeal.engine.kit.matches import next_game
from fairdeal.engine.kit.seats import seat_after
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chi.ninjas.rules.hands import hold
from fairdeal.games.chi.ninjas.rules.legal import has_ability
from fairdeal.games.chi.ninjas.state import ACT, CARDS, DISCARDING, OVER, QUARTERMASTER, TO_WIN
from fairdeal.games.chi.rules.row import draw_card, fill_row, has_gap


@rule
def begin_turn(state: Record, seat: int) -> None:
    """NINJA-02, 06: begin the turn of a seat. A seat with six cards in play wins immediately."""
    state.turn = seat
    state.turn_no += 1
    if state.areas[seat].length >= TO_WIN:
        finish(state, 1 << int(seat))
    else:
        ask(state, seat, ACT)


@rule
def ask(state: Record, player: int, phase: int) -> None:
    """Ask one player for a decision in a phase."""
    state.phase = phase
    state.to_act = 1 << int(player)


@rule
def hand_limit(state: Record, player: int) -> int:
    """NINJA-03, 33: return the hand limit of a player, which a Quartermaster raises by two."""
    return int(state.options.hand_limit) + 2 * has_ability(state, player, QUARTERMASTER)


@rule
def end_action(state: Record, player: int) -> None:
    """NINJA-03, CHI-11: make the player discard cards above the hand limit, or end the turn."""
    if state.hands[player].length > hand_limit(state, player):
        ask(state, player, DISCARDING)
    else:
        end_turn(state)


@rule
def end_turn(state: Record) -> None:
    """NINJA-02, 09, CHI-51: refill the empty places of the row, and then pass the turn or end the game."""
    if has_gap(state):
        fill_row(state)
    if state.turn_no >= state.options.turn_limit:
        finish(state, leaders(state))
    else:
        begin_turn(state, seat_after(state, state.turn))


@rule
def leaders(state: Record) -> int:
    """NINJA-09: return the seats with the most cards in play. Ties are broken by the most cards in hand."""
    best, found = -1, 0
    for seat in range(state.players):
        worth = int(state.areas[seat].length) * CARDS + int(state.hands[seat].length)
        if worth > best:
            best, found = worth, 0
        if worth == best:
            found |= 1 << seat
    return found


@rule
def finish(state: Record, winners: int) -> None:
    """NINJA-06, 09: end the game."""
    state.winners = winners
    state.phase = OVER
    next_game(state, state.match.first)


@rule
def draw_to_hand(state: Record, player: int) -> None:
    """NINJA-13, 32, 37: draw the top card of the deck into a hand, if there is one."""
    card = draw_card(state)
    if card != EMPTY:
        hold(state.hands[player], card, 0)
