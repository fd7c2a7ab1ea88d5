"""CHIMAX BOOKS: the actions and the record of a game."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import flags, in_order, number, one_seat, placed
from fairdeal.engine.records import i1, i2, i4, record
from fairdeal.games.chimax.deck import CARDS, FACES, KINDS
from fairdeal.games.chimax.state import LAYER_ACTIONS, OWN_PHASE, SEATS, chimax_state, observed, shared_options

SLOTS = 20
"""BOOKS-01: maximum number of cards in a hand, reached with two players."""

PLAY, CHOOSE, DECLARING = OWN_PHASE, OWN_PHASE + 1, OWN_PHASE + 2

ACTIONS = Actions(LAYER_ACTIONS, slot=SLOTS, face=FACES, top=1, expose=SEATS * SLOTS)
"""The actions: to play a slot of an unseen hand, a face of a seen hand, or the top card, and, for the house, to expose
a card."""
SLOT, FACE, TOP, EXPOSE = ACTIONS.firsts

ANY, TOP_ONLY = 0, 1
LAST_WINNER, DEALER_LEFT = 0, 1
TAP_SAID, TAP_COUNTS = 0, 1
BOOKS_AND_SPECIALS, SPECIALS_ONLY = 0, 1
PER_PAIR, ONCE, EXACT = 0, 1, 2

options = record(
    peek=i1,
    pick=i1,
    reveal=i1,
    deal_leader=i1,
    declare_scope=i1,
    actual_card=i1,
    tap=i1,
    scoring=i1,
    pair_count=i1,
    target=i2,
    max_rounds=i1,
    **shared_options,
)

hand = record(length=i1, left=i1, cards=(i1, SLOTS))
"""The record type of a hand, whose slots are counted from the top (BOOKS-05). `length` slots were dealt and `left` of
them still hold a card; the others are EMPTY."""

won_piles = record(length=(i1, SEATS), cards=(i1, CARDS))
"""The record type of all won piles, one after another by seat, each in the order in which its cards were won."""

taken = record(winner=i1, length=i1, seats=(i1, SEATS), cards=(i1, SEATS))
"""The record type of the Book just won, which everyone can see until the next card is played."""

STATE = chimax_state(
    options,
    hands=(hand, SEATS),
    won=won_piles,
    taken=taken,
    books=(i1, SEATS),
    exposed=(i4, SEATS),  # slots exposed by accident, as bits
)

OBSERVED = observed(
    DECLARING + 1,
    {
        "hands.cards": placed(FACES, "cards by slot, from the top"),
        "won.cards": number("won piles, one after another, from seat 0"),
        "taken.winner": one_seat("seat that has just won a Book"),
        "taken.seats": in_order(one_seat("seats that played the cards of that Book")),
        "taken.cards": placed(KINDS, "cards of that Book"),
        "exposed": flags(SLOTS, "slots exposed by accident"),
    },
)
