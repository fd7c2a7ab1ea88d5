"""WAR X-TREME: the reasons, with clauses, why moves are illegal and cards cannot be chosen."""

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import HOUSE, NOBODY
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.entries import Equipment
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.options import ENFORCED
from fairdeal.games.war_xtreme.rules.aiming import equipment_allowed, fits_window, has_effect, is_aim, is_must
from fairdeal.games.war_xtreme.rules.preparation import due_card
from fairdeal.games.war_xtreme.rules.reveal import may_buy_into
from fairdeal.games.war_xtreme.text.draft import kit_and_target
from fairdeal.games.war_xtreme.text.standing import kit_in

Reason = tuple[str, str]

IN_WINDOW = "pass equip", "play equipment now, or `pass`", "WAR-76"
WANTED: dict[xtreme.Phase, tuple[str, str, str]] = {
    "EXTREME": ("yes no", "first answer whether you feel extreme, with `yes` or `no`", "WAR-03"),
    "REGROUP": (
        "trust distrust ask",
        "answer for the new pile: `trust`, or `distrust` with shuffle, cut or rotate",
        "WAR-62",
    ),
    "PREP": ("flip catch dispute equip", "the cards have not been turned yet: `flip`, or prepare", "WAR-30"),
    "DISPUTE": ("yes no", "answer the quarrel, with `accept` or `decline`", "WAR-89"),
    "REACT": IN_WINDOW,
    "WILD": ("call", "call your Wild: `call 16`, or the rank of another card", "WAR-26"),
    "RACE": ("act pass", "this is a race: `act` with the name of an action, or `pass`", "WAR-19"),
    "CHOICE": ("flee buy_in", "your card ranks above a war: `flee`, or `buy-in`", "WAR-51"),
    "BRACE": IN_WINDOW,
    "RECRUIT": ("recruit", "pick a recruit: `recruit` with the number of a slot", "WAR-36"),
    "CLASH": IN_WINDOW,
    "SWEEP": ("sweep", "you have won the pot: `sweep`", "WAR-32"),
}
"""For each phase, the legal verbs, and the reason and the clause against all other verbs."""

AIMS = {
    "none": "this equipment does not take a target",
    "rival": "this equipment needs another living seat: add `on` and its number",
    "seat": "this equipment needs a living seat: add `on` and its number",
    "slot": "this equipment needs a filled slot: add `on` and its number",
}
"""Error messages for a target of the wrong kind."""

