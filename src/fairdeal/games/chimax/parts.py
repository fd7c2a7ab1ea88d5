"""CHIMAX: parts of a scene that all its games have: seats, layouts of places, the pack and the Book of a playoff."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.engine.scene import Card, Counter, Seat, Voice, Zone
from fairdeal.games.chimax.cards import card_on_table
from fairdeal.games.chimax.state import CUTTING, PLAYOFF
from fairdeal.games.chimax.trick import winning_entry


def seats_of(state: Record, voice: Voice, counters: Sequence[tuple[Counter, ...]]) -> tuple[Seat, ...]:
    """The places at the table, with the counters of each."""
    return tuple(
        Seat(
            seat=seat,
            name="You" if seat == voice.viewer else voice.names[seat],
            acts=bool(int(state.to_act) >> seat & 1),
            note=note_of(state, seat),
            counters=counters[seat],
        )
        for seat in range(int(state.players))
    )


def note_of(state: Record, seat: int) -> str:
    if int(state.to_act) >> seat & 1:
        return "to play"
    if int(state.tied) >> seat & 1:
        return "in the playoff"
    return "dealer" if int(state.dealer) == seat else ""


def layout_zone(
    layout: Record,
    columns: int,
    narrow: tuple[int, int],
    *,
    identity: str = "layout",
    place: str = "centre",
    mark: str = "",
) -> Zone:
    """A layout of places that keep their numbers: a card is named by its place alone, so that none can be followed
    through a shuffle (MEM-01). Cards turned this turn show their faces."""
    length = int(layout.length)
    turned = set(layout.open.cards.tolist()[: int(layout.open.length)])
    cards = []
    left = 0
    for number, kind in enumerate(layout.cards.tolist()[:length]):
        name = place_id(identity, number)
        if kind == EMPTY:
            cards.append(Card(id=name, face=None, back="gap"))
            continue
        left += 1
        shown = kind if number in turned else UNKNOWN
        cards.append(card_on_table(name, shown, mark=mark if number in turned else ""))
    rows = -(-length // columns)
    return Zone(
        id=identity,
        place=place,
        layout="grid",
        label="",
        say=f"{length} places, {left} cards left",
        count=left,
        cards=tuple(cards),
        cols=columns,
        rows=rows,
        narrow=narrow,
        size="table",
    )


def place_id(identity: str, number: int) -> str:
    """The id of a place, numbered from 0 in records and from 1 in writing."""
    return f"{identity}.{number + 1}"


def pack_zone(state: Record) -> list[Zone]:
    """The pack while it is cut or waits for the deal."""
    if not int(state.pack.length):
        return []
    heed = int(state.phase) in (CUTTING, PLAYOFF)
    return [
        Zone(
            id="pack",
            place="centre",
            layout="stack",
            label="Pack",
            count=int(state.pack.length),
            size="table",
            heed=heed,
        )
    ]


def playoff_zones(state: Record, viewer: int) -> list[Zone]:
    """TOUR-07: the cards that are still down, before their owners, and the Book."""
    if not int(state.tied) or int(state.book.leader) == NOBODY:
        return []
    zones = [book_zone(state)]
    for seat, kind in enumerate(state.ones.tolist()[: int(state.players)]):
        if kind != EMPTY:
            mine = seat == viewer
            zones.append(
                Zone(
                    id=f"one{seat}",
                    place="hand" if mine else f"seat:{seat}",
                    layout="fan" if mine else "lap",
                    label="Your card" if mine else "",
                    say="playoff card",
                    count=1,
                    cards=(card_on_table(f"one{seat}", kind),),
                    size="hand" if mine else "mini",
                )
            )
    return zones


def book_zone(state: Record) -> Zone:
    """The Book under way: cards in play order, the best so far marked."""
    book = state.book
    best = int(winning_entry(book)) if int(book.length) else -1
    cards = tuple(
        card_on_table(
            f"book.{int(book.seats[entry])}", int(book.cards[entry]), mark="wins so far" if entry == best else ""
        )
        for entry in range(int(book.length))
    )
    return Zone(
        id="book",
        place="centre",
        layout="row",
        label="This Book",
        count=len(cards),
        cards=cards,
        slots=players_in(state),
    )


def players_in(state: Record) -> int:
    """How many cards a Book has."""
    return int(state.tied).bit_count() if int(state.tied) else int(state.players)


def cards_of(identity: str, kinds: Iterable[int], groups: Sequence[int] = ()) -> tuple[Card, ...]:
    """Open cards that lie together; `groups` joins those that lie on one another."""
    return tuple(
        card_on_table(f"{identity}.{number}", kind, **({"group": groups[number]} if groups else {}))
        for number, kind in enumerate(kinds)
    )
