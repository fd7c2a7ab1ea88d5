"""The HTTP API: guests, games, the lobby, and everything about a table except live play."""

import contextlib
import csv
import functools
import hashlib
import io
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec
import segno
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fairdeal.bots.company import company
from fairdeal.bots.levels import FACES, Level, levels_of
from fairdeal.bots.registry import usual_bot
from fairdeal.engine import page as pages
from fairdeal.engine.errors import BadOption, FairdealError
from fairdeal.engine.files import decoded
from fairdeal.engine.game import Game
from fairdeal.engine.inspection import Inspection, inspect
from fairdeal.engine.observe.interface import Description
from fairdeal.engine.options import Preset, as_dict, check_depth, option_fields, read_options, schema_of
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game, game_names, installed_games
from fairdeal.engine.rulebook import Clause
from fairdeal.engine.scene import Face, Scene, listed
from fairdeal.engine.state import table_for
from fairdeal.protocol import bodies as b
from fairdeal.protocol.daily import DayRecord
from fairdeal.protocol.messages import Facts, Told
from fairdeal.server.api import daily, evening, opening
from fairdeal.server.api.clearing import clear, forget
from fairdeal.server.api.history import history_of
from fairdeal.server.api.keeper import look
from fairdeal.server.api.lobby import listing, waiting
from fairdeal.server.api.merging import become
from fairdeal.server.documents.evening import evening_page
from fairdeal.server.documents.privacy import privacy_of
from fairdeal.server.documents.rules import all_clauses, facts_of, rules_in_short
from fairdeal.server.documents.today import today_page
from fairdeal.server.documents.you import ratings_page, you_page
from fairdeal.server.extras.analyses import Unanalysed, told_by
from fairdeal.server.extras.modules import NoModule, NotYet, addresses_of
from fairdeal.server.extras.notices import Notices
from fairdeal.server.limits import TooFast, TooMany
from fairdeal.server.long_work import Client
from fairdeal.server.looks import SERVED, look_of
from fairdeal.server.network import addresses
from fairdeal.server.network.gate import Gate, NotOpened, NotTheOwner
from fairdeal.server.network.reach import Reach
from fairdeal.server.room import NoTable, Room, Unreadable
from fairdeal.server.share.cards import Undrawn
from fairdeal.server.share.daily import daily_print
from fairdeal.server.share.pictures import drawn
from fairdeal.server.static_files import FOREVER, KINDS, SMALLER
from fairdeal.server.storage import reporting
from fairdeal.server.storage.own_data import data_of
from fairdeal.server.storage.queries import record_of
from fairdeal.server.storage.ratings import ranking
from fairdeal.server.storage.readiness import NotReady
from fairdeal.server.storage.store import NotSaved
from fairdeal.server.tables import guests, seating
from fairdeal.server.tables.dealing import show_number
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.terms import Terms
from fairdeal.table.analysis import Held, Sums
from fairdeal.table.analysis.hands import with_all_hands
from fairdeal.table.analysis.highlights import round_ends
from fairdeal.table.analysis.holdings import held
from fairdeal.table.clocks import DAY
from fairdeal.table.lessons import find_script, offers_of
from fairdeal.table.log import Log
from fairdeal.table.sitting import Sitting

LONGEST_BODY, LONGEST_SUMS = 32_768, 1 << 20
"""Maximum size of a body, and of the figures of an analysis, in bytes."""

JSON, TEXT, WASM = "application/json", "text/plain", "application/wasm"
SVG, PNG, CSS, HTML = "image/svg+xml", "image/png", "text/css", "text/html"

QR_CODE: dict[str, Any] = {"border": 4, "dark": "#1d1a16", "light": "#fffdf8"}
"""The look of QR codes."""

HEALTH = ("/api/live", "/api/ready")
"""Addresses that are not rate limited for the room's own machine."""

OPEN_TO_ALL = ("/web/", "/games/", "/modules/", "/app/", "/worker.js", *HEALTH)
"""Prefixes of the paths that can be requested without a guest token."""

OPEN_TO_BANNED = {("GET", "/privacy"), ("GET", "/api/privacy.html"), ("GET", "/api/me/data"), ("DELETE", "/api/me")}
"""Requests that banned guests may make: the page on privacy, and the export and deletion of their own data."""

EXCLUDED = "the keeper of this room has excluded you"
EXCLUDED_HERE = "the keeper of this room has excluded you from this table"
NO_COOKIE = (
    "your browser has not sent a cookie that this room knows, so the room does not recognise you; allow cookies for "
    "this address, and load the page again"
)

T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]
Work = Callable[..., Awaitable[object]]

SEALED = "others can still play this deal of the day; what shows its cards is available when it is closed"


class NotOver(FairdealError):
    """Raised when a request for a running game could reveal hidden cards."""


class NotInviting(FairdealError):
    """Raised when a code is requested for a table that is not waiting for guests, or by a guest without a seat."""


class NotJson(FairdealError):
    """Raised when the content type of a body is not JSON."""


def answer(value: object, status: int = 200, cache: str = "no-store") -> Response:
    return Response(msgspec.json.encode(value), status, media_type=JSON, headers={"Cache-Control": cache})


def refused(reason: str, status: int, wait: int = 0) -> Response:
    """Return an error response with a reason. If `wait` is given, the client may repeat the request after `wait`
    seconds."""
    response = answer(b.Problem(reason), status)
    if wait:
        response.headers["Retry-After"] = str(wait)
    return response


def saved_as(name: str, content: bytes | str, kind: str = JSON) -> Response:
    """Return a response that browsers save as a file."""
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


STATUSES: dict[type[FairdealError], int] = {
    NoTable: 404,
    NotOver: 409,
    NotInviting: 409,
    NotOpened: 409,
    NotTheOwner: 403,
    NotJson: 415,
    TooMany: 429,
    TooFast: 429,
    NotSaved: 503,
    NotReady: 503,
    Unreadable: 503,
    Unanalysed: 503,
    Undrawn: 503,
}
"""HTTP status of each kind of error (default: 400)."""


