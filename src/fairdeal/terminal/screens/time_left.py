"""Short formatting of remaining times."""

import math

from fairdeal.engine.scene import Scene, count_of
from fairdeal.table.clocks import DAY, in_words

HURRY = 10
"""Number of remaining seconds below which the time to act is spelled out."""


def left(seconds: float) -> str:
    """Return the remaining time as text, such as `0:09`, `2:05`, `3 h` or `2 days`."""
    whole = max(0, math.ceil(seconds))
    if whole >= 2 * DAY:
        return in_words(whole)
    if whole >= 7200:
        return f"{round(whole / 3600)} h"
    return f"{whole // 60}:{whole % 60:02}"


def hurry(seconds: float) -> str:
    """Return the time left to act as text. The last seconds are spelled out."""
    whole = max(0, math.ceil(seconds))
    return f"{count_of(whole, 'second')} left" if whole <= HURRY else left(seconds)


def timed(scene: Scene, seconds: float | None) -> Scene:
    """Return a scene with the remaining time in its prompt, if there is a limit."""
    if seconds is None or not scene.prompt or scene.prompt.mode not in ("yours", "together"):
        return scene
    prompt = scene.prompt.replaced(text=f"{scene.prompt.text} · {hurry(seconds)}")
    return scene.replaced(prompt=prompt)
