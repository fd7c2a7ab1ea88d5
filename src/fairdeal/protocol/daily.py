"""The deal of the day: its calendar, its chain of links, its list of numbers, and its record.

A room draws a last link for every 365 deals, and publishes the end of the chain: the last link, hashed 365 times with
SHA-256. The link of a deal is what leads to that end, so that the room cannot change it, and nobody else can compute it
before the room opens it. Guests bind a number with each counted try. The hashes of the numbers of day N are closed and
signed when the day ends, the numbers are shown on day N + 1, and those that were shown are mixed into deal N + 2, which
is fixed before its first try. A deal can be played on its day and on the next one. Then its link is opened.
docs/log-format.md says what that proves.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import count_of, listed
from fairdeal.table import fairness
from fairdeal.table.log import Day, Log
from fairdeal.table.signatures import is_signed

LINKS = 365
"""Number of links of a chain."""

SECONDS = 86_400.0
FIRST = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""Midnight of the day of the first deal, as Unix time."""

OPEN_DAYS = 2
"""Number of days on which a deal can be played."""

LIST, RECORD = "daily list", "daily record"
"""The parts of a record that a room signs."""


def number_at(at: float, change: float) -> int:
    """Return the number of the deal of the day at a Unix time. `change` is when days begin, in seconds from midnight
    UTC.

    >>> number_at(FIRST, 0), number_at(FIRST, 6 * 3600), number_at(FIRST + 6 * 3600, 6 * 3600)
    (1, 0, 1)
    """
    return int((at - change - FIRST) // SECONDS) + 1


def begins(number: int, change: float) -> float:
    """Return the Unix time at which the day of a deal begins."""
    return FIRST + (number - 1) * SECONDS + change


def chain_of(number: int) -> tuple[int, int]:
    """Return the number of a deal's chain, from 0, and the place of its link, from 1: the number of times that the link
    is hashed to get the end of the chain."""
    chain, place = divmod(number - 1, LINKS)
    return chain, place + 1


def hashed(link: bytes, times: int) -> bytes:
    for _ in range(times):
        link = hashlib.sha256(link).digest()
    return link


def link_of(last: bytes, number: int) -> bytes:
    """Return the link of a deal from the last link of its chain."""
    return hashed(last, LINKS - chain_of(number)[1])


def digest(*lines: object) -> str:
    return hashlib.sha256("\n".join(map(str, lines)).encode()).hexdigest()


def day_of(number: int, numbers: Mapping[str, str]) -> Day:
    """Return a deal with the root of its list: the numbers by their hashes, of which those that are missing are
    empty."""
    lines = [f"{one} {shown or 'missing'}" for one, shown in sorted(numbers.items())]
    return Day(number, digest("fairdeal daily numbers", number, *lines))


def seed_of(link: bytes, day: Day) -> bytes:
    """Return the seed of a deal, which follows from its link, its number and its list alone."""
    return fairness.chance_key(link, day.line.encode())


class DayRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record of a deal of the day, as GET /api/today/record sends it.

    room         the room's public key
    deal         number of the deal
    end          end of the chain to which the deal's link belongs
    next_end     end of the chain after it
    numbers      the numbers that were shown, by their hashes; empty for those that are missing
    signed_list  the room's signature of the closed list of hashes
    signed       the room's signature of the record; empty until the deal is fixed
    link         link of the deal; empty until the deal is closed
    """

    room: str
    deal: int
    end: str
    next_end: str
    numbers: dict[str, str]
    signed_list: str
    signed: str = ""
    link: str = ""

    @property
    def day(self) -> Day:
        return day_of(self.deal, self.numbers)

    @property
    def list_digest(self) -> str:
        """The hash of the closed list, which the room signs before any number is shown."""
        return digest("fairdeal daily list", self.deal, *sorted(self.numbers))

    @property
    def digest(self) -> str:
        """The hash that the room signs when the deal is fixed."""
        return digest("fairdeal daily record", self.end, self.next_end, self.day.line)


def check_list(record: DayRecord) -> None:
    """Check the closed list of a record. Raises FairdealError if the room has not signed it, or if a number is not the
    one that was bound."""
    if not is_signed(record.room, LIST, record.list_digest, record.signed_list):
        raise FairdealError("signed_list: the room has not signed this list of hashes")
    for hash, number in record.numbers.items():
        if not fairness.HASH.fullmatch(hash) or (number and not fairness.is_bound(number, hash)):
            raise FairdealError(f"numbers: the number of {hash} is not the one that was bound")


def check_record(record: DayRecord, log: Log) -> str:
    """Check that the cards of a log follow from the record of its day. Return what that proves, in a sentence. Raises
    FairdealError, with the field of the record, if they do not."""
    check_list(record)
    if log.room is None or log.room.key != record.room:
        raise FairdealError("room: the log is of another room")
    if not is_signed(record.room, RECORD, record.digest, record.signed):
        raise FairdealError("signed: the room has not signed this record")
    if log.day != record.day:
        raise FairdealError("numbers: the log was dealt from another list, or is of another deal")
    place = chain_of(record.deal)[1]
    if not fairness.SEED.fullmatch(record.link):
        raise FairdealError("link: the room has not opened the link of this deal yet; get the record again later")
    link = bytes.fromhex(record.link)
    if hashed(link, place).hex() != record.end:
        raise FairdealError(f"link: hashed {place} times, it is not the end of the chain")
    if log.seed != seed_of(link, record.day):
        raise FairdealError("link: the seed of the log does not follow from the link and the list")
    missing = [hash[:8] for hash, number in sorted(record.numbers.items()) if not number]
    count = len(record.numbers) - len(missing)
    shown = f"{count_of(count, 'number')} shown" if count else "no number shown, so the room alone chose the deal"
    told = f"{shown}, {'missing ' + listed(missing) if missing else 'none missing'}"
    return f"The cards follow from link {place} of the room’s chain and the list of deal No. {record.deal}: {told}."
