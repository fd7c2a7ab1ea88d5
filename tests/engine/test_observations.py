"""Observations: a record type and a few forms become named planes, compared number by number."""

from dataclasses import replace

import numpy as np

import fairdeal
from fairdeal.cli.observations import section
from fairdeal.engine.kit.forms import (
    Observed,
    absent,
    counted,
    flags,
    in_order,
    number,
    one_of,
    one_seat,
    placed,
    some_seats,
)
from fairdeal.engine.observe import encoding
from fairdeal.engine.observe import layout as observations
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.options import Options
from fairdeal.engine.records import EMPTY, NOBODY, SPECTATOR, UNKNOWN, game_state, i1, i2, i4, new, pile, record
from fairdeal.engine.registry import game_names
from fairdeal.engine.state import State, Table
from tests.conftest import ROOT, refusal

PAGE = ROOT / "docs" / "observations.md"

STATE = game_state(
    4,
    record(limit=i1),
    turn=i1,
    allies=i2,
    hands=(pile(3), 4),
    row=(i1, 2),
    fetched=(i1, 4),
    tricks=(i1, 2),
    far=i4,
    phase=i1,
    deck=pile(5),
    many=(i1, 12),
    wide=(i2, 12),
    spread=(record(near=i1, apart=i2), 12),
    couple=(record(near=i1, apart=i1), 2),
)
OBSERVED = Observed(
    {
        "turn": one_seat("who is on turn"),
        "allies": some_seats(),
        "hands.cards": counted(2),
        "row": placed(2),
        "fetched": in_order(one_seat(first=1)),
        "tricks": flags(3),
        "phase": one_of(3, first=-1),
        "deck.cards": absent(),
    }
)


def table_of(players=3, observed=OBSERVED):
    """Return a table of a game with this record, which is not played."""
    chi = fairdeal.find_game("chi")
    return Table(replace(chi, name="drawn", state=STATE, observed=observed, options=Options), Options(players=players))


def moment(table, viewer):
    """Return the view of a viewer; no rules conceal anything."""
    state = new(STATE)
    state.players = table.players
    state.turn, state.allies, state.far, state.phase = 2, 0b101, -70_000, 1
    state.match.totals[:] = 10, 20, 30, 40
    state.match.first = NOBODY
    state.hands[0].length, state.hands[0].cards[:] = 2, (UNKNOWN, UNKNOWN, 0)
    state.hands[1].length, state.hands[1].cards[:] = 3, (0, 1, 1)
    state.row[:] = EMPTY, 1
    state.fetched[:] = 3, 0, 1, 0
    state.tricks[:] = 0b110, 0b001
    state.deck.length = 4
    state.many[:] = range(-6, 6)
    state.wide[:] = range(-3000, 3000, 500)
    state.spread["near"][:] = range(12)
    state.spread["apart"][:] = range(600, -600, -100)
    state.couple["near"][:], state.couple["apart"][:] = (1, 2), (3, 4)
    return State(table, state, viewer)


def planes(viewer, **given):
    """Return the planes of a view, which plain Python and compiled code make alike."""
    table = table_of(**given)
    layout, view = layout_of(table), moment(table, viewer)
    plain, fast = observations.plainly(layout, view), observations.quickly(layout, view)
    assert plain.tolist() == fast.tolist() == layout.observe(view, viewer).tolist()
    return {name: plane.tolist() for name, plane in layout.unflatten(plain).items()}


def check(viewer, expected, **given):
    """Check some planes of a view."""
    seen = planes(viewer, **given)
    assert {name: seen[name] for name in expected} == expected


def test_the_viewer_comes_first_and_the_others_follow_clockwise():
    next_seat, nobody = [0, 1, 0], [0, 0, 0]
    totals = {"match.totals": [20, 30, 10], "match.first": nobody}
    check(1, {"seat": [0, 1, 0], "turn": next_seat, "allies": [0, 1, 1], "hands.length": [3, 0, 2]} | totals)


def test_the_seats_of_a_game_with_numbered_seats_in_its_actions_stay_in_order():
    expected = {"seat": [0, 1, 0], "turn": [0, 0, 1], "allies": [1, 0, 1], "match.totals": [10, 20, 30]}
    check(1, expected, observed=replace(OBSERVED, rotates=False))


def test_a_spectator_has_no_seat_and_sees_seat_0_first():
    check(SPECTATOR, {"seat": [0, 0, 0], "match.totals": [10, 20, 30]})


def test_cards_are_counted_by_kind_and_unknown_ones_first():
    check(0, {"hands.cards": [[2, 0, 0], [0, 1, 2], [0, 0, 0]]})


def test_places_beyond_the_length_of_a_pile_are_empty():
    check(0, {"hands.cards": [[-1, -1, -2], [0, 1, 1], [-2, -2, -2]]}, observed=Observed())


def test_places_sets_and_numbers_also_in_long_arrays():
    places = {"row": [[0, 0, 0], [0, 0, 1]], "tricks": [[0, 1, 1], [1, 0, 0]], "phase": [0, 0, 1], "far": -70_000}
    by_place = {"fetched": [[0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]}  # all four, each a seat
    assert encoding.FEW < 12
    written_by_a_loop = {
        "many": [*range(-6, 6)],
        "wide": [*range(-3000, 3000, 500)],
        "spread.near": [*range(12)],
        "spread.apart": [*range(600, -600, -100)],
    }
    check(1, places | by_place | written_by_a_loop | {"couple.near": [1, 2], "couple.apart": [3, 4]})


def test_an_absent_field_is_not_observed():
    seen = planes(0)
    assert "deck.length" in seen
    hidden = {"deck.cards", "options.limit", "chance.key", "rules_version", "players", "hands.filler"}
    assert not seen.keys() & hidden


def test_the_type_is_the_smallest_that_holds_all_values():
    assert layout_of(table_of()).dtype == np.int32
    assert layout_of(table_of(observed=Observed({"far": absent()}))).dtype == np.int16
    narrow = Observed({name: absent() for name in ("far", "match", "wide", "spread")} | {"allies": flags(3)})
    assert layout_of(table_of(observed=narrow)).dtype == np.int8


def test_an_observation_is_written_into_the_array_of_the_caller():
    table = table_of()
    layout, view = layout_of(table), moment(table, 0)
    many = np.full((2, layout.size), 7, layout.dtype)
    layout.observe(view, 0, many[1])
    assert (many[0] == 7).all()
    assert (many[1] == layout.observe(view, 0)).all()
    assert layout.unflatten(many)["hands.cards"].shape == (2, 3, 3)


def test_only_the_view_of_the_seat_is_observed():
    table = fairdeal.load("chi")
    layout, state = layout_of(table), table.deal(seed=7)
    for shown in (state, state.view(1)):
        with refusal("give the view of seat 0"):
            layout.observe(shown, 0)
    with refusal("a layout of"):
        layout.observe(fairdeal.load("chip-it").deal(seed=7).view(0), 0)


def test_a_form_of_an_unknown_field_is_refused():
    with refusal(r"hands\.suits"):
        layout_of(table_of(observed=Observed({"hands.suits": number()})))


def test_the_page_has_the_planes_of_every_game():
    page = PAGE.read_text("utf-8")
    games = [name for name in game_names() if f"\n## {name}\n" in page]
    assert len(games) == page.count("\n## ") >= 11
    for name in games:
        assert section(layout_of(fairdeal.load(name))) in page, f"print it anew: fairdeal observations {name}"
