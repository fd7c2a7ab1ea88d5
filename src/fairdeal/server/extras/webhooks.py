"""Webhooks: requests to a web address set by a guest, which notify absent guests of their turn.

The room sends requests only to hosts that its operator has named, follows no redirects, and does not read response
bodies. A notification contains only information that the lobby shows. Notifications are sent from separate tasks, so
that tables do not wait for them.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Coroutine, Iterable
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2
import msgspec
import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import HOUSE
from fairdeal.server.limits import Allowance
from fairdeal.server.mistakes import BadSetting
from fairdeal.server.storage.store import Store, bans, put, webhooks
from fairdeal.server.tables.live import LiveTable
from fairdeal.table.clocks import in_words
from fairdeal.table.sitting import Sitting

GRACE = 3.0
"""Time, in seconds, that a guest has to connect or return before a notification is sent."""

LONGEST_STEP, LONGEST_SENDING = 5.0, 30.0
"""Timeouts, in seconds, for each step of a request, and for a complete request with its retries."""

RETRIES = 2
"""Number of retries if a connection cannot be made. A notification that may have arrived is never sent again."""

MOST_A_MINUTE = 6
"""Maximum number of notifications sent to one guest per minute."""

MOST_ALLOWANCES = 1000
"""Number of guests whose rate limits are stored. It is exceeded only if all of them were notified in the last
minute."""

LONGEST_ADDRESS = 500
log = logging.getLogger(__name__)


class Notice(msgspec.Struct, frozen=True):
    """The JSON body of a notification: the table, its link, the game, the names at the table, a sentence for the guest,
    and the number of the last entry."""

    table: str
    link: str
    game: str
    names: tuple[str, ...]
    text: str
    seq: int


@dataclass
class Turns:
    """The seats to act at a table, and the number of moves before each seat's last turn."""

    acts: Collection[int]
    begun: dict[int, int] = field(default_factory=dict)


class Webhooks:
    """The addresses of guests, and the notifications sent to them. Without hosts, no address is accepted and no
    notification is sent. `base` is the room's public address, if it differs from the address in guests' requests."""

    def __init__(self, store: Store, hosts: Collection[str], base: str = "") -> None:
        self.store = store
        self.hosts = tuple(hosts)
        self.base = base
        self.turns: dict[str, Turns] = {}
        self.allowances: dict[str, Allowance] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.http: httpx2.AsyncClient | None = None

    # --- addresses ------------------------------------------------------------------------------------------

    async def address_of(self, guest: str) -> str:
        """Return the address to which a guest's notifications are sent, or an empty string."""
        return (await self.kept(guest))[0]

    async def kept(self, guest: str) -> tuple[str, str]:
        """Return the address of a guest who is not banned, and the room's address as known to the guest."""
        query = sa.select(webhooks.c.address, webhooks.c.room).where(webhooks.c.guest == guest)
        query = query.where(webhooks.c.guest.not_in(sa.select(bans.c.guest)))
        row = await self.store.read(lambda c: c.execute(query).first())
        return (row[0], row[1]) if row else ("", "")

    async def keep(self, guest: str, address: str, room: str) -> str:
        """Check and store the address for a guest's notifications, and return the checked address. Raises FairdealError
        if the room may not send there."""
        checked = str(self.checked(address))
        await self.store.write(lambda c: put(c, webhooks, guest=guest, address=checked, room=room))
        return checked

    async def forget(self, guest: str) -> None:
        await self.store.write(lambda c: c.execute(webhooks.delete().where(webhooks.c.guest == guest)))

    def checked(self, address: str) -> httpx2.URL:
        """Return the URL of an address to which the room may send. Raises FairdealError, with a valid example or the
        allowed hosts, if it is not allowed."""
        if not self.hosts:
            raise FairdealError("this room sends no notifications; its operator can allow them with --webhooks")
        if len(address) > LONGEST_ADDRESS:
            raise FairdealError(f"an address can have at most {LONGEST_ADDRESS} characters")
        url = url_of(address)
        if url is None or url.scheme not in ("http", "https") or not url.raw_host:
            raise FairdealError(f"{address!r} is not a web address; one looks like https://{self.hosts[0]}/...")
        if url.userinfo:
            raise FairdealError("an address for notifications cannot contain a user name or a password")
        if not any(is_at(url, host) for host in self.hosts):
            raise FairdealError(
                f"this room sends notifications only to {', '.join(self.hosts)}, not to {url.netloc.decode()}"
            )
        return url

    # --- turns ----------------------------------------------------------------------------------------------

    def turned(self, live: LiveTable) -> None:
        """Notify the guests whose turn has started, once it is shown to them. When a table is loaded, no notification
        is sent for a turn that started more than GRACE seconds ago, because it was sent before."""
        if not self.hosts or live.is_over:
            self.gone(live)
            return
        acting = live.running.state.to_act if live.running else ()
        acts = [seat for seat in acting if not live.covered(seat)]
        moves = live.sitting.moves_made if live.sitting else 0
        turns = self.turns.get(live.id)
        if turns is None:
            told = acts if time.time() > live.moved + GRACE else ()
            turns = self.turns[live.id] = Turns(told, dict.fromkeys(told, moves))
        fresh = [seat for seat in acts if seat not in turns.acts and turns.begun.get(seat, -1) < moves]
        turns.acts = acts
        for seat in fresh:
            turns.begun[seat] = moves
            if is_missing(live, seat):
                self.start(live, seat, moves)

    def gone(self, live: LiveTable) -> None:
        """Discard the turns of a table that is over or was unloaded."""
        self.turns.pop(live.id, None)

    def remind(self, live: LiveTable, seat: int, left: float) -> None:
        """Tell the absent guest of a seat that their turn ends in `left` seconds."""
        guest = live.seats[seat].guest
        if self.hosts and guest and is_missing(live, seat):
            self.begin(self.send(live, guest, f"Your time for a move ends in {in_words(left)}"))

    def start(self, live: LiveTable, seat: int, moves: int) -> None:
        self.begin(self.tell(live, seat, moves))

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def tell(self, live: LiveTable, seat: int, moves: int) -> None:
        """Notify a guest of their turn, unless they connect within GRACE seconds."""
        await asyncio.sleep(GRACE)
        turns, guest = self.turns.get(live.id), live.seats[seat].guest
        if turns is None or guest is None or not is_missing(live, seat):
            return
        if seat not in turns.acts:
            turns.begun.pop(seat, None)  # the move before was undone; played again, it sends a notification
        elif turns.begun.get(seat) == moves:
            await self.send(live, guest)

    # --- sending --------------------------------------------------------------------------------------------

    async def send(self, live: LiveTable, guest: str, text: str = "") -> None:
        """Send a notification, with its usual text if none is given, to the guest's address, if there is one. Errors
        are logged without the address, whose path may be a secret."""
        try:
            address, room = await self.kept(guest)
            if not address:
                return
            url = self.checked(address)
            if not self.allowance(guest).spend():
                raise FairdealError(f"more than {MOST_A_MINUTE} notifications a minute")
            status = await self.post(url, notice_of(live, guest, self.base or room, text))
            if not 200 <= status < 300:
                raise FairdealError(f"{url.raw_host.decode()} answered {status}")
        except (FairdealError, httpx2.HTTPError, OSError) as problem:
            log.warning(
                "a notification about table %s was not sent: %s", live.id, str(problem) or type(problem).__name__
            )

    def allowance(self, guest: str) -> Allowance:
        """Return a guest's allowance of notifications. Full allowances are dropped when there are too many."""
        if guest not in self.allowances and len(self.allowances) >= MOST_ALLOWANCES:
            self.allowances = {one: left for one, left in self.allowances.items() if not left.is_full}
        return self.allowances.setdefault(guest, Allowance(MOST_A_MINUTE / 60, MOST_A_MINUTE))

    async def post(self, url: httpx2.URL, notice: Notice) -> int:
        """Send a notification, and return the status of the response without reading its body."""
        if self.http is None:
            self.http = client()
        headers = {"content-type": "application/json", "user-agent": "fairdeal"}
        async with (
            asyncio.timeout(LONGEST_SENDING),
            self.http.stream("POST", url, content=msgspec.json.encode(notice), headers=headers) as answer,
        ):
            return answer.status_code

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


