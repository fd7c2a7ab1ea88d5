"""Histories of the requests of clients and the messages of the room, and a check of them against the final log of the
table.

The entries of a log are numbered and requests have ids, so the order of what happened is read, not searched for.
"""

from __future__ import annotations

import bisect
import time
from collections import Counter
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Scene
from fairdeal.table.log import Log
from fairdeal.table.redrawing import Redrawing
from fairdeal.table.sitting import replay

MOVES = ("pick", "play", "undo")
"""The requests that make an entry."""


class Told(NamedTuple):
    """A statement of the room: the log has `number` entries of which this client may know. `since` is the time at which
    the client asked for it, or 0 for news; `request` is the move that made the last of these entries; and `epoch`
    counts the owners of the table, if the room has several."""

    at: float
    since: float
    number: int
    chain: str = ""
    scene: Any = None
    request: str = ""
    epoch: int = 0


class History:
    """The requests and messages of one client, a seat or a spectator. `moves` counts the copies sent of each move."""

    def __init__(self, name, seat, guest=""):
        self.name, self.seat, self.guest = name, seat, guest
        self.asked, self.told, self.arrived, self.epoch = {}, [], 0.0, 0
        self.moves, self.refusals, self.done, self.drafts = Counter(), Counter(), set(), set()

    def comes(self):
        self.arrived, self.epoch = time.monotonic(), 0  # unknown before the welcome, which may be lost

    def asks(self, id, type, choice=0, ask=False, **_):
        """Note a request, given by its fields, before it is sent."""
        self.asked.setdefault(id, time.monotonic())
        if type in MOVES and choice >= 0 and not ask:  # a choice below 0 is a pass in advance
            self.moves[id] += 1

    def hears(self, message):
        now, kind, identity = time.monotonic(), message["type"], message.get("id", "")
        since = self.arrived if kind == "welcome" else self.asked.get(identity, 0.0)
        chain, scene, epoch = message.get("chain", ""), message.get("scene"), message.get("epoch", self.epoch)
        if kind == "welcome":
            self.epoch = epoch  # of the owner at the other end of this connection
        if kind == "done" and identity in self.moves:
            self.done.add(identity)
            self.told.append(Told(now, since, message.get("seq", 0), chain, None, identity, epoch))
        elif kind == "refused":
            self.refusals[identity] += 1
        elif kind == "scene" and identity:
            self.drafts.add(identity)
        if scene:  # a window has no state, and may be older than what others know
            since = since if scene.get("state") else 0.0
            self.told.append(Told(now, since, scene["seq"], chain, scene, "", epoch))

    @property
    def refused(self):
        """The moves of which every copy was refused."""
        return {one for one, copies in self.moves.items() if self.refusals[one] >= copies} - self.done

    @property
    def unknown(self):
        """The moves that may be in the log, because not every copy was answered."""
        return self.moves.keys() - self.done - self.drafts - self.refused


class Final(NamedTuple):
    """The log that a table has in the end, the seed of its deal, and the numbers and requests of its entries."""

    log: Log
    seed: bytes
    numbers: list[int]
    requests: list[str]

    def place(self, history, request):
        """Return the place of a request in the log, from 1, or 0."""
        client = f"{history.guest}:{request}"
        return self.requests.index(client) + 1 if client in self.requests else 0

    def known_to(self, history):
        """Return the number of entries in the log when a client knows of 0, 1, 2 and more, and one that no log has."""
        return [*self.log.known_to(history.seat), len(self.log.entries) + 1]


async def final(room, table):
    """Return the final log of a table as the database of a room has it."""
    live, kept = await room.kept(table)
    rows = kept.entries
    return Final(live.written, live.terms.seed, [row.number for row in rows], [row.client for row in rows])


def check(final, histories):
    """Check the histories of a table's clients. Raises AssertionError with the first contradiction."""
    assert any(one.told for one in histories), "no client received a message"
    for kind in (of_entries, of_requests, of_hashes, of_order, of_views):
        for found in kind(final, histories):
            raise AssertionError(found)


