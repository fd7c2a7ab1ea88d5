"""Parts of a scene that most tables have: hands, areas before a seat, stacks, seats, and names for cards.

A scene function reads like a description of the table: `hand_zone(seat, viewer, cards)`, `stack_zone("deck", "Deck",
count)`, `zone("row", "centre", "row", cards, label="The row")`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Card, Choice, Counter, Layout, Place, Seat, Voice, Zone

SHOWN = 6
"""Cards of an open pile that a scene holds: the last ones; the others lie under them."""


class CardIds:
    """Names for the cards that the viewer can see: the code and which of its copies, in the order they are met.

    Give cards their names zone by zone, from where they end back to where they come from: then a card that moves on
    keeps its name, and a screen can let it travel.
    """

    def __init__(self, codes: Sequence[str], back: str = "") -> None:
        self.codes, self.back = codes, back
        self.met = [0] * len(codes)

    def card(self, kind: int, zone: str = "", place: int = 0, mark: str = "", group: int = -1, **shown: Any) -> Card:
        """Return a card of a kind, or of an unknown one at this place of a zone; `shown` are more fields of `Card`."""
        if kind == UNKNOWN:
            return hidden_card(zone, place, self.back)
        self.met[kind] += 1
        return open_card(self.codes[kind], self.met[kind], mark, group, **shown)

    def cards(self, kinds: Iterable[int], zone: str = "", mark: str = "", group: int = -1) -> tuple[Card, ...]:
        """Return the cards of a zone, or of a group in one."""
        cards = []
        for place, kind in enumerate(kinds):
            if kind == UNKNOWN:
                cards.append(hidden_card(zone, place, self.back))
            else:
                self.met[kind] += 1
                cards.append(open_card(self.codes[kind], self.met[kind], mark, group))
        return tuple(cards)

    def open_pile(self, counts: Sequence[int], order: tuple[int, ...] = ()) -> tuple[Card, ...]:
        """Return the cards of an open pile that is kept as counts by kind: in the order of kinds, or in this one. It is
        the first zone whose cards get names."""
        assert not any(self.met)
        self.met = [*counts]
        return cards_of_pile(tuple(self.codes), tuple(counts), order)


@functools.lru_cache(maxsize=4096)
def cards_of_pile(codes: tuple[str, ...], counts: tuple[int, ...], order: tuple[int, ...]) -> tuple[Card, ...]:
    """The cards of an open pile. It grows large and changes seldom, and all viewers see the same of it."""
    return tuple(
        open_card(codes[kind], copy, "", -1)
        for kind in order or range(len(codes))
        for copy in range(1, counts[kind] + 1)
    )


@functools.cache
def open_card(code: str, copy: int, mark: str, group: int, **shown: Any) -> Card:
    """Return a card that the viewer can see."""
    return Card(id=f"{code}.{copy}", face=code, mark=mark, group=group, **shown)


@functools.cache
def hidden_card(zone: str, place: int, back: str) -> Card:
    """A card that they cannot see, which has the name of its place."""
    return Card(id=f"{zone}?{place}", face=None, back=back, down=True)


def zone(
    id: str, place: Place, layout: Layout, cards: Iterable[Card] = (), count: int | None = None, **more: Any
) -> Zone:
    """Return a zone of cards, counted where `count` is not given; `more` are further fields of `Zone`."""
    shown = tuple(cards)
    return Zone(id, place, layout, count=len(shown) if count is None else count, cards=shown, **more)


def before(seat: int, viewer: int) -> Place:
    """Where things lie that are a seat's: the viewer's side of the table, or the seat's place."""
    return "own" if seat == viewer else f"seat:{seat}"


def area_zone(id: str, seat: int, viewer: int, layout: Layout, cards: Iterable[Card] = (), **more: Any) -> Zone:
    """Cards that lie open before a seat."""
    return zone(id, before(seat, viewer), layout, cards, **more)


def hand_zone(
    seat: int, viewer: int, cards: Iterable[Card], id: str = "", label: str = "", say: str = "hand", **more: Any
) -> Zone:
    """Return a hand: a fan for its owner, the backs at a seat for the others; `more` are further fields of `Zone`."""
    id = id or f"hand{seat}"
    if seat == viewer:
        return zone(id, "hand", "fan", cards, label=label or "Your hand", say=say, size="hand", **more)
    more.setdefault("fold", True)
    return zone(id, f"seat:{seat}", "lap", cards, label=label, say=say, size="mini", **more)


def stack_zone(id: str, label: str, count: int, cards: Iterable[Card] = (), **more: Any) -> Zone:
    """A pile in the middle: how many cards it has, and those on top that can be seen."""
    return zone(id, "centre", "stack", cards, count, label=label, **more)


def heap_zone(id: str, label: str, cards: Iterable[Card], **more: Any) -> Zone:
    """An open pile in the middle, all its cards: the state keeps no order of them, and a sitting lays the newest on
    top."""
    return zone(id, "centre", "stack", cards, heap=True, label=label, **more)


def seat_of(state: Snapshot, seat: int, voice: Voice, /, *counters: Counter, note: str = "", **more: Any) -> Seat:
    """A place at the table: who sits there, whether they are to play, what they have; `more` are further fields of
    `Seat`."""
    acts = seat in state.acting
    return Seat(
        seat=seat,
        name="You" if seat == voice.viewer else voice.names[seat],
        acts=acts,
        note=note or ("to play" if acts else ""),
        counters=counters,
        **more,
    )


def on_cards(action: int, label: str, cards: Iterable[str], **more: Any) -> list[Choice]:
    """A choice on each of these cards; `more` are further fields of `Choice`."""
    return [Choice(action, "card", label, on=card, **more) for card in cards]
