"""CHIMAX FATE: positions in writing (docs/rules/chimax.md, section 6).

Beside the printed fields there are two that are written only where they say something: `out`, the faces that were never
laid out (short layouts), and `missed`, the card that ended the turn before, which everybody has just seen turned back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.piles import push
from fairdeal.engine.positions import converted, in_range, sized
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chimax.cards import CODES, FACE_CODES, code_of
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.fate.rules import downs, forget_miss, must_turn_unseen
from fairdeal.games.chimax.fate.state import (
    AT_REST,
    BY_FACE,
    CHOOSING,
    FLIPPING,
    NAMING,
    OWN_PHASES,
    PLACES,
    SPINNING,
)
from fairdeal.games.chimax.rules.layout import unseen_left
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF
from fairdeal.games.chimax.text.layout_positions import LayoutPosition, Missed, read_places, write_layout
from fairdeal.games.chimax.text.positions import (
    check_cutter,
    pile_kinds,
    read_numbers,
    read_plain,
    read_table,
    write_table,
)

MOST_POINTS = PLACES * PLACES
MOST_TURNS = 20_000
ALL_FACES = (1 << FACES) - 1


class Position(LayoutPosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position; what may be left out has a default."""

    wheel: str | int | None = None
    spins: int = 0
    out: list[str | int] = msgspec.field(default_factory=list)
    missed: Missed | None = None


# --- writing -----------------------------------------------------------------------------------------------------


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form; places are numbered from 1, and a card that may not be seen is `x`."""
    position = write_table(state, OWN_PHASES) | write_layout(state)
    position |= {"wheel": write_wheel(state), "spins": int(state.spins)}
    out = ALL_FACES & ~int(state.left) & ~faces_taken(state)
    if int(state.layout.length) and out:
        position["out"] = [code for face, code in enumerate(FACE_CODES) if out >> face & 1]
    if int(state.missed.card) != EMPTY:
        position["missed"] = {"place": int(state.missed.place) + 1, "card": code_of(int(state.missed.card))}
    return position


def write_wheel(state: Record) -> str | int | None:
    """FATE-05: a face, or the number of a place."""
    wheel = int(state.wheel)
    if wheel == AT_REST:
        return None
    return FACE_CODES[wheel] if int(state.options.wheel) == BY_FACE else wheel + 1


def faces_taken(state: Record) -> int:
    """The faces that lie before the seats, as a set."""
    taken = 0
    for seat in range(int(state.players)):
        for face in state.taken[seat].cards.tolist()[: int(state.taken[seat].length)]:
            taken |= 1 << face
    return taken


# --- reading -----------------------------------------------------------------------------------------------------


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state with its options. No automatic step is run."""
    given = converted(position, Position)
    usual = "spin" if given.wheel is None else "flip" if int(state.options.wheel) == BY_FACE else "name"
    read_table(state, given, OWN_PHASES, usual)
    read_pack(state, given)
    read_cards(state, given)
    read_turned(state, given)
    read_counts(state, given)
    read_wheel(state, given)
    forget_miss(state)
    if given.missed is not None:
        read_missed(state, given.missed)


def read_missed(state: Record, missed: Missed) -> None:
    """MEM-04: the card lies there again, and was seen."""
    place = in_range("missed.place", missed.place, 1, int(state.layout.length)) - 1
    card, seen = read_plain("missed.card", missed.card), state.layout.seen.cards.tolist()
    if int(state.phase) not in (SPINNING, OVER, PLAYOFF) or place not in seen[: int(state.layout.seen.length)]:
        raise BadPosition("missed.place", missed.place, "a place that was seen, before the next spin [MEM-04]")
    unseen = card >= 0 and int(state.layout.cards[place]) == UNKNOWN and card in faces_unnamed(state)
    if card < 0 or not (unseen or card == int(state.layout.cards[place])):
        raise BadPosition("missed.card", missed.card, "this is not the card that lies there")
    state.missed.place, state.missed.card = place, card


def faces_unnamed(state: Record) -> list[int]:
    """The faces that lie there unseen."""
    named = state.layout.cards.tolist()[: int(state.layout.length)]
    return [face for face in range(FACES) if int(state.left) >> face & 1 and face not in named]


def read_pack(state: Record, given: Position) -> None:
    """TOUR-02: before the deal a pack with one card of each face waits."""
    phase, pack = int(state.phase), pile_kinds(state.pack)
    if phase in (CUTTING, DEALING):
        if given.layout or given.spins or any(given.points or []) or any(given.taken or []):
            raise BadPosition("layout", given.layout, "nothing is laid out, spun or taken before the deal [FATE-02]")
        if len(pack) > FACES or (phase == CUTTING and len(pack) < 2):
            raise BadPosition("deck", len(pack), f"a pack of 2 to {FACES} cards is cut [FATE-02]")
        faces = Once()
        for place, kind in enumerate(pack):
            if kind != UNKNOWN:
                faces.face(f"deck[{place}]", CODES[kind])
        check_cutter(state)
    elif pack and phase != PLAYOFF:
        raise BadPosition("deck", len(pack), "a pack waits only before a deal [GEN-15]")


