"""CHIMAX ORDER: what is wanted, what to do, and how it ended, in words."""

from __future__ import annotations

import msgspec
import numpy as np

from fairdeal.engine.records import NOBODY, Record
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of
from fairdeal.engine.seats import members
from fairdeal.games.chimax.cards import SIGNS, name_of
from fairdeal.games.chimax.deck import FACES, HALF, INFINITY
from fairdeal.games.chimax.order import rules
from fairdeal.games.chimax.order.state import EITHER, FLIPPING, MOST_PLACED, OWN_BOARDS, RESTART, SHARED_BOARD
from fairdeal.games.chimax.order.text.positions import placed_by
from fairdeal.games.chimax.state import OVER
from fairdeal.games.chimax.text.words import names_of, outcome, shared_prompt

AHEAD = 3
"""Faces of the sequence that the headline tells after the next one."""


def wanted(state: Record, seat: int) -> str:
    """`25`, `a half or infinity`: what a seat needs, as it stands in a sentence."""
    if int(state.direction) == EITHER:
        return f"{name_of(HALF)} or {name_of(INFINITY)}"
    return name_of(int(rules.face_at(state, rules.how_far(state, seat))))


def headline(state: Record, voice: Voice) -> Headline | None:
    """The next face wanted: of the seat on turn, where everybody has a sequence of his own."""
    if int(state.phase) != FLIPPING:
        return None
    seat = int(state.turn)
    tag = "Wanted"
    if int(state.options.board) != SHARED_BOARD:
        tag = "You want" if seat == voice.viewer else f"{voice.names[seat]} wants"
    if int(state.direction) == EITHER:
        return Headline(tag, f"{SIGNS[HALF]} {SIGNS[INFINITY]}", "The first one found sets the direction.")
    reached = int(rules.how_far(state, seat))
    signs = [SIGNS[int(rules.face_at(state, number))] for number in range(reached, FACES)]
    after = signs[1 : 1 + AHEAD]
    text = f"then {', '.join(after)}{' …' if len(signs) > 1 + AHEAD else ''}" if after else "the last one"
    return Headline(tag, signs[0], text)


def prompt(state: Record, voice: Voice, ended: Result | None) -> Prompt:
    """The sentence that says what to do."""
    shared = shared_prompt(state, voice, ended)
    if shared:
        return shared
    seat = int(state.turn)
    missed = "" if int(state.missed.seat) == NOBODY else f"That was {name_of(int(state.missed.card))}. "
    if seat != voice.viewer:
        text = f"{voice.names[seat]} is looking for {wanted(state, seat)}."
        return Prompt("waiting", text, missed.strip())
    stalled = bool(rules.must_be_unseen(state, seat))
    if stalled:
        return Prompt("yours", "Turn up a card that nobody has seen yet.", "Too little has happened lately.", "MEM-07")
    sub = f"{missed}The right one stays up, and you go on."
    return Prompt("yours", f"Where is {wanted(state, seat)}?", sub, "ORDER-05")


# --- the end -----------------------------------------------------------------------------------------------------


def result(state: Record, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    placed = [len(placed_by(state, seat)) for seat in range(int(state.players))]
    found = outcome(state, voice, placed, "card", why_ended(state, voice))
    if found is None:
        return None
    if int(state.players) == 1:
        return alone(state, found)
    out = np.zeros(int(state.players))
    rules.returns(state, out)
    ranks = tuple(1 + int((out > own).sum()) for own in out)
    text = found.text
    if is_complete(state) and int(state.options.winner) != MOST_PLACED:
        winners = int(state.winners)
        verbs = ("place", "win") if voice.viewer in members(winners) else ("places", "wins")
        text = f"{names_of(winners, voice)} {verbs[0]} the last card and {verbs[1]}."
    elif int(state.tied):
        text = f"{voice.does(members(int(state.winners))[0], 'win')} the playoff."
    elif int(state.options.on_miss) == RESTART and winner_count(state) == 1:
        text = f"{found.text.split(' with ')[0]} with a run of {int(state.best.run)}."
    return msgspec.structs.replace(found, text=text, places=ranks)


def alone(state: Record, found: Result) -> Result:
    """ORDER-14: the fewer misses, the better."""
    misses = count_of(int(state.misses[0]), "miss", "misses")
    text = f"All in order with {misses}."
    if not is_complete(state):
        text = f"Broken off with {int(rules.how_far(state, 0))} of {FACES} in order and {misses}."
    return msgspec.structs.replace(found, text=text, scores=(-int(state.misses[0]),))


def is_complete(state: Record) -> bool:
    """Has somebody placed the last card?"""
    return any(int(rules.how_far(state, seat)) == FACES for seat in range(int(state.players)))


def winner_count(state: Record) -> int:
    return int(state.winners).bit_count()


def why_ended(state: Record, voice: Voice) -> str:
    """One sentence on what decided it; a playoff speaks for itself."""
    if int(state.phase) != OVER or int(state.tied):
        return ""
    told = ", ".join(f"{voice.name(seat)} {len(placed_by(state, seat))}" for seat in range(int(state.players)))
    misses = sum(state.misses.tolist())
    if int(state.players) == 1:
        return "A perfect memory misses about ten times." if is_complete(state) else ""
    if not is_complete(state):
        return f"The layout was never finished; in order: {told}."
    if int(state.options.board) == OWN_BOARDS:
        return f"In order at the end: {told}."
    return f"Placed: {told}, and {count_of(misses, 'miss', 'misses')} on the way."
