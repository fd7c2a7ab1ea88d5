"""Notices, which tell absent guests of their turn in two ways: at a web address, and in browsers by Web Push.

The room sends requests only to hosts that its operator has named, follows no redirects, and does not read response
bodies. A notice contains only information that the lobby shows. Notices are sent from separate tasks, so that tables do
not wait for them.

A notice is stored in `told`, for each device of the guest, with the time at which it is due. The worker that has the
table then sends it, and another one does if that has ended. It is sent to an address at most once, and pushed at least
once: browsers show a later push in place of an earlier one for the same table.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from datetime import datetime, timedelta
from datetime import time as of_day
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from weakref import WeakKeyDictionary
from zoneinfo import ZoneInfo

import httpx2
import msgspec
import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import HOUSE
from fairdeal.protocol import bodies as b
from fairdeal.server.extras.push import Sender, sealed
from fairdeal.server.limits import Allowance, Rate, known
from fairdeal.server.mistakes import BadSetting
from fairdeal.server.network.addresses import is_home
from fairdeal.server.storage.store import NotSaved, Store, bans, devices, told
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.saving import keep_notice
from fairdeal.table.clocks import DAY, in_words

GRACE = 3.0
"""Time, in seconds, that a guest has to connect or return before a notification is sent."""

LONGEST_STEP, LONGEST_SENDING = 5.0, 30.0
"""Timeouts, in seconds, for each step of a request, and for a complete request with its retries."""

RETRIES = 2
"""Number of retries if a connection cannot be made."""

CLAIMED = 2 * LONGEST_SENDING
"""Seconds after which a push that was begun is sent again, if its worker has ended."""

BETWEEN_LOOKS = 2.0
"""Seconds after which the room looks again for notices that are due."""

FIRST_RETRY, LAST_RETRY = 60, DAY
"""Seconds before a push that failed is repeated, as often as needed with growing pauses, and after which it is not."""

LONGEST_KEPT = 7 * DAY
"""Seconds for which a push service keeps a notice for a browser that is away, if no time runs out before."""

MOST_DEVICES = 8
"""Maximum number of browsers in which a guest gets notices. A new one replaces the oldest."""

A_MINUTE = 6
MOST_OFTEN, NOTED = Rate(A_MINUTE / 60, A_MINUTE), Rate(1 / 60, 1)
"""The rates at which notifications are sent to one device, and at which the log says that there would be more."""

LONGEST_ADDRESS = 500

ADDRESS = ""
"""The id of the web address of a guest, among their devices."""

log = logging.getLogger(__name__)


BELOW = "*."
"""The beginning of a host of push services that stands for all its subdomains."""

Find = Callable[[str, bool], Awaitable[LiveTable]]
"""Finds a table by its id, also if another worker has it, or not."""


class Notices:
    """The addresses and devices of guests, and the notices sent to them. Addresses are accepted only at `hosts`, and
    devices only at the services of the `sender`, if the room has one. `base` is the room's public address, if it
    differs from the address in guests' requests."""

    def __init__(self, store: Store, hosts: tuple[str, ...], base: str = "", sender: Sender | None = None) -> None:
        self.store, self.hosts, self.base, self.sender = store, hosts, base, sender
        self.turns: WeakKeyDictionary[LiveTable, list[int]] = WeakKeyDictionary()  # the seats to act
        self.allowances: OrderedDict[tuple[str, str], Allowance] = OrderedDict()
        self.tasks: set[asyncio.Task[None]] = set()
        self.http: httpx2.AsyncClient | None = None

    @property
    def is_offered(self) -> bool:
        return bool(self.hosts or self.sender)

    # --- addresses and devices ------------------------------------------------------------------------------

    async def facts(self, guest: str) -> b.Webhook:
        """Return where notices are sent to a guest, and the ways that the room has."""
        own = await self.store.read(lambda c: c.execute(sa.select(devices).where(devices.c.guest == guest)).all())
        address = next((one.endpoint for one in own if one.id == ADDRESS), "")
        silent = next((msgspec.convert(one.silent, b.Silent) for one in own if one.silent), None)
        return b.Webhook(address, self.hosts, self.sender.public if self.sender else "", silent)

    async def keep(self, guest: str, address: str, room: str) -> None:
        """Check and store the address for a guest's notices, or delete it if it is empty. Raises FairdealError if the
        room may not send there."""
        if address and not self.hosts:
            raise FairdealError("this room sends no notifications; its operator can allow them with --webhooks")
        url = str(checked(address, self.hosts)) if address else ""
        await self.store.write(lambda c: keep_device(c, guest, ADDRESS, url, room=room))

    async def keep_device(self, guest: str, device: b.SetDevice) -> None:
        """Check and store a browser of a guest, or delete it if it has no keys. Raises FairdealError if the room may
        not send there."""
        own = hashlib.sha256(device.endpoint.encode()).hexdigest()
        keys, silent = device.keys, msgspec.to_builtins(device.silent)
        if keys is None:
            await self.store.write(lambda c: keep_device(c, guest, own))
            return
        if not self.sender:
            raise FairdealError("this room pushes no notices; it needs a public address with https")
        url = checked(device.endpoint, self.sender.services)
        try:
            sealed(b"", keys.p256dh, keys.auth)
            silence_ends(silent, time.time())
        except (KeyError, ValueError, TypeError, OSError) as problem:
            raise FairdealError(
                f"these are no keys of a browser, or no times such as 22:00 in a time zone: {problem}"
            ) from None
        if url.scheme == "http" and not is_home(url.host):
            raise FairdealError("the address of a push service begins with https")

        def keep(connection: sa.Connection) -> None:
            keep_device(connection, guest, own, str(url), key=keys.p256dh, auth=keys.auth)
            browsers = devices.c.guest == guest, devices.c.id != ADDRESS
            latest = sa.select(devices.c.id).where(*browsers).order_by(devices.c.at.desc()).limit(MOST_DEVICES)
            connection.execute(devices.delete().where(*browsers, devices.c.id.not_in(latest)))
            connection.execute(devices.update().where(*browsers).values(silent=silent))

        await self.store.write(keep)

    # --- turns ----------------------------------------------------------------------------------------------

    def turned(self, live: LiveTable) -> None:
        """Notify the guests whose turn has started, once it is shown to them. When a table is loaded, no notice is sent
        for a turn that started more than GRACE seconds ago, because it was stored before."""
        if not self.is_offered or live.is_over:
            return
        acts, sitting, before = acting(live), live.running, self.turns.get(live)
        if before is None and time.time() > live.moved + GRACE:
            before = acts
        self.turns[live] = acts
        for seat in acts:
            guest = live.seats[seat].guest
            if sitting and guest and seat not in (before or ()) and is_missing(live, seat):
                moves = live.own_last(seat) if before is None else sitting.moves_made
                self.start(live, self.tell(live, guest, moves))

    async def tell(self, live: LiveTable, guest: str, moves: int) -> None:
        """Store a notice of a turn, if the guest has a device."""
        if await self.store.read(lambda c: c.execute(sa.select(devices).where(devices.c.guest == guest)).first()):
            await self.store.write(lambda c: keep_notice(c, live.id, guest, moves), live.tenure)

    def start(self, live: LiveTable, work: Coroutine[Any, Any, None]) -> None:
        async def do() -> None:
            try:
                await work
            except FairdealError as problem:
                note(live, problem)

        task = asyncio.create_task(do())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # --- sending --------------------------------------------------------------------------------------------

    async def run(self, find: Find) -> None:
        """Send the notices that are due, until cancelled."""
        while True:
            await asyncio.sleep(BETWEEN_LOOKS)
            with contextlib.suppress(NotSaved):
                await self.look(find)

    async def look(self, find: Find) -> None:
        """Send the notices that are due, of tables that no other worker has. Raises NotSaved if they cannot be read."""
        for row in await self.store.read(due_notices):
            with contextlib.suppress(FairdealError):
                live = await find(row.table, False)
                self.start(live, self.deliver(live, row))

    async def deliver(self, live: LiveTable, row: sa.Row[Any]) -> None:
        """Send a notice to a device, if it is still true and no other task has begun to send it. Store when it is to be
        sent again: to an address never, even if this worker ends meanwhile."""

        async def change(statement: sa.Update | sa.Delete, due: float | None) -> bool:
            """Change the stored notice, if it is still due at this time."""
            own = (key == row._mapping[key] for key in told.primary_key)
            same = statement.where(*own, told.c.due == due)
            return bool(await self.store.write(lambda c: c.execute(same).rowcount, live.tenure))

        seat = live.seats.of(row.guest)
        if seat not in acting(live) or not is_missing(live, seat):
            await change(told.delete(), row.due)
        elif known(self.allowances, ("notice", row.endpoint), MOST_OFTEN).spend():
            claimed = None if row.device == ADDRESS else time.time() + CLAIMED
            if await change(told.update().values(due=claimed), row.due):
                again = await self.send(live, row)
                await change(told.update().values(due=again or None), claimed)
        elif known(self.allowances, ("noted", row.endpoint), NOTED).spend():
            note(live, f"more than {A_MINUTE} notifications a minute")

    async def send(self, live: LiveTable, row: sa.Row[Any]) -> float:
        """Send a notice to a device. Return when to try again, or 0 if that is not to be done. Errors are logged
        without the address, whose path may be a secret."""
        now, pushes = time.time(), row.device != ADDRESS
        if ends := silence_ends(row.silent, now):
            return ends
        again = now + max(FIRST_RETRY, now - row.at) if pushes and now < row.at + LAST_RETRY else 0.0
        try:
            sender = self.sender if pushes else None
            url = checked(row.endpoint, sender.services if sender else () if pushes else self.hosts)
            content = msgspec.json.encode(notice_of(live, row.guest, self.base or row.room, row.kind))
            headers = {"content-type": "application/json", "user-agent": "fairdeal"}
            if sender:
                content = sealed(content, row.key, row.auth)
                headers |= sender.headers(f"{url.scheme}://{url.netloc.decode()}")
                until = live.until(live.seats.of(row.guest))
                # the service keeps only the last message of a topic, and cannot guess the table from it
                topic = hashlib.sha256(f"{row.auth} {live.id}".encode()).hexdigest()[:32]
                headers |= {"ttl": str(max(0, int(until - now)) if until else LONGEST_KEPT), "topic": topic}
            answer = await self.post(url, content, headers)
            status, wait = answer.status_code, answer.headers.get("retry-after", "")
            if sender and status in (404, 410):
                await self.store.write(lambda c: keep_device(c, row.guest, row.device))
            elif not answer.is_success:
                note(live, f"{url.raw_host.decode()} answered {status}")
                if again and (status == 429 or answer.is_server_error):
                    return max(again, now + min(int(wait), DAY) if wait.isdecimal() else 0)
        except FairdealError as problem:
            note(live, problem)
        except (httpx2.HTTPError, OSError) as problem:
            note(live, problem)
            return again
        return 0.0

    async def post(self, url: httpx2.URL, content: bytes, headers: dict[str, str]) -> httpx2.Response:
        """Send a notice, and return the response without its body."""
        self.http = self.http or client()
        async with (
            asyncio.timeout(LONGEST_SENDING),
            self.http.stream("POST", url, content=content, headers=headers) as answer,
        ):
            return answer

    async def close(self) -> None:
        """Cancel all notifications and close the client."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.http:
            await self.http.aclose()


def client() -> httpx2.AsyncClient:
    """Return a client that follows no redirects, stores no cookies, and takes no proxy or password from its
    environment."""
    return httpx2.AsyncClient(
        transport=httpx2.AsyncHTTPTransport(retries=RETRIES, trust_env=False),
        timeout=LONGEST_STEP,
        follow_redirects=False,
        trust_env=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
    )


def read_hosts(name: str, texts: Iterable[str], ways: str = "") -> tuple[str, ...]:
    """Return the hosts of a setting, with optional ports, in their usual form. Raises BadSetting if one is malformed.
    `ways` are words with which a host may begin."""
    hosts = tuple(text.lower() for text in texts)
    for given in hosts:
        host = given.removeprefix(ways)
        url = url_of(f"https://{host}")
        if url is None or not url.raw_host.strip(b".") or any(sign in host for sign in "/?#@*\\ "):
            advice = "give full host names, separated by commas, such as hooks.example.org or 192.0.2.7:8080"
            raise BadSetting(name, host, advice)
    return hosts


def checked(address: str, hosts: Sequence[str]) -> httpx2.URL:
    """Return the URL of an address to which the room may send. Raises FairdealError, with a valid example or the
    allowed hosts, if it is not allowed."""
    if len(address) > LONGEST_ADDRESS:
        raise FairdealError(f"an address can have at most {LONGEST_ADDRESS} characters")
    url = url_of(address)
    if url is None or url.scheme not in ("http", "https") or not url.raw_host:
        raise FairdealError(f"{address!r} is not a web address; one looks like https://{hosts[0]}/...")
    if url.userinfo:
        raise FairdealError("an address for notifications cannot contain a user name or a password")
    if not any(is_at(url, host) for host in hosts):
        only = f", only to {', '.join(hosts)}" if hosts else ""
        raise FairdealError(f"this room sends no notifications to {url.netloc.decode()}{only}")
    return url


def url_of(address: str) -> httpx2.URL | None:
    try:
        return httpx2.URL(address)
    except (httpx2.InvalidURL, ValueError):
        return None


def is_at(url: httpx2.URL, host: str) -> bool:
    """Return whether a URL points to this host, with the given port or else with the default port, or below a host that
    begins with `*.`."""
    if host.startswith(BELOW):
        return url.port is None and url.host.endswith(host[1:])
    return httpx2.URL(f"{url.scheme}://{host}").netloc == url.netloc


def keep_device(connection: sa.Connection, guest: str, id: str, endpoint: str = "", **values: str) -> None:
    """Store a device of a guest, or delete it if it has no endpoint. A browser belongs to the guest who uses it now."""
    own = devices.c.id == id
    connection.execute(devices.delete().where(own, devices.c.guest == guest if id == ADDRESS else own))
    if endpoint:
        connection.execute(devices.insert().values(guest=guest, id=id, endpoint=endpoint, at=time.time(), **values))


def due_notices(connection: sa.Connection) -> Sequence[sa.Row[Any]]:
    """Return the notices that are due, with their devices, without those to banned guests."""
    device = [one for one in devices.c if one.name not in told.c]
    same = sa.and_(devices.c.guest == told.c.guest, devices.c.id == told.c.device)
    barred = told.c.guest.in_(sa.select(bans.c.guest))
    found = sa.select(told, *device).join_from(told, devices, same).where(told.c.due <= time.time() - GRACE, ~barred)
    return connection.execute(found).all()


def silence_ends(silent: dict[str, str] | None, now: float) -> float:
    """Return when silent hours end, or 0 if there are none at present."""
    if not silent:
        return 0.0
    local = datetime.fromtimestamp(now, ZoneInfo(silent["zone"]))
    begin, end = of_day.fromisoformat(silent["begin"]), of_day.fromisoformat(silent["end"])
    if not (begin <= local.time() < end if begin <= end else not end <= local.time() < begin):
        return 0.0
    ends = datetime.combine(local, end, local.tzinfo)
    return (ends if ends > local else ends + timedelta(days=1)).timestamp()


def note(live: LiveTable, problem: Exception | str) -> None:
    log.warning("a notification about table %s was not sent: %s", live.id, str(problem) or type(problem).__name__)


def acting(live: LiveTable) -> list[int]:
    """Return the seats that are to act, as far as that is shown to them."""
    return [seat for seat in (live.running.state.to_act if live.running else ()) if not live.covered(seat)]


def is_missing(live: LiveTable, seat: int) -> bool:
    """Return whether the guest of a seat is not connected and no bot plays for them."""
    place = live.seats[seat]
    return place.guest is not None and seat not in live.pace.bots and not live.audience.is_here(place)


def notice_of(live: LiveTable, guest: str, room: str, kind: b.Kind) -> dict[str, object]:
    """Return the notification for a guest: the table, its link, the game, the names at the table, a sentence for the
    guest, and the number of the last entry. The sentence names the author of the last move whose author was shown to
    the guest, or the time that is left."""
    sitting, viewer = live.sitting, live.seats.of(guest)
    text = "The cards are dealt; it is your turn"
    if kind == "reminder":
        text = f"Your time for a move ends in {in_words(live.until(viewer) - time.time())}"
    elif sitting:
        numbers = range(sitting.moves_made, 0, -1)
        authors = (sitting.log.moves[n - 1].seat for n in numbers if not sitting.made_unseen(n, viewer))
        text = next((f"{live.seats[seat].shown} has moved; it is your turn" for seat in authors if seat != HOUSE), text)
    return {
        "table": live.id,
        "link": f"{room}/t/{live.id}",
        "game": live.terms.title,
        "names": [place.shown for place in live.seats],
        "text": text,
        "seq": live.facts(guest).seq,
    }
