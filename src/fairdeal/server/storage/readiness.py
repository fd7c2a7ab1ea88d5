"""Check whether the room can serve guests, for the programs that watch it."""

import asyncio

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.storage.leases import Removed
from fairdeal.server.storage.store import LONGEST_CHECK, NotSaved, Store, secrets

KEPT = secrets.c.name == "seeds"
"""A row that every room has."""

FAILING = "the room cannot save at the moment; it keeps trying"
LATE = "the database does not respond"
REMOVED = "this worker was removed from the database; it comes back as a new one"


class NotReady(FairdealError):
    """Raised when the room cannot serve guests at present."""


class Readiness:
    """Whether the room can serve guests. Simultaneous checks share one write."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.closing = False
        self.trial: asyncio.Task[str] | None = None

    async def check(self) -> None:
        """Raise NotReady if the room is closing, if a save has failed and no proof has succeeded since, or if the room
        cannot write what a move writes, and read, within LONGEST_CHECK."""
        if self.closing:
            raise NotReady("the room is closing")
        if self.trial is None or self.trial.done():
            self.trial = asyncio.create_task(self.try_out())
        await asyncio.wait((self.trial,), timeout=LONGEST_CHECK)
        problem = self.trial.result() if self.trial.done() else LATE
        if problem:
            raise NotReady(problem)

    async def try_out(self) -> str:
        """Write and read the database, unless the store makes proofs itself. Return the problem, or an empty string."""
        try:
            if not self.store.failing:
                await self.store.write(self.store.try_move)
                await self.store.read(lambda c: c.execute(sa.select(secrets.c.name).where(KEPT)).one())
        except NotSaved as problem:
            return str(problem)
        except Removed:
            return REMOVED
        return FAILING if self.store.failing else ""
