"""Parts of a scene that most tables have: hands, areas in front of a seat, stacks, seats, and ids for cards.

They make a scene function read like a description of the table: `hand_zone(seat, viewer, cards)`, `stack_zone("deck",
"Deck", count)`, `zone("row", "centre", "row", cards, label="The row")`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Card, Choice, Counter, Layout, Place, Seat, Voice, Zone

SHOWN = 6
"""Maximum number of cards of an open pile that a scene contains, counted from the top."""


class CardIds:
    """Ids for the cards that the viewer can see: the code of the card and the number of the copy, in the order in which
    cards are named.

    Name cards zone by zone, from the zones where cards end up back to those where they come from. A card that moves
    then keeps its id, so that a screen can animate it.

    >>> ids = CardIds(("ace", "king"))
    >>> [card.id for card in ids.cards([0, 1, 0], "hand")]
    ['ace.1', 'king.1', 'ace.2']
    >>> ids.card(UNKNOWN, "deck", 3).id
    'deck?3'
    """

    def __init__(self, codes: Sequence[str], back: str = "") -> None:
        self.codes, self.back = codes, back
        self.met = [0] * len(codes)

    def card(self, kind: int, zone: str = "", place: int = 0, mark: str = "", group: int = -1, **shown: Any) -> Card:
        """Return a card of a kind, or an unknown card at a place of a zone; `shown` holds other fields of `Card`."""
        if kind == UNKNOWN:
            return hidden_card(zone, place, self.back)
        self.met[kind] += 1
        return open_card(self.codes[kind], self.met[kind], mark, group, **shown)

    def cards(self, kinds: Iterable[int], zone: str = "", mark: str = "", group: int = -1) -> tuple[Card, ...]:
        """Return the cards of a zone, or of a group in it."""
        cards = []
        for place, kind in enumerate(kinds):
            if kind == UNKNOWN:
                cards.append(hidden_card(zone, place, self.back))
            else:
                self.met[kind] += 1
                cards.append(open_card(self.codes[kind], self.met[kind], mark, group))
        return tuple(cards)

    def open_pile(self, counts: Sequence[int], order: tuple[int, ...] = ()) -> tuple[Card, ...]:
        """Return the cards of an open pile that is stored as counts by kind, in the order of kinds or in `order`. These
        cards must be named before all others."""
        assert not any(self.met)
        self.met = [*counts]
        return cards_of_pile(tuple(self.codes), tuple(counts), order)


@functools.lru_cache(maxsize=4096)
def cards_of_pile(codes: tuple[str, ...], counts: tuple[int, ...], order: tuple[int, ...]) -> tuple[Card, ...]:
    """Return the cards of an open pile. The result is cached, because the pile grows large, seldom changes and looks
    the same to all viewers."""
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
    """Return a card that the viewer cannot see, with the id of its place."""
    return Card(id=f"{zone}?{place}", face=None, back=back, down=True)


def zone(
    id: str, place: Place, layout: Layout, cards: Iterable[Card] = (), count: int | None = None, **more: Any
) -> Zone:
    """Return a zone of cards. `count` is the number of its cards (default: those shown); `more` holds other fields of
    `Zone`.

    >>> zone("row", "centre", "row", CardIds(("ace", "king")).cards([0, 1]), label="The row").count
    2
    """
    shown = tuple(cards)
    return Zone(id, place, layout, count=len(shown) if count is None else count, cards=shown, **more)


def before(seat: int, viewer: int) -> Place:
    """Return the place of a seat's cards on the table: `own` for the viewer, `seat:n` for others."""
    return "own" if seat == viewer else f"seat:{seat}"


def area_zone(id: str, seat: int, viewer: int, layout: Layout, cards: Iterable[Card] = (), **more: Any) -> Zone:
    """Return a zone of open cards in front of a seat; `more` holds other fields of `Zone`.

    >>> area_zone("books1", 1, viewer=0, layout="row").place
    'seat:1'
    """
    return zone(id, before(seat, viewer), layout, cards, **more)


def hand_zone(
    seat: int,
    viewer: int,
    cards: Iterable[Card],
    id: str = "",
    label: str = "",
    say: str = "hand",
    any_order: bool = False,
    **more: Any,
) -> Zone:
    """Return a hand: a fan for its owner, card backs at the seat for other viewers. Its owner may arrange cards in
    `any_order`. `more` holds other fields of `Zone`.

    >>> cards = CardIds(("ace",)).cards([UNKNOWN, UNKNOWN], "hand1")
    >>> hand_zone(1, viewer=0, cards=cards).place, hand_zone(1, viewer=1, cards=cards).label
    ('seat:1', 'Your hand')
    """
    id = id or f"hand{seat}"
    if seat == viewer:
        more |= {"label": label or "Your hand", "say": say, "size": "hand", "any_order": any_order}
        return zone(id, "hand", "fan", cards, **more)
    more.setdefault("fold", True)
    return zone(id, f"seat:{seat}", "lap", cards, label=label, say=say, size="mini", **more)


def stack_zone(id: str, label: str, count: int, cards: Iterable[Card] = (), **more: Any) -> Zone:
    """Return a pile in the middle: `count` cards, with the visible `cards` on top. `more` holds other fields of `Zone`.

    >>> stack_zone("deck", "Deck", 40).count
    40
    """
    return zone(id, "centre", "stack", cards, count, label=label, **more)


def heap_zone(id: str, label: str, cards: Iterable[Card], **more: Any) -> Zone:
    """Return an open pile in the middle with all its cards, whose order the state does not store; `more` holds other
    fields of `Zone`. A table puts the newest card on top.

    >>> heap_zone("discard", "Discard pile", CardIds(("ace",)).cards([0, 0])).count
    2
    """
    return zone(id, "centre", "stack", cards, heap=True, label=label, **more)


def seat_of(state: Snapshot, seat: int, voice: Voice, /, *counters: Counter, note: str = "", **more: Any) -> Seat:
    """Return a seat of a scene: the player's name, whether the seat may act, and its counters; `more` holds other
    fields of `Seat`.

    >>> shown = load("chi").deal(seed=7).seen_by(0).shown
    >>> seat = seat_of(shown, 1, Voice(("Ada", "Bo"), viewer=0))
    >>> seat.name, seat.note
    ('Bo', 'to play')
    """
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
    """Return one choice for each of these cards; `more` holds other fields of `Choice`.

    >>> [choice.on for choice in on_cards(4, "Take", ["ace.1", "king.1"])]
    ['ace.1', 'king.1']
    """
    return [Choice(action, "card", label, on=card, **more) for card in cards]
