"""The task that drives a table: it retries failed saves, makes the moves of bots and watches the clocks.

Errors are logged and reported to everyone at the table, and the work is retried until it succeeds.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from fairdeal.bots.levels import searches
from fairdeal.bots.registry import STAND_IN
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import HOUSE
from fairdeal.server.long_work import Client
from fairdeal.server.storage.store import NotOwner, NotSaved, NumberTaken
from fairdeal.server.tables.pace import Pace
from fairdeal.server.tables.seats import Seats
from fairdeal.server.tables.thinking import Thinking, Thoughts
from fairdeal.table.redrawing import CANNOT_SAVE, STUCK
from fairdeal.table.sitting import PERSON, Sitting

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Initial and maximum delay before a retry, in seconds; the delay doubles each time."""

Saving = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)


class Driven(Protocol):
    """The interface of a table that a driver needs."""

    lock: asyncio.Lock
    seats: Seats
    pace: Pace

    @property
    def id(self) -> str: ...

    @property
    def number(self) -> int: ...

    @property
    def running(self) -> Sitting | None: ...

    async def enter(self, seat: int, move: Sequence[int], *, by: str = PERSON) -> None: ...

    def tell(self) -> None: ...

    def look_at_windows(self) -> None: ...

    async def pass_on(self) -> None: ...

    def be_in_trouble(self, trouble: str) -> None: ...

    @property
    def must_keep_due(self) -> bool: ...

    async def keep_due(self) -> None: ...


class Driver:
    """The driver of one table. `owed` holds the saves that failed, by name. A driver without work holds no reference to
    its table, so that the table can be freed immediately."""

    def __init__(self, thinking: Thinking) -> None:
        self.thoughts = Thoughts(thinking)
        self.news = asyncio.Event()
        self.owed: dict[str, Saving] = {}
        self.task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    def wake(self, table: Driven) -> None:
        """React to a change of the table, and start the task if there is work to do."""
        self.news.set()
        sitting = table.running
        shows = table.pace.windows.closes is not None and not table.pace.is_still
        goes_on = shows or (sitting is not None and table.pace.goes_on(sitting))
        if not self.is_busy and (self.owed or goes_on or table.must_keep_due):
            self.task = asyncio.create_task(self.drive(table))

    def stop(self) -> None:
        """Stop driving the table, and drop all pending saves."""
        self.owed.clear()
        if self.task:
            self.task.cancel()

    async def drive(self, table: Driven) -> None:
        """Retry saves, make the moves of bots and watch the clocks until there is no work left."""
        pause = FIRST_PAUSE
        while True:
            number = table.number
            try:
                await self.make_up(table)
                await self.play_on(table)
                if table.must_keep_due:
                    await table.keep_due()
                    continue  # something may have happened meanwhile
                if not self.owed:
                    table.be_in_trouble("")
                    return
            except NumberTaken:
                pass  # the table has been read again already
            except NotOwner:
                self.owed.clear()
                return
            except NotSaved:
                table.be_in_trouble(CANNOT_SAVE)
            except Exception:
                log.exception("table %s cannot continue; trying again", table.id)
                table.be_in_trouble(STUCK)
            if table.number > number:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def make_up(self, table: Driven) -> None:
        """Retry the saves that failed before."""
        while self.owed:
            async with table.lock:
                what = next(iter(self.owed))
                save = self.owed.pop(what)
                try:
                    await save()
                except BaseException:
                    self.owed.setdefault(what, save)
                    raise

    async def play_on(self, table: Driven) -> None:
        """Make the moves of bots and watch the clocks, until only people without a clock are to act, the table is
        paused, or a save has failed."""
        pace = table.pace
        while (table.running or pace.windows.closes is not None) and not self.owed and not pace.is_still:
            self.news.clear()
            table.look_at_windows()
            await self.call_time(table)
            await table.pass_on()
            sitting = table.running
            deadline = pace.wakes
            found = pace.next_bot(sitting) if sitting else None
            if found:
                await self.let_bot_move(table, *found, deadline)
            elif deadline is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.news.wait(), max(0.05, deadline - pace.now()))
            else:
                return

    async def let_bot_move(self, table: Driven, when: float, seat: int, deadline: float | None) -> None:
        """Let a bot think, and make its move when the time has come. Return without a move if the table changes or a
        clock runs out first."""
        pace, sitting, plays = table.pace, table.running, table.seats[seat].plays
        assert sitting is not None
        word = STAND_IN if plays == PERSON else plays
        search = searches(word, sitting.table.game)
        guest = next((place.guest for place in table.seats if place.guest), "")  # tables of bots alone share a client
        client, bot, number = Client(guest, guest), pace.bots[seat], table.number
        thought = self.thoughts.of(client, bot, sitting.state, seat, number, search, pace.now, self.news.set)
        if pace.pause or search:
            moves = self.thoughts.answers_at(seat, thought, when if pace.pause else thought.began)
        else:
            moves = thought.found  # bots move at once
        wakes = min((at for at in (moves, deadline) if at is not None), default=None)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), None if wakes is None else max(0.0, wakes - pace.now()))
            return
        if moves is None or (deadline is not None and deadline < moves):
            return
        async with table.lock:
            sitting = table.running
            may = sitting and table.number == thought.number and seat in sitting.state.to_act
            if may and pace.bots.get(seat) is thought.bot and not self.news.is_set():
                try:
                    found = thought.task.result()
                except Exception:
                    self.thoughts.forget(seat)
                    raise
                await table.enter(seat, found.actions, by=word)

    async def call_time(self, table: Driven) -> None:
        """Play one move of the greedy bot for a seat whose time is up, or end a round whose time is up."""
        pace = table.pace
        async with table.lock:
            sitting = table.running
            if sitting is None:
                return
            deadline = pace.round_clock.deadline
            called = pace.round_clock.time_is_over(sitting.state, pace.now())
            late, excused = pace.clocks.late(pace.now())
            if called is not None:
                try:
                    await table.enter(HOUSE, called)
                except FairdealError:
                    pace.round_clock.deadline = deadline
                    raise
            elif late is not None:
                await table.enter(late, sitting.stand_in(late).actions, by=STAND_IN)
            elif excused:
                table.tell()
