"""CHI: moves as text (docs/rules/chi.md, part 1, section 5). Every move is one action."""

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.piles import find
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import count_of
from fairdeal.games.chi.cards import CODES, KIND_OF
from fairdeal.games.chi.colours import COLOUR_NAMES, COLOURS, colour_of
from fairdeal.games.chi.rules.legal import can_draw_deck
from fairdeal.games.chi.state import ACTIONS, CHI, NO_ACTION, ROW, SINGLE_3, SINGLE_6, YANG_3, YANG_6

TEXTS = Texts(
    ACTIONS,
    draw="draw {}",
    play_3=("yang {}", CODES[YANG_3:YANG_6]),
    play_6=("yang {}", CODES[YANG_6:CHI]),
    attack_3=None,
    attack_6=None,
    answer_chi="chi",
    pass_="pass",
    discard=("discard {}", CODES),
    draw_deck=None,
)
ATTACK = re.compile(r"yin (\S+) on (\d{1,4})")
KNOWN = "`draw 3`, `draw deck`, `yang yang3-red`, `yin yin-red on 1`, `chi`, `pass`, `discard chi` or `none`"


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the text of a move."""
    match ACTIONS.decode(actions[0]):
        case "attack_3" | "attack_6" as verb, colour:
            target = (SINGLE_3 if verb == "attack_3" else SINGLE_6) + colour
            return f"yin yin-{COLOUR_NAMES[colour]} on {find(state.areas[1 - player], target)}"
        case "draw_deck", _:
            return "draw deck" if can_draw_deck(state) else "none"
    return TEXTS.write(actions[0]) or ""


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """Return the action of a move given as text. Raises IllegalMove for text that cannot be an action in any state."""
    action = TEXTS.read(text)
    if action is not None:
        return [action]
    if text in ("none", "draw deck"):
        if (text == "draw deck") != can_draw_deck(state):
            raise no_deck_draw(text)
        return [NO_ACTION]
    attack = ATTACK.fullmatch(text)
    if attack:
        return [read_attack(state, player, text, kind_of(text, attack[1]), int(attack[2]))]
    raise misread(text)


def no_deck_draw(text: str) -> IllegalMove:
    if text == "none":
        return IllegalMove(text, "you can draw a card", "CHI-13")
    return IllegalMove(text, "this table draws from the row only, or the deck is empty", "CHI-21")


def kind_of(text: str, card: str) -> int:
    if card not in KIND_OF:
        raise IllegalMove(text, f"{card!r} is not a card: write yin-red, yang3-red, yang6-teal or chi", "CHI-01")
    return KIND_OF[card]


def misread(text: str) -> IllegalMove:
    """Return the error for text that does not name an action."""
    match text.split(" "):
        case ["draw", _]:
            return IllegalMove(text, f"the places in the row are 0 to {ROW - 1}", "CHI-20")
        case ["yang" | "discard" as verb, card]:
            kind_of(text, card)
            if verb == "yang":
                return IllegalMove(text, f"{card} is not a Yang", "CHI-30")
    return TEXTS.unknown(text, KNOWN)


def read_attack(state: Snapshot, player: int, text: str, kind: int, target: int) -> int:
    """Return the action that plays a Yin on stack number `target` of the other player."""
    if kind >= COLOURS:
        raise IllegalMove(text, f"{CODES[kind]} is not a Yin", "CHI-40")
    stacks = state.areas[1 - player].held
    if target >= len(stacks):
        raise IllegalMove(text, f"the other player has {count_of(len(stacks), 'stack')}, numbered from 0", "CHI-40")
    stack = stacks[target]
    if colour_of(stack) != kind:
        raise IllegalMove(text, f"stack {target} is {COLOUR_NAMES[colour_of(stack)]}: colours must match", "CHI-40")
    if stack == SINGLE_3 + kind:
        return ACTIONS.encode("attack_3", kind)
    if stack == SINGLE_6 + kind:
        return ACTIONS.encode("attack_6", kind)
    raise IllegalMove(text, "a stack of two is safe from attacks", "CHI-32")