def with_reasons(handler: Handler) -> Handler:
    """Return the handler with its errors converted into responses that give the reason."""

    @functools.wraps(handler)
    async def safely(request: Request) -> Response:
        try:
            return await handler(request)
        except (FairdealError, msgspec.ValidationError) as problem:
            status = next((status for kind, status in STATUSES.items() if isinstance(problem, kind)), 400)
            return refused(str(problem), status, getattr(problem, "wait", 0))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            return refused(f"not JSON: {problem}", 400)
        except ClientDisconnect:
            return refused("the request was aborted", 400)  # the client is gone

    return safely


async def body_of(request: Request, kind: type[T], longest: int = LONGEST_BODY) -> T:
    """Decode and validate the body of a request. Raises msgspec.ValidationError, NotJson, or FairdealError if the body
    is too long."""
    content, given = await content_of(request, longest)
    if content and given != JSON:
        raise NotJson(f"send the body with the content type {JSON}")
    text = decoded(content) or "{}"
    check_depth(text)
    return msgspec.json.decode(text, type=kind)


async def content_of(request: Request, longest: int = LONGEST_BODY) -> tuple[bytes, str]:
    """Return the body of a request, and its content type. Raises FairdealError if it is too long."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > longest:
            raise FairdealError(f"a body can have at most {longest} bytes")
    return content, request.headers.get("content-type", "").partition(";")[0].strip().lower()


def parameters_in(request: Request, kind: type[T]) -> T:
    """Return the validated parameters in the path and the query. Raises msgspec.ValidationError if one of them is
    invalid."""
    return msgspec.convert({**request.query_params, **request.path_params}, kind, strict=False)


def room_of(request: Request) -> Room:
    room: Room = request.app.state.room
    return room


def notices_of(request: Request) -> Notices:
    notices: Notices = request.app.state.notices
    return notices


def reach_of(request: Request) -> Reach:
    reach: Reach = request.app.state.reach
    return reach


def shared_addresses(request: Request) -> list[b.Address]:
    """Return the addresses of the room for links that others open, the most likely one first."""
    return reach_of(request).for_others(request)


def shared_link(request: Request, path: str) -> tuple[str, str, str]:
    """Return a link for others to a path, why only the room's computer can open it, and the link as a QR code for an
    image. One of the last two is empty."""
    address = shared_addresses(request)[0]
    link = f"{address.url}{path}"
    if address.works == "computer":
        return link, address.text, ""
    return link, "", segno.make(link, error="m").svg_data_uri(**QR_CODE)


def gate_of(request: Request) -> Gate | None:
    gate: Gate | None = request.app.state.gate
    return gate


def guest_of(request: Request) -> str:
    guest: str = request.state.guest
    return guest


def address_of(connection: HTTPConnection) -> str:
    """Return the address of a client, or an empty string for a local socket."""
    return connection.client.host if connection.client else ""


def is_open_to_banned(method: str, path: str) -> bool:
    """Return whether banned guests may make a request."""
    return (method, path) in OPEN_TO_BANNED or path.startswith(OPEN_TO_ALL)


def is_visit(path: str) -> bool:
    """Return whether a request for a path is a visit, after which the cookie lasts for another year: one for a page, or
    for the guest's own name."""
    return path == "/api/me" or not path.startswith(("/api/", *OPEN_TO_ALL))


def client(request: Request) -> Client:
    """Return the client to which long work is charged."""
    return Client.of(guest_of(request), address_of(request))


def spend(request: Request, kind: str) -> None:
    """Spend tokens of the rate limits of the guest and the address. Raises TooFast if there are not enough tokens."""
    room_of(request).limits.spend(kind, guest_of(request), address_of(request))


async def table_in(request: Request) -> LiveTable:
    live = await room_of(request).find(request.path_params["table"])
    check_seal(live, guest_of(request))
    return live


def facts(request: Request, live: LiveTable) -> Facts:
    """Return a table as its guest sees it, without its cards."""
    return live.facts(guest_of(request))


def check_seal(live: LiveTable, guest: str) -> None:
    """Raise NoTable if a table has cards that only its own guest may see yet."""
    if live.is_sealed and live.seats.of(guest) == SPECTATOR:
        raise NoTable("this is a try at the deal of the day, which others can see when the deal is closed")


# --- guests and games -------------------------------------------------------------------------------------------


async def me(request: Request) -> b.Me:
    """Return your name. The first request sets a cookie with your token, which you must send with every request."""
    return b.Me(await guests.name_of(room_of(request).store, guest_of(request)))


async def rename(request: Request, body: b.Rename) -> b.Me:
    """Set your name, a nickname of your choice. If it is longer than 24 characters, or could be taken for an opponent
    or a word of the room, pages get an error; for programs, which send no Origin, it is cut, or ` (guest)` is
    appended."""
    room = room_of(request)
    marks = "origin" not in request.headers  # programs of earlier versions give a bot its own name
    most = room.limits.settings.guest_names
    name = await guests.rename(room.store, guest_of(request), body.name, most, marks)
    return b.Me(name)


async def be_kept(request: Request, body: b.Words) -> object:
    """Be the guest whose name is kept under six words, with a new token. By default, everything that you have in the
    room is linked to that guest; this is refused if you both have seats at the same unfinished table."""
    found = await become_kept(request, body.words, body.brings)
    response = answer(b.Me(await guests.name_of(room_of(request).store, found.guest)))
    request.app.state.guests.give(response, found.guest, found.epoch)
    return response


async def become_kept(request: Request, words: str, brings: bool) -> Any:
    """Return the row of the guest who keeps a name under words, and let the owner of the room be that guest if what
    they have is brought along."""
    spend(request, "own_data")
    found = await become(room_of(request), guest_of(request), words, brings)
    if brings and (gate := gate_of(request)) and gate.is_owner(guest_of(request)):
        gate.owner = found.guest
    return found


