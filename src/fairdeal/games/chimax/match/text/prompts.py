"""CHIMAX MATCH: the prompt and the result."""

from fairdeal.engine import events
from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Prompt, Result, Voice, count_of
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import FIFTEEN, HUNDRED, QUESTION
from fairdeal.games.chimax.events import Won, decided
from fairdeal.games.chimax.match.rules import must_turn_unseen, worth
from fairdeal.games.chimax.match.state import MIXED, PAIR, TRIPLET
from fairdeal.games.chimax.state import OVER
from fairdeal.games.chimax.text.words import shared_prompt

ORDINALS = ("a", "a second", "a third")
SET_NAMES = {PAIR: "pair", TRIPLET: "triplet"}


def set_name(state: Snapshot) -> str:
    """Return the name of a set: `pair` or `triplet`."""
    return SET_NAMES[state.alike]


def clause_of(state: Snapshot, pairs: int, triplets: int) -> str:
    """Return the clause id for the current game, from the numbers of the clauses for pairs and for triplets."""
    return f"M2-{pairs:02}" if state.alike == PAIR else f"M3-{triplets:02}"


def open_faces(state: Snapshot) -> list[int]:
    """Return the faces turned up this turn, in order."""
    return [state.layout.cards[place] for place in state.layout.open.held]


def scores(state: Snapshot) -> tuple[int, ...]:
    """Return the points by seat, or minus the number of turns for a single player."""
    return (-state.turns,) if state.players == 1 else tuple(state.match.totals[: state.players])


class FinishedAlone(events.Won):
    """M2-01: the end of a single-player game, with the number of cards left in the layout."""

    left: int

    @property
    def turns(self) -> str:
        return count_of(-self.scores[0], "turn")

    def deciding(self) -> Deciding:
        return Deciding(self.best, ("turn",))

    def text(self, voice: Voice) -> str:
        return f"{voice.does(0, 'finish', 'finishes')} in {self.turns}."

    def why(self, voice: Voice) -> str:
        return f"{count_of(self.left, 'card')} left." if self.left else "No cards are left."


def won(state: Snapshot) -> Won | FinishedAlone:
    """Return the event that ended a finished game."""
    clauses = (clause_of(state, 10, 6),)
    if state.players == 1:
        return FinishedAlone(scores(state), sum(kind != EMPTY for kind in state.layout.held), clauses=clauses)
    return Won(scores(state), *decided(state), clauses=clauses)


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result, or None while the game runs."""
    if state.phase != OVER:
        return None
    end = won(state)
    return end.result(voice, shown=(end.turns,)) if isinstance(end, FinishedAlone) else end.result(voice)


def prompt(state: Snapshot, voice: Voice) -> Prompt:
    """Return the current prompt."""
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    turned = open_faces(state)
    names = " and ".join(map(name_of, turned))
    if voice.viewer != state.turn:
        text = f"{voice.title(state.turn)} is looking for a {set_name(state)}."
        return Prompt("waiting", text, f"Turned up: {names}." if turned else "")
    if must_turn_unseen(state):
        sub = "Too many turns without a new card: turn one that nobody has seen."
        return Prompt("yours", "Turn up a new card.", sub, "MEM-07")
    number = "Two" if state.alike == PAIR else "Three"
    sub = (
        f"You turned {names}. {hope(state, turned)}" if turned else f"{number} cards alike are yours, and you go again."
    )
    return Prompt("yours", f"Turn up {ORDINALS[len(turned)]} card.", sub, clause_of(state, 4, 2))


def hope(state: Snapshot, turned: list[int]) -> str:
    """Return a sentence about the next card that would complete or continue the set."""
    wild, alike = state.options.qmark_wild, len(set(turned)) == 1
    if not alike and not wild:
        return "They do not match, but you still turn a third card."
    face = next((face for face in turned if face != QUESTION), QUESTION)
    match = f"Another {name_of(face).removeprefix('a ')}"
    if wild and FIFTEEN <= face <= HUNDRED:
        match += " or a wild ?"
    if len(turned) < state.alike - 1:
        return f"{match} keeps the turn alive."
    return f"{match} makes {worth_in_words(state.alike, worth(state, face) if alike else MIXED)}."


def worth_in_words(alike: int, points: int) -> str:
    """Return a set and its points in words, such as `a pair for 3 points` or `a triplet that costs 2 points`."""
    return f"a {SET_NAMES[alike]} {'that costs' if points < 0 else 'for'} {count_of(abs(points), 'point')}"
