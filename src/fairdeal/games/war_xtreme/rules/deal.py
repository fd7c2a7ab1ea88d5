"""WAR X-TREME: the deal and the scores.

The phases, and the modules that implement their rules, are listed in phases.py.
"""

from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.piles import clear
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme.rules.finish import forget_earned, places_below
from fairdeal.games.war_xtreme.rules.kit.piles import close_gap
from fairdeal.games.war_xtreme.rules.phases import advance
from fairdeal.games.war_xtreme.rules.setting_up import ask_extreme, deal_in
from fairdeal.games.war_xtreme.rules.war import clear_war
from fairdeal.games.war_xtreme.state import CARDS, JUNK, SEATS, SLOTS, WARS, ZONES


@rule
def deal(state: Record) -> None:
    """WAR-03 to 06: set up an empty table, and then ask the seats whether they feel extreme, or deal them in."""
    start_match(state, 1, 0)
    clear_table(state)
    if state.options.ask_extreme == 1:
        ask_extreme(state)
    else:
        deal_in(state, (1 << int(state.players)) - 1)
        advance(state)


@rule
def clear_table(state: Record) -> None:
    """Reset the table to its state before the deal, with round 1 about to begin."""
    state.round_no = 1
    state.alive, state.flipped, state.passes, state.picked, state.locked = 0, 0, 0, 0, 0
    state.swept = 0
    state.caught, state.winners, state.challenger, state.war_count = 0, 0, 0, 0
    for seat in range(SEATS):
        clear_seat(state, seat)
    for slot in range(SLOTS):
        state.slots[slot] = EMPTY
    for number in range(WARS):
        clear_war(state.wars[number])
    clear(state.tax)
    close_gap(state.centre, 0, int(state.centre.length))
    for place in range(state.equipment.ends[JUNK]):
        state.equipment.cards[place] = 0
    for zone in range(ZONES):
        state.equipment.ends[zone] = 0
    forget_earned(state)


@rule
def clear_seat(state: Record, seat: int) -> None:
    account, deck = state.seats[seat], state.decks[seat]
    account.brag, account.wars_won, account.trusted, account.distrusted = 0, 0, 0, 0
    account.out_round, account.seen, account.said = 0, 0, 0
    for place in range(CARDS):
        deck.cards[place] = 0
    deck.army, deck.camp = 0, 0
    state.faces[seat], state.turned[seat] = EMPTY, EMPTY
    state.mods[seat], state.declared[seat], state.called[seat], state.choices[seat] = 0, 0, 0, 0


@rule
def returns(state: Record, out: Record) -> None:
    """WAR-95: write the scores: one point for each seat placed below."""
    for seat in range(state.players):
        out[seat] = places_below(state, seat)
