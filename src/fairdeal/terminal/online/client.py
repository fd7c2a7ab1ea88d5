"""A visit to a room over HTTP, with the facts that this program saves about the room's tables."""

import contextlib
import json
import re
import threading
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx2
import msgspec
from rich.text import Text

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.files import from_json, read_json
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.rulebook import Clause
from fairdeal.engine.scene import Face, Scene
from fairdeal.protocol.bodies import (
    Body,
    GameFacts,
    Join,
    Moment,
    Network,
    Number,
    PageFacts,
    Problem,
    Rename,
    Report,
    Words,
)
from fairdeal.protocol.messages import TABLE_ID, Facts
from fairdeal.table.log import read_log
from fairdeal.table.names import check_name
from fairdeal.table.sitting import Sitting, replay
from fairdeal.table.verdict import CHECKS
from fairdeal.table.verification import verify
from fairdeal.terminal.online import keeper
from fairdeal.terminal.online.asking import Answer, Asking
from fairdeal.terminal.online.keeper import Keeper, fresh_number, write_own
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.dialogs import fairly_dealt, not_proven
from fairdeal.terminal.screens.rules_page import told_page

T = TypeVar("T")

NEWER_ROOM = "This room is newer than this fairdeal, which may misread it. Please update fairdeal."


def known_guests() -> dict[str, dict[str, str]]:
    try:
        return read_json(keeper.guests_file(), dict[str, dict[str, str]])
    except (OSError, msgspec.DecodeError):
        return {}


def keep_guest(address: str, cookies: dict[str, str]) -> None:
    """Save a room's cookies in a file that only this user can read."""
    write_own(keeper.guests_file(), json.dumps(known_guests() | {address: cookies}, indent=1))


LINKS = {"t": ("a table", "/t/abc123"), "evening": ("an evening", "/evening/abc123"), "": ("a room", "")}
"""The kinds of links, in words and with an example."""


def parts_of(link: str, kind: str = "t") -> tuple[str, str]:
    """Return the room's address, and the id of the table or evening. Raises FairdealError if `link` is of another
    kind. A link of a table is one of its room, too."""
    whole = link if "://" in link else f"http://{link}"
    with contextlib.suppress(ValueError):
        parts = urlsplit(whole)
        found = re.fullmatch(rf"(.*?)(?:/today|/{kind or 't'}/({TABLE_ID.pattern}))?/?", parts.path)
        is_whole = found and (found[2] or not kind)
        if found and is_whole and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return f"{parts.scheme}://{parts.netloc}{found[1]}", found[2] or ""
    what, example = LINKS[kind]
    raise FairdealError(f"{link!r} is not a link to {what}; one looks like http://127.0.0.1:8017{example}")


class Declined(FairdealError):
    """Raised, with the room's reason, when the room refuses a request."""


class RoomVisit:
    """A visit to a room, over HTTP."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = Asking(address, known_guests().get(address))

    def greet(self, name: str | None = None, words: str = "") -> None:
        """Be the guest whose name is kept under `words`, if there are any, with what this program's guest has, and set
        the guest's name. Raises FairdealError if that is not possible."""
        self.be("GET", "/api/me")
        if words:
            self.be("POST", "/api/me/words", Words(words=words))
        if name is not None:
            self.ask("POST", "/api/me", Rename(name=check_name(name)))

    def be(self, method: str, path: str, body: Body | None = None) -> None:
        """Send a request, and be the guest for whom the room answers it from now on."""
        given = self.ask(method, path, body).cookies
        if given:
            self.http.cookies = httpx2.Cookies(given)
            keep_guest(self.address, given)

    def fetch(self, path: str, kind: type[T]) -> T:
        return self.read(self.ask("GET", path), kind)

    def read(self, answer: Answer, kind: type[T]) -> T:
        try:
            return from_json(answer.content, kind)
        except msgspec.DecodeError:
            raise FairdealError(
                f"the server at {self.address} is not a room that this version of fairdeal can connect to"
            ) from None

    def ask(self, method: str, path: str, body: Body | None = None) -> Answer:
        """Send a request to the room. Raises Declined with the room's reason, or FairdealError if the room cannot be
        reached."""
        answer = self.http.ask(method, path, msgspec.to_builtins(body))
        if not answer.is_success:
            raise Declined(self.read(answer, Problem).reason)
        return answer

    def close(self) -> None:
        self.http.close()


