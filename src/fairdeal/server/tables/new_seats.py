"""The players at the seats of a new table: you, a person who will join, or a bot."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fairdeal.bots.company import called, company
from fairdeal.bots.levels import seated
from fairdeal.bots.registry import BOTS, bots_of, check_table, usual_bot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table
from fairdeal.server.tables.seats import Place, Seats, bot_place, checked_hash
from fairdeal.server.tables.terms import Terms
from fairdeal.table.names import apart
from fairdeal.table.sitting import PERSON


def seats_for(table: Table, chairs: Sequence[str]) -> list[str]:
    """Return the player of each chair, as written in a log. Raises FairdealError if the chairs do not fit the table."""
    players, known = table.players, [*bots_of(table.game), *BOTS]
    if len(chairs) != players:
        raise FairdealError(f"this table has {players} seats, but you gave {len(chairs)} chairs")
    if chairs.count("you") > 1:
        raise FairdealError("only one chair can be `you`")
    for chair in chairs:
        if chair not in ("you", PERSON, *known):
            raise FairdealError(f"a chair must be you, {PERSON} or one of {', '.join(known)}, not {chair!r}")
        if chair in BOTS:
            check_table(chair, table)
    return [seated(chair, table.game) for chair in chairs]


def name_for(word: str, taken: Iterable[str]) -> str:
    """Return a name for a bot that cannot be confused with any of the names `taken`."""
    names = [*taken]
    return called(word, lambda name: apart(name, names) == name)


def places_for(chairs: Sequence[str], guest: str, name: str, digest: str, seed: bytes) -> list[Place]:
    """Return the seats of a table that a guest opens."""
    places: list[Place] = []
    for seat, chair in enumerate(chairs):
        if chair == "you":
            places.append(Place(seat, name, PERSON, guest, hash=checked_hash(digest)))
        elif chair == PERSON:
            places.append(Place(seat))
        else:
            taken = [name, *(place.name for place in places)]
            places.append(bot_place(seat, name_for(chair, taken), chair, seed))
    return places


def opponents(game: str, count: int, others: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield the name of each opponent of the room who joins others: the usual one of the game, and its company. Yield
    how it plays, too, as in the log."""
    known, names, plays = find_game(game), [one.name for one in others], [one.plays for one in others]
    for word in company(usual_bot(known), count, known, plays):
        names.append(name_for(word, names))
        yield names[-1], seated(word, known)


def fill(seats: Seats, terms: Terms) -> None:
    """Give the free seats to opponents of the room."""
    free = [place.seat for place in seats if place.is_free]
    for seat, one in zip(free, opponents(terms.game, len(free), seats), strict=True):
        seats.places[seat] = bot_place(seat, *one, terms.seed)


def places_again(seats: Seats, seed: bytes) -> list[Place]:
    """Return the seats of a rematch. Guests who asked for the rematch have sent the commitment to a nonce. Absent
    guests and bots have none. The seat of a guest who has deleted their data is free."""

    def again(place: Place) -> Place:
        if place.plays == PERSON and place.guest is None:
            return Place(place.seat)
        if place.plays == PERSON:
            return Place(place.seat, place.current, PERSON, place.guest, hash=seats.ready.get(place.seat, ""))
        return bot_place(place.seat, place.name, place.plays, seed)

    return [again(place) for place in seats]
