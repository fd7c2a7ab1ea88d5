"""WAR X-TREME: the tax pile, Tax Time and the recruitment slots (WAR-40, WAR-66 to 70)."""

from fairdeal.engine.kit.piles import pop, push
from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme.catalogue.tables import TAX_SHARE, kind_of
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_start
from fairdeal.games.war_xtreme.rules.kit.piles import close_gap, deck_size, pick_from_camp, shuffle_pile, take_top
from fairdeal.games.war_xtreme.rules.kit.seats import ring_seat
from fairdeal.games.war_xtreme.state import FIFTH, IN_PLAY, SEATS, SLOTS

# WAR-67: net cards below which nothing is owed; the brackets of five above them, each of one card more.
FIRST_BRACKET, SECOND_BRACKET, LAST_BRACKET, ABOVE_ALL = 16, 20, 55, 60
OWED_IN_LAST_BRACKET = 11


@rule
def owed_by_count(cards: int, above: int) -> int:
    """WAR-67, 69: the tax on so many net cards; `above` is the option for 60 and more."""
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
    """WAR-67, 80: what a seat owes, after its shares."""
    owed = owed_by_count(deck_size(state.decks[seat]), state.options.tax_over_59)
    tables = state.options.catalogue
    for place in range(zone_start(state.equipment, IN_PLAY + seat), state.equipment.ends[IN_PLAY + seat]):
        number = int(state.equipment.cards[place]) - 1
        if tables.equipment_op[number] == TAX_SHARE:
            owed = owed * int(tables.equipment_amount[number]) // int(tables.equipment_divisor[number])
    return owed


@rule
def put_on_tax(state: Record, card: int) -> None:
    """Lay a card on the tax pile, which is shuffled when all are there."""
    push(state.tax, kind_of(card))


@rule
def shuffle_tax(state: Record) -> None:
    shuffle_pile(state, state.tax.cards, int(state.tax.length))


@rule
def centre_to_tax(state: Record, size: int) -> None:
    """WAR-16: the first `size` cards of the centre go to the tax pile, and all that has come there is shuffled."""
    for place in range(size):
        put_on_tax(state, state.centre.cards[place])
    close_gap(state.centre, 0, size)
    shuffle_tax(state)


@rule
def levy(state: Record) -> None:
    """WAR-66 to 70: Tax Time. Everybody pays, from the army's top, then at random from the camp."""
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
    """WAR-66: the top card of the tax pile, or EMPTY if nobody owes any."""
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
    """WAR-40, 70: the empty slots, lowest first, while there are cards."""
    for slot in range(SLOTS):
        if state.slots[slot] == EMPTY:
            card = take_tax(state)
            if card == EMPTY:
                return
            state.slots[slot] = card


@rule
def filled_slots(state: Record) -> int:
    """How many slots have a recruit."""
    filled = 0
    for slot in range(SLOTS):
        if state.slots[slot] != EMPTY:
            filled += 1
    return filled


@rule
def empty_slot(state: Record, slot: int) -> int:
    """Take the recruit out of a slot; whoever has peeked at it knows that slot no longer (section 5, `seen`)."""
    card = state.slots[slot]
    state.slots[slot] = EMPTY
    for seat in range(SEATS):
        state.seats[seat].seen &= ~(1 << slot)
    return card
