"""Handlers for the requests of a connection."""

import asyncio
import contextlib
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, NamedTuple, TypeVar

from fairdeal.bots.search import Thought
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.inspection import inspect
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import count_of
from fairdeal.engine.tips import read_bites, refused
from fairdeal.protocol import messages as m
from fairdeal.server.api.lessons import Lesson
from fairdeal.server.api.opening import rematch
from fairdeal.server.extras.modules import addresses_of
from fairdeal.server.room import Room
from fairdeal.server.storage.store import MOVED_ON, InDoubt, NotOwner, NotSaved, NumberTaken
from fairdeal.server.tables.audience import NOT_YET, Connection
from fairdeal.server.tables.guests import name_of
from fairdeal.server.tables.live import LiveTable
from fairdeal.table.advice import SECONDS, Hint, known_record, next_look
from fairdeal.table.log import taken_back
from fairdeal.table.names import LONGEST_LINE, apart, clean, isolated
from fairdeal.table.sitting import Sitting

ATTEMPTS = 3
"""Maximum number of attempts to compute a hint, or to check an undo, while other seats act at the same time."""

LONGEST_CHECK = 5.0
"""Maximum processor time, in seconds, for checking whether an undo can be offered."""

TOO_LONG = "it takes too long to find out whether your move can be taken back"

NOT_MADE = "the room cannot save at the moment; your move was not made, try again"


R_co = TypeVar("R_co", covariant=True)


class Call(NamedTuple, Generic[R_co]):
    """A request, and the connection to a table over which it was received."""

    room: Room
    live: LiveTable
    connection: Connection
    request: R_co

    @property
    def seat(self) -> int:
        return self.connection.seat

    @property
    def sitting(self) -> Sitting:
        """The sitting. Handlers that use it are called only when there is one."""
        assert self.live.sitting is not None
        return self.live.sitting


async def handle(room: Room, live: LiveTable | Lesson, connection: Connection, request: m.Requests) -> None:
    """Carry out one request of a connection to a table or a lesson, and send the response, which may be an error. If
    the room cannot tell whether it has saved the request, or another worker owns the table, close the connection
    instead."""
    row = ANSWERS[type(request)]
    if not isinstance(request, m.Ping):  # which does not wait for the others
        connection.asked = time.perf_counter()
    try:
        if row.allowance:
            room.limits.spend(row.allowance, connection.guest, connection.address, row.cost(request))
        if isinstance(live, Lesson):
            reply = row.in_lesson(live, request)
        else:
            async with row.lock(live):
                await live.check_owner()
                row.needs(live, connection)
                reply = await row.answer(Call(room, live, connection, request))
        if reply:
            connection.send(reply)
    except (InDoubt, NotOwner):
        connection.hang_up()
    except FairdealError as problem:
        room.store.meter.refused(type(problem).__name__)
        reason, clause = str(problem), ""
        if isinstance(problem, IllegalMove):
            reason, clause = problem.reason, problem.clause or ""
        elif isinstance(problem, NotSaved):
            reason = row.not_saved or reason
        shows = row.scene and not row.beside(request)
        scene = live.scene(connection.seat) if isinstance(live, Lesson) or (shows and live.is_owned) else None
        connection.send(m.Refused(id=request.id, reason=reason, clause=clause, scene=scene))


# --- permissions ------------------------------------------------------------------------------------------------


def seated(live: LiveTable, connection: Connection) -> None:
    """Raise FairdealError if the connection is a spectator's."""
    if connection.seat == SPECTATOR:
        raise FairdealError("you are not seated at this table")


def begun(live: LiveTable, connection: Connection) -> Sitting:
    """Return the sitting. Raises FairdealError if there is none."""
    if live.sitting is None:
        raise FairdealError(live.unreadable or "the game has not begun")
    return live.sitting


def playing(live: LiveTable, connection: Connection) -> Sitting:
    """Return the sitting of a player. Raises FairdealError for a spectator, or if there is none."""
    sitting = begun(live, connection)
    seated(live, connection)
    return sitting


def acting(live: LiveTable, connection: Connection) -> Sitting:
    """Return the sitting of a player who sees its current state. Raises FairdealError for any other connection."""
    if live.covered(connection.seat):
        raise IllegalMove("", NOT_YET)
    return playing(live, connection)


