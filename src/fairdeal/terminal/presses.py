"""Keys that come too soon after a new question. A terminal does not report when a key is released: a held key arrives
as the same key again and again, first after a quarter to three quarters of a second, then many times a second.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from textual import events

SOON = 0.3
"""Time, in seconds, within which the same key again is no answer to a new question."""

DELAY = 0.75
"""Longest delay before a held key repeats itself for the first time, in seconds."""

RATE = 0.12
"""Longest time between further repeats, in seconds."""

SETTLES = 0.05
"""Time, in seconds, in which the program carries out a key."""

WAYS = {"up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab", "escape", "backspace"}
"""Keys that lead somewhere, or back, and choose nothing."""


class Presses:
    """The keys of a program. `question` returns what the screen asks now, `forward` handles a key, and `ignored` is
    called once for each key that is held or was pressed too soon."""

    def __init__(
        self,
        question: Callable[[], object],
        forward: Callable[[events.Event], Awaitable[None]],
        ignored: Callable[[], None],
    ) -> None:
        self.question, self.forward, self.ignored = question, forward, ignored
        self.key = ""
        self.last = 0.0  # time of the last press of the key
        self.asked: object = None  # the question before the last press that counted
        self.told = False  # whether `ignored` was called for this key
        self.queue: deque[tuple[events.Event, str, float]] = deque()

    async def hear(self, event: events.Event, key: str, time: float) -> bool:
        """Handle a key, unless it may have come too soon. Return whether it has to be weighed."""
        doubtful = bool(self.queue) or (key == self.key and time - self.last < DELAY and key not in WAYS)
        if doubtful:
            self.queue.append((event, key, time))
        else:
            await self.count(event, key, time)
        return doubtful

    async def count(self, event: events.Event, key: str, time: float) -> None:
        """Handle a key."""
        self.key, self.last, self.asked, self.told = key, time, self.question(), False
        await self.forward(event)

    async def weigh(self) -> None:
        """Handle the keys in the queue that count, in order."""
        while self.queue:
            event, key, time = self.queue[0]
            if key != self.key or key in WAYS or await self.counts(key, time - self.last):
                await self.count(event, key, time)
            else:
                self.last = time
                if not self.told:
                    self.told = True
                    self.ignored()
            self.queue.popleft()

    async def counts(self, key: str, gap: float) -> bool:
        """Return whether the same key again, after `gap` seconds, answers a question that the player could have
        seen."""
        if self.question() == self.asked:
            await asyncio.sleep(SETTLES)
        if self.question() == self.asked:
            return True
        if gap < SOON:
            return False
        await asyncio.sleep(RATE)
        return len(self.queue) < 2 or self.queue[1][1] != key or self.queue[1][2] - self.queue[0][2] > RATE
