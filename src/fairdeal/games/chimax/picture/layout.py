"""CHIMAX: layouts of face-down cards on the table, and the choices on their cards (MEM-01 to 04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.engine.scene import Card, Choice, Zone
from fairdeal.games.chimax.cards import card_on_table


def place_id(identity: str, place: int) -> str:
    """The id of a card of a layout: its place alone, so that none can be followed through a shuffle (MEM-01)."""
    return f"{identity}.{place + 1}"


def flip_choices(legal: Sequence[int], first_action: int, identity: str = "layout") -> list[Choice]:
    """The choices on cards, for actions that turn them up."""
    return [
        Choice(
            action, "card", f"Turn up card {action - first_action + 1}", on=place_id(identity, action - first_action)
        )
        for action in legal
    ]


def layout_zone(
    layout: Record,
    columns: int,
    narrow: tuple[int, int],
    *,
    missed: Mapping[int, int],
    identity: str = "layout",
    place: str = "centre",
) -> Zone:
    """A layout. Cards turned this turn lie face up; those of the miss just made, by place, lie face down again, but
    everybody has just seen them (MEM-04)."""
    length = int(layout.length)
    turned = set(layout.open.cards.tolist()[: int(layout.open.length)])
    cards = []
    for number, kind in enumerate(layout.cards.tolist()[:length]):
        name = place_id(identity, number)
        if kind == EMPTY:
            cards.append(Card(id=name, face=None, back="gap"))
        elif number in missed:
            cards.append(card_on_table(name, missed[number], down=True, back="chimax"))
        else:
            cards.append(card_on_table(name, kind if number in turned else UNKNOWN))
    left = sum(card.back != "gap" for card in cards)
    columns = min(columns, max(1, length))
    return Zone(
        id=identity,
        place=place,
        layout="grid",
        say=f"{length} places, {left} cards left",
        count=left,
        cards=tuple(cards),
        cols=columns,
        rows=-(-length // columns),
        narrow=narrow,
        size="table",
    )
