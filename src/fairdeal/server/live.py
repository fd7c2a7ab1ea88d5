"""A table that is being played: one sitting, its chairs, and the connections that look on.

Every change goes through `enter`: it is checked, added to the log, committed, and only then carried out and told.
The lock makes all of it one step, so nobody sees a move that is not kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fairdeal.bots.bots import Bot, ask, find_bot
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.scene import Clock, Scene, Seat
from fairdeal.server import messages as m
from fairdeal.table import fairness
from fairdeal.table.clocks import Reflexes, RoundClock
from fairdeal.table.log import Log, Move, Player
from fairdeal.table.sitting import PERSON, Sitting

UNDO = "undo"

LONGEST_DRAFT = 40
MOST_SCENES = 12
"""Scenes of one moment that are kept: those of the viewers, and of the draft that somebody is making."""

KNOWN_CLIENTS = 64
"""Ids of the last requests that are known again."""


def in_short(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as they are told to everybody all the time: what came as a file is only named."""
    return {name: "your own" if isinstance(value, Mapping) else value for name, value in options.items()}


@dataclass
class Place:
    """A seat: its name and nonce as in the log, who sits there, and whether a bot plays for him now."""

    seat: int
    name: str = ""
    plays: str = PERSON
    guest: str | None = None
    nonce: str = ""
    stand_in: bool = False


