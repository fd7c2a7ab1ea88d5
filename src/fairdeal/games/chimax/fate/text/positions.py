"""CHIMAX FATE: positions as JSON (docs/rules/chimax.md, section 6).

Two fields are written only if needed, in addition to those of the specification: `out`, the faces that were never laid
out (in short layouts), and `missed`, the card that ended the previous turn and has just been turned back.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.positions import in_range, opened
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chimax.cards import FACE_CODES, code_of
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.fate.rules import downs, forget_miss, must_turn_unseen
from fairdeal.games.chimax.fate.state import AT_REST, BY_FACE, CHOOSING, FLIPPING, NAMING, OWN_PHASES, PLACES, SPINNING
from fairdeal.games.chimax.rules.layout import unseen_left
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, OWN_PHASE, PLAYOFF
from fairdeal.games.chimax.text import positions as shared
from fairdeal.games.chimax.text.layout import LayoutPosition, Missed, read_layout, read_miss, read_turned, write_layout

MOST_POINTS = PLACES * PLACES
MOST_TURNS = 20_000


class Position(LayoutPosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position. Fields that can be omitted have a default."""

    wheel: str | int | None = None
    spins: int = 0
    out: list[str | int] = msgspec.field(default_factory=list)
    missed: Missed | None = None


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position in its JSON form. Places are counted from 1, and a hidden card is `x`."""
    position = shared.write_table(state, OWN_PHASES) | write_layout(state)
    position |= {"wheel": write_wheel(state), "spins": state.spins}
    taken = [face for pile in state.taken for face in pile.held]
    out = [code for face, code in enumerate(FACE_CODES) if not state.left >> face & 1 and face not in taken]
    if state.layout.length and out:
        position["out"] = out
    if state.missed.card != EMPTY:
        position["missed"] = {"place": state.missed.place + 1, "card": code_of(state.missed.card)}
    return position


def write_wheel(state: Snapshot) -> str | int | None:
    """Return the face called for or the number of the place, or None before a spin (FATE-05)."""
    if state.wheel == AT_REST:
        return None
    written: str | int = FACE_CODES[state.wheel] if state.options.wheel == BY_FACE else state.wheel + 1
    return written


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. No automatic steps are carried out."""
    given, state = opened(position, Position, state)
    counter = shared.FaceCounter(1, 1, "FATE-02")
    usual = "spin" if given.wheel is None else "flip" if state.options.wheel == BY_FACE else "name"
    shared.read_table(state, given, OWN_PHASES, usual)
    check_pack(state, given)
    read_cards(state, given, counter)
    read_turned(state.layout, given)
    shared.read_numbers(state.players, state.match.totals, "points", given.points, 0, MOST_POINTS)
    state.layout.dead = in_range("dead", given.dead, 0, MOST_TURNS)
    state.layout.live = given.live
    state.spins = in_range("spins", given.spins, 0, MOST_TURNS)
    check_turn(snapshot(state), given)
    read_wheel(state, given)
    forget_miss(state)
    if given.missed is not None:
        if state.phase not in (SPINNING, OVER, PLAYOFF):
            raise BadPosition(
                "missed.place",
                given.missed.place,
                "give the last card turned back only before a spin or after the game [MEM-04]",
            )
        state.missed.place, state.missed.card = read_miss(state.layout, "missed", given.missed, counter)


def check_pack(state: Record, given: Position) -> None:
    """Check the pack, which has at most one card of each face before the deal and does not exist later (TOUR-02)."""
    phase, pack = state.phase, shared.pile_kinds(state.pack)
    if phase in (CUTTING, DEALING):
        if given.layout or given.spins or any(given.points or []) or any(given.taken or []):
            raise BadPosition(
                "layout",
                given.layout,
                "the layout, spins, points and taken cards must be empty before the deal [FATE-02]",
            )
        if len(pack) > FACES or (phase == CUTTING and len(pack) < 2):
            raise BadPosition("deck", len(pack), f"a pack must have 2 to {FACES} cards for the cut [FATE-02]")
        shared.FaceCounter(1, 1, "FATE-02").add_all("deck", pack)
        shared.check_cutter(state)
    elif pack and phase != PLAYOFF:
        raise BadPosition("deck", len(pack), "there is a deck only before a deal [GEN-15]")


def read_cards(state: Record, given: Position, counter: shared.FaceCounter) -> None:
    """Read the cards. Each face is in the layout, taken, or out of the game; unknown cards are the remaining faces
    (FATE-02)."""
    read_layout(state, given, counter)
    for number, code in enumerate(given.out):
        counter.face(f"out[{number}]", code)
    lying = shared.pile_kinds(state.layout)
    unknown = lying.count(UNKNOWN)
    if unknown and unknown != counter.left:
        reason = f"write x for each of the {counter.left} faces that are not named, or list them as `out`"
        raise BadPosition("layout", unknown, reason)
    state.left = sum(1 << face for face in range(FACES) if face in lying or (unknown and not counter.met[face]))


def check_turn(state: Snapshot, given: Position) -> None:
    """Check that the open cards and the remaining cards fit the phase (FATE-04, 06, MEM-04, 07)."""
    phase, turned, tries = state.phase, state.layout.open.length, state.options.tries
    by_face = state.options.wheel == BY_FACE
    if phase < OWN_PHASE:
        if turned:
            raise BadPosition("open", given.open, "cards can be face up only during a turn [MEM-04]")
    elif phase != SPINNING and (phase == NAMING) == by_face:
        raise BadPosition(
            "phase", given.phase, "phases flip and choose need a wheel of faces, and phase name needs a wheel of places"
        )
    elif turned >= tries or (phase == CHOOSING and not turned):
        raise BadPosition(
            "open",
            given.open,
            f"at most {count_of(tries - 1, 'card')} can be face up, and at least 1 in phase choose [FATE-06]",
        )
    elif turned and phase != CHOOSING and not state.options.spin_again:
        raise BadPosition("open", given.open, "no card can be face up when a search starts [FATE-06]")
    elif not downs(state):
        raise BadPosition("layout", given.layout, "the wheel needs at least one face-down card [FATE-04]")
    elif must_turn_unseen(state) and not (by_face and unseen_left(state.layout)):
        raise BadPosition("dead", given.dead, "the game is over at the limit if no unseen card is left [MEM-07]")


def read_wheel(state: Record, given: Position) -> None:
    """Read the face that the wheel calls for, or the place that it points at, after a spin (FATE-03 to 05, 10)."""
    by_face, wheel = state.options.wheel == BY_FACE, AT_REST
    state.wheel = AT_REST
    if state.phase not in (FLIPPING, CHOOSING, NAMING):
        if given.wheel is not None:
            raise BadPosition("wheel", given.wheel, "allowed only in phases flip, choose and name")
        return
    if by_face and given.wheel is not None:
        wheel = shared.read_plain("wheel", given.wheel)
    elif isinstance(given.wheel, int):
        wheel = in_range("wheel", given.wheel, 1, PLACES) - 1
    if wheel < 0 or not downs(state) >> wheel & 1:
        wanted = "the face" if by_face else "the place"
        raise BadPosition("wheel", given.wheel, f"give {wanted} of a face-down card [FATE-04]")
    state.wheel = wheel
