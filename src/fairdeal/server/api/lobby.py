"""The lobby: the list of a guest's own tables and of the open tables. Tables that are not in memory are listed without
loading them."""

import math
from collections.abc import Mapping, Sequence

from fairdeal.engine.kit.seats import members
from fairdeal.protocol import messages as m
from fairdeal.server.room import DAMAGED, Room, Unreadable, why_not_replayed
from fairdeal.server.storage.queries import MOST_OPEN, Summary, lobby, numbers
from fairdeal.server.storage.store import Damaged
from fairdeal.server.tables.live import LiveTable


async def listing(room: Room, guest: str) -> tuple[list[m.Facts], list[m.Facts]]:
    """Return a guest's own tables and the open tables, newest first. Raises Unreadable if they cannot be read."""
    awake = {table: live for table, live in room.live.items() if room.store.owns(live.tenure)}
    attended = attended_tables(awake)
    try:
        mine, free, summaries = await room.store.read(lambda c: lobby(c, guest, awake, attended))
    except Damaged:
        raise Unreadable("the list of tables cannot be read from disk") from None
    told = {table: facts_asleep(room, found, guest) for table, found in summaries.items()}
    told |= {table: awake[table].facts(guest) for table in {*mine, *free} if table in awake}
    for table in mine:
        if table in told:
            number = awake[table].number if table in awake else summaries[table].table["seq"] or 0
            told[table] = with_last_line(room, told[table], number)
    own = [told[table] for table in mine if table in told]
    return own, [told[table] for table in free if table in told and table not in mine]


def attended_tables(awake: Mapping[str, LiveTable]) -> list[str]:
    """Return the listed tables with a person present at a seat, newest first, as many as a lobby can show."""
    here = [
        live
        for live in awake.values()
        if live.terms.listed and any(place.guest and live.audience.is_here(place) for place in live.seats)
    ]
    return [live.id for live in sorted(here, key=lambda live: live.moved, reverse=True)[:MOST_OPEN]]


def facts_asleep(room: Room, found: Summary, guest: str) -> m.Facts:
    """Return the facts of an unloaded table for a guest, from the table's rows and without a replay."""
    row = found.table
    live = room.from_rows(row, found.seats)
    live.audience.elsewhere = row["here"] or 0
    if found.damaged:
        live.unreadable = DAMAGED
    else:
        live.unreadable = why_not_replayed(live)
        if live.status != "open":
            live.old_log = live.terms.empty_log(live.seats, live.keys)
    is_played = live.status == "running" and not live.unreadable
    asked = members(row["acts_now"] or 0) if is_played else ()
    acts = [seat for seat in asked if seat < len(live.seats)]  # a damaged table may have lost its seats
    moved = max(live.moved, row["at"] or 0.0)
    seat = live.seats.of(guest)
    unknown = sum(count for other, count in enumerate(numbers(row["hidden"])) if other != seat)
    seq = (row["seq"] or 0) - unknown
    facts = live.facts(guest).replaced(acts=tuple(acts), seq=seq, moved=moved)
    if facts.clock and facts.seat in facts.acts and not facts.paused:
        return facts.replaced(until=max(moved + facts.clock, live.due or 0.0))  # later if the guest was away
    return facts


def waiting(mine: Sequence[m.Facts]) -> list[str]:
    """Return the ids of those of a guest's tables at which other people wait for them, as far as they have been shown:
    the least time left first, then the longest waiting."""
    turns = [one for one in mine if one.seat in one.acts and any(chair.is_other for chair in one.chairs)]
    return [one.id for one in sorted(turns, key=lambda one: (one.until or math.inf, one.moved))]


def with_last_line(room: Room, facts: m.Facts, number: int) -> m.Facts:
    """Add the last log line shown to the guest's seat, if it is known, to the facts of a guest's running game with
    `number` entries."""
    if facts.status != "running" or facts.seat < 0 or not number or facts.readable_only:
        return facts
    live = room.live.get(facts.id)
    last = room.last_lines.of(live, facts.seat) if live else room.last_lines.asleep(facts.id, facts.seat, number)
    if last is None:
        room.last_lines.read(facts.id)
    return facts.replaced(last=last)
