"""CHIMAX BOOKS: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import HOUSE, Record
from fairdeal.games.chimax.books.rules.book import lowest_slot
from fairdeal.games.chimax.books.state import CHOOSE, DECLARING, EXPOSE, FACE, PLAY, SLOT, TOP, TOP_ONLY
from fairdeal.games.chimax.books.text.notation import read_move
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CLOCK, DECLARE, OVER, OWN, PLAYOFF, PLAYOFF_CARD
from fairdeal.games.chimax.text.words import explain_shared

WAITS = "a question mark waits for its value first"


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    if action >= EXPOSE:
        return explain_exposure(player, text)
    phase = int(state.phase)
    waits = phase in (DECLARING, PLAYOFF) and to_declare(state.book) >= 0
    seats = player != HOUSE and action != CLOCK
    if seats and waits and not DECLARE <= action < PLAYOFF_CARD:
        return IllegalMove(text, WAITS, "BOOKS-15")
    if not seats or (action < OWN and action != PLAYOFF_CARD):
        return explain_shared(state, player, action, text)
    if phase == PLAYOFF:
        return IllegalMove(text, "a playoff is played with one card for each of those who are level", "TOUR-07")
    if phase not in (PLAY, CHOOSE):
        return IllegalMove(text, "the cards are dealt first", "GEN-15")
    return not_in_hand(state, player, action, text)


def explain_exposure(player: int, text: str) -> IllegalMove:
    """BOOKS-30: accidents are told by the house."""
    if player != HOUSE:
        return IllegalMove(text, "only the house can bring this about", "BOOKS-30")
    return IllegalMove(text, "there is no face-down card in this slot", "BOOKS-30")


def not_in_hand(state: Record, player: int, action: int, text: str) -> IllegalMove:
    """BOOKS-06, 07: a card that is not there, or not to be named in this way."""
    if int(state.options.pick) == TOP_ONLY:
        return IllegalMove(text, "only the top card may be played here: write `top`", "BOOKS-07")
    if action == TOP:
        return IllegalMove(text, "any card may be played here: name one", "BOOKS-07")
    if int(state.options.peek) and action < FACE:
        return IllegalMove(text, "you see your hand here: name the card, as in `play 25`", "BOOKS-06")
    if not int(state.options.peek) and action >= FACE:
        return IllegalMove(text, "hands are unseen here: name a slot, as in `slot 3`", "BOOKS-06")
    if action >= FACE and lowest_slot(state, player, action - FACE) < 0:
        return IllegalMove(text, "this card is not in your hand", "BOOKS-07")
    return IllegalMove(text, f"no card is left in slot {action - SLOT + 1}", "BOOKS-05")


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    zone, _, _ = card.partition(".")
    phase = int(state.phase)
    if phase == OVER:
        return "The game is over.", "BOOKS-28"
    if zone.startswith("won"):
        return "Won Books stay face down until the round is scored.", "BOOKS-14"
    if zone in ("book", "taken"):
        return "This card is played. What lies, lies.", "BOOKS-13"
    if zone == "value":
        return "What a ? may stand for is chosen once one is played.", "BOOKS-15"
    if viewer < 0 or not int(state.to_act) >> viewer & 1:
        return "It is not your turn.", "BOOKS-10"
    if zone != f"hand{viewer}":
        return "Hands off: this one is not yours.", "BOOKS-06"
    if phase == DECLARING:
        return "Your ? needs its value first.", "BOOKS-15"
    if phase in (PLAY, CHOOSE):
        return "Only the top card may be played at this table.", "BOOKS-07"
    return "The next cards are dealt first.", "GEN-15"
