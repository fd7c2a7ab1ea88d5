"""How quickly the table moves: slow, normal or instant, kept for this user."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_dir

from fairdeal.protocol.messages import SpeedName

PAUSE = 0.7
"""Seconds that a bot takes before it moves, so that people can follow."""

SPEEDS: dict[SpeedName, float] = {"slow": 1.8, "normal": 1.0, "instant": 0.0}
"""How many times as long as usual everything takes that is shown."""


def speed_file() -> Path:
    """Where it is kept how quickly this user likes it."""
    return Path(user_data_dir("fairdeal", appauthor=False)) / "speed"


class Tempo:
    """The speed of this program. `pause` is what a bot takes at normal speed, and all else goes with it: where it is 0,
    nothing is shown but the table. `path` keeps the speed; without one it is forgotten."""

    def __init__(self, pause: float = PAUSE, path: Path | None = None) -> None:
        self.usual = pause
        self.path = path
        self.speed: SpeedName = "normal"
        if path and path.exists():
            kept = path.read_text("utf-8", errors="replace").strip()
            self.speed = next((name for name in SPEEDS if name == kept), self.speed)

    @property
    def pause(self) -> float:
        """Seconds that a bot takes now."""
        return self.usual * SPEEDS[self.speed]

    @property
    def stages(self) -> bool:
        """Is anything shown but the table?"""
        return self.usual > 0

    @property
    def instant(self) -> bool:
        return self.speed == "instant"

    def time(self, seconds: float, least: float = 0.0) -> float:
        """Seconds for what usually takes so many, and takes a moment even at instant speed."""
        return max(seconds * SPEEDS[self.speed], least) * self.usual / PAUSE

    def fixed(self, seconds: float) -> float:
        """Seconds for what takes as long at any speed."""
        return seconds * self.usual / PAUSE

    def step(self) -> None:
        """On to the next speed."""
        names = list(SPEEDS)
        self.speed = names[(names.index(self.speed) + 1) % len(names)]
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(self.speed, "utf-8")
