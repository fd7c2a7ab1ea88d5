"""WAR X-TREME: moves as text (docs/rules/war-xtreme.md, part 6). Every move is one action."""

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import TWO, WILD_RANK
from fairdeal.games.war_xtreme.state import ACTIONS, NO, SLOTS, TARGETS, WARS, YES, phase_of
from fairdeal.games.war_xtreme.text.draft import TRICKS, is_slot, kit_and_target, tricks_of

TEXTS = Texts(
    ACTIONS,
    pass_="pass",
    flip="flip",
    sweep="sweep",
    yes="yes",
    no="no",
    flee="flee",
    buy_in="buy-in {}",
    recruit=("recruit {}", range(1, SLOTS + 1)),
    trust="trust",
    distrust=("distrust {}", [" ".join(tricks_of(one)) for one in range(1, 1 + sum(TRICKS.values()))]),
    act=None,
    call="call {}",
    catch="catch {}",
    dispute="dispute {}",
    ask="ask {}",
    equip=None,
    clock="clock",
)
ANSWERS = {"accept": YES, "decline": NO}
"""Answers to a challenge, by their text (WAR-89)."""

NUMBERED = re.compile(r"(buy-in|recruit|call|catch|dispute|ask) (\d{1,4})")
EQUIPMENT = re.compile(r"equip (\d{1,4})(?: on (\d{1,4}))?")
KNOWN = "`flip`, `pass`, `recruit 3`, `equip 5 on 1`, `trust`, `distrust shuffle cut`, `flee`, `buy-in 0` or `act roar`"


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the text of a move."""
    match ACTIONS.decode(actions[0]):
        case "yes" | "no" as verb, _ if phase_of(state) == "DISPUTE":
            return "accept" if verb == "yes" else "decline"
        case "act", number:
            return f"act {words_of(state).actions[number]}"
        case "equip", which:
            number, target = kit_and_target(which)
            on = f" on {target if is_slot(state, number) else target - 1}" if target else ""
            return f"equip {number}{on}"
    return TEXTS.write(actions[0]) or ""


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """Return the action of a move given as text. Raises IllegalMove for text that cannot be an action in any state."""
    verb, _, rest = text.partition(" ")
    action = TEXTS.read(text)
    if action is not None and not (verb in ("catch", "dispute", "ask") and int(rest) >= state.players):
        return [action]
    if text in ANSWERS:
        return [ANSWERS[text]]
    if verb == "distrust":
        return [read_distrust(text, rest.split())]
    if verb == "act":
        return [read_act(state, text, rest)]
    equipment = EQUIPMENT.fullmatch(text)
    if equipment:
        return [read_equipment(state, text, int(equipment[1]), equipment[2])]
    raise misread(state, text)


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for text that does not name an action."""
    numbered = NUMBERED.fullmatch(text)
    if not numbered:
        return TEXTS.unknown(text, KNOWN)
    limits = {"buy-in": ("wars", 0, WARS - 1), "recruit": ("slots", 1, SLOTS), "call": ("numbers", TWO, WILD_RANK)}
    return out_of_range(text, *limits.get(numbered[1], ("seats", 0, state.players - 1)))


def out_of_range(text: str, what: str, lowest: int, highest: int) -> IllegalMove:
    return IllegalMove(text, f"the {what} are {lowest} to {highest}")


def read_distrust(text: str, words: list[str]) -> int:
    """WAR-63: read the ways of handling a distrusted pile: at least one of the three words, each at most once, in any
    order."""
    if not words or len(set(words)) < len(words) or not set(words) <= TRICKS.keys():
        raise IllegalMove(text, "write at least one of shuffle, cut and rotate, each at most once", "WAR-63")
    return ACTIONS.encode("distrust", sum(TRICKS[word] for word in words))


def read_act(state: Snapshot, text: str, name: str) -> int:
    """WAR-19: read a speed action of the catalogue."""
    words = words_of(state)
    if name not in words.action_of:
        raise IllegalMove(text, f"the actions are {', '.join(words.actions)}", "WAR-19")
    return ACTIONS.encode("act", words.action_of[name])


def read_equipment(state: Snapshot, text: str, number: int, on: str | None) -> int:
    """WAR-74, 80: read a piece of equipment from its number, with a target of the kind that it needs."""
    most = state.options.catalogue.equipment_count
    if not 1 <= number <= most:
        raise IllegalMove(text, f"equipment numbers are 1 to {most}", "WAR-74")
    target = 0
    if on is not None:
        first, last, what = (1, SLOTS, "slots") if is_slot(state, number) else (0, state.players - 1, "seats")
        if not first <= int(on) <= last:
            raise out_of_range(text, what, first, last)
        target = int(on) + 1 - first
    return ACTIONS.encode("equip", TARGETS * (number - 1) + target)
