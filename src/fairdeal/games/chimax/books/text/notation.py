"""CHIMAX BOOKS: the notation of moves (docs/rules/chimax.md, section 1.6)."""

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.games.chimax.books.state import ACTIONS, FACE, SLOT, SLOTS, TOP, TOP_ONLY
from fairdeal.games.chimax.cards import DECLARABLE, FACE_CODES
from fairdeal.games.chimax.state import PLAYOFF, PLAYOFF_CARD, SEATS
from fairdeal.games.chimax.text import words

TEXTS = Texts(
    ACTIONS,
    deal="deal",
    cut="cut {}",
    declare=("declare {}", DECLARABLE),
    playoff_card=None,
    clock="clock",
    slot=("slot {}", range(1, SLOTS + 1)),
    face=("play {}", FACE_CODES),
    top="top",
    expose=("expose {}", [f"{seat} {slot}" for seat in range(SEATS) for slot in range(1, SLOTS + 1)]),
)
KNOWN = "`slot 3`, `play 25`, `top`, `declare 50`, `cut 7` or `deal`"


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the notation of a move. Every move of Books is one action."""
    action = actions[0]
    return TEXTS.write(named_as(state, player) if action == PLAYOFF_CARD else action) or ""


def named_as(state: Snapshot, player: int) -> int:
    """Return the action whose notation is used for a playoff card: the action that would play the card in the game
    (TOUR-07)."""
    if state.options.pick == TOP_ONLY:
        return TOP
    card: int = state.ones[player]
    return FACE + card if state.options.peek and card >= 0 else SLOT


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """Return the action of a move, in a list. Raises IllegalMove for text that cannot be an action in any state."""
    action = TEXTS.read(text)
    if action is None:
        raise misread(state, text)
    match ACTIONS.decode(action):
        case "expose", place if place // SLOTS >= state.players:
            raise misread(state, text)
    if state.phase == PLAYOFF and player >= 0 and state.ones[player] != EMPTY and action == named_as(state, player):
        return [PLAYOFF_CARD]
    return [action]


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for text that is not an action. In the message, seats are counted from 0 and slots from 1
    (BOOKS-30)."""
    match text.split(" "):
        case ["expose", seat, slot] if seat.isdecimal() and slot.isdecimal():
            return IllegalMove(text, f"the seats are 0 to {state.players - 1}, the slots 1 to {SLOTS}", "BOOKS-30")
        case ["slot", slot] if slot.isdecimal():
            return IllegalMove(text, f"the slots are 1 to {SLOTS}", "BOOKS-05")
        case ["play", *card]:
            return IllegalMove(text, f"{' '.join(card)!r} is not a card: write {', '.join(FACE_CODES)}", "GEN-02")
    return words.unreadable(TEXTS, text, KNOWN)
