"""A visit to a room over HTTP, with the facts that this program saves about the room's tables."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx2
import msgspec
from platformdirs import user_data_dir
from rich.text import Text

from fairdeal.engine.errors import BadLog, FairdealError, NotReplayable
from fairdeal.engine.files import from_json
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.rulebook import Clause
from fairdeal.engine.scene import Face, Scene
from fairdeal.protocol.bodies import Body, GameFacts, Join, Moment, Number, PageFacts, Problem, Rename
from fairdeal.protocol.messages import Facts
from fairdeal.table import fairness
from fairdeal.table.log import Log, read_header, read_log
from fairdeal.table.receipts import Kept, read_kept
from fairdeal.table.sitting import Sitting, replay
from fairdeal.table.verification import verify
from fairdeal.terminal.online.asking import Answer, Asking
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.dialogs import fairly_dealt
from fairdeal.terminal.screens.rules_page import told_page

T = TypeVar("T")

NEWER_ROOM = "This room is newer than this fairdeal, which may misread it. Please update fairdeal."


def guests_file() -> Path:
    """Return the path of the file with this user's cookies, by room."""
    return Path(user_data_dir("fairdeal", appauthor=False)) / "guests.json"


def known_guests() -> dict[str, dict[str, str]]:
    try:
        return from_json(guests_file().read_bytes(), dict[str, dict[str, str]])
    except (OSError, msgspec.DecodeError):
        return {}


def keep_guest(address: str, cookies: dict[str, str]) -> None:
    """Save a room's cookies in a file that only this user can read."""
    write_own(guests_file(), json.dumps(known_guests() | {address: cookies}, indent=1))


def write_own(path: Path, text: str) -> None:
    """Write a file atomically, so that only this user can read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    fresh.replace(path)


def kept_file(table: str) -> Path:
    """Return the path of the saved facts about a table, for `fairdeal verify --kept`."""
    return guests_file().with_name("kept") / f"{table}.json"


def parts_of(link: str) -> tuple[str, str]:
    """Return the room's address and the table's id. Raises FairdealError if `link` is not a link to a table."""
    whole = link if "://" in link else f"http://{link}"
    with contextlib.suppress(ValueError):
        parts = urlsplit(whole)
        found = re.fullmatch(r"(.*)/t/([\w-]+)/?", parts.path)
        if found and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return f"{parts.scheme}://{parts.netloc}{found[1]}", found[2]
    raise FairdealError(f"{link!r} is not a link to a table; one looks like http://127.0.0.1:8017/t/abc123")


def number_file(digest: str) -> Path:
    """Return the path of the nonce whose commitment is `digest`."""
    return guests_file().with_name("kept") / f"number {digest}.json"


def fresh_number(promise: str) -> Kept:
    """Make a nonce for a seed whose commitment is `promise`. The nonce is saved before its own commitment is sent."""
    return keep_number(Kept(promise=promise, nonce=fairness.new_nonce()))


def keep_number(number: Kept) -> Kept:
    write_own(number_file(fairness.nonce_hash(number.nonce)), msgspec.json.encode(number).decode())
    return number


def known_number(digest: str) -> Kept | None:
    """Return the nonce whose commitment is `digest`, if this program made it."""
    path = number_file(digest)
    return read_kept(path) if fairness.HASH.fullmatch(digest) and path.exists() else None


def header_of(text: str) -> Log | None:
    """Parse a header or an outline. Return None if the text is empty or invalid."""
    try:
        return read_header(text)
    except BadLog:
        return None


def attempt_of(outline: str) -> int:
    """Return the number of times that the room asked for nonces, according to an outline."""
    log = header_of(outline)
    return log.room.attempt if log and log.room else 0


class Declined(FairdealError):
    """Raised, with the room's reason, when the room refuses a request."""


