"""Check whether the room can serve guests, for the programs that watch it."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.storage.store import NotSaved, Store, secrets

LONGEST_CHECK = 1.0
"""Maximum duration of a check, in seconds."""

KEPT = secrets.c.name == "seeds"
"""A row that every room has."""


class NotReady(FairdealError):
    """Raised when the room cannot serve guests at present."""


class Readiness:
    """Whether the room can serve guests. Simultaneous checks share one write."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.closing = False
        self.looking: asyncio.Task[str] | None = None

    async def check(self) -> None:
        """Raise NotReady if the room is closing, or cannot write and read its database within LONGEST_CHECK."""
        if self.closing:
            raise NotReady("the room is closing")
        if self.looking is None or self.looking.done():
            self.looking = asyncio.create_task(self.look())
        await asyncio.wait((self.looking,), timeout=LONGEST_CHECK)
        problem = self.looking.result() if self.looking.done() else "the database does not respond"
        if problem:
            raise NotReady(problem)

    async def look(self) -> str:
        """Write and read the database. Return the problem, or an empty string."""
        same = secrets.update().where(KEPT).values(value=secrets.c.value)
        try:
            await self.store.write(lambda c: c.execute(same).rowcount)
            await self.store.read(lambda c: c.execute(sa.select(secrets.c.name).where(KEPT)).one())
        except NotSaved as problem:
            return str(problem)
        return ""
