"""My Game on the table: faces, zones and choices."""

from collections.abc import Mapping, Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import Options
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Choice, Counter, Face, Ink, Prompt, Scene, Skin, Voice, Zone, counted, legal_for
from fairdeal.engine.scene.zones import CardIds, area_zone, hand_zone, plain_faces, table_scene

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


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of the cards."""
    return plain_faces("card", CODES, [*NUMBERS.values()], "MINE-11")


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. Every move is a single choice."""
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    return table_scene(
        state,
        voice,
        "my-game",
        "My Game",
        counters=lambda seat: counters(state, seat),
        zones=zones(state, voice.viewer),
        ended=next(iter(ended(state)), None),
        asks=Prompt("yours", "Which card do you play?", "The highest takes the trick.", "MINE-11"),
        waiting=waiting(state, voice),
        choices=tuple(
            Choice(action, "card", f"Play {NUMBERS[CODES[action]]}", on=f"{CODES[action]}.1") for action in legal
        ),
    )


def waiting(state: Snapshot, voice: Voice) -> str:
    """Return the prompt for players who may not act."""
    return f"{voice.names[state.turn]} is choosing a card"


def counters(state: Snapshot, seat: int) -> tuple[Counter, ...]:
    """Return the counters of a seat."""
    return (counted(state.won[seat], "trick"),)


def zones(state: Snapshot, viewer: int) -> tuple[Zone, ...]:
    """Return the zones of the table and the hands. Zones to which cards move come first."""
    ids, found = CardIds(CODES, back="my-game"), []
    for seat in range(state.players):
        used = [card for card, owner in enumerate(state.used) if owner == seat + 1]
        cards = ids.cards(used, f"used{seat}")
        found.append(area_zone(f"used{seat}", seat, viewer, "lap", cards, say="cards of finished tricks", size="mini"))
    for seat in range(state.players):
        cards = ids.cards([card for card in [state.played[seat]] if card != EMPTY], f"played{seat}")
        found.append(area_zone(f"played{seat}", seat, viewer, "row", cards, say="card played", slots=1, size="table"))
    for seat in range(state.players):
        found.append(hand_zone(seat, viewer, ids.cards(state.hands[seat].held, f"hand{seat}"), any_order=True))
    return tuple(found)
