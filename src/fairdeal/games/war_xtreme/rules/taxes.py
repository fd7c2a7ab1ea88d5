"""WAR X-TREME: the tax pile, Tax Time and the recruitment slots (WAR-40, WAR-66 to 70)."""

from fairdeal.engine.kit.piles import pop, push
from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme.catalogue.tables import TAX_SHARE, kind_of
from fairdeal.games.war_xtreme.options import FIFTH
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_start
from fairdeal.games.war_xtreme.rules.kit.piles import close_gap, deck_size, pick_from_camp, shuffle_pile, take_top
from fairdeal.games.war_xtreme.rules.kit.seats import ring_seat
from fairdeal.games.war_xtreme.state import IN_PLAY, SEATS, SLOTS

# WAR-67: the brackets of net cards. Nothing is owed below the first; from the second on, the tax grows by one card for
# every five.
FIRST_BRACKET, SECOND_BRACKET, LAST_BRACKET, ABOVE_ALL = 16, 20, 55, 60
OWED_IN_LAST_BRACKET = 11


@rule
def owed_by_count(cards: int, above: int) -> int:
    """WAR-67, 69: return the tax on `cards` net cards. `above` is the option for 60 cards and more."""
    if cards < FIRST_BRACKET:
        return 0
    if cards < SECOND_BRACKET:
        return 1
    if cards < LAST_BRACKET:
        return (cards - 10) // 5
    if cards < ABOVE_ALL or above != FIFTH:
        return OWED_IN_LAST_BRACKET
    return cards // 5


@rule
def tax_owed(state: Record, seat: int) -> int:
    """WAR-67, 80: return the number of cards that a seat owes, reduced by its tax shares."""
    owed = owed_by_count(deck_size(state.decks[seat]), state.options.tax_over_59)
    tables = state.options.catalogue
    for place in range(zone_start(state.equipment, IN_PLAY + seat), state.equipment.ends[IN_PLAY + seat]):
        number = int(state.equipment.cards[place]) - 1
        if tables.equipment_op[number] == TAX_SHARE:
            owed = owed * int(tables.equipment_amount[number]) // int(tables.equipment_divisor[number])
    return owed


@rule
def put_on_tax(state: Record, card: int) -> None:
    """Put a card on the tax pile. The caller must shuffle the pile after the last card."""
    push(state.tax, kind_of(card))


@rule
def shuffle_tax(state: Record) -> None:
    shuffle_pile(state, state.tax.cards, int(state.tax.length))


@rule
def centre_to_tax(state: Record, size: int) -> None:
    """WAR-16: move the first `size` cards of the centre to the tax pile, and shuffle the pile."""
    for place in range(size):
        put_on_tax(state, state.centre.cards[place])
    close_gap(state.centre, 0, size)
    shuffle_tax(state)


@rule
def levy(state: Record) -> None:
    """WAR-66 to 70: make every living seat pay its tax, first from the top of its army and then at random from its
    camp."""
    paid = 0
    for number in range(state.players):
        seat = ring_seat(state, number)
        if is_in(state.alive, seat):
            deck = state.decks[seat]
            for _ in range(tax_owed(state, seat)):
                put_on_tax(state, take_top(deck) if deck.army > 0 else pick_from_camp(state, deck))
                paid += 1
    if paid > 0:
        shuffle_tax(state)


@rule
def take_tax(state: Record) -> int:
    """WAR-66: remove and return the top card of the tax pile, with levies as needed, or EMPTY if no seat owes
    anything."""
    if state.tax.length == 0:
        levy(state)
    if state.tax.length == 0:
        return EMPTY
    card = pop(state.tax)
    if state.tax.length == 0:
        levy(state)
    return card


@rule
def refill(state: Record) -> None:
    """WAR-40, 70: refill empty slots, lowest first, as long as cards are available."""
    for slot in range(SLOTS):
        if state.slots[slot] == EMPTY:
            card = take_tax(state)
            if card == EMPTY:
                return
            state.slots[slot] = card


@rule
def filled_slots(state: Record) -> int:
    """Return the number of filled slots."""
    filled = 0
    for slot in range(SLOTS):
        if state.slots[slot] != EMPTY:
            filled += 1
    return filled


@rule
def empty_slot(state: Record, slot: int) -> int:
    """Remove and return the recruit of a slot, and clear the record of seats that have peeked at it (section 5,
    `seen`)."""
    card = state.slots[slot]
    state.slots[slot] = EMPTY
    for seat in range(SEATS):
        state.seats[seat].seen &= ~(1 << slot)
    return card
