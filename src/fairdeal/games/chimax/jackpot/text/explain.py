"""CHIMAX JACKPOT: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.jackpot.rules.lines import has_line
from fairdeal.games.chimax.jackpot.rules.play import may_hold
from fairdeal.games.chimax.jackpot.state import (
    ACROSS,
    CLAIM,
    CLAIMING,
    DECLARING,
    DONE,
    FLIP,
    HOLD,
    REEL,
    STAND_FOR,
)
from fairdeal.games.chimax.jackpot.text.notation import LINE_NAMES, read_move
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER
from fairdeal.games.chimax.text.words import explain_shared, sentence

NO_BOOK = "a Book is three alike, or three neighbours of ½ 1 2 3 5 10 15 25 50 100 0 ? ∞ that read up or down"
NO_BOOK_IN_ANY_ORDER = "a Book is three alike, or three neighbours of ½ 1 2 3 5 10 15 25 50 100 0 ? ∞"

NOW = {
    DEALING: ("the next deal comes first: `deal`", "GEN-15"),
    CUTTING: ("the pack is cut first: `cut` and a place", "TOUR-02"),
    REEL: ("this reel is to be flipped or held", "JACK-03"),
    DECLARING: ("the ? says first what it stands for", "JACK-06"),
    CLAIMING: ("the spin is over: claim a Book, or `done`", "JACK-08"),
    OVER: ("the game is over", "JACK-11"),
}
"""What is to be done in each phase."""


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    shared = explain_shared(state, player, action, text)
    if shared:
        return shared
    if phase_of(action) != int(state.phase):
        return IllegalMove(text, *NOW[int(state.phase)])
    if action == HOLD and not may_hold(state):
        return IllegalMove(text, *why_not_hold(state))
    if action >= STAND_FOR:
        return IllegalMove(text, "at this table a ? stands for 15, 25, 50 or 100", "JACK-06")
    if CLAIM <= action < DONE:
        return IllegalMove(text, *why_no_book(state, action - CLAIM))
    return None


def phase_of(action: int) -> int:
    """The phase that one of the game's own actions belongs to."""
    if action in (FLIP, HOLD):
        return REEL
    return DECLARING if action >= STAND_FOR else CLAIMING


def why_not_hold(state: Record) -> tuple[str, str]:
    if int(state.columns[int(state.reel)].length) == 0:
        return "an empty column holds nothing: flip", "JACK-04"
    return "a spin flips one card at least, and this is the last chance", "JACK-04"


def why_no_book(state: Record, line: int) -> tuple[str, str]:
    if not has_line(state, line):
        missing = "a column is empty" if line == ACROSS else f"the {LINE_NAMES[line]} column has fewer than three cards"
        return missing, "JACK-08"
    return NO_BOOK_IN_ANY_ORDER if int(state.options.run_order) else NO_BOOK, "JACK-07"


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    phase = int(state.phase)
    if viewer != 0 and phase != OVER:
        return "Jackpot is for one, and you are watching.", "JACK-01"
    if card.startswith("book"):
        return "This Book is yours already.", "JACK-08"
    if card.startswith("stock") and phase == REEL:
        return "The reels turn from left to right, one card at a time.", "JACK-03"
    if phase == CLAIMING:
        return "This card is in no Book that could be claimed now.", "JACK-07"
    if phase == REEL:
        if may_hold(state):
            return "Only the top card of the reel that turns can be held.", "JACK-03"
        return sentence(why_not_hold(state))
    return sentence(NOW[phase])
