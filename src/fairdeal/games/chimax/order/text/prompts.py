"""CHIMAX ORDER: what is wanted, what to do, and how it ended, in words."""

import msgspec
import numpy as np

from fairdeal.engine.records import NOBODY
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, places_by
from fairdeal.engine.seats import members
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import SIGNS, name_of
from fairdeal.games.chimax.deck import FACES, HALF, INFINITY
from fairdeal.games.chimax.order.rules import face_at, how_far, must_be_unseen, returns
from fairdeal.games.chimax.order.state import EITHER, FLIPPING, MOST_PLACED, OWN_BOARDS, RESTART, SHARED_BOARD
from fairdeal.games.chimax.order.text.positions import placed_by
from fairdeal.games.chimax.text.words import outcome, shared_prompt

AHEAD = 3
"""Faces of the sequence that the headline tells after the next one."""


def wanted(state: Snapshot, seat: int) -> str:
    """`25`, `a half or infinity`: what a seat needs, as it stands in a sentence."""
    if state.direction == EITHER:
        return f"{name_of(HALF)} or {name_of(INFINITY)}"
    return name_of(face_at(state, how_far(state, seat)))


def headline(state: Snapshot, voice: Voice) -> Headline | None:
    """The next face wanted: of the seat on turn, where everybody has a sequence of their own. At the end, how far the
    longest sequence is."""
    if state.over:
        return Headline("In order", str(max(how_far(state, seat) for seat in range(state.players))), f"of {FACES}")
    if state.phase != FLIPPING:
        return None
    tag = "Wanted"
    if state.options.board != SHARED_BOARD:
        tag = "You want" if state.turn == voice.viewer else f"{voice.names[state.turn]} wants"
    if state.direction == EITHER:
        return Headline(tag, f"{SIGNS[HALF]} {SIGNS[INFINITY]}", "The first one found sets the direction.")
    sign, *after = [SIGNS[face_at(state, number)] for number in range(how_far(state, state.turn), FACES)]
    more = " …" if len(after) > AHEAD else ""
    return Headline(tag, sign, f"then {', '.join(after[:AHEAD])}{more}" if after else "the last one")


def prompt(state: Snapshot, voice: Voice, ended: Result | None) -> Prompt:
    """The sentence that says what to do."""
    shared = shared_prompt(state, voice, ended)
    if shared:
        return shared
    missed = "" if state.missed.seat == NOBODY else f"That was {name_of(state.missed.card)}. "
    face = wanted(state, state.turn)
    if state.turn != voice.viewer:
        return Prompt("waiting", f"{voice.names[state.turn]} is looking for {face}.", missed.strip())
    if must_be_unseen(state, state.turn):
        return Prompt("yours", "Turn up a card that nobody has seen yet.", "Too little has happened lately.", "MEM-07")
    return Prompt("yours", f"Where is {face}?", f"{missed}The right one stays up, and you go on.", "ORDER-05")


# --- the end -----------------------------------------------------------------------------------------------------


def result(state: Snapshot, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    placed = [len(placed_by(state, seat)) for seat in range(state.players)]
    found = outcome(state, voice, placed, "card", why_ended(state, voice, placed))
    if found is None:
        return None
    if state.players == 1:
        return alone(state, found)
    returned = np.zeros(state.players)
    returns(state, returned)
    text, winners = found.text, members(state.winners)
    who = voice.several_titled(winners)
    s = "" if voice.viewer in winners else "s"
    if winners and is_complete(state) and state.options.winner != MOST_PLACED:
        text = f"{who} place{s} the last card and win{s}."
    elif winners and state.tied:
        text = f"{who} win{s} the playoff."
    elif state.options.on_miss == RESTART and len(winners) == 1:
        text = f"{who} win{s} with a run of {state.best.run}."
    return msgspec.structs.replace(found, text=text, places=places_by(returned.tolist()))


def alone(state: Snapshot, found: Result) -> Result:
    """ORDER-14: the fewer misses, the better."""
    misses = count_of(state.misses[0], "miss", "misses")
    text = f"All in order with {misses}."
    if not is_complete(state):
        text = f"Broken off with {how_far(state, 0)} of {FACES} in order and {misses}."
    scores, won = (-state.misses[0],), is_complete(state)
    return msgspec.structs.replace(found, text=text, scores=scores, shown=(misses,), won=won)


def standing(state: Snapshot) -> list[int]:
    """How many cards everybody has placed."""
    return [len(placed_by(state, seat)) for seat in range(state.players)]


def is_complete(state: Snapshot) -> bool:
    """Has somebody placed the last card?"""
    return any(how_far(state, seat) == FACES for seat in range(state.players))


def why_ended(state: Snapshot, voice: Voice, placed: list[int]) -> str:
    """One sentence on what decided it; a playoff speaks for itself."""
    if state.tied:
        return ""
    if state.players == 1:
        return "A perfect memory misses about ten times." if is_complete(state) else ""
    told = ", ".join(f"{voice.name(seat)} {count}" for seat, count in enumerate(placed))
    if not is_complete(state):
        return f"The layout was never finished; in order: {told}."
    if state.options.board == OWN_BOARDS:
        return f"In order at the end: {told}."
    return f"Placed: {told}, and {count_of(sum(state.misses), 'miss', 'misses')} on the way."