async def own_data(request: Request) -> object:
    """Return everything that the room has linked to you, as a file."""
    spend(request, "own_data")
    guest = guest_of(request)
    content = await room_of(request).store.read(lambda c: msgspec.json.format(msgspec.json.encode(data_of(c, guest))))
    return saved_as("fairdeal-data.json", content)


async def forget_me(request: Request) -> object:
    """Delete everything that the room has linked to you, and your token. In a running game, a bot plays on for you.
    Games with other people remain, with your name in their logs, but without a link to you. A ban remains."""
    spend(request, "own_data")
    response = answer(await forget(room_of(request), guest_of(request)))
    request.app.state.guests.take(response)
    response.headers["Clear-Site-Data"] = '"storage"'
    if gate := gate_of(request):
        gate.forget(guest_of(request))
    return response


async def own_history(request: Request, asked: b.HistoryFor) -> b.History:
    """Return your finished games, what they add up to, and your ratings."""
    spend(request, "hint")
    store, guest = room_of(request).store, guest_of(request)
    name = await guests.name_of(store, guest)
    return await store.read(lambda c: history_of(c, guest, name, away_of(request), asked))


async def history_document(request: Request, asked: b.HistoryFor) -> object:
    """Return the page about your finished games as HTML."""
    return you_page(await own_history(request, asked), asked)


async def ratings_document(request: Request) -> object:
    """Return the page with the ratings of the guests in a game, and of its opponents, as HTML."""
    spend(request, "hint")
    game = find_game(request.path_params["game"])
    players = await room_of(request).store.read(lambda c: ranking(c, game))
    return ratings_page(game, players)


async def privacy(request: Request) -> object:
    """Return the page about your data as HTML: which data the room and your browser keep, and for how long."""
    banned = guest_of(request) in room_of(request).house.banned
    return privacy_of(request.app.state.settings, banned)


async def be_away(request: Request, body: b.BeAway) -> b.Away:
    """Be away until a time, for at most 30 days in a year, or be back. Meanwhile, your clocks in days stand still, and
    the others at these tables see until when."""
    spend(request, "own_data")
    room, guest = room_of(request), guest_of(request)
    await guests.be_away(room.store, guest, body.until, room.house.away(guest)[1])
    await look(room)
    return away_of(request)


def away_of(request: Request) -> b.Away:
    until, left = room_of(request).house.away(guest_of(request))
    return b.Away(until, round(left / DAY))


async def own_turns(request: Request) -> list[str]:
    """Return the tables at which other people wait for you, in the order in which to play there."""
    mine, _ = await listing(room_of(request), guest_of(request))
    return waiting(mine)


async def webhook(request: Request) -> b.Webhook:
    """Return the web address that is notified of your turn, the hosts to which the room may send notifications, and
    whether it pushes notices to browsers."""
    return await notices_of(request).facts(guest_of(request))


async def set_webhook(request: Request, body: b.SetWebhook) -> b.Webhook:
    """Set the URL that is notified of your turn. When your turn starts while you are not connected to the table, the
    room sends a POST request with the JSON fields `table`, `link`, `game`, `names`, `text` and `seq`."""
    await notices_of(request).keep(guest_of(request), body.address, reach_of(request).own_url(request))
    return await webhook(request)


async def drop_webhook(request: Request) -> b.Webhook:
    """Delete your web address, so that you are no longer notified."""
    await notices_of(request).keep(guest_of(request), "", "")
    return await webhook(request)


async def set_device(request: Request, body: b.SetDevice) -> b.Webhook:
    """Let a browser of yours show notices of your turn by Web Push, with the same fields, or no more. Set the hours in
    which none of your browsers shows any."""
    spend(request, "own_data")
    await notices_of(request).keep_device(guest_of(request), body)
    return await webhook(request)


async def games(request: Request) -> list[b.GameFacts]:
    """Return the games, each with its presets, the schema of its options, its skin, and its opponents (`levels`),
    sorted from the weakest to the strongest."""
    return [game_facts(game.name) for game in installed_games()]


@functools.cache
def game_facts(name: str) -> b.GameFacts:
    game = find_game(name)
    presets = tuple(
        b.Preset(
            name, *game.words_of_preset(name), dict(options), tables_of(game, options), options.minutes or game.minutes
        )
        for name, options in game.presets.items()
    )
    return b.GameFacts(
        name=game.name,
        title=game.title,
        designer=game.designer,
        publisher=game.publisher,
        goal=game.goal,
        blurb=game.blurb,
        players=game.players,
        usual_players=game.options().players,  # type: ignore[call-arg]
        minutes=game.minutes,
        weight=game.weight,
        presets=presets,
        options=schema_of(game.options),
        skin=game.skin,
        look=game.look,
        levels=tuple(level_facts(name, level, game) for name, level in levels_of(game).items()),
        usual=usual_bot(game),
        lessons=offers_of(game),
        calm_race=game.calm_race,
        learned=bool(game.learned),
    )


def tables_of(game: Game, preset: Preset) -> dict[str, dict[str, Any]]:
    """Return the options of a preset's tables that differ from their defaults, by the number of players."""
    usual = {name: msgspec.to_builtins(field.default) for name, field in option_fields(game.options).items()}
    found = {}
    lowest, highest = game.players
    for players in range(lowest, highest + 1):
        with contextlib.suppress(BadOption):
            options = as_dict(read_options(game.options, preset | {"players": players}))
            differing = {name: value for name, value in options.items() if value != usual[name]}
            found[str(players)] = {name: value for name, value in differing.items() if name != "players"}
    return found


def level_facts(name: str, level: Level, game: Game) -> b.LevelFacts:
    face = FACES[name]
    known = (face.id, face.name, face.line, face.colour, face.animal, face.pips, face.pronoun)
    return b.LevelFacts(*known, rating=level.rating, company=company(name, game.players[1], game))


