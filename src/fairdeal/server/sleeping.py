"""Tables that are asleep: what is told of them comes from their rows, without a replay."""

from __future__ import annotations

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.engine.seats import members
from fairdeal.server import messages as m
from fairdeal.server.live import LiveTable
from fairdeal.server.queries import Summary
from fairdeal.table.log import Log
from fairdeal.table.sitting import table_of

KEPT = (
    *("id", "game", "rules_version", "options", "host", "seed", "listed", "clock", "status", "made", "moved"),
    *("format", "attempt", "waits"),
)
"""What a table in memory has under the name of its column."""

DAMAGED = "this table cannot be read from the disk"


def facts_asleep(live: LiveTable, found: Summary, guest: str) -> m.Facts:
    """A table as a guest is told of it; `live` has its rows and nothing more."""
    row = found.table
    live.number = row["seq"] or 0
    live.moved = max(live.moved, row["at"] or 0.0)
    if found.damaged:
        live.unreadable = DAMAGED
    else:
        header = live.empty_log()
        live.unreadable = why_not_replayed(header)
        if live.status != "open":
            live.old_log = header
    facts = live.facts(guest)
    acts = members(row["acts_now"] or 0) if live.status == "running" and not live.unreadable else ()
    return msgspec.structs.replace(facts, acts=tuple(acts))


def why_not_replayed(log: Log) -> str:
    """Why these rules do not replay a log, as far as its header tells; or nothing."""
    try:
        if find_game(log.game).rules_version != log.rules_version:
            table_of(log)
    except FairdealError as problem:
        return str(problem)
    return ""
