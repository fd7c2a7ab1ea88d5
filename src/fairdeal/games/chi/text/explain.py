"""CHI: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import EMPTY, Record
from fairdeal.games.chi.cards import CODES
from fairdeal.games.chi.colours import COLOUR_NAMES, colour_of
from fairdeal.games.chi.rules.legal import may_play_card
from fairdeal.games.chi.state import (
    ACT,
    ANSWER_CHI,
    ATTACK_3,
    CHI,
    DISCARD,
    DISCARDING,
    DRAW_DECK,
    DUEL,
    PASS,
    PLAY_3,
    YANG_3,
    YANG_6,
)
from fairdeal.games.chi.text.notation import read_move

LAST_CARD = "this is your last card, and nobody plays his last card", "CHI-12"


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    reason = wrong_phase(state, action) or not_possible(state, player, action)
    return IllegalMove(text, *reason) if reason else None


def wrong_phase(state: Record, action: int) -> tuple[str, str] | None:
    phase = int(state.phase)
    if phase == DUEL and action not in (ANSWER_CHI, PASS):
        return "an attack must be answered first: `chi` or `pass`", "CHI-41"
    if phase == DISCARDING and not DISCARD <= action < DRAW_DECK:
        return f"you have more than {int(state.options.hand_limit)} cards: discard one", "CHI-11"
    if phase == ACT and DISCARD <= action < DRAW_DECK:
        return "cards are discarded only at the end of a turn, above the limit", "CHI-11"
    if phase == ACT and action == ANSWER_CHI:
        return "a Chi answers an attack, and there is none", "CHI-41"
    if phase == ACT and action == PASS:
        return "a turn may not be passed: draw, or play a Yang or a Yin", "CHI-13"
    return None


def not_possible(state: Record, player: int, action: int) -> tuple[str, str] | None:
    if action < PLAY_3:
        return ("this place of the row is empty", "CHI-51") if state.row[action] == EMPTY else None
    if action == DRAW_DECK:
        return "something else can be done", "CHI-13"
    kind = played_kind(action)
    if kind is None:
        return None
    if find(state.hands[player], kind) < 0:
        return f"{CODES[kind]} is not in your hand", clause_of(kind)
    if not DISCARD <= action < DRAW_DECK and not may_play_card(state, player):
        return LAST_CARD
    if YANG_6 <= kind < CHI and PLAY_3 <= action < ATTACK_3:
        name = COLOUR_NAMES[colour_of(kind)]
        clause = "CHI-34" if state.options.yang_layout else "CHI-33"
        return f"a {name} Yang lies in your area already", clause
    return None


def played_kind(action: int) -> int | None:
    """The card that an action takes out of the hand."""
    if PLAY_3 <= action < ATTACK_3:
        return YANG_3 + action - PLAY_3
    if ATTACK_3 <= action < ANSWER_CHI:
        return colour_of(action - ATTACK_3)
    if action == ANSWER_CHI:
        return CHI
    return action - DISCARD if DISCARD <= action < DRAW_DECK else None


def clause_of(kind: int) -> str:
    if kind == CHI:
        return "CHI-41"
    return "CHI-40" if kind < YANG_3 else "CHI-30"


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    if state.over:
        return "The game is over.", "CHI-60"
    if not int(state.to_act) >> viewer & 1:
        return "It is not your turn.", "CHI-10"
    kind = next((kind for kind, code in enumerate(CODES) if card.startswith(f"{code}.")), None)
    if kind is None:
        return "Nobody may look at this card.", "CHI-05"
    if int(state.phase) == DUEL:
        return "An attack must be answered first, with a Chi or by letting it happen.", "CHI-41"
    if int(state.phase) == DISCARDING:
        return "Your hand is over the limit: a card of it must be discarded first.", "CHI-11"
    in_hand = find(state.hands[viewer], kind) >= 0
    if in_hand and not may_play_card(state, viewer):
        return "This is your last card, and nobody plays his last card.", "CHI-12"
    if not in_hand or YANG_3 <= kind < YANG_6:  # a 3 in hand can always be played, so this one lies on the table
        return "Cards on the table are reached only by an attack with a Yin of their colour.", "CHI-40"
    return why_not_playable(state, kind)


def why_not_playable(state: Record, kind: int) -> tuple[str, str]:
    if kind == CHI:
        return "A Chi answers an attack; on your own turn it stays in hand.", "CHI-41"
    colour = COLOUR_NAMES[colour_of(kind)]
    if kind < YANG_3:
        return f"The other player has no {colour} stack that is not safe.", "CHI-40"
    return f"A {colour} Yang lies in your area already.", "CHI-34" if state.options.yang_layout else "CHI-33"
