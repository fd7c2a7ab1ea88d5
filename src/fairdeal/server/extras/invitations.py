"""Codes to say aloud instead of sending the link of a table that is waiting for guests.

Because codes are short, they are valid only for a limited time, and the number of attempts is limited for each guest
and each address.
"""

import secrets
import time

import sqlalchemy as sa

from fairdeal.server.storage.store import Store, invitations, put

LETTERS = "ACDEFGHJKLMNPQRTUVWXY34679"
"""Letters and digits that are hard to confuse: without 0 and O, 1 and I, 2 and Z, 5 and S, 8 and B."""

LENGTH = 6

LASTS = 15 * 60.0
"""Number of seconds for which a code is valid."""

MOST = 2000
"""Maximum number of codes. The oldest ones are dropped."""


class Invitations:
    """The valid codes of a room."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def code_of(self, table: str) -> tuple[str, float]:
        """Return the code of a table, and the number of seconds for which it is valid. A code is replaced after half of
        its time. Raises NotSaved if a new one cannot be saved."""
        now = time.time()
        newest = sa.select(invitations.c.code, invitations.c.until).order_by(invitations.c.until.desc())
        query = newest.where(invitations.c.table == table, invitations.c.until >= now + LASTS / 2)
        found = await self.store.read(lambda c: c.execute(query).first())
        code, until = found or (new_code(), now + LASTS)
        if not found:
            await self.store.write(lambda c: keep_code(c, code, table, until))
        return code, until - now

    async def table_of(self, code: str) -> str | None:
        """Return the id of the table with a code, or None if the code is not valid. Spaces, hyphens and case do not
        matter."""
        typed = "".join(code.split()).replace("-", "").upper()
        query = sa.select(invitations.c.table).where(invitations.c.code == typed, invitations.c.until > time.time())
        return await self.store.read(lambda c: c.execute(query).scalar()) if {*typed} <= {*LETTERS} else None


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def keep_code(connection: sa.Connection, code: str, table: str, until: float) -> None:
    """Store a code, and drop those that have expired or are too many."""
    put(connection, invitations, code=code, table=table, until=until)
    last = sa.select(invitations.c.until).order_by(invitations.c.until.desc()).offset(MOST).limit(1).scalar_subquery()
    old = sa.or_(invitations.c.until <= until - LASTS, invitations.c.until <= last)
    connection.execute(invitations.delete().where(old))
