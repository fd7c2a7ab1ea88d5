"""WAR X-TREME: conceal a state from a viewer, and resample the concealed parts (section 5).

A camp is public until it is shuffled, and seats remember nothing else, so `recall` has no effect.
"""

import numpy as np

from fairdeal.engine.kit.chance import blank, draw, rekey
from fairdeal.engine.kit.piles import hide, shuffle_cards
from fairdeal.engine.kit.seats import is_in, size_of
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.tables import CARD_KINDS, TURNED, kind_of
from fairdeal.games.war_xtreme.options import CATCH_THEM
from fairdeal.games.war_xtreme.rules.aiming import equipment_allowed, is_must
from fairdeal.games.war_xtreme.rules.kit import equipment as kit
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size, is_double, order_of
from fairdeal.games.war_xtreme.rules.kit.sets import cards_of_sets, sets_in_play
from fairdeal.games.war_xtreme.rules.reveal import PRICE, may_buy_into

HIDE = 10
"""Percentage of due cards in guessed hands that are treated as hidden. The others would have been played."""

# --- concealing --------------------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """Conceal armies, slots, the tax pile, stakes, unturned recruits, rivals' hands, the store, and pending choices
    (section 5)."""
    hide_cards(state, viewer)
    hide_equipment(state, viewer)
    hide_choices(state, viewer)
    blank(state.chance)


@rule
def hide_cards(state: Record, viewer: int) -> None:
    """WAR-08: hide every army, even from its owner, and the slots at which the viewer has not peeked."""
    for seat in range(state.players):
        for place in range(state.decks[seat].army):
            state.decks[seat].cards[place] = UNKNOWN
        if state.phase == xtreme.RECRUITING and state.faces[seat] != EMPTY:
            state.faces[seat] = UNKNOWN
    hide(state.tax)
    for slot in range(xtreme.SLOTS):
        if state.slots[slot] != EMPTY and not (viewer >= 0 and state.seats[viewer].seen >> slot & 1):
            state.slots[slot] = UNKNOWN
    for place in range(state.centre.length):
        if is_stake(state.centre.tags[place]):
            state.centre.cards[place] = UNKNOWN


@rule
def is_stake(tag: int) -> bool:
    """Return whether a card with this tag lies face down in a pot."""
    return tag < xtreme.ON_TABLE and int(tag) % xtreme.POT < xtreme.POT_UP


@rule
def hide_equipment(state: Record, viewer: int) -> None:
    """WAR-72, 84: hide the other seats' equipment, showing only its number, in which hidden cards count as hand
    cards."""
    equipment = state.equipment
    for seat in range(state.players):
        if seat != viewer:
            while kit.zone_size(equipment, xtreme.HIDDEN + seat) > 0:
                kit.move_equipment(equipment, xtreme.HIDDEN + seat, 0, xtreme.IN_HAND + seat, 0)
            blank_zone(equipment, xtreme.IN_HAND + seat)
    blank_zone(equipment, xtreme.STORE)


@rule
def blank_zone(equipment: Record, zone: int) -> None:
    for place in range(kit.zone_start(equipment, zone), equipment.ends[zone]):
        equipment.cards[place] = UNKNOWN


@rule
def hide_choices(state: Record, viewer: int) -> None:
    """WAR-20, 54: hide the choices of other seats, but not whether they have chosen or had no choice."""
    if state.phase == xtreme.EXTREME or state.phase == xtreme.RACE or state.phase == xtreme.CHOICE:
        for seat in range(state.players):
            if seat != viewer and state.choices[seat] != xtreme.UNANSWERED and was_free(state, seat):
                state.choices[seat] = UNKNOWN


@rule
def was_free(state: Record, seat: int) -> bool:
    """WAR-51, 54: return whether a seat had a choice."""
    return state.phase != xtreme.CHOICE or (
        state.choices[seat] != xtreme.IS_SPOILS and deck_size(state.decks[seat]) >= PRICE
    )


# --- resampling --------------------------------------------------------------------------------------------------


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Replace unknown cards with a random deal of the unseen ones, and guess equipment and pending choices."""
    deal_unseen_cards(state, source)
    deal_unseen_equipment(state, source)
    guess_choices(state, source)
    rekey(state.chance, source)


@rule
def count_seen(seen: Record, cards: Record, first: int, end: int) -> None:
    """Count the known cards of an array by kind, from index `first` up to, but not including, `end`."""
    for place in range(first, end):
        if cards[place] != UNKNOWN and cards[place] != EMPTY:
            seen[kind_of(cards[place])] += 1


