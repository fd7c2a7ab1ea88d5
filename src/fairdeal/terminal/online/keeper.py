"""The part of a player's own program in a deal: its nonces, and the record of a table that it keeps.

Facts of a table arrive over two connections and may overtake each other, so nothing here depends on their order. A
nonce is bound to the room's address, to the room's commitment and to the table. It is sent for only one outline.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.files import read_json, user_file, write_whole
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
    written,
)
from fairdeal.table import fairness
from fairdeal.table.log import Log, read_header
from fairdeal.table.receipts import Record, Visit
from fairdeal.table.verdict import before_the_end

MOST_UNASKED = 2
"""Number of failed attempts at a deal after which a person is asked before another nonce is given."""

MOST_REPLIES = 20
"""Maximum number of commitments and nonces sent in response to one message of the room."""

LARGEST_RECORD = 2**25
"""Maximum number of bytes of a record. Nothing more is recorded after that, and the verdict says so."""


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
    table    the first table of the room that was bound to it; empty until there is one
    """

    promise: str
    nonce: str
    table: str = ""


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
        self.read = 0  # number of bytes of the file that have been read or written
        self.reader = Reader(table)
        self.update()

    @property
    def record(self) -> Record:
        return self.reader.record

    @property
    def now(self) -> Visit:
        """What the room said in this visit."""
        return self.record.visits.get(self.visit, Visit())

    def update(self) -> None:
        """Read the entries that other programs of the player have added."""
        if self.path.exists() and self.path.stat().st_size != self.read:
            content = self.path.read_bytes()
            self.reader = Reader(self.table)
            for entry in entries_of(content, str(self.path)):
                self.reader.add(entry)
            self.read = len(content)

    def add(self, *entries: Entries) -> None:
        """Add entries to the record, and append them to its file."""
        with self.lock:
            self.update()
            if self.record.missed:
                return
            for entry in entries:
                self.reader.add(entry)
            content = b"".join(map(written, entries))
            if not self.read:
                content = written(Begun(version=VERSION, address=self.address, table=self.table)) + content
            missed = Missed(reason=f"a record has at most {LARGEST_RECORD >> 20} MiB")
            if self.read + len(content) > LARGEST_RECORD:
                content = written(missed)
                self.reader.add(missed)
            try:
                append_own(self.path, content)
                self.read += len(content)
            except OSError as problem:
                self.reader.add(Missed(reason=str(problem)))

    def heard(self, message: Messages, line: int) -> None:
        """Record a message of the room that came over connection number `line`, before anything is shown of it. Raises
        msgspec.DecodeError if it has the facts of another table."""
        if isinstance(message, Welcome | Table) and message.facts.id != self.table:
            raise msgspec.DecodeError("these are the facts of another table")
        if isinstance(message, Welcome):
            message = message.replaced(chat=())
        if isinstance(message, Recorded):
            self.add(Heard(visit=self.visit, line=line, message=message))

    def fetched(self, facts: Facts, hash: str = "", nonce: str = "") -> None:
        """Record facts that the room sent over HTTP, in response to the commitment `hash`, or to the nonce whose
        commitment is `nonce`."""
        if facts.id != self.table:
            raise FairdealError(f"the room sent the facts of table {facts.id!r} instead of {self.table!r}")
        self.claim(facts)
        self.add(Heard(visit=self.visit, message=Table(facts=facts), hash=hash, nonce=nonce))

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
        if own.table in ("", self.table) and own.promise == facts.deal.commitment:
            write_own(path, msgspec.json.encode(own.replaced(table=self.table)))
            self.add(Made(nonce=own.nonce, promise=own.promise))

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
            self.claim(facts)
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
    def left_open(self) -> str:
        """What the room leaves unproven about the player's own part in the deal, or an empty string."""
        with self.lock:
            found = before_the_end(self.record) if self.record.numbers else []
            return next((f"Not proven: {one.text}" for one in found if one.ok is None), "")


def append_own(path: Path, content: bytes) -> None:
    """Append to a file that only this user can read."""
    if not path.exists():
        write_own(path, b"")
    with path.open("ab") as file:
        file.write(content)


def hash_of(facts: Facts) -> str:
    """Return the commitment at the player's own seat, or an empty string."""
    return facts.chairs[facts.seat].hash if facts.seat != SPECTATOR else ""
