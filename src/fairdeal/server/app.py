"""The ASGI application: the room with its pages and the security rules for browsers."""

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from urllib.parse import urlsplit

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import listed
from fairdeal.server.api import http
from fairdeal.server.api.app_files import routes as app_routes
from fairdeal.server.api.clearing import delete_old_tables
from fairdeal.server.api.keep_page import routes as keep_routes
from fairdeal.server.api.keeper import keep_house
from fairdeal.server.api.keeper_page import routes as keeper_routes
from fairdeal.server.api.websocket import learn, play
from fairdeal.server.extras.notices import Notices
from fairdeal.server.extras.push import Sender
from fairdeal.server.limits import OWN_MACHINE, Allowance, TooFast, origin_of
from fairdeal.server.network.addresses import is_home
from fairdeal.server.network.gate import Gate
from fairdeal.server.network.reach import Reach
from fairdeal.server.room import Room
from fairdeal.server.settings import Settings, change_in, seconds_in
from fairdeal.server.share.postcard import HEIGHT, WIDTH
from fairdeal.server.static_files import ASK_AGAIN, END_OF_HEAD, SMALLER, Files, page
from fairdeal.server.storage.acts import house_of
from fairdeal.server.storage.backups import Backups
from fairdeal.server.storage.promises import kept_key, kept_keys
from fairdeal.server.storage.store import Store
from fairdeal.server.tables.guests import Guests

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


log = logging.getLogger(__name__)

SANE_HOST = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?")

CLOSES = "the room closes; try again later"
"""The error message for a request that takes longer than the room may take to close."""

FAILED = "the room made a mistake; its keeper finds it in the log as request {}"
"""The error message for a request that failed unexpectedly."""


class Pages(Starlette):
    """The pages and the API. Unexpected errors are left to the door, which answers and logs them."""

    def build_middleware_stack(self) -> ASGIApp:
        return ExceptionMiddleware(self.router)


class Door:
    """Middleware that adds headers to every response and gives new browsers a token. It rejects requests for another
    host, requests from other sites, and excessive requests. A rejected WebSocket gets an HTTP response. Responses are
    not cached unless they say how long they may be cached. Requests that are still running when the room closes are
    rejected too. An unexpected error is logged with an id, which the response names."""

    def __init__(self, app: ASGIApp, guests: Guests, reach: Reach, room: Room) -> None:
        self.app, self.guests, self.reach, self.room = app, guests, reach, room
        self.noted = Allowance(1, 60)  # or a stranger could fill the disk with log lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        guest = self.guests.of(connection, self.room.house.epochs)
        is_open = scope["path"].startswith(http.OPEN_TO_ALL)
        fresh = self.guests.new() if guest is None and not is_open else ""
        scope.setdefault("state", {})["guest"] = guest or fresh

        begun = False

        async def send_first(message: Message) -> None:  # does not refer to send_on: a cycle would keep the connection
            nonlocal begun
            begun = True
            if message["type"] == "websocket.close":
                rejected = http.refused("there is no table here", 404)
                rejected.headers.update(HEADERS | {"cache-control": "no-store"})
                self.room.store.meter.responded(rejected.status_code)
                await rejected(scope, receive, send)
                return
            if message["type"] != "websocket.accept":
                headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                if all(name != b"cache-control" for name, _ in message["headers"]):
                    headers.append((b"cache-control", b"no-store"))
                is_taken = any(name == b"set-cookie" for name, _ in message["headers"])
                is_given = fresh or (guest and http.is_visit(scope["path"]))
                if is_given and not refusal and not is_taken and scope["type"] == "http":
                    holder = Response()
                    if fresh:
                        self.guests.give(holder, fresh)
                    else:
                        self.guests.renew(holder, connection)
                    headers += [pair for pair in holder.raw_headers if pair[0] == b"set-cookie"]
                message["headers"] = [*message["headers"], *headers]
                self.room.store.meter.responded(message["status"])
            await send(message)

        def send_on(message: Message) -> Awaitable[None]:
            return send(message) if begun else send_first(message)

        refusal = self.refusal(connection, guest, fresh)
        if refusal and self.noted.spend():
            fields = {"status": refusal.status_code, "address": http.address_of(connection)}
            log.info("a request was refused", extra=fields)
        try:
            await (refusal or self.app)(scope, receive, send_on)
        except asyncio.CancelledError:
            if not self.room.readiness.closing:
                raise
            if not begun:
                await http.refused(CLOSES, 503)(scope, receive, send_on)
        except ClientDisconnected:
            raise  # the client is gone
        except Exception as problem:
            number = secrets.token_hex(4)
            log.exception("a request failed", extra={"request": number})
            problem.add_note(f"request {number}")
            if not begun:
                await http.refused(FAILED.format(number), 500)(scope, receive, send_on)
            raise

    def refusal(self, connection: HTTPConnection, guest: str | None, fresh: str) -> Response | None:
        """Return the response to a request that must be rejected, or None."""
        host = connection.headers.get("host", "")
        if host and not is_sane(host):
            return http.refused("this is not a valid host name", 400)
        if host and not self.reach.is_here(host):
            return http.refused(self.reach.whereabouts(host), 421)
        self.reach.note(connection)
        if connection.scope["type"] == "websocket":
            return None  # it checks the rest itself
        method, path = connection.scope["method"], connection.scope["path"]
        excluded = guest in self.room.house.banned or self.room.house.bars(http.address_of(connection))
        if excluded and not http.is_open_to_banned(method, path):
            return http.refused(http.EXCLUDED, 403) if path.startswith("/api/") else RedirectResponse("/privacy", 303)
        if method not in ("GET", "HEAD") and (foreign := self.reach.foreign(connection)):
            return http.refused(foreign, 403)
        if method not in ("GET", "HEAD") and fresh and "origin" in connection.headers:
            return http.refused(http.NO_COOKIE, 403)  # a page has been given one: it would be a new guest every time
        if path in http.HEALTH and origin_of(http.address_of(connection)).network == OWN_MACHINE:
            return None
        try:
            named = guest if guest and path.startswith("/api/") else ""
            self.room.limits.spend("request", named, http.address_of(connection))
            if fresh:
                self.room.limits.spend("guest", "", http.address_of(connection))
        except TooFast as problem:
            return http.refused(str(problem), 429, problem.wait)
        return None


