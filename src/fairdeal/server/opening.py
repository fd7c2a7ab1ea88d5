"""Opening a table: names, chairs, numbers, and the rows that keep it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from fairdeal.bots.bots import BOTS
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.server.live import LiveTable, Place
from fairdeal.server.store import seats, tables
from fairdeal.table import fairness
from fairdeal.table.sitting import PERSON

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
BOT_NAMES = ("Bo", "Cleo", "Dai", "Eli", "Fay", "Gus", "Hana", "Ike")


def new_id() -> str:
    """Ten letters and digits that cannot be guessed or misread: 49 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def check_chairs(chairs: Sequence[str], players: int) -> None:
    if len(chairs) != players:
        raise FairdealError(f"this table has {players} seats, but {len(chairs)} chairs are named")
    if chairs.count("you") > 1:
        raise FairdealError("you can sit on one chair only")
    for chair in chairs:
        if chair not in ("you", PERSON, *BOTS):
            raise FairdealError(f"a chair is you, {PERSON} or one of {', '.join(BOTS)}, not {chair!r}")


def next_nonce(live: LiveTable, place: Place) -> str:
    """The number of a seat in a rematch: a bot's follows from the seed, a guest sent his."""
    if place.plays != PERSON:
        return fairness.bot_nonce(live.next_seed, place.seat)
    return live.ready.get(place.seat) or fairness.new_nonce()


def places_for(chairs: Sequence[str], guest: str, name: str, nonce: str, seed: bytes) -> list[Place]:
    places: list[Place] = []
    spare = [one for one in BOT_NAMES if one.casefold() != name.casefold()]
    for seat, chair in enumerate(chairs):
        if chair == "you":
            places.append(Place(seat, name, PERSON, guest, checked_nonce(nonce)))
        elif chair == PERSON:
            places.append(Place(seat))
        else:
            places.append(Place(seat, spare.pop(0), chair, None, fairness.bot_nonce(seed, seat)))
    return places


def checked_nonce(nonce: str) -> str:
    """A guest's own number; the room draws one for a guest who sends none."""
    if not nonce:
        return fairness.new_nonce()
    if len(nonce) != 2 * fairness.NONCE_BYTES or any(digit not in "0123456789abcdef" for digit in nonce):
        raise FairdealError(f"a nonce has {2 * fairness.NONCE_BYTES} hexadecimal digits")
    return nonce


def find_title(game: str) -> str:
    try:
        return find_game(game).title
    except FairdealError:
        return game


def place_rows(live: LiveTable) -> list[dict[str, Any]]:
    return [
        {
            "table": live.id,
            "seat": place.seat,
            "name": place.name,
            "plays": place.plays,
            "guest": place.guest,
            "nonce": place.nonce,
            "stand_in": place.stand_in,
        }
        for place in live.places
    ]


def insert_table(connection: sa.Connection, live: LiveTable) -> None:
    connection.execute(
        tables.insert().values(
            id=live.id,
            game=live.game,
            rules_version=live.rules_version,
            options=live.options,
            title=live.name,
            host=live.host,
            listed=live.listed,
            clock=live.clock,
            seed=live.seed,
            status=live.status,
            origin=live.origin,
            made=live.made,
            moved=live.moved,
        )
    )
    connection.execute(seats.insert(), place_rows(live))
