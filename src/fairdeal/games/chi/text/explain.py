"""CHI: the reasons, with clauses, why moves are illegal and cards cannot be chosen."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chi.cards import CODES, KIND_OF, name_of
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.rules.legal import may_play_card
from fairdeal.games.chi.state import ACT, ACTIONS, CHI, DISCARDING, DUEL, PLAY_6, YANG_3, YANG_6

Reason = tuple[str, str]

LAST_CARD = "you may not play your last card", "CHI-12"
NOT_ON_A_TURN = {
    "discard": ("you can discard only at the end of your turn, above the hand limit", "CHI-11"),
    "answer_chi": ("a Chi can only answer an attack, and there is none", "CHI-41"),
    "pass": ("you cannot pass your turn: draw, or play a Yang or a Yin", "CHI-13"),
}
"""Reasons, by verb, why actions are not legal on an ordinary turn."""


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with the clause, or None if no reason is found."""
    return wrong_phase(state, action) or not_possible(state, player, action)


def wrong_phase(state: Snapshot, action: int) -> Reason | None:
    verb = ACTIONS.decode(action).verb
    if state.phase == DUEL and verb not in ("answer_chi", "pass"):
        return "answer the attack first, with `chi` or `pass`", "CHI-41"
    if state.phase == DISCARDING and verb != "discard":
        return f"you have more than {state.options.hand_limit} cards: discard one", "CHI-11"
    return NOT_ON_A_TURN.get(verb) if state.phase == ACT else None


def not_possible(state: Snapshot, player: int, action: int) -> Reason | None:
    verb, which = ACTIONS.decode(action)
    if verb == "draw":
        return ("this place in the row is empty", "CHI-51") if state.row[which] == EMPTY else None
    if verb == "draw_deck":
        return "you have another legal move", "CHI-13"
    kind = played_kind(action)
    if kind is None:
        return None
    if kind not in state.hands[player].held:
        return f"{CODES[kind]} is not in your hand", clause_of(kind)
    if verb != "discard" and not may_play_card(state, player):
        return LAST_CARD
    if verb == "play_6":
        return f"your area already has {name_of(kind)}", clause_of_doubles(state)
    return no_target(kind) if verb.startswith("attack") else None


def no_target(colour: int) -> Reason:
    return f"the other player has no {COLOUR_NAMES[colour]} stack that you can attack", "CHI-40"


def played_kind(action: int) -> int | None:
    """Return the kind of card that an action removes from the hand, or None."""
    match ACTIONS.decode(action):
        case "play_3", colour:
            return YANG_3 + colour
        case "play_6", colour:
            return YANG_6 + colour
        case "attack_3" | "attack_6", colour:
            return colour
        case "answer_chi", _:
            return CHI
        case "discard", kind:
            return kind
    return None


def clause_of(kind: int) -> str:
    if kind == CHI:
        return "CHI-41"
    return "CHI-40" if kind < YANG_3 else "CHI-30"


def clause_of_doubles(state: Snapshot) -> str:
    """Return the clause that forbids a second Yang of a colour in an area."""
    return "CHI-34" if state.options.yang_layout else "CHI-33"


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str | Reason | None:
    """Return the reason why a card cannot be chosen on the viewer's turn."""
    if state.phase == DUEL:
        return "duel"
    if state.phase == DISCARDING:
        return "discarding"
    if zone.place != "hand":
        return "table"
    if not may_play_card(state, viewer):
        return LAST_CARD
    if card.face == "chi":
        return "chi"
    kind = KIND_OF[str(card.face)]
    if kind < YANG_3:
        return no_target(kind)
    return not_possible(state, viewer, PLAY_6 + kind - YANG_6)