def is_sane(host: str) -> bool:
    """Return whether `host` is a valid host name with an optional port."""
    found = SANE_HOST.fullmatch(host)
    return found is not None and int(found[1] or 0) <= 65_535


PAGES = {
    "/": "lobby/lobby.js",
    "/t/{table}": "table/table.js",
    "/g/{table}/analysis": "analysis/analysis.js",
    "/rules/{game}": "learn/rules.js",
    "/learn/{game}": "learn/learn.js",
    "/learn/{game}/{lesson}": "table/table.js",
    "/privacy": "privacy/privacy.js",
    "/you": "you/you.js",
    "/ratings/{game}": "kit/page.js",
    "/today": "today/today.js",
    "/evening/{evening}": "evening/evening.js",
}
"""The paths of pages, with the first module of each page."""


def page_route(path: str, first: str, version: str) -> Route:
    """Return the route of the page at a path."""

    async def show(request: Request) -> Response:
        replayed = "move" in request.query_params
        text = page("replay/replay.js" if replayed else first, version)
        more = await look_ahead(request)
        if replayed and "table" in request.path_params:
            more += await preview(request)
        text = text.replace(END_OF_HEAD, more + END_OF_HEAD)
        return HTMLResponse(text, headers={"Cache-Control": ASK_AGAIN})

    return Route(path, show, middleware=SMALLER)


async def look_ahead(request: Request) -> Markup:
    """Return the links that fetch the look of a table's game, or of a lesson's, together with the page's modules,
    which would ask for it only when they run. A page without cards has none."""
    found = request.path_params
    if "lesson" in found:
        game, place = found["game"], f"lessons/{found['game']}/{found['lesson']}"
    elif "table" in found:
        try:
            live = await http.table_in(request)
        except FairdealError:
            return Markup("")
        game, place = live.terms.game, f"tables/{live.id}"
    else:
        return Markup("")
    return LOOK.format(game=game, place=place)


