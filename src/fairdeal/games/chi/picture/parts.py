"""Parts of a scene that CHI and Chaos Ninjas have alike: names of cards, hands, row, deck and discard pile."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chi.state import ROW

SHOWN = 6
"""Cards of the discard pile that a scene holds: the last ones; the others lie under them."""


class CardIds:
    """Names for the cards that the viewer can see: the code and which of its copies, in the order they are met.

    Cards go from row to hand to area to discard pile, so the zones are drawn the other way: a card keeps its name.
    """

    def __init__(self, codes: Sequence[str], back: str) -> None:
        self.codes, self.back = codes, back
        self.met = [0] * len(codes)

    def card(self, kind: int, zone: str, place: int, group: int = -1, mark: str = "") -> Card:
        if kind == UNKNOWN:
            return hidden_card(zone, place, self.back)
        self.met[kind] += 1
        return open_card(self.codes[kind], self.met[kind], group, mark)

    def pass_over(self, kinds: Sequence[int]) -> None:
        """Cards that lie under others."""
        for kind in kinds:
            self.met[kind] += 1


@functools.cache
def open_card(code: str, copy: int, group: int, mark: str) -> Card:
    return Card(id=f"{code}.{copy}", face=code, group=group, mark=mark)


@functools.cache
def hidden_card(zone: str, place: int, back: str) -> Card:
    return Card(id=f"{zone}?{place}", face=None, back=back, down=True)


def row_zone(state: Record, ids: CardIds, fold: bool = False) -> Zone:
    """The row; small screens need not show it where nothing is taken from it."""
    row = state.row.tolist()
    return Zone(
        id="row",
        place="centre",
        layout="row",
        label="The row",
        count=sum(card != EMPTY for card in row),
        cards=tuple(ids.card(card, "row", place) for place, card in enumerate(row) if card != EMPTY),
        slots=ROW,
        size="table",
        fold=fold,
    )


def card_of_row(state: Record, row: Zone, place: int) -> Card:
    """The card that lies at a place of the row; empty places are not drawn."""
    return row.cards[sum(card != EMPTY for card in state.row.tolist()[:place])]


def discard_zone(state: Record, ids: CardIds) -> Zone:
    """Everything is open; a few cards lie on top."""
    kinds = [kind for kind, count in enumerate(state.discard.tolist()) for _ in range(count)]
    ids.pass_over(kinds[:-SHOWN])
    cards = tuple(ids.card(kind, "discard", place) for place, kind in enumerate(kinds[-SHOWN:]))
    return Zone(id="discard", place="centre", layout="stack", label="Discard", count=len(kinds), cards=cards, fold=True)


def deck_zone(state: Record) -> Zone:
    return Zone(
        id="deck", place="centre", layout="stack", label="Deck", count=int(state.deck.length), size="table", fold=True
    )


def hand_zone(state: Record, seat: int, viewer: int, ids: CardIds) -> Zone:
    kinds = state.hands[seat].cards.tolist()[: int(state.hands[seat].length)]
    mine = seat == viewer
    return Zone(
        id=f"hand{seat}",
        place="hand" if mine else f"seat:{seat}",
        layout="fan" if mine else "lap",
        label="Your hand" if mine else "",
        say="hand",
        count=len(kinds),
        cards=tuple(ids.card(kind, f"hand{seat}", place) for place, kind in enumerate(kinds)),
        size="hand" if mine else "mini",
        fold=not mine,
    )
