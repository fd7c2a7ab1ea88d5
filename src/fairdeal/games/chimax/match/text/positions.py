"""CHIMAX MATCH: positions as JSON (docs/rules/chimax.md, section 3)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.positions import in_range, opened
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chimax.cards import code_of
from fairdeal.games.chimax.match.rules import goes_together, layouts_at_most, must_turn_unseen
from fairdeal.games.chimax.match.state import FLIPPING, OWN_PHASES, PAIR, QUESTIONS, TRIPLET
from fairdeal.games.chimax.rules.layout import unseen_left
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.text import positions as shared
from fairdeal.games.chimax.text.layout import LayoutPosition, Missed, read_layout, read_miss, read_turned, write_layout

MOST_DEAD, MOST_POINTS, MOST_TURNS = 30_000, 1_000, 1_000_000
"""Maximum values of the counts in a position, which are far above those of real games."""


class MatchPosition(LayoutPosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position of either game."""

    missed: list[Missed] = msgspec.field(default_factory=list)
    turns: int = 0


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position in its JSON form, with `missed` after a miss, until the next card is turned."""
    position = shared.write_table(state, OWN_PHASES) | write_layout(state) | {"turns": state.turns}
    if state.missed.length:
        shown = list(zip(state.missed.places, state.missed.faces, strict=True))[: state.missed.length]
        position["missed"] = [{"place": place + 1, "card": code_of(face)} for place, face in shown]
    return position


def read_pairs(position: Mapping[str, Any], state: Record) -> None:
    """Write a position of MATCH-2 into a blank state that has its options."""
    state.alike = PAIR
    read_match(position, state)


def read_triplets(position: Mapping[str, Any], state: Record) -> None:
    """Write a position of MATCH-3 into a blank state that has its options."""
    state.alike = TRIPLET
    state.full_turns = state.options.flips
    read_match(position, state)


def read_match(position: Mapping[str, Any], state: Record) -> None:
    """Read the fields common to both games. No automatic steps are carried out."""
    given, state = opened(position, MatchPosition, state)
    shared.read_table(state, given, OWN_PHASES, "flip", layouts_at_most(state))
    shared.read_numbers(state.players, state.match.totals, "points", given.points, -MOST_POINTS, MOST_POINTS)
    state.turns = in_range("turns", given.turns, 0, MOST_TURNS)
    counter = counter_of(state)
    read_layout(state, given, counter)
    state.layout.dead = in_range("dead", given.dead, 0, MOST_DEAD)
    read_missed(state, given, counter)
    check_pack(state)
    if state.phase == FLIPPING:
        read_turn_under_way(state, given)
    elif given.open or given.live:
        raise BadPosition("open" if given.open else "live", given.open or True, "allowed only in phase flip")


def counter_of(state: Record) -> shared.FaceCounter:
    """Return a counter of the deck of this game (M2-02, M3-01)."""
    return shared.FaceCounter(int(QUESTIONS[state.alike]), state.alike, "M2-02, M2-06, M3-01")


def read_missed(state: Record, given: MatchPosition, counter: shared.FaceCounter) -> None:
    """Read the cards of the last miss, which are face down again and were seen (MEM-04)."""
    missed = state.missed
    if len(given.missed) > state.alike or (given.missed and given.open):
        raise BadPosition(
            "missed", len(given.missed), "give only the cards turned back last, until another card is turned [MEM-04]"
        )
    for number, miss in enumerate(given.missed):
        place, face = read_miss(state.layout, f"missed[{number}]", miss, counter)
        if place in missed.places[:number]:
            raise BadPosition(f"missed[{number}].place", miss.place, "give each place only once [MEM-05]")
        missed.places[number], missed.faces[number] = place, face
        missed.length += 1


def check_pack(state: Record) -> None:
    """Check that there is a pack only from the shuffle to the deal (GEN-15)."""
    phase, pack = state.phase, shared.pile_kinds(state.pack)
    if phase not in (CUTTING, DEALING, PLAYOFF) and pack:
        raise BadPosition("deck", len(pack), "there is a deck only before a deal [GEN-15]")
    if (phase == CUTTING or pack) and phase != PLAYOFF:
        in_range("deck", len(pack), state.alike, len(state.layout.cards))
        counter_of(state).add_all("deck", pack)
    shared.check_cutter(state)


def read_turn_under_way(state: Record, given: MatchPosition) -> None:
    """Read the cards turned up this turn (M2-04, M3-03)."""
    layout, alike = state.layout, state.alike
    if sum(kind != EMPTY for kind in shared.pile_kinds(layout)) < alike:
        raise BadPosition(
            "layout", len(given.layout), f"the layout must have at least {alike} cards until the game ends"
        )
    if len(given.open) >= alike:
        raise BadPosition(
            "open", len(given.open), f"at most {count_of(alike - 1, 'card')} can be face up during a turn"
        )
    read_turned(layout, given)
    if not goes_together(state, EMPTY) and not state.full_turns:
        raise BadPosition("open", given.open, "a turn ends at the first card that does not match [M3-03]")
    layout.live = given.live
    if must_turn_unseen(state) and not unseen_left(layout):
        raise BadPosition("dead", given.dead, "the layout has ended, because every card has been seen [MEM-07]")
