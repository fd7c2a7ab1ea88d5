"""CHIMAX ORDER: the scene of a table, for all screens."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import NOBODY
from fairdeal.engine.scene import Card, Counter, Scene, Voice, Zone, count_of, counted, legal_for
from fairdeal.engine.scene.zones import before, zone
from fairdeal.games.chimax.cards import SIGNS, card_on_table
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order import state as order
from fairdeal.games.chimax.order.record import placed_by
from fairdeal.games.chimax.order.rules import board_of, boards_in_play, face_at, how_far, legal_actions
from fairdeal.games.chimax.order.text.explain import board_id
from fairdeal.games.chimax.order.text.prompts import headline, prompt, result
from fairdeal.games.chimax.picture.layout import flip_choices, layout_zone, place_id
from fairdeal.games.chimax.picture.parts import fan, pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.text.words import shared_choices

COLUMNS = 7
NARROW = (4, 4)
BOARD_WORDS = ("one layout", "a race", "a layout each")
DIRECTION_WORDS = ("", " · downwards", " · either way")


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`."""
    viewer, options, ended = voice.viewer, state.options, result(state, voice)
    legal = legal_for(state, viewer, legal_actions, order.ACTIONS)
    table = f"{count_of(state.players, 'player')} · {BOARD_WORDS[options.board]}{DIRECTION_WORDS[options.direction]}"
    flips = state.phase == order.FLIPPING
    choices = flip_choices(legal, order.FLIP, board_id(state, viewer)) if flips else shared_choices(legal)
    return Scene(
        skin="chimax",
        title="Chimax Order",
        sub=table + (" · a miss loses the run" if options.on_miss == order.RESTART else ""),
        viewer=viewer,
        mode="over" if state.over else "live",
        tray="one",
        facts=facts(state),
        seats=seats_of(state, voice, [counters(state, seat) for seat in range(state.players)]),
        zones=(*boards(state, viewer), *rows(state, viewer), *pack_zone(state), *playoff_zones(state, viewer)),
        headline=headline(state, voice),
        stage=fan(state, legal),
        prompt=prompt(state, voice, ended),
        choices=tuple(choices),
        result=ended,
    )


def facts(state: Snapshot) -> tuple[str, ...]:
    """Return the progress of the common sequence, and the longest run if runs can be lost."""
    found = []
    if state.options.board == order.SHARED_BOARD:
        found.append(f"{state.run.length} of {FACES} in order")
    if state.best.run:
        found.append(f"longest run {state.best.run}")
    return tuple(found)


def counters(state: Snapshot, seat: int) -> tuple[Counter, ...]:
    """Return the counters of a seat: the cards placed, or the next face that it wants, and the misses."""
    misses = counted(state.misses[seat], "miss", "misses")
    if state.options.board == order.SHARED_BOARD:
        return Counter("placed", len(placed_by(state, seat))), misses
    reached = how_far(state, seat)
    wanted = SIGNS[face_at(state, reached)] if reached < FACES else "done"
    return Counter("wants", wanted), Counter("in order", f"{reached}/{FACES}", "flag"), misses


def rows(state: Snapshot, viewer: int) -> list[Zone]:
    """Return the zone of the viewer's sequence, which shows the cards that are face up in its layout."""
    if viewer < 0:
        return []
    number = board_of(state, viewer)
    board = state.boards[number]
    up = {board.held[place]: place_id(f"layout{number}", place) for place in board.open.held}
    decided = state.direction in (order.ASCENDING, order.DESCENDING)
    faces = [face_at(state, place) for place in range(FACES)]
    cards = [
        card_on_table(up[face], face)
        if face in up
        else Card(id=f"row.{face}", face=None, back="gap", mark=SIGNS[face] if decided else "")
        for face in faces
    ]
    return [zone("row", "own", "row", cards, say="the cards in order", count=len(up), size="small")]


def boards(state: Snapshot, viewer: int) -> list[Zone]:
    """Return the zones of the common layout, or of each seat's own layout. The card of the last miss stays visible
    (MEM-04)."""
    zones, missed = [], state.missed
    for number, board in enumerate(state.boards[: boards_in_play(state)]):
        if board.length:
            theirs = state.options.board == order.OWN_BOARDS and number != viewer
            place = before(number, viewer) if theirs else "centre"
            here = missed.seat != NOBODY and board_of(state, missed.seat) == number
            zones.append(
                layout_zone(
                    board,
                    COLUMNS,
                    NARROW,
                    missed={missed.place: missed.card} if here else {},
                    moved=board.open.held if viewer >= 0 and board_of(state, viewer) == number else (),
                    identity=f"layout{number}",
                    place=place,
                    size="small" if place.startswith("seat:") else "table",
                )
            )
    return zones
