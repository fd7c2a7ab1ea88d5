"""WAR X-TREME: the question before the deal, and the deal (WAR-03 to 07)."""

from fairdeal.engine.kit.piles import pop, reverse
from fairdeal.engine.kit.seats import is_in, lowest_seat, size_of
from fairdeal.engine.records import Record, rule
from fairdeal.games.war_xtreme.rules.finish import finish
from fairdeal.games.war_xtreme.rules.kit.equipment import add_equipment, draw_equipment, shuffle_store
from fairdeal.games.war_xtreme.rules.kit.piles import put_on_army, shuffle_pile
from fairdeal.games.war_xtreme.rules.kit.seats import ask_all
from fairdeal.games.war_xtreme.rules.kit.sets import cards_of_sets, sets_in_play
from fairdeal.games.war_xtreme.state import ARMY, EXTREME, OPENING, SAID_NO, SAID_YES, SLOTS, STORE, UNANSWERED, YES


@rule
def ask_extreme(state: Record) -> None:
    """WAR-03: ask all seats whether they feel extreme."""
    ask_all(state, EXTREME, (1 << int(state.players)) - 1)


@rule
def answer_extreme(state: Record, player: int, action: int) -> None:
    """WAR-03: store a seat's secret answer. When all seats have answered, deal in those that said yes."""
    state.choices[player] = SAID_YES if action == YES else SAID_NO
    state.to_act &= ~(1 << player)
    if state.to_act == 0:
        extreme = 0
        for seat in range(state.players):
            if state.choices[seat] == SAID_YES:
                extreme |= 1 << seat
            state.choices[seat] = UNANSWERED
        if size_of(extreme) < 2:
            finish(state, 0)
        else:
            deal_in(state, extreme)


@rule
def deal_in(state: Record, seats: int) -> None:
    """WAR-05 to 07: deal armies, slots, the tax pile and equipment to `seats`. The first seat is the marshal."""
    state.alive = seats
    state.marshal = lowest_seat(seats)
    state.tax.length = cards_of_sets(state, state.tax.cards)
    shuffle_pile(state, state.tax.cards, int(state.tax.length))
    for seat in range(state.players):
        if is_in(seats, seat):
            for _ in range(ARMY):
                put_on_army(state.decks[seat], pop(state.tax))
            reverse(state.decks[seat].cards, 0, ARMY)
    for slot in range(SLOTS):
        state.slots[slot] = pop(state.tax)
    if state.options.equipment == 1:
        deal_equipment(state, seats)
    state.phase = OPENING


@rule
def deal_equipment(state: Record, seats: int) -> None:
    """WAR-04 to 06: fill the store with the equipment of every set in play, and deal one of its top cards to each
    seat."""
    copies = size_of(sets_in_play(state))
    for number in range(1, 1 + int(state.options.catalogue.equipment_count)):
        for _ in range(copies):
            add_equipment(state.equipment, STORE, number)
    shuffle_store(state)
    for seat in range(state.players):
        if is_in(seats, seat):
            draw_equipment(state, seat)
