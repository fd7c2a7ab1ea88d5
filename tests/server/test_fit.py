"""How the middle of a table is fitted into its room, in Node.js without a browser: any zones in any room."""

import json
import subprocess
from collections import Counter

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.scenes import rows_scene
from tests.server.in_node import copy_scripts, needs_node

pytestmark = needs_node

FITTED = """
import { createInterface } from 'node:readline';
import { fit } from './web/scene/fit.js';

for await (const line of createInterface({ input: process.stdin })) {
  const { parts, room, last } = JSON.parse(line);
  console.log(JSON.stringify(fit(parts, { ...room, height: room.height ?? Infinity }, last)));
}
"""

LEAST, LEAST_IN_GRID = 2, 1.5
"""The narrowest card, in rem, and where places lie, which are seen as a whole."""

HIGH = 1.4
"""The height of a card is its width times this."""

MOST = {"table": 4.75, "small": 3.25, "mini": 1.5, "hand": 5.5}
"""The widest card of each size, in rem."""

PHONE = {"width": 374, "height": 424}
NAME = 1.4
"""The height of a line with the name of a zone, in rem, and what lies below it at least."""

ROOMS = {
    "phone": PHONE,
    "tablet": {"width": 736, "height": 560},
    "desk": {"width": 928, "height": 340},
    "wide": {"width": 1248, "height": 520},
    "lying": {"width": 464, "height": 240},
}
"""Rooms that the middle has on screens of five sizes, with three rivals and a hand."""

LAYOUTS = ("row", "groups", "lap", "fan", "grid", "stack", "column", "ring")