async def record(request: Request) -> dict[str, b.Against]:
    """Return your wins in finished games, and the wins of each opponent in the same games, by the opponent's id."""
    game, guest = find_game(request.path_params["game"]), guest_of(request)
    met = await room_of(request).store.read(lambda c: record_of(c, guest, game.name))
    return {name: b.Against(*wins) for name, wins in met.items()}


async def rules(request: Request) -> list[Clause]:
    """Return the rules of a game in plain words, clause by clause."""
    game = find_game(request.path_params["game"])
    return [*clauses_of(game.name)]


@functools.cache
def clauses_of(name: str) -> tuple[Clause, ...]:
    return pages.told_clauses(find_game(name))


async def rules_page(request: Request) -> b.PageFacts:
    """Return the page with the rules of a game, and the cards shown on it."""
    return facts_of(find_game(request.path_params["game"]).name)


async def rules_document(request: Request, asked: b.RulesFor) -> object:
    """Return the page with the rules of a game as HTML, for a table with some options."""
    check_depth(asked.options)
    changed = msgspec.json.decode(asked.options, type=dict[str, Any])
    return rules_in_short(request.path_params["game"], changed)


async def clauses_document(request: Request) -> object:
    """Return the rules of a game as HTML, clause by clause."""
    return all_clauses(request.path_params["game"])


async def game_file(request: Request) -> object:
    """Return a file of a game's look: `cover.svg`, `skin.css`, `emblems.svg`, or `box.svg`, the cover of the box that
    it may share with other games. If the game's package lacks the file, it is taken from the parent package, which
    related games share."""
    name, file = request.path_params["game"], request.path_params["file"]
    if name not in game_names() or file not in SERVED:
        return refused("there is no such file", 404)
    return tagged(request, look_of(find_game(name), file), SERVED[file])


def tagged(request: Request, content: bytes | str, kind: str) -> Response:
    """Return a response that browsers cache and revalidate by its ETag."""
    found = Response(content, media_type=kind)
    tag = f'"{hashlib.sha256(found.body).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    found.headers.update(headers)
    return found


# --- the lobby --------------------------------------------------------------------------------------------------


async def lobby(request: Request) -> b.Lobby:
    """Return your own tables, unfinished ones first, and the unfinished tables that other guests have listed."""
    room, guest = room_of(request), guest_of(request)
    mine, free = await listing(room, guest)
    if await opening.is_shut_out(room, guest):
        free = []
    playing = len(room.limits.guests_connected) + room.store.guests_elsewhere
    gate = gate_of(request)
    is_owner = gate is not None and gate.is_owner(guest)
    notices = notices_of(request).is_offered
    house = room.house
    return b.Lobby(
        *(tuple(mine), tuple(free), playing, notices, time.time(), is_owner),
        notice=house.notice,
        holds=house.holds,
        today=await daily.in_short(room, guest),
        evenings=await room.store.read(lambda c: evening.in_short(c, guest)),
    )


async def network(request: Request) -> b.Network:
    """Return the addresses of the room that others can open, and where each of them works. Links and QR codes use the
    first one."""
    gate, nets = gate_of(request), addresses.networks()
    return b.Network(
        addresses=tuple(shared_addresses(request)),
        is_owner=gate is not None and gate.is_owner(guest_of(request)),
        is_open=reach_of(request).is_open or (gate is not None and gate.is_open),
        opens_to=("Wi-Fi" if nets and nets[0].is_wifi else "network") if gate else "",
    )


async def set_network(request: Request, body: b.SetNetwork) -> b.Network:
    """Open the room to the networks of its computer, or close it, which also closes the connections from there. Only
    the owner may do that: the guest who has opened the link that the room printed when it started."""
    gate = gate_of(request)
    if gate is None:
        raise NotOpened("this room cannot be opened or closed while it runs, but only by the settings of its keeper")
    if not gate.is_owner(guest_of(request)):
        raise NotTheOwner("only the guest who first opened the link that the room printed at its start can do that")
    await (gate.open() if body.open else gate.close())
    return await network(request)


async def promise(request: Request) -> b.Promise:
    """Return a commitment to the seed of a new table. Then make your nonce, and open the table with the hash of the
    nonce and the ticket."""
    spend(request, "promise")
    return b.Promise(*room_of(request).keys.promise(guest_of(request)))


async def room_key(request: Request) -> b.RoomKey:
    """Return the public key with which this room signs its logs. It never changes, so save it."""
    return b.RoomKey(room_of(request).keys.public)


async def open_table(request: Request, body: b.NewTable) -> Facts:
    """Open a table."""
    spend(request, "open")
    live = await opening.open_table(room_of(request), guest_of(request), **msgspec.structs.asdict(body))
    return facts(request, live)


async def today(request: Request, asked: b.DealFor) -> b.Today:
    """Return the deal of the day: what you can play now, and what came of your try."""
    room, guest = room_of(request), guest_of(request)
    return await daily.view(room, guest, asked.deal, client(request), lambda: spend(request, "analysis"))


async def today_document(request: Request, asked: b.DealFor) -> object:
    """Return the page of the deal of the day as HTML."""
    return today_page(await today(request, asked))


async def today_picture(request: Request, asked: b.DealFor) -> object:
    """Return your result at a deal of the day as a picture that shows no cards."""
    found = await today(request, asked)
    if found.state != "over":
        raise NotOver("there is a picture when your counted try is over")
    spend(request, "hint")
    return await drawn(daily_print(found))


async def play_today(request: Request, body: b.Try) -> Facts:
    """Play a deal of the day. If you have begun your counted try, it is that table."""
    spend(request, "open")
    live = await daily.play(room_of(request), guest_of(request), body)
    return facts(request, live)


async def show_own_number(request: Request, body: b.OwnNumber) -> DayRecord:
    """Show a number that was bound with yesterday's tries, for tomorrow's deal. Return the record of that deal."""
    spend(request, "promise")
    return await daily.show(room_of(request), body.number)


async def day_record(request: Request, asked: b.DealFor) -> object:
    """Return the record of a deal of the day, which proves the deal when it is closed, or the closed list of
    tomorrow's."""
    number = asked.deal or await daily.today_in(room_of(request))
    return saved_as(f"fairdeal {number}.json", msgspec.json.encode(await daily.record(room_of(request), number)))


