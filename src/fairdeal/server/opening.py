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
from fairdeal.server.names import apart
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


def seat_again(live: LiveTable, seed: bytes) -> list[Place]:
    """The seats of a rematch: who asked for it is bound to a number; those who are away, and bots, give none."""

    def again(place: Place) -> Place:
        if place.plays == PERSON:
            return Place(place.seat, place.name, PERSON, place.guest, hash=live.ready.get(place.seat, ""))
        return bot_place(place.seat, place.name, place.plays, seed)

    return [again(place) for place in live.places]


def bot_place(seat: int, name: str, plays: str, seed: bytes) -> Place:
    """A bot's seat: its number follows from the seed."""
    return Place(seat, name, plays, nonce=fairness.seed_nonce(seed, seat), hash="")


def bot_names(taken: Sequence[str]) -> list[str]:
    """The names of bots that look like none of these."""
    return [name for name in BOT_NAMES if apart(name, taken) == name]


def places_for(chairs: Sequence[str], guest: str, name: str, digest: str, seed: bytes) -> list[Place]:
    places: list[Place] = []
    spare = bot_names([name])
    for seat, chair in enumerate(chairs):
        if chair == "you":
            places.append(Place(seat, name, PERSON, guest, hash=checked_hash(digest)))
        elif chair == PERSON:
            places.append(Place(seat))
        else:
            places.append(bot_place(seat, spare.pop(0), chair, seed))
    return places


def checked_hash(digest: str) -> str:
    """What binds a guest to a number; nothing for a guest whose number shall follow from the seed."""
    if digest and not fairness.HASH.fullmatch(digest):
        raise FairdealError("a hash has 64 hexadecimal digits: SHA-256 of the 16 bytes of your number")
    return digest


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
            "hash": place.hash,
            "withheld": place.withheld,
        }
        for place in live.places
    ]


def status_values(live: LiveTable) -> dict[str, Any]:
    """What changes of a table but for its seats and entries."""
    values: dict[str, Any] = {"status": live.status, "rematch": live.rematch or None, "moved": live.moved}
    if live.sitting and live.status == "over":
        values["result"] = list(live.sitting.state.scores)
    return values


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
            format=live.format,
            attempt=live.attempt,
            waits=live.waits,
            made=live.made,
            moved=live.moved,
        )
    )
    connection.execute(seats.insert(), place_rows(live))
