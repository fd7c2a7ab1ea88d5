"""WAR X-TREME: moves in writing (docs/rules/war-xtreme.md, part 6). Every move is one action."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import AT_SLOT, TWO, WILD_RANK
from fairdeal.games.war_xtreme.state import (
    ACT,
    ASK,
    BUY_IN,
    CALL,
    CATCH,
    CLOCK,
    CUT,
    DISPUTE,
    DISPUTING,
    DISTRUST,
    EQUIP,
    FLEE,
    FLIP,
    NO,
    PASS,
    RECRUIT,
    ROTATE,
    SHUFFLE,
    SLOTS,
    SWEEP,
    TARGETS,
    TRUST,
    WARS,
    YES,
)

WORDS = {
    "pass": PASS,
    "flip": FLIP,
    "sweep": SWEEP,
    "yes": YES,
    "accept": YES,
    "no": NO,
    "decline": NO,
    "flee": FLEE,
    "trust": TRUST,
    "clock": CLOCK,
}
HANDLINGS = {"shuffle": SHUFFLE, "cut": CUT, "rotate": ROTATE}
NUMBERED = {"catch": CATCH, "dispute": DISPUTE, "ask": ASK}
MOVE = re.compile(r"(buy-in|recruit|call|catch|dispute|ask) (\d{1,4})")
EQUIPMENT = re.compile(r"equip (\d{1,4})(?: on (\d{1,4}))?")
KNOWN = "`flip`, `pass`, `recruit 3`, `equip 5 on 1`, `trust`, `distrust shuffle cut`, `flee`, `buy-in 0` or `act roar`"


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move."""
    action = int(actions[0])
    if action in (YES, NO):
        words = ("accept", "decline") if int(state.phase) == DISPUTING else ("yes", "no")
        return words[action - YES]
    if action >= EQUIP and action != CLOCK:
        return write_equipment(state, action)
    if action in WORDS.values():
        return next(word for word, number in WORDS.items() if number == action)
    if DISTRUST < action < ACT:
        return " ".join(["distrust", *(word for word, bit in HANDLINGS.items() if (action - DISTRUST) & bit)])
    if ACT <= action < ACT + len(words_of(state).actions):
        return f"act {words_of(state).actions[action - ACT]}"
    for first, word, shift in (
        (ASK, "ask", 0),
        (DISPUTE, "dispute", 0),
        (CATCH, "catch", 0),
        (CALL, "call", 0),
        (RECRUIT, "recruit", 1),
    ):
        if action >= first:
            return f"{word} {action - first + shift}"
    return f"buy-in {action - BUY_IN}"


def write_equipment(state: Record, action: int) -> str:
    """`equip 4 on 3`: a slot counts from 1, a seat from 0."""
    number, target = (action - EQUIP) // TARGETS + 1, (action - EQUIP) % TARGETS
    if target == 0:
        return f"equip {number}"
    return f"equip {number} on {target if aims_at_slot(state, number) else target - 1}"


def aims_at_slot(state: Record, number: int) -> bool:
    return int(state.options.catalogue.equipment_target[number - 1]) == AT_SLOT


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    if text in WORDS:
        return [WORDS[text]]
    verb, _, rest = text.partition(" ")
    if verb == "distrust":
        return [read_distrust(text, rest.split())]
    if verb == "act":
        return [read_act(state, text, rest)]
    equipment = EQUIPMENT.fullmatch(text)
    if equipment:
        return [read_equipment(state, text, *equipment.groups())]
    numbered = MOVE.fullmatch(text)
    if not numbered:
        raise IllegalMove(text, f"write {KNOWN}")
    return [read_numbered(state, text, numbered[1], int(numbered[2]))]


def read_distrust(text: str, words: list[str]) -> int:
    """WAR-63: at least one of the three, each at most once, in any order."""
    if not words or len(set(words)) < len(words) or not set(words) <= HANDLINGS.keys():
        raise IllegalMove(text, "write at least one of shuffle, cut and rotate, each at most once", "WAR-63")
    return DISTRUST + sum(HANDLINGS[word] for word in words)


def read_act(state: Record, text: str, name: str) -> int:
    """WAR-19: one of the catalogue's actions."""
    words = words_of(state)
    if name not in words.action_of:
        raise IllegalMove(text, f"the actions are {', '.join(words.actions)}", "WAR-19")
    return ACT + words.action_of[name]


def read_equipment(state: Record, text: str, number: str, target: str | None) -> int:
    """WAR-74, 80: a number of the catalogue, and a target of the kind that it asks for."""
    most = int(state.options.catalogue.equipment_count)
    if not 1 <= int(number) <= most:
        raise IllegalMove(text, f"equipment has the numbers 1 to {most}", "WAR-74")
    action = EQUIP + TARGETS * (int(number) - 1)
    if target is None:
        return action
    if aims_at_slot(state, int(number)):
        return action + within(text, int(target), 1, SLOTS, "slots")
    return action + 1 + within(text, int(target), 0, int(state.players) - 1, "seats")


def read_numbered(state: Record, text: str, verb: str, number: int) -> int:
    if verb == "buy-in":
        return BUY_IN + within(text, number, 0, WARS - 1, "wars")
    if verb == "recruit":
        return RECRUIT - 1 + within(text, number, 1, SLOTS, "slots")
    if verb == "call":
        return CALL + within(text, number, TWO, WILD_RANK, "numbers")
    return NUMBERED[verb] + within(text, number, 0, int(state.players) - 1, "seats")


def within(text: str, number: int, lowest: int, highest: int, what: str) -> int:
    if not lowest <= number <= highest:
        raise IllegalMove(text, f"the {what} are {lowest} to {highest}")
    return number
