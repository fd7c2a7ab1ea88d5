"""Guests: a signed random id for each browser, in a cookie that scripts cannot read, and the guest's name."""

from __future__ import annotations

import contextlib
import hashlib
import secrets as random
import time

import itsdangerous
import sqlalchemy as sa
from starlette.requests import HTTPConnection
from starlette.responses import Response

from fairdeal.server.storage.store import Store, guests
from fairdeal.server.tables.saving import keep_name
from fairdeal.table.names import NAMELESS, check_name, clean_name, shown

COOKIE, HOST_COOKIE = "fairdeal_guest", "__Host-fairdeal_guest"
"""Names of the cookie. Browsers accept the second only over HTTPS, and only from the host that reads it."""

ONE_YEAR = 365 * 24 * 3600


class Guests:
    """Issues and checks the tokens of guests. If `secure` is true, the cookie is HOST_COOKIE, and COOKIE is not read:
    another host of the same domain could have set it, with a token of its own."""

    def __init__(self, key: bytes, secure: bool) -> None:
        self.secure = secure
        self.name = HOST_COOKIE if secure else COOKIE
        self.signer = itsdangerous.Signer(key, salt="fairdeal guest", digest_method=hashlib.sha256)

    def of(self, connection: HTTPConnection) -> str | None:
        """Return the guest who sent a request, or None if the request carries no valid token."""
        with contextlib.suppress(itsdangerous.BadSignature):
            return self.signer.unsign(connection.cookies.get(self.name, "")).decode()
        return None

    def new(self) -> str:
        return random.token_hex(16)

    def give(self, response: Response, guest: str) -> None:
        """Set the token of a guest as a cookie."""
        response.set_cookie(
            self.name,
            self.signer.sign(guest).decode(),
            max_age=ONE_YEAR,
            httponly=True,
            samesite="lax",
            secure=self.secure,
            path="/",
        )

    def take(self, response: Response) -> None:
        """Delete the cookie."""
        response.delete_cookie(self.name, secure=self.secure)


async def name_of(store: Store, guest: str) -> str:
    """Return the name of a guest, as others see it."""
    query = sa.select(guests.c.name).where(guests.c.id == guest)
    found: str | None = await store.read(lambda c: c.execute(query).scalar())
    return shown(found or NAMELESS)


async def rename(store: Store, guest: str, name: str, most: int, marks: bool = False) -> str:
    """Clean and store the name of a guest, and return it. At most `most` names are kept. A name that could be taken for
    an opponent or a word of the room is marked if `marks` is true, and a long one is cut. Otherwise, raises what
    `check_name` does."""
    cleaned = shown(clean_name(name)) if marks else check_name(name)
    await store.write(lambda c: keep_name(c, guest, cleaned, time.time(), most))
    return cleaned