@pytest.fixture(scope="module")
def fit(tmp_path_factory):
    """Fit parts into a room, as pages do."""
    folder = tmp_path_factory.mktemp("fit")
    copy_scripts(folder)
    (folder / "fitted.js").write_text(FITTED, "utf-8")
    command = ["node", "fitted.js"]
    with subprocess.Popen(command, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:

        def fitted(parts, room, last=None):
            program.stdin.write(json.dumps({"parts": parts, "room": room, "last": last}) + "\n")
            program.stdin.flush()
            return json.loads(program.stdout.readline())

        yield fitted
        program.stdin.close()


def room_of(width, height, rem=16):
    return {"width": width, "height": height, "rem": rem, "most": {size: most * rem for size, most in MOST.items()}}


@st.composite
def zones(draw, rows=("",), cols=("",)):
    layout, count = draw(st.sampled_from(LAYOUTS)), draw(st.integers(0, 40))
    if layout == "ring":
        count = min(count, 9)
    deep = draw(st.integers(1, 4)) if layout in ("row", "groups") else 0
    cards = [{"id": str(number)} | ({"group": number // deep} if deep else {}) for number in range(count)]
    columns = draw(st.integers(1, 13))
    return {
        "id": draw(st.uuids()).hex,
        "layout": layout,
        "label": draw(st.sampled_from(["", "Row 1", "Cards that are out of the game"])),
        "count": count,
        "cards": cards,
        "slots": draw(st.integers(0, 8)),
        "size": draw(st.sampled_from(["", *MOST])),
        "cols": columns if layout == "grid" else 0,
        "narrow": draw(st.sampled_from([None, [max(1, columns // 2), 0]])) if layout == "grid" else None,
        "icon": draw(st.sampled_from(["", "", "", "chip"])) if layout == "stack" else "",
        "row": draw(st.sampled_from(rows)),
        "col": draw(st.sampled_from(cols)),
    }


@st.composite
def frames(draw):
    rows, cols = draw(st.integers(0, 7)), draw(st.integers(0, 3))
    panel = {"title": "The frame", "rows": [f"row {n}" for n in range(rows)], "cols": [f"col {n}" for n in range(cols)]}
    inside = zones(("", *panel["rows"]), ("", *panel["cols"]))
    return {"frame": panel, "zones": draw(st.lists(inside, min_size=1, max_size=6))}


HEADLINES = st.fixed_dictionaries(
    {
        "headline": st.fixed_dictionaries({"tag": st.text(max_size=12), "big": st.text(max_size=9), "text": st.text()}),
        "featured": st.integers(0, 1),
    }
)


@st.composite
def middles(draw):
    """Draw whatever may lie in a middle, in the order of pages."""
    band = draw(st.lists(zones(), max_size=2))
    return [
        *([{"band": band}] if band else []),
        *draw(st.lists(HEADLINES, max_size=1)),
        *draw(st.lists(frames(), max_size=3)),
        *({"zone": zone} for zone in draw(st.lists(zones(), max_size=8))),
    ]


def zones_in(parts, boxes):
    """Return all zones outside bands with their boxes; those of a frame in the order in which they are drawn."""
    found = []
    for part, box in zip(parts, boxes, strict=True):
        if "zone" in part:
            found.append((part["zone"], box))
        if "frame" in part:
            assert len(box["inside"]) == len(part["zones"])
            found += [(None, inner) for inner in box["inside"]]
    return found


def part_with_names(parts):
    """Return whether zones have names; a single one below a band has none."""
    return len(parts) != 2 or "band" not in parts[0]


def lie_apart(one, other):
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return min(across, down) < 0.01


def places_of(zone):
    groups = {card.get("group", -number - 1) for number, card in enumerate(zone["cards"])}
    return max(1, zone["slots"], len(groups))


def height_of(zone, box, rem):
    """How high the cards of a zone are, if they lie as its box says."""
    high, places, w, line = box["w"] * HIGH, places_of(zone), box["w"], box["line"] + 0.01
    if zone["layout"] == "grid":
        return -(-len(zone["cards"]) // box["columns"]) * (high + box["step"]) - box["step"]
    if zone["layout"] == "column":
        return high + box["strip"] * (places - 1)
    if zone["layout"] in ("lap", "fan"):
        per = 1 + int((line - w) / box["step"]) if places > 1 else 1
        return -(-places // per) * high
    if zone["layout"] in ("row", "groups"):
        deep = max(Counter(card["group"] for card in zone["cards"]).values(), default=1)
        wide, gap = w * (1 + 0.08 * (deep - 1)), w * (0.28 if zone["layout"] == "groups" else 0.12)
        lines = -(-places // int((line + gap) / (wide + gap)))
        return lines * (high + 0.34 * w * (deep - 1))
    return 2.3 * rem if zone["icon"] else high * (3 if zone["layout"] == "ring" else 1)


SIZES = st.tuples(st.integers(240, 1400), st.one_of(st.none(), st.integers(100, 1000)), st.sampled_from([12, 16, 32]))


@settings(max_examples=300, deadline=None)
@given(parts=middles(), before=st.none() | middles(), size=SIZES)
def test_any_middle_lies_without_overlap_in_any_room(parts, before, size, fit):
    room = room_of(*size)
    found = fit(parts, room, before and fit(before, room))
    boxes, rem = found["boxes"], room["rem"]
    assert len(boxes) == len(parts)
    assert all(lie_apart(one, other) for at, one in enumerate(boxes) for other in boxes[:at])
    end = found["height"] if found["scrolls"] or room["height"] is None else room["height"]
    side = found["width"] if found["scrolls"] else room["width"]
    for box in boxes:
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= side + 0.01
        assert box["y"] + box["height"] <= end + 0.01
    inside = zones_in(parts, boxes)
    has_grid = "grid" in {zone["layout"] for part in parts for zone in part.get("zones", [part.get("zone")]) if zone}
    for zone, box in inside:
        assert box["w"] >= MOST["mini"] * rem - 0.01
        assert box["line"] <= box["width"] + 0.01
        if zone:
            most = {"grid": 6, "column": 6, "ring": 2.9}.get(zone["layout"], MOST[zone["size"] or "table"])
            least = LEAST_IN_GRID if has_grid else LEAST
            assert min(least, most) * rem - 0.01 <= box["w"] <= most * rem + 0.01
            name = NAME * rem if zone["label"] and part_with_names(parts) else 0
            assert height_of(zone, box, rem) + name <= box["height"] + 0.01
    assert fit(parts, room, found) == found


@settings(max_examples=100, deadline=None)
@given(parts=middles(), before=middles(), size=SIZES)
def test_cards_keep_their_width_until_they_could_be_an_eighth_larger(parts, before, size, fit):
    room = room_of(*size)
    last, best = fit(before, room), fit(parts, room)
    found = fit(parts, room, last)
    if found["way"] and (found["w"], found["way"]) == (last["w"], last["way"]):
        assert best["w"] * best["way"]["worth"] <= found["w"] * found["way"]["worth"] * 1.125
    else:
        assert found == best


def test_a_row_less_leaves_the_cards_as_they_are(fit):
    room = room_of(**ROOMS["desk"])
    many = fit(rows(7), room)
    assert fit(rows(6), room, many)["w"] == many["w"] < fit(rows(6), room)["w"]


@settings(max_examples=100, deadline=None)
@given(parts=middles(), size=SIZES, more=st.integers(1, 300))
def test_a_higher_room_never_scrolls_what_a_lower_one_holds(parts, size, more, fit):
    assume(size[1] is not None)
    width, height, rem = size
    low, high = fit(parts, room_of(*size)), fit(parts, room_of(width, height + more, rem))
    assert high["scrolls"] <= low["scrolls"]


def rows(number):
    return [{"zone": msgspec.to_builtins(zone)} for zone in rows_scene(number).zones if zone.place == "centre"]


@pytest.mark.parametrize("screen", ROOMS)
def test_four_rows_of_five_fit_on_every_screen(screen, fit):
    found = fit(rows(4), room_of(**ROOMS[screen]))
    assert not found["scrolls"]
    assert len({box["w"] for box in found["boxes"]}) == 1
    assert found["boxes"][0]["w"] >= LEAST * 16


def test_what_is_too_much_scrolls_with_the_smallest_cards(fit):
    found = fit(rows(20), room_of(**PHONE))
    assert found["scrolls"]
    assert found["height"] > PHONE["height"]
    assert {box["w"] for box in found["boxes"]} == {LEAST * 16}
    assert max(box["x"] + box["width"] for box in found["boxes"]) <= PHONE["width"]
