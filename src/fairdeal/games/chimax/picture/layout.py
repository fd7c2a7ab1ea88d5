"""CHIMAX: the zones of layouts of face-down cards, and the choices on their cards (MEM-01 to 04)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN
from fairdeal.engine.scene import Card, Choice, Place, Zone, count_of
from fairdeal.engine.scene.zones import zone
from fairdeal.games.chimax.cards import card_on_table


def place_id(identity: str, place: int) -> str:
    """Return the id of a card in a layout. It depends only on the place, so that cards cannot be followed through a
    shuffle (MEM-01)."""
    return f"{identity}.{place + 1}"


def flip_choices(legal: Sequence[int], first_action: int, identity: str = "layout") -> list[Choice]:
    """Return the choices on cards for the actions that turn them up."""
    places = [action - first_action for action in legal]
    return [
        Choice(first_action + place, "card", f"Turn up card {place + 1}", on=place_id(identity, place))
        for place in places
    ]


def layout_zone(
    layout: Snapshot,
    columns: int,
    narrow: tuple[int, int],
    *,
    missed: Mapping[int, int],
    moved: Collection[int] = (),
    identity: str = "layout",
    place: Place = "centre",
    **more: Any,
) -> Zone:
    """Return the zone of a layout.

    Cards turned up in this turn are face up. Cards in `missed`, by place, have just been turned back, so they are face
    down with their faces shown (MEM-04). Places in `moved` are empty, because the screen shows their cards elsewhere.
    """
    cards = []
    for number, kind in enumerate(layout.held):
        name = place_id(identity, number)
        if kind == EMPTY:
            cards.append(Card(id=name, face=None, back="gap"))
        elif number in moved:
            cards.append(Card(id=f"{name}.gap", face=None, back="gap"))
        elif number in missed:
            cards.append(card_on_table(name, missed[number], down=True, back="chimax"))
        else:
            cards.append(card_on_table(name, kind if number in layout.open.held else UNKNOWN))
    left = sum(kind != EMPTY for kind in layout.held)
    columns = min(columns, max(1, layout.length))
    facts: dict[str, Any] = {
        "say": f"{layout.length} places, {count_of(left, 'card')} left",
        "count": left,
        "narrow": narrow,
        "size": "table",
    }
    return zone(identity, place, "grid", cards, cols=columns, rows=-(-layout.length // columns), **facts | more)
