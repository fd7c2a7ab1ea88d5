"""Lessons in the room: taught to one guest over one connection, and kept nowhere. The messages are those of a table."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from fairdeal.engine import compiled
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.registry import find_game
from fairdeal.protocol import messages as m
from fairdeal.server.audience import Connection, lines, lines_of
from fairdeal.server.limits import Allowance
from fairdeal.server.play import Sender, let_in, read
from fairdeal.server.room import Room
from fairdeal.server.store import MOVED_ON
from fairdeal.table.lesson import LEARNER, Taught, find_script, offer_after

CALM = 2
"""The others take so many times the pause of a bot at a table."""

NOT_HERE = "this is a lesson: there are no hints, nothing is taken back, and nobody else is here"


async def learn(socket: WebSocket) -> None:
    """A connection to a lesson. `?step=4` begins at a later step, for whoever was cut off."""
    await let_in(socket, attend)


async def attend(socket: WebSocket, room: Room, guest: str, address: str) -> None:
    """Teach somebody from welcome to goodbye."""
    game, name = socket.path_params["game"], socket.path_params["lesson"]
    step = socket.query_params.get("step", "")
    try:
        taught = Taught(find_script(game, name), int(step) - 1 if step.isdecimal() and len(step) < 3 else 0)
    except FairdealError as problem:
        await socket.accept()
        await socket.send_text(m.encoded(m.Refused(id="", reason=str(problem))))
        await socket.close(4404, "no such lesson")
        return
    if room.compiles:
        compiled.compile_in_background(find_game(game))
    await socket.accept()
    sender = Sender(socket)
    sending = asyncio.create_task(sender.run())
    lesson = Lesson(room, name, taught, Connection(guest, LEARNER, sender.put, address))
    try:
        lesson.welcome()
        await lesson.give(socket)
    finally:
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):  # gone in mid-sentence
            await sending


class Lesson:
    """A lesson over a connection. `told` counts the moves that were told."""

    def __init__(self, room: Room, name: str, taught: Taught, connection: Connection) -> None:
        self.room, self.name, self.taught, self.connection = room, name, taught, connection
        self.told = 0

    # --- telling --------------------------------------------------------------------------------------------

    def welcome(self) -> None:
        """Tell everything, from the beginning."""
        self.told = 0
        facts, scene = self.facts(), self.taught.scene()
        self.connection.send(m.Welcome(facts=facts, scene=scene, log=self.news(), now=time.time(), protocol=m.PROTOCOL))

    def facts(self) -> m.Facts:
        """The lesson as if it were a table."""
        script, sitting = self.taught.script, self.taught.sitting
        chairs = [
            m.Chair(seat=seat, name=player.name, plays=player.plays, taken=True, here=True, you=seat == LEARNER)
            for seat, player in enumerate(sitting.log.players)
        ]
        return m.Facts(
            id=f"{script.game}-{self.name}",
            game=script.game,
            title=sitting.table.game.title,
            name=script.title,
            status="running",
            options={},
            chairs=tuple(chairs),
            deal=m.Deal(commitment=""),
            listed=False,
            seat=LEARNER,
            lesson=self.name,
            next_lesson=offer_after(sitting.table.game, self.name),
        )

    def news(self) -> tuple[m.Told, ...]:
        """The moves since the last time, in words."""
        first, self.told = self.told + 1, self.taught.sitting.moves_made
        return tuple(
            line
            for number in range(first, self.told + 1)
            for line in lines_of(number, lines(self.taught.sitting.told(number, LEARNER)))
        )

    def tell(self) -> None:
        self.connection.send(m.Shown(scene=self.taught.scene(), log=self.news()))

    # --- the course of the lesson ---------------------------------------------------------------------------

    async def give(self, socket: WebSocket) -> None:
        """Answer requests, and let the others move when it is their turn."""
        requests = Allowance(200, 400)
        hearing = asyncio.create_task(socket.receive())
        try:
            while True:
                now = self.room.now()
                due = self.taught.due(CALM * self.room.pause, now)
                await asyncio.wait([hearing], timeout=None if due is None else max(0.0, due - now))
                if not hearing.done():
                    self.taught.go_on()
                    self.tell()
                    continue
                received = hearing.result()
                if received["type"] == "websocket.disconnect":
                    return
                hearing = asyncio.create_task(socket.receive())
                request = read(received.get("text") or "", self.connection)
                if request and requests.spend():
                    self.handle(request)
        finally:
            hearing.cancel()

    def handle(self, request: m.Requests) -> None:
        """Answer one request: it is carried out or refused, and told which."""
        send, taught = self.connection.send, self.taught
        try:
            self.room.limits.spend("look", self.connection.guest, self.connection.address)
            self.answer(request)
        except IllegalMove as problem:
            send(m.Refused(id=request.id, reason=problem.reason, clause=problem.clause, scene=taught.scene()))
        except FairdealError as problem:
            send(m.Refused(id=request.id, reason=str(problem), scene=taught.scene()))

    def answer(self, request: m.Requests) -> None:
        answer = ANSWERS.get(type(request))
        if not answer:
            raise FairdealError(NOT_HERE)
        answer(self, request)

    def draft(self, request: m.Draft) -> None:
        self.connection.send(m.Shown(scene=self.taught.scene(request.draft), id=request.id))

    def ping(self, request: m.Ping) -> None:
        self.connection.send(m.Done(id=request.id, seq=self.taught.number))

    def hint(self, request: m.Hint) -> None:
        if self.taught.free:
            raise FairdealError(NOT_HERE)
        choices = tuple(choice.id for choice in self.taught.offered(()))
        self.connection.send(m.Answer(id=request.id, text=self.taught.asks, choices=choices))

    def why(self, request: m.Why) -> None:
        text, clause = self.taught.why(request.draft, request.card)
        self.connection.send(m.Answer(id=request.id, text=text, clause=clause))

    def pick(self, request: m.Pick) -> None:
        """A step on, or part of one. Raises IllegalMove."""
        taught = self.taught
        if request.seq != taught.number:
            raise IllegalMove("", MOVED_ON)
        sitting = taught.sitting
        draft = taught.pick(request.draft, request.choice)
        if draft:
            self.connection.send(m.Shown(scene=taught.scene(draft), id=request.id))
            return
        self.connection.send(m.Done(id=request.id, seq=taught.number))
        if taught.sitting is sitting:
            self.tell()
        else:  # back at an earlier step
            self.welcome()


ANSWERS: dict[type[m.Request], Callable[[Lesson, Any], None]] = {
    m.Pick: Lesson.pick,
    m.Draft: Lesson.draft,
    m.Ping: Lesson.ping,
    m.Hint: Lesson.hint,
    m.Why: Lesson.why,
}
"""How each request in a lesson is answered; the others are refused."""
