"""CHIMAX BOOKS: why a move is not legal, in words and with the clause."""

from fairdeal.engine.records import HOUSE
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.books.state import ACTIONS, CHOOSE, DECLARING, PLAY, TOP_ONLY
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import OVER, PLAYOFF
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Why an action is not legal, with the clause; None if nothing speaks against it."""
    verb, which = ACTIONS.decode(action)
    if verb == "expose" and player == HOUSE:
        return "there is no face-down card in this slot", "BOOKS-30"
    if verb == "expose":
        return "only the house can bring this about", "BOOKS-30"
    if player == HOUSE or verb == "clock":
        return layer_reason(state, player, action)
    if verb != "declare" and state.phase in (DECLARING, PLAYOFF) and to_declare(state.book) >= 0:
        return "a question mark waits for its value first", "BOOKS-15"
    if verb in ("deal", "cut", "declare"):
        return layer_reason(state, player, action)
    if state.phase == PLAYOFF:
        return "a playoff is played with one card for each of those who are level", "TOUR-07"
    if state.phase not in (PLAY, CHOOSE):
        return "the cards are dealt first", "GEN-15"
    return not_in_hand(state, player, verb, which)


def not_in_hand(state: Snapshot, player: int, verb: str, which: int) -> Reason:
    """BOOKS-06, 07: a card that is not there, or not to be named in this way."""
    if state.options.pick == TOP_ONLY:
        return "only the top card may be played here: write `top`", "BOOKS-07"
    match verb:
        case "slot" if state.options.peek:
            return "you see your hand here: name the card, as in `play 25`", "BOOKS-06"
        case "slot":
            return f"no card is left in slot {which + 1}", "BOOKS-05"
        case "face" if not state.options.peek:
            return "hands are unseen here: name a slot, as in `slot 3`", "BOOKS-06"
        case "face":
            return "this card is not in your hand", "BOOKS-07"
    return "any card may be played here: name one", "BOOKS-07"


def why(state: Snapshot, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    zone = card.partition(".")[0]
    if state.phase == OVER:
        return "The game is over.", "BOOKS-28"
    if zone.startswith("won"):
        return "Won Books stay face down until the round is scored.", "BOOKS-14"
    if zone in ("book", "taken"):
        return "This card is played. What lies, lies.", "BOOKS-13"
    if zone == "value":
        return "What a ? may stand for is chosen once one is played.", "BOOKS-15"
    if viewer not in state.acting:
        return "It is not your turn.", "BOOKS-10"
    if zone != f"hand{viewer}":
        return "Hands off: this one is not yours.", "BOOKS-06"
    if state.phase == DECLARING:
        return "Your ? needs its value first.", "BOOKS-15"
    if state.phase in (PLAY, CHOOSE):
        return "Only the top card may be played at this table.", "BOOKS-07"
    return "The next cards are dealt first.", "GEN-15"
