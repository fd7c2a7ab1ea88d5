"""The speed of the table: slow, normal or instant. It is saved for this user."""

import contextlib
from pathlib import Path

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_text, user_file, write_whole
from fairdeal.protocol.messages import SpeedName
from fairdeal.protocol.staging import SPEEDS, course

PAUSE = 0.7
"""Pause of a bot before it moves, in seconds."""


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

    def course(self, kind: str, **times: int) -> list[tuple[str, float]]:
        """Return the stages of a course with their durations in seconds (`fairdeal.protocol.staging`)."""
        stages = course(kind, self.speed, **times)
        return [(stage, milliseconds / 1000 * self.usual / PAUSE) for stage, milliseconds in stages]

    def step(self) -> None:
        """Change to the next speed, and save it."""
        names = list(SPEEDS)
        self.speed = names[(names.index(self.speed) + 1) % len(names)]
        if self.path:
            write_whole(self.path, self.speed, syncs=False)
