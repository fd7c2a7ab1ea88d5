"""A table of a room, in the terminal: what the room says is shown, and what is picked is asked of the room.

The connection comes back by itself. What was asked and not answered is asked again under the same id, and the room does
it once. No game need be installed here, but to check the deal.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.text import Text
from textual import work
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Choice, Prompt, Scene, Seat, count_of
from fairdeal.terminal import visit as v
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.dialogs import KEYS, Ending, LeaveDialog
from fairdeal.terminal.side_panel import SidePanel, proof, told
from fairdeal.terminal.table_screen import PlayScreen
from fairdeal.terminal.table_view import TableView

FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0
"""Seconds until a lost connection is tried again; twice as long each time."""

NO_SUCH_TABLE = 4404
LARGEST_MESSAGE = 2**22

LOST = "The connection is lost; trying again. Nothing that you did is lost."
REMOTE_KEYS = (*(pair for pair in KEYS if pair[0] not in ("w", "q")), ("q", "leave; your seat is kept"))


class RemoteScreen(PlayScreen):
    """One table of a room, from coming in to the end. Gives `again` (the rematch is at `facts.rematch`) or `leave`."""

    keys = REMOTE_KEYS

    def __init__(self, visit: v.Visit) -> None:
        super().__init__(visit.catalogue)
        self.visit = visit
        self.facts = visit.facts
        self.drawn = waiting_scene(visit.facts, visit.link)
        self.lines: list[v.Told] = []
        self.asked: dict[str, tuple[str, str]] = {}
        self.client = secrets.token_hex(6)
        self.count = 0
        self.socket: ClientConnection | None = None
        self.welcomed = False
        self.gone = ""
        self.ended = False
        self.wants_rematch = False
        self.checked: tuple[Text, Sequence[str]] | None = None

    def on_mount(self) -> None:
        self.view.focus()
        self.show(self.visit.note)
        self.listen()

    async def on_unmount(self) -> None:
        if self.socket:
            await self.socket.close()

    # --- showing --------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        return self.drawn

    @property
    def over(self) -> bool:
        return self.drawn.result is not None

    def side_panel(self) -> SidePanel:
        return SidePanel(self.visit.clauses)

    def update_side(self, scene: Scene) -> None:
        self.side.show_score(scene.score)
        deal = self.facts.deal
        names = [chair.name for chair in self.facts.chairs]
        found = [line.rpartition(" nonce ")[2] for line in deal.header.splitlines() if line.startswith("seat ")]
        steps = self.checked[1] if self.checked else ()
        self.side.show_proof(proof(deal.commitment, zip(names, found, strict=False), deal.seed, steps))

    def see(self, scene: Scene, note: str = "") -> None:
        """Another scene: with the draft that the room shows in it."""
        self.drawn = scene
        self.draft = scene.draft.picks if scene.draft else ()
        self.show(note)
        if self.over and not self.ended:
            self.ended = True
            self.action_result()

    def tell(self, lines: Sequence[v.Told]) -> None:
        """Add lines to the log; those told anew take the place of the old ones."""
        kept = [line for line in self.lines if not lines or line.number < lines[0].number]
        fresh: Sequence[v.Told] = lines
        if len(kept) < len(self.lines):
            self.side.forget()
            fresh = [*kept, *lines]
        self.lines = [*kept, *lines]
        moves: dict[int, list[v.Told]] = {}
        for line in fresh:
            moves.setdefault(line.number, []).append(line)
        names = [chair.name for chair in self.facts.chairs]
        self.side.tell(
            told(number, [one.text for one in said], [clause for one in said for clause in one.clauses], names)
            for number, said in moves.items()
        )

    # --- the connection -------------------------------------------------------------------------------------

    @work
    async def listen(self) -> None:
        """Hear the room, and come back when the connection is lost, until the table is gone."""
        address = f"{self.visit.address.replace('http', 'ws', 1)}/api/tables/{self.visit.table}/play"
        wait = FIRST_WAIT
        while not self.gone:
            try:
                async with connect(
                    address,
                    additional_headers={"Cookie": self.visit.cookie},
                    max_size=LARGEST_MESSAGE,
                    close_timeout=1,
                ) as socket:
                    async for text in socket:
                        if not self.stands:
                            return
                        self.hear(text)
                        if self.socket is None and self.welcomed:
                            wait = FIRST_WAIT
                            await self.arrive(socket)
            except (OSError, WebSocketException) as problem:
                if isinstance(problem, ConnectionClosed) and problem.rcvd and problem.rcvd.code == NO_SUCH_TABLE:
                    self.gone = "The room knows this table no more."
            if not self.stands:
                return
            self.socket, self.welcomed = None, False
            self.say(self.gone or LOST)
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))
            wait = min(wait * 2, LONGEST_WAIT)

    @property
    def stands(self) -> bool:
        """Is the screen still there? It is taken down from within while the room goes on talking."""
        return self.is_attached and bool(self.query(TableView)) and bool(self.query("#proof"))

    async def arrive(self, socket: ClientConnection) -> None:
        """Ask again what is not answered."""
        self.socket = socket
        for _, text in list(self.asked.values()):
            await socket.send(text)

    def ask(self, kind: str, **facts: Any) -> None:
        """Ask the room; without a connection it is asked as soon as there is one."""
        self.count += 1
        identity = f"{self.client}-{self.count}"
        text = msgspec.json.encode({"type": kind, "id": identity, **facts}).decode()
        self.asked[identity] = (kind, text)
        self.call_later(self.deliver, text)

    async def deliver(self, text: str) -> None:
        if self.socket is None:
            self.say(self.gone or LOST)
            return
        try:
            await self.socket.send(text)
        except ConnectionClosed:
            self.socket = None

    @property
    def picking(self) -> bool:
        """Is a pick under way? Until it is answered, there is nothing to pick from."""
        return any(kind in ("pick", "draft") for kind, _ in self.asked.values())

    def hear(self, text: str | bytes) -> None:
        """Take in what the room says."""
        try:
            message = v.decoder.decode(text)
        except msgspec.DecodeError:
            self.say("The room said something that this fairdeal does not know; a newer one may.")
            return
        kind = ""
        if isinstance(message, v.Shown | v.Done | v.Refused | v.Answer):
            kind, _ = self.asked.pop(message.id, ("", ""))
        if isinstance(message, v.Welcome):
            self.welcome(message)
        elif isinstance(message, v.Shown):
            self.shown(message)
        elif isinstance(message, v.Refused):
            self.refused(message)
        elif isinstance(message, v.Answer):
            self.answered(message, kind)
        elif isinstance(message, v.Chat):
            self.side.tell([Text(f"{message.said.name}: {message.said.text}", style="italic")])
        elif isinstance(message, v.Table):
            self.learn(message.facts)

    def welcome(self, message: v.Welcome) -> None:
        self.welcomed = True
        self.learn(message.facts)
        self.tell(message.log)
        if message.scene:
            self.shown(v.Shown(scene=message.scene), note=self.visit.note)
        else:
            self.see(waiting_scene(self.facts, self.visit.link), self.visit.note)

    def shown(self, message: v.Shown, note: str = "") -> None:
        """A scene: asked for, or because something changed; then a half-made move that still stands is kept."""
        self.tell(message.log)
        if message.id == "" and self.draft and message.scene.seq == self.drawn.seq:
            if not self.picking:
                self.ask("draft", draft=self.draft)
            self.say(note)
        else:
            self.see(message.scene, note)

    def refused(self, message: v.Refused) -> None:
        """Say why; a table that has moved on is shown as it is now."""
        words = f"{message.reason} ({message.clause})" if message.clause else message.reason
        if message.scene and message.scene.seq != self.drawn.seq:
            self.see(message.scene, words)
        else:
            self.say(words)

    def answered(self, message: v.Answer, kind: str) -> None:
        if kind == "hint":
            self.show_hint(message.choices, message.text)
        else:
            self.say(f"{message.text} ({message.clause})" if message.clause else message.text)

    def learn(self, facts: v.Facts) -> None:
        """Chairs, deal or status changed."""
        self.facts = facts
        if facts.status == "open":
            self.see(waiting_scene(facts, self.visit.link), self.view.note)
        else:
            self.update_side(self.drawn)
        if facts.rematch and self.wants_rematch:
            self.go("again")

    # --- picking and asking ---------------------------------------------------------------------------------

    def pick(self, choice: Choice) -> None:
        if not self.picking:
            self.ask("pick", seq=self.drawn.seq, choice=choice.id, draft=self.draft)

    def unpick(self) -> None:
        if not self.picking:
            self.ask("draft", draft=self.draft[:-1])

    def ask_why(self, card: str) -> None:
        self.ask("why", card=card, draft=self.draft)

    def action_hint(self) -> None:
        """What the greedy bot would play here, and why: its cards are marked, and nothing is played."""
        if self.drawn.prompt and self.drawn.prompt.mode == "yours":
            self.ask("hint")

    # --- the end --------------------------------------------------------------------------------------------

    def action_result(self) -> None:
        self.show_ending()

    @work(exclusive=True, group="ending")
    async def show_ending(self) -> None:
        """Check the deal, then show how it ended."""
        if self.checked is None:
            self.checked = await asyncio.to_thread(self.visit.check, self.facts.deal.header)
            self.update_side(self.drawn)
        if isinstance(self.app.screen, Ending):
            return
        plays = self.facts.seat != SPECTATOR
        wishes = [("look", "Table"), ("leave", "Leave")]
        self.app.push_screen(
            Ending(self.drawn, self.checked[0], [("again", "Rematch"), *wishes] if plays else wishes), self.wished
        )

    def wished(self, wish: str | None) -> None:
        if wish == "leave" or (wish == "again" and self.facts.rematch):
            self.go(wish)
        elif wish == "again":
            self.wants_rematch = True
            self.ask("rematch", nonce=secrets.token_hex(16))
            self.say("The rematch begins when all who are here want it.")

    def action_leave(self) -> None:
        if self.over:
            self.action_result()
        elif self.facts.seat == SPECTATOR or self.gone:
            self.dismiss("leave")
        else:
            words = f"A bot plays on until you are back:\nfairdeal join {self.visit.link}"
            if self.facts.status == "open":
                words = "The seat is free for somebody else then."
            self.app.push_screen(LeaveDialog(words), self.sure)

    def sure(self, sure: bool | None) -> None:
        if sure:
            self.leave()

    @work
    async def leave(self) -> None:
        await asyncio.to_thread(self.visit.leave)
        self.go("leave")

    def go(self, wish: str) -> None:
        """Go from this table, whatever lies over it."""
        while self.app.screen is not self:
            self.app.pop_screen()
        self.dismiss(wish)


def waiting_scene(facts: v.Facts, link: str) -> Scene:
    """A table that is not dealt yet: who sits there, and whom it waits for."""
    free = sum(not chair.taken for chair in facts.chairs)
    seats = tuple(
        Seat(chair.seat, chair.name or "free seat", "person" if chair.plays == "person" else "bot")
        for chair in facts.chairs
    )
    words = facts.readable_only or f"Waiting for {count_of(free, 'more player')}"
    sub = "" if facts.readable_only else f"The link: {link}"
    prompt = Prompt("waiting", words, sub)
    return Scene(skin=facts.game, title=facts.title, viewer=facts.seat, seats=seats, prompt=prompt)


class RemoteApp(FairdealApp):
    """The terminal program at the tables of a room."""

    def __init__(self, visit: v.Visit) -> None:
        super().__init__()
        self.visit = visit

    @work
    async def play_tables(self) -> None:
        """One table, and its rematches."""
        while True:
            screen = RemoteScreen(self.visit)
            if await self.push_screen_wait(screen) != "again":
                self.exit()
                return
            try:
                await asyncio.to_thread(self.visit.move_on, screen.facts.rematch)
            except FairdealError as problem:
                self.exit(message=f"fairdeal: {problem}")
                return


def run(link: str, name: str | None) -> None:
    """Play at a table of a room. Raises FairdealError before anything is drawn if there is no such table."""
    visit = v.Visit(link)
    try:
        visit.come_in(name)
        RemoteApp(visit).run()
    finally:
        visit.close()
