"""WAR X-TREME: the card sets of a game (WAR-04, 05)."""

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.records import Record, rule
from fairdeal.games.war_xtreme.catalogue import tables as printed


@rule
def was_dealt_in(state: Record, seat: int) -> bool:
    """WAR-03: return whether a seat was dealt in. If so, it is alive or has a recorded round of elimination."""
    return is_in(state.alive, seat) or state.seats[seat].out_round > 0


@rule
def sets_in_play(state: Record) -> int:
    """WAR-03, 04: return the sets in play, as a bit set with bit n for set n. By default there is a suit for each
    seat."""
    chosen, dealt = 0, 0
    for place in range(printed.SETS):
        if state.options.sets[place] != 0:
            chosen |= 1 << int(state.options.sets[place])
    if chosen != 0:
        return chosen
    for seat in range(state.players):
        if was_dealt_in(state, seat):
            dealt += 1
    for number in range((dealt + printed.SUITS_OF_A_SET - 1) // printed.SUITS_OF_A_SET):
        chosen |= 2 << number
    return chosen


@rule
def is_in_play(state: Record, sets: int, kind: int) -> bool:
    """Return whether a kind of card belongs to one of these sets."""
    return sets >> int(state.options.catalogue.suit_set[printed.suit_of(kind)]) & 1 == 1


@rule
def cards_of_sets(state: Record, cards: Record) -> int:
    """Write every playing card of the game into `cards`, and return their number."""
    sets, size = sets_in_play(state), 0
    for kind in range(printed.CARD_KINDS):
        if is_in_play(state, sets, kind):
            for _ in range(printed.copies_of(state.options.catalogue, kind)):
                cards[size] = kind
                size += 1
    return size


@rule
def numbered_card(state: Record, sets: int, number: int) -> int:
    """Return card `number` of all playing cards of these sets, in catalogue order."""
    suit = 0
    while number >= printed.CARDS_OF_A_SUIT or not is_in_play(state, sets, printed.FACES * suit):
        if is_in_play(state, sets, printed.FACES * suit):
            number -= printed.CARDS_OF_A_SUIT
        suit += 1
    face = 0
    while face < printed.REGULAR_FACES and number >= state.options.catalogue.face_copies[face]:
        number -= int(state.options.catalogue.face_copies[face])
        face += 1
    return printed.FACES * suit + face + (number if face == printed.REGULAR_FACES else 0)
