"""CHIMAX CUT: the prompt, the headline and the result."""

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, NOBODY
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, noun_for
from fairdeal.games.chimax import events
from fairdeal.games.chimax.cards import CODES, SIGNS, name_of
from fairdeal.games.chimax.cut.rules import count_unseen, kept_rank, rank_if_kept
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, DECLARING, KNOCKOUT, RUNNING, UNTIL_INFINITY
from fairdeal.games.chimax.deck import DECLARED, FACES, INFINITY
from fairdeal.games.chimax.events import decided
from fairdeal.games.chimax.state import CUTTING, OVER
from fairdeal.games.chimax.text import words
from fairdeal.games.chimax.text.words import shared_prompt

DOING = {CUTTING: "cuts the deck", DECIDING: "keeps it or cuts again", DECLARING: "says what the ? is"}


class Won(events.Won):
    """CUT-08, GEN-14: the end of a game. `at_once` is the seat that won the last round with Infinity, or -1."""

    at_once: int

    def deciding(self) -> Deciding:
        found, by_infinity = super().deciding(), self.at_once in self.winners and not self.decider
        return found._replace(on=("shown",)) if by_infinity else found._replace(by_move=not self.decider)


def won(state: Snapshot) -> Won:
    """Return the event that ended a finished game."""
    totals, gained = tuple(state.match.totals[: state.players]), list(state.round_scores[: state.players])
    at_once = gained.index(max(gained)) if state.shown == INFINITY else NOBODY
    return Won(totals, *decided(state), at_once, clauses=("CUT-08", "GEN-14"))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result, or None while the game runs."""
    return won(state).result(voice) if state.phase == OVER else None


def unseen(state: Snapshot) -> list[int]:
    """Return the number of cards of each face that may still be in the deck."""
    left = np.zeros(FACES, np.int8)
    count_unseen(state, left)
    return left.tolist()


def odds_of_infinity(state: Snapshot) -> str:
    left = unseen(state)
    return f"{left[INFINITY]} of {count_of(sum(left), 'card')}"


def higher_cards(state: Snapshot, seat: int) -> tuple[int, int]:
    """Return the number of cards that may still be in the deck and rank higher than the one shown, and the number of
    all cards that may still be in the deck."""
    left, rank = unseen(state), rank_if_kept(state, seat, state.shown)
    return sum(count for face, count in enumerate(left) if rank_if_kept(state, seat, face) > rank), sum(left)


def higher_in_words(higher: int, total: int) -> str:
    """Return the odds of a higher card as text, such as `12 of 34 cards are higher`."""
    return f"{higher} of {count_of(total, 'card')} {noun_for(higher, 'is', 'are')} higher"


def prompt(state: Snapshot, voice: Voice, ended: Result | None) -> Prompt | None:
    if state.phase not in RUNNING:
        return shared_prompt(state, voice, ended)
    if voice.viewer != state.turn:
        return Prompt("waiting", f"{voice.title(state.turn)} {DOING[state.phase]}.", "", "CUT-03")
    if state.phase == DECIDING:
        higher, total = higher_cards(state, state.turn)
        last = " The next one must be kept." if state.cuts == state.options.recuts else ""
        text = f"Keep {name_of(state.shown)}, or cut again?"
        return Prompt("yours", text, f"{higher_in_words(higher, total)}.{last}", "CUT-04")
    if state.phase == DECLARING:
        return Prompt("yours", "What does your ? stand for?", "Just under the real card of that value.", "CUT-07")
    return Prompt(
        "yours",
        "Where do you cut the deck?",
        f"Infinity wins at once: {odds_of_infinity(state)}.",
        "CUT-03",
    )


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice."""
    match ACTIONS.decode(actions[0]):
        case "keep", _:
            return f"Keep {name_of(state.shown)}"
        case "cut", place if state.phase == DECIDING:
            return f"Cut again, at {place} of {state.pack.length}"
    return words.say_move(state, voice, actions)


def compared(state: Snapshot) -> dict[int, int]:
    """CUT-06, 07: return the ranks of the kept cards, by seat. A question mark whose value is being asked for has none
    yet."""
    asked = state.turn if state.phase == DECLARING else NOBODY
    return {seat: kept_rank(state, seat) for seat, kind in enumerate(state.kept) if kind != EMPTY and seat != asked}


def headline(state: Snapshot, voice: Voice) -> Headline | None:
    """Return the headline, which shows the card to beat or to avoid: the lowest card kept so far, the highest one, or
    Infinity."""
    if state.phase not in RUNNING:
        return None
    ranks = compared(state)
    if state.options.mode == UNTIL_INFINITY or not ranks:
        return Headline("Wanted", SIGNS[INFINITY], odds_of_infinity(state))
    lowest = state.options.mode == KNOCKOUT
    best = min(ranks.values()) if lowest else max(ranks.values())
    seats = [seat for seat, rank in ranks.items() if rank == best]
    kind = state.kept[seats[0]]
    sign = CODES[kind] if kind >= DECLARED else SIGNS[kind]
    return Headline("Lowest so far" if lowest else "Highest so far", sign, voice.several_titled(seats))
