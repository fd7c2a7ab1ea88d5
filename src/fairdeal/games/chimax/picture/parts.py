"""CHIMAX: the parts of a scene that all games share: seats, the pack, the Book of a playoff, and choices."""

from collections.abc import Iterable, Sequence
from typing import Any

from fairdeal.engine.kit.snapshots import Snapshot, seats_in
from fairdeal.engine.records import EMPTY, NOBODY
from fairdeal.engine.scene import Card, Counter, Picked, Seat, Voice, Zone
from fairdeal.engine.scene.instruments import Fan
from fairdeal.engine.scene.zones import hand_zone, seat_of, stack_zone, zone
from fairdeal.games.chimax.cards import card_on_table
from fairdeal.games.chimax.rules.trick import winning_entry
from fairdeal.games.chimax.state import CUT, CUTTING, DECLARE, PLAYOFF


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Return the picked action as a complete move, because every move is a single pick."""
    return Picked((), (choice,))


def seats_of(state: Snapshot, voice: Voice, counters: Sequence[tuple[Counter, ...]]) -> tuple[Seat, ...]:
    """Return the seats of a scene, with the counters of each."""
    return tuple(
        seat_of(state, seat, voice, *counters[seat], note=note_of(state, seat)) for seat in range(state.players)
    )


def note_of(state: Snapshot, seat: int) -> str:
    """Return the note on a seat that is not to act, such as `dealer`, which says nothing of a single player or after
    the last deal."""
    if seat in state.acting or state.players == 1 or state.over:
        return ""
    if seat in seats_in(state.tied):
        return "in the playoff"
    return "dealer" if state.dealer == seat else ""


def pack_zone(state: Snapshot) -> list[Zone]:
    """Return the zone of the pack while it is being cut or waits for the deal. Without a pack there is no zone."""
    size, heed = state.pack.length, state.phase in (CUTTING, PLAYOFF)
    return [stack_zone("pack", "Pack", size, size="table", heed=heed)] if size else []


def fan(state: Snapshot, legal: Sequence[int], **more: Any) -> Fan | None:
    """Return the pack, fanned out for the seat that cuts it, or None if no seat has to cut (GEN-11).

    `legal` lists the viewer's legal actions. Fields in `more` keep the fan visible outside a cut.
    """
    cutting = state.phase == CUTTING or (state.phase == PLAYOFF and state.book.leader == NOBODY)
    if not state.pack.length or state.turn == NOBODY or not (cutting or more):
        return None
    choices = tuple(action for action in legal if CUT < action < DECLARE)
    return Fan(state.pack.length, state.turn, choices=choices, **{"zones": ("pack",)} | more)


def playoff_zones(state: Snapshot, viewer: int) -> list[Zone]:
    """Return the zones of the Book and of the playoff cards that are still face down (TOUR-07)."""
    if not state.tied or state.book.leader == NOBODY:
        return []
    zones = [book_zone(state)]
    for seat, kind in enumerate(state.ones[: state.players]):
        if kind != EMPTY:
            id, label = f"one{seat}", "Your card" if seat == viewer else ""
            cards = [card_on_table(id, kind)]
            zones.append(hand_zone(seat, viewer, cards, id=id, label=label, say="playoff card", fold=False))
    return zones


def book_zone(state: Snapshot) -> Zone:
    """Return the zone of the Book in play, with its cards in order of play and a mark on the best one so far."""
    book = state.book
    best = winning_entry(book) if book.length else -1
    cards = [
        card_on_table(f"book.{book.seats[entry]}", kind, mark="wins so far" if entry == best else "")
        for entry, kind in enumerate(book.held)
    ]
    slots = len(seats_in(state.tied)) if state.tied else state.players
    return zone("book", "centre", "row", cards, label="This Book", slots=slots)


def cards_of(identity: str, kinds: Iterable[int], groups: Sequence[int] = (), mark: str = "") -> tuple[Card, ...]:
    """Return face-up cards that lie together. `groups` gives the groups of cards that lie on top of one another."""
    return tuple(
        card_on_table(f"{identity}.{number}", kind, group=groups[number] if groups else -1, mark=mark)
        for number, kind in enumerate(kinds)
        if kind != EMPTY
    )
