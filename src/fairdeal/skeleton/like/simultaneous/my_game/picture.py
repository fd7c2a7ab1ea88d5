"""My Game on the table: faces, zones and choices."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Voice, Zone
from fairdeal.engine.scene.zones import CardIds, area_zone, hand_zone
from fairdeal.skeleton.my_game.words import CODES

IDS = CardIds(CODES, back="my-game")


def waiting(state: Snapshot, voice: Voice) -> str:
    """Return the prompt for players who may not act."""
    return "The others are choosing"


def zones(state: Snapshot, viewer: int) -> tuple[Zone, ...]:
    """Return the zones of the table and the hands. A chosen card lies face down
    until all seats have chosen, after the card of the previous trick."""
    found = []
    for seat in range(state.players):
        used = [card for card, owner in enumerate(state.used) if owner == seat + 1]
        cards = IDS.cards(used, f"used{seat}")
        found.append(area_zone(f"used{seat}", seat, viewer, "lap", cards, say="cards of earlier tricks", size="mini"))
    for seat in range(state.players):
        on_table = [card for card in [state.chosen[seat]] if card != EMPTY] or [state.played[seat]]
        cards = IDS.cards([card for card in on_table if card != EMPTY], f"played{seat}")
        found.append(area_zone(f"played{seat}", seat, viewer, "row", cards, say="card chosen", slots=1, size="table"))
    for seat in range(state.players):
        found.append(hand_zone(seat, viewer, IDS.cards(state.hands[seat].held, f"hand{seat}"), any_order=True))
    return tuple(found)
