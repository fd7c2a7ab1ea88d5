"""Who sits where at a table, and how far their numbers for the deal have come."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.table import fairness
from fairdeal.table.sitting import PERSON


@dataclass
class Place:
    """A seat: its name and nonce as in the log, who sits there, and whether a bot plays for them now. `hash` binds them
    to the nonce: "" if they gave none, None while the room asks for one. `calm` if they wish for calm races."""

    seat: int
    name: str = ""
    plays: str = PERSON
    guest: str | None = None
    nonce: str = ""
    stand_in: bool = False
    hash: str | None = None
    withheld: bool = False
    calm: bool = False

    @property
    def is_free(self) -> bool:
        return self.plays == PERSON and not self.guest

    @property
    def is_unbound(self) -> bool:
        """Does a guest sit here who still has to send the hash of a number?"""
        return self.plays == PERSON and self.guest is not None and self.hash is None

    @property
    def is_silent(self) -> bool:
        """Does a guest sit here who is bound to a number and has not shown it?"""
        return self.plays == PERSON and self.guest is not None and bool(self.hash) and not self.nonce

    def clear(self) -> None:
        """The guest leaves."""
        self.guest, self.name, self.nonce, self.hash, self.calm = None, "", "", None, False


@dataclass
class Seats:
    """The seats of a table. `attempt` counts how often the numbers were asked for; `late` are the seats that the deal
    has waited for long enough; `ready` are those that asked for a rematch, each with its hash."""

    places: list[Place]
    attempt: int = 1
    late: set[int] = field(default_factory=set)
    ready: dict[int, str] = field(default_factory=dict)

    def __getitem__(self, seat: int) -> Place:
        return self.places[seat]

    def __iter__(self) -> Iterator[Place]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def of(self, guest: str) -> int:
        """The seat of a guest, or SPECTATOR."""
        return next((place.seat for place in self.places if place.guest == guest), SPECTATOR)

    @property
    def is_full(self) -> bool:
        return not any(place.is_free for place in self.places)

    @property
    def wish_for_calm(self) -> bool:
        """Does a guest who plays here wish for calm races?"""
        return any(place.calm and not place.stand_in for place in self.places)

    @property
    def stage(self) -> str:
        """How far an open table has come: `Deal.stage`."""
        if not self.is_full:
            return "seats"
        return "hashes" if any(place.is_unbound for place in self.places) else "numbers"

    @property
    def silent(self) -> list[Place]:
        """The seats that the deal waits for."""
        unbound = [place for place in self.places if place.is_unbound]
        return unbound or [place for place in self.places if place.is_silent]

    def ask_again(self) -> None:
        """Somebody left after numbers were shown. A newcomer could choose theirs to suit them, so everybody is bound to
        a new one."""
        if any(place.hash and place.nonce for place in self.places):
            self.attempt += 1
            for place in self.places:
                if place.plays == PERSON:
                    place.hash, place.nonce, place.withheld = None if place.hash else place.hash, "", False
        self.late = set()

    @contextlib.contextmanager
    def unless_it_fails(self) -> Iterator[None]:
        """Change the seats; if that raises, they are as they were before."""
        before = [replace(place) for place in self.places], self.attempt, self.late, dict(self.ready)
        try:
            yield
        except BaseException:
            self.places, self.attempt, self.late, self.ready = before
            raise


def bot_place(seat: int, name: str, plays: str, seed: bytes) -> Place:
    """A bot's seat: its number follows from the seed."""
    return Place(seat, name, plays, nonce=fairness.seed_nonce(seed, seat), hash="")


def checked_hash(digest: str) -> str:
    """What binds a guest to a number; empty for a guest whose number is to follow from the seed."""
    if digest and not fairness.HASH.fullmatch(digest):
        raise FairdealError("a hash has 64 hexadecimal digits: SHA-256 of the 16 bytes of your number")
    return digest