@rule
def unseen_cards(state: Record, pool: Record, source: Record) -> int:
    """Write the unseen cards of the game into `pool`, shuffled, and return their number."""
    seen = np.empty(CARD_KINDS, np.int64)
    for kind in range(CARD_KINDS):
        seen[kind] = 0
    for seat in range(state.players):
        deck = state.decks[seat]
        count_seen(seen, deck.cards, 0, deck.army)
        count_seen(seen, deck.cards, xtreme.CARDS - int(deck.camp), xtreme.CARDS)
    count_seen(seen, state.faces, 0, state.players)
    count_seen(seen, state.tax.cards, 0, state.tax.length)
    count_seen(seen, state.centre.cards, 0, state.centre.length)
    count_seen(seen, state.slots, 0, xtreme.SLOTS)
    size, all_cards = 0, cards_of_sets(state, pool)
    for place in range(all_cards):
        kind = pool[place]
        if seen[kind] > 0:
            seen[kind] -= 1
        else:
            pool[size] = kind
            size += 1
    shuffle_cards(pool, size, source)
    return size


@rule
def deal_unseen_cards(state: Record, source: Record) -> None:
    """Deal an unseen card to every unknown place, choosing at random which end of a double is up, where that
    matters."""
    pool = np.empty(xtreme.CARDS, np.int64)
    size = unseen_cards(state, pool, source)
    for seat in range(state.players):
        size = fill_places(state, state.decks[seat].cards, 0, state.decks[seat].army, pool, size, source)
        size = fill_places(state, state.faces, seat, seat + 1, pool, size, source)
    size = fill_places(state, state.tax.cards, 0, state.tax.length, pool, size, source)
    size = fill_places(state, state.slots, 0, xtreme.SLOTS, pool, size, source)
    for place in range(state.centre.length):
        if state.centre.cards[place] == UNKNOWN:
            size = last_unseen(state, pool, size, source)
            state.centre.cards[place] = pool[size]
    sort_stakes(state.centre)


@rule
def fill_places(state: Record, cards: Record, first: int, end: int, pool: Record, size: int, source: Record) -> int:
    """Fill the unknown places of an array from the pool, with random ends up. Return the number of cards left in the
    pool."""
    for place in range(first, end):
        if cards[place] == UNKNOWN:
            size = last_unseen(state, pool, size, source)
            cards[place] = some_end(state, pool[size], source)
    return size


@rule
def last_unseen(state: Record, pool: Record, size: int, source: Record) -> int:
    """Return the index, in the pool, of the next card to deal. An empty pool is refilled."""
    if size == 0:
        size = cards_of_sets(state, pool)
        shuffle_cards(pool, size, source)
    return size - 1


@rule
def some_end(state: Record, kind: int, source: Record) -> int:
    """WAR-13: return a card. If it is a double, its upper end is decided by a fair coin."""
    if is_double(state, kind) and draw(source, 2) == 1:
        return TURNED - int(kind)
    return int(kind)


@rule
def sort_stakes(centre: Record) -> None:
    """Sort the stakes of each seat in catalogue order."""
    for first in range(1, centre.length):
        card, tag, place = centre.cards[first], centre.tags[first], first
        if tag < xtreme.ON_TABLE:
            while place > 0 and centre.tags[place - 1] == tag and order_of(centre.cards[place - 1]) > order_of(card):
                centre.cards[place] = centre.cards[place - 1]
                place -= 1
            centre.cards[place] = card


@rule
def deal_unseen_equipment(state: Record, source: Record) -> None:
    """Give unknown equipment the numbers of pieces that cannot be seen."""
    equipment, guessed = state.equipment, unknown_hands(state)
    pool = np.empty(xtreme.EQUIPMENT, np.int64)
    size = unseen_equipment(state, pool, source)
    for place in range(equipment.ends[xtreme.JUNK]):
        if equipment.cards[place] == UNKNOWN:
            if size == 0:
                size = all_equipment(state, pool)
                shuffle_cards(pool, size, source)
            size -= 1
            equipment.cards[place] = pool[size]
    for seat in range(state.players):
        sort_zone(equipment, xtreme.IN_HAND + seat)
        if is_in(guessed, seat):
            settle_what_is_due(state, seat, source)


