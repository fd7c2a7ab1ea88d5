"""A visit to a room: what it says, as far as the terminal uses it, and coming in by HTTP.

Fields that are not known here are passed over, so that a newer room can be visited.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec
from platformdirs import user_data_dir
from rich.text import Text

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.rulebook import Clause
from fairdeal.engine.scene import Face, Scene, Skin
from fairdeal.table.log import read_log
from fairdeal.table.verification import verify
from fairdeal.terminal.cards import Catalogue
from fairdeal.terminal.dialogs import fairly_dealt

T = TypeVar("T")


# --- what the room says, as far as it is used here ------------------------------------------------------------------


class Chair(msgspec.Struct, frozen=True):
    """A seat as the room knows it."""

    seat: int
    name: str = ""
    plays: str = "person"
    taken: bool = False
    here: bool = False
    stand_in: bool = False
    ready: bool = False


class Deal(msgspec.Struct, frozen=True):
    """What is known of the deal."""

    commitment: str
    header: str = ""
    seed: str = ""


class Facts(msgspec.Struct, frozen=True):
    """A table without its cards."""

    id: str
    game: str
    title: str
    status: str
    chairs: tuple[Chair, ...]
    deal: Deal
    seat: int = SPECTATOR
    rematch: str = ""
    origin: tuple[str, int] | None = None
    readable_only: str = ""


class Told(msgspec.Struct, frozen=True):
    """A line of the log in words."""

    number: int
    seat: int
    text: str
    clauses: tuple[str, ...] = ()


class Said(msgspec.Struct, frozen=True):
    """A line of chat."""

    name: str
    text: str
    seat: int = SPECTATOR
    at: float = 0.0


class Message(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    """From the room."""


class Welcome(Message, tag="welcome", frozen=True):
    """The first message of a connection."""

    facts: Facts
    scene: Scene | None = None
    log: tuple[Told, ...] = ()
    chat: tuple[Said, ...] = ()


class Shown(Message, tag="scene", frozen=True):
    """The table as it is now."""

    scene: Scene
    id: str = ""
    log: tuple[Told, ...] = ()


class Done(Message, tag="done", frozen=True):
    """A request was carried out."""

    id: str


class Refused(Message, tag="refused", frozen=True):
    """A request was not carried out."""

    id: str
    reason: str
    clause: str = ""
    scene: Scene | None = None


class Answer(Message, tag="answer", frozen=True):
    """To `why` and `hint`."""

    id: str
    text: str
    clause: str = ""
    choices: tuple[int, ...] = ()


class Chat(Message, tag="chat", frozen=True):
    """Somebody said something."""

    said: Said


class Table(Message, tag="table", frozen=True):
    """Chairs, deal or status changed."""

    facts: Facts


class Named(msgspec.Struct, frozen=True):
    """A game on the shelf: its name and its look."""

    name: str
    skin: Skin


class Problem(msgspec.Struct, frozen=True):
    """Why the room refused."""

    reason: str


decoder = msgspec.json.Decoder(Welcome | Shown | Done | Refused | Answer | Chat | Table)


# --- coming in ------------------------------------------------------------------------------------------------------


def guests_file() -> Path:
    """Who this user is in each room: cookies by address."""
    return Path(user_data_dir("fairdeal", appauthor=False)) / "guests.json"


def known_guests() -> dict[str, dict[str, str]]:
    try:
        return msgspec.json.decode(guests_file().read_bytes(), type=dict[str, dict[str, str]])
    except (OSError, msgspec.DecodeError):
        return {}


def keep_guest(address: str, cookies: dict[str, str]) -> None:
    """Keep the cookies of a room for this user alone."""
    path = guests_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(known_guests() | {address: cookies}, file, indent=1)
    fresh.replace(path)


def parts_of(link: str) -> tuple[str, str]:
    """The room's address and the table's id. Raises FairdealError if it is no link to a table."""
    whole = link if "://" in link else f"http://{link}"
    with contextlib.suppress(ValueError):
        parts = urlsplit(whole)
        found = re.fullmatch(r"(.*)/t/([\w-]+)/?", parts.path)
        if found and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return f"{parts.scheme}://{parts.netloc}{found[1]}", found[2]
    raise FairdealError(f"{link!r} is no link to a table; one looks like http://127.0.0.1:8017/t/abc123")


class Declined(FairdealError):
    """The room understood, and will not."""


class Visit:
    """A room, and a table there, by HTTP."""

    def __init__(self, link: str) -> None:
        self.address, self.table = parts_of(link)
        self.nonce = ""
        self.note = ""
        self.http = httpx.Client(cookies=known_guests().get(self.address), timeout=20)

    @property
    def link(self) -> str:
        return f"{self.address}/t/{self.table}"

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    def come_in(self, name: str | None = None) -> None:
        """Be somebody, take a seat where one is free, and fetch all that never changes. Raises FairdealError."""
        given = self.ask("GET", "/api/me").cookies
        if given:
            self.http.cookies = httpx.Cookies(dict(given))
            keep_guest(self.address, dict(given))
        if name is not None:
            self.ask("POST", "/api/me", {"name": name})
        self.sit_down()

    def sit_down(self) -> None:
        table = f"/api/tables/{self.table}"
        self.facts = self.fetch(table, Facts)
        self.promised = self.facts.deal.commitment
        if self.facts.status == "open" and self.facts.seat == SPECTATOR:
            nonce = secrets.token_hex(16)
            try:
                self.facts = self.read(self.ask("POST", f"{table}/join", {"nonce": nonce}), Facts)
                self.nonce = nonce
            except Declined as problem:
                self.note = f"You watch: {problem}."
        faces = self.fetch(f"{table}/faces", dict[str, Face])
        games = self.fetch("/api/games", list[Named])
        skin = next((game.skin for game in games if game.name == self.facts.game), None)
        if skin is None:
            raise FairdealError(f"the room at {self.address} does not show what {self.facts.game} looks like")
        self.catalogue = Catalogue(faces, skin)
        self.clauses = self.fetch(f"/api/games/{self.facts.game}/rules", list[Clause])

    def move_on(self, table: str) -> None:
        """Go over to another table of the room."""
        self.table, self.nonce, self.note = table, "", ""
        self.sit_down()

    def leave(self) -> None:
        with contextlib.suppress(FairdealError):
            self.ask("POST", f"/api/tables/{self.table}/leave")

    def check(self, header: str) -> tuple[Text, list[str]]:
        """Recompute the finished game from its log, and hold it against what was promised before: the outcome in words,
        and what was found right."""
        try:
            text = self.ask("GET", f"/api/tables/{self.table}/log").text
            log = read_log(text)
            if log.commitment != self.promised or (header and log.header().decode() != header):
                return Text("✗ The log is not that of the deal which was promised.", style="bold"), []
            if self.nonce and self.facts.seat >= 0 and log.players[self.facts.seat].nonce != self.nonce:
                return Text("✗ Your own number is not in the deal.", style="bold"), []
            log, steps = verify(text)
            return fairly_dealt(log, self.link), steps
        except FairdealError as problem:
            return Text(f"The deal could not be checked here: {problem}"), []

    def fetch(self, path: str, kind: type[T]) -> T:
        return self.read(self.ask("GET", path), kind)

    def read(self, answer: httpx.Response, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.DecodeError:
            raise FairdealError(f"what answers at {self.address} is not a room that this fairdeal knows") from None

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        """Ask the room. Raises Declined with its words, or FairdealError if it cannot be reached."""
        try:
            answer = self.http.request(method, f"{self.address}{path}", json=body)
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            raise FairdealError(f"cannot reach the room at {self.address}: {problem}") from None
        if not answer.is_success:
            raise Declined(self.read(answer, Problem).reason)
        return answer

    def close(self) -> None:
        self.http.close()
