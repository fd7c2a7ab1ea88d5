"""CHIMAX: the actions of the layer over all its games: the deal, the cut, the playoff, the clock.

A game hands the phases below OWN_PHASE, and the house, to `layer_actions`; and what is done in these phases, but for
the deal of its own cards, to `layer_step`. A game for one, which is never played off, takes `deal_actions` and
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
    """GEN-11, 15, TOUR-04, 07: what the house may bring about, and what a seat may do in a phase of the layer."""
    if player != HOUSE and playoff.playoff_is_dealt(state):
        return playoff.playoff_actions(state, player, actions) if int(state.to_act) >> player & 1 else 0
    return deal_actions(state, player, actions)


@rule
def deal_actions(state: Record, player: int, actions: Record) -> int:
    """GEN-11, 15, TOUR-04: the clock, the cut, the deal: all there is in a game for one, which has no playoff."""
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
    """GEN-11, TOUR-05, 07: a cut, the deal of a playoff or a step of it; or the end of the time in either."""
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
    """GEN-11, TOUR-05: the pack is cut; where the time is over before that, at random."""
    cut_by_player(state, 1 + draw(state.chance, int(state.pack.length) - 1) if action == CLOCK else action - CUT)


@rule
def clock_matters(state: Record) -> bool:
    """TOUR-04, 05: is there a limit, and something under way that it could end?"""
    if state.options.round_minutes <= 0 or state.over or state.phase == DEALING:
        return False
    return state.phase != PLAYOFF or playoff.playoff_is_dealt(state) or state.turn != NOBODY
