"""CHIMAX MATCH: the sentence that says what to do, and how a game ended, in words."""

from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Prompt, Result, Voice, count_of
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import FIFTEEN, HUNDRED, QUESTION
from fairdeal.games.chimax.match.rules import must_turn_unseen, worth
from fairdeal.games.chimax.match.state import MIXED, PAIR
from fairdeal.games.chimax.state import OVER
from fairdeal.games.chimax.text.words import outcome, shared_prompt

ORDINALS = ("a", "a second", "a third")


def set_name(state: Snapshot) -> str:
    """What is taken together."""
    return "pair" if state.alike == PAIR else "triplet"


def clause_of(state: Snapshot, pairs: int, triplets: int) -> str:
    """The clause of the game that is played."""
    return f"M2-{pairs:02}" if state.alike == PAIR else f"M3-{triplets:02}"


def open_faces(state: Snapshot) -> list[int]:
    """The faces turned up in this turn, in order."""
    return [state.layout.cards[place] for place in state.layout.open.held]


def scores(state: Snapshot) -> tuple[int, ...]:
    """The points by seat; for one alone, the turns it took."""
    return (-state.turns,) if state.players == 1 else tuple(state.match.totals[: state.players])


def result(state: Snapshot, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    if state.phase != OVER or state.players > 1:
        return outcome(state, voice, scores(state), "point")
    left = sum(kind != EMPTY for kind in state.layout.held)
    why = f"{count_of(left, 'card')} still lie there." if left else "Not a card is left."
    text = f"{voice.does(0, 'finish', 'finishes')} in {count_of(state.turns, 'turn')}."
    return Result(text, (1,), scores(state), why, (count_of(state.turns, "turn"),))


def prompt(state: Snapshot, voice: Voice) -> Prompt:
    """The sentence that says what to do."""
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    turned = open_faces(state)
    names = " and ".join(map(name_of, turned))
    if voice.viewer != state.turn:
        text = f"{voice.title(state.turn)} is looking for a {set_name(state)}."
        return Prompt("waiting", text, f"Turned up: {names}." if turned else "")
    if must_turn_unseen(state):
        sub = "Too many turns brought no news, so it must be a card nobody has seen."
        return Prompt("yours", "Turn up a new card.", sub, "MEM-07")
    number = "Two" if state.alike == PAIR else "Three"
    sub = (
        f"You turned {names}. {hope(state, turned)}" if turned else f"{number} cards alike are yours, and you go again."
    )
    return Prompt("yours", f"Turn up {ORDINALS[len(turned)]} card.", sub, clause_of(state, 4, 2))


def hope(state: Snapshot, turned: list[int]) -> str:
    """What the next card can bring."""
    wild, alike = state.options.qmark_wild, len(set(turned)) == 1
    if not alike and not wild:
        return "They do not match, but a third card is still turned."
    face = next((face for face in turned if face != QUESTION), QUESTION)
    match = f"Another {name_of(face).removeprefix('a ')}"
    if wild and FIFTEEN <= face <= HUNDRED:
        match += " or a wild ?"
    if len(turned) < state.alike - 1:
        return f"{match} keeps the turn alive."
    return f"{match} makes {worth_in_words(state, worth(state, face) if alike else MIXED)}."


def worth_in_words(state: Snapshot, points: int) -> str:
    """`a pair for 3 points`, `a triplet that costs 2 points`."""
    return f"a {set_name(state)} {'that costs' if points < 0 else 'for'} {count_of(abs(points), 'point')}"
