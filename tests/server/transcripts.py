"""Recordings of all that a room sends to one player of a game, for tests that alter it."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from fairdeal.protocol import messages as m
from fairdeal.server.api.http import log_of
from fairdeal.server.api.opening import open_table
from fairdeal.server.room import Room
from fairdeal.server.tables.dealing import show_number
from fairdeal.server.tables.seating import join
from fairdeal.table import fairness
from tests.server.in_process import Viewer, rest, until

OWN, OTHER = "07" * 16, "a1" * 16
"""The number of the player that the room lies to, and that of the player who opens the table."""


@dataclass
class Transcript:
    """The steps of a game. Each is a pair of what it is, and its text.

    message  a message of the room over the WebSocket
    sit      the player takes a seat now
    answer   the facts with which the room answers the next request over HTTP
    log      the log of the finished game
    """

    table: str
    game: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def add(self, kind: str, text: str = "") -> None:
        self.steps.append((kind, text))

    def answer(self, facts: m.Facts) -> None:
        self.add("answer", msgspec.json.encode(facts).decode())


class Guest(Viewer):
    """A viewer of a table, whose messages are written down as they were sent."""

    def __init__(self, room, live, guest):
        self.transcript = Transcript(live.id, live.terms.game)
        super().__init__(room, live, guest)

    def hear(self, text):
        self.transcript.add("message", text)
        super().hear(text)

    async def request(self, kind, **facts):
        self.count += 1
        return await self.ask(kind(id=f"r{self.count}", **facts))

    async def answered(self, doing):
        """Do something over HTTP, and write down the facts of the answer."""
        await doing
        self.transcript.answer(self.live.facts(self.connection.guest))


async def played(store, keys, game, **options) -> tuple[Transcript, Transcript]:
    """Play a game of two players and perhaps bots. Return the transcripts of the one who joins, and of the one who
    opens the table."""
    room = Room(store, 0.0, keys=keys)
    players = options.get("players", 2)
    chairs = ["you", "person", *["greedy"] * (players - 2)]
    _, ticket = room.keys.promise("ada")
    live = await open_table(
        room, "ada", game=game, chairs=chairs, options=options, ticket=ticket, hash=fairness.nonce_hash(OTHER)
    )
    ada, ben = Guest(room, live, "ada"), Guest(room, live, "ben")
    for guest in (ada, ben):
        guest.transcript.steps.clear()  # a page begins with its welcome
        await guest.arrive()
    for guest in (ada, ben):  # as if the first came again, so that both transcripts have the same form
        guest.transcript.add("sit")
    ada.transcript.answer(live.facts("ada"))
    await ben.answered(join(live, "ben", None, fairness.nonce_hash(OWN)))
    await ada.answered(show_number(live, "ada", OTHER, ""))
    await ben.answered(show_number(live, "ben", OWN, ""))
    for _ in range(2000):
        async with live.lock:
            if live.status == "over":
                break
            seat = live.sitting.state.to_act[0]
        guest = next((one for one in (ada, ben) if one.connection.seat == seat), None)
        if guest is None:  # a bot, which plays by itself
            await until(lambda: live.status == "over" or live.sitting.state.to_act[0] in (0, 1))
            continue
        if guest.count % 7 == 3:
            await guest.request(m.Draft)
            await guest.request(m.Pick, seq=live.number_for(seat) + 1, choice=0)  # which is refused
        await guest.play()
    await rest(room)
    for guest in (ada, ben):
        guest.transcript.add("log", log_of(live).text())
    return ben.transcript, ada.transcript
