"""CHIMAX MATCH: positions in writing (docs/rules/chimax.md, section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.piles import find, push
from fairdeal.engine.positions import converted, in_range, sized
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chimax.cards import code_of
from fairdeal.games.chimax.match.rules import goes_together, layouts_at_most, must_turn_unseen
from fairdeal.games.chimax.match.state import (
    FLIPPING,
    OWN_PHASES,
    PAIR,
    QUESTIONS,
    TRIPLET,
)
from fairdeal.games.chimax.rules.layout import unseen_left
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.text.layout_positions import LayoutPosition, Missed, read_places, write_layout
from fairdeal.games.chimax.text.positions import (
    FaceCounter,
    check_cutter,
    pile_kinds,
    read_numbers,
    read_plain,
    read_table,
    write_table,
)

MOST_DEAD, MOST_POINTS, MOST_TURNS = 30_000, 1_000, 1_000_000
"""Limits of what a position may say, far above what a game can come to."""


class MatchPosition(LayoutPosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position of either game."""

    missed: list[Missed] = msgspec.field(default_factory=list)
    turns: int = 0


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form. `missed` is there after a miss, until the next card is turned."""
    position = write_table(state, OWN_PHASES) | write_layout(state) | {"turns": int(state.turns)}
    if int(state.missed.length):
        pairs = zip(state.missed.places.tolist(), state.missed.faces.tolist(), strict=True)
        shown = list(pairs)[: int(state.missed.length)]
        position["missed"] = [{"place": place + 1, "card": code_of(face)} for place, face in shown]
    return position


def read_pairs(position: Mapping[str, Any], state: Record) -> None:
    """Write a position of MATCH-2 into a blank state with its options."""
    state.alike = PAIR
    read_position(converted(position, MatchPosition), state)


def read_triplets(position: Mapping[str, Any], state: Record) -> None:
    """Write a position of MATCH-3 into a blank state with its options."""
    state.alike = TRIPLET
    state.full_turns = state.options.flips
    read_position(converted(position, MatchPosition), state)


def read_position(given: MatchPosition, state: Record) -> None:
    """What both games have in common. No automatic step is run."""
    read_table(state, given, OWN_PHASES, "flip", layouts_at_most(state))
    read_numbers(state.match.totals[: int(state.players)], "points", given.points, -MOST_POINTS, MOST_POINTS)
    state.turns = in_range("turns", given.turns, 0, MOST_TURNS)
    read_layout(state, given)
    read_pack(state)
    if int(state.phase) == FLIPPING:
        read_turn_under_way(state, given)
    elif given.open or given.live:
        raise BadPosition("open" if given.open else "live", given.open or True, "no turn is under way in this phase")


def read_layout(state: Record, given: MatchPosition) -> None:
    """The cards that lie there, that were seen, missed and taken."""
    layout, places = state.layout, len(state.layout.cards)
    counter = FaceCounter(int(QUESTIONS[int(state.alike)]), int(state.alike))
    if len(given.layout) > places:
        raise BadPosition("layout", len(given.layout), f"a layout has at most {places} places")
    layout.length = len(given.layout)
    for number, code in enumerate(given.layout):
        layout.cards[number] = read_plain(f"layout[{number}]", code)
        counter.add(f"layout[{number}]", int(layout.cards[number]))
    for seat, codes in enumerate(sized("taken", given.taken or [[]] * int(state.players), int(state.players))):
        for number, code in enumerate(codes):
            kind = read_plain(f"taken[{seat}][{number}]", code)
            if kind < 0:
                raise BadPosition(f"taken[{seat}][{number}]", code, "what is taken lies face up [M2-06]")
            counter.add(f"taken[{seat}][{number}]", kind)
            push(state.taken[seat], kind)
    read_places(layout.seen, "seen", given.seen, int(layout.length))
    layout.dead = in_range("dead", given.dead, 0, MOST_DEAD)
    read_missed(state, given, counter)


def read_missed(state: Record, given: MatchPosition, counter: FaceCounter) -> None:
    """MEM-04: the cards of the last miss lie there again, and were seen."""
    if len(given.missed) > int(state.alike) or (given.missed and given.open):
        raise BadPosition("missed", len(given.missed), "what went back last, until another card is turned [MEM-04]")
    for number, miss in enumerate(given.missed):
        path = f"missed[{number}]"
        place = in_range(f"{path}.place", miss.place, 1, int(state.layout.length)) - 1
        face, lies = read_plain(f"{path}.card", miss.card), int(state.layout.cards[place])
        if place in state.missed.places.tolist()[:number] or find(state.layout.seen, place) < 0:
            raise BadPosition(f"{path}.place", miss.place, "a place that was seen, named once [MEM-05]")
        if face < 0 or lies not in (face, UNKNOWN):
            raise BadPosition(f"{path}.card", miss.card, "this is not the card that lies there")
        if lies == UNKNOWN:
            counter.add(f"{path}.card", face)
        state.missed.places[number], state.missed.faces[number] = place, face
        state.missed.length += 1


def read_pack(state: Record) -> None:
    """GEN-15: a pack lies there while it is cut and until it is dealt."""
    phase, size = int(state.phase), int(state.pack.length)
    if phase not in (CUTTING, DEALING, PLAYOFF) and size:
        raise BadPosition("deck", size, "a deck lies there only before it is dealt [GEN-15]")
    if (phase == CUTTING or size) and phase != PLAYOFF:
        in_range("deck", size, int(state.alike), len(state.layout.cards))
        FaceCounter(int(QUESTIONS[int(state.alike)]), int(state.alike)).add_all("deck", pile_kinds(state.pack))
    check_cutter(state)


def read_turn_under_way(state: Record, given: MatchPosition) -> None:
    """M2-04, M3-03: the cards turned up in this turn."""
    layout, alike = state.layout, int(state.alike)
    if sum(kind != EMPTY for kind in layout.cards.tolist()[: int(layout.length)]) < alike:
        raise BadPosition("layout", len(given.layout), f"at least {alike} cards lie there while the game goes on")
    if len(given.open) >= alike:
        raise BadPosition("open", len(given.open), f"a turn is over, or goes on afresh, when {alike} cards are turned")
    read_places(layout.open, "open", given.open, int(layout.length))
    for number, place in enumerate(given.open):
        if int(layout.cards[place - 1]) < 0 or find(layout.seen, place - 1) < 0:
            raise BadPosition(f"open[{number}]", place, "a card that is turned up lies there and was seen [MEM-02]")
    if not goes_together(state, EMPTY) and not int(state.full_turns):
        raise BadPosition("open", given.open, "a turn stops at the first misfit [M3-03]")
    layout.live = given.live
    if must_turn_unseen(state) and not unseen_left(layout):
        raise BadPosition("dead", given.dead, "the layout has ended: nothing is left that was never seen [MEM-07]")
