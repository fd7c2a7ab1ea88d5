"""WAR X-TREME: single cards of the scene, and the lanes of a war."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Card, Zone, count_of
from fairdeal.games.war_xtreme.catalogue.names import plural_rank
from fairdeal.games.war_xtreme.catalogue.tables import WAR_RANK
from fairdeal.games.war_xtreme.text.standing import pot_size

MOST_STAKES = 6
"""Stakes that lie side by side; more are told by their number."""

BACK, KIT_BACK = "war-xtreme", "kit"


def lane_zone(name: str, say: str, cards: Sequence[Card], panel: str, row: str) -> Zone:
    """Cards in a lane of a war."""
    return Zone(
        id=name,
        place="centre",
        layout="row",
        say=say,
        count=len(cards),
        cards=tuple(cards),
        size="small",
        panel=panel,
        row=row,
    )


def stakes_zone(name: str, stakes: int, panel: str, row: str) -> Zone:
    """WAR-36: stakes lie face down; of many, the last one tells how many there are."""
    shown = min(stakes, MOST_STAKES)
    told = f"{stakes} stakes" if stakes > shown else ""
    cards = [hidden_card(name, place, BACK, told if place == shown - 1 else "") for place in range(shown)]
    zone = lane_zone(name, "stakes", cards, panel, row)
    return msgspec.structs.replace(zone, layout="lap", count=stakes)


def war_title(war: Record) -> str:
    """`War of 9s`, `War of Kings`; a War card's war has no rank of its own."""
    rank = int(war.rank)
    return "War!" if rank == WAR_RANK else f"War of {plural_rank(rank)}"


MANY = ("", "", "double war", "triple war")


def war_text(state: Record, war: int) -> str:
    """`double war · 18 cards at stake · 2 kit for the winner`."""
    depth, cards = int(state.wars[war].depth), pot_size(state, war)
    at_stake = f"{count_of(cards, 'card')} at stake"
    step = MANY[depth] if depth < len(MANY) else f"{depth}-fold war"
    prize = f"{depth} kit for the winner" if int(state.options.equipment) else ""
    return " · ".join(part for part in (step, at_stake, prize) if part)


@functools.cache
def hidden_card(zone: str, place: int, back: str, mark: str) -> Card:
    """A face-down card is named by its place, which tells nothing."""
    return Card(id=f"{zone}?{place}", face=None, down=True, back=back, mark=mark)


@functools.cache
def open_card(code: str, copy: int, face: str, mark: str, group: int) -> Card:
    return Card(id=f"{code}.{copy}", face=face, mark=mark, group=group)
