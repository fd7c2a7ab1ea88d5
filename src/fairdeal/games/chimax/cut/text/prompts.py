"""CHIMAX CUT: the sentence that says what to do, what everybody is after, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of
from fairdeal.games.chimax.cards import SIGNS, name_of
from fairdeal.games.chimax.cut.rules import count_unseen, kept_rank, rank_if_kept
from fairdeal.games.chimax.cut.state import DECIDING, DECLARING, KNOCKOUT, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.open_cards import lowest_kept
from fairdeal.games.chimax.deck import DECLARED, FACES, INFINITY
from fairdeal.games.chimax.state import CUTTING
from fairdeal.games.chimax.text.words import names_of, outcome, shared_prompt

AIMS = (
    "Do not be left with the lowest card. Infinity wins at once.",
    "Infinity wins; nothing else counts.",
    "The highest card wins, the lowest loses a point. Infinity wins at once.",
)


def result(state: Record, voice: Voice) -> Result | None:
    """How it ended; None while it runs."""
    return outcome(state, voice, state.match.totals.tolist()[: int(state.players)], "point")


def unseen(state: Record) -> tuple[list[int], int]:
    """The faces that may still be in the deck, by number, and how many cards that is."""
    left = np.zeros(FACES, np.int8)
    total = int(count_unseen(state, left))
    return left.tolist(), total


def higher_cards(state: Record, seat: int, kind: int) -> tuple[int, int]:
    """How many of the cards that may still be in the deck would rank higher, and of how many."""
    left, total = unseen(state)
    rank = rank_if_kept(state, seat, kind)
    return sum(count for face, count in enumerate(left) if rank_if_kept(state, seat, face) > rank), total


def prompt(state: Record, voice: Voice, ended: Result | None) -> Prompt:
    phase, turn = int(state.phase), int(state.turn)
    if ended or phase not in (CUTTING, DECIDING, DECLARING):
        found = shared_prompt(state, voice, ended)
        assert found is not None, "the layer has words for all its phases"
        return found
    if voice.viewer != turn:
        doing = {CUTTING: "cuts the deck", DECIDING: "keeps it or cuts again", DECLARING: "says what the ? is"}[phase]
        return Prompt("waiting", f"{voice.title(turn)} {doing}.", "", "CUT-03")
    if phase == DECIDING:
        return decision(state, turn)
    if phase == DECLARING:
        return Prompt("yours", "What does your ? stand for?", "Just under the real card of that value.", "CUT-07")
    left, total = unseen(state)
    return Prompt("yours", "Where do you cut the deck?", f"Infinity: {left[INFINITY]} of {total} cards.", "CUT-03")


def decision(state: Record, seat: int) -> Prompt:
    """CUT-04: keep the card or cut it away."""
    higher, total = higher_cards(state, seat, int(state.shown))
    again = int(state.options.recuts) + 1 - int(state.cuts)
    last = " The next one must be kept." if again == 1 else ""
    text = f"Keep {name_of(int(state.shown))}, or cut again?"
    return Prompt("yours", text, f"{higher} of {count_of(total, 'card')} are higher.{last}", "CUT-04")


def headline(state: Record, voice: Voice) -> Headline | None:
    """What everybody plays against: the lowest card kept so far, the highest, or Infinity."""
    if int(state.phase) not in (CUTTING, DECIDING, DECLARING):
        return None
    mode, kept = int(state.options.mode), [seat for seat, kind in enumerate(state.kept.tolist()) if kind != EMPTY]
    if mode == UNTIL_INFINITY or not kept:
        left, total = unseen(state)
        return Headline("Wanted", SIGNS[INFINITY], f"{left[INFINITY]} of {total} cards")
    if mode == KNOCKOUT:
        seats = lowest_kept(state)
        return Headline("Lowest so far", sign_of(int(state.kept[seats[0]])), holders(seats, voice))
    best = max(int(kept_rank(state, seat)) for seat in kept)
    seats = [seat for seat in kept if int(kept_rank(state, seat)) == best]
    return Headline("Highest so far", sign_of(int(state.kept[seats[0]])), holders(seats, voice))


def holders(seats: Sequence[int], voice: Voice) -> str:
    return names_of(sum(1 << seat for seat in seats), voice)


def sign_of(kind: int) -> str:
    """`25`, `∞`, `?25`: a card as a sign."""
    return f"?{SIGNS[kind - DECLARED]}" if kind >= DECLARED else SIGNS[kind]
