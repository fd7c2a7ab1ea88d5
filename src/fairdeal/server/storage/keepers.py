"""The links that open the keeper's page, and the sessions of the browsers that have opened one.

A link works once, for an hour. It begins a session of its own, which ends after twelve hours, or when the keeper ends
it. The database has only the SHA-256 of each secret.
"""

from __future__ import annotations

import hashlib
import secrets
import time

import sqlalchemy as sa

from fairdeal.server.storage.store import keepers

LINK_LASTS, SESSION_LASTS = 3600, 12 * 3600
"""Seconds for which a link and a session are valid."""


def new_secret(connection: sa.Connection, is_session: bool = False) -> str:
    """Return the secret of a new link or session. Expired ones are deleted."""
    connection.execute(keepers.delete().where(keepers.c.until < time.time()))
    secret = secrets.token_hex(16)
    until = time.time() + (SESSION_LASTS if is_session else LINK_LASTS)
    connection.execute(keepers.insert().values(hash=hash_of(secret), is_session=is_session, until=until))
    return secret


def use_link(connection: sa.Connection, link: str) -> str:
    """Return the secret of a session that a link begins, or an empty string if the link is wrong, old or used."""
    return new_secret(connection, is_session=True) if end(connection, link, is_session=False) else ""


def is_valid(connection: sa.Connection, session: str) -> bool:
    """Return whether a session has begun and not ended."""
    return connection.execute(sa.select(keepers.c.hash).where(*known(session, is_session=True))).first() is not None


def end(connection: sa.Connection, secret: str, is_session: bool = True) -> bool:
    """End a session, or use up a link, and return whether it was valid."""
    return connection.execute(keepers.delete().where(*known(secret, is_session))).rowcount > 0


def known(secret: str, is_session: bool) -> tuple[sa.ColumnElement[bool], ...]:
    is_kind = keepers.c.is_session.is_(is_session)
    return keepers.c.hash == hash_of(secret), is_kind, keepers.c.until >= time.time()


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