async def open_evening(request: Request, body: b.NewEvening) -> b.Evening:
    """Open an evening: a tournament by link."""
    spend(request, "open")
    made = await evening.open_evening(room_of(request), guest_of(request), body)
    return await evening.view(room_of(request), guest_of(request), made)


async def show_evening(request: Request) -> b.Evening:
    """Return an evening: its players, games and standings."""
    return await evening.view(room_of(request), guest_of(request), request.path_params["evening"])


async def act_at_evening(request: Request, body: b.EveningAct) -> b.Evening:
    """Enter an evening or leave it, or run it as its host."""
    spend(request, "promise")
    await evening.do(room_of(request), guest_of(request), request.path_params["evening"], body)
    return await show_evening(request)


async def evening_document(request: Request) -> object:
    """Return the page of an evening as HTML."""
    found = await show_evening(request)
    link, _, code = shared_link(request, f"/evening/{found.id}")
    return evening_page(found, link, code, await guests.name_of(room_of(request).store, guest_of(request)))


async def evening_results(request: Request) -> object:
    """Return the standings of an evening as a table of comma-separated values."""
    found, out = await show_evening(request), io.StringIO()
    rows = csv.writer(out)
    rows.writerow(b.EveningPlayer.__struct_fields__)
    for one in found.players:
        name = f"'{one.name}" if one.name.startswith(("=", "+", "-", "@")) else one.name  # no formula
        rows.writerow(msgspec.structs.astuple(one.replaced(name=name)))
    return out.getvalue()


async def table(request: Request) -> Facts:
    """Return a table without its cards."""
    return facts(request, await table_in(request))


async def clear_away(request: Request) -> Facts:
    """Permanently delete an unfinished table that has no other guests."""
    live = await table_in(request)
    await clear(room_of(request), live, guest_of(request))
    return facts(request, live)


async def join(request: Request, body: b.Join) -> object:
    """Take a free seat: before the deal, or in a running game that a player has left for good. There you play on with
    their cards, and the log marks your moves with `another`."""
    live = await table_in(request)
    if (live.id, guest_of(request)) in room_of(request).house.excluded:
        return refused(EXCLUDED_HERE, 403)
    await seating.join(live, guest_of(request), body.seat, body.hash)
    return facts(request, live)


async def reveal_nonce(request: Request, body: b.Number) -> Facts:
    """Reveal your nonce when every seat has committed to one, or commit to a new nonce if the room asks for it."""
    live = await table_in(request)
    await show_number(live, guest_of(request), body.nonce, body.hash)
    return facts(request, live)


async def leave(request: Request) -> Facts:
    """Leave the table. Before the deal this frees your seat; after the deal a bot plays for you until you return. A
    game against bots only is paused instead while you are not connected, unless it is rated."""
    live = await table_in(request)
    await seating.leave(live, guest_of(request))
    return facts(request, live)


async def start(request: Request) -> Facts:
    """Start immediately, with bots on the free seats. Only the host of the table can do this."""
    live = await table_in(request)
    await seating.start(live, guest_of(request))
    return facts(request, live)


async def branch(request: Request, body: b.Branch) -> Facts:
    """Open a table that continues a finished game after one of its moves."""
    spend(request, "open")
    live = await table_in(request)
    again = await opening.branch(room_of(request), live, guest_of(request), body.move, body.seat)
    return facts(request, again)


async def faces(request: Request) -> dict[str, Face]:
    """Return the faces of the cards of a table."""
    live = await table_in(request)
    game = find_game(live.terms.game)
    options = live.sitting.table.options if live.sitting else options_of(live.terms)
    return {**game.faces(options)}


async def lesson_faces(request: Request) -> dict[str, Face]:
    """Return the faces of the cards of a lesson."""
    script = find_script(request.path_params["game"], request.path_params["lesson"])
    table = table_for(script.game, script.options)
    return {**table.game.faces(table.options)}


async def table_rules(request: Request) -> b.TableRules:
    """Return the rules of a finished game, from which a program can replay it."""
    live = await table_in(request)
    if not live.is_over or live.sitting is None:
        raise NotOver(live.unreadable or "the rules of a table are available when the game is over")
    table = live.sitting.table
    try:
        names = await room_of(request).modules.of(table.game)
    except NoModule as problem:
        return b.TableRules(missing=str(problem), waits=isinstance(problem, NotYet))
    start = table.blank().record.tobytes().hex()
    return b.TableRules(*addresses_of(names), start)


async def module(request: Request) -> object:
    """Return the rules of a game as a WebAssembly module, by the SHA-256 of the module."""
    return file_by_hash(request, WASM)


async def module_description(request: Request) -> object:
    """Return the description of a module, by the SHA-256 of the description."""
    return file_by_hash(request, JSON)


def file_by_hash(request: Request, kind: str) -> Response:
    found = room_of(request).modules.files.get(request.path_params["hash"])
    if found is None:
        return refused("there is no such file", 404)
    response = tagged(request, found, kind)
    response.headers["Cache-Control"] = FOREVER
    return response


def options_of(terms: Terms) -> Any:
    return table_for(terms.game, terms.options).options


def log_of(live: LiveTable) -> Log:
    """Return the log of a table. Raises FairdealError if the log is not public."""
    written = live.written if live.is_over or live.unreadable else None
    if live.unreadable and written is None:
        raise Unreadable(live.unreadable)
    if live.is_sealed:
        raise NotOver(SEALED)
    if written is None:
        raise NotOver("the log is available when the game is over; until then it could reveal hidden cards")
    return written


async def log(request: Request) -> object:
    """Return the log of a finished game, in the format that `fairdeal verify` reads, or a log that the current rules
    cannot replay."""
    live = await table_in(request)
    return saved_as(f"{live.terms.game} {live.id}.log", log_of(live).text(), TEXT)