def read_hosts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return hosts with optional ports in their usual form. Raises BadSetting if one is malformed."""
    hosts = tuple(text.lower() for text in texts)
    for host in hosts:
        url = url_of(f"https://{host}")
        if url is None or not url.raw_host.strip(b".") or any(sign in host for sign in "/?#@*\\ "):
            advice = "give full host names, separated by commas, such as hooks.example.org or 192.0.2.7:8080"
            raise BadSetting("webhooks", host, advice)
    return hosts


def url_of(address: str) -> httpx2.URL | None:
    try:
        return httpx2.URL(address)
    except (httpx2.InvalidURL, ValueError):
        return None


def is_at(url: httpx2.URL, host: str) -> bool:
    """Return whether a URL points to this host, with the given port or else with the default port."""
    return httpx2.URL(f"{url.scheme}://{host}").netloc == url.netloc


def is_missing(live: LiveTable, seat: int) -> bool:
    """Return whether the guest of a seat is not connected and no bot plays for them."""
    place = live.seats[seat]
    return place.guest is not None and seat not in live.pace.bots and not live.audience.is_here(place)


def notice_of(live: LiveTable, guest: str, room: str, text: str = "") -> Notice:
    """Return the notification for a guest. It names the author of the last move whose author was shown to the guest."""
    moved = moved_last(live.sitting, live.seats.of(guest)) if live.sitting else HOUSE
    happened = "The cards are dealt" if moved == HOUSE else f"{live.seats[moved].shown} has moved"
    return Notice(
        table=live.id,
        link=f"{room}/t/{live.id}",
        game=live.terms.title,
        names=tuple(place.shown for place in live.seats),
        text=text or f"{happened}; it is your turn",
        seq=live.facts(guest).seq,
    )


def moved_last(sitting: Sitting, viewer: int) -> int:
    """Return the seat that made the last move whose author was shown to a seat, or HOUSE if there is none."""
    made = range(sitting.moves_made, 0, -1)
    found = (n for n in made if sitting.log.moves[n - 1].seat != HOUSE and not sitting.made_unseen(n, viewer))
    return next((sitting.log.moves[n - 1].seat for n in found), HOUSE)
