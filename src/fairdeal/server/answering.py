"""Answering the requests of a connection: each is carried out or refused, and told which."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence

from fairdeal.engine.bites import read_bites, refused
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.inspection import inspect
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import count_of
from fairdeal.protocol import messages as m
from fairdeal.server.audience import NOT_YET, Connection
from fairdeal.server.live import LiveTable
from fairdeal.server.names import LONGEST_LINE, clean
from fairdeal.server.room import Room
from fairdeal.server.store import MOVED_ON, NotSaved, NumberTaken
from fairdeal.table.advice import Hint, next_look
from fairdeal.table.sitting import PERSON, Sitting

HINTS = 3
"""How often a hint is thought out while others who may act at the same time do so."""

NOT_MADE = "the room cannot save at the moment; your move was not made, try again"


async def handle(room: Room, live: LiveTable, connection: Connection, request: m.Requests) -> None:
    """Answer one request of a connection."""
    try:
        room.limits.spend(kind_of(request), connection.guest, connection.address, cost_of(request))
        await answer(room, live, connection, request)
    except FairdealError as problem:
        clause = problem.clause if isinstance(problem, IllegalMove) else ""
        reason = problem.reason if isinstance(problem, IllegalMove) else str(problem)
        if isinstance(problem, NotSaved) and isinstance(request, m.Pick | m.Play | m.Undo):
            reason = NOT_MADE
        scene = live.scene(connection.seat)
        connection.send(m.Refused(id=request.id, reason=reason, clause=clause or "", scene=scene))


def kind_of(request: m.Requests) -> str:
    """The allowance that a request is taken from."""
    return (
        "hint"
        if isinstance(request, m.Hint | m.Recall)
        else "why"
        if isinstance(request, m.Why | m.Inspect)
        else "look"
    )


def cost_of(request: m.Requests) -> int:
    """How much of it is taken: a half-made move is drawn pick by pick."""
    return max(1, len(request.draft)) if isinstance(request, m.Pick | m.Draft | m.Why | m.Inspect) else 1


async def answer(room: Room, live: LiveTable, connection: Connection, request: m.Requests) -> None:
    if isinstance(request, m.Pick | m.Play | m.Undo):
        await change(room, live, connection, request)
    elif isinstance(request, m.Draft):
        scene = live.scene(connection.seat, request.draft)
        if scene is None:
            raise FairdealError(live.unreadable or "the game has not begun")
        connection.send(m.Shown(scene=scene, id=request.id))
    elif isinstance(request, m.Why):
        sitting = acting(live, connection)
        scene = live.audience.drawn(sitting, connection.seat, request.draft)  # which refuses a draft that is none
        text, clause = sitting.seen(connection.seat).why(request.draft, request.card)
        bite = refused(read_bites(sitting.table.game.bites), clause, request.card, scene)
        connection.send(m.Answer(id=request.id, text=text, clause=clause, bite=bite))
    elif isinstance(request, m.Inspect):
        connection.send(inspected(live, connection, request))
    elif isinstance(request, m.Position):
        connection.send(positioned(live, connection, request))
    elif isinstance(request, m.Recall):
        connection.send(recalled(live, connection, request))
    elif isinstance(request, m.Hint):
        connection.send(await hint(room, live, connection, request))
    elif isinstance(request, m.Ping):
        connection.send(m.Done(id=request.id, seq=live.facts(connection.guest).seq))
    elif isinstance(request, m.StandIn):
        await stand_in(live, connection, request)
    elif isinstance(request, m.Calm):
        await calm(live, connection, request)
    elif isinstance(request, m.Speed):
        playing(live, connection)
        live.go_at(request.speed)
        connection.send(m.Done(id=request.id, seq=live.facts(connection.guest).seq))
    else:
        raise FairdealError("the table does not answer this; the room does")


def playing(live: LiveTable, connection: Connection) -> Sitting:
    if live.unreadable:
        raise FairdealError(live.unreadable)
    if live.sitting is None or connection.seat == SPECTATOR:
        raise FairdealError("you are not seated at this table" if live.sitting else "the game has not begun")
    return live.sitting


def acting(live: LiveTable, connection: Connection) -> Sitting:
    """The sitting, for somebody who sees it as it is. Raises FairdealError."""
    if live.covered(connection.seat):
        raise IllegalMove("", NOT_YET)
    return playing(live, connection)


async def change(room: Room, live: LiveTable, connection: Connection, request: m.Pick | m.Play | m.Undo) -> None:
    """A move, or a step of one, or its undoing; the same request twice is done once."""
    client = f"{connection.guest}:{request.id}" if request.id else ""
    async with live.lock:
        playing(live, connection)
        if client and client in live.clients:
            connection.send(m.Done(id=request.id, seq=live.clients[client]))
            return
        sitting = acting(live, connection)
        if not live.is_current(connection.seat, request.seq):
            raise IllegalMove("", MOVED_ON)

        def kept() -> None:
            connection.send(m.Done(id=request.id, seq=live.number, chain=live.chain))

        if isinstance(request, m.Undo):
            await undo(room, live, connection, client)
            kept()
            return
        move: str | Sequence[int]
        if isinstance(request, m.Play):
            move = request.move
        else:
            seen = live.audience.drawn(sitting, connection.seat, request.draft)
            picked = sitting.seen(connection.seat).pick(request.draft, request.choice, seen)
            if picked.move is None:
                scene = live.audience.scene(sitting, connection.seat, picked.draft)
                connection.send(m.Shown(scene=scene, id=request.id))
                return
            move = picked.move
        try:
            await live.enter(connection.seat, move, client, kept)
        except NumberTaken:
            if client not in live.clients:
                raise
            kept()  # it was kept before, though saving it seemed to fail


async def undo(room: Room, live: LiveTable, connection: Connection, client: str) -> None:
    sitting, seat = live.sitting, connection.seat
    assert sitting is not None
    if not sitting.log.moves or sitting.log.moves[-1].seat != seat:
        raise IllegalMove("", "you can take back only your own move, and only before anybody else acts")
    if sitting.log.moves[-1].by not in ("", PERSON):
        raise IllegalMove("", "a bot made that move for you, so it stands")
    if live.stands == live.number or not await room.work.do(connection.whom, sitting.may_take_back):
        live.stands = live.number  # and it need not be thought of again
        raise IllegalMove("", "that move showed somebody something, so it stands")
    await live.take_back(seat, client)


def recalled(live: LiveTable, connection: Connection, request: m.Recall) -> m.Recalled:
    """What a seat saw since its own last act; nothing while it is shown a window."""
    sitting = playing(live, connection)
    if live.covered(connection.seat):
        raise FairdealError(NOT_YET)
    return m.Recalled(id=request.id, scenes=sitting.moments_since(connection.seat))


def inspected(live: LiveTable, connection: Connection, request: m.Inspect) -> m.Inspected:
    """A card in words, for whoever looks at it."""
    if live.sitting is None:
        raise FairdealError(live.unreadable or "the game has not begun")
    table, seen = live.sitting.table, live.sitting.seen(connection.seat)
    scene = live.audience.drawn(live.sitting, connection.seat, request.draft)
    told = inspect(
        table.game, table.game.faces(table.options), scene, request.card, lambda card: seen.why(request.draft, card)
    )
    return m.Inspected(id=request.id, card=request.card, told=told)


def positioned(live: LiveTable, connection: Connection, request: m.Position) -> m.Positioned:
    """What a seat may know, for a program that plays there."""
    sitting = acting(live, connection)
    if not 0 <= request.recall <= 100:
        raise FairdealError(f"recall is a percentage, from 0 to 100, not {request.recall}")
    position = sitting.state.view(connection.seat, request.recall).position()
    return m.Positioned(id=request.id, seq=live.number, position=position)


async def hint(room: Room, live: LiveTable, connection: Connection, request: m.Hint) -> m.Answer:
    """Thought out in a thread, on the table as it is now: the others play on. If one of them moves meanwhile and the
    seat may still act, it is thought out again, a few times. Raises IllegalMove if the table goes on and on."""
    sitting = acting(live, connection)
    if connection.seat not in sitting.state.to_act:
        raise FairdealError("it is not your turn")
    for _ in range(HINTS):
        number = live.number
        move, found = await thought_out(room, connection, sitting.still(), request.look)
        if live.number == number:
            break
        sitting = acting(live, connection)
        if connection.seat not in sitting.state.to_act:
            raise IllegalMove("", MOVED_ON)
    else:
        raise IllegalMove("", MOVED_ON)
    return m.Answer(
        id=request.id,
        text=found.text,
        move=move,
        choices=found.picks,
        marks=found.marks,
        options=found.options,
        of=found.of,
        look=next_look(request.look, sitting.table.players),
    )


async def thought_out(room: Room, connection: Connection, sitting: Sitting, look: int) -> tuple[str, Hint]:
    """A good move: in notation, and as advice. Whoever asks for the first time waits for no search."""

    def think() -> tuple[str, Hint]:
        found = sitting.hint(connection.seat, look)
        return sitting.table.game.write_move(sitting.state.record, connection.seat, found.actions), found

    if not look:
        return await room.work.do(connection.whom, think)
    await asyncio.shield(room.thinking.prepare(sitting.table.game))
    async with room.work.turn(connection.whom):
        return await room.thinking.do(think)


async def stand_in(live: LiveTable, connection: Connection, request: m.StandIn) -> None:
    """A bot plays for somebody who has been away for a while; whoever comes back takes their seat again."""
    async with live.changing():
        playing(live, connection)
        if not 0 <= request.seat < len(live.seats):
            raise FairdealError("there is no such seat")
        place = live.seats[request.seat]
        own = place.guest == connection.guest
        if not own and not request.on:
            raise FairdealError(f"only {place.name} can take this seat back")
        if not own and live.audience.is_here(place):
            raise FairdealError(f"{place.name} is here")
        left = math.ceil(live.grace(place))
        if not own and left:
            raise FairdealError(f"{place.name} may still come back; ask again in {count_of(left, 'second')}")
        await live.set_stand_in(place, request.on)
        connection.send(m.Done(id=request.id, seq=live.number))


async def calm(live: LiveTable, connection: Connection, request: m.Calm) -> None:
    """A guest wishes for calm races, before the deal or in the game."""
    async with live.changing():
        if connection.seat == SPECTATOR:
            raise FairdealError("you are not seated at this table")
        await live.wish_for_calm(live.seats[connection.seat], request.on)
    connection.send(m.Done(id=request.id, seq=live.facts(connection.guest).seq))


def line_of(connection: Connection, text: str, name: str) -> m.Said:
    """A line of chat. Raises FairdealError if nothing is left of it."""
    line = clean(text, LONGEST_LINE)
    if not line:
        raise FairdealError("the line is empty")
    return m.Said(connection.seat, name, line, time.time())
