"""CHIMAX BOOKS: the reasons why moves are illegal, with clauses."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import HOUSE
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.books.state import ACTIONS, CHOOSE, DECLARING, PLAY, TOP_ONLY
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import PLAYOFF
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with its clause, or None if it is legal."""
    verb, which = ACTIONS.decode(action)
    if verb == "expose" and player == HOUSE:
        return "this slot has no face-down card", "BOOKS-30"
    if verb == "expose":
        return "only the house can expose a card", "BOOKS-30"
    if player == HOUSE or verb == "clock":
        return layer_reason(state, player, action)
    if verb != "declare" and state.phase in (DECLARING, PLAYOFF) and to_declare(state.book) >= 0:
        return "declare the question mark first", "BOOKS-15"
    if verb in ("deal", "cut", "declare", "playoff_card"):
        return layer_reason(state, player, action)
    if state.phase == PLAYOFF:
        return "in a playoff, each tied player has only one card: write `slot 1`", "TOUR-07"
    if state.phase not in (PLAY, CHOOSE):
        return "the cards must be dealt first", "GEN-15"
    return not_in_hand(state, player, verb, which)


def not_in_hand(state: Snapshot, player: int, verb: str, which: int) -> Reason:
    """Return the reason why a card cannot be played: it is not in the hand, or it was given in the wrong way (BOOKS-06,
    07)."""
    if state.options.pick == TOP_ONLY:
        return "at this table, you may play only the top card: write `top`", "BOOKS-07"
    match verb:
        case "slot" if state.options.peek:
            return "at this table, you see your hand: name the card, as in `play 25`", "BOOKS-06"
        case "slot":
            return f"slot {which + 1} is empty", "BOOKS-05"
        case "face" if not state.options.peek:
            return "at this table, hands are hidden: name a slot, as in `slot 3`", "BOOKS-06"
        case "face":
            return "this card is not in your hand", "BOOKS-07"
    return "at this table, you may play any card: name one", "BOOKS-07"


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str:
    """Return the reason why a seat on turn cannot choose a card, as the name of a refusal in `clauses.toml`."""
    if zone.id != f"hand{viewer}":
        return "not_yours"
    if state.phase == DECLARING:
        return "declare"
    return "top" if state.phase in (PLAY, CHOOSE) else "deal"
