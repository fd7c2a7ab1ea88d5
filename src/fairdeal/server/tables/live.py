"""A table in memory: its sitting, seats, driver and viewers.

Every change to the game goes through `enter`, which checks it, adds it to the log and commits it, and only then applies
it and sends it to viewers. The lock makes these steps atomic, so that viewers never see a move that is not saved. A
change that cannot be saved is not made: a request gets an error, an automatic change is retried, and all viewers are
notified until saving works again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

import msgspec
import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.scene import Scene
from fairdeal.engine.state import State
from fairdeal.protocol import messages as m
from fairdeal.server.limits import Limits
from fairdeal.server.storage.acts import House
from fairdeal.server.storage.promises import Keys
from fairdeal.server.storage.queries import CLEARED, Entry, score_of
from fairdeal.server.storage.ratings import rate
from fairdeal.server.storage.store import MOVED_ON, InDoubt, NotOwner, NotSaved, NumberTaken, Store, Tenure, Work
from fairdeal.server.tables.audience import ENDED, NOT_YET, Audience
from fairdeal.server.tables.driver import Driver, Saving
from fairdeal.server.tables.pace import Pace, Rest
from fairdeal.server.tables.saving import keep_line, keep_notice, keep_places, keep_values, place_rows
from fairdeal.server.tables.seats import Place, Seats
from fairdeal.server.tables.terms import Terms, sign_end
from fairdeal.server.tables.thinking import Thinking
from fairdeal.server.tables.windows import Covering
from fairdeal.table import fairness
from fairdeal.table.clocks import CLOCK, SOON, time_to_warn
from fairdeal.table.log import ANOTHER, HIDDEN, PASS, Log, Move, taken_back, taking_back
from fairdeal.table.redrawing import CANNOT_SAVE
from fairdeal.table.sitting import PERSON, Sitting, table_of

KNOWN_CLIENTS, KNOWN_GUESTS = 64, 64
"""Number of recent requests whose ids are stored, so that repeated requests are recognized."""

log = logging.getLogger(__name__)


def acts_of(state: State) -> int | None:
    """Return the bit set of the seats that may act in a state, to be stored with its entry. Return None if one of the
    game's own clocks runs, because the table then continues even if no seat acts, or if a window is open, because only
    the seat that is asked may know about it."""
    game, record = state.game, state.record
    hidden = not state.over and (game.limit(record) or game.in_window(record))
    return None if hidden else int(record["to_act"])


class RoomOfTable(Protocol):
    """The interface of a room that a table needs. `turned` is called when the seats to act may have changed;
    `read_again` reloads a table that another process has written to."""

    store: Store
    keys: Keys
    thinking: Thinking
    pause: float
    limits: Limits
    now: Callable[[], float]
    house: House
    turned: Callable[[LiveTable], None]

    async def read_again(self, live: LiveTable) -> None: ...


class LiveTable:
    """A table in memory. `status` is open, running, over or cleared. If the current rules cannot replay the log,
    `unreadable` is the reason, and the table has an `old_log` instead of a sitting."""

    def __init__(self, terms: Terms, seats: Seats, home: RoomOfTable) -> None:
        self.terms, self.seats, self.home = terms, seats, home
        self.store, self.keys = home.store, home.keys
        self.status, self.moved, self.rematch = "open", terms.made, ""
        self.places: Sequence[int] = ()  # as stored, of a finished game
        self.was_here = 0  # the bit set of the seats whose guests were connected
        self.wins: dict[str, int] = {}  # the score between the people here, by guest
        self.rest: Rest | None = None  # as stored, of a table that was paused
        self.due: float | None = None  # as stored, of a table with a clock in days
        known = home.house.vacations if terms.is_over_days else {}  # those still to be replayed:
        self.vacations = sorted((*one, place.seat) for place in seats for one in known.get(place.guest or "", ()))
        self.sitting: Sitting | None = None
        self.unreadable = ""
        self.tenure: Tenure | None = None  # of this process, if others could own the table
        self.in_doubt = False  # whether the database may have an entry that the log lacks
        self.old_log: Log | None = None
        self.lock = asyncio.Lock()
        self.pace = Pace(seats, terms.clock, home.pause, home.now, terms.calm)
        self.audience = Audience(seats, self.pace)
        self.driver = Driver(home.thinking)
        self.clients: dict[str, dict[str, int]] = {}  # numbers of entries, by guest and request
        self.acting_since: dict[int, int] = {}
        self.waiting: asyncio.Task[None] | None = None  # the wait for nonces

    # --- facts ----------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self.terms.id

    @property
    def written(self) -> Log | None:
        """The log, or None before the cards are dealt."""
        return self.sitting.log if self.sitting else self.old_log

    @property
    def number(self) -> int:
        """The number of entries in the log, including undone moves and undos."""
        written = self.written
        return len(written.entries) if written else 0

    def number_for(self, viewer: int) -> int:
        """Return the number of entries that a viewer may know of."""
        return self.written.number_for(viewer) if self.written else 0

    def number_shown(self, viewer: int) -> int:
        """Return the number of entries in what a viewer is shown, which may be an earlier state."""
        covered = self.covered(viewer)
        return covered.number[viewer] if covered else self.number_for(viewer)

    def chain_for(self, viewer: int) -> str:
        """Return the running hash after the entries that a viewer may know of, or an empty string before the deal."""
        return self.sitting.log.chain_for(viewer) if self.sitting else ""

    @property
    def running(self) -> Sitting | None:
        """The sitting while the game runs, or None."""
        return self.sitting if self.status == "running" else None

    @property
    def is_over(self) -> bool:
        """Whether the game is over and its end has been shown to everyone."""
        return self.shown_status == "over"

    @property
    def shown_status(self) -> str:
        """The status as shown to everyone. A game that ends behind a window is shown as running until the window
        ends."""
        return "running" if self.status == "over" and self.pace.windows.moments else self.status

    @property
    def is_sealed(self) -> bool:
        """Whether the cards are those of a deal of the day that others can still play, so that they stay secret even
        when the game is over."""
        return self.terms.daily is not None and time.time() < self.terms.daily.closes

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused, because one person plays against bots and is not here. Then no bot moves and no
        clock runs, until they are back. A rated game, or one of an evening, goes on if they have left it."""
        if self.shown_status != "running" or self.unreadable or not self.pace.is_of_one:
            return False
        left = self.terms.goes_on and any(place.stand_in for place in self.seats)
        return not left and not any(place.guest and self.audience.is_here(place) for place in self.seats)

    @property
    def stage(self) -> str:
        """The stage of the deal, as in `Deal.stage`."""
        return self.seats.stage if self.status == "open" else "dealt"

    @property
    def is_ready(self) -> bool:
        """Whether everything is ready for the deal."""
        return self.status == "open" and self.seats.is_full and not self.seats.silent

    def grace(self, place: Place) -> float:
        """Return the number of seconds that an absent guest still has to come back before a bot may play for them."""
        return self.audience.grace(place) if self.shown_status == "running" else 0.0

    def facts(self, guest: str) -> m.Facts:
        """Return the facts of the table for `guest`, without its cards."""
        terms, seats, connections = self.terms, self.seats, self.audience.connections
        viewer = seats.of(guest)
        covered = self.covered(viewer)
        acts = self.running.state.to_act if self.running and not covered else ()
        return m.Facts(
            id=terms.id,
            game=terms.game,
            title=terms.title,
            name=terms.name,
            status=self.shown_status,
            paused=self.is_paused,
            options=terms.options_in_short,
            chairs=tuple(self.chair(place, guest) for place in seats),
            deal=self.deal_facts(self.is_over and not self.is_sealed),
            clock=terms.clock,
            calm=self.pace.is_calm if terms.has_races else None,
            rated=terms.counts,
            listed=terms.listed,
            host=terms.host == guest,
            host_seat=seats.of(terms.host),
            seat=viewer,
            until=0.0 if covered else self.until(viewer),
            acts=acts,
            seq=self.number_shown(viewer),
            made=terms.made,
            moved=covered.shown if covered else self.moved,
            rematch=self.rematch,
            origin=terms.origin[:2] if terms.origin else None,
            daily=terms.daily.facts if terms.daily else None,
            evening=terms.evening or "",
            watchers=sum(connection.seat == SPECTATOR for connection in connections),
            score=tuple((seats.of(guest), wins) for guest, wins in self.wins.items()),
            won=not self.is_over or self.has_winner,
            readable_only=self.unreadable,
            trouble=self.audience.trouble or self.home.house.notice,
        )

    @property
    def has_winner(self) -> bool:
        """Whether the finished game has a winner: false if all seats share first place. A single player always
        counts as a winner."""
        players, places = len(self.seats), self.sitting.state.ranks if self.sitting else self.places
        return players == 1 or places.count(1) < players

    def until(self, seat: int) -> float:
        """Return the deadline of a seat's move as a Unix time, or 0 if no time is running."""
        deadline = self.pace.clocks.deadlines.get(seat)
        runs = deadline and self.running and not self.is_paused
        return time.time() + deadline - self.pace.now() if deadline and runs else 0.0

    def chair(self, place: Place, guest: str) -> m.Chair:
        is_told = self.terms.is_over_days and self.seats.of(guest) >= 0
        return m.Chair(
            seat=place.seat,
            name=place.shown,
            plays=place.plays.partition(":")[0],
            taken=not place.is_free,
            here=self.audience.is_here(place),
            stand_in=place.stand_in,
            you=place.guest == guest,
            ready=place.seat in self.seats.ready,
            hash=place.hash or "",
            asked=place.is_unbound,
            shown=bool(place.hash and place.nonce and not place.withheld),
            late=place.seat in self.seats.late,
            grace=self.grace(place),
            calm=place.calm and place.guest == guest,
            away=self.home.house.away(place.guest)[0] if is_told else 0.0,
        )

    def covered(self, viewer: int) -> Covering | None:
        """Return the window's state that a viewer is shown instead of the current state, or None."""
        return self.pace.windows.covers(self.sitting, viewer) if self.sitting else None

    def deal_facts(self, over: bool) -> m.Deal:
        terms, written = self.terms, self.written
        return m.Deal(
            commitment=terms.commitment,
            stage=self.stage,
            outline=terms.unsigned_log(self.seats, self.keys).outline() if self.stage == "numbers" else "",
            attempt=self.seats.attempt,
            failed=self.seats.failed,
            waits=terms.waits,
            key=self.keys.public,
            header=written.header().decode() if written else "",
            signature=written.signed_header if written else "",
            seed=terms.seed.hex() if over else "",
            next=fairness.commitment(self.keys.next_seed(terms.id)) if over else "",
        )

    # --- scenes ---------------------------------------------------------------------------------------------

    def scene(self, viewer: int, draft: Sequence[int] = ()) -> Scene | None:
        """Return a viewer's scene, or None before the deal."""
        return self.audience.scene(self.sitting, viewer, draft) if self.sitting else None

    def tell(self, news: bool = False) -> None:
        """Send the current table to all viewers. With `news`, which is sent after an entry, viewers of an unchanged
        window are skipped."""
        if self.sitting:
            self.audience.tell(self.sitting, news)
            if self.is_over:
                self.tell_facts()

    def tell_facts(self) -> None:
        """Send all viewers the public facts of the table, without its cards."""
        self.audience.tell_facts(self.facts)

    def be_in_trouble(self, trouble: str) -> None:
        """Report a problem, or the end of one, to all viewers. After a failed save, the status is saved repeatedly
        until the room can save again."""
        if trouble == CANNOT_SAVE:
            self.owe("recovery", self.recover)
        if self.audience.trouble != trouble:
            self.audience.trouble = trouble
            try:
                self.tell_facts()
                self.tell()
            except Exception:
                log.exception("table %s cannot be shown", self.id)

    def has_saved(self) -> None:
        """Report the end of a problem to all viewers, unless the room still cannot save: the success of one save does
        not mean that every other succeeds."""
        if self.audience.trouble and not (self.audience.trouble == CANNOT_SAVE and self.store.failing):
            self.be_in_trouble("")

    async def recover(self) -> None:
        """Save the status. Raises NotSaved if that fails, or if the room still cannot save."""
        await self.keep_status()
        if self.store.failing:
            raise NotSaved(CANNOT_SAVE)

    # --- automatic changes ----------------------------------------------------------------------------------

    def wake(self) -> None:
        """Start the driver if bots or clocks are active, or if a save must be retried."""
        self.pace.stand_still(self.is_paused)
        self.driver.wake(self)

    def look_at_presence(self) -> None:
        """Pause the table if the only person who plays has gone, or let it go on if they are back. Tell the others if a
        player they wait for has gone or come back."""
        changed, self.was_here = self.was_here ^ self.audience.here, self.audience.here
        turns = self.pace.is_still != self.is_paused
        if turns:
            self.wake()
        sitting = self.sitting
        awaited = self.running is not None and any(changed >> seat & 1 for seat in self.running.state.to_act)
        if sitting is None or not (turns or awaited):
            return
        for viewer in (SPECTATOR, *range(len(self.seats))):
            came = viewer != SPECTATOR and changed >> viewer & 1
            if not came and (turns or not self.covered(viewer)):
                self.audience.tell(sitting, only=viewer)

    async def keep_rest(self) -> None:
        """Save the time that is left on the clocks of a paused table. Raises NotSaved if that fails."""
        sitting = self.running
        rest = self.pace.rest(sitting) if sitting and self.pace.is_still else None
        if rest and rest != self.rest:
            await self.write(lambda c: keep_values(c, self.id, rest=rest))
            self.rest = rest

    # --- a clock in days ------------------------------------------------------------------------------------

    def ends(self) -> dict[int, float]:
        """Return the Unix times at which turns end, by seat, if the table has a clock in days."""
        runs = self.terms.is_over_days and self.running and not self.pace.is_still
        return {seat: self.until(seat) for seat in self.pace.clocks.deadlines} if runs else {}

    @property
    def next_due(self) -> float | None:
        """The Unix time at which a table with a clock in days must be in memory next, because a guest is to be reminded
        or a turn ends, or None."""
        early, soon = time_to_warn(self.terms.clock), time.time() + SOON
        return min((when - early * (when - early > soon) for when in self.ends().values()), default=None)

    @property
    def must_keep_due(self) -> bool:
        """True if the stored due time is out of date."""
        return abs((self.next_due or 0.0) - (self.due or 0.0)) > 1

    async def keep_due(self) -> None:
        """Save when the table is due next, and notices that remind those whose turns end soon. Raises NotSaved if that
        fails."""
        async with self.lock:
            due, ends, early = self.next_due, self.ends(), time_to_warn(self.terms.clock)
            late = [seat for seat, when in ends.items() if SOON < when - time.time() <= early + SOON]

            def keep(connection: sa.Connection) -> None:
                keep_values(connection, self.id, due=due)
                for seat in late:
                    keep_notice(connection, self.id, self.seats[seat].guest, self.own_last(seat), "reminder")

            await self.write(keep)
            self.due = due

    def own_last(self, seat: int) -> int:
        """Return the number of moves made up to a seat's last one."""
        moves = self.sitting.log.moves if self.sitting else ()
        return max((number for number, move in enumerate(moves, 1) if move.seat == seat), default=0)

    def note_vacations(self) -> None:
        """Let the clocks in days of those stand still who are away now."""
        if self.terms.is_over_days:
            now, begins = time.time(), self.pace.now()
            untils = {place.seat: self.home.house.away(place.guest)[0] for place in self.seats}
            self.pace.clocks.be_away({seat: begins + until - now for seat, until in untils.items() if until}, begins)

    def pass_vacations(self, when: float) -> None:
        """Let the clocks stand still in the vacations that began before a Unix time, during a replay."""
        while self.vacations and self.vacations[0][0] <= when:
            since, until, seat = self.vacations.pop(0)
            self.pace.clocks.be_away({**self.pace.clocks.away, seat: until}, since)

    def owe(self, what: str, save: Saving) -> None:
        """Retry a failed save later. `what` is the name of the pending save."""
        self.driver.owed.setdefault(what, save)
        self.wake()

    # --- storage --------------------------------------------------------------------------------------------

    async def check_owner(self) -> None:
        """Raise NotOwner if another process may own the table now, or NotSaved if that cannot be found out."""
        await self.store.check(self.tenure)

    @property
    def is_owned(self) -> bool:
        """Whether no other process can own the table now."""
        return self.store.owns(self.tenure)

    def note_here(self) -> None:
        """Note for other processes which guests are connected."""
        self.store.note_here(self.tenure, self.audience.here)

    async def write(self, work: Work) -> None:
        """Write to the database. Raises NotSaved if that fails, or NotOwner if this process does not own the table."""
        with self.saving():
            await self.store.write(work, self.tenure)

    @contextlib.contextmanager
    def saving(self) -> Iterator[None]:
        """Report to all viewers if a write inside the context fails, and if saving works again."""
        try:
            yield
        except NotOwner:
            raise
        except NotSaved:
            self.be_in_trouble(CANNOT_SAVE)
            raise
        if self.audience.trouble == CANNOT_SAVE:
            self.has_saved()

    @contextlib.asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """Hold the lock while seats, or requests for a rematch, are changed. If the context raises an exception, such
        as NotSaved, the seats are restored."""
        async with self.lock:
            await self.check_owner()
            try:
                with self.seats.unless_it_fails():
                    yield
            except BaseException as problem:
                self.audience.reseat()
                if isinstance(problem, NotSaved):
                    self.tell_facts()
                raise

    async def keep_places(self, **values: Any) -> None:
        """Save the seats and, in the same transaction, other `values` of the table. Raises NotSaved if that fails."""
        rows = place_rows(self.id, self.seats)
        await self.write(lambda c: keep_places(c, self.id, rows, **values))

    async def keep_status(self) -> None:
        """Save the status of the table as it is shown, and its result, which changes the score and the ratings. Raises
        NotSaved if that fails."""
        values: dict[str, Any] = {"status": self.shown_status, "rematch": self.rematch or None, "moved": self.moved}
        ended = self.sitting if self.is_over else None
        if ended:
            values |= {"result": list(ended.state.scores), "places": list(ended.state.ranks)}

        def keep(connection: sa.Connection) -> None:
            keep_values(connection, self.id, **values)
            if ended and self.terms.counts:
                rate(connection, self.terms.game, self.moved)

        await self.write(keep)
        if self.is_over:
            await self.read_score()

    async def keep_end(self) -> None:
        """Save the status of a finished game, and send the score to all viewers. Raises NotSaved if that fails."""
        await self.keep_status()
        self.tell_facts()

    async def read_score(self) -> None:
        """Read the score between the people here. Nothing is shown before all seats are taken, after a guest has
        deleted their data, or if the database cannot be read."""
        seated = [place for place in self.seats if place.plays == PERSON]
        people = {place.guest: place.name for place in seated if place.guest}
        wins: dict[str, int] = {}
        if 1 < len(people) == len(seated):
            with contextlib.suppress(NotSaved):
                wins = await self.store.read(lambda c: score_of(c, self.terms.game, people))
        self.wins = wins

    async def keep_line(self, said: m.Said, client: str = "") -> None:
        """Save a line of chat. Raises NotSaved if that fails."""
        row = msgspec.structs.asdict(said) | {"table": self.id, "client": client}
        most = self.home.limits.settings.chat_lines
        await self.write(lambda c: keep_line(c, row, most))

    # --- the deal, and loading ------------------------------------------------------------------------------

    def dealt(self) -> Sitting:
        """Return a new sitting of this table, directly after the deal."""
        header = self.terms.empty_log(self.seats, self.keys)
        return Sitting(table_of(header), header, self.terms.seed)

    def deal(self, sitting: Sitting) -> None:
        """Start the game with a sitting. The header is fixed from now on."""
        self.sitting = sitting
        self.status = "running"
        self.pace.seat_bots(sitting)
        self.pace.look_at_wishes(sitting)
        self.note_acting()

    def replay(self, rows: Sequence[Entry]) -> None:
        """Rebuild the game from its entries. The clocks are set from the times of the entries. Raises FairdealError if
        the entries cannot be replayed."""
        began = min([self.moved, *(row.at for row in rows[:1])])
        sitting, pace = self.dealt(), self.pace
        self.deal(sitting)
        self.pass_vacations(began)
        pace.start_clocks(sitting, began)
        for row in rows:
            _, seat, text, client, _, at = row[:6]
            self.pass_vacations(at)
            if count := taken_back(text):
                sitting.take_back(count)
                pace.taken_back(sitting, count, at)
            else:
                sitting.repeat(row.move)
                pace.moved(sitting, seat, at)
            if (seat, text) == (HOUSE, CLOCK):
                pace.round_clock.deadline = None
            pace.start_clocks(sitting, at)
            if not sitting.log.entries[-1].hidden:
                self.moved = at
            self.remember(client, sitting.log.number_for(seat))
        if sitting.over:
            self.status = "over"
            sign_end(sitting.log, self.keys)
        self.pass_vacations(time.time())
        pace.read_again(sitting, self.rest)
        pace.seat_bots(sitting)
        self.acting_since.clear()
        self.note_acting()

    def keep_readable(self, rows: Sequence[Entry], result: Sequence[int] | None, why: str) -> None:
        """Make the log readable without a sitting, because the current rules cannot replay the entries for the reason
        `why`."""
        written, seed = self.terms.empty_log(self.seats, self.keys), self.terms.seed
        for row in rows:
            move = row.move
            if row.hidden is not None:
                salt = fairness.entry_salt(seed, row.number)
                move = replace(move, salt=salt, hidden=row.hidden.endswith(HIDDEN))
            if taken_back(row.text) <= len(written.moves):
                written.add(move)
        if self.status == "over":
            written.seed, written.result = self.terms.seed, tuple(result or ())
            sign_end(written, self.keys)
        self.sitting, self.unreadable, self.old_log = None, why, written

    def take_over(self, kept: LiveTable) -> None:
        """Take over the state of `kept`, which was reloaded from the database."""
        self.seats.places, self.seats.attempt = kept.seats.places, kept.seats.attempt
        self.seats.failed = kept.seats.failed
        self.pace.take_over(kept.pace)
        self.status, self.rematch, self.moved, self.rest = kept.status, kept.rematch, kept.moved, kept.rest
        self.wins, self.due = kept.wins, kept.due
        self.sitting, self.unreadable, self.old_log = kept.sitting, kept.unreadable, kept.old_log
        self.clients, self.acting_since = kept.clients, kept.acting_since
        self.in_doubt = False
        self.audience.reseat()
        self.tell_facts()
        self.tell()
        self.wake()

    def be_cleared(self) -> None:
        """Stop the game after the table was deleted, and drop all pending saves. The caller must hold the lock."""
        self.status, self.sitting, self.old_log = CLEARED, None, None
        self.pace.windows.moments.clear()
        self.driver.owed.clear()
        self.wake()

    def be_dropped(self) -> None:
        """Stop everything here after another process took the table over, and let all clients connect again."""
        self.driver.stop()
        if self.waiting:
            self.waiting.cancel()
        self.audience.hang_up()

    # --- moves ----------------------------------------------------------------------------------------------

    async def enter(
        self,
        seat: int,
        move: str | Sequence[int],
        client: str = "",
        kept: Callable[[], None] | None = None,
        by: str = PERSON,
        made_at: float | None = None,
    ) -> None:
        """Play a complete move, in notation or as actions: check it, save it, apply it, call `kept`, and send it to all
        viewers. `by` is the author: a person or the name of a bot. `made_at` is the time at which the move was made
        (default: now). The caller must hold the lock.

        Raises IllegalMove, NotSaved or NumberTaken, and leaves the game unchanged.
        """
        sitting = self.running
        if sitting is None:
            raise IllegalMove("", "the game is not running")
        since = self.pace.now() if made_at is None else made_at
        actions, text, after = sitting.state.attempt(seat, move)
        made = sitting.salted(Move(seat, text, self.author(seat, by), actions=actions))
        saved_at = await self.commit(made, client, acts_of(after))
        before = sitting.state
        sitting.go_on(made, after)
        self.pace.entered(sitting, before, seat, actions, since)
        if not made.hidden:
            self.moved = saved_at
        self.pace.moved(sitting, seat)
        self.acting_since.pop(seat, None)
        self.store.meter.moved(self.terms.game, "person" if by == PERSON else "bot")
        if kept:
            kept()
            if not self.store.is_crowded:  # or response and scene go out in one write
                await asyncio.sleep(0)  # send the response before the scenes are drawn
        if sitting.over:
            self.status = "over"
            sign_end(sitting.log, self.keys)
            with contextlib.suppress(NotSaved):  # saved later: the entries show that the game is over
                await self.keep_status()
        self.after_entry()

    def author(self, seat: int, by: str) -> str:
        """Return the author of a move as in the log: an empty string for the seat's own player."""
        if seat == HOUSE:
            return ""
        if by == PERSON and self.seats[seat].successor:
            return ANOTHER
        return "" if by == self.seats[seat].plays else by

    async def take_back(self, seat: int, client: str, count: int) -> None:
        """Undo the last `count` moves, the first of which must be this seat's. The caller must hold the lock. Raises
        NotSaved or NumberTaken, and changes nothing."""
        sitting = self.sitting
        assert sitting is not None
        acts = acts_of(sitting.state_at(sitting.moves_made - count))
        await self.commit(sitting.salted(Move(seat, taking_back(count))), client, acts)
        sitting.take_back(count)
        self.pace.taken_back(sitting, count)
        self.acting_since.clear()
        self.after_entry()

    async def commit(self, entry: Move, client: str, acts: int | None) -> float:
        """Save an entry, as `Sitting.salted` returns it, and return its time. Raises NotSaved if that fails, or
        NumberTaken if another process has saved an entry with the same number. Raises InDoubt if it may have been
        saved, and until the table has been reloaded."""
        assert self.sitting is not None
        if self.in_doubt:
            await self.settle()
            raise NumberTaken(MOVED_ON)
        number, written = self.number + 1, self.sitting.log
        hidden = [count + (entry.hidden and entry.seat == seat) for seat, count in enumerate(written.hidden_by_seat())]
        row = Entry.of(number, entry, time.time(), client, acts, hidden)
        try:
            with self.saving():
                await self.store.append(self.tenure, table=self.id, **row._asdict())
        except InDoubt:
            self.in_doubt = True
            self.owe("entries", self.settle)
            raise
        except NumberTaken:
            log.warning("table %s has an unknown entry %s; reloading the table", self.id, number)
            await self.home.read_again(self)
            raise
        self.has_saved()
        self.remember(client, self.number_for(entry.seat) + 1)
        return row.at

    async def settle(self) -> None:
        """Reload the table if the database may have an entry that the log lacks. Raises InDoubt if that fails."""
        try:
            if self.in_doubt:
                await self.keep_status()  # over a new connection, for which the broken one has to end
                await self.home.read_again(self)
                self.owe("status", self.keep_end)  # the entry may have ended the game
        except NotSaved as problem:
            raise InDoubt(str(problem)) from None

    def remember(self, client: str, number: int) -> None:
        """Save the id of the request that produced entry `number`, as its seat counts entries."""
        if client:
            own = self.clients.setdefault(client.partition(":")[0], {})
            own[client] = number
            for known, most in ((own, KNOWN_CLIENTS), (self.clients, KNOWN_GUESTS)):
                while len(known) > most:
                    del known[next(iter(known))]

    def done(self, client: str) -> int | None:
        """Return the number of the entry produced by a request, as its seat counts entries, or None if it is
        unknown."""
        return self.clients.get(client.partition(":")[0], {}).get(client)

    def is_current(self, seat: int, seq: int) -> bool:
        """Return whether a request made at entry `seq` is up to date. If several seats act at once, moves made by
        others since then do not make it outdated."""
        number = self.number_for(seat)
        return seq == number or self.acting_since.get(seat, number) <= seq < number

    def note_acting(self) -> None:
        """Record the current entry for each seat that has just become able to act."""
        acting = self.sitting.state.to_act if self.sitting else ()
        self.acting_since = {seat: self.acting_since.get(seat, self.number_for(seat)) for seat in acting}

    def after_entry(self) -> None:
        """Update clocks, bots and viewers after an entry."""
        assert self.sitting is not None
        self.note_acting()
        self.pace.start_clocks(self.sitting)
        self.wake()
        self.tell(news=True)
        self.home.turned(self)

    def go_at(self, speed: str, seat: int) -> None:
        """Set the speed of the bots for a seat. Raises FairdealError if, as far as the seat has been shown, another
        person is still playing."""
        scene = self.scene(seat)
        out = {one.seat for one in scene.seats if one.state == "out"} if scene else set()
        if any(place.guest and place.seat not in {seat, *out} for place in self.seats):
            raise FairdealError("you can set the speed only if all others who still play are bots")
        self.pace.go_at(speed)
        self.pace.reflexes.due.clear()
        self.wake()

    async def wish_for_calm(self, place: Place, on: bool) -> None:
        """Set whether a guest asks for calm races. It must be called within `changing`. Raises NotSaved if the change
        cannot be saved."""
        if place.calm == on:
            return
        place.calm = on
        await self.keep_places()
        if self.sitting:
            self.pace.look_at_wishes(self.sitting)
        self.tell()
        self.tell_facts()
        self.wake()

    def offer_undo(self) -> None:
        """Delay the next bot until a person who plays only against bots has had time to undo a move."""
        if self.running and self.pace.hold(self.running):
            self.wake()

    def look_at_windows(self) -> None:
        """Send the next state to viewers once a window has been shown for long enough."""
        if self.sitting and self.pace.windows.drop_shown(self.sitting, self.pace.now()):
            if self.is_over:
                self.owe("status", self.keep_end)
            self.tell()
            self.home.turned(self)

    def pass_ahead(self, seat: int, seq: int, choice: int, client: str) -> Covering:
        """Let a seat pass in the window with this choice at entry `seq`, whether or not it is asked, without notifying
        anyone else. Return the state that is shown. Raises IllegalMove if the window is over or the seat may not
        pass."""
        sitting, shown = self.sitting, self.pace.windows.moments
        if sitting is None or not shown or (shown[0].choice, shown[0].number[seat]) != (choice, seq):
            raise IllegalMove("", ENDED)
        if not self.pace.windows.may_pass(seat):
            raise IllegalMove("", NOT_YET)
        moment = shown[0]
        self.remember(client, moment.number[seat])
        self.pace.passes(sitting, seat)
        self.audience.tell(sitting, only=seat)
        self.wake()
        return moment

    async def pass_on(self) -> None:
        """Make the moves of seats that passed in advance, as soon as they are asked."""
        async with self.lock:
            while (sitting := self.running) and (found := self.pace.passing(sitting)):
                seat, made_at = found
                await self.enter(seat, PASS, made_at=made_at)

    async def set_stand_in(self, place: Place, on: bool) -> None:
        """Start or stop a bot that plays for a guest. The caller must hold the lock. If the change cannot be saved,
        raises NotSaved and changes nothing. However, a returning guest always gets the seat immediately, and the change
        is saved later."""
        if place.is_for_bot or place.stand_in == on or self.sitting is None:
            return
        place.stand_in = on
        try:
            await self.keep_places()
        except NotSaved:
            if on:
                place.stand_in = False
                raise
            self.owe("places", self.keep_places)
        self.pace.seat_bots(self.sitting)
        self.pace.look_at_wishes(self.sitting)
        self.pace.hurry(self.sitting, self.pace.now())
        self.tell()
        self.tell_facts()
        self.wake()
