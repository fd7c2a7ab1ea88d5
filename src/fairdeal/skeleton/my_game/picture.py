"""My Game on the table: faces, zones and choices."""

from collections.abc import Mapping, Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import Options
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Choice, Counter, Face, Ink, Prompt, Scene, Skin, Voice, Zone, counted, legal_for
from fairdeal.engine.scene.zones import CardIds, area_zone, hand_zone, seat_of

from .rules import ACTIONS, legal_actions
from .words import CODES, NUMBERS, ended

SKIN = Skin(
    name="my-game",
    cloth=("#e6dcc6", "#1c1a16"),
    cloth_2=("#d8cbb0", "#2a2620"),
    kinds={"card": Ink("#fbf6ea", "#3a2a16")},
    back=Ink("#6b4a21", "#f6ead2"),
    back_sign="♠",
)

IDS = CardIds(CODES, back="my-game")


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of the cards."""
    return {
        code: Face(kind="card", name=number, big=number, corner=number, clause="MINE-11")
        for code, number in NUMBERS.items()
    }


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. Every move is a single choice."""
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    result, prompt = None, Prompt("waiting", waiting(state, voice))
    if voice.viewer in state.acting:
        prompt = Prompt("yours", "Which card do you play?", "The highest takes the trick.", "MINE-11")
    for end in ended(state):
        result = end.result(voice)
        prompt = Prompt("over", result.text, result.why, "MINE-20")
    return Scene(
        skin="my-game",
        title="My Game",
        sub=f"{state.players} players",
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        seats=tuple(seat_of(state, seat, voice, *counters(state, seat)) for seat in range(state.players)),
        zones=zones(state, voice.viewer),
        prompt=prompt,
        result=result,
        choices=tuple(
            Choice(action, "card", f"Play {NUMBERS[CODES[action]]}", on=f"hand{voice.viewer}/{CODES[action]}.1")
            for action in legal
        ),
    )


def waiting(state: Snapshot, voice: Voice) -> str:
    """Return the prompt for players who may not act."""
    return f"{voice.names[state.turn]} is choosing a card"


def counters(state: Snapshot, seat: int) -> tuple[Counter, ...]:
    """Return the counters of a seat."""
    return (counted(state.won[seat], "trick"),)


def in_front(state: Snapshot, seat: int) -> list[int]:
    """Return the card in front of a seat."""
    return [state.played[seat]]


def zones(state: Snapshot, viewer: int) -> tuple[Zone, ...]:
    """Return the zones of the table and the hands."""
    found = []
    for seat in range(state.players):
        used = [card for card, owner in enumerate(state.used) if owner == seat + 1]
        cards = IDS.cards(used, f"used{seat}")
        found.append(area_zone(f"used{seat}", seat, viewer, "lap", cards, say="cards of finished tricks", size="mini"))
    for seat in range(state.players):
        cards = IDS.cards([card for card in in_front(state, seat) if card != EMPTY], f"played{seat}")
        found.append(area_zone(f"played{seat}", seat, viewer, "row", cards, say="card played", slots=1, size="table"))
    for seat in range(state.players):
        found.append(hand_zone(seat, viewer, IDS.cards(state.hands[seat].held, f"hand{seat}"), any_order=True))
    return tuple(found)
