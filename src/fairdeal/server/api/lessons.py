"""Lessons in the room. Each lesson has one guest and one connection, and is not stored. The messages are those of a
table."""

import asyncio
import contextlib
import time

from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.scene import Scene
from fairdeal.protocol import messages as m
from fairdeal.server.room import Room
from fairdeal.server.storage.store import MOVED_ON
from fairdeal.server.tables.audience import Connection, lines, lines_of
from fairdeal.table.lessons import LEARNER, Taught, offer_after

CALM = 2
"""Pause before a rival's move, in multiples of a bot's pause at a table."""

NOT_HERE = "this is a lesson: it has no hints, no undo and no other people"


def facts_of(taught: Taught) -> m.Facts:
    """Return the facts of a lesson in the format used for tables."""
    script, sitting = taught.script, taught.sitting
    chairs = [
        m.Chair(seat=seat, name=player.name, plays=player.plays, taken=True, here=True, you=seat == LEARNER)
        for seat, player in enumerate(sitting.log.players)
    ]
    return m.Facts(
        id=f"{script.game}-{script.name}",
        game=script.game,
        title=sitting.table.game.title,
        name=script.title,
        status="running",
        options={},
        chairs=tuple(chairs),
        deal=m.Deal(commitment=""),
        listed=False,
        seat=LEARNER,
        lesson=script.name,
        next_lesson=offer_after(sitting.table.game, script.name),
    )


class Lesson:
    """A lesson over a connection. `told` is the number of moves whose log lines have been sent."""

    def __init__(self, room: Room, name: str, taught: Taught, connection: Connection) -> None:
        self.room, self.name, self.taught, self.connection = room, name, taught, connection
        self.told = 0
        self.news = asyncio.Event()

    # --- messages -------------------------------------------------------------------------------------------

    def welcome(self) -> None:
        """Send the complete lesson to a new connection."""
        self.told = 0
        facts, scene = facts_of(self.taught), self.scene()
        self.connection.send(
            m.Welcome(
                facts=facts,
                scene=scene,
                log=self.moves(),
                now=time.time(),
                protocol=m.PROTOCOL,
                pause=self.room.pause,
            )
        )

    def moves(self) -> tuple[m.Told, ...]:
        """Return the log lines of the moves made since the last call."""
        first, self.told = self.told + 1, self.taught.sitting.moves_made
        return tuple(
            line
            for number in range(first, self.told + 1)
            for line in lines_of(number, lines(self.taught.sitting.events_of(number, LEARNER)))
        )

    def tell(self) -> None:
        self.connection.send(m.Shown(scene=self.scene(), log=self.moves()))

    def scene(self, viewer: int = LEARNER) -> Scene:
        """Return the scene that the learner sees."""
        return self.taught.scene()

    # --- the course of the lesson ---------------------------------------------------------------------------

    async def go_on(self) -> None:
        """Make the moves of the rivals when they are due, until cancelled."""
        while True:
            self.news.clear()
            now = self.room.now()
            due = self.taught.due(CALM * self.room.pause, now)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.news.wait(), None if due is None else max(0.0, due - now))
                continue
            self.taught.go_on()
            self.tell()

    def refuse(self, request: m.Requests) -> None:
        """Raise FairdealError if lessons do not support the request."""
        raise FairdealError(NOT_HERE)

    def draft(self, request: m.Draft) -> m.Shown:
        return m.Shown(scene=self.taught.scene(request.draft), id=request.id)

    def ping(self, request: m.Ping) -> m.Done:
        return m.Done(id=request.id, seq=self.taught.number, now=time.time())

    def hint(self, request: m.Hint) -> m.Answer:
        if self.taught.free:
            raise FairdealError(NOT_HERE)
        choices = tuple(choice.id for choice in self.taught.offered(()))
        return m.Answer(id=request.id, text=self.taught.asks, choices=choices)

    def why(self, request: m.Why) -> m.Answer:
        text, clause = self.taught.why(request.draft, request.card)
        return m.Answer(id=request.id, text=text, clause=clause)

    def pick(self, request: m.Pick) -> m.Shown | None:
        """Carry out a choice of the learner, which is a move or a part of one. Raises IllegalMove if the choice is not
        offered."""
        taught = self.taught
        if request.seq != taught.number:
            raise IllegalMove("", MOVED_ON)
        sitting = taught.sitting
        draft = taught.pick(request.draft, request.choice)
        if draft:
            return m.Shown(scene=taught.scene(draft), id=request.id)
        self.connection.send(m.Done(id=request.id, seq=taught.number))
        if taught.sitting is sitting:
            self.tell()
        else:  # back at an earlier step
            self.welcome()
        self.news.set()
        return None