MOMENTS = {
    "PREP": "before the cards are turned",
    "REACT": "after the cards are turned",
    "BRACE": "after the stakes are laid",
    "CLASH": "after the recruits are turned",
}


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with the clause, or None if no reason is found."""
    verb, which = xtreme.ACTIONS.decode(action)
    if verb == "clock" or player == HOUSE:
        return why_no_clock(player, verb)
    if xtreme.phase_of(state) == "PREP" and must_come_first(state, player, verb, which):
        return "you hold a card that must be played first", "WAR-87"
    verbs, wanted, clause = WANTED[xtreme.phase_of(state)]
    if verb not in verbs.split():
        if verb == "equip":
            return "you can play equipment only before the cards are turned, or in a window afterwards", "WAR-75"
        return wanted, clause
    match verb:
        case "buy_in" if which >= state.war_count:
            return "there is no such war", "WAR-54"
        case "buy_in" if not may_buy_into(state, player, which):
            return "you can join only a war that ranks below your card", "WAR-52"
        case "recruit":
            return "this slot is empty", "WAR-36"
        case "trust" | "distrust":
            return "first name the seat to ask, with `ask` and its number", "WAR-61"
        case "act":
            return f"the actions are {', '.join(words_of(state).actions)}", "WAR-19"
        case "call":
            return f"there is no other regular card of rank {which} in this fight", "WAR-26"
        case "catch" | "dispute":
            return why_not_accused(state, player, verb, which)
        case "ask" if state.regroup.asked != NOBODY:
            return wanted, clause
        case "ask":
            return "you can ask only another living seat for trust", "WAR-61"
        case "equip":
            return why_no_equipment(state, player, *kit_and_target(which))
    return None


def why_no_clock(player: int, verb: str) -> Reason:
    if player != HOUSE:
        return "only the house can run the clock", "WAR-19"
    if verb != "clock":
        return "the house can only run the clock", "WAR-19"
    return "there is no race for the clock to end", "WAR-19"


def must_come_first(state: Snapshot, player: int, verb: str, which: int) -> bool:
    """WAR-87: return whether a due card must be played before this action, at a table that does not allow hiding."""
    if state.options.must_play != ENFORCED or due_card(state, player) == NOBODY:
        return False
    return not (verb == "equip" and is_must(state, kit_and_target(which)[0]))


def why_no_equipment(state: Snapshot, player: int, number: int, target: int) -> Reason | None:
    if state.options.equipment == 0:
        return "there is no equipment at this table", "WAR-72"
    if number > state.options.catalogue.equipment_count:
        return f"equipment numbers are 1 to {state.options.catalogue.equipment_count}", "WAR-74"
    kit = words_of(state).equipment[number - 1]
    if not equipment_allowed(state):
        return "you cannot play equipment in the first round", "WAR-73"
    if number not in kit_in(state, xtreme.IN_HAND + player):
        if number in kit_in(state, xtreme.HIDDEN + player):
            return f"{kit.name} is hidden and can never be played", "WAR-84"
        return f"{kit.name} is not in your hand", "WAR-72"
    if not fits_window(state, number):
        return f"{kit.name} cannot be played at this time", "WAR-75"
    if not is_aim(state, player, number, target):
        return AIMS[kit.target], "WAR-80"
    if not has_effect(state, player, number, target):
        return f"{kit.name} would have no effect here", "WAR-80"
    return None


def why_not_accused(state: Snapshot, player: int, verb: str, seat: int) -> Reason | None:
    """WAR-86, 89: return the reason why a seat cannot be accused or challenged, or None."""
    clause, said = ("WAR-86", xtreme.SAID_CATCH) if verb == "catch" else ("WAR-89", xtreme.SAID_DISPUTE)
    if verb == "catch" and (state.options.must_play == ENFORCED or state.options.equipment == 0):
        return "nothing can be hidden at this table", "WAR-87"
    if verb == "catch" and not equipment_allowed(state):
        return "you cannot accuse anyone in the first round", clause
    if verb == "dispute" and state.options.dispute == 0:
        return "there are no quarrels at this table", clause
    if state.seats[player].said & said:
        return "you have already done this in this round", clause
    if seat == player or not is_in(state.alive, seat):
        return "name another living seat", clause
    return None


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str | Reason:
    """Return the reason why a seat that may act cannot choose a card."""
    words, kit = words_of(state), str(card.face).removeprefix("kit/")
    if kit in words.kit_of:
        number = words.kit_of[kit]
        return why_not_played(state, words.equipment[number - 1], number in kit_in(state, xtreme.IN_HAND + viewer))
    if zone.id == "slots":
        return "slot"
    return "played" if card.face else "unseen"


def why_not_played(state: Snapshot, kit: Equipment, held: bool) -> str | Reason:
    """Return the reason why a piece of equipment cannot be played now."""
    if not held:
        return f"{kit.name} can no longer be played", "WAR-84" if kit.kind == "must" else "WAR-79"
    if state.round_no == 1:
        return "first_round"
    if xtreme.phase_of(state) not in MOMENTS:
        return "moment"
    if xtreme.phase_of(state) not in kit.windows:
        return f"{kit.name} can be played {' or '.join(MOMENTS[one] for one in kit.windows)}", "WAR-75"
    return f"{kit.name} would have no effect now", "WAR-80"
