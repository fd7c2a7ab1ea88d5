"""CHIMAX FATE: what the wheel says, the sentence that says what to do, and how it ended."""

from collections.abc import Sequence

import msgspec

from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, places_by
from fairdeal.engine.seats import members
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import SIGNS, name_of
from fairdeal.games.chimax.fate.bots import prize_of
from fairdeal.games.chimax.fate.rules import must_turn_unseen, standing
from fairdeal.games.chimax.fate.state import ACTIONS, AT_REST, BY_FACE, PHASES
from fairdeal.games.chimax.state import OWN_PHASE
from fairdeal.games.chimax.text import words
from fairdeal.games.chimax.text.words import outcome, shared_prompt


def headline(state: Snapshot) -> Headline | None:
    """The wheel."""
    if state.phase < OWN_PHASE:
        return None
    if state.wheel == AT_REST:
        return Headline("the wheel", "…", "waits for a spin")
    if state.options.wheel != BY_FACE:
        return Headline("the wheel points at", f"place {state.wheel + 1}", "What lies there? 1 point.")
    worth = count_of(prize_of(state, state.layout.open.length + 1), "point")
    return Headline("the wheel calls for", SIGNS[state.wheel], f"{worth} with the next card")


def prompt(state: Snapshot, voice: Voice) -> Prompt:
    """The sentence at the top of the choices."""
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
        sub = "Right, and it is yours for a point. Wrong, and all have seen it."
        return Prompt("yours", f"What lies at place {state.wheel + 1}?", sub, "FATE-10")
    wanted = name_of(state.wheel)
    if phase == "choose":
        looks = count_of(state.options.tries - state.layout.open.length, "look")
        sub = f"{looks} left. Everybody sees what you turn up."
        return Prompt("yours", f"Not {wanted}. Another look?", sub, "FATE-06")
    if must_turn_unseen(state):
        return Prompt("yours", f"Where is {wanted}?", "Only cards that nobody has seen: it is time for news.", "MEM-07")
    return Prompt("yours", f"Where is {wanted}?", "Turn up a card.", "FATE-06")


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """A move as advice."""
    match ACTIONS.decode(actions[0]):
        case "spin", _:
            return "Spin the wheel"
        case "stop", _:
            return "Stop looking"
        case "name", face:
            return f"Say that it is {name_of(face)}"
    return words.say_move(state, voice, actions)


def result(state: Snapshot, voice: Voice) -> Result | None:
    """FATE-08: the end, or None while the game runs; cards decide between equal points."""
    points, cards = state.match.totals[: state.players], [count_of(taken.length, "card") for taken in state.taken]
    best = [seat for seat, own in enumerate(points) if own == max(points)]
    why = ""
    if state.players == 1:
        why = f"{cards[0]} found."
    elif len(best) > 1 and not state.tied:
        why = f"Level on points: {', '.join(f'{voice.name(seat)} {cards[seat]}' for seat in best)}."
    found = outcome(state, voice, points, "point", why)
    if found is None:
        return None
    if state.players == 1:
        text = f"{count_of(points[0], 'point')} in {count_of(state.spins, 'spin')}."
        return msgspec.structs.replace(found, text=text)
    winners = members(state.winners)
    worth = [(seat in winners, standing(state, seat)) for seat in range(state.players)]
    return msgspec.structs.replace(found, places=places_by(worth))
