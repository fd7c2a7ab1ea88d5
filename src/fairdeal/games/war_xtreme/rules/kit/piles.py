"""WAR X-TREME: cards and piles: decks, the tax pile, pots and tables."""

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.kit.piles import reverse
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme.catalogue.tables import FACES, REGULAR_FACES, TURNED, kind_of
from fairdeal.games.war_xtreme.state import CARDS, ON_TABLE, POT

# --- cards -------------------------------------------------------------------------------------------------------


@rule
def is_double(state: Record, kind: int) -> bool:
    """WAR-12: return whether a card has two different ends. An 8/8 does not."""
    face = int(kind) % FACES
    ranks = state.options.catalogue.face_ranks
    return face < REGULAR_FACES and ranks[2 * face] != ranks[2 * face + 1]


@rule
def order_of(card: int) -> int:
    """Return the sort key of a card in catalogue order: by suit, then by face, with the first end before the second."""
    if card >= 0:
        return 2 * int(card)
    return 2 * (TURNED - int(card)) + 1


# --- shuffling ---------------------------------------------------------------------------------------------------


@rule
def sort_pile(cards: Record, size: int) -> None:
    """Sort a pile in catalogue order, with the first card on top and the first end of all doubles up."""
    for place in range(size):
        card = kind_of(cards[place])
        while place > 0 and cards[place - 1] < card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card


@rule
def shuffle_pile(state: Record, cards: Record, size: int) -> None:
    """WAR-13: shuffle a pile and draw the upper end of every double. Positions are counted from the top."""
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
    """WAR-63: cut a pile: the top half, rounded down, goes underneath."""
    lower = size - size // 2
    reverse(cards, 0, lower)
    reverse(cards, lower, size)
    reverse(cards, 0, size)


@rule
def rotate_pile(state: Record, cards: Record, size: int) -> None:
    """WAR-63: turn every double in a pile."""
    for place in range(size):
        if is_double(state, kind_of(cards[place])):
            cards[place] = TURNED - int(cards[place])


# --- a seat's deck -----------------------------------------------------------------------------------------------


@rule
def deck_size(deck: Record) -> int:
    """WAR-67: return the net cards of a deck."""
    return int(deck.army) + int(deck.camp)


@rule
def put_on_army(deck: Record, card: int) -> None:
    deck.cards[deck.army] = card
    deck.army += 1


@rule
def take_top(deck: Record) -> int:
    """Remove and return the top card of the army."""
    deck.army -= 1
    card = deck.cards[deck.army]
    deck.cards[deck.army] = 0
    return card


@rule
def put_in_camp(deck: Record, card: int) -> None:
    """WAR-08: put a card into the camp. It is stored in catalogue order, because its order has no meaning."""
    kind = kind_of(card)
    place = CARDS - int(deck.camp)
    while place < CARDS and deck.cards[place] > kind:
        deck.cards[place - 1] = deck.cards[place]
        place += 1
    deck.cards[place - 1] = kind
    deck.camp += 1


@rule
def take_from_camp(deck: Record, number: int) -> int:
    """Remove and return card `number` of a camp, in catalogue order."""
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
    """Remove and return a random card of a camp (section 7, `pick`)."""
    return take_from_camp(deck, draw(state.chance, int(deck.camp)))


@rule
def slide_camp_under_army(deck: Record) -> int:
    """WAR-60: move the whole camp, in order, to the bottom of the army, and return the number of cards moved."""
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
    """Put a card into a pot in sorted order, or on a table as the last card."""
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
    """Return the index of the first card with this tag or a higher one."""
    place = 0
    while place < centre.length and centre.tags[place] < tag:
        place += 1
    return place


@rule
def close_gap(centre: Record, first: int, size: int) -> None:
    """Close the gap left by `size` cards at index `first` of the centre, after they were copied elsewhere."""
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
    """Return the number of cards in the pot of the current war, which come first in the centre."""
    return find_tag(state.centre, POT)


@rule
def pot_to_camp(state: Record, seat: int, size: int) -> None:
    """WAR-31, 37: move the first `size` cards of the centre to a camp."""
    for place in range(size):
        put_in_camp(state.decks[seat], state.centre.cards[place])
    close_gap(state.centre, 0, size)


@rule
def table_to_camp(state: Record, seat: int, winner: int) -> None:
    """Move the cards on a seat's table, which are the face-up one and those under it (WAR-76), to the winner's camp."""
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
    """Move the cards on a seat's table to a pot."""
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