def finished(live: LiveTable) -> Sitting:
    """Return the sitting of a finished game. Raises FairdealError if the game is not finished, or if the current rules
    cannot replay it."""
    if live.unreadable:
        raise FairdealError(live.unreadable)
    if live.sitting is None or not live.is_over:
        raise NotOver("you can replay a game only when it is over")
    return live.sitting


def replayed(live: LiveTable, at: b.At) -> tuple[Sitting, Scene]:
    """Return a finished game, and its scene after a move as a seat saw it, or with all hands face up if `at.hands` is
    true. Raises FairdealError if the game is not finished, or if the hands are not public."""
    sitting = finished(live)
    if at.move > sitting.moves_made or at.seat >= len(live.seats):
        raise FairdealError(
            f"the move must be from 0 to {sitting.moves_made}, and the seat from -1 to {len(live.seats) - 1}"
        )
    if not at.hands and not (live.is_sealed and at.seat > 0):
        return sitting, sitting.moment(at.move, at.seat)
    log_of(live)
    return sitting, with_all_hands(sitting, at.move, at.seat)


async def card_of_moment(request: Request, at: b.CardAt) -> object:
    """Return a description of a card after a move of a finished game, by the card's id in that scene."""
    live = await table_in(request)
    sitting, scene = replayed(live, at)
    table = sitting.table
    faces = table.game.faces(table.options)
    found = inspect(table.game, faces, scene, at.card, None)
    return answer(found, cache="private, max-age=3600")


async def moment(request: Request, at: b.MomentAt) -> object:
    """Return a finished game after move `move`, as seen from `seat` (-1: as a spectator), or with all `hands` face up
    if the log is public. With `log`, include the log in words."""
    live = await table_in(request)
    sitting, scene = replayed(live, at)
    lines: tuple[Told, ...] = ()
    marks: tuple[int, ...] = ()
    if at.log:
        stories = room_of(request).stories
        await stories.prepare(live, scene.viewer, client(request))
        lines = stories.lines(live, scene.viewer)
        marks = await room_of(request).work.do(client(request), round_ends, sitting.still())
    return answer(b.Moment(at.move, sitting.moves_made, scene, lines, marks), cache="private, max-age=3600")


async def analysis(request: Request, asked: b.KnownAnalysis) -> b.AnalysisTold:
    """Return the analysis of a finished game, or its progress with the decisions after the first `decisions`. The first
    request starts the analysis. The result is stored."""
    live, room, guest = await table_in(request), room_of(request), guest_of(request)
    finished(live)
    viewer = live.seats.of(guest)
    played = log_of(live)
    charged, begins = client(request), lambda: spend(request, "analysis")
    return await room.analyses.of(live.id, played, charged, begins, asked, viewer)


async def own_analysis(request: Request) -> object:
    """Put the figures of an analysis that your program has computed into words (docs/wasm.md): return the whole
    analysis, its course if they have no decisions, or the decisions. The room does not store it."""
    live, room, guest = await table_in(request), room_of(request), guest_of(request)
    sitting = finished(live)
    log_of(live)
    spend(request, "hint")
    sums = await body_of(request, Sums, LONGEST_SUMS)
    viewer, still = live.seats.of(guest), sitting.still()
    return await room.work.in_turns(client(request), lambda rest: told_by(still, sums, viewer, rest))


async def could_have_held(request: Request, asked: b.Before) -> object:
    """Return the cards that the rivals could have held at a move of a finished game, given the knowledge of the player
    who made it."""
    live = await table_in(request)
    sitting = finished(live)
    log_of(live)
    if asked.move >= sitting.moves_made:
        raise FairdealError(f"the move must be from 0 to {sitting.moves_made - 1}")
    viewer = sitting.log.moves[asked.move].seat
    if viewer < 0:
        raise FairdealError("this move was not made by a player")
    spend(request, "hint")
    found = await room_of(request).work.do(client(request), held, sitting.still(), asked.move, viewer)
    return answer(found, cache="private, max-age=3600")


async def code(request: Request, asked: b.CodeFor) -> object:
    """Return the link of a table as a QR code, with the first address of `GET /api/network`, or with the one that `url`
    names. There is none if only the room's computer can open the link."""
    live = await table_in(request)
    offered = shared_addresses(request)
    found = next((one for one in offered if asked.url in (one.url, "")), None)
    if found is None:
        raise FairdealError(f"url is not an address of this room; it has {listed([one.url for one in offered])}")
    if found.works == "computer":
        raise NotInviting("only the computer of this room can open the link")
    out, link = io.BytesIO(), f"{found.url}/t/{live.id}"
    segno.make(link, error="m").save(out, kind="svg", **QR_CODE)
    return out.getvalue()


async def picture(request: Request) -> object:
    """Return the end of a finished game, as seen by spectators, as a picture of 1200 x 630 pixels for link previews."""
    live, room = await table_in(request), room_of(request)
    sitting = finished(live)
    if live.id not in room.pictures.kept:
        spend(request, "hint")
    return await room.pictures.of(live.id, sitting, client(request))


async def report(request: Request, body: b.Report) -> Facts:
    """Report a line of chat, or the name at a seat, to the keeper of the room, who does not learn who reported it."""
    spend(request, "say")
    live = await table_in(request)
    await room_of(request).store.write(lambda c: reporting.report(c, live.id, body.seat, body.at))
    return facts(request, live)


async def invite(request: Request) -> b.Code:
    """Return a code to say aloud, with which guests can find the table for a limited time. Only players at a table that
    is waiting for guests get a code."""
    live = await table_in(request)
    if live.status != "open" or live.seats.of(guest_of(request)) < 0:
        raise NotInviting("only a player of a table that waits for guests can invite")
    code, seconds = await room_of(request).invitations.code_of(live.id)
    return b.Code(code, math.floor(seconds))


async def invited(request: Request, body: b.Typed) -> Facts:
    """Return the table with the given spoken code."""
    spend(request, "code")
    room = room_of(request)
    table = await room.invitations.table_of(body.code)
    live = table and await room.find(table)
    if not live or live.status != "open":
        raise NoTable("no table waits for guests with this code; ask for a new one")
    return facts(request, live)


