"""The deal of the day of a room in the terminal: the try, the own numbers, and the result."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_json
from fairdeal.engine.scene import listed
from fairdeal.protocol.bodies import OwnNumber, Today, Try
from fairdeal.protocol.daily import OPEN_DAYS, DayRecord, check_list
from fairdeal.protocol.messages import Facts
from fairdeal.table import fairness
from fairdeal.terminal.app import require_terminal
from fairdeal.terminal.online import keeper, remote_table
from fairdeal.terminal.online.client import Declined, RoomVisit, known_guests
from fairdeal.terminal.online.keeper import write_own

KEPT = 7
"""Number of days for which a number is kept after its deal is fixed."""


PAGE = re.compile(r"/(?:today|t/[\w-]+)?$")
"""The path of a page, after the path of its room."""


class Bound(msgspec.Struct, frozen=True):
    """A number of the user's own, the deal for which it is, and whether the room has confirmed its hash."""

    nonce: str
    deal: int
    taken: bool = False


def numbers_file() -> Path:
    """Return the path of the file with this user's numbers for deals of the day, by room."""
    return keeper.guests_file().with_name("numbers.json")


def known_numbers() -> dict[str, list[Bound]]:
    try:
        return read_json(numbers_file(), dict[str, list[Bound]])
    except (OSError, msgspec.DecodeError):
        return {}


def keep_numbers(address: str, numbers: list[Bound]) -> None:
    write_own(numbers_file(), msgspec.json.encode(known_numbers() | {address: numbers}))


def address_of(link: str | None) -> str:
    """Return the address of the room to which a link leads, or of the only room that is known. Raises FairdealError if
    that is not clear."""
    known = [*known_guests()]
    if link is None and len(known) == 1:
        return known[0]
    if link is None:
        rooms = f"you know {listed(known)}" if known else "you know none yet"
        raise FairdealError(f"give the link of a room, such as http://127.0.0.1:8017; {rooms}")
    with contextlib.suppress(ValueError):
        parts = urlsplit(link if "://" in link else f"http://{link}")
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return f"{parts.scheme}://{parts.netloc}{PAGE.sub('', parts.path)}"
    raise FairdealError(f"{link!r} is not a link to a room; one looks like http://127.0.0.1:8017")


def run(link: str | None, name: str | None, say: Callable[[str], None]) -> None:
    """Play the deal of the day of a room, and print what came of it. Raises FairdealError if that is not possible."""
    visit = RoomVisit(address_of(link))
    try:
        visit.greet(name)
        today = visit.fetch("/api/today", Today)
        for line in shown(visit, today):
            say(line)
        if today.state in ("open", "begun"):
            require_terminal()  # or a try would be begun that nobody can play
            table = today.table or begin(visit, today)
            remote_table.run(f"{visit.address}/t/{table}", None, calm=False)
            today = visit.fetch("/api/today", Today)
        for line in told(today):
            say(line)
    finally:
        visit.close()


def begin(visit: RoomVisit, today: Today) -> str:
    """Begin the counted try, with a new number that is saved before its hash is sent. Return the id of the table."""
    made = Bound(fairness.new_nonce(), today.today + OPEN_DAYS)
    numbers, hash = known_numbers().get(visit.address, []), fairness.nonce_hash(made.nonce)
    keep_numbers(visit.address, [*numbers, made])
    facts = visit.read(visit.ask("POST", "/api/today", Try(deal=today.deal, hash=hash)), Facts)
    confirmed = facts.daily.hash if facts.daily else ""
    kept = [*numbers, made] if confirmed == hash else numbers  # the try may have been begun before
    known = [one.taken or fairness.nonce_hash(one.nonce) == confirmed for one in kept]
    keep_numbers(
        visit.address, [msgspec.structs.replace(one, taken=is_taken) for one, is_taken in zip(kept, known, strict=True)]
    )
    return facts.id


def shown(visit: RoomVisit, today: Today) -> Iterator[str]:
    """Show the numbers that are due, and yield what became of each."""
    numbers = [one for one in known_numbers().get(visit.address, []) if one.deal > today.today - KEPT]
    if numbers:
        keep_numbers(visit.address, numbers)
    for one in numbers:
        if one.deal <= today.today + 1:
            try:
                yield f"✓ {became(visit, one, today.today)}"
            except Declined as problem:
                yield f"? The number for deal No. {one.deal} is not shown: {problem}."
            except FairdealError as problem:
                yield f"✗ Deal No. {one.deal}: {problem}. Do not trust this room."


def became(visit: RoomVisit, own: Bound, today: int) -> str:
    """Show a number if that is possible, and return what became of it. Raises Declined if it is not in the deal, or
    FairdealError if the room has confirmed it and left it out."""
    record = visit.fetch(f"/api/today/record?deal={own.deal}", DayRecord)
    check_list(record)
    hash = fairness.nonce_hash(own.nonce)
    if hash not in record.numbers and not own.taken:
        raise Declined("the room has not taken it")
    if hash not in record.numbers:
        raise FairdealError("your number is not in the closed list, although the room took it")
    if own.deal > today:
        visit.ask("POST", "/api/today/number", OwnNumber(number=own.nonce))
        return f"Your number for tomorrow’s deal, No. {own.deal}, is shown."
    if not record.numbers[hash]:
        raise Declined("it is missing, because it was not shown on the day before")
    return f"Your number is in deal No. {own.deal}."


def told(today: Today) -> Iterator[str]:
    """Yield what came of a try, in lines."""
    yield f"Deal of the day No. {today.deal}: {today.title}"
    if today.state != "over":
        yield "Your try is not over. Go on with: fairdeal today"
        return
    yield f"You: {today.result}"
    for one in today.beside:
        where = f"; at decision {one.alike + 1} {one.theirs}, you {one.yours}" if one.theirs and one.yours else ""
        yield f"{one.name}: {one.result}{where}"
    if today.missed:
        yield today.missed
    if today.row > 1:
        yield f"{today.row} deals in a row."
    yield today.text