def unaided(live: LiveTable) -> None:
    """Raise FairdealError if the game is played without help."""
    if live.terms.unaided:
        raise FairdealError(live.terms.unaided)


# --- moves ------------------------------------------------------------------------------------------------------
#
# A move is received by `play` or `pick`, which `once` calls only for a new request. They check that the seat sees the
# current state, and `enter` gives the move to `LiveTable.enter`, which checks it, saves it, applies it, acknowledges it
# and sends it to all viewers.


def once(
    make: Callable[[Call[Any]], Awaitable[m.Message | None]],
) -> Callable[[Call[Any]], Awaitable[m.Message | None]]:
    """Return a handler that makes a change only once: a repeated request gets the response to the first."""

    async def answer(call: Call[Any]) -> m.Message | None:
        if done := done_before(call):
            return done
        try:
            return await make(call)
        except (IllegalMove, NumberTaken):  # the change may have been saved meanwhile, or although that seemed to fail
            if done := done_before(call):
                return done
            raise

    return answer


@once
async def play(call: Call[m.Play]) -> None:
    """Make a complete move."""
    check_current(call)
    await enter(call, call.request.move)


@once
async def pick(call: Call[m.Pick]) -> m.Message | None:
    """Make a move, show a part of one, or pass in the window that is shown."""
    request = call.request
    if request.choice < 0 and not request.draft:
        moment = call.live.pass_ahead(call.seat, request.seq, request.choice, client_of(call))
        return m.Done(id=request.id, seq=moment.number[call.seat], chain=moment.chain[call.seat])
    check_current(call)
    seen = call.sitting.sent(call.seat, request.draft)
    picked = call.sitting.seen(call.seat).pick(request.draft, request.choice, seen)
    if picked.move is None:
        return shown(call, picked.draft)
    await enter(call, picked.move)
    return None


async def enter(call: Call[m.Pick | m.Play], move: str | Sequence[int]) -> None:
    """Enter a move. The response is sent once the move is saved, before the other viewers see it."""

    def acknowledge() -> None:
        call.connection.send(made(call))
        call.room.store.meter.acknowledged(call.live.terms.game, time.perf_counter() - call.connection.asked)

    await call.live.enter(call.seat, move, client_of(call), acknowledge)


@once
async def take_back(call: Call[m.Undo]) -> m.Message:
    """Undo a player's last move and the answers of bots. The table can be used while a thread checks whether the moves
    revealed something."""
    room, live, connection, request = call
    unaided(live)
    if request.ask:
        return await offer(call)
    for _ in range(ATTEMPTS):
        check_own_or_answered(call)
        number, sitting = live.number, call.sitting.still()
        sitting.answered(call.seat)
        count = await room.work.do(connection.client, sitting.check_taking_back, call.seat)
        async with held(live):
            check_own_or_answered(call)
            if live.number == number:  # otherwise a bot has answered meanwhile
                await live.take_back(call.seat, client_of(call), count)
                return made(call)
    raise IllegalMove("", MOVED_ON)


async def offer(call: Call[m.Undo]) -> m.Undoable:
    """Report that a player's last move can be undone, and let the bot that would answer it wait. Raises IllegalMove if
    the move cannot be undone, if the check takes more than LONGEST_CHECK, or as soon as another move is made."""
    room, live, connection, request = call
    check_own_or_answered(call)
    seat, number, sitting = call.seat, live.number, call.sitting.still()
    sitting.answered(seat)

    def check(rest: Callable[[], None]) -> int:
        began = time.thread_time()

        def look_up() -> None:
            rest()
            if live.number != number:
                raise IllegalMove("", MOVED_ON)
            if time.thread_time() - began > LONGEST_CHECK:
                raise IllegalMove("", TOO_LONG)

        return sitting.check_taking_back(seat, look_up)

    count = await room.offers.in_turns(connection.client, check)
    if live.number != number or live.number_for(seat) != request.seq:
        raise IllegalMove("", MOVED_ON)
    if count == 1:
        live.offer_undo()
    return m.Undoable(id=request.id, seq=request.seq)


