"""CHIMAX ORDER: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fairdeal.engine.records import NOBODY, Record
from fairdeal.engine.scene import Choice, Counter, Scene, Voice, Zone, count_of, legal_for
from fairdeal.games.chimax.cards import SIGNS
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.rules import board_of, boards_in_play, face_at, how_far, legal_actions
from fairdeal.games.chimax.order.state import (
    ACTIONS,
    DESCENDING,
    EITHER,
    FLIP,
    FLIPPING,
    OWN_BOARDS,
    RACE,
    RESTART,
    SHARED_BOARD,
)
from fairdeal.games.chimax.order.text.explain import board_id
from fairdeal.games.chimax.order.text.positions import placed_by
from fairdeal.games.chimax.order.text.prompts import headline, prompt, result
from fairdeal.games.chimax.picture.layout import flip_choices, layout_zone
from fairdeal.games.chimax.picture.parts import pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.text.words import shared_choices

COLUMNS = 7
NARROW = (4, 4)


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him."""
    viewer = voice.viewer
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    ended = result(state, voice)
    return Scene(
        skin="chimax",
        title="Chimax Order",
        sub=kind_of_table(state),
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=facts(state),
        seats=seats_of(state, voice, [counters(state, seat) for seat in range(int(state.players))]),
        zones=(*boards(state, viewer), *pack_zone(state), *playoff_zones(state, viewer)),
        headline=headline(state, voice),
        prompt=prompt(state, voice, ended),
        choices=tuple(choices_of(state, viewer, legal)),
        result=ended,
    )


def kind_of_table(state: Record) -> str:
    """`2 players · a race · downwards`."""
    board = {SHARED_BOARD: "one layout", RACE: "a race", OWN_BOARDS: "a layout each"}[int(state.options.board)]
    ways = {DESCENDING: ["downwards"], EITHER: ["either way"]}.get(int(state.options.direction), [])
    lost = ["a miss loses the run"] if int(state.options.on_miss) == RESTART else []
    return " · ".join([count_of(int(state.players), "player"), board, *ways, *lost])


def facts(state: Record) -> tuple[str, ...]:
    """How far the common sequence is, and the longest run where runs can be lost."""
    found = []
    if int(state.options.board) == SHARED_BOARD:
        found.append(f"{int(state.run.length)} of {FACES} in order")
    if int(state.best.run):
        found.append(f"longest run {int(state.best.run)}")
    return tuple(found)


def counters(state: Record, seat: int) -> tuple[Counter, ...]:
    misses = Counter("misses", int(state.misses[seat]))
    if int(state.options.board) == SHARED_BOARD:
        return Counter("placed", len(placed_by(state, seat))), misses
    reached = int(how_far(state, seat))
    wanted = SIGNS[int(face_at(state, reached))] if reached < FACES else "done"
    return Counter("wants", wanted), Counter("in order", f"{reached}/{FACES}"), misses


def boards(state: Record, viewer: int) -> list[Zone]:
    """The layout in the middle, or one before each seat."""
    zones = []
    for number in range(int(boards_in_play(state))):
        board = state.boards[number]
        if not int(board.length):
            continue
        place = "centre"
        if int(state.options.board) == OWN_BOARDS:
            place = "own" if number == viewer else f"seat:{number}"
        missed = missed_on(state, number)
        zones.append(layout_zone(board, COLUMNS, NARROW, missed=missed, identity=f"layout{number}", place=place))
    return [msgspec.structs.replace(zone, size="small") if zone.place.startswith("seat:") else zone for zone in zones]


def missed_on(state: Record, number: int) -> dict[int, int]:
    """MEM-04: the card of the last miss by its place, if it lies in this layout."""
    seat = int(state.missed.seat)
    if seat == NOBODY or int(board_of(state, seat)) != number:
        return {}
    return {int(state.missed.place): int(state.missed.card)}


def choices_of(state: Record, viewer: int, legal: list[int]) -> list[Choice]:
    """Every card that may be turned up, and what the tournament layer offers."""
    if int(state.phase) != FLIPPING:
        return shared_choices(legal)
    return flip_choices(legal, FLIP, board_id(state, viewer))