@rule
def unknown_hands(state: Record) -> int:
    """Return the seats that hold unknown equipment."""
    seats = 0
    for seat in range(state.players):
        if kit.find_equipment(state.equipment, xtreme.IN_HAND + seat, UNKNOWN) >= 0:
            seats |= 1 << seat
    return seats


@rule
def all_equipment(state: Record, pool: Record) -> int:
    """Write the numbers of all equipment of the game into `pool`, and return the number of pieces."""
    size, copies = 0, size_of(sets_in_play(state))
    for number in range(1, 1 + int(state.options.catalogue.equipment_count)):
        for _ in range(copies):
            pool[size] = number
            size += 1
    return size


@rule
def unseen_equipment(state: Record, pool: Record, source: Record) -> int:
    """Write the numbers of the equipment that cannot be seen into `pool`, shuffled, and return the number of pieces."""
    size = all_equipment(state, pool)
    for place in range(state.equipment.ends[xtreme.JUNK]):
        for other in range(size):
            if pool[other] == state.equipment.cards[place]:
                size -= 1
                pool[other] = pool[size]
                break
    shuffle_cards(pool, size, source)
    return size


@rule
def sort_zone(equipment: Record, zone: int) -> None:
    start = kit.zone_start(equipment, zone)
    for first in range(start + 1, equipment.ends[zone]):
        number, place = equipment.cards[first], first
        while place > start and equipment.cards[place - 1] > number:
            equipment.cards[place] = equipment.cards[place - 1]
            place -= 1
        equipment.cards[place] = number


@rule
def settle_what_is_due(state: Record, seat: int, source: Record) -> None:
    """WAR-83, 84, 87: correct a guessed hand with due cards that can no longer be played.

    A seat would usually have played such a card. The card is therefore seldom treated as hidden, and is otherwise
    swapped with a card of the store, if possible.
    """
    if not equipment_allowed(state) or state.over:
        return
    undecided = state.phase == xtreme.PREP and not is_in(state.flipped, seat)
    can_hide = state.options.must_play == CATCH_THEM
    for place in range(kit.zone_size(state.equipment, xtreme.IN_HAND + seat) - 1, -1, -1):
        if is_must(state, kit.equipment_at(state.equipment, xtreme.IN_HAND + seat, place)) and not (
            undecided and (not can_hide or draw(source, 2) == 0)
        ):
            hides = can_hide and draw(source, 100) < HIDE
            if (hides or not swap_with_store(state, seat, place, source)) and can_hide:
                kit.move_in_order(state.equipment, xtreme.IN_HAND + seat, place, xtreme.HIDDEN + seat)
    sort_zone(state.equipment, xtreme.IN_HAND + seat)


@rule
def swap_with_store(state: Record, seat: int, place: int, source: Record) -> bool:
    """Swap a card of a hand with a card in the store that is not a must-play-now card. Return False if there is no such
    card."""
    size = kit.zone_size(state.equipment, xtreme.STORE)
    if size == 0:
        return False
    here = kit.zone_start(state.equipment, xtreme.IN_HAND + seat) + place
    first = kit.zone_start(state.equipment, xtreme.STORE)
    offset = draw(source, size)
    for step in range(size):
        there = first + (offset + step) % size
        if not is_must(state, int(state.equipment.cards[there])):
            number = state.equipment.cards[here]
            state.equipment.cards[here] = state.equipment.cards[there]
            state.equipment.cards[there] = number
            return True
    return False


@rule
def guess_choices(state: Record, source: Record) -> None:
    """WAR-20, 54: replace unknown choices with random possible ones."""
    for seat in range(state.players):
        if state.choices[seat] == UNKNOWN:
            if state.phase == xtreme.EXTREME:
                state.choices[seat] = xtreme.SAID_YES + draw(source, xtreme.SAID_NO - xtreme.SAID_YES + 1)
            elif state.phase == xtreme.RACE:
                state.choices[seat] = xtreme.RACED_PASS + draw(source, 1 + int(state.options.catalogue.action_count))
            else:
                state.choices[seat] = guessed_choice(state, seat, source)


@rule
def guessed_choice(state: Record, seat: int, source: Record) -> int:
    """WAR-51, 53: return a random choice: to flee, or to buy into a war below the seat's card."""
    first = 0
    while not may_buy_into(state, seat, first):
        first += 1
    chosen = draw(source, 1 + int(state.war_count) - first)
    return xtreme.FLEES if chosen == 0 else xtreme.BUYS + first + chosen - 1
