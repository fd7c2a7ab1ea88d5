"""Scenes that a room showed, drawn again from the log of the finished game and compared whole.

A scene is a function of the log up to an entry, of the viewer and of the unfinished move (`Sitting.scene`), so a room
cannot show anything else without a difference. What only the room knows, such as clocks, is not part of a scene.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, NamedTuple

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import Scene
from fairdeal.table.log import Log, Move
from fairdeal.table.sitting import Sitting, replay

VERSION = version("fairdeal")
"""The version of fairdeal, on which the words of scenes depend."""

AFTER_WINDOWS = "events", "bites"
"""The parts that are not compared in a game with windows. After a window, they tell only what it did not show."""


class Difference(NamedTuple):
    """The first difference between the scenes that were shown and those drawn again.

    scene  index of the scene among those shown
    seq    number of entries that the scene names
    part   the part that differs, such as `zones.hand0.cards`
    """

    scene: int
    seq: int
    part: str


class Redrawn(NamedTuple):
    """The result of a comparison.

    compared    number of scenes that were compared
    unknown     number of scenes that cannot be compared, because they were shown during a window
    difference  the first Difference, or None
    """

    compared: int
    unknown: int
    difference: Difference | None


class Redrawing:
    """A comparison of the scenes of one viewer with a game that is played again. Unless the scenes are of this version
    of fairdeal, only their states are compared."""

    def __init__(self, viewer: int, scenes: Sequence[Scene], has_windows: bool, is_this_version: bool = True) -> None:
        self.viewer, self.scenes, self.is_this_version = viewer, scenes, is_this_version
        shown = [place for place, scene in enumerate(scenes) if scene.state or not has_windows]
        self.differing: dict[int, str] = dict.fromkeys(shown, "seq")  # the part that differs, or "", by scene
        self.at: dict[int, list[int]] = {}  # scenes by number of entries
        for place in shown:
            self.at.setdefault(scenes[place].seq, []).append(place)

    def look(self, sitting: Sitting) -> None:
        """Compare the scenes of the current number of entries. Hidden entries do not change this number, so a scene has
        to be that of one of the states with the number."""
        for place in self.at.get(sitting.log.number_for(self.viewer), ()):
            scene = self.scenes[place]
            if self.differing[place] and self.is_this_version:
                self.differing[place] = differing(sitting, self.viewer, scene)
            elif self.differing[place]:
                self.differing[place] = "" if scene.state == sitting.seen(self.viewer).digest else "state"

    def found(self) -> Redrawn:
        """Return the result, after the last state."""
        places = ((place, part) for place, part in self.differing.items() if part)
        first = next((Difference(place, self.scenes[place].seq, part) for place, part in places), None)
        return Redrawn(len(self.differing), len(self.scenes) - len(self.differing), first)


def redraw(log: Log, seed: bytes, viewer: int, scenes: Sequence[Scene]) -> Redrawn:
    """Draw all scenes of a viewer again, and compare them with those that were shown. Raises BadLog if the log cannot
    be replayed, and NotReplayable, naming the version of the rules that can, if they are not installed."""
    redrawing: Redrawing | None = None

    def watch(sitting: Sitting, _: Move | None = None) -> None:
        nonlocal redrawing
        redrawing = redrawing or Redrawing(viewer, scenes, sitting.table.game.has_windows)
        redrawing.look(sitting)

    watch(replay(log, seed, watch=watch))
    assert redrawing is not None
    return redrawing.found()


def differing(sitting: Sitting, viewer: int, shown: Scene) -> str:
    """Return the part of a scene that differs from what the viewer may see now, or an empty string."""
    if shown.viewer != viewer:
        return "viewer"
    try:
        scene = sitting.scene(viewer, shown.draft.picks if shown.draft else ())
    except FairdealError:
        return "draft"
    if sitting.table.game.has_windows:
        shown = shown.replaced(**{part: getattr(scene, part) for part in AFTER_WINDOWS})
    return part_of(scene, without_room(shown, scene))


def without_room(shown: Scene, drawn: Scene) -> Scene:
    """Return a scene without what the room adds: presence, clocks and notices."""
    pairs = zip(shown.seats, drawn.seats, strict=False)
    if len(shown.seats) == len(drawn.seats):
        seats = [one.replaced(state=own.state, note=own.note, clock=None) for one, own in pairs]
        shown = shown.replaced(seats=tuple(seats))
    if shown.prompt and drawn.prompt:
        sub = drawn.prompt.sub
        waits = shown.prompt.mode in ("waiting", "together")
        text = drawn.prompt.text if waits else shown.prompt.text
        shown = shown.replaced(prompt=shown.prompt.replaced(text=text, sub=sub, until=0.0, lasts=0.0))
    return shown


def part_of(one: Any, other: Any) -> str:
    """Return the path of the first part in which two values differ, or an empty string."""
    if one == other:
        return ""
    names: Sequence[str] = ()
    if isinstance(one, msgspec.Struct) and type(one) is type(other):
        names = one.__struct_fields__
        parts = [(getattr(one, name), getattr(other, name)) for name in names]
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        names = [str(getattr(part, "id", place)) for place, part in enumerate(one)]
        parts = list(zip(one, other, strict=True))
    else:
        return ""
    name, inside = next((name, part_of(*pair)) for name, pair in zip(names, parts, strict=True) if pair[0] != pair[1])
    return f"{name}.{inside}" if inside else name