class Visit(RoomVisit):
    """A visit to a table of a room, over HTTP."""

    def __init__(self, link: str) -> None:
        address, self.table = parts_of(link)
        super().__init__(address)
        self.keeper = Keeper(self.address, self.table)
        self.next = "", ""  # the room's commitment for the rematch, and the one to an own nonce
        self.asks = True
        self.turn = threading.Lock()
        self.note = ""
        self.invitation = ""  # the link for others, and where it works

    @property
    def link(self) -> str:
        return f"{self.address}/t/{self.table}"

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    @property
    def stream(self) -> str:
        """The address of the table's WebSocket, which sends changes to scenes."""
        return f"{self.address.replace('http', 'ws', 1)}{self.path}/play?patches=1"

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    def come_in(self, name: str | None = None, words: str = "") -> None:
        """Become a guest of the room as `greet` does, take a free seat if there is one, and fetch everything that does
        not change. Raises FairdealError if the guest cannot enter the table."""
        self.greet(name, words)
        self.sit_down()

    def sit_down(self, watches: bool = False) -> None:
        """Take a seat, if one is free and the user does not only watch, and fetch what the table's screen needs."""
        self.keeper = Keeper(self.address, self.table, self.asks)
        self.facts = self.fetch_facts()
        if self.facts.free_seats and self.facts.seat == SPECTATOR and not watches:
            digest = self.keeper.sit(self.facts) if self.facts.status == "open" else ""
            try:
                self.facts = self.read(self.ask("POST", f"{self.path}/join", Join(hash=digest)), Facts)
                self.keeper.answered(Number(hash=digest), self.facts)
            except Declined as problem:
                self.note = f"You watch: {problem}."
        self.facts = self.follow(self.facts)
        self.look_for_link()
        faces = self.fetch(f"{self.path}/faces", dict[str, Face])
        self.keeper.saw_faces(faces)
        games = self.fetch("/api/games", list[GameFacts])
        skin = next((game.skin for game in games if game.name == self.facts.game), None)
        if skin is None:
            raise FairdealError(f"the room at {self.address} has no pictures for {self.facts.game}")
        self.catalogue = Catalogue(faces, skin)
        self.clauses = self.fetch(f"/api/games/{self.facts.game}/rules", list[Clause])
        told = self.fetch(f"/api/games/{self.facts.game}/page", PageFacts)
        self.bites = told.page.bites
        self.page = told_page(told.page, Catalogue(told.faces | faces, skin), self.facts.options)

    def fetch_facts(self) -> Facts:
        """Fetch the facts of the table, and record them."""
        facts = self.fetch(self.path, Facts)
        self.keeper.fetched(facts)
        return facts

    def look_for_link(self) -> None:
        """Ask the room which link others can open. A room of an earlier version does not say it."""
        try:
            address = self.fetch("/api/network", Network).addresses[0]
        except (FairdealError, IndexError):
            self.invitation = self.invitation or self.link
        else:
            self.invitation = f"{address.url}/t/{self.table} {address.text}".rstrip()

    def move_on(self, table: str) -> None:
        """Move to another table of the room. A spectator remains one."""
        watches = self.facts.seat == SPECTATOR
        if not TABLE_ID.fullmatch(table):
            raise FairdealError(f"the room sent {table!r}, which is not the id of a table")
        self.table, self.note, self.invitation = table, "", ""
        self.sit_down(watches)

    def leave(self) -> None:
        """Leave the table. The facts saved about the table remain."""
        with contextlib.suppress(FairdealError):
            self.ask("POST", f"{self.path}/leave")

    # --- the deal ---------------------------------------------------------------------------------------------------

    def follow(self, facts: Facts) -> Facts:
        """Send the commitments or nonces that the deal waits for, and return the latest facts. If the table has changed
        in the meantime, fetch it again."""
        with self.turn:
            replies = self.keeper.replies(facts)
            with contextlib.suppress(StopIteration):
                body = next(replies)
                while True:
                    try:
                        facts, taken = self.read(self.ask("POST", f"{self.path}/number", body), Facts), True
                    except Declined:
                        facts, taken = self.fetch(self.path, Facts), False
                    body = replies.send((facts, taken))
            return facts

    def bind_next(self, promise: str) -> str:
        """Make a nonce for the rematch whose seed has the commitment `promise`. Return the commitment to the nonce."""
        if self.next[0] != promise:
            self.next = promise, fresh_number(self.address, promise)
        return self.next[1]

    def check(self) -> tuple[Text, list[str]]:
        """Verify the log of the finished game, and compare it with the saved facts. Return the outcome in words and a
        list of the successful checks, which is empty if something is not proven."""
        try:
            text = self.log_text()
            if read_log(text).seed is None:
                return not_proven([CHECKS["seed"].unknown["hidden"]]), []
            log, found = verify(text, self.keeper.record)
            if claims := [one.text for one in found if one.ok is None]:
                return not_proven(claims), []
            return fairly_dealt(log, self.link), [one.text for one in found]
        except BadLog as problem:
            told = f"{problem.reason}\nThis program’s records: {self.keeper.path}"
            return Text.assemble(("✗ This deal was not kept. ", "bold"), told), []
        except Declined as problem:
            return not_proven([f"The room does not send the log: {problem}."]), []
        except FairdealError as problem:
            return not_proven([f"The deal could not be checked here: {problem}."]), []

    def log_text(self) -> str:
        """Return the log of the finished game from the room. Raises FairdealError if the room does not send it."""
        return self.ask("GET", f"{self.path}/log").text

    @property
    def log_file(self) -> Path:
        """Path at which the log of a finished game is saved, with its analysis next to it."""
        return self.keeper.path.with_suffix(".log")

    def finished(self) -> Sitting:
        """Replay the finished game from its log, and save the log. Raises FairdealError if that fails."""
        text = self.log_text()
        log = read_log(text)
        if log.seed is None:
            raise FairdealError("its log does not reveal the seed")
        sitting = replay(log, log.seed)
        write_own(self.log_file, text)
        return sitting

    def moment(self, move: int, seat: int) -> Scene:
        """Return the scene of the finished game after move `move`, as a seat saw it. Raises FairdealError if the room
        does not send it."""
        return self.fetch(f"{self.path}/moments/{move}?seat={seat}", Moment).scene

    def report(self, what: Report) -> None:
        """Report a line of chat, or a name, to the keeper of the room. Raises FairdealError with the reason if the room
        does not accept it."""
        self.ask("POST", f"{self.path}/report", what)