class Once:
    """Reads faces, each of which there is once in the layout, before the seats and out of the game."""

    def __init__(self) -> None:
        self.met = 0

    def face(self, path: str, code: object) -> int:
        """A face that was not met before. Raises BadPosition."""
        kind = read_plain(path, code)
        if kind in (UNKNOWN, EMPTY):
            raise BadPosition(path, code, f"a face belongs here: {' '.join(FACE_CODES)}")
        if self.met >> kind & 1:
            raise BadPosition(path, code, "there is one card of each face [FATE-02]")
        self.met |= 1 << kind
        return kind


def read_cards(state: Record, given: Position) -> None:
    """FATE-02: every face once, in the layout, taken, or out of the game; unknown cards are all that is left."""
    faces, players = Once(), int(state.players)
    for seat, codes in enumerate(sized("taken", given.taken or [[]] * players, players)):
        for number, code in enumerate(codes):
            push(state.taken[seat], faces.face(f"taken[{seat}][{number}]", code))
    for number, code in enumerate(given.out):
        faces.face(f"out[{number}]", code)
    missing, unknown = faces.met, 0
    if len(given.layout) > PLACES:
        raise BadPosition("layout", len(given.layout), f"the layout has at most {PLACES} places [FATE-02]")
    for place, card in enumerate(given.layout):
        path = f"layout[{place}]"
        kind = EMPTY if card is None else UNKNOWN if card == "x" else faces.face(path, card)
        state.layout.cards[place] = kind
        unknown += kind == UNKNOWN
    state.layout.length = len(given.layout)
    hidden = FACES - faces.met.bit_count()
    if unknown and unknown != hidden:
        raise BadPosition("layout", unknown, f"{hidden} faces are not named, so that many x; list others as `out`")
    state.left = (ALL_FACES if unknown else faces.met) & ~missing


def read_turned(state: Record, given: Position) -> None:
    """MEM-02, 05: the cards turned this turn, and all places ever turned."""
    layout = state.layout
    read_places(layout.seen, "seen", given.seen, int(layout.length))
    read_places(layout.open, "open", given.open, int(layout.length))
    for number, place in enumerate(given.open):
        if int(layout.cards[place - 1]) < 0:
            raise BadPosition(f"open[{number}]", place, "a known card lies open there [MEM-02]")
        if place not in given.seen:
            raise BadPosition(f"open[{number}]", place, "what lies open has been seen: list it in `seen` too [MEM-05]")


def read_counts(state: Record, given: Position) -> None:
    read_numbers(state.match.totals[: int(state.players)], "points", given.points, 0, MOST_POINTS)
    state.layout.dead = in_range("dead", given.dead, 0, MOST_TURNS)
    state.layout.live = given.live
    state.spins = in_range("spins", given.spins, 0, MOST_TURNS)


def read_wheel(state: Record, given: Position) -> None:
    """FATE-03 to 06, 10: what the wheel says goes with the phase."""
    phase, by_face = int(state.phase), int(state.options.wheel) == BY_FACE
    state.wheel = AT_REST
    turned, tries = int(state.layout.open.length), int(state.options.tries)
    if phase not in (SPINNING, FLIPPING, CHOOSING, NAMING):
        if turned:
            raise BadPosition("open", given.open, "cards lie open only while a turn is under way [MEM-04]")
    elif (phase == NAMING) == by_face and phase != SPINNING:
        raise BadPosition("phase", given.phase, "`flip` and `choose` go with a wheel of faces, `name` with places")
    elif turned >= tries or (phase == CHOOSING and not turned):
        raise BadPosition("open", given.open, f"at most {tries - 1} cards lie open, and one before a choice [FATE-06]")
    elif turned and phase != CHOOSING and not state.options.spin_again:
        raise BadPosition("open", given.open, "no card lies open when a search begins [FATE-06]")
    elif not downs(state):
        raise BadPosition("layout", given.layout, "a card has to lie face down for the wheel [FATE-04]")
    elif must_turn_unseen(state) and not (by_face and unseen_left(state.layout)):
        raise BadPosition("dead", given.dead, "at the limit without an unseen card the game is over [MEM-07]")
    if phase not in (FLIPPING, CHOOSING, NAMING):
        if given.wheel is not None:
            raise BadPosition("wheel", given.wheel, "the wheel says nothing in this phase")
        return
    if by_face:
        state.wheel = read_plain("wheel", given.wheel) if given.wheel is not None else AT_REST
    elif isinstance(given.wheel, int):
        state.wheel = in_range("wheel", given.wheel, 1, PLACES) - 1
    if int(state.wheel) < 0 or not downs(state) >> int(state.wheel) & 1:
        wanted = "the face of a card" if by_face else "the number of a place"
        raise BadPosition("wheel", given.wheel, f"{wanted} that lies face down belongs here [FATE-04]")
