"""From a full table to the deal: guests are bound to their numbers, show them, and the cards are dealt.

In every function here but `show_number` the lock of the table is held."""

from __future__ import annotations

import asyncio
import functools
import time
from dataclasses import replace

from fairdeal.engine.errors import FairdealError
from fairdeal.server.storage.store import NotSaved
from fairdeal.server.tables.live import LiveTable, acts_of
from fairdeal.server.tables.seats import checked_hash
from fairdeal.table import fairness


async def go_on(live: LiveTable) -> None:
    """Somebody has come, gone, been bound to a number or shown it: deal, if that was all that the deal waits for."""
    if live.status == "open" and live.seats.is_full and not live.unreadable:
        if live.is_ready:
            await begin_soon(live)
            return
        if live.waiting is None or live.waiting.done():
            live.waiting = asyncio.create_task(wait_for_numbers(live, live.seats.attempt))
    live.tell_facts()


async def wait_for_numbers(live: LiveTable, attempt: int) -> None:
    """Name those who do not show their numbers in time, and deal without them, if the table was opened so."""
    await asyncio.sleep(live.home.time_to_show)
    async with live.lock:
        seats = live.seats
        if live.status != "open" or not seats.is_full or seats.attempt != attempt:
            live.waiting = None
            await go_on(live)
            return
        seats.late, live.waiting = {place.seat for place in seats.silent}, None
        if live.terms.waits:
            live.tell_facts()
        elif live.stage == "numbers":
            await begin_soon(live)
        else:  # whoever is not bound in time gives no number; the others have their time to show theirs
            for place in seats.silent:
                place.hash = ""
            await go_on(live)


def stop_waiting(live: LiveTable) -> None:
    """A seat is left: whoever comes next has all the time for a number."""
    if live.waiting:
        live.waiting.cancel()
        live.waiting = None


async def show_number(live: LiveTable, guest: str, nonce: str, hash: str) -> None:
    """A guest is bound to a new number, or shows the one they are bound to. Raises FairdealError."""
    async with live.changing():
        place = next((place for place in live.seats if place.guest == guest), None)
        if place is None:
            raise FairdealError("you are not seated at this table")
        before = replace(place)
        if hash and place.hash is None:
            place.hash = checked_hash(hash)
        elif hash and hash != place.hash:
            raise FairdealError("you are already bound to another number")
        if nonce and nonce != place.nonce:
            if live.stage != "numbers":
                raise FairdealError("show your number once every seat is bound to one, neither before nor after")
            if not fairness.is_bound(nonce, place.hash or ""):
                raise FairdealError("this number does not fit your hash; it has 32 hexadecimal digits")
            place.nonce, place.withheld = nonce, False
        if place == before:
            return  # sent again, or nothing said
        await live.keep_places()
        live.seats.late = live.seats.late - {place.seat}
        await go_on(live)


async def begin(live: LiveTable) -> None:
    """All seats are taken: deal; numbers that are missing follow from the seed. Raises NotSaved, which leaves nothing
    but those numbers, marked as withheld where they are."""
    for place in live.seats:
        if not place.nonce:
            place.nonce = fairness.seed_nonce(live.terms.seed, place.seat)
            place.hash, place.withheld = place.hash or "", bool(place.hash)
    sitting, now = live.dealt(), time.time()
    await live.keep_places(status="running", moved=now, acts=acts_of(sitting.state))
    live.moved = now
    live.deal(sitting)
    live.seats.late = set()
    live.pace.look(sitting)
    live.tell_facts()
    live.tell()
    live.wake()
    live.home.turned(live)


async def begin_if_ready(live: LiveTable) -> None:
    """Deal if there is nothing left to wait for. Raises NotSaved."""
    if live.is_ready:
        await begin(live)


async def begin_soon(live: LiveTable) -> None:
    """Deal, or as soon as it can be saved."""
    try:
        await begin(live)
    except NotSaved:
        live.owe("deal", functools.partial(begin_if_ready, live))
