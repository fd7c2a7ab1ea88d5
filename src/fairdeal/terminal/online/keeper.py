"""The part of a player's own program in a deal: its nonces, and the record of a table that it keeps.

Facts of a table arrive over two connections and may overtake each other, so nothing here depends on their order. A
nonce is bound to the room's address, to the room's commitment and to the table. It is sent for only one outline.
"""

import contextlib
import hashlib
import os
import re
import secrets
import threading
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.files import read_json, read_text, user_file, write_whole
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Face
from fairdeal.protocol.bodies import Number
from fairdeal.protocol.messages import TABLE_ID, Facts, Messages, Table, Welcome
from fairdeal.protocol.record import (
    VERSION,
    Begun,
    Entries,
    Faces,
    Heard,
    Made,
    Missed,
    Reader,
    Recorded,
    Sent,
    entries_of,
    line_of,
)
from fairdeal.table import fairness
from fairdeal.table.log import Log, read_header
from fairdeal.table.receipts import Record, Visit
from fairdeal.table.verdict import before_the_end

MOST_UNASKED = 2
"""Number of failed attempts at a deal after which a person is asked before another nonce is given."""

MOST_REPLIES = 20
"""Maximum number of commitments and nonces sent in response to one message of the room."""

LARGEST_RECORD, LARGEST_FOLDER = 2**25, 2**28
"""Maximum number of bytes of a record, after which nothing more is recorded, and of all records of a room, beyond which
the oldest ones of finished games are deleted."""

TOO_LARGE = f"a record has at most {LARGEST_RECORD >> 20} MiB"


def guests_file() -> Path:
    """Return the path of the file with this user's cookies, by room."""
    return user_file("guests.json")


def write_own(path: Path, content: str | bytes) -> None:
    """Write a file atomically, so that only this user can read it."""
    write_whole(path, content, mode=0o600, syncs=False)


def folder_of(address: str) -> Path:
    """Return the folder of the records of the room at an address: its scheme, host, port and path."""
    parts = urlsplit(address)
    words = re.sub(r"[^a-z0-9.-]+", "_", f"{parts.scheme}-{parts.netloc}{parts.path}".lower())[:60]
    return guests_file().with_name("records") / f"{words}-{hashlib.sha256(address.encode()).hexdigest()[:8]}"


def record_file(address: str, table: str) -> Path:
    """Return the path of the record of a table, for `fairdeal verify --kept`. Raises FairdealError if the table's id,
    which the room chooses, is malformed."""
    if table and not TABLE_ID.fullmatch(table):
        raise FairdealError(f"the room sent {table!r}, which is not the id of a table")
    return folder_of(address) / f"{table}.jsonl"


class Own(Frozen, kw_only=True):
    """A nonce for a rematch, whose table is not known yet.

    promise  the room's commitment to the seed of the rematch
    nonce    the nonce, in hexadecimal
    """

    promise: str
    nonce: str


def number_file(address: str, digest: str) -> Path:
    """Return the path of the file for the nonce of a rematch whose commitment is `digest`."""
    return folder_of(address) / f"number {digest}.json"


def fresh_number(address: str, promise: str) -> str:
    """Make a nonce for a rematch whose seed has the commitment `promise`, and save it before its own commitment is
    sent. Return the commitment to the nonce."""
    own = Own(promise=promise, nonce=fairness.new_nonce())
    digest = fairness.nonce_hash(own.nonce)
    write_own(number_file(address, digest), msgspec.json.encode(own))
    return digest


def header_of(text: str) -> Log | None:
    """Parse a header. Return None if the text is empty or invalid."""
    try:
        return read_header(text)
    except BadLog:
        return None


