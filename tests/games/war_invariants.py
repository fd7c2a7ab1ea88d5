"""The invariants of WAR X-TREME."""

from fairdeal.engine.kit.seats import is_in, size_of
from fairdeal.engine.records import EMPTY, rule
from fairdeal.games.war_xtreme.catalogue.tables import CARDS_OF_A_SET
from fairdeal.games.war_xtreme.options import ARRIVAL
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_size, zone_start
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size, is_double, order_of
from fairdeal.games.war_xtreme.rules.kit.sets import sets_in_play
from fairdeal.games.war_xtreme.state import (
    CHOICE,
    EXTREME,
    HIDDEN,
    IN_HAND,
    IN_PLAY,
    JUNK,
    ON_TABLE,
    OVER,
    POT,
    PREP,
    RACE,
    SEATS,
    SLOTS,
    STORE,
    WARS,
)


@rule
def war_violation(state) -> int:
    """WAR-02, 04, 08, 13, 42, 84 and the conservation and bounds of section 9."""
    if state.phase > OVER:
        return 200
    if state.phase != EXTREME and not (state.over and state.alive == 0 and state.round_no == 1):
        sets = size_of(sets_in_play(state))
        if all_cards(state) != CARDS_OF_A_SET * sets:
            return 201
        copies = sets if state.options.equipment == 1 else 0
        if state.equipment.ends[JUNK] != copies * state.options.catalogue.equipment_count:
            return 202
    broken = war_centre_violation(state)
    for seat in range(SEATS if state.over else state.players):  # what is written elsewhere is still there at the end
        broken = max(broken, war_seat_violation(state, seat))
    return broken


@rule
def all_cards(state) -> int:
    """Return the number of playing cards in all zones."""
    cards = int(state.tax.length) + int(state.centre.length)
    for seat in range(SEATS):
        cards += deck_size(state.decks[seat]) + (state.faces[seat] != EMPTY)
    for slot in range(SLOTS):
        cards += state.slots[slot] != EMPTY
    return cards


@rule
def camp_card(deck, place) -> int:
    """Return card number `place` of a camp, in catalogue order."""
    return int(deck.cards[len(deck.cards) - 1 - place])


@rule
def war_seat_violation(state, seat) -> int:
    deck = state.decks[seat]
    for place in range(1, deck.camp):
        if camp_card(deck, place) < camp_card(deck, place - 1):
            return 210
    for place in range(deck.camp):
        if camp_card(deck, place) < 0:
            return 211
    for place in range(deck.army, len(deck.cards) - deck.camp):
        if deck.cards[place] != 0:
            return 212
    for place in range(deck.army):
        if deck.cards[place] < 0 and not is_double(state, -3 - deck.cards[place]):
            return 213
    if not is_in(state.alive, seat) and deck_size(deck) + (state.faces[seat] != EMPTY) > 0:
        return 214
    if is_in(state.alive, seat) and state.phase == PREP and deck.army == 0:
        return 215
    for zone in (IN_HAND, HIDDEN):
        start = zone_start(state.equipment, zone + seat)
        for place in range(start + 1, state.equipment.ends[zone + seat]):
            if state.equipment.cards[place] < state.equipment.cards[place - 1]:
                return 216
    if state.round_no == 1 and zone_size(state.equipment, HIDDEN + seat) + zone_size(state.equipment, IN_PLAY + seat):
        return 217
    if state.choices[seat] != 0 and state.phase not in (EXTREME, RACE, CHOICE) and state.phase != 1:
        return 218
    return 0


@rule
def war_centre_violation(state) -> int:
    centre = state.centre
    for place in range(1, centre.length):
        if centre.tags[place] < centre.tags[place - 1]:
            return 220
        alike = centre.tags[place] == centre.tags[place - 1] and centre.tags[place] < ON_TABLE
        if alike and order_of(centre.cards[place]) < order_of(centre.cards[place - 1]):
            return 221
    if state.war_count > state.players // 2 or state.earned.length + state.war_count > WARS:
        return 222
    warriors = 0
    for number in range(state.war_count):
        war = state.wars[number]
        if size_of(int(war.warriors)) < 2 or warriors & war.warriors or (number > 0 and war.depth > 0):
            return 223
        if number > 0 and war.rank >= state.wars[number - 1].rank:
            return 224
        warriors |= int(war.warriors)
        if war.depth > 20 * size_of(sets_in_play(state)) + 8:
            return 225
    for place in range(centre.length):
        if centre.tags[place] < ON_TABLE and centre.tags[place] >= POT * state.war_count:
            return 226
    if zone_size(state.equipment, STORE) < 0 or (state.locked != 0 and state.options.race != ARRIVAL):
        return 227
    if state.options.max_rounds > 0 and state.round_no > state.options.max_rounds:
        return 228
    return 229 if state.over == 1 and state.alive != 0 and state.winners == 0 else 0
