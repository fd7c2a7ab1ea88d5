"""Links with a secret, which open the keeper's page or invite to the room, and the sessions of the keeper's browsers.

A link to the keeper's page works once, for an hour. It begins a session of its own, which ends after twelve hours, or
when the keeper ends it. An invitation works for everybody for a number of days. The database has only the SHA-256 of
each secret.
"""

import hashlib
import secrets
import time
from typing import Literal

import sqlalchemy as sa

from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.storage.store import invited, links, seats, tables

Kind = Literal["keeper", "session", "invitation"]

LINK_LASTS, SESSION_LASTS = 3600, 12 * 3600
"""Seconds for which a link to the keeper's page, and a session, are valid."""


def new_secret(connection: sa.Connection, kind: Kind = "keeper", lasts: float = LINK_LASTS) -> str:
    """Return the secret of a new link or session, which is valid for some seconds. Expired ones are deleted."""
    connection.execute(links.delete().where(links.c.until < time.time()))
    secret = secrets.token_hex(16)
    connection.execute(links.insert().values(hash=hash_of(secret), kind=kind, until=time.time() + lasts))
    return secret


def begin_session(connection: sa.Connection, link: str) -> str:
    """Return the secret of a session that a link begins, or an empty string if the link is wrong, old or used."""
    return new_secret(connection, "session", SESSION_LASTS) if end(connection, link, "keeper") else ""


def is_valid(connection: sa.Connection, secret: str, kind: Kind = "session") -> bool:
    """Return whether a link or session has not ended."""
    return connection.execute(sa.select(links.c.hash).where(*known(secret, kind))).first() is not None


def end(connection: sa.Connection, secret: str, kind: Kind = "session") -> bool:
    """End a link or session, and return whether it was valid."""
    return connection.execute(links.delete().where(*known(secret, kind))).rowcount > 0


def known(secret: str, kind: Kind) -> tuple[sa.ColumnElement[bool], ...]:
    return links.c.hash == hash_of(secret), links.c.kind == kind, links.c.until >= time.time()


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def accept(connection: sa.Connection, secret: str, guest: str) -> bool:
    """Note that a guest has opened an invitation, and return whether it is valid."""
    if not is_valid(connection, secret, "invitation"):
        return False
    if not connection.execute(sa.select(invited.c.guest).where(invited.c.guest == guest)).first():
        connection.execute(invited.insert().values(guest=guest))
    return True


def is_invited(connection: sa.Connection, guest: str) -> bool:
    """Return whether a guest has opened an invitation, or has or had a seat or a table of their own."""
    by_link = sa.select(invited.c.guest).where(invited.c.guest == guest)
    seated = sa.select(seats.c.guest).where(seats.c.guest == guest)
    hosts = sa.select(tables.c.host).where(tables.c.host == guest, tables.c.status != CLEARED)
    return any(connection.execute(query.limit(1)).first() for query in (by_link, seated, hosts))