async def alive(request: Request) -> b.Health:
    """Return a response whenever the room's process runs."""
    return b.Health("alive")


async def ready(request: Request) -> b.Health:
    """Return whether the room can save and read within a second, and is not closing."""
    await room_of(request).readiness.check()
    return b.Health("ready")


async def openapi(request: Request) -> dict[str, Any]:
    """Return the description of this API."""
    return description()


NAMED = re.compile(r"\{(table|evening|hash|file)\}|/(today|codes)\b")
"""The parts of paths that name something which may not be there."""


types_of = functools.cache(get_type_hints)


class Endpoint(NamedTuple):
    """A method of a path, with its types and statuses. Routes and the OpenAPI description are generated from endpoints.

    handler     what it does, and returns for the response; its annotations name the types. It takes the request, and
                the body if there is one, or of a GET the parameters in path and query (default: text)
    sends       type of the response, if the handler makes the response itself
    takes       type of the body, if the handler reads the body itself
    done        status of a successful response
    conflicts   whether the state of the table or the room may not allow this
    public      whether the response is the same for all guests, so that it may be compressed and cached with an ETag
    reads       whether the handler needs the database, unless the response is public
    kinds       media types of the response, if not the one of the path's ending (default: JSON)
    """

    method: str
    path: str
    handler: Work
    sends: Any = None
    takes: type[msgspec.Struct] | None = None
    done: int = 200
    conflicts: bool = False
    public: bool = False
    reads: bool = True
    kinds: tuple[str, ...] = ()

    @property
    def argument(self) -> type[msgspec.Struct] | None:
        """The type of what the handler takes beside the request."""
        return next((kind for name, kind in types_of(self.handler).items() if name not in ("request", "return")), None)

    @property
    def taken(self) -> type[msgspec.Struct] | None:
        """The type of the body."""
        return self.takes or (None if self.method == "GET" else self.argument)

    @property
    def parameters(self) -> type[msgspec.Struct] | None:
        """The type of the parameters in path and query."""
        return self.argument if self.method == "GET" else None

    @property
    def given(self) -> Any:
        """The type of a JSON response; others are text."""
        return self.sends or types_of(self.handler)["return"] if JSON in self.media else str

    @property
    def media(self) -> tuple[str, ...]:
        """The media types of the response."""
        return self.kinds or (KINDS.get(PurePosixPath(self.path).suffix, JSON),)

    @property
    def statuses(self) -> list[int]:
        """All statuses that the response may have, including those of `server.app.Door`."""
        found = {self.done, 400, 421, 429}
        found |= set() if self.method == "GET" and is_open_to_banned("GET", self.path) else {403}
        found |= {415} if self.taken else set()
        found |= {404} if NAMED.search(self.path) else set()
        found |= {409} if self.conflicts else set()
        found |= {503} if (self.reads and not self.public) or "{table}" in self.path else set()
        found |= {304} if self.public else set()
        return sorted(found)


ROUTES = [
    Endpoint("GET", "/api/me", me),
    Endpoint("POST", "/api/me", rename),
    Endpoint("DELETE", "/api/me", forget_me, sends=b.Forgotten),
    Endpoint("POST", "/api/me/words", be_kept, sends=b.Me),
    Endpoint("GET", "/api/me/turns", own_turns),
    Endpoint("PUT", "/api/me/away", be_away),
    Endpoint("GET", "/api/me/data", own_data, sends=b.OwnData),
    Endpoint("GET", "/api/privacy.html", privacy, reads=False),
    Endpoint("GET", "/api/me/history", own_history),
    Endpoint("GET", "/api/you.html", history_document),
    Endpoint("GET", "/api/ratings/{game}/page.html", ratings_document),
    Endpoint("GET", "/api/webhook", webhook),
    Endpoint("PUT", "/api/webhook", set_webhook),
    Endpoint("DELETE", "/api/webhook", drop_webhook),
    Endpoint("PUT", "/api/device", set_device),
    Endpoint("GET", "/api/games", games, public=True),
    Endpoint("GET", "/api/games/{game}/record", record),
    Endpoint("GET", "/api/games/{game}/rules", rules, public=True),
    Endpoint("GET", "/api/games/{game}/page", rules_page, public=True),
    Endpoint("GET", "/api/games/{game}/rules.html", rules_document, public=True),
    Endpoint("GET", "/api/games/{game}/clauses.html", clauses_document, public=True),
    Endpoint("GET", "/api/lessons/{game}/{lesson}/faces", lesson_faces, public=True),
    Endpoint("GET", "/api/lobby", lobby),
    Endpoint("GET", "/api/network", network, reads=False),
    Endpoint("PUT", "/api/network", set_network, conflicts=True, reads=False),
    Endpoint("GET", "/api/key", room_key, reads=False),
    Endpoint("POST", "/api/promise", promise, reads=False),
    Endpoint("POST", "/api/tables", open_table, done=201),
    Endpoint("GET", "/api/today", today),
    Endpoint("POST", "/api/today", play_today, done=201),
    Endpoint("GET", "/api/today.html", today_document),
    Endpoint("GET", "/api/today/record", day_record, sends=DayRecord),
    Endpoint("POST", "/api/today/number", show_own_number),
    Endpoint("GET", "/api/today/picture.png", today_picture, conflicts=True),
    Endpoint("POST", "/api/evenings", open_evening, done=201),
    Endpoint("GET", "/api/evenings/{evening}", show_evening),
    Endpoint("POST", "/api/evenings/{evening}", act_at_evening),
    Endpoint("GET", "/api/evenings/{evening}/page.html", evening_document),
    Endpoint("GET", "/api/evenings/{evening}/results.csv", evening_results),
    Endpoint("GET", "/api/tables/{table}", table),
    Endpoint("DELETE", "/api/tables/{table}", clear_away),
    Endpoint("POST", "/api/tables/{table}/join", join, sends=Facts),
    Endpoint("POST", "/api/tables/{table}/number", reveal_nonce),
    Endpoint("POST", "/api/tables/{table}/leave", leave),
    Endpoint("POST", "/api/tables/{table}/start", start),
    Endpoint("POST", "/api/tables/{table}/report", report),
    Endpoint("POST", "/api/tables/{table}/branch", branch, done=201),
    Endpoint("GET", "/api/tables/{table}/faces", faces, public=True),
    Endpoint("GET", "/api/tables/{table}/moments/{move}", moment, sends=b.Moment, conflicts=True),
    Endpoint("GET", "/api/tables/{table}/moments/{move}/card", card_of_moment, sends=Inspection, conflicts=True),
    Endpoint("GET", "/api/tables/{table}/log", log, conflicts=True, kinds=(TEXT,)),
    Endpoint("GET", "/api/tables/{table}/rules", table_rules, conflicts=True),
    Endpoint("GET", "/api/tables/{table}/analysis", analysis, conflicts=True),
    Endpoint("POST", "/api/tables/{table}/analysis", own_analysis, sends=b.AnalysisTold, takes=Sums, conflicts=True),
    Endpoint("GET", "/api/tables/{table}/analysis/held", could_have_held, sends=list[Held], conflicts=True),
    Endpoint("GET", "/api/tables/{table}/code.svg", code, conflicts=True),
    Endpoint("GET", "/api/tables/{table}/picture.png", picture, conflicts=True, public=True),
    Endpoint("POST", "/api/tables/{table}/code", invite, conflicts=True),
    Endpoint("POST", "/api/codes", invited),
    Endpoint("GET", "/api/live", alive, reads=False),
    Endpoint("GET", "/api/ready", ready),
    Endpoint("GET", "/api/openapi.json", openapi, public=True),
    Endpoint("GET", "/modules/{hash}.wasm", module, public=True),
    Endpoint("GET", "/modules/{hash}.json", module_description, sends=Description, public=True),
    Endpoint("GET", "/games/{game}/{file}", game_file, public=True, kinds=(SVG, CSS)),
]


