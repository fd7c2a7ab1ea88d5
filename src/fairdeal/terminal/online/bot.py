"""A bot at a room's table. It joins by link like a person, receives the information that its seat may have, responds
with moves, and prints them line by line."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from fairdeal.bots.bots import Suggestion
from fairdeal.bots.registry import find_bot, name_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Scene, as_text
from fairdeal.engine.state import Table, table_for
from fairdeal.protocol import messages as m
from fairdeal.table.names import shown
from fairdeal.terminal.online import client as v
from fairdeal.terminal.online.connection import Connection
from fairdeal.terminal.online.decorations import failures, is_with_bots

MOST_REFUSALS = 5
"""Maximum number of consecutive refused moves before the bot gives up."""

WAIT = 0.2
"""Delay, in seconds, before the bot looks at the table again after a refused move."""

Say = Callable[[str], None]


class BotVisit:
    """A bot's visit to one table, from joining to the end."""

    def __init__(self, visit: v.Visit, name: str, say: Say) -> None:
        facts = visit.facts
        if facts.seat == SPECTATOR:
            raise FairdealError(visit.note or "no seat is free at this table")
        self.visit, self.name, self.say = visit, name, say
        self.facts = facts
        self.table: Table = table_for(facts.game, facts.options)
        self.bot = find_bot(name, self.table, facts.seat, secrets.token_bytes(32))
        self.line = Connection(self.heard, self.lost, lambda *message: visit.keeper.heard(*message))
        self.tasks: set[asyncio.Task[None]] = set()
        self.asked = -1  # number of the scene for which the bot was last asked
        self.scene: Scene | None = None
        self.refusals = 0
        self.result = ""
        self.problem = ""

    async def play(self) -> None:
        """Play to the end. Raises FairdealError if the table no longer exists, or if the room refuses every move."""
        await self.line.listen(self.visit.stream, self.visit.cookie)
        for task in self.tasks:
            task.cancel()
        if not self.result:
            raise FairdealError(self.problem or "this table no longer exists")

    @property
    def goes_on(self) -> bool:
        return not (self.result or self.problem)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def lost(self) -> bool:
        if self.goes_on:
            self.say(self.line.trouble)
        self.asked = -1
        return self.goes_on

    def heard(self, text: str | bytes) -> bool:
        """Handle a message from the room, and return whether the visit continues."""
        try:
            message = self.line.decoded(text)
        except msgspec.DecodeError:
            return True
        is_new = isinstance(message, m.Done | m.Refused | m.Positioned) and bool(self.line.answered(message.id))
        match message:
            case m.Welcome():
                self.line.welcomed = True
                if message.protocol > m.PROTOCOL:
                    self.say(v.NEWER_ROOM)
                self.learn(message.facts)
            case m.Table():
                self.learn(message.facts)
            case m.Shown():
                for told in message.log:
                    self.say(f"{told.number:4} {as_text(told.text)}")
            case m.Positioned() if is_new:  # not a repeated answer after reconnecting
                self.begin(self.answer(message))
            case m.Refused() if is_new:
                self.begin(self.refused(message))
            case m.Done():
                self.refusals = 0
        if isinstance(message, m.Welcome | m.Shown | m.Refused) and message.scene:
            self.scene = message.scene
            if not isinstance(message, m.Refused):
                self.react()
        return self.goes_on

    def learn(self, facts: m.Facts) -> None:
        if len(facts.deal.failed or ()) > len(self.facts.deal.failed or ()):
            self.say(failures(facts.deal.failed or ()))
        if self.facts.status != facts.status:
            self.say({"open": "Waiting for other players.", "running": "The cards are dealt."}.get(facts.status, ""))
        self.facts = facts
        self.begin(self.follow())

    async def follow(self) -> None:
        """Send the commitment or the nonce that the deal waits for."""
        try:
            await asyncio.to_thread(self.visit.follow, self.facts)
        except FairdealError as problem:
            self.say(str(problem))
        wrong = self.visit.keeper.wrong
        if wrong:
            await self.stop(f"{wrong} Do not trust this room.")

    def react(self) -> None:
        """React to the current scene: record the result, or ask for a position if it is the bot's turn."""
        scene = self.scene
        if scene is None:
            return
        if scene.result:
            self.result = scene.result.text
        elif scene.choices and scene.prompt and scene.prompt.mode == "yours" and scene.seq != self.asked:
            self.asked = scene.seq
            self.ask(m.Position(recall=self.bot.recall))

    def ask(self, request: m.Request) -> None:
        self.begin(self.deliver(self.line.asking(request)))

    async def deliver(self, text: str) -> None:
        await self.line.send(text)

    async def answer(self, message: m.Positioned) -> None:
        """Let the bot choose a move, and play it."""
        try:
            seat = self.facts.seat
            view = self.table.setup(message.position).view(seat, self.bot.recall)
            found: Suggestion = await asyncio.to_thread(self.bot.choose, view, seat, message.seq)
            move = self.table.game.write_move(view.record, seat, found.actions)
        except FairdealError as problem:
            await self.stop(str(problem))
            return
        self.say(f"{message.seq + 1:4} {name_of(self.name)} plays {move}. {found.reason}".rstrip())
        self.ask(m.Play(seq=message.seq, move=move))

    async def refused(self, message: m.Refused) -> None:
        """Print the reason for a refused move, and look at the table again, because it may have changed."""
        self.refusals += 1
        self.say(f"     The room refuses: {message.reason}")
        if self.refusals >= MOST_REFUSALS:
            await self.stop(f"the room has refused {MOST_REFUSALS} moves in a row: {message.reason}")
            return
        asked = self.asked
        await asyncio.sleep(WAIT)
        if self.asked == asked:  # nothing has happened since
            self.asked = -1
            self.react()

    async def stop(self, problem: str) -> None:
        self.problem = problem
        await self.line.close()


def what_follows(facts: m.Facts) -> str:
    """Return what follows at a table if the bot leaves it."""
    if facts.status != "running":
        return ""
    return "; the game is paused" if is_with_bots(facts) else "; a bot of the room continues in its place"


def run(link: str, name: str | None, bot: str, say: Say) -> None:
    """Join a table and play to the end. Raises FairdealError if that is not possible."""
    with contextlib.closing(v.Visit(link)) as visit:
        visit.asks = False
        visit.come_in(name or shown(name_of(bot)))
        player = BotVisit(visit, bot, say)
        say(f"{name_of(bot)} sits at seat {player.facts.seat} of {visit.link}.")
        try:
            asyncio.run(player.play())
        finally:
            if not player.result:
                visit.leave()
                say(f"It leaves{what_follows(player.facts)}.")
        say(player.result)
        for line in visit.check()[0].plain.splitlines():
            say(line)