def check_own_or_answered(call: Call[m.Undo]) -> None:
    """Raise IllegalMove unless only bots have moved since the state that a seat saw when it made the request."""
    acting(call.live, call.connection)
    number, entries = call.live.number_for(call.seat), call.sitting.log.entries
    since = entries[len(entries) - max(0, number - call.request.seq) :]
    if call.request.seq > number or any(one.seat not in call.sitting.bots or taken_back(one.text) for one in since):
        raise IllegalMove("", MOVED_ON)


def client_of(call: Call[m.Requests]) -> str:
    """Return the key under which the table stores a request, or "" if the request has no id."""
    return f"{call.connection.guest}:{call.request.id}" if call.request.id else ""


def done_before(call: Call[m.Pick | m.Play | m.Undo]) -> m.Done | None:
    """Return the response to a request that was already carried out, or None."""
    number = call.live.done(client_of(call))
    return None if number is None else m.Done(id=call.request.id, seq=number)


def check_current(call: Call[m.Pick | m.Play | m.Undo]) -> None:
    """Raise IllegalMove if a seat does not see the current state, or if the request was made in an earlier state."""
    acting(call.live, call.connection)
    if not call.live.is_current(call.seat, call.request.seq):
        raise IllegalMove("", MOVED_ON)


def made(call: Call[m.Pick | m.Play | m.Undo]) -> m.Done:
    """Return the response to a request that produced the last entry of the log."""
    live, seat = call.live, call.seat
    return m.Done(id=call.request.id, seq=live.number_for(seat), chain=live.chain_for(seat))


# --- views ------------------------------------------------------------------------------------------------------


async def draft(call: Call[m.Draft]) -> m.Shown:
    """Return the scene with an unfinished move."""
    return shown(call, call.request.draft)


def shown(call: Call[m.Draft | m.Pick], draft: Sequence[int]) -> m.Shown:
    """Return a response with the scene of an unfinished move."""
    return m.Shown(scene=call.live.audience.scene(call.sitting, call.seat, draft), id=call.request.id)


async def why(call: Call[m.Why]) -> m.Answer:
    """Return the reason why a card cannot be chosen."""
    request, sitting = call.request, call.sitting
    scene = sitting.sent(call.seat, request.draft)  # raises IllegalMove for an invalid draft
    text, clause = sitting.seen(call.seat).why(request.draft, request.card)
    bite = refused(read_bites(sitting.table.game.clauses), clause, request.card, scene)
    return m.Answer(id=request.id, text=text, clause=clause, bite=bite)


async def recalled(call: Call[m.Recall]) -> m.Recalled:
    """Return the scenes that a seat saw since its own last action. Raises FairdealError while a window is shown."""
    if call.live.covered(call.seat):
        raise FairdealError(NOT_YET)
    return m.Recalled(id=call.request.id, scenes=call.sitting.moments_since(call.seat))


async def inspected(call: Call[m.Inspect]) -> m.Inspected:
    """Return a description of a card in the current scene. Spectators may ask for it too."""
    live, request, sitting = call.live, call.request, call.sitting
    table = sitting.table
    if moment := live.covered(call.seat):
        seen = moment.views.of(call.seat, sitting.names)
        scene = live.audience.scene(sitting, call.seat, request.draft)
    else:
        seen, scene = sitting.seen(call.seat), sitting.sent(call.seat, request.draft)
    told = inspect(
        table.game, table.game.faces(table.options), scene, request.card, lambda card: seen.why(request.draft, card)
    )
    return m.Inspected(id=request.id, card=request.card, told=told)


async def positioned(call: Call[m.Position]) -> m.Positioned:
    """Return the position as known to a seat, for a program that plays there."""
    recall = call.request.recall
    if not 0 <= recall <= 100:
        raise FairdealError(f"recall must be a percentage from 0 to 100, not {recall}")
    position = call.sitting.state.view(call.seat, recall).position()
    return m.Positioned(id=call.request.id, seq=call.live.number_for(call.seat), position=position)


async def present(call: Call[m.Requests]) -> m.Done:
    """Return a response with the number of the last entry that this viewer may know of."""
    return m.Done(id=call.request.id, seq=call.live.number_shown(call.seat))


