"""CHIMAX: parts of a scene that all its games have: seats, the pack, the Book of a playoff; and the choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairdeal.engine.records import EMPTY, NOBODY, Record
from fairdeal.engine.scene import Card, Counter, Picked, Seat, Voice, Zone
from fairdeal.games.chimax.cards import card_on_table
from fairdeal.games.chimax.rules.trick import winning_entry
from fairdeal.games.chimax.state import CUTTING, PLAYOFF


def pick(state: Record, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Every move is one pick, done at once."""
    return Picked((), (choice,))


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
