"""CHIMAX MATCH: the sentence that says what to do, and how a game ended, in words."""

from __future__ import annotations

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Prompt, Result, Voice, count_of
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import FIFTEEN, HUNDRED, QUESTION
from fairdeal.games.chimax.match.rules import must_turn_unseen, worth
from fairdeal.games.chimax.match.state import PAIR
from fairdeal.games.chimax.state import OVER
from fairdeal.games.chimax.text.words import outcome, shared_prompt

ORDINALS = ("a", "a second", "a third")


def set_name(state: Record) -> str:
    """What is taken together."""
    return "pair" if int(state.alike) == PAIR else "triplet"


def clause_of(state: Record, pairs: int, triplets: int) -> str:
    """The clause of the game that is played."""
    return f"M2-{pairs:02}" if int(state.alike) == PAIR else f"M3-{triplets:02}"


def open_faces(state: Record) -> list[int]:
    """The faces turned up in this turn, in order."""
    return [
        int(state.layout.cards[place]) for place in state.layout.open.cards.tolist()[: int(state.layout.open.length)]
    ]


def scores(state: Record) -> tuple[int, ...]:
    """The points by seat; for one alone, the turns it took."""
    if int(state.players) == 1:
        return (-int(state.turns),)
    return tuple(state.match.totals.tolist()[: int(state.players)])


def result(state: Record, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    if int(state.phase) != OVER or int(state.players) > 1:
        return outcome(state, voice, scores(state), "point")
    left = sum(kind >= -1 for kind in state.layout.cards.tolist()[: int(state.layout.length)])
    why = f"{count_of(left, 'card')} still lie there." if left else "Not a card is left."
    turns = count_of(int(state.turns), "turn")
    return Result(f"{voice.does(0, 'finish', 'finishes')} in {turns}.", (1,), scores(state), why)


def prompt(state: Record, voice: Voice) -> Prompt:
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    turned = open_faces(state)
    if voice.viewer != int(state.turn):
        sub = f"Turned up: {' and '.join(map(name_of, turned))}." if turned else ""
        return Prompt("waiting", f"{voice.title(int(state.turn))} is looking for a {set_name(state)}.", sub)
    clause = clause_of(state, 4, 2)
    if must_turn_unseen(state):
        sub = "Too many turns brought no news, so it must be a card nobody has seen."
        return Prompt("yours", "Turn up a new card.", sub, "MEM-07")
    text = f"Turn up {ORDINALS[len(turned)]} card."
    if not turned:
        return Prompt("yours", text, invitation(state), clause)
    return Prompt("yours", text, f"You turned {' and '.join(map(name_of, turned))}. {hope(state, turned)}", clause)


def invitation(state: Record) -> str:
    """What to look for at the beginning of a turn."""
    number = "Two" if int(state.alike) == PAIR else "Three"
    return f"{number} cards alike are yours, and you go again."


def hope(state: Record, turned: list[int]) -> str:
    """What the next card can bring."""
    if len(set(turned)) > 1 and not int(state.options.qmark_wild):
        return "They do not match, but a third card is still turned."
    face = next((face for face in turned if face != QUESTION), QUESTION)
    last = len(turned) == int(state.alike) - 1
    wild = int(state.options.qmark_wild) and FIFTEEN <= face <= HUNDRED
    other = "a wild ?" if wild else ""
    match = f"Another {name_of(face).removeprefix('a ')}{' or ' + other if other else ''}"
    if not last:
        return f"{match} keeps the turn alive."
    points = worth(state, face) if len(set(turned)) == 1 else 1
    return f"{match} makes {worth_in_words(state, int(points))}."


def worth_in_words(state: Record, points: int) -> str:
    """`a pair for 3 points`, `a triplet that costs 2 points`."""
    name = set_name(state)
    return (
        f"a {name} that costs {count_of(-points, 'point')}"
        if points < 0
        else f"a {name} for {count_of(points, 'point')}"
    )