async def pong(call: Call[m.Ping]) -> m.Done:
    """Return a response with the room's time, too."""
    return (await present(call)).replaced(now=time.time())


async def hint(call: Call[m.Hint]) -> m.Answer:
    """Return a hint, computed in a thread while play continues. If another seat moves in the meantime and this seat may
    still act, the hint is computed again, at most ATTEMPTS times. Raises IllegalMove if the state of the table has
    changed too often."""
    room, live, connection, request = call
    unaided(live)
    table = call.sitting.table
    look = next_look(request.look, table.players)
    names = room.modules.at_hand(table.game) if look and request.searches else None
    for attempt in range(ATTEMPTS):
        sitting, number = acting(live, connection), live.number_for(call.seat)
        if connection.seat not in sitting.state.to_act:
            raise IllegalMove("", MOVED_ON if attempt else "it is not your turn")
        if request.tried and request.seq != number:
            raise IllegalMove("", MOVED_ON)
        found = await thought_out(room, connection, sitting.still(), request, bool(names))
        if live.number_for(call.seat) == number:
            break
    else:
        raise IllegalMove("", MOVED_ON)
    search = m.Search(*addresses_of(names), found.view, number, SECONDS[look]) if names and found.view else None
    return m.Answer(
        id=request.id,
        text=found.hint.text,
        move=found.move,
        choices=found.hint.picks,
        marks=found.hint.marks,
        options=found.hint.options,
        of=found.hint.of,
        look=look,
        search=search,
    )


class ThoughtOut(NamedTuple):
    """A hint, its move in notation, and, if requested, the state as the seat knows it, in hexadecimal digits."""

    hint: Hint
    move: str
    view: str


async def thought_out(
    room: Room, connection: Connection, sitting: Sitting, request: m.Hint, with_view: bool
) -> ThoughtOut:
    """Compute a hint. The room does not search for the first request, or if a program has searched."""
    tried = [Thought(one.actions, one.games, one.wins, 0.0, 0.0, 0.0) for one in request.tried]
    seat, state = connection.seat, sitting.state

    def think(rest: Callable[[], None] = lambda: None) -> ThoughtOut:
        found = sitting.hint(seat, request.look, rest, tried)
        move = state.game.write_move(state.view(seat, state.game.recall).record, seat, found.actions)
        return ThoughtOut(found, move, known_record(state, seat).hex() if with_view else "")

    if not request.look or tried:
        return await room.work.do(connection.client, think)
    await asyncio.shield(room.thinking.prepare(state.game))
    return await room.thinking.hints.in_turns(connection.client, think)


# --- players ----------------------------------------------------------------------------------------------------


async def stand_in(call: Call[m.StandIn]) -> m.Done:
    """Let a bot play for a guest who has been away for some time, or stop that bot."""
    live, request = call.live, call.request
    if not 0 <= request.seat < len(live.seats):
        raise FairdealError("there is no such seat")
    place = live.seats[request.seat]
    own = place.guest == call.connection.guest
    if own and live.terms.daily:
        unaided(live)
    if not own:
        if not request.on:
            raise FairdealError(f"only {place.shown} can take this seat back")
        if live.audience.is_here(place):
            raise FairdealError(f"{place.shown} is here")
        if live.terms.is_over_days:
            raise FairdealError("at a table with a clock in days, a bot moves for others only when their time is over")
        if left := math.ceil(live.grace(place)):
            raise FairdealError(f"{place.shown} may still come back; try again in {count_of(left, 'second')}")
    await live.set_stand_in(place, request.on)
    return await present(call)


async def calm(call: Call[m.Calm]) -> m.Done:
    """Set whether a guest asks for calm races, before the deal or during the game."""
    await call.live.wish_for_calm(call.live.seats[call.seat], call.request.on)
    return await present(call)


async def speed(call: Call[m.Speed]) -> m.Done:
    """Set the speed of the bots."""
    call.live.go_at(call.request.speed, call.seat)
    return await present(call)


async def ask_again(call: Call[m.Rematch]) -> m.Done:
    """Ask for a rematch."""
    await rematch(call.room, call.live, call.connection, call.request.hash)
    return m.Done(id=call.request.id)


