"""WAR X-TREME: regrouping: the camp becomes the new army, and another seat is asked for trust (WAR-60 to 63)."""

from fairdeal.engine.kit.seats import act_alone
from fairdeal.engine.records import NOBODY, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.options import CHOOSE
from fairdeal.games.war_xtreme.rules.kit.piles import cut_pile, rotate_pile, shuffle_pile, slide_camp_under_army
from fairdeal.games.war_xtreme.rules.kit.seats import left_of


@rule
def is_short(state: Record, seat: int, cards: int) -> bool:
    """WAR-60: return whether a seat needs more cards than its army has, and its camp could supply some."""
    return state.decks[seat].army < cards and state.decks[seat].camp > 0


@rule
def regroup(state: Record, seat: int, purpose: int) -> bool:
    """WAR-60, 61, section 7, `need`: shuffle the camp and put it under the army.

    Return whether a seat has to answer a request for trust.
    """
    fresh = slide_camp_under_army(state.decks[seat])
    shuffle_pile(state, state.decks[seat].cards, fresh)
    if state.options.trust == 0:
        return False
    state.regroup.owner = seat
    state.regroup.fresh = fresh
    state.regroup.purpose = purpose
    if state.options.trust_partner == CHOOSE:
        state.regroup.asked = NOBODY
        act_alone(state, xtreme.REGROUP, seat)
    else:
        ask_for_trust(state, left_of(state, seat))
    return True


@rule
def ask_for_trust(state: Record, asked: int) -> None:
    """WAR-61: ask a seat to trust the new pile."""
    state.regroup.asked = asked
    act_alone(state, xtreme.REGROUP, asked)


@rule
def answer_trust(state: Record, action: int) -> None:
    """WAR-62, 63: carry out an answer to a request for trust, and resume the interrupted phase."""
    asked, handling = state.regroup.asked, action - xtreme.DISTRUST
    cards, fresh = state.decks[state.regroup.owner].cards, int(state.regroup.fresh)
    if handling == 0:
        state.seats[asked].trusted += 1
    else:
        state.seats[asked].distrusted += 1
    if handling & xtreme.SHUFFLE:
        shuffle_pile(state, cards, fresh)
    if handling & xtreme.CUT:
        cut_pile(cards, fresh)
    if handling & xtreme.ROTATE:
        rotate_pile(state, cards, fresh)
    state.phase = phase_after(state.regroup.purpose)
    state.regroup.owner = 0
    state.regroup.asked = 0
    state.regroup.fresh = 0
    state.regroup.purpose = 0


@rule
def phase_after(purpose: int) -> int:
    """Return the phase that needed the cards (section 6)."""
    if purpose == xtreme.FOR_ROUND:
        return xtreme.OPENING
    if purpose == xtreme.FOR_TURN:
        return xtreme.TURNING
    return xtreme.JOINING if purpose == xtreme.FOR_PRICE else xtreme.STAKING
