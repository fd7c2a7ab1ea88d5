"""CHI: moves in writing (docs/rules/chi.md, part 1, section 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import Record
from fairdeal.games.chi.cards import CODES, KIND_OF
from fairdeal.games.chi.colours import COLOUR_NAMES, colour_of
from fairdeal.games.chi.rules.legal import can_draw_deck
from fairdeal.games.chi.state import (
    ANSWER_CHI,
    ATTACK_3,
    ATTACK_6,
    CHI,
    DISCARD,
    DRAW_DECK,
    NO_ACTION,
    PASS,
    PLAY_3,
    ROW,
    SINGLE_3,
    SINGLE_6,
    YANG_3,
    YIN,
)

MOVE = re.compile(r"(draw|yang|yin|discard) (\S+)(?: on (\d{1,4}))?")
KNOWN = "`draw 3`, `draw deck`, `yang yang3-red`, `yin yin-red on 1`, `chi`, `pass`, `discard chi` or `none`"


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move of CHI is one action."""
    action = actions[0]
    if action < PLAY_3:
        return f"draw {action}"
    if action < ATTACK_3:
        return f"yang {CODES[YANG_3 + action - PLAY_3]}"
    if action < ANSWER_CHI:
        colour = colour_of(action - ATTACK_3)
        target = SINGLE_3 + colour if action < ATTACK_6 else SINGLE_6 + colour
        return f"yin yin-{COLOUR_NAMES[colour]} on {find(state.areas[1 - player], target)}"
    if action in (ANSWER_CHI, PASS):
        return "chi" if action == ANSWER_CHI else "pass"
    if action < DRAW_DECK:
        return f"discard {CODES[action - DISCARD]}"
    return "draw deck" if can_draw_deck(state) else "none"


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    words = {"chi": ANSWER_CHI, "pass": PASS}
    if text in words:
        return [words[text]]
    if text in ("none", "draw deck"):
        if (text == "draw deck") != can_draw_deck(state):
            raise no_deck_draw(text)
        return [NO_ACTION]
    parts = MOVE.fullmatch(text)
    if not parts or (parts[3] is not None) != (parts[1] == "yin"):
        raise IllegalMove(text, f"write {KNOWN}")
    verb, what, target = parts.groups()
    if verb == "draw":
        return [read_place(text, what)]
    kind = KIND_OF.get(what)
    if kind is None:
        raise IllegalMove(text, f"{what!r} is no card: write yin-red, yang3-red, yang6-teal or chi", "CHI-01")
    if verb == "discard":
        return [DISCARD + kind]
    if verb == "yang":
        if not YANG_3 <= kind < CHI:
            raise IllegalMove(text, f"{what} is not a Yang", "CHI-30")
        return [PLAY_3 + kind - YANG_3]
    return [read_attack(state, player, text, kind, int(target))]


def read_place(text: str, place: str) -> int:
    if not place.isdecimal() or len(place) > 4 or int(place) >= ROW:
        raise IllegalMove(text, f"the row has the places 0 to {ROW - 1}", "CHI-20")
    return int(place)


def no_deck_draw(text: str) -> IllegalMove:
    if text == "none":
        return IllegalMove(text, "a card can be drawn", "CHI-13")
    return IllegalMove(text, "cards are drawn from the row at this table, or no card is left", "CHI-21")


def read_attack(state: Record, player: int, text: str, kind: int, target: int) -> int:
    """The action of a Yin on stack number `target` of the other player."""
    if not YIN <= kind < YANG_3:
        raise IllegalMove(text, f"{CODES[kind]} is not a Yin", "CHI-40")
    area = state.areas[1 - player]
    if target >= area.length:
        raise IllegalMove(text, f"the other player has {int(area.length)} stacks, counted from 0", "CHI-40")
    stack = int(area.cards[target])
    if colour_of(stack) != colour_of(kind):
        raise IllegalMove(text, f"stack {target} is {COLOUR_NAMES[colour_of(stack)]}: colours must match", "CHI-40")
    if stack == SINGLE_3 + kind:
        return ATTACK_3 + kind
    if stack == SINGLE_6 + kind:
        return ATTACK_6 + kind
    raise IllegalMove(text, "a stack of two is safe from attacks", "CHI-32")
