"""CHIMAX: the actions of the tournament layer: the deal, the cut, the playoff and the clock.

A game calls `layer_actions` for phases below OWN_PHASE and for the house, and `layer_step` for the actions in those
phases, except for the deal of its own cards. A single-player game, which has no playoff, calls `deal_actions` and
`cut_step` instead.
"""

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.records import HOUSE, NOBODY, Record, rule
from fairdeal.games.chimax.deck import EACH, MARKS
from fairdeal.games.chimax.rules import playoff
from fairdeal.games.chimax.rules.tournament import cut_by_player, ready_to_deal, write_cuts
from fairdeal.games.chimax.state import CLOCK, CUT, DEAL, DEALING, PLAYOFF


@rule
def layer_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of the house, or of a seat in a phase of the tournament layer, and return their number
    (GEN-11, 15, TOUR-04, 07)."""
    if player != HOUSE and playoff.playoff_is_dealt(state):
        return playoff.playoff_actions(state, player, actions) if int(state.to_act) >> player & 1 else 0
    return deal_actions(state, player, actions)


@rule
def deal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions other than those of a playoff, which are the clock, the cut and the deal. Return their
    number (GEN-11, 15, TOUR-04)."""
    if player == HOUSE:
        actions[0] = CLOCK
        return 1 if clock_matters(state) else 0
    if not int(state.to_act) >> player & 1:
        return 0
    if state.turn == player:
        return write_cuts(state, actions)
    actions[0] = DEAL
    return 1


@rule
def layer_step(state: Record, player: int, action: int) -> None:
    """Apply an action during a cut or a playoff: the cut, the deal, a step of the playoff, or the end of the time limit
    (GEN-11, TOUR-05, 07)."""
    if playoff.playoff_is_dealt(state):
        if action == CLOCK:
            playoff.play_out_playoff(state)
        else:
            playoff.playoff_step(state, player, action)
    elif action == DEAL:
        if ready_to_deal(state, EACH, MARKS):
            playoff.deal_playoff(state)
    else:
        cut_step(state, action)


@rule
def cut_step(state: Record, action: int) -> None:
    """Cut the pack, at a random place if time was up (GEN-11, TOUR-05)."""
    cut_by_player(state, 1 + draw(state.chance, int(state.pack.length) - 1) if action == CLOCK else action - CUT)


@rule
def clock_matters(state: Record) -> bool:
    """Return whether there is a time limit, and a phase in progress that it could end (TOUR-04, 05)."""
    if state.options.round_minutes <= 0 or state.over or state.phase == DEALING:
        return False
    return state.phase != PLAYOFF or playoff.playoff_is_dealt(state) or state.turn != NOBODY
