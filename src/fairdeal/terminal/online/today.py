"""The deal of the day of a room in the terminal: the try, the own numbers, and the result."""

import contextlib
from collections.abc import Callable, Iterator

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
from fairdeal.terminal.online.client import Declined, RoomVisit, known_guests, parts_of
from fairdeal.terminal.online.keeper import write_own

KEPT = 7
"""Number of days for which a number is kept after its deal is fixed."""


class Bound(msgspec.Struct):
    """A number of the user's own, and whether the room has confirmed its hash."""

    nonce: str
    taken: bool = False


class Numbers:
    """This user's numbers for deals of the day of a room, by the deals for which they are."""

    def __init__(self, address: str) -> None:
        self.path = keeper.guests_file().with_name("numbers.json")
        self.rooms: dict[str, dict[int, Bound]] = {}
        with contextlib.suppress(OSError, msgspec.DecodeError):
            self.rooms = read_json(self.path, dict[str, dict[int, Bound]])
        self.own = self.rooms.setdefault(address, {})

    def save(self) -> None:
        write_own(self.path, msgspec.json.encode(self.rooms))


def address_of(link: str | None) -> str:
    """Return the address of the room to which a link leads, or of the only room that is known. Raises FairdealError if
    that is not clear."""
    if link is not None:
        return parts_of(link, kind="")[0]
    known = [*known_guests()]
    if len(known) == 1:
        return known[0]
    rooms = f"you know {listed(known)}" if known else "you know none yet"
    raise FairdealError(f"give the link of a room, such as http://127.0.0.1:8017; {rooms}")


def run(link: str | None, name: str | None, say: Callable[[str], None]) -> None:
    """Play the deal of the day of a room, and print what came of it. Raises FairdealError if that is not possible."""
    with contextlib.closing(RoomVisit(address_of(link))) as visit:
        visit.greet(name)
        today = visit.fetch("/api/today", Today)
        for line in shown(visit, today.today):
            say(line)
        if today.state in ("open", "begun"):
            require_terminal()  # or a try would be begun that nobody can play
            table = today.table or begin(visit, today)
            remote_table.run(f"{visit.address}/t/{table}", None, calm=False)
            today = visit.fetch("/api/today", Today)
        for line in told(today):
            say(line)


def begin(visit: RoomVisit, today: Today) -> str:
    """Begin the counted try, with the number of the day, which is saved before its hash is sent. Return the id of the
    table."""
    numbers, deal = Numbers(visit.address), today.today + OPEN_DAYS
    bound = numbers.own.setdefault(deal, Bound(fairness.new_nonce()))
    hash = fairness.nonce_hash(bound.nonce)
    numbers.save()
    facts = visit.read(visit.ask("POST", "/api/today", Try(deal=today.deal, hash=hash)), Facts)
    bound.taken |= facts.daily is not None and facts.daily.hash == hash
    if not bound.taken:  # the try was begun before, elsewhere
        del numbers.own[deal]
    numbers.save()
    return facts.id


def shown(visit: RoomVisit, today: int) -> Iterator[str]:
    """Show the numbers that are due, and yield what became of each."""
    numbers = Numbers(visit.address)
    for deal, bound in sorted(numbers.own.items()):
        if deal <= today - KEPT:
            del numbers.own[deal]
            numbers.save()
        elif deal <= today + 1:
            try:
                yield f"✓ {became(visit, deal, bound, today)}"
            except Declined as problem:
                yield f"? The number for deal No. {deal} is not shown: {problem}."
            except FairdealError as problem:
                yield f"✗ Deal No. {deal}: {problem}. Do not trust this room."


def became(visit: RoomVisit, deal: int, own: Bound, today: int) -> str:
    """Show a number if that is possible, and return what became of it. Raises Declined if it is not in the deal, or
    FairdealError if the room has confirmed it and left it out."""
    record = visit.fetch(f"/api/today/record?deal={deal}", DayRecord)
    check_list(record)
    number = record.numbers.get(fairness.nonce_hash(own.nonce))
    if number is None and not own.taken:
        raise Declined("the room has not taken it")
    if number is None:
        raise FairdealError("your number is not in the closed list, although the room took it")
    if deal > today:
        visit.ask("POST", "/api/today/number", OwnNumber(number=own.nonce))
        return f"Your number for tomorrow’s deal, No. {deal}, is shown."
    if not number:
        raise Declined("it is missing, because it was not shown on the day before")
    return f"Your number is in deal No. {deal}."


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
