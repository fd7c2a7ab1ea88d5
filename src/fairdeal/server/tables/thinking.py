"""Bots think in threads, so that nobody waits for them but their own table.

A bot begins to think as soon as it is to act, and answers at its usual pace. Where it needs longer, it answers a step
later, and takes that step from then on at this seat: so the time it takes tells how long its longest thoughts are, and
next to nothing of the choice before it. What others make it wait for does not count, and is rounded up to a step too.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from fairdeal.bots.bots import Bot, Suggestion, ask
from fairdeal.bots.preparing import prepare_apart
from fairdeal.engine.game import Game
from fairdeal.engine.state import State

T = TypeVar("T")

STEPS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds after its usual time at which a bot answers; longer thoughts take the last step several times."""


LONGEST = STEPS[-1]

PATIENT = 5
"""How much less important than the others a thread is that thinks, as `nice` counts it."""


class Thinking:
    """The threads in which all bots of a room think, no more than there are processors; what else the room does comes
    before them."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(processors(), "thinking", be_patient)
        self.one_by_one = threading.Lock()
        self.prepared: dict[str, asyncio.Future[None]] = {}

    async def think(self, bot: Bot, state: State, seat: int, turn: int) -> tuple[Suggestion, float]:
        """What a bot would play, and the processor time that it takes to say so. It is given nothing but what its seat
        may know."""

        def work() -> tuple[Suggestion, float]:
            began = time.thread_time()
            return ask(bot, state, seat, turn), time.thread_time() - began

        return await self.do(work)

    async def do(self, work: Callable[[], T]) -> T:
        """What `work` gives, when a thread is free for it."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)

    def prepare(self, game: Game) -> asyncio.Future[None]:
        """Have the search of a game ready some time later; what failed is tried again when it is asked for again."""
        known = self.prepared.get(game.name)
        if known and not (known.done() and (known.cancelled() or known.exception())):
            return known
        loop = asyncio.get_running_loop()
        ready = self.prepared[game.name] = loop.create_future()
        ready.add_done_callback(notice)

        def tell(problem: Exception | None) -> None:
            if ready.done():
                return
            if problem:
                ready.set_exception(problem)
            else:
                ready.set_result(None)

        def work() -> None:
            problem = None
            with self.one_by_one:
                try:
                    prepare_apart(game)
                except Exception as found:
                    problem = found
            if not loop.is_closed():
                loop.call_soon_threadsafe(tell, problem)

        threading.Thread(target=work, name="preparing", daemon=True).start()
        return ready

    def close(self) -> None:
        """Begin no more thoughts."""
        self.threads.shutdown(wait=False, cancel_futures=True)


@dataclass(eq=False)
class Thought:
    """What a bot thinks of its table at an entry. `began` and `found` are seconds of the table's clock, `took` those of
    a processor."""

    bot: Bot
    number: int
    began: float
    task: asyncio.Task[Suggestion]
    found: float | None = None
    took: float = 0.0


class Thoughts:
    """What the bots of one table think, the newest thought of each seat; `steps` are those that they have come to need,
    by seat."""

    def __init__(self, thinking: Thinking) -> None:
        self.thinking = thinking
        self.newest: dict[int, Thought] = {}
        self.steps: dict[int, int] = {}

    def of(
        self,
        bot: Bot,
        state: State,
        seat: int,
        number: int,
        searches: bool,
        now: Callable[[], float],
        done: Callable[[], None],
    ) -> Thought:
        """The thought of a bot that is to act after so many entries; it begins with the first call, and tells by `done`
        when it has come to an end."""
        last = self.newest.get(seat)
        if last and last.bot is bot and last.number == number:
            return last

        async def think() -> Suggestion:
            if last:  # a bot thinks one thought at a time
                await asyncio.wait([last.task])
            if searches:
                await asyncio.shield(self.thinking.prepare(state.game))
            thought.began = now()
            found, thought.took = await self.thinking.think(bot, state, seat, number)
            return found

        def end(task: asyncio.Task[Suggestion]) -> None:
            notice(task)
            thought.found = now()
            done()

        thought = self.newest[seat] = Thought(bot, number, now(), asyncio.create_task(think()))
        thought.task.add_done_callback(end)
        return thought

    def answers_at(self, seat: int, thought: Thought, usual: float) -> float | None:
        """When a seat answers whose usual time is `usual`; None while it thinks."""
        if thought.found is None:
            return None
        usual = max(usual, thought.began)
        self.steps[seat] = max(self.steps.get(seat, 0), step_after(thought.began + thought.took - usual))
        late = thought.found - usual
        if late > LONGEST:
            return usual + LONGEST * math.ceil(late / LONGEST)
        return usual + STEPS[max(self.steps[seat], step_after(late))]

    def forget(self, seat: int) -> None:
        """Let a seat think anew."""
        self.newest.pop(seat, None)


def step_after(late: float) -> int:
    """The first step that is not before so many seconds, or the last one."""
    return next((number for number, step in enumerate(STEPS) if late <= step), len(STEPS) - 1)


def notice(ended: asyncio.Future[None] | asyncio.Task[Suggestion]) -> None:
    """An error is raised where the result is wanted, and nowhere if it is wanted no more."""
    if not ended.cancelled():
        ended.exception()


def processors() -> int:
    """How many there are for this process."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def be_patient() -> None:
    """Let this thread work when others have nothing to do; where threads cannot be told apart, it is as important as
    they."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), PATIENT)
