"""WAR X-TREME: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import HOUSE, NOBODY, Record
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.rules.aiming import equipment_allowed, fits_window, has_effect, is_aim, is_must
from fairdeal.games.war_xtreme.rules.effects import equipment_of_action, target_of_action
from fairdeal.games.war_xtreme.rules.equipment import find_equipment
from fairdeal.games.war_xtreme.rules.preparation import due_card
from fairdeal.games.war_xtreme.rules.reveal import may_buy_into
from fairdeal.games.war_xtreme.state import (
    ACT,
    ASK,
    BRACE,
    BUY_IN,
    CALL,
    CALLING,
    CATCH,
    CHOICE,
    CLASH,
    CLOCK,
    DISPUTE,
    DISPUTING,
    ENFORCED,
    EQUIP,
    EXTREME,
    FLEE,
    FLIP,
    HIDDEN,
    IN_HAND,
    NO,
    PASS,
    PREP,
    RACE,
    REACT,
    RECRUIT,
    RECRUITING,
    REGROUP,
    SAID_CATCH,
    SAID_DISPUTE,
    SWEEP,
    SWEEPING,
    TRUST,
    YES,
)
from fairdeal.games.war_xtreme.text.notation import read_move

Reason = tuple[str, str]

WANTED: dict[int, Reason] = {
    EXTREME: ("everybody is asked first: `yes` or `no`", "WAR-03"),
    REGROUP: ("a new pile lies before you: `trust`, or `distrust` with shuffle, cut or rotate", "WAR-62"),
    PREP: ("the cards have not turned yet: `flip`, or prepare", "WAR-30"),
    DISPUTING: ("a quarrel waits for your answer: `accept` or `decline`", "WAR-89"),
    REACT: ("this is the moment for equipment, or `pass`", "WAR-76"),
    CALLING: ("your Wild has to be called: `call 16`, or the rank of another card", "WAR-26"),
    RACE: ("there is a race: `act` and the name of an action, or `pass`", "WAR-19"),
    CHOICE: ("your card stands above a war: `flee`, or `buy-in`", "WAR-51"),
    BRACE: ("this is the moment for equipment, or `pass`", "WAR-76"),
    RECRUITING: ("a recruit has to be picked: `recruit` and the number of a slot", "WAR-36"),
    CLASH: ("this is the moment for equipment, or `pass`", "WAR-76"),
    SWEEPING: ("the pot is yours: `sweep`", "WAR-32"),
}
"""What a phase asks for, where something else was tried."""

PHASES_OF: tuple[tuple[range, tuple[int, ...]], ...] = (
    (range(PASS, PASS + 1), (REACT, BRACE, CLASH, RACE)),
    (range(FLIP, FLIP + 1), (PREP,)),
    (range(SWEEP, SWEEP + 1), (SWEEPING,)),
    (range(YES, NO + 1), (EXTREME, DISPUTING)),
    (range(FLEE, RECRUIT), (CHOICE,)),
    (range(RECRUIT, TRUST), (RECRUITING,)),
    (range(TRUST, ACT), (REGROUP,)),
    (range(ACT, CALL), (RACE,)),
    (range(CALL, CATCH), (CALLING,)),
    (range(CATCH, ASK), (PREP,)),
    (range(ASK, EQUIP), (REGROUP,)),
    (range(EQUIP, CLOCK), (PREP, REACT, BRACE, CLASH)),
)
"""The phases in which an action can be legal."""


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    reason = why_not(state, player, action)
    return IllegalMove(text, *reason) if reason else None


def why_not(state: Record, player: int, action: int) -> Reason | None:
    """The same for an action: words and a clause."""
    phase = int(state.phase)
    if action == CLOCK or player == HOUSE:
        return why_no_clock(phase, player, action)
    if phase == PREP:
        due = why_not_due(state, player, action)
        if due:
            return due
    if not any(action in actions and phase in phases for actions, phases in PHASES_OF):
        return why_wrong_phase(state, player, action)
    if action >= EQUIP:
        return why_no_equipment(state, player, action)
    if action >= ASK:
        return why_not_asked(state, player, action - ASK)
    if CATCH <= action < ASK:
        return why_not_accused(state, player, action)
    if CALL <= action < CATCH:
        return f"no other regular card here counts {action - CALL}", "WAR-26"
    if TRUST <= action < ACT:
        return "first name the seat that is asked: `ask` and its number", "WAR-61"
    if RECRUIT <= action < TRUST:
        return "this slot is empty", "WAR-36"
    if BUY_IN <= action < RECRUIT:
        return why_not_bought(state, player, action - BUY_IN)
    return None


def why_no_clock(phase: int, player: int, action: int) -> Reason:
    if player != HOUSE:
        return "the clock is the house's", "WAR-19"
    if action != CLOCK:
        return "the house has no seat", "WAR-19"
    return "no race is under way that could run out of time", "WAR-19"


def why_wrong_phase(state: Record, player: int, action: int) -> Reason:
    """What this moment asks for; of equipment, what it needs."""
    if action >= EQUIP and int(state.phase) not in (PREP, REACT, BRACE, CLASH):
        return "equipment is played before the cards turn, or in a window after they have", "WAR-75"
    return WANTED[int(state.phase)]


def why_not_due(state: Record, player: int, action: int) -> Reason | None:
    """WAR-87: where hiding is not allowed, a due card comes first."""
    if state.options.must_play != ENFORCED or due_card(state, player) == NOBODY:
        return None
    if action >= EQUIP and is_must(state, equipment_of_action(action)):
        return None
    return "you hold a card that must be played first", "WAR-87"


def why_no_equipment(state: Record, player: int, action: int) -> Reason | None:
    number, target = int(equipment_of_action(action)), int(target_of_action(action))
    name = words_of(state).equipment[number - 1].name
    if state.options.equipment == 0:
        return "there is no equipment at this table", "WAR-72"
    if not equipment_allowed(state):
        return "no equipment in the first round", "WAR-73"
    if find_equipment(state.equipment, IN_HAND + player, number) < 0:
        if find_equipment(state.equipment, HIDDEN + player, number) >= 0:
            return f"{name} is hidden, and can never be played", "WAR-84"
        return f"{name} is not in your hand", "WAR-72"
    if not fits_window(state, number):
        return f"{name} is not for this moment", "WAR-75"
    if not is_aim(state, player, number, target):
        return why_no_aim(state, number)
    if not has_effect(state, player, number, target):
        return f"{name} would do nothing like this", "WAR-80"
    return None


def why_no_aim(state: Record, number: int) -> Reason:
    """What the card has to be aimed at."""
    wanted = words_of(state).equipment[number - 1].target
    words = {
        "none": "it is aimed at nothing",
        "rival": "it is aimed at another living seat: `on` and its number",
        "seat": "it is aimed at a living seat: `on` and its number",
        "slot": "it is aimed at a filled slot: `on` and its number",
    }
    return words[wanted], "WAR-80"


def why_not_asked(state: Record, player: int, seat: int) -> Reason:
    if state.regroup.asked != NOBODY:
        return WANTED[REGROUP]
    return "another living seat is asked for trust", "WAR-61"


def why_not_accused(state: Record, player: int, action: int) -> Reason | None:
    """WAR-86, 89: catching and quarrelling."""
    catching = action < DISPUTE
    seat = action - (CATCH if catching else DISPUTE)
    said = int(state.seats[player].said)
    if catching and (state.options.must_play == ENFORCED or state.options.equipment == 0):
        return "nothing can be hidden at this table", "WAR-87"
    if catching and not equipment_allowed(state):
        return "nobody is accused in the first round", "WAR-86"
    if not catching and state.options.dispute == 0:
        return "there are no disputes at this table", "WAR-89"
    if said & (SAID_CATCH if catching else SAID_DISPUTE):
        return "once a round is enough", "WAR-86" if catching else "WAR-89"
    if seat == player or not is_in(int(state.alive), seat):
        return "name another living seat", "WAR-86" if catching else "WAR-89"
    return None


def why_not_bought(state: Record, player: int, number: int) -> Reason | None:
    if number >= int(state.war_count):
        return "there is no such war", "WAR-54"
    if not may_buy_into(state, player, number):
        return "only a war below your own card can be joined", "WAR-52"
    return None