class Visit:
    """A visit to a table of a room, over HTTP."""

    def __init__(self, link: str) -> None:
        self.address, self.table = parts_of(link)
        self.kept: Kept | None = None
        self.next: Kept | None = None
        self.asked, self.fresh = 0, Kept(promise="")
        self.note = ""
        self.http = Asking(self.address, known_guests().get(self.address))

    @property
    def link(self) -> str:
        return f"{self.address}/t/{self.table}"

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    def come_in(self, name: str | None = None) -> None:
        """Set the guest's name, take a free seat if there is one, and fetch everything that does not change. Raises
        FairdealError if the table cannot be entered."""
        given = self.ask("GET", "/api/me").cookies
        if given:
            self.http.cookies = httpx2.Cookies(dict(given))
            keep_guest(self.address, dict(given))
        if name is not None:
            self.ask("POST", "/api/me", Rename(name=name))
        self.sit_down()

    def sit_down(self) -> None:
        table = f"/api/tables/{self.table}"
        self.facts = self.fetch(table, Facts)
        self.kept = read_kept(kept_file(self.table)) if kept_file(self.table).exists() else None
        if self.facts.status == "open" and self.facts.seat == SPECTATOR:
            number = fresh_number(self.facts.deal.commitment)
            try:
                digest = fairness.nonce_hash(number.nonce)
                self.facts = self.read(self.ask("POST", f"{table}/join", Join(hash=digest)), Facts)
                self.keep(number)
            except Declined as problem:
                self.kept, self.note = None, f"You watch: {problem}."
        self.facts = self.follow(self.facts)
        faces = self.fetch(f"{table}/faces", dict[str, Face])
        games = self.fetch("/api/games", list[GameFacts])
        skin = next((game.skin for game in games if game.name == self.facts.game), None)
        if skin is None:
            raise FairdealError(f"the room at {self.address} has no pictures for {self.facts.game}")
        self.catalogue = Catalogue(faces, skin)
        self.clauses = self.fetch(f"/api/games/{self.facts.game}/rules", list[Clause])
        told = self.fetch(f"/api/games/{self.facts.game}/page", PageFacts)
        self.bites = told.page.bites
        self.page = told_page(told.page, Catalogue(told.faces | faces, skin), self.facts.options)

    def move_on(self, table: str) -> None:
        """Move to another table of the room."""
        if not re.fullmatch(r"[\w-]{1,64}", table):
            raise FairdealError(f"the room sent {table!r}, which is not the id of a table")
        self.table, self.note, self.kept, self.asked = table, "", None, 0
        self.sit_down()

    def leave(self) -> None:
        """Leave the table. If it was not dealt, delete the facts saved about it."""
        with contextlib.suppress(FairdealError):
            left = self.read(self.ask("POST", f"/api/tables/{self.table}/leave"), Facts)
            if left.seat == SPECTATOR:
                kept_file(self.table).unlink(missing_ok=True)
                self.kept = None

    # --- the deal ---------------------------------------------------------------------------------------------------

    def keep(self, kept: Kept) -> None:
        """Store the room's statements in memory and on disk."""
        if kept != self.kept:
            self.kept = kept
            write_own(kept_file(self.table), msgspec.json.encode(kept).decode())

    def acknowledged(self, entries: int, chain: str) -> None:
        """Store the room's acknowledgement of `entries` entries."""
        if self.kept and chain and entries >= 0:
            self.keep(self.kept.acknowledged(entries, chain))

    def follow(self, facts: Facts) -> Facts:
        """Send the commitments or nonces that the deal waits for, and return the latest facts."""
        while (body := self.reply(facts)) is not None:
            facts = self.read(self.ask("POST", f"/api/tables/{self.table}/number", body), Facts)
        return facts

    def reply(self, facts: Facts) -> Number | None:
        """Return the commitment or nonce for which the deal waits from this player, after saving the facts that it
        depends on. Return None if the deal does not wait for this player."""
        deal = facts.deal
        if facts.seat == SPECTATOR or self.wrong(facts):
            return None
        chair = facts.chairs[facts.seat]
        if deal.stage == "dealt":
            if self.kept and deal.header and not self.kept.header:
                self.keep(msgspec.structs.replace(self.kept, header=deal.header, key=deal.key, seat=facts.seat))
            return None
        if chair.asked:
            if self.asked != deal.attempt:
                self.asked, self.fresh = deal.attempt, fresh_number(deal.commitment)
            return Number(hash=fairness.nonce_hash(self.fresh.nonce))
        number = known_number(chair.hash)
        if deal.stage != "numbers" or chair.shown or number is None:
            return None
        promise = self.kept.promise if self.kept else number.promise
        outline = number.outline or deal.outline  # a nonce is revealed for one deal only
        changed = outline != deal.outline
        self.keep(Kept(promise=promise, seat=facts.seat, nonce=number.nonce, outline=outline, changed=changed))
        if changed:
            return None
        keep_number(msgspec.structs.replace(number, outline=outline))
        return Number(nonce=number.nonce)

    def wrong(self, facts: Facts) -> str:
        """Return a description of a contradiction between the room's statements, or an empty string."""
        kept, deal = self.kept, facts.deal
        if kept is None:
            return ""
        if deal.commitment != kept.promise:
            return "The room promised one seed and deals from another."
        if kept.denied:
            return "The room acknowledged two different games to you."
        if facts.seat == SPECTATOR:
            return "" if deal.stage != "dealt" else "The room says that you do not sit in this game."
        again = fairness.is_bound(kept.nonce, facts.chairs[facts.seat].hash)
        if deal.stage == "numbers" and kept.outline:
            if again and deal.outline != kept.outline:
                self.keep(msgspec.structs.replace(kept, changed=True))
            if kept.changed or (again and deal.outline != kept.outline):
                return "The room changed the deal after you showed your number."
            if not again and attempt_of(deal.outline) <= attempt_of(kept.outline):
                return "The room asked for new numbers and does not count it."
        return ""

    def bind_next(self, promise: str) -> str:
        """Make a nonce for the rematch, whose seed has the commitment `promise`. Return the commitment to the nonce."""
        if self.next is None or self.next.promise != promise:
            self.next = fresh_number(promise)
        return fairness.nonce_hash(self.next.nonce)

    def check(self) -> tuple[Text, list[str]]:
        """Verify the log of the finished game, and compare it with the saved facts. Return the outcome in words and a
        list of the successful checks."""
        try:
            log, steps = verify(self.log_text(), self.kept)
            return fairly_dealt(log, self.link), steps
        except NotReplayable as problem:
            return Text(f"The deal could not be checked here: {problem}"), []
        except BadLog as problem:
            words = Text("✗ This deal was not kept. ", style="bold")
            words.append(f"{problem.reason}.\nWhat this program kept: {kept_file(self.table)}", style="not bold")
            return words, []
        except FairdealError as problem:
            return Text(f"The deal could not be checked here: {problem}"), []

    def log_text(self) -> str:
        """Return the log of the finished game from the room. Raises FairdealError if the room does not send it."""
        return self.ask("GET", f"/api/tables/{self.table}/log").text

    @property
    def log_file(self) -> Path:
        """The path at which the log of a finished game is saved, with its analysis beside it."""
        return kept_file(self.table).with_suffix(".log")

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
        return self.fetch(f"/api/tables/{self.table}/moments/{move}?seat={seat}", Moment).scene

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