@dataclass
class Connection:
    """Somebody who looks on, from a seat or without one."""

    guest: str
    seat: int
    write: Callable[[str], None]

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
    finish: Callable[[LiveTable], Awaitable[None]]
    turned: Callable[[LiveTable], None]
    options: dict[str, Any] = field(default_factory=dict)
    rules_version: int = 1
    title: str = ""
    clock: int = 0
    listed: bool = True
    status: str = "open"
    made: float = 0.0
    moved: float = 0.0
    rematch: str = ""
    origin: tuple[str, int] | None = None
    pause: float = 0.7
    sitting: Sitting | None = None
    unreadable: str = ""
    old_log: Log | None = None
    number: int = 0
    chat: list[m.Said] = field(default_factory=list)
    ready: dict[int, str] = field(default_factory=dict)
    next_seed: bytes = field(default_factory=fairness.new_seed)

    def __post_init__(self) -> None:
        self.lock = asyncio.Lock()
        self.scenes: dict[tuple[int, tuple[int, ...]], Scene] = {}
        self.drawn_at = -1
        self.connections: list[Connection] = []
        self.clients: dict[str, int] = {}
        self.bots: dict[int, Bot] = {}
        self.deadlines: dict[int, float] = {}
        self.round_clock = RoundClock()
        self.reflexes = Reflexes()
        self.acting_since: dict[int, int] = {}
        self.news = asyncio.Event()
        self.driver: asyncio.Task[None] | None = None

    # --- facts ----------------------------------------------------------------------------------------------

    def seat_of(self, guest: str) -> int:
        return next((place.seat for place in self.places if place.guest == guest), SPECTATOR)

    def facts(self, guest: str) -> m.Facts:
        """The table as this guest is told of it, without its cards."""
        seated = {connection.seat for connection in self.connections}
        sitting = self.sitting
        log = sitting.log if sitting else self.old_log
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
                )
                for place in self.places
            ),
            deal=m.Deal(
                commitment=fairness.commitment(self.seed),
                header=log.header().decode() if log else "",
                seed=self.seed.hex() if over else "",
                next=fairness.commitment(self.next_seed) if over else "",
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
            origin=self.origin,
            watchers=sum(connection.seat == SPECTATOR for connection in self.connections),
            readable_only=self.unreadable,
        )

    def scene(self, viewer: int, draft: Sequence[int] = ()) -> Scene | None:
        """What a viewer sees, with what only the room knows: who is away, the clocks, the number of the entry."""
        if self.sitting is None:
            return None
        scene = self.drawn(viewer, tuple(draft))
        prompt = scene.prompt
        deadline = self.deadlines.get(viewer) or self.round_clock.deadline
        if prompt and deadline and prompt.mode in ("yours", "together"):
            prompt = msgspec.structs.replace(prompt, until=deadline)
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
        deadline = self.deadlines.get(seat.seat)
        clock = Clock(max(0.0, deadline - time.time()), self.clock, runs=True) if deadline else None
        away = place.stand_in or not self.is_here(place)
        state = "away" if away and seat.state == "here" else seat.state
        note = "away, a bot plays on" if place.stand_in else seat.note
        if state == seat.state and note == seat.note and clock is None:
            return seat
        return msgspec.structs.replace(seat, state=state, clock=clock, note=note)

    def is_here(self, place: Place) -> bool:
        return place.plays != PERSON or any(connection.seat == place.seat for connection in self.connections)

    def story(self, viewer: int, after: int = 0) -> tuple[m.Told, ...]:
        """The log in words for a viewer, from a move on."""
        if self.sitting is None:
            return ()
        return tuple(
            m.Told(number, event.seat, event.text, event.clauses)
            for number in range(after + 1, self.sitting.moves_made + 1)
            for event in self.sitting.events(number, viewer)
        )

    # --- beginning ------------------------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        return all(place.plays != PERSON or place.guest for place in self.places)

    def deal(self) -> None:
        """Seat everybody for good and deal: from here the header is fixed."""
        from fairdeal.table.sitting import table_of

        log = self.empty_log()
        self.sitting = Sitting(table_of(log), log, self.seed)
        self.status = "running"
        self.seat_bots()
        self.note_acting()

    def empty_log(self) -> Log:
        """The header, and no moves yet."""
        players = tuple(Player(place.name, place.plays, place.nonce) for place in self.places)
        return Log(self.game, self.rules_version, self.options, players, fairness.commitment(self.seed))

    def keep_readable(self, rows: Sequence[tuple[int, int, str, str]], result: Sequence[int] | None, why: str) -> None:
        """These rules do not replay the entries: nobody plays on, but the log can be read as it was written."""
        log = self.empty_log()
        for number, seat, text, _ in rows:
            self.number = number
            if text != UNDO:
                log.moves.append(Move(seat, text))
            elif log.moves:
                log.moves.pop()
        if self.status == "over":
            log.seed, log.result = self.seed, tuple(result or ())
        self.sitting, self.unreadable, self.old_log = None, why, log

    def replay(self, rows: Sequence[tuple[int, int, str, str]]) -> None:
        """Come back to life from the entries (number, seat, text, client). Raises FairdealError."""
        self.deal()
        assert self.sitting is not None
        for number, seat, text, client in rows:
            if text == UNDO:
                self.sitting.take_back()
            else:
                self.sitting.play(seat, text)
            self.number = number
            self.remember(client, number)
        if self.sitting.over:
            self.status = "over"
        self.seat_bots()
        self.acting_since.clear()
        self.note_acting()

    def seat_bots(self) -> None:
        """Bots at their own seats and for those who are away."""
        assert self.sitting is not None
        for place in self.places:
            wanted = place.plays if place.plays != PERSON else "greedy" if place.stand_in else None
            if wanted is None:
                self.bots.pop(place.seat, None)
            elif place.seat not in self.bots:
                key = fairness.chance_key(self.seed, f"bot {place.seat}".encode())
                self.bots[place.seat] = find_bot(wanted, self.sitting.table, place.seat, key)

    # --- moves ----------------------------------------------------------------------------------------------

    async def enter(
        self, seat: int, move: str | Sequence[int], client: str = "", kept: Callable[[], None] | None = None
    ) -> None:
        """Play a whole move, in notation or as actions: check it, keep it, carry it out, say so by `kept`, tell
        everybody. The lock is held.

        Raises IllegalMove."""
        sitting = self.sitting
        if sitting is None or self.status != "running":
            raise IllegalMove("", "the game does not run")
        actions, after = sitting.state.attempt(seat, move)
        text = sitting.table.game.write_move(sitting.state.record, seat, actions)
        await self.commit(seat, text, client)
        sitting.go_on(seat, actions, text, after)
        self.moved = time.time()
        self.reflexes.moved(seat)
        self.acting_since.pop(seat, None)
        if kept:
            kept()
            await asyncio.sleep(0)  # the answer is on its way before the scenes are drawn
        if sitting.over:
            self.status = "over"
            await self.finish(self)
        self.after_entry()

    async def commit(self, seat: int, text: str, client: str) -> None:
        await self.append(table=self.id, number=self.number + 1, seat=seat, text=text, client=client, at=time.time())
        self.number += 1
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
        """Tell all, set the clocks, wake the bots."""
        self.note_acting()
        self.set_clocks()
        self.tell()
        self.wake()
        self.turned(self)

    def set_clocks(self) -> None:
        """A seat's time begins when it is its turn; bots need none."""
        self.deadlines.clear()
        if self.sitting:
            self.round_clock.look(self.sitting.state, time.time())
        if self.clock and self.sitting and self.status == "running":
            for seat in self.sitting.state.to_act:
                if seat not in self.bots:
                    self.deadlines[seat] = time.time() + self.clock

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
                log = tuple(m.Told(number, event.seat, event.text, event.clauses) for event in scene.events if number)
                drawn[viewer] = m.encoded(m.Shown(scene=scene, log=log))
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
        needed = self.status == "running" and (self.bot_to_act() is not None or self.next_deadline() is not None)
        if needed and (self.driver is None or self.driver.done()):
            self.driver = asyncio.create_task(self.drive())

    def next_deadline(self) -> float | None:
        """When the next clock runs out: a seat's, or that of the round."""
        found = [*self.deadlines.values(), *([self.round_clock.deadline] if self.round_clock.deadline else [])]
        return min(found, default=None)

    def bot_to_act(self) -> int | None:
        if self.sitting is None or self.status != "running":
            return None
        return next((seat for seat in self.sitting.state.to_act if seat in self.bots), None)

    async def drive(self) -> None:
        """Move for the bots and watch the clocks, until only people without a clock are to act."""
        while self.status == "running":
            self.news.clear()
            await self.run_out()
            deadline = self.next_deadline()
            found = self.next_bot()
            if found:
                await self.let_bot_move(*found, deadline)
            elif deadline is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.news.wait(), max(0.05, deadline - time.time()))
            else:
                return

    def next_bot(self) -> tuple[float, int] | None:
        """The bot that moves next, and when."""
        if self.sitting is None or self.status != "running":
            return None
        return self.reflexes.next(self.sitting.state, self.bots, self.pause, time.monotonic())

    async def let_bot_move(self, when: float, seat: int, deadline: float | None) -> None:
        """Let a bot move when its time has come; if somebody else was quicker, or a clock, nothing is done."""
        wait = when - time.monotonic()
        clock = wait if deadline is None else deadline - time.time()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), max(0.0, min(wait, clock)))
            return
        if clock < wait:
            return
        async with self.lock:
            sitting = self.sitting
            if sitting is not None and seat in sitting.state.to_act and seat in self.bots and not self.news.is_set():
                await self.enter(seat, ask(self.bots[seat], sitting.state, seat).actions)

    async def run_out(self) -> None:
        """Whose time is over, for him the greedy bot makes this move; the time of a round is called by the house."""
        async with self.lock:
            if self.sitting is None or self.status != "running":
                return
            called = self.round_clock.time_is_over(self.sitting.state, time.time())
            late = [seat for seat, deadline in self.deadlines.items() if deadline <= time.time()]
            if called is not None:
                await self.enter(HOUSE, called)
            elif late:
                await self.enter(late[0], self.sitting.hint(late[0]).actions)

    async def set_stand_in(self, place: Place, on: bool) -> None:
        if place.plays != PERSON or place.stand_in == on or self.sitting is None:
            return
        place.stand_in = on
        await self.keep_places(self)
        self.seat_bots()
        self.set_clocks()
        self.tell()
        self.tell_facts()
        self.wake()
