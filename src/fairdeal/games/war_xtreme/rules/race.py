"""WAR X-TREME: the race for a Speed card (WAR-18 to 20)."""

import numpy as np

from fairdeal.engine.kit.piles import shuffle_cards
from fairdeal.engine.kit.seats import is_in, size_of
from fairdeal.engine.records import NOBODY, Record, rule
from fairdeal.games.war_xtreme.catalogue.tables import SPEED, SPEED_RANK
from fairdeal.games.war_xtreme.options import SEEDED
from fairdeal.games.war_xtreme.rules.fight import fighters, in_clash, printed_actions, seats_of_kind
from fairdeal.games.war_xtreme.rules.kit.seats import in_ring
from fairdeal.games.war_xtreme.rules.reveal import award_reveal, win_reveal
from fairdeal.games.war_xtreme.rules.war import settle
from fairdeal.games.war_xtreme.state import ACT, PASS, RACED, RACED_PASS, SEATS, UNANSWERED


@rule
def write_race(state: Record, actions: Record) -> int:
    """WAR-19: write every action of the catalogue, and `pass`, and return the number of actions."""
    actions[0] = PASS
    for number in range(state.options.catalogue.action_count):
        actions[1 + number] = ACT + number
    return 1 + int(state.options.catalogue.action_count)


@rule
def race(state: Record, player: int, action: int) -> None:
    """WAR-19, 20: carry out an action immediately, or store it until all seats have acted (`race: seeded`)."""
    state.to_act &= ~(1 << player)
    if state.options.race == SEEDED:
        state.choices[player] = RACED_PASS if action == PASS else RACED + action - ACT
        if state.to_act == 0:
            run_seeded_race(state)
    elif is_right(state, action - ACT):
        end_race(state, player)
    else:
        state.locked |= 1 << player
        if state.to_act == 0:
            end_race(state, NOBODY)


@rule
def is_right(state: Record, number: int) -> bool:
    """WAR-18: return whether an action is printed on a Speed card of the fight."""
    return number >= 0 and printed_actions(state, fighters(state)) >> number & 1 == 1


@rule
def time_is_up(state: Record) -> None:
    """WAR-19: end a race by timeout. Seats that have not acted count as passing."""
    if state.options.race == SEEDED:
        for seat in range(state.players):
            if is_in(state.to_act, seat):
                state.choices[seat] = RACED_PASS
        run_seeded_race(state)
    else:
        end_race(state, NOBODY)


@rule
def run_seeded_race(state: Record) -> None:
    """WAR-20, section 7, `race`: process the stored actions in a random order of the seats."""
    seats, winner = fighters(state), NOBODY
    order, size = np.empty(SEATS, np.int64), size_of(seats)
    for number in range(size):
        order[number] = in_ring(state, seats, number)
    shuffle_cards(order, size, state.chance)
    for number in range(size):
        if winner == NOBODY and is_right(state, int(state.choices[order[number]]) - RACED):
            winner = int(order[number])
    for seat in range(state.players):
        state.choices[seat] = UNANSWERED
    end_race(state, winner)


@rule
def end_race(state: Record, winner: int) -> None:
    """WAR-18, 19: end a race. The winner takes the pot; without a winner, Speed cards only count as rank 19."""
    seats = fighters(state)
    owners = seats_of_kind(state, seats, SPEED)
    state.locked = 0
    if in_clash(state):
        settle(state, owners if winner == NOBODY else 1 << winner, False)
    elif winner != NOBODY:
        award_reveal(state, winner, False)
    else:
        win_reveal(state, owners, SPEED_RANK)
