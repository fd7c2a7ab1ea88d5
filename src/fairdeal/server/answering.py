"""Answering the requests of a connection: each is carried out or refused, and told which."""

from __future__ import annotations

import time

from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.records import SPECTATOR
from fairdeal.server import messages as m
from fairdeal.server.live import UNDO, Connection, LiveTable
from fairdeal.server.names import LONGEST_LINE, clean
from fairdeal.table.sitting import Sitting


async def handle(live: LiveTable, connection: Connection, request: m.Requests) -> None:
    """Answer one request of a connection."""
    try:
        await answer(live, connection, request)
    except FairdealError as problem:
        clause = problem.clause if isinstance(problem, IllegalMove) else ""
        reason = problem.reason if isinstance(problem, IllegalMove) else str(problem)
        scene = live.scene(connection.seat)
        connection.send(m.Refused(id=request.id, reason=reason, clause=clause or "", scene=scene))


async def answer(live: LiveTable, connection: Connection, request: m.Requests) -> None:
    if isinstance(request, m.Pick | m.Play | m.Undo):
        await change(live, connection, request)
    elif isinstance(request, m.Draft):
        scene = live.scene(connection.seat, request.draft)
        if scene is None:
            raise FairdealError(live.unreadable or "the game has not begun")
        connection.send(m.Shown(scene=scene, id=request.id))
    elif isinstance(request, m.Why):
        sitting = playing(live, connection)
        live.drawn(connection.seat, request.draft)  # which refuses a draft that is none
        text, clause = sitting.seen(connection.seat).why(request.draft, request.card)
        connection.send(m.Answer(id=request.id, text=text, clause=clause))
    elif isinstance(request, m.Hint):
        connection.send(hint(live, connection, request))
    elif isinstance(request, m.Ping):
        connection.send(m.Done(id=request.id, seq=live.number))
    elif isinstance(request, m.StandIn):
        await stand_in(live, connection, request)
    else:
        raise FairdealError("the room answers this, not the table")


def playing(live: LiveTable, connection: Connection) -> Sitting:
    if live.unreadable:
        raise FairdealError(live.unreadable)
    if live.sitting is None or connection.seat == SPECTATOR:
        raise FairdealError("you do not sit at this table" if live.sitting else "the game has not begun")
    return live.sitting


async def change(live: LiveTable, connection: Connection, request: m.Pick | m.Play | m.Undo) -> None:
    """A move, or a step of one, or its undoing; the same request twice is done once."""
    sitting = playing(live, connection)
    client = f"{connection.guest}:{request.id}" if request.id else ""
    async with live.lock:
        if client and client in live.clients:
            connection.send(m.Done(id=request.id, seq=live.clients[client]))
            return
        if not live.is_current(connection.seat, request.seq):
            raise IllegalMove("", "the table has moved on; look again")

        def kept() -> None:
            connection.send(m.Done(id=request.id, seq=live.number))

        if isinstance(request, m.Undo):
            await undo(live, connection.seat, client)
            kept()
        elif isinstance(request, m.Play):
            await live.enter(connection.seat, request.move, client, kept)
        else:
            seen = live.drawn(connection.seat, request.draft)
            picked = sitting.seen(connection.seat).pick(request.draft, request.choice, seen)
            if picked.move is None:
                scene = live.scene(connection.seat, picked.draft)
                assert scene is not None
                connection.send(m.Shown(scene=scene, id=request.id))
                return
            await live.enter(connection.seat, picked.move, client, kept)


async def undo(live: LiveTable, seat: int, client: str) -> None:
    sitting = live.sitting
    assert sitting is not None
    if not sitting.log.moves or sitting.log.moves[-1].seat != seat:
        raise IllegalMove("", "only your own move can be taken back, before anybody else acts")
    if not sitting.shows_nothing():
        raise IllegalMove("", "that move has shown something; it stands")
    await live.commit(seat, UNDO, client)
    sitting.take_back()
    live.acting_since.clear()
    live.after_entry()


def hint(live: LiveTable, connection: Connection, request: m.Hint) -> m.Answer:
    sitting = playing(live, connection)
    if connection.seat not in sitting.state.to_act:
        raise FairdealError("it is not your turn")
    suggestion = sitting.hint(connection.seat)
    move = sitting.table.game.write_move(sitting.state.record, connection.seat, suggestion.actions)
    return m.Answer(id=request.id, text=f"{move}. {suggestion.reason}", choices=suggestion.actions)


async def stand_in(live: LiveTable, connection: Connection, request: m.StandIn) -> None:
    """A bot plays for somebody who is away; whoever comes back takes his seat again."""
    playing(live, connection)
    if not 0 <= request.seat < len(live.places):
        raise FairdealError("there is no such seat")
    place = live.places[request.seat]
    if place.guest != connection.guest and not request.on:
        raise FairdealError(f"only {place.name} takes this seat back")
    if place.guest != connection.guest and live.is_here(place):
        raise FairdealError(f"{place.name} is here")
    await live.set_stand_in(place, request.on)
    connection.send(m.Done(id=request.id, seq=live.number))


def speak(live: LiveTable, connection: Connection, text: str, name: str) -> m.Said:
    """A line of chat. Raises FairdealError if nothing is left of it."""
    line = clean(text, LONGEST_LINE)
    if not line:
        raise FairdealError("an empty line")
    said = m.Said(connection.seat, name, line, time.time())
    live.chat = [*live.chat[-199:], said]
    for other in live.connections:
        other.send(m.Chat(said=said))
    return said