class Keeper:
    """The record that a program keeps of a table, in memory and on disk, and its own part in the deal."""

    def __init__(self, address: str, table: str, asks: bool = True) -> None:
        self.address, self.table, self.asks = address, table, asks
        self.path = record_file(address, table)
        self.visit = secrets.token_hex(4)
        self.lock = threading.RLock()
        self.fresh: dict[int, str] = {}  # the commitments made by this program, by attempt
        self.agreed = 0  # the last attempt for which the person has agreed to give a nonce
        self.last: Facts | None = None  # the facts that were recorded last
        self.stopped = False  # whether the record goes on in memory only
        self.read = 0  # number of bytes of the lines that are in the record
        self.reader = Reader(table)
        prune(self.path.parent)
        self.add()

    @property
    def record(self) -> Record:
        return self.reader.record

    @property
    def now(self) -> Visit:
        """Messages of the room in this visit."""
        return self.record.visits.get(self.visit, Visit())

    def update(self) -> None:
        """Read the lines that this program and others of the player have added to the file."""
        with contextlib.suppress(FileNotFoundError), self.path.open("rb") as file:
            file.seek(self.read)
            content = file.read()
            whole = content[: content.rfind(b"\n") + 1]
            for entry in entries_of(whole):
                self.reader.add(entry)
            self.read += len(whole)

    def add(self, *entries: Entries) -> None:
        """Append entries to the file, and read them from there into the record. If that fails, the record goes on in
        memory, and says what is missing."""
        with self.lock:
            if not self.stopped:
                try:
                    self.update()
                    content = b"".join(map(line_of, entries))
                    if not self.read:
                        content = line_of(Begun(version=VERSION, address=self.address, table=self.table)) + content
                    fits = self.read + len(content) <= LARGEST_RECORD
                    append_own(self.path, content if fits else line_of(Missed(reason=TOO_LARGE)))
                    self.update()
                    if fits:
                        return
                except OSError as problem:
                    self.reader.add(Missed(reason=str(problem)))
                self.stopped = True
            for entry in entries:
                self.reader.add(entry)

    def heard(self, message: Messages, line: int) -> None:
        """Record a message of the room that came over connection number `line`, before anything is shown of it. Raises
        msgspec.DecodeError if it has the facts of another table."""
        if isinstance(message, Welcome | Table):
            if message.facts.id != self.table:
                raise msgspec.DecodeError("these are the facts of another table")
            self.claim(message.facts)
        if isinstance(message, Welcome):
            message = message.replaced(chat=())
        if isinstance(message, Recorded) and not (isinstance(message, Table) and message.facts == self.last):
            self.add(Heard(visit=self.visit, line=line, message=message))
            self.last = message.facts if isinstance(message, Welcome | Table) else self.last

    def fetched(self, facts: Facts, hash: str = "", nonce: str = "") -> None:
        """Record facts that the room sent over HTTP, in response to the commitment `hash`, or to the nonce whose
        commitment is `nonce`."""
        if facts.id != self.table:
            raise FairdealError(f"the room sent the facts of table {facts.id!r} instead of {self.table!r}")
        self.claim(facts)
        if hash or nonce or facts != self.last:
            self.add(Heard(visit=self.visit, message=Table(facts=facts), hash=hash, nonce=nonce))
            self.last = facts

    def saw_faces(self, faces: dict[str, Face]) -> None:
        """Record the catalogue of faces."""
        if faces != self.record.faces:
            self.add(Faces(faces))

    # --- own nonces -------------------------------------------------------------------------------------------------

    def claim(self, facts: Facts) -> None:
        """Record the nonce of a rematch at the first table that is bound to it."""
        digest = hash_of(facts)
        path = number_file(self.address, digest)
        if digest in self.record.numbers or not fairness.HASH.fullmatch(digest) or not path.exists():
            return
        try:
            own = read_json(path, Own)
        except msgspec.DecodeError:
            return
        if own.promise == facts.deal.commitment:
            self.add(Made(nonce=own.nonce, promise=own.promise))
            if not self.stopped:
                path.unlink(missing_ok=True)

    def bind(self, facts: Facts) -> str:
        """Return the commitment to a nonce for an attempt at the deal. The nonce is generated when it is first needed,
        and recorded before its commitment is sent."""
        deal = facts.deal
        with self.lock:
            if deal.attempt not in self.fresh:
                nonce = fairness.new_nonce()
                self.add(Made(nonce=nonce, promise=deal.commitment))
                self.fresh[deal.attempt] = fairness.nonce_hash(nonce)
            self.add(Sent(visit=self.visit, hash=self.fresh[deal.attempt]))
            return self.fresh[deal.attempt]

    def sit(self, before: Facts) -> str:
        """Return the commitment to a new nonce with which the player takes a seat."""
        with self.lock:
            self.fresh.pop(before.deal.attempt, None)
            return self.bind(before)

    def answered(self, body: Number, facts: Facts) -> None:
        """Record that the room has carried out a request."""
        digest = fairness.nonce_hash(body.nonce) if body.nonce else ""
        self.fetched(facts, hash=body.hash, nonce=digest)

    @property
    def is_asked(self) -> bool:
        """Whether the person must agree before another nonce is sent, because deals have failed."""
        return self.asks and self.now.attempt > MOST_UNASKED and self.agreed < self.now.attempt

    def agree(self) -> None:
        """Record that the person agrees to send a nonce for the current attempt."""
        self.agreed = self.now.attempt

    def reply(self, facts: Facts) -> Number | None:
        """Return the commitment or nonce that the deal needs from this player, after recording it. Return None if the
        deal does not wait for this player, or if the room contradicts itself."""
        with self.lock:
            deal, now = facts.deal, self.now
            if facts.seat == SPECTATOR or deal.stage == "dealt" or deal.attempt < now.attempt or now.header:
                return None
            if self.is_asked or now.broken:
                return None
            chair = facts.chairs[facts.seat]
            if chair.asked:
                return Number(hash=self.bind(facts))
            number = self.record.numbers.get(chair.hash)
            if deal.stage != "numbers" or chair.shown or number is None or number.promise != deal.commitment:
                return None
            if number.outline not in ("", deal.outline):
                return None  # a nonce is sent for one outline only
            self.add(Sent(visit=self.visit, hash=number.hash, outline=deal.outline))
            return Number(nonce=number.nonce)

    def replies(self, facts: Facts) -> Generator[Number, tuple[Facts, bool], None]:
        """Yield the requests that the deal needs from this player. The caller sends back the latest facts, and whether
        the room has carried out the request."""
        for _ in range(MOST_REPLIES):
            body = self.reply(facts)
            if body is None:
                return
            facts, taken = yield body
            if taken:
                self.answered(body, facts)
            else:
                self.fetched(facts)

    # --- the verdict ------------------------------------------------------------------------------------------------

    @property
    def wrong(self) -> str:
        """The first contradiction between the room's statements, or an empty string."""
        with self.lock:
            return next((one.text for one in before_the_end(self.record) if one.ok is False), "")

    @property
    def is_mixed(self) -> bool:
        """Whether the deal has a number that this player made."""
        with self.lock:
            return any(one.check == "number" and one.ok for one in before_the_end(self.record))

    @property
    def left_open(self) -> str:
        """A claim about the player's own part in the deal that is not proven, or an empty string."""
        with self.lock:
            found = before_the_end(self.record) if self.record.numbers else []
            return next((f"Not proven: {one.text}" for one in found if one.ok is None), "")


def append_own(path: Path, content: bytes) -> None:
    """Append lines to a file that only this user can read. If its last line is unfinished, it is ended first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "a+b", buffering=0) as file:
        if content and file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            content = content if file.read(1) == b"\n" else b"\n" + content
        while content:
            content = content[file.write(content) :]


def prune(folder: Path) -> None:
    """Delete the oldest records of finished games if those of a room are too large."""
    with contextlib.suppress(OSError, FairdealError):
        sizes = {path: path.stat() for path in folder.glob("*.jsonl")}
        total = sum(one.st_size for one in sizes.values())
        for path in sorted(sizes, key=lambda path: sizes[path].st_mtime):
            if total > LARGEST_FOLDER and '"status":"over"' in read_text(path):
                path.unlink()
                total -= sizes[path].st_size


def hash_of(facts: Facts) -> str:
    """Return the commitment at the player's own seat, or an empty string."""
    return facts.chairs[facts.seat].hash if facts.seat != SPECTATOR else ""
