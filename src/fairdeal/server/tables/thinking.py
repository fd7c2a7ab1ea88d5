"""Threads in which bots think, so that only their own table waits for them.

A bot starts to think as soon as it is to act, and moves after its usual pause. If it needs more time, its move is
delayed by a fixed step, and so are all later moves of its seat. The delay therefore reveals the duration of the bot's
longest thoughts, but almost nothing about its current choice. Time spent waiting for other work is not measured, but it
is rounded up to a step too.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from fairdeal.bots.bots import Bot, Suggestion, ask
from fairdeal.bots.preparing import prepare_apart
from fairdeal.engine.game import Game
from fairdeal.engine.state import State
from fairdeal.server.long_work import Client, LongWork, processors

STEPS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Possible delays of a bot's move after its usual pause, in seconds. Longer thoughts are delayed by a multiple of the
last step."""


LONGEST = STEPS[-1]

PATIENT, MORE_PATIENT = 5, 10
"""Niceness of the threads of bots, and of those of hints that search, relative to other threads."""


class Thinking:
    """The threads in which all bots of a room think, at most one for each processor, with a lower priority than other
    work. Hints that search have threads of their own, with a priority still lower, so that no bot waits for them."""

    def __init__(self) -> None:
        at_once = processors()
        self.bots = LongWork(at_once, each=at_once, niceness=PATIENT, most=math.inf, most_of_one=math.inf)
        self.hints = LongWork(at_once, niceness=MORE_PATIENT)
        self.one_by_one = threading.Lock()
        self.prepared: dict[str, asyncio.Future[None]] = {}

    async def think(self, client: Client, bot: Bot, state: State, seat: int, turn: int) -> tuple[Suggestion, float]:
        """Return a bot's move at a client's table, chosen only from what its seat may know, and the processor time
        used, in seconds."""

        def work() -> tuple[Suggestion, float]:
            began = time.thread_time()
            return ask(bot, state, seat, turn), time.thread_time() - began

        return await self.bots.do(client, work)

    def prepare(self, game: Game) -> asyncio.Future[None]:
        """Compile the search of a game in the background. A failed attempt is repeated at the next call."""
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
        """Stop starting new work."""
        self.bots.close()
        self.hints.close()


@dataclass(eq=False)
class Thought:
    """A bot's thought about its table after a log entry. `began` and `found` are in seconds of the table's clock, and
    `took` is in seconds of processor time."""

    bot: Bot
    number: int
    began: float
    task: asyncio.Task[Suggestion]
    found: float | None = None
    took: float = 0.0


class Thoughts:
    """The latest thought of each seat of a table. `steps` holds the delay that the seat's thoughts have needed so far,
    as an index of STEPS."""

    def __init__(self, thinking: Thinking) -> None:
        self.thinking = thinking
        self.newest: dict[int, Thought] = {}
        self.steps: dict[int, int] = {}

    def of(
        self,
        client: Client,
        bot: Bot,
        state: State,
        seat: int,
        number: int,
        searches: bool,
        now: Callable[[], float],
        done: Callable[[], None],
    ) -> Thought:
        """Return the thought of a bot that is to act at a client's table after `number` entries. The first call
        starts the thought, and `done` is called when it ends."""
        last = self.newest.get(seat)
        if last and last.bot is bot and last.number == number:
            return last

        async def think() -> Suggestion:
            if last:  # a bot thinks one thought at a time
                await asyncio.wait([last.task])
            if searches:
                await asyncio.shield(self.thinking.prepare(state.game))
            thought.began = now()
            found, thought.took = await self.thinking.think(client, bot, state, seat, number)
            return found

        def end(task: asyncio.Task[Suggestion]) -> None:
            notice(task)
            thought.found = now()
            done()

        thought = self.newest[seat] = Thought(bot, number, now(), asyncio.create_task(think()))
        thought.task.add_done_callback(end)
        return thought

    def answers_at(self, seat: int, thought: Thought, usual: float) -> float | None:
        """Return the time at which a seat moves, which is `usual` or later by one of STEPS. Return None while the bot
        thinks."""
        if thought.found is None:
            return None
        usual = max(usual, thought.began)
        self.steps[seat] = max(self.steps.get(seat, 0), step_after(thought.began + thought.took - usual))
        late = thought.found - usual
        if late > LONGEST:
            return usual + LONGEST * math.ceil(late / LONGEST)
        return usual + STEPS[max(self.steps[seat], step_after(late))]

    def forget(self, seat: int) -> None:
        """Discard the thought of a seat, so that its bot thinks again."""
        self.newest.pop(seat, None)


def step_after(late: float) -> int:
    """Return the index of the first of STEPS that is at least `late` seconds, or the index of the last one."""
    return next((number for number, step in enumerate(STEPS) if late <= step), len(STEPS) - 1)


def notice(ended: asyncio.Future[None] | asyncio.Task[Suggestion]) -> None:
    """Mark the exception of a future as retrieved, because its result may no longer be needed."""
    if not ended.cancelled():
        ended.exception()
