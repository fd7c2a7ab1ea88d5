"""Chaos Ninjas: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.games.chi.ninjas.cards import a_card, kind_in_play
from fairdeal.games.chi.ninjas.legal import target_seat
from fairdeal.games.chi.ninjas.state import (
    ANSWER,
    CARD,
    COUNTER,
    DECOYING,
    DEFENDER,
    GIVING,
    NO_ACTION,
    PASS,
    PLAY,
    SKIP,
    TAKING,
    TARGET,
    TO_WIN,
    USE_DECOY,
    WITH,
)


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action = actions[0]
    if action < PLAY:
        return reason_to_take(int(state.row[action]))
    if action < TARGET:
        if int(state.areas[player].length) == TO_WIN - 1:
            return "The sixth card: if nobody breaks it, the game is won."
        return f"A card nearer to six, and {a_card(kind_in_play(action - PLAY))} is worth having there."
    if action < WITH:
        return reason_to_attack(state, int(target_seat(state, player, action - TARGET)), len(actions) - 1)
    if action == ANSWER:
        mine = int(state.duel.defender) == player
        return "What is in play is worth a Counter." if mine else "This attack is worth a Counter."
    if action == PASS:
        return "A Counter is worth more later, or there is none."
    if action in (USE_DECOY, SKIP, NO_ACTION):
        return reason_to_decline(state, action)
    if action < CARD:
        return "Who holds most can spare most."
    if int(state.phase) == TAKING:
        return "Of the discarded Defenders it promises most."
    verb = "give away" if int(state.phase) == GIVING else "lose"
    return f"Of all these cards it hurts least to {verb} {a_card(action - CARD)}."


def reason_to_take(kind: int) -> str:
    name = a_card(kind)
    if kind == COUNTER:
        return "A Counter guards what lies in play."
    if kind < DEFENDER:
        return f"With {name} there is something to attack."
    return f"{name[0].upper()}{name[1:]} can be played next turn."


def reason_to_attack(state: Record, seat: int, cards: int) -> str:
    if int(state.areas[seat].length) >= TO_WIN:
        return "One of the six must fall now, or the game is lost."
    if cards == 1:
        return "One card for one of theirs, and a card from the deck."
    return "Two cards for one of theirs, and a card from the deck."


def reason_to_decline(state: Record, action: int) -> str:
    if action == USE_DECOY:
        return "The other card is worth more than the Decoy."
    if int(state.phase) == DECOYING:
        return "The Phantom comes back by itself."
    return "Nothing else can be done." if action == NO_ACTION else "It would cost more than it brings."
