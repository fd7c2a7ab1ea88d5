"""CHIMAX FATE: the headline with the wheel, the prompt and the result."""

from collections.abc import Sequence

from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, places_by
from fairdeal.games.chimax import events as shared
from fairdeal.games.chimax.cards import SIGNS, name_of
from fairdeal.games.chimax.fate.bots import prize_of
from fairdeal.games.chimax.fate.rules import must_turn_unseen, standing
from fairdeal.games.chimax.fate.state import ACTIONS, AT_REST, BY_FACE, PHASES
from fairdeal.games.chimax.state import OVER, OWN_PHASE
from fairdeal.games.chimax.text import words
from fairdeal.games.chimax.text.words import shared_prompt


def headline(state: Snapshot) -> Headline | None:
    """Return the headline with the state of the wheel, or None in phases of the tournament layer."""
    if state.phase < OWN_PHASE:
        return None
    if state.wheel == AT_REST:
        return Headline("the wheel", "…", "waits for a spin")
    if state.options.wheel != BY_FACE:
        return Headline("the wheel points at", f"place {state.wheel + 1}", "What lies there? 1 point.")
    worth = count_of(prize_of(state, state.layout.open.length + 1), "point")
    return Headline("the wheel calls for", SIGNS[state.wheel], f"{worth} with the next card")


def prompt(state: Snapshot, voice: Voice) -> Prompt:
    """Return the current prompt."""
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    phase = PHASES[state.phase]
    if voice.viewer != state.turn:
        doing = {"spin": "spins the wheel", "name": "says what lies there"}.get(phase, "looks for the card")
        return Prompt("waiting", f"{voice.title(state.turn)} {doing}.", "", "FATE-08")
    if phase == "spin":
        return Prompt("yours", "Spin the wheel.", "It says which card to find.", "FATE-03")
    if phase == "name":
        sub = "Right: it is yours for a point. Wrong: everybody has seen it."
        return Prompt("yours", f"What lies at place {state.wheel + 1}?", sub, "FATE-10")
    wanted = name_of(state.wheel)
    if phase == "choose":
        looks = count_of(state.options.tries - state.layout.open.length, "look")
        sub = f"{looks} left. Everybody sees what you turn up."
        return Prompt("yours", f"Not {wanted}. Another look?", sub, "FATE-06")
    if must_turn_unseen(state):
        return Prompt("yours", f"Where is {wanted}?", "You may turn only cards that nobody has seen.", "MEM-07")
    return Prompt("yours", f"Where is {wanted}?", "Turn up a card.", "FATE-06")


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice."""
    match ACTIONS.decode(actions[0]):
        case "spin", _:
            return "Spin the wheel"
        case "stop", _:
            return "Stop looking"
        case "name", face:
            return f"Say that it is {name_of(face)}"
    return words.say_move(state, voice, actions)


class Won(shared.Won):
    """FATE-08: the end of a game. Cards break ties on points. `level` lists the tied seats, each with its number of
    cards."""

    level: tuple[tuple[int, int], ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(sorted({*self.winners, *[seat for seat, _ in self.level]}))

    def deciding(self) -> Deciding:
        found = super().deciding()
        return found._replace(counters=("point", "card")) if self.level else found

    def why(self, voice: Voice) -> str:
        told = ", ".join(f"{voice.name(seat)} {count_of(cards, 'card')}" for seat, cards in self.level)
        return f"Level on points: {told}." if told else super().why(voice)


class FinishedAlone(shared.FinishedAlone):
    """FATE-11: the end of a single-player game."""

    spins: int
    found: int

    def deciding(self) -> Deciding:
        return Deciding(self.best, ("point",))

    def text(self, voice: Voice) -> str:
        return f"{count_of(self.scores[0], 'point')} in {count_of(self.spins, 'spin')}."

    def why(self, voice: Voice) -> str:
        return f"{count_of(self.found, 'card')} found."


def won(state: Snapshot) -> Won | FinishedAlone:
    """Return the event that ended a finished game."""
    points, cards = tuple(state.match.totals[: state.players]), [taken.length for taken in state.taken]
    if state.players == 1:
        return FinishedAlone(points, state.spins, cards[0], clauses=("FATE-08",))
    best = [seat for seat, own in enumerate(points) if own == max(points)]
    level = tuple([(seat, cards[seat]) for seat in best]) if len(best) > 1 and not state.tied else ()
    return Won(points, *shared.decided(state), level, clauses=("FATE-08",))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result, or None while the game runs."""
    if state.phase != OVER:
        return None
    worth = [(is_in(state.winners, seat), standing(state, seat)) for seat in range(state.players)]
    return won(state).result(voice, places=places_by(worth), won=state.winners != 0)
