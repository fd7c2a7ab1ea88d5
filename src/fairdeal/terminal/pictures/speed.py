"""The speed of the table: slow, normal or instant. It is saved for this user."""

from __future__ import annotations

import contextlib
from pathlib import Path

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_text, user_file, write_whole
from fairdeal.protocol.messages import SpeedName

PAUSE = 0.7
"""Pause of a bot before it moves, in seconds."""

SPEEDS: dict[SpeedName, float] = {"slow": 1.8, "normal": 1.0, "instant": 0.0}
"""Durations at each speed, as multiples of those at normal speed."""


def speed_file() -> Path:
    """Return the path of the file with this user's speed."""
    return user_file("speed")


class Tempo:
    """The speed of this program. `pause` is a bot's pause at normal speed, in seconds, and scales all other durations;
    if it is 0, no frames are shown over the table. The speed is saved at `path`, if given."""

    def __init__(self, pause: float = PAUSE, path: Path | None = None) -> None:
        self.usual = pause
        self.path = path
        self.speed: SpeedName = "normal"
        if path:
            with contextlib.suppress(OSError, FairdealError):
                kept = read_text(path).strip()
                self.speed = next((name for name in SPEEDS if name == kept), self.speed)

    @property
    def pause(self) -> float:
        """Pause of a bot at the current speed, in seconds."""
        return self.usual * SPEEDS[self.speed]

    @property
    def stages(self) -> bool:
        """Whether frames are shown over the table."""
        return self.usual > 0

    @property
    def instant(self) -> bool:
        return self.speed == "instant"

    def time(self, seconds: float, least: float = 0.0) -> float:
        """Return a duration scaled to the current speed, but at least `least`. Both are in seconds."""
        return max(seconds * SPEEDS[self.speed], least) * self.usual / PAUSE

    def fixed(self, seconds: float) -> float:
        """Return a scaled duration, in seconds, that does not depend on the current speed."""
        return seconds * self.usual / PAUSE

    def step(self) -> None:
        """Change to the next speed, and save it."""
        names = list(SPEEDS)
        self.speed = names[(names.index(self.speed) + 1) % len(names)]
        if self.path:
            write_whole(self.path, self.speed, syncs=False)
