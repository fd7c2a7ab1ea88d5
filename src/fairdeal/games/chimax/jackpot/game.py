"""CHIMAX JACKPOT: everything fairdeal knows of the game."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.game import Rules
from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import NAMES
from fairdeal.games.chimax.deck import INFINITY
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.jackpot import explain, greedy, narration, notation, positions, rules, scene
from fairdeal.games.chimax.jackpot.options import PRESETS, JackpotOptions
from fairdeal.games.chimax.jackpot.prompts import faces_of, wanted_down
from fairdeal.games.chimax.jackpot.state import ACTIONS, CLAIM, DONE, FLIP, HOLD, STAND_FOR, State
from fairdeal.games.chimax.state import OWN


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action = actions[0]
    if action < OWN:
        return "One cut is as good as another."
    if action == FLIP:
        wanted = wanted_down(state, int(state.reel))
        return f"With luck it is {wanted}." if wanted else "A new card, and a column that grows."
    if action == HOLD:
        return "This card may still be wanted across."
    if action >= STAND_FOR:
        return f"As {NAMES[action - STAND_FOR]} it has the best company."
    if CLAIM <= action < DONE:
        book = faces_of(state, action - CLAIM)
        return "Jackpot!" if book and book[0] == book[1] == INFINITY else "A point in hand."
    return "Nothing here is worth its cards."


GAME = chimax_game(
    *(notation, explain, positions, narration, scene, greedy),
    name="chimax-jackpot",
    title="Chimax Jackpot",
    blurb="Three reels, thirteen spins: flip or hold, and hope for three infinities.",
    players=(1, 1),
    minutes=(3, 5),
    clause_prefix="JACK GEN TOUR",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(rules),
    options=JackpotOptions,
    presets=PRESETS,
    reason=reason,
)