def of_entries(final, _):
    for place, number in enumerate(final.numbers, start=1):
        if number != place:
            yield f"entry {place} of the final log has the number {number}"
    for client, times in Counter(filter(None, final.requests)).items():
        if times > 1:
            places = [place for place, one in enumerate(final.requests, start=1) if one == client]
            yield f"the request {client} must stand once in the final log, but makes the entries {places}"


def of_requests(final, histories):
    for one in histories:
        known = final.known_to(one)
        for told in one.told:
            if not told.request or told.number >= len(known) - 1:  # the latter is found by `of_hashes`
                continue
            place = known[told.number]
            if place != final.place(one, told.request):
                there = f"{final.log.entries[place - 1].as_line()!r} by the request {final.requests[place - 1]!r}"
                there = there if place else "no such entry"
                yield f"{one.name} was told that {told.request} is entry {told.number}, but the final log has {there}"
        for request in one.refused:
            if place := final.place(one, request):
                yield f"{one.name} was told that {request} is refused, but it is entry {place} of the final log"


def of_hashes(final, histories):
    chains = final.log.chains()
    for one in histories:
        known = final.known_to(one)
        for told in one.told:
            what = f"that {told.request} is entry" if told.request else "of number"
            said = f"{one.name} was told {what} {told.number}"
            if told.number >= len(known) - 1:
                yield f"{said}, but the final log has only {len(known) - 2} entries for seat {one.seat}"
            elif told.chain and told.chain != (wanted := chains[known[told.number]]):
                yield f"{said} with the hash {told.chain[:8]}, but the final log has {wanted[:8]} at that number"


class Most:
    """The largest number told before a given time."""

    def __init__(self, told):
        """Store the time, number and client of each message."""
        ordered = sorted(told)
        self.times = [at for at, *_ in ordered]
        self.most = [*accumulate(((number, name) for _, number, name in ordered), max)]

    def before(self, when):
        place = bisect.bisect_left(self.times, when)
        return self.most[place - 1] if place else (0, "nobody")


def of_order(final, histories):
    """Find responses and moves that ignore an entry told before their request."""
    known = {one: final.known_to(one) for one in histories}
    entries = Most((told.at, known[one][told.number], one.name) for one in histories for told in one.told)
    epochs = Most((told.at, told.epoch, one.name) for one in histories for told in one.told)
    for one in histories:
        for told in one.told:
            number, who = entries.before(told.since)
            if known[one][told.number + 1] <= number:
                late = f"{one.name} asked after {who} was told of entry {number}"
                yield f"{late}, and must be shown it, but was told of number {told.number}"
            epoch, who = epochs.before(told.since)
            if told.since and 0 < told.epoch < epoch:
                yield f"{one.name} was told of epoch {told.epoch} at number {told.number}, but {who} of {epoch} before"
        for request in one.moves:
            number, who = entries.before(one.asked[request])
            place = final.place(one, request)
            if 0 < place <= number:
                late = f"{one.name} asked {request} after {who} was told of entry {number}"
                yield f"{late}, but it is entry {place} of the final log"


def of_views(final, histories):
    """Every scene has to be drawn again from the log at one of the entries that its number stands for."""
    has_windows = find_game(final.log.game).has_windows
    scenes = [[msgspec.convert(told.scene, Scene) for told in one.told if told.scene] for one in histories]
    looks = [Redrawing(one.seat, shown, has_windows) for one, shown in zip(histories, scenes, strict=True)]
    place = 0

    def watch(sitting, _=None):
        nonlocal place
        place += 1
        for look in looks:
            look.compare(sitting)

    try:
        watch(replay(final.log, final.seed, watch=watch))
    except FairdealError as problem:
        yield f"entry {place} of the final log is not legal: {problem}"
        return
    for one, look in zip(histories, looks, strict=True):
        found = look.found().difference
        if found:
            yield (f"{one.name} was shown another {found.part} at number {found.seq} than seat {one.seat} may see then")
