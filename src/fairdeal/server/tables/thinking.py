"""Threads in which bots think, so that only their own table waits for them.

A bot starts to think as soon as it is to act, and moves after its usual pause. If it needs more time, its move and all
later moves of its seat are delayed by a fixed step. The delay therefore reveals how long the bot's longest search took,
but almost nothing about its current choice. Time spent waiting for other work is not measured, but it too is rounded up
to a step.
"""

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
"""Possible delays of a bot's move after its usual pause, in seconds. Beyond them, the delay is a multiple of the last
one."""


LONGEST = STEPS[-1]

PATIENT, MORE_PATIENT = 5, 10
"""Niceness of the threads of bots, and of hints that search, relative to other threads."""


class Thinking:
    """The threads in which all bots of a room think, at most one for each processor, with a lower priority than other
    work. Hints that search have separate threads with an even lower priority, so that no bot waits for them."""

    def __init__(self) -> None:
        at_once = processors()
        self.bots = LongWork(at_once, each=at_once, niceness=PATIENT, most=math.inf, most_of_one=math.inf)
        self.hints = LongWork(at_once, niceness=MORE_PATIENT)
        self.one_by_one = threading.Lock()
        self.prepared: dict[str, asyncio.Future[None]] = {}

    async def think(self, client: Client, bot: Bot, state: State, seat: int, turn: int) -> tuple[Suggestion, float]:
        """Return a bot's move at a client's table, based only on the information available to its seat, and the
        processor time used, in seconds."""

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
    """A bot's search for a move at its table after a log entry. `began` and `found` are in seconds of the table's
    clock, and `took` is in seconds of processor time."""

    bot: Bot
    number: int
    began: float
    task: asyncio.Task[Suggestion]
    found: float | None = None
    took: float = 0.0


class Thoughts:
    """The latest search of each seat of a table. `steps` contains the delay needed so far by each seat's searches, as
    an index of STEPS."""

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
        """Return the search of a bot that is to act at a client's table after `number` entries. The first call starts
        the search, and `done` is called when it ends."""
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
        is searching."""
        if thought.found is None:
            return None
        usual = max(usual, thought.began)
        self.steps[seat] = max(self.steps.get(seat, 0), step_after(thought.began + thought.took - usual))
        late = thought.found - usual
        if late > LONGEST:
            return usual + LONGEST * math.ceil(late / LONGEST)
        return usual + STEPS[max(self.steps[seat], step_after(late))]

    def forget(self, seat: int) -> None:
        """Discard the search of a seat, so that its bot starts again."""
        self.newest.pop(seat, None)


def step_after(late: float) -> int:
    """Return the index of the first of STEPS that is at least `late` seconds, or the index of the last one."""
    return next((number for number, step in enumerate(STEPS) if late <= step), len(STEPS) - 1)


def notice(ended: asyncio.Future[None] | asyncio.Task[Suggestion]) -> None:
    """Mark the exception of a future as retrieved, because its result may no longer be needed."""
    if not ended.cancelled():
        ended.exception()