async def say(call: Call[m.Say]) -> m.Done:
    """Post a line of chat, only once even if the request is repeated. The caller must hold the lock, so that a repeated
    request waits for the first."""
    room, live, connection, request = call
    client = client_of(call) if connection.guest else ""
    if live.done(client) is None:
        room.limits.spend("say", connection.guest, connection.address)
        line = clean(request.text, LONGEST_LINE)
        if not line:
            raise FairdealError("the line is empty")
        said = m.Said(connection.seat, await speaker(live, connection), line, time.time())
        await live.keep_line(said, client)
        live.audience.say(said)
        live.remember(client, live.facts(connection.guest).seq)
    return m.Done(id=request.id)


async def speaker(live: LiveTable, connection: Connection) -> str:
    """Return the name shown for a connection in chat. A spectator's name is changed if it looks like a player's."""
    if connection.seat >= 0:
        return live.seats[connection.seat].shown
    return isolated(apart(await name_of(live.store, connection.guest), [place.shown for place in live.seats]))


# --- the table of handlers --------------------------------------------------------------------------------------


def by_pick(request: m.Pick | m.Draft | m.Why | m.Inspect) -> int:
    """Return the number of scenes that must be drawn for an unfinished move, one for each choice."""
    return max(1, len(request.draft))


def held(live: LiveTable) -> asyncio.Lock:
    return live.lock


def only_asks(request: m.Hint | m.Undo) -> bool:
    """Return whether a request takes time but changes nothing."""
    return isinstance(request, m.Hint) or request.ask


class Row(NamedTuple):
    """The handler for a type of request, with its limits and permissions.

    answer     the handler, which returns the response, or None if it has already sent one
    allowance  the kind of rate limit (`limits.LimitSettings`); "" if the handler checks it
    cost       number of tokens spent
    needs      function that raises FairdealError for a connection that may not send the request (default: none)
    lock       context in which the handler runs: none, the table's lock, or `LiveTable.changing`
    scene      whether an error response includes the scene; errors of requests that change nothing (`beside`) do not
    not_saved  error message if the room cannot save (default: that of the exception)
    beside     function that returns whether the connection's later requests are handled while the handler runs
    in_lesson  the handler in a lesson (default: one that returns an error)
    """

    answer: Callable[[Call[Any]], Awaitable[m.Message | None]]
    allowance: str = "look"
    cost: Callable[[Any], int] = lambda request: 1
    needs: Callable[[LiveTable, Connection], object] = lambda live, connection: None
    lock: Callable[[LiveTable], AbstractAsyncContextManager[object]] = contextlib.nullcontext
    scene: bool = True
    not_saved: str = ""
    beside: Callable[[Any], bool] = lambda request: False
    in_lesson: Callable[[Lesson, Any], m.Message | None] = Lesson.refuse


ANSWERS: dict[type[m.Request], Row] = {
    m.Pick: Row(pick, cost=by_pick, needs=playing, lock=held, not_saved=NOT_MADE, in_lesson=Lesson.pick),
    m.Play: Row(play, needs=playing, lock=held, not_saved=NOT_MADE),
    m.Undo: Row(take_back, needs=playing, not_saved=NOT_MADE, beside=only_asks),
    m.Draft: Row(draft, cost=by_pick, needs=begun, in_lesson=Lesson.draft),
    m.Why: Row(why, "why", cost=by_pick, needs=acting, in_lesson=Lesson.why),
    m.Inspect: Row(inspected, "why", cost=by_pick, needs=begun),
    m.Position: Row(positioned, needs=acting),
    m.Recall: Row(recalled, "hint", needs=playing),
    m.Hint: Row(hint, "hint", needs=acting, beside=only_asks, in_lesson=Lesson.hint),
    m.Ping: Row(pong, in_lesson=Lesson.ping),
    m.StandIn: Row(stand_in, needs=playing, lock=LiveTable.changing),
    m.Calm: Row(calm, needs=seated, lock=LiveTable.changing),
    m.Speed: Row(speed, needs=playing),
    m.Say: Row(say, "", lock=held, scene=False),
    m.Rematch: Row(ask_again, lock=LiveTable.changing, scene=False),
}
"""The handler of each type of request, at a table and in a lesson."""
