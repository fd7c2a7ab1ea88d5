"""The record of a table as a file: one line of JSON for each entry, in order.

A program that plays keeps one record for each address of a room and table. It appends what it sends before it sends it,
and what it receives before it shows it, so that everything it shows follows from the record, except for chat and for
recalled scenes. docs/log-format.md describes the entries.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import any_problem, read_text
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Face
from fairdeal.protocol.messages import Chair, Deal, Done, Facts, Patch, Refused, Shown, Table, Welcome
from fairdeal.protocol.patches import Scenes
from fairdeal.table import fairness
from fairdeal.table.receipts import Check, Drawn, Number, Record, Visit

VERSION = 1
"""Version of the format of records."""

Recorded = Welcome | Table | Shown | Patch | Done | Refused
"""The messages that are recorded: those that acknowledge something, or change the facts or the scene."""


Nonce = Annotated[str, msgspec.Meta(pattern=f"^{fairness.NONCE.pattern}$")]


class Entry(Frozen, tag_field="entry", omit_defaults=True):
    """An entry of a record."""


class Begun(Entry, tag="record"):
    """The first entry: the version of the format, the room's address and the table's id."""

    version: int
    address: str
    table: str


class Made(Entry, tag="number"):
    """A nonce that the program made for a seed with the commitment `promise`."""

    nonce: Nonce
    promise: str


class Sent(Entry, tag="sent"):
    """A commitment that the program sends in a visit or, if there is an `outline`, its nonce for this header without
    nonces."""

    visit: str
    hash: str
    outline: str = ""


class Heard(Entry, tag="heard"):
    """A message that the program received in a visit.

    line  number of the connection on which it came; 0 for responses over HTTP, whose facts are recorded as `table`
    to    the commitment, if the message is the response to sending a commitment (`hash`) or its nonce (`nonce`)
    """

    visit: str
    message: Recorded
    line: int = 0
    hash: str = ""
    nonce: str = ""


class Faces(Entry, tag="faces"):
    """The catalogue of faces that the program received."""

    faces: dict[str, Face]


class Missed(Entry, tag="missed"):
    """A gap in the record, and the reason."""

    reason: str


Entries = Begun | Made | Sent | Heard | Faces | Missed

START = b'{"entry"'
"""The first bytes of a record."""

decoder = msgspec.json.Decoder(Entries)
encoder = msgspec.json.Encoder()


class Reader:
    """A record that grows by entries."""

    def __init__(self, table: str = "") -> None:
        self.record = Record(table)
        self.lines: dict[tuple[str, int], Scenes] = {}  # the last scene of each connection

    def add(self, entry: Entries) -> None:
        """Add an entry to the record."""
        record = self.record
        match entry:
            case Begun(version=version, table=table):
                if version > VERSION:
                    raise FairdealError("a newer version of fairdeal saved this record")
                record.table = table
            case Made(nonce=nonce, promise=promise):
                record.add_number(Number(nonce, promise))
            case Sent(hash=digest, outline=outline):
                number = record.numbers.get(digest)
                if number and outline and not number.outline:
                    number.outline = outline
                    named = re.search(r"^table \S+ attempt (\d{1,9}) ", outline, re.MULTILINE)
                    number.attempt = number.attempt or (int(named[1]) if named else 0)
            case Heard():
                self.hear(entry, record.visits.setdefault(entry.visit, Visit()))
            case Faces(faces=faces):
                record.faces = faces
            case Missed(reason=reason):
                record.missed = record.missed or reason

    def hear(self, entry: Heard, visit: Visit) -> None:
        """Add a message."""
        scenes = self.lines.setdefault((entry.visit, entry.line), Scenes())
        try:
            message = scenes.whole(entry.message)
        except msgspec.DecodeError:
            return  # the program did not show it either, and connected anew
        if isinstance(message, Welcome | Table):
            answered(self.record, entry, message.facts)
            add_facts(self.record, visit, message.facts)
        match message:
            case Welcome(facts=Facts(seq=entries), chain=chain) | Done(seq=entries, chain=chain):
                visit.acknowledges(entries, chain)
            case Shown(scene=scene, chain=chain):
                visit.acknowledges(scene.seq, chain)
        if isinstance(message, Welcome) and message.layout:
            visit.layout, visit.version = message.layout, message.version
        drawn = getattr(message, "scene", None)
        if drawn and not self.record.missed:
            visit.scenes.append(Drawn(drawn, visit.layout, visit.version))
            if visit.header and drawn.viewer not in {SPECTATOR, *visit.seats}:
                visit.breaks("shown", "seat")


def answered(record: Record, entry: Heard, facts: Facts) -> None:
    """Add what follows from a response: that the room has taken a commitment, or has the nonce."""
    number = record.numbers.get(entry.hash or entry.nonce)
    if number is None or facts.seat == SPECTATOR:
        return
    if entry.nonce:
        number.visit = number.visit or entry.visit
    elif not facts.chairs[facts.seat].asked and facts.chairs[facts.seat].hash == number.hash:
        number.attempt = number.attempt or facts.deal.attempt


def add_facts(record: Record, visit: Visit, facts: Facts) -> None:
    """Add the facts of a table. They may be older than those before them, because they arrive over two connections;
    facts of an earlier attempt at the deal contradict nothing."""
    deal = facts.deal
    visit.promise = visit.promise or deal.commitment
    visit.key = visit.key or deal.key
    if deal.commitment != visit.promise:
        visit.breaks("promise", "changed")
    elif deal.key != visit.key:
        visit.breaks("room", "key")
    elif deal.seed and not fairness.is_promised(deal.seed, deal.commitment):
        visit.breaks("seed", "other")
    elif deal.stage == "dealt" or deal.header:
        if deal.header and visit.header not in ("", deal.header):
            visit.breaks("header", "changed")
        visit.seat, visit.header = facts.seat, visit.header or deal.header
        visit.seats.add(facts.seat)
    elif not visit.header and deal.attempt >= visit.attempt:
        visit.seat, visit.attempt, visit.reports = facts.seat, deal.attempt, deal.failed is not None
        if facts.seat != SPECTATOR:
            before_the_deal(record, visit, deal, facts.chairs[facts.seat])


def before_the_deal(record: Record, visit: Visit, deal: Deal, chair: Chair) -> None:
    """Compare the facts of an attempt at the deal with the player's own numbers."""
    number = record.numbers.get(chair.hash)
    if number and number.promise != deal.commitment:
        visit.breaks("promise", "changed")
    elif number:
        number.attempt = number.attempt or deal.attempt
    for reason in unreported(record, visit, deal):
        visit.breaks("failed", reason)
    if number is None or deal.stage != "numbers":
        return
    is_same = record.visits.get(number.visit) is visit and number.attempt == deal.attempt
    if is_same and number.outline != deal.outline:
        visit.breaks("outline", "changed")
    for check, reason in wrong_outline(record.table, visit, number.hash, deal):
        visit.breaks(check, reason)


