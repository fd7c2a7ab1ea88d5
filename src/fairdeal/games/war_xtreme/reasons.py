"""WAR X-TREME: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.games.war_xtreme.catalogue import words_of
from fairdeal.games.war_xtreme.choices import tricks_in_words
from fairdeal.games.war_xtreme.effects import equipment_of_action
from fairdeal.games.war_xtreme.state import (
    ACT,
    CALL,
    CALLING,
    DISPUTE,
    EQUIP,
    FLEE,
    FLIP,
    NO,
    PASS,
    RACE,
    RECRUIT,
    SWEEP,
    TRUST,
    YES,
)
from fairdeal.games.war_xtreme.wording import kit_text
from fairdeal.games.war_xtreme.words import rank_name

SHORT = {
    FLIP: "Nothing to wait for.",
    SWEEP: "With a flourish.",
    YES: "Why not?",
    NO: "There is nothing to gain in it.",
    FLEE: "The price is more than this war is likely to bring.",
    TRUST: "A shuffle is as good as another.",
}


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action = actions[0]
    if action in SHORT:
        return SHORT[action]
    if action == PASS:
        return "Standing still is the best I can do." if int(state.phase) == RACE else "I keep it for a better moment."
    if action < RECRUIT:
        return "My card beats that war, and two cards are a fair price for a share in it."
    if action < TRUST:
        return "They all look alike from behind."
    if action < ACT:
        return f"To be on the safe side: {tricks_in_words(action)}."
    if action < CALL:
        return "That is what the Speed card asks for."
    if int(state.phase) == CALLING:
        rank = action - CALL
        return "It stands best alone." if rank == 16 else f"Being {rank_name(rank)} makes a war that I like."
    if action < DISPUTE:
        return "That hand has looked heavy since it should have been played."
    if action < EQUIP:
        return "Somebody has to be asked."
    kit = words_of(state).equipment[equipment_of_action(action) - 1]
    text = kit_text(kit)
    return f"{text}: it is worth it now."
