"""The stages from a full table to the deal: guests commit to nonces, the nonces are revealed, and the cards are dealt.

The caller of every function here except `show_number` must hold the table's lock.
"""

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
    """Deal if the table is ready, or start waiting for nonces once the table is full. This is called after each change
    of seats or nonces."""
    if live.status == "open" and live.seats.is_full and not live.unreadable:
        if live.is_ready:
            await begin_soon(live)
            return
        if live.waiting is None or live.waiting.done():
            live.waiting = asyncio.create_task(wait_for_numbers(live, live.seats.attempt))
    live.tell_facts()


async def wait_for_numbers(live: LiveTable, attempt: int) -> None:
    """Wait for guests to reveal their nonces, and record which seats are late. Then deal without the missing nonces,
    unless the table waits for all of them."""
    await asyncio.sleep(live.home.limits.settings.nonces)
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
        else:  # guests who sent no commitment get no nonce of their own; the others now have time to reveal theirs
            for place in seats.silent:
                place.hash = ""
            await go_on(live)


def stop_waiting(live: LiveTable) -> None:
    """Stop waiting for nonces after a guest has left, so that the next guest has the full time."""
    if live.waiting:
        live.waiting.cancel()
        live.waiting = None


async def show_number(live: LiveTable, guest: str, nonce: str, hash: str) -> None:
    """Accept a guest's commitment to a nonce, or the nonce itself. Raises FairdealError if it is invalid or arrives at
    the wrong time."""
    async with live.changing():
        place = next((place for place in live.seats if place.guest == guest), None)
        if place is None:
            raise FairdealError("you are not seated at this table")
        before = replace(place)
        if hash and place.hash is None:
            place.hash = checked_hash(hash)
        elif hash and hash != place.hash:
            raise FairdealError("you have already committed to another nonce")
        if nonce and nonce != place.nonce:
            if live.stage != "numbers":
                raise FairdealError("reveal your nonce after every seat has committed to one, and before the deal")
            if not fairness.is_bound(nonce, place.hash or ""):
                raise FairdealError("this nonce does not match your hash; a nonce has 32 hexadecimal digits")
            place.nonce, place.withheld = nonce, False
        if place == before:
            return  # a repeated or empty request
        await live.keep_places()
        live.seats.late = live.seats.late - {place.seat}
        await go_on(live)


async def begin(live: LiveTable) -> None:
    """Deal the cards. Missing nonces are derived from the seed, and are marked as withheld if the guest had committed
    to one. If the deal cannot be saved, raises NotSaved and changes only these nonces."""
    for place in live.seats:
        if not place.nonce:
            place.nonce = fairness.seed_nonce(live.terms.seed, place.seat)
            place.hash, place.withheld = place.hash or "", bool(place.hash)
    await live.read_score()
    sitting, now = live.dealt(), time.time()
    await live.keep_places(status="running", moved=now, acts=acts_of(sitting.state))
    live.moved = now
    live.deal(sitting)
    live.note_vacations()
    live.seats.late = set()
    live.pace.start_clocks(sitting)
    live.tell_facts()
    live.tell()
    live.wake()
    live.home.turned(live)


async def begin_if_ready(live: LiveTable) -> None:
    """Deal if the table is ready. Raises NotSaved if the deal cannot be saved."""
    if live.is_ready:
        await begin(live)


async def begin_soon(live: LiveTable) -> None:
    """Deal now, or as soon as the deal can be saved."""
    try:
        await begin(live)
    except NotSaved:
        live.owe("deal", functools.partial(begin_if_ready, live))