def unreported(record: Record, visit: Visit, deal: Deal) -> Iterable[str]:
    """Yield what is wrong with the report of the deals that failed after the room had acknowledged a nonce."""
    reported = {(failed.attempt, seat) for failed in deal.failed or () for seat in failed.shown}
    for number in record.numbers.values():
        is_early = number.visit and number.attempt < deal.attempt
        if is_early and visit.reports and not number.is_reported(reported):
            yield "unreported"


def wrong_outline(table: str, visit: Visit, digest: str, deal: Deal) -> Iterable[tuple[Check, str]]:
    """Yield the contradictions between an outline and the facts beside it, as checks and reasons."""
    lines = deal.outline.split("\n")
    named = any(line.startswith(f"table {table} attempt {deal.attempt} ") for line in lines)
    if f"room ed25519 {visit.key}" not in lines or not named:
        yield "room", "other"
    if f"commitment sha256 {visit.promise}" not in lines:
        yield "promise", "changed"
    if not any(line.startswith(f"seat {visit.seat} ") and line.endswith(f" bound {digest}") for line in lines):
        yield "number", "dropped"


def line_of(entry: Entries) -> bytes:
    """Return the line of an entry."""
    return encoder.encode(entry) + b"\n"


def entries_of(content: bytes) -> Iterator[Entries]:
    """Yield the entries of lines. A line that cannot be read is a gap, as after a failed write."""
    for line in filter(None, content.split(b"\n")):
        try:
            with any_problem():
                yield decoder.decode(line)
        except msgspec.DecodeError as problem:
            yield Missed(reason=f"a line of the record cannot be read: {problem}")


def read_record(path: Path) -> Record:
    """Read a record. Raises FairdealError if the file is not a record, or OSError if it cannot be read."""
    with path.open("rb") as file:
        content = file.read()
    if not content.startswith(START):  # saved again by another system
        content = read_text(path).encode()
    if not content.startswith(START):
        raise FairdealError(f"{path} was not saved by a player’s program")
    reader = Reader()
    for entry in entries_of(content):
        reader.add(entry)
    return reader.record
