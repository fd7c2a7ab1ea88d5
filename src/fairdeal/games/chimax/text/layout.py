"""CHIMAX: reasons why cards cannot be turned, and position fields, for layouts of face-down cards (MEM-01 to
MEM-07)."""

from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.piles import find, push
from fairdeal.engine.kit.positions import in_range, sized
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chimax.rules.layout import is_stalled, is_unseen
from fairdeal.games.chimax.text.positions import FaceCounter, TablePosition, pile_codes, pile_kinds, read_plain
from fairdeal.games.chimax.text.words import Reason


def cannot_turn(layout: Snapshot, place: int, limit: int) -> Reason | None:
    """Return the reason why the card at `place` cannot be turned now, with its clause, or None if it can."""
    if not 0 <= place < layout.length:
        return f"the places are 1 to {layout.length}", "MEM-01"
    if layout.cards[place] == EMPTY:
        return f"the card at place {place + 1} has been taken", "MEM-01"
    if place in layout.open.held:
        return f"the card at place {place + 1} is already face up", "MEM-03"
    if is_stalled(layout, limit) and not is_unseen(layout, place):
        return "too many turns have passed without a new card: turn a card that nobody has seen", "MEM-07"
    return None


def place_of(card: str) -> int:
    """Return the place named by a card id, or -1 if it does not name one."""
    number = card.partition(".")[2]
    return int(number) - 1 if number.isdecimal() else -1


class Missed(msgspec.Struct, forbid_unknown_fields=True):
    """MEM-04: a card that has just been turned back, as its place, counted from 1, and its face."""

    place: int
    card: str | int


class LayoutPosition(TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position in a game in which cards are taken from one layout for points."""

    layout: list[str | int | None] = msgspec.field(default_factory=list)
    open: list[int] = msgspec.field(default_factory=list)
    seen: list[int] = msgspec.field(default_factory=list)
    taken: list[list[str | int]] | None = None
    points: list[int] | None = None
    dead: int = 0
    live: bool = False


def write_layout(state: Snapshot) -> dict[str, Any]:
    """Return the layout fields of a position."""
    players, layout = state.players, state.layout
    return {
        "layout": pile_codes(layout),
        "open": numbers_of(layout.open),
        "taken": [pile_codes(taken) for taken in state.taken[:players]],
        "points": state.match.totals[:players],
        "seen": numbers_of(layout.seen),
        "dead": layout.dead,
        "live": bool(layout.live),
    }


def numbers_of(pile: Snapshot) -> list[int]:
    """Return the places listed in a pile, counted from 1."""
    return [place + 1 for place in pile.held]


def read_layout(state: Record, given: LayoutPosition, counter: FaceCounter) -> None:
    """Read the layout, the cards taken and the places seen. Raises BadPosition if they are invalid."""
    layout, most, players = state.layout, len(state.layout.cards), state.players
    if len(given.layout) > most:
        raise BadPosition("layout", len(given.layout), f"a layout has at most {most} places [{counter.clauses}]")
    layout.length = len(given.layout)
    for number, code in enumerate(given.layout):
        layout.cards[number] = read_plain(f"layout[{number}]", code)
    counter.add_all("layout", pile_kinds(layout))
    for seat, codes in enumerate(sized("taken", given.taken or [[]] * players, players)):
        for number, code in enumerate(codes):
            push(state.taken[seat], counter.face(f"taken[{seat}][{number}]", code))
    read_places(layout.seen, "seen", given.seen, len(given.layout))


def read_turned(layout: Record, given: LayoutPosition) -> None:
    """Read the cards that are face up in this turn (MEM-02, 05). Raises BadPosition if they are invalid."""
    read_places(layout.open, "open", given.open, len(given.layout))
    for number, place in enumerate(given.open):
        if layout.cards[place - 1] < 0 or place not in given.seen:
            reason = "a face-up card must be known and also listed in `seen` [MEM-02, MEM-05]"
            raise BadPosition(f"open[{number}]", place, reason)


def read_miss(layout: Record, path: str, miss: Missed, counter: FaceCounter) -> tuple[int, int]:
    """Return the place and face of a card that has just been turned back (MEM-04). Raises BadPosition if it contradicts
    the layout."""
    place = in_range(f"{path}.place", miss.place, 1, max(1, layout.length)) - 1
    face, lies = read_plain(f"{path}.card", miss.card), layout.cards[place]
    if find(layout.seen, place) < 0:
        raise BadPosition(f"{path}.place", miss.place, "this place must also be listed in `seen` [MEM-04, MEM-05]")
    if face < 0 or lies not in (face, UNKNOWN):
        raise BadPosition(f"{path}.card", miss.card, "the layout has a different card at this place")
    if lies == UNKNOWN:
        counter.add(f"{path}.card", face)
    return place, face


def read_places(pile: Record, path: str, given: object, places: int) -> None:
    """Read a list of distinct places of a layout into a pile. Raises BadPosition if it is invalid."""
    if not isinstance(given, list):
        raise BadPosition(path, given, "give a list of places")
    for number, place in enumerate(given):
        if type(place) is not int or not 1 <= place <= places or find(pile, place - 1) >= 0:
            raise BadPosition(f"{path}[{number}]", place, f"give each place only once, from 1 to {places}")
        push(pile, place - 1)
