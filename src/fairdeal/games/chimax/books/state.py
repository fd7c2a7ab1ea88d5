"""CHIMAX BOOKS: the actions and the phases."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number
from fairdeal.games.chimax.books.options import BooksOptions
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.state import LAYER_ACTIONS, OWN_PHASE, SEATS

SLOTS = 20
"""BOOKS-01: maximum number of cards in a hand, reached with two players."""

PLAY, CHOOSE, DECLARING = OWN_PHASE, OWN_PHASE + 1, OWN_PHASE + 2

ACTIONS = Actions(LAYER_ACTIONS, slot=SLOTS, face=FACES, top=1, expose=SEATS * SLOTS)
"""The actions: to play a slot of an unseen hand, a face of a seen hand, or the top card, and, for the house, to expose
a card."""
SLOT, FACE, TOP, EXPOSE = ACTIONS.firsts

TOP_ONLY = option_number(BooksOptions, pick="top")
LAST_WINNER = option_number(BooksOptions, deal_leader="last_winner")
TAP_COUNTS = option_number(BooksOptions, tap="point")
BOOKS_AND_SPECIALS = option_number(BooksOptions, scoring="books_and_specials")
SPECIALS_ONLY = option_number(BooksOptions, scoring="specials_only")
ONCE = option_number(BooksOptions, pair_count="once")
EXACT = option_number(BooksOptions, pair_count="exact")
