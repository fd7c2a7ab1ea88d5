"""Guests: a signed random id for each browser, in a cookie that scripts cannot read, and the guest's name.

The cookie of a guest who has signed out other devices also has the number of times, `guest.N`. It is valid while nobody
has done so more often.
"""

import contextlib
import hashlib
import secrets as random
import time
from collections.abc import Mapping

import itsdangerous
import sqlalchemy as sa
from starlette.requests import HTTPConnection
from starlette.responses import Response

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import count_of
from fairdeal.server.storage.store import Store, alone, guests, seats, tables, vacations
from fairdeal.server.storage.words import KEPT, hold_name, kept_by_others
from fairdeal.server.tables.saving import keep_name
from fairdeal.table.clocks import DAY, SOON
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

    def of(self, connection: HTTPConnection, epochs: Mapping[str, int]) -> str | None:
        """Return the guest who sent a request, or None if the request carries no valid token. `epochs` are the numbers
        that tokens of some guests must have at least."""
        with contextlib.suppress(itsdangerous.BadSignature):
            guest, _, epoch = self.signer.unsign(connection.cookies.get(self.name, "")).decode().partition(".")
            return guest if int(epoch or 0) >= epochs.get(guest, 0) else None
        return None

    def new(self) -> str:
        return random.token_hex(16)

    def give(self, response: Response, guest: str, epoch: int = 0) -> None:
        """Set the token of a guest as a cookie."""
        self.set(response, self.signer.sign(f"{guest}.{epoch}" if epoch else guest).decode())

    def renew(self, response: Response, connection: HTTPConnection) -> None:
        """Set the cookie of a request again, so that it lasts for another year."""
        self.set(response, connection.cookies[self.name])

    def set(self, response: Response, token: str) -> None:
        response.set_cookie(
            self.name,
            token,
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
    """Clean and store the name of a guest, and return it. At most `most` names are stored. A name that is `reserved` is
    marked if `marks` is true, and a long one is cut. Otherwise, raises what `check_name` does."""
    cleaned = shown(clean_name(name)) if marks else check_name(name)

    def keep(connection: sa.Connection) -> str:
        alone(connection, KEPT)
        kept = kept_by_others(connection, guest, cleaned)
        found = shown(cleaned, kept) if marks else check_name(cleaned, kept)
        keep_name(connection, guest, found, time.time(), most)
        hold_name(connection, guest, found)
        return found

    return await store.write(keep)


# --- vacations ----------------------------------------------------------------------------------------------------


async def be_away(store: Store, guest: str, until: float, left: float) -> None:
    """Let the clocks in days of a guest, who has some seconds left in this year, stand still until a Unix time, or let
    them go on if that is not in the future. The guest's tables are then due. Raises FairdealError if it is too long."""
    now, soon = time.time(), time.time() + SOON
    if until > now + left:
        days = count_of(int(left / DAY), "day")
        raise FairdealError(f"you can be away for 30 days in a year, and have {days} left; choose an earlier day")

    def keep(connection: sa.Connection) -> None:
        alone(connection, guest)
        current = vacations.update().where(vacations.c.guest == guest, vacations.c.until > now)
        if not connection.execute(current.values(until=max(until, now))).rowcount and until > now:
            connection.execute(vacations.insert().values(guest=guest, since=now, until=until))
        own = tables.c.id.in_(sa.select(seats.c.table).where(seats.c.guest == guest))
        connection.execute(tables.update().where(own, tables.c.due > soon).values(due=soon))

    await store.write(keep)
