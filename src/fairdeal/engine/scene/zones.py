"""Parts of a scene that most tables have: cards, hands, areas in front of a seat, stacks, and seats.

They make a scene function read like a description of the table: `hand_zone(seat, viewer, cards)`, `stack_zone("deck",
"Deck", count)`, `zone("row", "centre", "row", cards, label="The row")`. They are pure, and their results are cached:
most moves leave most zones as they were, and equal zones are then found equal at once.
"""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Card, Choice, Counter, Layout, Place, Seat, Voice, Zone

SHOWN = 6
"""Maximum number of cards of an open pile that a scene contains, counted from the top."""

CACHED = 1 << 13
"""Maximum number of cached results of each function."""


class CardIds(Frozen, eq=False):
    """The cards that the viewer can see, with ids: the zone, the code of the card and the number of the copy in the
    zone. The id of a card that the viewer cannot see is the zone and its place, so that it reveals nothing.

    >>> ids = CardIds(("ace", "king"))
    >>> [card.id for card in ids.cards([0, 1, 0, UNKNOWN], "hand")]
    ['hand/ace.1', 'hand/king.1', 'hand/ace.2', 'hand?3']
    """

    codes: Sequence[str]
    back: str = ""

    def card(self, kind: int, id: str) -> Card:
        """Return a card that the viewer can see, with an id of its own."""
        return card_with_id(id, self.codes[kind])

    def cards(
        self, kinds: Iterable[int], zone: str, marks: Iterable[str] = (), groups: Iterable[int] = ()
    ) -> tuple[Card, ...]:
        """Return the cards of a zone, with the mark and the group of each."""
        return drawn_cards(self, tuple(kinds), zone, tuple(marks), tuple(groups))

    def hand(self, seat: int, viewer: int, kinds: Iterable[int]) -> Zone:
        """Return the hand of a seat, which its owner may arrange."""
        return drawn_hand(self, seat, viewer, tuple(kinds))

    def pile(self, counts: Iterable[int], zone: str, order: tuple[int, ...] = ()) -> tuple[Card, ...]:
        """Return the cards of a pile that is stored as counts by kind, in the order of kinds or in `order`."""
        return drawn_pile(self, tuple(counts), zone, order)


@functools.lru_cache(CACHED)
def drawn_cards(
    ids: CardIds, kinds: tuple[int, ...], zone: str, marks: tuple[str, ...], groups: tuple[int, ...]
) -> tuple[Card, ...]:
    """Return the cards of a zone."""
    found = []
    for place, kind in enumerate(kinds):
        mark, group = marks[place] if marks else "", groups[place] if groups else -1
        if kind == UNKNOWN:
            found.append(hidden_card(zone, place, ids.back, mark, group))
        else:
            found.append(open_card(zone, ids.codes[kind], kinds[:place].count(kind) + 1, mark, group))
    return tuple(found)


@functools.lru_cache(CACHED)
def drawn_hand(ids: CardIds, seat: int, viewer: int, kinds: tuple[int, ...]) -> Zone:
    """Return a hand."""
    return hand_zone(seat, viewer, ids.cards(kinds, f"hand{seat}"), any_order=True)


@functools.lru_cache(CACHED)
def drawn_pile(ids: CardIds, counts: tuple[int, ...], zone: str, order: tuple[int, ...]) -> tuple[Card, ...]:
    """Return the cards of a pile."""
    return tuple(
        [
            open_card(zone, ids.codes[kind], copy, "", -1)
            for kind in order or range(len(counts))
            for copy in range(1, counts[kind] + 1)
        ]
    )


@functools.cache
def open_card(zone: str, code: str, copy: int, mark: str, group: int) -> Card:
    """Return a card that the viewer can see."""
    return Card(f"{zone}/{code}.{copy}", code, mark=mark, group=group)


@functools.cache
def card_with_id(id: str, code: str) -> Card:
    """Return a card that the viewer can see, with an id of its own."""
    return Card(id, code)


@functools.cache
def hidden_card(zone: str, place: int, back: str, mark: str, group: int) -> Card:
    """Return a card that the viewer cannot see."""
    return Card(f"{zone}?{place}", back=back, down=True, mark=mark, group=group)


def zone(
    id: str, place: Place, layout: Layout, cards: Iterable[Card] = (), count: int | None = None, **more: Any
) -> Zone:
    """Return a zone of cards. `count` is the number of its cards (default: those shown); `more` holds other fields of
    `Zone`.

    >>> zone("row", "centre", "row", CardIds(("ace", "king")).cards([0, 1], "row"), label="The row").count
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

    >>> heap_zone("discard", "Discard pile", CardIds(("ace",)).cards([0, 0], "discard")).count
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