LOOK = Markup("""
    <link rel="preload" href="/games/{game}/skin.css" as="style" />
    <link rel="preload" href="/games/{game}/emblems.svg" as="fetch" crossorigin />
    <link rel="preload" href="/api/{place}/faces" as="fetch" crossorigin />""")


async def preview(request: Request) -> Markup:
    """Return the tags from which messengers build a preview of the link to a replay. Their text does not reveal the
    result; the picture does. A game that is not finished has no such tags."""
    try:
        live = await http.table_in(request)
        names = http.finished(live).names
    except FairdealError:
        return Markup("")
    told = {
        "og:type": "website",
        "og:site_name": "fairdeal",
        "og:title": f"{live.terms.title}: {listed(names)}",
        "og:description": "A finished game, to see again move by move.",
        "og:image": f"{http.shared_addresses(request)[0].url}/api/tables/{live.id}/picture.png",
        "og:image:type": http.PNG,
        "og:image:width": WIDTH,
        "og:image:height": HEIGHT,
        "og:image:alt": f"The end of a game of {live.terms.title}",
        "twitter:card": "summary_large_image",
    }
    tag = Markup('\n    <meta property="{}" content="{}" />')
    return Markup("").join(tag.format(*one) for one in told.items())


OWNER = "/owner/{link}"
"""The path of the link that makes a guest the owner of the room."""


async def own(request: Request) -> Response:
    """Make the first guest who opens the link of the owner the owner, and show the lobby without the link."""
    gate: Gate | None = request.app.state.gate
    if request.method == "HEAD" or not gate or not gate.claim(request.path_params["link"], request.state.guest):
        return http.refused("this link works once, and has been used, or is wrong; a restart prints a new one", 403)
    return RedirectResponse("/", 303)


async def create_app(store: Store, settings: Settings, reach: Reach | None = None, gate: Gate | None = None) -> Door:
    """Create the application for a database. `reach` has its addresses, and `gate` can open it to the network."""
    base = settings.base.rstrip("/")
    reach = reach or Reach(base)
    guests = Guests(await kept_key(store, "signing"), secure=base.startswith("https:"))
    keys = await kept_keys(store)
    is_safe = base.startswith("https:") or is_home(urlsplit(base).hostname or "")  # or browsers take no notices
    pushes = is_safe and settings.push
    sender = Sender(keys.seed("push"), settings.contact or base, settings.push) if pushes else None
    notices = Notices(store, settings.webhooks, base, sender)
    room = Room(store, settings.pause, notices.turned, settings.compile, keys, limits=settings.limits)
    room.change = change_in(settings.daily)
    room.house = await store.read(house_of)  # before the first guest comes

    if settings.backup:
        every = seconds_in(settings.every)
        room.backups = Backups(store, settings.database, Path(settings.backup), keys.public, every, settings.keep)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        days = settings.keep_finished_days, settings.keep_unfinished_days
        works = [room.mind(), room.watch_days(), room.tidy(), keep_house(room), notices.run(room.find)]
        works += [delete_old_tables(room, *days), *([room.backups.run()] if room.backups else ())]
        keeping = [asyncio.create_task(work) for work in works]
        yield
        for task in keeping:
            task.cancel()
        await asyncio.gather(*keeping, return_exceptions=True)
        room.work.close()
        room.offers.close()
        room.thinking.close()
        await room.analyses.close()
        await room.modules.close()
        await notices.close()

    web = Files()
    inner = Pages(
        routes=[
            *http.routes(),
            WebSocketRoute("/api/tables/{table}/play", play),
            WebSocketRoute("/api/lessons/{game}/{lesson}/play", learn),
            Route(OWNER, own),
            *keeper_routes(web.version, guests.secure),
            *keep_routes(web.version),
            *app_routes(web.version),
            *(page_route(path, first, web.version) for path, first in PAGES.items()),
            Mount("/web", web, middleware=SMALLER),
        ],
        lifespan=lifespan,
    )
    inner.state.room, inner.state.guests, inner.state.notices = room, guests, notices
    inner.state.settings, inner.state.reach, inner.state.gate = settings, reach, gate
    return Door(inner, guests, reach, room)
