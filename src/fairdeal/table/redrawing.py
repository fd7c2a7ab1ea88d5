"""Scenes that a room showed, drawn again from the log of the finished game and compared whole.

A scene is a function of the log up to an entry, of the viewer and of the unfinished move (`Sitting.sent`), so a room
cannot show anything else without a difference. The room adds only what it alone knows (`ROOM_KNOWS`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import Scene, Seat, listed, noun_for
from fairdeal.table.sitting import Sitting

STANDS_IN, PAUSED = "away, a bot plays on", "away, the game is paused"
"""The notes at the seat of a person who is away: with other people at the table, and with bots only."""

PLAYS_ON = "gone, another guest plays on"
"""The note at the seat of a person who has left it to another guest."""

CANNOT_SAVE = "The room cannot save at the moment. It will keep trying."
STUCK = "Something went wrong at this table. The room will keep trying."
TROUBLES = CANNOT_SAVE, STUCK
"""The troubles of a table, which are shown under the prompt."""

Says = Callable[[Any, Any, Scene, Sequence[str]], bool]
"""A function that returns whether a room says such a value in place of the value that was drawn, in a scene and to
players with these names."""

ROOM_KNOWS: dict[str, Says] = {
    "seats.state": lambda shown, drawn, *_: (shown, drawn) == ("away", "here"),
    "seats.note": lambda shown, *_: shown in (STANDS_IN, PAUSED, PLAYS_ON),
    "seats.clock": lambda *_: True,
    "prompt.text": lambda shown, _, scene, names: bool(shown) and shown in sentences_of_absence(scene),
    "prompt.sub": lambda shown, _, scene, names: shown in (*TROUBLES, *map(pause_for, names)),
    "prompt.until": lambda *_: True,
    "prompt.lasts": lambda *_: True,
}
"""The fields of a scene that do not follow from the log: presence, stand-ins, clocks and trouble. They have few values,
so that they can carry no card and no score."""

WAITING = "waiting", "together"
"""The modes of prompts in which a viewer may wait for others."""

AFTER_WINDOWS = "events", "bites", "result.light"
"""The parts that are not compared in a game with windows. After a window, they tell only what it did not show
(`Sitting.tell_rest`)."""


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

    def compare(self, sitting: Sitting) -> None:
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


def differing(sitting: Sitting, viewer: int, shown: Scene) -> str:
    """Return the part of a scene that differs from what the viewer may see now, or an empty string."""
    if shown.viewer != viewer:
        return "viewer"
    try:
        scene = sitting.sent(viewer, shown.draft.picks if shown.draft else ())
    except FairdealError:
        return "draft"
    for part, one, own in differences(shown, scene):
        is_skipped = sitting.table.game.has_windows and part.startswith(AFTER_WINDOWS)
        says = ROOM_KNOWS.get(re.sub(r"^seats\.\d+", "seats", part))
        if not is_skipped and not (says and says(one, own, shown, sitting.names)):
            return part
    return ""


def sentences_of_absence(scene: Scene) -> list[str]:
    """Return the sentences that a room may say in a scene if all players that the viewer waits for are away."""
    waits = scene.prompt and scene.prompt.mode in WAITING
    return [absent(scene.seats, scene.viewer, plays) for plays in (False, True)] if waits else []


def absent(seats: Sequence[Seat], viewer: int, plays: bool) -> str:
    """Return a sentence if all players that a viewer waits for are away, so that none of them is choosing. `plays` is
    whether a bot plays for all of them. Return an empty string otherwise."""
    acting = [seat for seat in seats if seat.acts and seat.seat != viewer]
    if not acting or any(seat.state != "away" for seat in acting):
        return ""
    names = listed([seat.name for seat in acting])
    return f"A bot plays for {names}" if plays else f"{names} {noun_for(len(acting), 'is', 'are')} away"


def pause_for(name: str) -> str:
    """Return the sentence that names the player a paused game waits for."""
    return f"The game is paused until {name} is back."


def differences(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the smallest parts in which two values differ: the path of each, and its two values."""
    if one == other:
        return
    if isinstance(one, msgspec.Struct) and type(one) is type(other):
        parts = [(name, getattr(one, name), getattr(other, name)) for name in one.__struct_fields__]
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        names = [str(getattr(part, "id", place)) for place, part in enumerate(one)]
        parts = list(zip(names, one, other, strict=True))
    else:
        yield path, one, other
        return
    for name, first, second in parts:
        yield from differences(first, second, f"{path}.{name}" if path else name)
