"""The seats of a table, their guests, and the progress of their nonces for the deal."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.table import fairness
from fairdeal.table.log import Failed
from fairdeal.table.names import isolated, shown
from fairdeal.table.sitting import PERSON

MOST_FAILED = 50
"""Number of failed deals after which nobody can join a table. Each failed deal is listed in the header of the next
one."""


@dataclass
class Place:
    """A seat of a table.

    name      name of the player, as in the log; `shown` is the name to show
    plays     `person`, or the name of the bot that plays, as in the log
    guest     the guest who sits here
    nonce     the nonce, as in the log
    stand_in  whether a bot plays for the guest now
    hash      the guest's commitment to the nonce: "" if they sent none, or None while the room waits for it
    withheld  whether the guest sent a commitment but did not reveal the nonce
    calm      whether the guest asks for calm races
    ready     the guest's commitment to a nonce for a rematch; None if they have not asked for one
    successor name of the guest who has taken the seat over in the game, or ""
    """

    seat: int
    name: str = ""
    plays: str = PERSON
    guest: str | None = None
    nonce: str = ""
    stand_in: bool = False
    hash: str | None = None
    withheld: bool = False
    calm: bool = False
    ready: str | None = None
    successor: str = ""

    @property
    def current(self) -> str:
        """The name of the player who plays now."""
        return self.successor or self.name

    @property
    def shown(self) -> str:
        """The name of the player who plays now, as everybody sees it."""
        return isolated(shown(self.current) if self.plays == PERSON else self.name)

    @property
    def is_for_bot(self) -> bool:
        """Whether a bot plays here and nobody else. In a branch, a guest may have taken a bot's seat."""
        return self.plays != PERSON and self.guest is None

    @property
    def is_free(self) -> bool:
        return self.plays == PERSON and not self.guest

    @property
    def is_unbound(self) -> bool:
        """Whether the seat has a guest who has not sent a commitment to a nonce yet."""
        return self.plays == PERSON and self.guest is not None and self.hash is None

    @property
    def is_silent(self) -> bool:
        """Whether the seat has a guest who has committed to a nonce but not revealed it."""
        return self.plays == PERSON and self.guest is not None and bool(self.hash) and not self.nonce

    def clear(self) -> None:
        """Remove the guest from this seat."""
        self.guest, self.name, self.nonce, self.hash, self.calm = None, "", "", None, False


@dataclass
class Seats:
    """The seats of a table.

    attempt  number of times that the room requested nonces
    failed   attempts that ended after nonces had been revealed
    late     seats for which the deal will not wait any longer
    """

    places: list[Place]
    attempt: int = 1
    failed: tuple[Failed, ...] = ()
    late: set[int] = field(default_factory=set)

    def __getitem__(self, seat: int) -> Place:
        return self.places[seat]

    def __iter__(self) -> Iterator[Place]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def of(self, guest: str) -> int:
        """Return the seat of a guest, or SPECTATOR."""
        return next((place.seat for place in self.places if place.guest == guest), SPECTATOR)

    @property
    def ready(self) -> dict[int, str]:
        """The commitments of the seats that asked for a rematch."""
        return {place.seat: place.ready for place in self.places if place.ready is not None}

    @property
    def is_full(self) -> bool:
        return not any(place.is_free for place in self.places)

    @property
    def wish_for_calm(self) -> bool:
        """Whether a guest who plays at this table asks for calm races."""
        return any(place.calm and not place.stand_in for place in self.places)

    @property
    def stage(self) -> str:
        """The stage of an open table, as in `Deal.stage`."""
        if not self.is_full:
            return "seats"
        return "hashes" if any(place.is_unbound for place in self.places) else "numbers"

    @property
    def silent(self) -> list[Place]:
        """The seats whose nonces the deal waits for."""
        unbound = [place for place in self.places if place.is_unbound]
        return unbound or [place for place in self.places if place.is_silent]

    def free(self, leaving: Iterable[int]) -> None:
        """Remove guests from their seats. If nonces were already requested, request new ones from all other guests in a
        new attempt. Some nonces may have been sent even if they have not arrived, and a newcomer who had seen them
        could choose a nonce that gives the desired cards."""
        gone = [self.places[seat] for seat in leaving]
        if self.stage == "numbers":
            shown = tuple(place.seat for place in self.places if place.hash and place.nonce and not place.withheld)
            if shown:
                left = tuple((place.seat, place.name) for place in gone)
                self.failed += (Failed(self.attempt, left, shown),)
            self.attempt += 1
            for place in self.places:
                if place.plays == PERSON:
                    place.hash, place.nonce, place.withheld = None if place.hash else place.hash, "", False
        for place in gone:
            place.clear()
        self.late = set()

    @contextlib.contextmanager
    def unless_it_fails(self) -> Iterator[None]:
        """Restore the seats if the context raises an exception."""
        before = [replace(place) for place in self.places], self.attempt, self.failed, self.late
        try:
            yield
        except BaseException:
            self.places, self.attempt, self.failed, self.late = before
            raise


def bot_place(seat: int, name: str, plays: str, seed: bytes) -> Place:
    """Return a bot's seat, whose nonce is derived from the seed."""
    return Place(seat, name, plays, nonce=fairness.seed_nonce(seed, seat), hash="")


def checked_hash(digest: str) -> str:
    """Check a commitment and return it. It is empty if the guest's nonce is to be derived from the seed. Raises
    FairdealError if it is invalid."""
    if digest and not fairness.HASH.fullmatch(digest):
        raise FairdealError("a hash has 64 hexadecimal digits: SHA-256 of the 16 bytes of your nonce")
    return digest
