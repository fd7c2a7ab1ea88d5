"""Join a table, leave it, and start it without missing guests."""

from fairdeal.engine.errors import FairdealError
from fairdeal.server.tables.dealing import go_on, stop_waiting
from fairdeal.server.tables.guests import name_of
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.new_seats import fill
from fairdeal.server.tables.saving import attempt_of
from fairdeal.server.tables.seats import MOST_FAILED, Place, checked_hash
from fairdeal.table.names import apart


async def join(live: LiveTable, guest: str, seat: int | None, hash: str) -> None:
    """Take a free seat, with the commitment `hash` to a nonce. A guest who already has a seat keeps it. After the deal,
    the guest plays on at a seat whose player is gone."""
    async with live.changing():
        seats = live.seats
        if seats.of(guest) >= 0:
            return
        if live.unreadable:
            raise FairdealError(live.unreadable)
        if live.terms.evening:
            raise FairdealError("the rounds of an evening decide who sits here; you can watch")
        if live.status != "open" and (live.shown_status != "running" or live.terms.origin or live.terms.rated):
            raise FairdealError("this game has begun; you can watch it")
        if len(seats.failed) >= MOST_FAILED:
            raise FairdealError("too many deals failed at this table; open a new one")
        place = next((place for place in seats if place.is_free and seat in (None, place.seat)), None)
        if place is None:
            begun = "this game has begun; you can watch it" if live.status != "open" else "no seat is free"
            raise FairdealError("that seat is taken" if seat is not None else begun)
        name = await name_of(live.store, guest)
        if live.status != "open":
            await play_on(live, place, guest, name)
            return
        place.hash = checked_hash(hash)
        place.guest, place.nonce = guest, ""
        place.name = apart(name, [other.name for other in seats if other is not place])
        live.audience.away(place.seat)
        live.audience.reseat()
        await live.keep_places()
        await go_on(live)


async def play_on(live: LiveTable, place: Place, guest: str, name: str) -> None:
    """Take over a seat whose player is gone. The log keeps the player's name and has ANOTHER at the moves. The guest's
    connections are closed, because the game has other entries for a seat than for a spectator."""
    place.guest, place.successor = guest, apart(name, [other.current for other in live.seats if other is not place])
    await live.keep_places()
    live.audience.away(place.seat)
    live.audience.reseat()
    await live.set_stand_in(place, on=False)
    live.note_here()
    live.audience.hang_up(guest)
    live.look_at_presence()
    live.tell()
    live.tell_facts()


async def leave(live: LiveTable, guest: str) -> None:
    """Leave a table. Before the deal, the seat becomes free, except at an evening. After the deal, a bot plays for the
    guest until they come back, if other people play or the game is rated or of an evening; another game against bots
    only is paused (`LiveTable.is_paused`)."""
    async with live.changing():
        seats, seat = live.seats, live.seats.of(guest)
        if seat < 0:
            return
        if live.status == "open" and not live.terms.evening:
            seats.free([seat])
            stop_waiting(live)
            live.audience.reseat()
            await live.keep_places(**attempt_of(seats))
            live.tell_facts()
        elif live.shown_status == "running" and (live.terms.goes_on or not live.pace.is_of_one):
            await live.set_stand_in(seats[seat], on=True)


async def start(live: LiveTable, guest: str) -> None:
    """Start without waiting, at the host's request. The game's usual opponent and its company take the free
    seats and the seats of guests who are late with their nonces."""
    async with live.changing():
        seats = live.seats
        if live.terms.host != guest:
            raise FairdealError("only the host of the table can start it")
        if live.unreadable:
            raise FairdealError(live.unreadable)
        if live.status == "open":
            if seats.late:
                seats.free(seats.late)
                stop_waiting(live)
            fill(seats, live.terms)
            live.audience.reseat()
            await live.keep_places(**attempt_of(seats))
            await go_on(live)
