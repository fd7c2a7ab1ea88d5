"""CHIMAX FATE: what the wheel says, the sentence that says what to do, how it ended, and the words on buttons."""

from __future__ import annotations

import msgspec

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, places_by
from fairdeal.games.chimax.cards import SIGNS, name_of
from fairdeal.games.chimax.fate.bots import prize_of
from fairdeal.games.chimax.fate.rules import must_turn_unseen, standing
from fairdeal.games.chimax.fate.state import AT_REST, BY_FACE, CHOOSING, NAME, NAMING, SPIN, SPINNING, STOP
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF
from fairdeal.games.chimax.text.words import outcome, shared_prompt


def button_label(action: int) -> str:
    """The words on a button: the wheel, the end of a search, or a face to be said."""
    if action == SPIN:
        return "Spin the wheel"
    if action == STOP:
        return "Stop here"
    return SIGNS[action - NAME]


def headline(state: Record) -> Headline | None:
    """The wheel."""
    if int(state.phase) in (DEALING, CUTTING, PLAYOFF, OVER):
        return None
    wheel = int(state.wheel)
    if wheel == AT_REST:
        return Headline("the wheel", "…", "waits for a spin")
    if int(state.options.wheel) != BY_FACE:
        return Headline("the wheel points at", f"place {wheel + 1}", "What lies there? 1 point.")
    worth = prize_of(state, int(state.layout.open.length) + 1)
    return Headline("the wheel calls for", SIGNS[wheel], f"{count_of(worth, 'point')} with the next card")


def prompt(state: Record, voice: Voice) -> Prompt:
    """The sentence at the top of the choices."""
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    phase, turn = int(state.phase), int(state.turn)
    if voice.viewer != turn:
        doing = {SPINNING: "spins the wheel", NAMING: "says what lies there"}
        return Prompt("waiting", f"{voice.title(turn)} {doing.get(phase, 'looks for the card')}.", "", "FATE-08")
    if phase == SPINNING:
        return Prompt("yours", "Spin the wheel.", "It tells which card to find.", "FATE-03")
    if phase == NAMING:
        text = f"What lies at place {int(state.wheel) + 1}?"
        return Prompt("yours", text, "Right, and it is yours for a point. Wrong, and all have seen it.", "FATE-10")
    wanted = name_of(int(state.wheel))
    if phase == CHOOSING:
        left = int(state.options.tries) - int(state.layout.open.length)
        sub = f"{count_of(left, 'look')} left, and all eyes see what you turn."
        return Prompt("yours", f"Not {wanted}. Another look?", sub, "FATE-06")
    if must_turn_unseen(state):
        return Prompt("yours", f"Where is {wanted}?", "Only cards that nobody has seen: it is time for news.", "MEM-07")
    return Prompt("yours", f"Where is {wanted}?", "Turn up a card.", "FATE-06")


def points_of(state: Record) -> list[int]:
    return [int(points) for points in state.match.totals.tolist()[: int(state.players)]]


def result(state: Record, voice: Voice) -> Result | None:
    """FATE-08: the end, or None while the game runs; cards decide between equal points."""
    if int(state.phase) != OVER:
        return None
    points, players = points_of(state), int(state.players)
    best = [seat for seat in range(players) if points[seat] == max(points)]
    cards = [int(state.taken[seat].length) for seat in range(players)]
    why = ""
    if players == 1:
        why = f"{count_of(cards[0], 'card')} in {count_of(int(state.spins), 'spin')}."
    elif len(best) > 1 and not int(state.tied):
        counts = ", ".join(f"{voice.name(seat)} {count_of(cards[seat], 'card')}" for seat in best)
        why = f"Level on points: {counts}."
    found = outcome(state, voice, points, "point", why)
    if found is None:
        return None
    worth = [(int(state.winners) >> seat & 1, int(standing(state, seat))) for seat in range(players)]
    return msgspec.structs.replace(found, places=places_by(worth))
