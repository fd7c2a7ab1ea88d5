"""CHIMAX ORDER: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from fairdeal.engine.records import NOBODY, Record
from fairdeal.engine.scene import Choice, Counter, Picked, Scene, Voice, Zone, count_of
from fairdeal.games.chimax.cards import SIGNS, card_on_table
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.explain import board_id
from fairdeal.games.chimax.order.positions import placed_by
from fairdeal.games.chimax.order.prompts import headline, prompt, result
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
from fairdeal.games.chimax.parts import layout_zone, pack_zone, place_id, playoff_zones, seats_of
from fairdeal.games.chimax.words import shared_choices

COLUMNS = 7
NARROW = (4, 4)


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him."""
    viewer = voice.viewer
    legal = legal_for(state, viewer)
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


def legal_for(state: Record, viewer: int) -> list[int]:
    """The actions of the viewer; none for spectators."""
    if viewer < 0:
        return []
    actions = np.zeros(ACTIONS, np.int16)
    return [int(action) for action in actions[: legal_actions(state, viewer, actions)]]


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
    """The layout in the middle, or one before each seat. The card of the last miss can be looked at until the next
    move (MEM-04)."""
    zones = []
    for number in range(int(boards_in_play(state))):
        board = state.boards[number]
        if not int(board.length):
            continue
        place = "centre"
        if int(state.options.board) == OWN_BOARDS:
            place = "own" if number == viewer else f"seat:{number}"
        zone = layout_zone(board, COLUMNS, NARROW, identity=f"layout{number}", place=place)
        zones.append(with_miss(state, number, zone))
    return [msgspec.structs.replace(zone, size="small") if zone.place.startswith("seat:") else zone for zone in zones]


def with_miss(state: Record, number: int, zone: Zone) -> Zone:
    seat = int(state.missed.seat)
    if seat == NOBODY or int(board_of(state, seat)) != number:
        return zone
    place = int(state.missed.place)
    shown = card_on_table(place_id(zone.id, place), int(state.missed.card), mark="wrong")
    return msgspec.structs.replace(zone, cards=(*zone.cards[:place], shown, *zone.cards[place + 1 :]))


def choices_of(state: Record, viewer: int, legal: Sequence[int]) -> list[Choice]:
    """Every card that may be turned up, and what the tournament layer offers."""
    if int(state.phase) != FLIPPING:
        return shared_choices(legal)
    zone = board_id(state, viewer)
    return [
        Choice(action, "card", f"Turn up {action - FLIP + 1}", on=place_id(zone, action - FLIP)) for action in legal
    ]


def pick(state: Record, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Turning up a card is done at once: there is nothing to think over that a second look would help."""
    return Picked((), (choice,))
