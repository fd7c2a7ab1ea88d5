"""A table that is being played: one sitting, its chairs, and the connections that look on.

Every change goes through `enter`: it is checked, added to the log, committed, and only then carried out and told.
The lock makes all of it one step, so nobody sees a move that is not kept. What cannot be saved is not done: who asked
is refused, what the table does by itself is tried again, and everybody is told until saving works again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from fairdeal.bots.bots import STAND_IN, Bot, ask, find_bot
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.scene import Clock, Scene, Seat
from fairdeal.engine.state import State
from fairdeal.server import messages as m
from fairdeal.server.promises import Keys
from fairdeal.server.queries import Entry
from fairdeal.server.store import NotSaved, NumberTaken
from fairdeal.table import fairness, signatures
from fairdeal.table.clocks import CLOCK, GRACE, Reflexes, RoundClock, TurnClocks
from fairdeal.table.log import FORMAT, UNDO, Branch, Dealt, Log, Move, Player
from fairdeal.table.sitting import PERSON, Sitting, table_of

LONGEST_DRAFT = 40
MOST_SCENES = 12
"""Scenes of one moment that are kept: those of the viewers, and of the draft that somebody is making."""

KNOWN_CLIENTS = 64
"""Ids of the last requests that are known again."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds until what went wrong at a table is tried again; twice as long each time."""

CANNOT_SAVE = "The room cannot save at the moment. It tries again by itself."
STUCK = "Something went wrong in the room at this table. It tries again by itself."


log = logging.getLogger(__name__)


