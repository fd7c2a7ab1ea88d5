"""WAR X-TREME: cards and the piles they lie in: decks, the tax pile, pots and tables."""

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.kit.piles import reverse
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme.catalogue.tables import FACES, REGULAR_FACES, TURNED, kind_of
from fairdeal.games.war_xtreme.state import CARDS, ON_TABLE, POT

# --- cards -------------------------------------------------------------------------------------------------------


@rule
def is_double(state: Record, kind: int) -> bool:
    """WAR-12: does it matter which end is up? (An 8/8 is always 8.)"""
    face = int(kind) % FACES
    ranks = state.options.catalogue.face_ranks
    return face < REGULAR_FACES and ranks[2 * face] != ranks[2 * face + 1]


@rule
def order_of(card: int) -> int:
    """The catalogue's order: suit, face, first end before the second."""
    if card >= 0:
        return 2 * int(card)
    return 2 * (TURNED - int(card)) + 1


# --- shuffling ---------------------------------------------------------------------------------------------------


@rule
def sort_pile(cards: Record, size: int) -> None:
    """The cards as the catalogue knows them, in its order, the first of them on top."""
    for place in range(size):
        card = kind_of(cards[place])
        while place > 0 and cards[place - 1] < card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card


@rule
def shuffle_pile(state: Record, cards: Record, size: int) -> None:
    """WAR-13: every order is equally likely, and every double draws its upper end. Counted from the top."""
    sort_pile(cards, size)
    for last in range(size - 1, 0, -1):
        one, other = size - 1 - last, size - 1 - draw(state.chance, last + 1)
        card = cards[one]
        cards[one] = cards[other]
        cards[other] = card
    for place in range(size - 1, -1, -1):
        if is_double(state, cards[place]) and draw(state.chance, 2) == 1:
            cards[place] = TURNED - int(cards[place])


@rule
def cut_pile(cards: Record, size: int) -> None:
    """WAR-63: the top half, rounded down, goes underneath."""
    lower = size - size // 2
    reverse(cards, 0, lower)
    reverse(cards, lower, size)
    reverse(cards, 0, size)


@rule
def rotate_pile(state: Record, cards: Record, size: int) -> None:
    """WAR-63: every double changes its upper end."""
    for place in range(size):
        if is_double(state, kind_of(cards[place])):
            cards[place] = TURNED - int(cards[place])


# --- a seat's deck -----------------------------------------------------------------------------------------------


@rule
def deck_size(deck: Record) -> int:
    """WAR-67: net cards."""
    return int(deck.army) + int(deck.camp)


@rule
def put_on_army(deck: Record, card: int) -> None:
    deck.cards[deck.army] = card
    deck.army += 1


@rule
def take_top(deck: Record) -> int:
    """The top card of the army."""
    deck.army -= 1
    card = deck.cards[deck.army]
    deck.cards[deck.army] = 0
    return card


@rule
def put_in_camp(deck: Record, card: int) -> None:
    """WAR-08: a camp has no order, and its doubles no upper end: it is kept in catalogue order."""
    kind = kind_of(card)
    place = CARDS - int(deck.camp)
    while place < CARDS and deck.cards[place] > kind:
        deck.cards[place - 1] = deck.cards[place]
        place += 1
    deck.cards[place - 1] = kind
    deck.camp += 1


@rule
def take_from_camp(deck: Record, number: int) -> int:
    """Take card `number` of a camp, in catalogue order."""
    place, last = CARDS - 1 - number, CARDS - int(deck.camp)
    card = deck.cards[place]
    while place > last:
        deck.cards[place] = deck.cards[place - 1]
        place -= 1
    deck.cards[last] = 0
    deck.camp -= 1
    return card


@rule
def pick_from_camp(state: Record, deck: Record) -> int:
    """Section 7, `pick`: a random card of a camp."""
    return take_from_camp(deck, draw(state.chance, int(deck.camp)))


@rule
def slide_camp_under_army(deck: Record) -> int:
    """WAR-60: the whole camp becomes the bottom of the army, in order; how many cards those were."""
    army, camp = int(deck.army), int(deck.camp)
    for place in range(camp):
        card = deck.cards[CARDS - camp + place]
        deck.cards[CARDS - camp + place] = 0
        deck.cards[army + place] = card
    reverse(deck.cards, 0, army)
    reverse(deck.cards, army, army + camp)
    reverse(deck.cards, 0, army + camp)
    deck.army = army + camp
    deck.camp = 0
    return camp


# --- the centre --------------------------------------------------------------------------------------------------


@rule
def put_in_centre(state: Record, tag: int, card: int) -> None:
    """Lay a card into a pot, in its place, or on a table, as the last."""
    centre = state.centre
    place = int(centre.length)
    while place > 0 and (
        centre.tags[place - 1] > tag
        or (centre.tags[place - 1] == tag and tag < ON_TABLE and order_of(centre.cards[place - 1]) > order_of(card))
    ):
        centre.cards[place] = centre.cards[place - 1]
        centre.tags[place] = centre.tags[place - 1]
        place -= 1
    centre.cards[place] = card
    centre.tags[place] = tag
    centre.length += 1


@rule
def find_tag(centre: Record, tag: int) -> int:
    """The first place of a card with this tag or a higher one."""
    place = 0
    while place < centre.length and centre.tags[place] < tag:
        place += 1
    return place


@rule
def close_gap(centre: Record, first: int, size: int) -> None:
    """Take so many cards out of the centre, which lie elsewhere by now."""
    length = int(centre.length)
    for place in range(first, length - size):
        centre.cards[place] = centre.cards[place + size]
        centre.tags[place] = centre.tags[place + size]
    for place in range(length - size, length):
        centre.cards[place] = 0
        centre.tags[place] = 0
    centre.length = length - size


@rule
def pot_size(state: Record) -> int:
    """Cards in the pot of the war being fought, which lie first in the centre."""
    return find_tag(state.centre, POT)


@rule
def pot_to_camp(state: Record, seat: int, size: int) -> None:
    """WAR-31, 37: the first `size` cards of the centre go to a camp."""
    for place in range(size):
        put_in_camp(state.decks[seat], state.centre.cards[place])
    close_gap(state.centre, 0, size)


@rule
def table_to_camp(state: Record, seat: int, winner: int) -> None:
    """The cards on a seat's table, the face-up one and those under it (WAR-76), go to a camp."""
    deck, first = state.decks[winner], find_tag(state.centre, ON_TABLE + seat)
    size = find_tag(state.centre, ON_TABLE + seat + 1) - first
    for place in range(first, first + size):
        put_in_camp(deck, state.centre.cards[place])
    close_gap(state.centre, first, size)
    if state.faces[seat] != EMPTY:
        put_in_camp(deck, state.faces[seat])
        state.faces[seat] = EMPTY


@rule
def table_to_pot(state: Record, seat: int, tag: int) -> None:
    """The cards on a seat's table go to a pot."""
    while True:
        place = find_tag(state.centre, ON_TABLE + seat)
        if place == state.centre.length or state.centre.tags[place] != ON_TABLE + seat:
            break
        card = state.centre.cards[place]
        close_gap(state.centre, place, 1)
        put_in_centre(state, tag, card)
    if state.faces[seat] != EMPTY:
        put_in_centre(state, tag, state.faces[seat])
        state.faces[seat] = EMPTY
