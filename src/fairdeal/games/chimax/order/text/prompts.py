"""CHIMAX ORDER: the headline, the prompt and the result."""

import numpy as np

from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import NOBODY
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, places_by
from fairdeal.games.chimax import events as shared
from fairdeal.games.chimax.cards import SIGNS, name_of
from fairdeal.games.chimax.deck import FACES, HALF, INFINITY
from fairdeal.games.chimax.order.record import placed_by
from fairdeal.games.chimax.order.rules import board_of, face_at, how_far, must_be_unseen, returns
from fairdeal.games.chimax.order.state import EITHER, FLIPPING, MOST_PLACED, OWN_BOARDS, RESTART, SHARED_BOARD
from fairdeal.games.chimax.order.text.explain import board_id
from fairdeal.games.chimax.picture.layout import place_id
from fairdeal.games.chimax.state import OVER
from fairdeal.games.chimax.text.words import shared_prompt

AHEAD = 3
"""Number of faces after the next one that are shown in the headline."""

NO_RUN = -1


def wanted(state: Snapshot, seat: int) -> str:
    """Return the faces that a seat wants, worded for a sentence, such as `25` or `a half or infinity`."""
    return " or ".join(map(name_of, faces_wanted(state, seat)))


def faces_wanted(state: Snapshot, seat: int) -> tuple[int, ...]:
    return (HALF, INFINITY) if state.direction == EITHER else (face_at(state, how_far(state, seat)),)


def headline(state: Snapshot, voice: Voice) -> Headline | None:
    """Return the headline: the next face that the seat on turn wants or, after the game, the length of the longest
    sequence."""
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
    """Return the current prompt."""
    shared = shared_prompt(state, voice, ended)
    if shared:
        return shared
    missed = "" if state.missed.seat == NOBODY else f"That was {name_of(state.missed.card)}. "
    face = wanted(state, state.turn)
    if state.turn != voice.viewer:
        return Prompt("waiting", f"{voice.names[state.turn]} is looking for {face}.", missed.strip())
    if must_be_unseen(state, state.turn):
        return Prompt("yours", "Turn up a card that nobody has seen yet.", "Nothing new for many turns.", "MEM-07")
    return Prompt("yours", f"Where is {face}?", f"{missed}The right one stays up, and you go on.", "ORDER-05")


# --- the end -----------------------------------------------------------------------------------------------------


class Won(shared.Won):
    """ORDER-10 to 12: the end of a game, with the number of cards placed by each seat. `complete` is true if the last
    card was placed, and `wins` if placing it wins. `run` is the longest run, or NO_RUN if runs cannot be lost. `misses`
    is the number of misses of all seats. `last` is the id of the last card of the winner's sequence."""

    complete: bool
    wins: bool
    run: int
    own_boards: bool
    misses: int
    last: str
    unit = "card"
    counters = ("placed", "in order")

    @property
    def seats(self) -> tuple[int, ...]:
        return self.winners if self.decider else tuple(range(len(self.scores)))

    @property
    def ranked(self) -> tuple[int, ...]:
        return self.winners

    def deciding(self) -> Deciding:
        found = super().deciding()
        return found._replace(on=(self.last,)) if self.complete and self.wins and not self.decider else found

    def text(self, voice: Voice) -> str:
        if self.winners and self.complete and self.wins:
            win = "win" if voice.viewer in self.winners else "wins"
            return f"{voice.does(self.winners[0], 'place')} the last card and {win}."
        if self.winners and self.decider:
            return f"{self.win(voice)} the playoff."
        if self.run != NO_RUN and len(self.winners) == 1:
            return f"{self.win(voice)} with a run of {self.run}."
        return super().text(voice)

    def why(self, voice: Voice) -> str:
        if self.decider:
            return super().why(voice)
        told = ", ".join(f"{voice.name(seat)} {count}" for seat, count in enumerate(self.scores))
        if not self.complete and self.run != NO_RUN:
            return "The layout was never finished."
        if not self.complete:
            return f"The layout was never finished; in order: {told}."
        if self.own_boards:
            return f"In order at the end: {told}."
        return f"Placed: {told}, and {count_of(self.misses, 'miss', 'misses')} on the way."


class FinishedAlone(shared.FinishedAlone):
    """ORDER-14: the end of a single-player game, scored by misses. Fewer are better."""

    placed: int

    def deciding(self) -> Deciding:
        return Deciding(self.best, ("miss", "misses"))

    @property
    def misses(self) -> str:
        return count_of(-self.scores[0], "miss", "misses")

    def text(self, voice: Voice) -> str:
        if self.placed == FACES:
            return f"All in order with {self.misses}."
        return f"Stopped with {self.placed} of {FACES} in order and {self.misses}."

    def why(self, voice: Voice) -> str:
        return "A perfect memory misses about ten times." if self.placed == FACES else ""


def won(state: Snapshot) -> Won | FinishedAlone:
    """Return the event that ended a finished game."""
    if state.players == 1:
        return FinishedAlone((-state.misses[0],), how_far(state, 0), clauses=("ORDER-10",))
    return Won(
        tuple(standing(state)),
        *shared.decided(state),
        is_complete(state),
        state.options.winner != MOST_PLACED,
        state.best.run if state.options.on_miss == RESTART else NO_RUN,
        state.options.board == OWN_BOARDS,
        sum(state.misses),
        last_placed(state),
        clauses=("TOUR-06" if state.tied else "ORDER-10",),
    )


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result, or None while the game runs."""
    if state.phase != OVER:
        return None
    end = won(state)
    if isinstance(end, FinishedAlone):
        return end.result(voice, shown=(end.misses,), won=is_complete(state))
    returned = np.zeros(state.players)
    returns(state, returned)
    return end.result(voice, places=places_by(returned.tolist()))


def standing(state: Snapshot) -> list[int]:
    """Return the number of cards placed by each seat."""
    return [len(placed_by(state, seat)) for seat in range(state.players)]


def last_placed(state: Snapshot) -> str:
    """Return the id of the card that completed the winner's sequence, or ""."""
    winners = members(state.winners)
    board, face = state.boards[board_of(state, winners[0])] if winners else None, face_at(state, FACES - 1)
    open_places = [place for place in board.open.held if board.held[place] == face] if board else []
    return place_id(board_id(state, winners[0]), open_places[0]) if open_places else ""


def is_complete(state: Snapshot) -> bool:
    """Return whether a seat has placed the last card."""
    return any(how_far(state, seat) == FACES for seat in range(state.players))