def in_short(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as they are told to everybody all the time: what came as a file is only named."""
    return {name: "your own" if isinstance(value, Mapping) else value for name, value in options.items()}


def acts_of(state: State) -> int | None:
    """The seats that may act in a state, as a bit set, to be kept beside its entry; None if a clock of the game's own
    runs too, for then the table goes on even if nobody acts."""
    return None if not state.over and state.game.limit(state.record) else int(state.record["to_act"])


@dataclass
class Place:
    """A seat: its name and nonce as in the log, who sits there, and whether a bot plays for them now. `hash` binds who
    sits there to the nonce: "" if they give none, None while it is asked for."""

    seat: int
    name: str = ""
    plays: str = PERSON
    guest: str | None = None
    nonce: str = ""
    stand_in: bool = False
    hash: str | None = None
    withheld: bool = False

    @property
    def is_unbound(self) -> bool:
        """Does somebody sit there who is asked for a number and not yet bound to one?"""
        return self.plays == PERSON and self.guest is not None and self.hash is None

    @property
    def is_silent(self) -> bool:
        """Is somebody who sits there bound to a number that they have not shown?"""
        return self.plays == PERSON and self.guest is not None and bool(self.hash) and not self.nonce


class Origin(NamedTuple):
    """What a table was played on from: another, after so many of its moves that stand, and so many of its entries, with
    the running hash there; and the table at which the cards were dealt."""

    table: str
    move: int
    entry: int = 0
    chain: str = ""
    dealt: str = ""


@dataclass
class Connection:
    """Somebody who looks on, from a seat or without one."""

    guest: str
    seat: int
    write: Callable[[str], None]
    address: str = ""

    @property
    def whom(self) -> str:
        """Whose turn it is to be worked for: strangers of one address share it."""
        return self.guest or f"at {self.address}"

    def send(self, message: m.Message) -> None:
        self.write(m.encoded(message))


@dataclass
class LiveTable:
    """`number` counts the entries of the log, undone moves and undos among them."""

    id: str
    game: str
    name: str
    host: str
    seed: bytes
    places: list[Place]
    append: Callable[..., Awaitable[None]]
    keep_places: Callable[[LiveTable], Awaitable[None]]
    keep_status: Callable[[LiveTable], Awaitable[None]]
    read_again: Callable[[LiveTable], Awaitable[None]]
    turned: Callable[[LiveTable], None]
    now: Callable[[], float] = time.monotonic
    options: dict[str, Any] = field(default_factory=dict)
    rules_version: int = 1
    title: str = ""
    clock: int = 0
    listed: bool = True
    status: str = "open"
    made: float = 0.0
    moved: float = 0.0
    rematch: str = ""
    origin: Origin | None = None
    format: int = FORMAT
    attempt: int = 1
    waits: bool = True
    keys: Keys = field(default_factory=Keys)
    pause: float = 0.7
    sitting: Sitting | None = None
    unreadable: str = ""
    old_log: Log | None = None
    number: int = 0
    chat: list[m.Said] = field(default_factory=list)
    ready: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lock = asyncio.Lock()
        self.scenes: dict[tuple[int, tuple[int, ...]], Scene] = {}
        self.drawn_at = -1
        self.connections: list[Connection] = []
        self.clients: dict[str, int] = {}
        self.bots: dict[int, Bot] = {}
        self.clocks = TurnClocks(self.clock)
        self.away_since = dict.fromkeys(range(len(self.places)), self.now())
        self.trouble = ""
        self.owed: dict[str, Callable[[LiveTable], Awaitable[None]]] = {}
        self.round_clock = RoundClock()
        self.reflexes = Reflexes()
        self.acting_since: dict[int, int] = {}
        self.late: set[int] = set()
        self.stands = -1  # the entry that is known to have told something
        self.waiting: asyncio.Task[None] | None = None
        self.news = asyncio.Event()
        self.driver: asyncio.Task[None] | None = None

    # --- facts ----------------------------------------------------------------------------------------------

    def seat_of(self, guest: str) -> int:
        return next((place.seat for place in self.places if place.guest == guest), SPECTATOR)

    def facts(self, guest: str) -> m.Facts:
        """The table as this guest is told of it, without its cards."""
        seated = {connection.seat for connection in self.connections}
        sitting = self.sitting
        written = sitting.log if sitting else self.old_log
        over = self.status == "over"
        return m.Facts(
            id=self.id,
            game=self.game,
            title=self.title,
            name=self.name,
            status=self.status,
            options=in_short(self.options),
            chairs=tuple(
                m.Chair(
                    seat=place.seat,
                    name=place.name,
                    plays=place.plays,
                    taken=place.guest is not None or place.plays != PERSON,
                    here=place.plays != PERSON or place.seat in seated,
                    stand_in=place.stand_in,
                    you=place.guest == guest,
                    ready=place.seat in self.ready,
                    hash=place.hash or "",
                    asked=place.is_unbound,
                    shown=bool(place.hash and place.nonce and not place.withheld),
                    late=place.seat in self.late,
                    grace=self.grace(place),
                )
                for place in self.places
            ),
            deal=m.Deal(
                commitment=fairness.commitment(self.seed),
                stage=self.stage,
                outline=self.unsigned_log().outline() if self.stage == "numbers" else "",
                attempt=self.attempt,
                waits=self.waits,
                key=self.keys.public,
                header=written.header().decode() if written else "",
                signature=written.signed_header if written else "",
                seed=self.seed.hex() if over else "",
                next=fairness.commitment(self.keys.next_seed(self.id)) if over else "",
            ),
            clock=self.clock,
            listed=self.listed,
            host=self.host == guest,
            seat=self.seat_of(guest),
            acts=sitting.state.to_act if sitting and not over else (),
            seq=self.number,
            made=self.made,
            moved=self.moved,
            rematch=self.rematch,
            origin=self.origin[:2] if self.origin else None,
            watchers=sum(connection.seat == SPECTATOR for connection in self.connections),
            readable_only=self.unreadable,
            trouble=self.trouble,
        )

    def scene(self, viewer: int, draft: Sequence[int] = ()) -> Scene | None:
        """What a viewer sees, with what only the room knows: who is away, the clocks, the number of the entry, and
        whether something is wrong."""
        if self.sitting is None:
            return None
        scene = self.drawn(viewer, tuple(draft))
        prompt = scene.prompt
        deadline = self.clocks.deadlines.get(viewer) or self.round_clock.deadline
        if prompt and deadline and prompt.mode in ("yours", "together"):
            prompt = msgspec.structs.replace(prompt, until=time.time() + deadline - self.now())
        if prompt and self.trouble:
            prompt = msgspec.structs.replace(prompt, sub=self.trouble)
        seats = tuple(self.dressed(seat) for seat in scene.seats)
        return msgspec.structs.replace(scene, seq=self.number, seats=seats, prompt=prompt)

    def drawn(self, viewer: int, draft: tuple[int, ...]) -> Scene:
        """A scene of this moment, drawn once. Raises IllegalMove if the draft is not one that choices led to."""
        assert self.sitting is not None
        if self.drawn_at != self.number:
            self.drawn_at = self.number
            self.scenes.clear()
        if (viewer, draft) not in self.scenes:
            if len(draft) > LONGEST_DRAFT or (draft and not self.is_offered(viewer, draft)):
                raise IllegalMove("", "this half-made move is not possible now")
            if len(self.scenes) >= MOST_SCENES:
                self.scenes.clear()
            self.scenes[viewer, draft] = self.sitting.scene(viewer, draft)
        return self.scenes[viewer, draft]

    def is_offered(self, viewer: int, draft: tuple[int, ...]) -> bool:
        """Was the last pick of a draft among the choices before it?"""
        return any(choice.id == draft[-1] for choice in self.drawn(viewer, draft[:-1]).choices)

    def dressed(self, seat: Seat) -> Seat:
        place = self.places[seat.seat]
        deadline = None if place.stand_in else self.clocks.deadlines.get(seat.seat)
        clock = Clock(max(0.0, deadline - self.now()), self.clock, runs=True) if deadline else None
        away = place.stand_in or not self.is_here(place)
        state = "away" if away and seat.state == "here" else seat.state
        note = "away, a bot plays on" if place.stand_in else seat.note
        if state == seat.state and note == seat.note and clock is None:
            return seat
        return msgspec.structs.replace(seat, state=state, clock=clock, note=note)

    def is_here(self, place: Place) -> bool:
        return place.plays != PERSON or any(connection.seat == place.seat for connection in self.connections)

    def grace(self, place: Place) -> float:
        """Seconds for which a guest who is away may still come back before a bot can play for them."""
        if self.status != "running" or place.stand_in or self.is_here(place):
            return 0.0
        return max(0.0, self.away_since[place.seat] + GRACE - self.now())

    # --- coming, going and changing -------------------------------------------------------------------------

    def part(self, connection: Connection) -> None:
        """A connection has ended."""
        self.connections.remove(connection)
        if connection.seat >= 0:
            self.away_since[connection.seat] = self.now()

    def reseat(self) -> None:
        """Seats were taken or left: who is connected looks on from the seat that is theirs now."""
        for connection in self.connections:
            connection.seat = self.seat_of(connection.guest)

    @contextlib.asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """The lock, to change who sits where and who is ready. If that fails, as when it cannot be saved, all is as it
        was before."""
        async with self.lock:
            before = [replace(place) for place in self.places], dict(self.ready), self.attempt, self.late
            try:
                yield
            except BaseException as problem:
                self.places, self.ready, self.attempt, self.late = before
                self.reseat()
                if isinstance(problem, NotSaved):
                    self.tell_facts()
                raise

    @contextlib.contextmanager
    def saving(self) -> Iterator[None]:
        """Something is written: tell everybody if that fails, and when it works again."""
        try:
            yield
        except NotSaved:
            self.be_in_trouble(CANNOT_SAVE)
            raise
        if self.trouble == CANNOT_SAVE:
            self.be_in_trouble("")

    def be_in_trouble(self, trouble: str) -> None:
        """Tell everybody what is wrong, or that nothing is, and see to it that it is tried again. To find out when
        saving works again, the status is saved again and again."""
        if trouble == CANNOT_SAVE:
            self.owe("status", self.keep_status)
        if self.trouble != trouble:
            self.trouble = trouble
            try:
                self.tell_facts()
                self.tell()
            except Exception:
                log.exception("table %s cannot be shown", self.id)

    def owe(self, what: str, save: Callable[[LiveTable], Awaitable[None]]) -> None:
        """This could not be saved; the table does it later by itself."""
        self.owed.setdefault(what, save)
        self.news.set()
        self.see_to_driver()

    # --- beginning ------------------------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        return all(place.plays != PERSON or place.guest for place in self.places)

    @property
    def stage(self) -> str:
        """How far the deal has come: `Deal.stage`."""
        if self.status != "open":
            return "dealt"
        if not self.is_full:
            return "seats"
        return "hashes" if any(place.is_unbound for place in self.places) else "numbers"

    @property
    def silent(self) -> list[Place]:
        """The seats that the deal waits for."""
        unbound = [place for place in self.places if place.is_unbound]
        return unbound or [place for place in self.places if place.is_silent]

    @property
    def is_ready(self) -> bool:
        """Is there nothing left that the deal waits for?"""
        return self.status == "open" and self.is_full and not self.silent

    def ask_again(self) -> None:
        """Somebody has gone after numbers were shown: who comes now could choose theirs to suit them, so all are bound
        to new ones."""
        if any(place.hash and place.nonce for place in self.places):
            self.attempt += 1
            for place in self.places:
                if place.plays == PERSON:
                    place.hash, place.nonce, place.withheld = None if place.hash else place.hash, "", False
        self.late = set()

    def stop_waiting(self) -> None:
        """A seat is left: who comes next has all the time for a number."""
        if self.waiting:
            self.waiting.cancel()
            self.waiting = None

    def dealt(self) -> Sitting:
        """The sitting that this table begins with."""
        header = self.empty_log()
        return Sitting(table_of(header), header, self.seed)

    def deal(self, sitting: Sitting) -> None:
        """Seat everybody for good: from here the header is fixed."""
        self.sitting = sitting
        self.status = "running"
        self.seat_bots()
        self.note_acting()

    def unsigned_log(self) -> Log:
        """The header as far as it stands, and no moves yet."""
        players = tuple(
            Player(place.name, place.plays, place.nonce, place.hash or "", place.withheld) for place in self.places
        )
        header = Log(
            self.game, self.rules_version, self.options, players, fairness.commitment(self.seed), format=self.format
        )
        if self.format > 1:
            at = self.origin.dealt if self.origin else self.id
            header.room = Dealt(self.keys.public, at, self.attempt, self.waits)
            header.branch = Branch(self.id, self.origin.entry, self.origin.chain) if self.origin else None
        return header

    def empty_log(self) -> Log:
        """The header with the room's signature, and no moves yet."""
        header = self.unsigned_log()
        if self.format > 1:
            header.signed_header = signatures.sign(self.keys.signing, signatures.HEADER, header.header_chain())
        return header

    def sign_end(self, written: Log) -> None:
        if self.format > 1:
            written.signed_end = signatures.sign(self.keys.signing, signatures.END, written.end_chain())

    @property
    def chain(self) -> str:
        """The running hash of the log as it is now; none where an older fairdeal dealt."""
        return self.sitting.log.chain() if self.sitting and self.format > 1 else ""

    def keep_readable(self, rows: Sequence[Entry], result: Sequence[int] | None, why: str) -> None:
        """These rules do not replay the entries: nobody plays on, but the log can be read as it was written."""
        written = self.empty_log()
        for row in rows:
            self.number = row.number
            if row.text != UNDO or written.moves:
                written.add(Move(row.seat, row.text, row.by))
        if self.status == "over":
            written.seed, written.result = self.seed, tuple(result or ())
            self.sign_end(written)
        self.sitting, self.unreadable, self.old_log = None, why, written

    def replay(self, rows: Sequence[Entry]) -> None:
        """Come back to life from the entries; what is left of the clocks follows from their times. Raises
        FairdealError."""
        began = min([self.moved, *(row.at for row in rows[:1])])
        self.deal(self.dealt())
        assert self.sitting is not None
        self.set_clocks(began)
        for number, seat, text, client, by, at, _ in rows:
            if text == UNDO:
                self.sitting.take_back()
                self.clocks.taken_back(self.people_to_act, at)
            else:
                self.sitting.play(seat, text, by)
                self.clocks.moved(seat, self.people_to_act, at)
            if (seat, text) == (HOUSE, CLOCK):
                self.round_clock.deadline = None
            self.set_clocks(at)
            self.number, self.moved = number, at
            self.remember(client, number)
        if self.sitting.over:
            self.status = "over"
            self.sign_end(self.sitting.log)
        self.clocks.read_again(time.time(), self.now())
        self.round_clock.read_again(time.time(), self.now(), self.sitting.state)
        self.seat_bots()
        self.acting_since.clear()
        self.note_acting()

    def seat_bots(self) -> None:
        """Bots at their own seats and for those who are away."""
        assert self.sitting is not None
        for place in self.places:
            wanted = place.plays if place.plays != PERSON else STAND_IN if place.stand_in else None
            if wanted is None:
                self.bots.pop(place.seat, None)
            elif place.seat not in self.bots:
                key = fairness.bot_key(self.seed, place.seat)
                self.bots[place.seat] = find_bot(wanted, self.sitting.table, place.seat, key)

    # --- moves ----------------------------------------------------------------------------------------------

    def take_over(self, kept: LiveTable) -> None:
        """Be as this table is, which was read again from what is kept."""
        for name in (
            *("places", "status", "rematch", "moved", "sitting", "unreadable", "old_log", "number"),
            *("clients", "bots", "clocks", "round_clock", "acting_since"),
        ):
            setattr(self, name, getattr(kept, name))
        self.drawn_at = -1
        self.reseat()
        self.tell_facts()
        self.tell()
        self.wake()

    async def enter(
        self,
        seat: int,
        move: str | Sequence[int],
        client: str = "",
        kept: Callable[[], None] | None = None,
        by: str = PERSON,
    ) -> None:
        """Play a whole move, in notation or as actions: check it, keep it, carry it out, say so by `kept`, tell
        everybody. `by` is who makes it, a person or a bot's name. The lock is held.

        Raises IllegalMove, NotSaved, NumberTaken, all of which change nothing."""
        sitting = self.sitting
        if sitting is None or self.status != "running":
            raise IllegalMove("", "the game does not run")
        actions, after = sitting.state.attempt(seat, move)
        text = sitting.table.game.write_move(sitting.state.record, seat, actions)
        made = Move(seat, text, "" if seat == HOUSE or by == self.places[seat].plays else by)
        await self.commit(made, client, acts_of(after))
        sitting.go_on(made, actions, after)
        self.moved = time.time()
        self.reflexes.moved(seat)
        self.clocks.moved(seat, self.people_to_act, self.now())
        self.acting_since.pop(seat, None)
        if kept:
            kept()
            await asyncio.sleep(0)  # the answer is on its way before the scenes are drawn
        if sitting.over:
            self.status = "over"
            self.sign_end(sitting.log)
            with contextlib.suppress(NotSaved):  # it is noted later: the entries say that it is over
                await self.keep_status(self)
        self.after_entry()

    async def commit(self, entry: Move, client: str, acts: int | None = None) -> None:
        number = self.number + 1
        row = Entry(number, entry.seat, entry.text, client, entry.by, time.time(), acts)
        try:
            with self.saving():
                await self.append(table=self.id, **row._asdict())
        except NumberTaken:
            log.warning("table %s has an entry %s that the room does not know; reading it again", self.id, number)
            await self.read_again(self)
            raise
        if self.trouble:
            self.be_in_trouble("")
        self.number = number
        self.remember(client, self.number)

    def remember(self, client: str, number: int) -> None:
        if client:
            self.clients[client] = number
            while len(self.clients) > KNOWN_CLIENTS:
                del self.clients[next(iter(self.clients))]

    def is_current(self, seat: int, seq: int) -> bool:
        """Is what a seat does at this entry not outdated? Where several act at once, the moves of the others since then
        do not make it so."""
        return seq == self.number or self.acting_since.get(seat, self.number) <= seq < self.number

    def note_acting(self) -> None:
        """Since which entry every seat that may act has been able to."""
        acting = self.sitting.state.to_act if self.sitting else ()
        self.acting_since = {seat: self.acting_since.get(seat, self.number) for seat in acting}

    def after_entry(self) -> None:
        """Look at the clocks, wake the bots, tell all."""
        self.note_acting()
        self.set_clocks()
        self.wake()
        self.tell()
        self.turned(self)

    @property
    def people_to_act(self) -> list[int]:
        """Who has a clock: bots need none, but a guest for whom a bot plays keeps theirs."""
        if not self.clock or self.sitting is None or self.status != "running":
            return []
        return [seat for seat in self.sitting.state.to_act if self.places[seat].plays == PERSON]

    def set_clocks(self, now: float | None = None) -> None:
        """Begin the times of those who may act now; a time that runs goes on."""
        if self.sitting:
            seconds = self.now() if now is None else now
            self.round_clock.look(self.sitting.state, seconds)
            self.clocks.look(self.people_to_act, seconds)

    def tell(self) -> None:
        """Send everybody what he may see, each view drawn and encoded once."""
        drawn: dict[int, str] = {}
        sitting = self.sitting
        if sitting is None:
            return
        for connection in self.connections:
            viewer = connection.seat
            if viewer not in drawn:
                scene = self.scene(viewer)
                assert scene is not None
                number = sitting.moves_made
                told = tuple(m.Told(number, event.seat, event.text, event.clauses) for event in scene.events if number)
                drawn[viewer] = m.encoded(m.Shown(scene=scene, log=told, chain=self.chain))
            connection.write(drawn[viewer])
        sitting.views_before.clear()  # told; a table at rest should be small
        if self.status == "over":
            self.tell_facts()

    def tell_facts(self) -> None:
        for connection in self.connections:
            connection.send(m.Table(facts=self.facts(connection.guest)))

    # --- bots and clocks ------------------------------------------------------------------------------------

    def wake(self) -> None:
        """See to it that bots move and clocks run out."""
        self.news.set()
        self.see_to_driver()

    def see_to_driver(self) -> None:
        waits = self.status == "running" and (self.bot_to_act() is not None or self.next_deadline() is not None)
        if (waits or self.owed) and (self.driver is None or self.driver.done()):
            self.driver = asyncio.create_task(self.drive())

    def next_deadline(self) -> float | None:
        """When the next clock runs out: a seat's, or that of the round."""
        found = [*self.clocks.deadlines.values(), *([self.round_clock.deadline] if self.round_clock.deadline else [])]
        return min(found, default=None)

    def bot_to_act(self) -> int | None:
        if self.sitting is None or self.status != "running":
            return None
        return next((seat for seat in self.sitting.state.to_act if seat in self.bots), None)

    async def drive(self) -> None:
        """Do what the table does by itself, and try again whatever goes wrong: it is logged, and everybody is told."""
        pause = FIRST_PAUSE
        while True:
            number = self.number
            try:
                await self.make_up()
                await self.play_on()
                if not self.owed:
                    self.be_in_trouble("")
                    return
            except NumberTaken:
                pass  # read again already
            except NotSaved:
                self.be_in_trouble(CANNOT_SAVE)
            except Exception:
                log.exception("table %s cannot go on; trying again", self.id)
                self.be_in_trouble(STUCK)
            if self.number > number:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def make_up(self) -> None:
        """Save what could not be saved before."""
        while self.owed:
            async with self.lock:
                what = next(iter(self.owed))
                save = self.owed.pop(what)
                try:
                    await save(self)
                except BaseException:
                    self.owed.setdefault(what, save)
                    raise

    async def play_on(self) -> None:
        """Move for the bots and watch the clocks, until only people without a clock are to act or something is
        owed."""
        while self.status == "running" and not self.owed:
            self.news.clear()
            await self.run_out()
            deadline = self.next_deadline()
            found = self.next_bot()
            if found:
                await self.let_bot_move(*found, deadline)
            elif deadline is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.news.wait(), max(0.05, deadline - self.now()))
            else:
                return

    def next_bot(self) -> tuple[float, int] | None:
        """The bot that moves next, and when."""
        if self.sitting is None or self.status != "running":
            return None
        return self.reflexes.next(self.sitting.state, self.bots, self.pause, self.now())

    async def let_bot_move(self, when: float, seat: int, deadline: float | None) -> None:
        """Let a bot move when its time has come; if somebody else was quicker, or a clock, nothing is done."""
        wait = when - self.now()
        clock = wait if deadline is None else deadline - self.now()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), max(0.0, min(wait, clock)))
            return
        if clock < wait:
            return
        async with self.lock:
            sitting = self.sitting
            if sitting is not None and seat in sitting.state.to_act and seat in self.bots and not self.news.is_set():
                plays = self.places[seat].plays
                found = ask(self.bots[seat], sitting.state, seat, self.number)
                await self.enter(seat, found.actions, by=STAND_IN if plays == PERSON else plays)

    async def run_out(self) -> None:
        """Whose time is over, for them the greedy bot makes this move; the time of a round is called by the house."""
        async with self.lock:
            if self.sitting is None or self.status != "running":
                return
            deadline = self.round_clock.deadline
            called = self.round_clock.time_is_over(self.sitting.state, self.now())
            late, excused = self.clocks.late(self.now())
            if called is not None:
                try:
                    await self.enter(HOUSE, called)
                except FairdealError:
                    self.round_clock.deadline = deadline
                    raise
            elif late is not None:
                await self.enter(late, self.sitting.hint(late).actions, by=STAND_IN)
            elif excused:
                self.tell()

    async def set_stand_in(self, place: Place, on: bool) -> None:
        """Let a bot play at a guest's seat, or no longer. The lock is held. Raises NotSaved, which changes nothing; but
        who is back has the seat at once, and that is saved later."""
        if place.plays != PERSON or place.stand_in == on or self.sitting is None:
            return
        place.stand_in = on
        try:
            await self.keep_places(self)
        except NotSaved:
            if on:
                place.stand_in = False
                raise
            self.owe("places", self.keep_places)
        self.seat_bots()
        self.tell()
        self.tell_facts()
        self.wake()