def responding(one: Endpoint) -> Handler:
    """Return the handler of an endpoint with its value converted into the response. A public one has an ETag."""

    @functools.wraps(one.handler)
    async def respond(request: Request) -> Response:
        if kind := one.argument:
            asked = parameters_in(request, kind) if one.method == "GET" else await body_of(request, kind)
        found = await (one.handler(request, asked) if kind else one.handler(request))
        if isinstance(found, Response):
            return found
        content = found if isinstance(found, bytes | str) else msgspec.json.encode(found)
        if one.public:
            return tagged(request, content, one.media[0])
        return Response(content, one.done, media_type=one.media[0])

    return respond


def routes() -> list[BaseRoute]:
    return [
        Route(
            one.path,
            with_reasons(responding(one)),
            methods=[one.method],
            middleware=SMALLER if one.public else None,
        )
        for one in ROUTES
    ]


REFUSALS = {
    304: "unchanged since the ETag of `If-None-Match`",
    400: "refused, for the reason in `reason`",
    403: "a page of another site, or one without the cookie, may not send this request, the keeper of the room has "
    "excluded the guest, or only the owner of the room may do this",
    404: "not found",
    409: "the game is not over yet, the log has a newer format than the one asked for, or the room cannot be opened to "
    "others",
    415: "the content type of the body is not `application/json`",
    421: "this room has another address",
    429: "a limit is reached; if it is a rate limit, `Retry-After` gives the seconds to wait",
    503: "the room is closing, or cannot save, read, analyse or draw this at the moment; nothing was changed",
}
"""Descriptions of the statuses of rejected requests."""


@functools.cache
def description() -> dict[str, Any]:
    """Return the OpenAPI description of all `ROUTES`."""
    kinds = [kind for one in ROUTES for kind in (one.given, one.taken) if kind] + [b.Problem]
    found, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(kinds, found, strict=True))
    paths: dict[str, Any] = {}
    for one in ROUTES:
        paths.setdefault(one.path, {})[one.method.lower()] = operation_of(one, schemas)
    problem = {JSON: {"schema": schemas[b.Problem]}}
    refusals = {
        str(status): {"description": words} | ({"content": problem} if status >= 400 else {})
        for status, words in REFUSALS.items()
    }
    refusals["429"]["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "fairdeal", "version": "1", "description": "The play itself runs over a WebSocket."},
        "paths": paths,
        "components": {"schemas": components, "responses": refusals},
    }


def operation_of(one: Endpoint, schemas: dict[Any, Any]) -> dict[str, Any]:
    """Return the OpenAPI description of an endpoint. `schemas` are the schemas of its types."""
    done = {"description": "done", "content": {kind: {"schema": schemas[one.given]} for kind in one.media}}
    operation: dict[str, Any] = {
        "summary": " ".join((one.handler.__doc__ or "").split()),
        "parameters": [*parameters_of(one)],
        "responses": {
            str(status): done if status == one.done else {"$ref": f"#/components/responses/{status}"}
            for status in one.statuses
        },
    }
    if one.taken:
        required = any(field.required for field in msgspec.structs.fields(one.taken))
        content = {JSON: {"schema": schemas[one.taken]}}
        operation["requestBody"] = {"required": required, "content": content}
    return operation


def parameters_of(one: Endpoint) -> Iterator[dict[str, Any]]:
    """Yield the OpenAPI descriptions of an endpoint's parameters."""
    in_path = re.findall(r"\{(\w+)\}", one.path)
    shape = msgspec.json.schema(one.parameters)["$defs"][one.parameters.__name__] if one.parameters else {}
    for name, schema in ({key: {"type": "string"} for key in in_path} | shape.get("properties", {})).items():
        is_required = name in in_path or name in shape["required"]
        place = "path" if name in in_path else "query"
        yield {"name": name, "in": place, "required": is_required, "schema": schema}
