"""The record of a table in memory: the numbers of a player, and what the room said to each of the player's visits.

`fairdeal.protocol.record` builds it from the entries that a player's program saved, and `fairdeal.table.verdict`
compares it with the log of the game.
"""

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Face, Scene
from fairdeal.table import fairness

CHAIN_DIGITS = 32
"""Number of digits of a running hash that are compared. A shorter one acknowledges nothing."""

Check = Literal[
    "number", "promise", "room", "outline", "failed", "waits", "bound", "header", "seed", "log", "signed",
    "acknowledged", "moves", "bots", "undone", "shown",
]  # fmt: skip
"""The checks, in order. docs/security.md says what each of them needs."""


@dataclass
class Number:
    """A nonce of the player's own.

    nonce    the nonce, in hexadecimal
    promise  the room's commitment to the seed of the deal for which the nonce was made
    attempt  the attempt at the deal for which the room accepted its commitment; 0 until it has
    outline  the header without nonces for which the nonce was sent; empty until it is
    visit    the visit to which the room acknowledged the nonce; empty until it has
    """

    nonce: str
    promise: str = ""
    attempt: int = 0
    outline: str = ""
    visit: str = ""

    @property
    def hash(self) -> str:
        """The commitment to the nonce."""
        return fairness.nonce_hash(self.nonce)

    @property
    def seats(self) -> set[int]:
        """The seats to which the outline bound this nonce: the player's own, and those of guests who copied its
        commitment."""
        return {
            int(seat) for seat in re.findall(rf"^seat (\d{{1,3}}) .* bound {self.hash}$", self.outline, re.MULTILINE)
        }

    def is_reported(self, failed: set[tuple[int, int]]) -> bool:
        """Whether this nonce is among those of failed deals, given as attempts and seats."""
        return any((self.attempt, seat) in failed for seat in self.seats)


class Drawn(NamedTuple):
    """A scene that was drawn.

    layout   hash of the layout of states, on which its digest depends
    version  the versions of fairdeal and of the game's package, on which its words depend; empty if the room named none
    """

    scene: Scene
    layout: str
    version: str


@dataclass
class Visit:
    """Messages of the room to one program of the player, from its start to its end.

    promise       the room's commitment to the seed
    key           the room's public key
    seat          the player's own seat, as last said
    attempt       the last attempt at the deal
    header        the header of the deal
    reports       whether the room reports deals that failed
    acknowledged  the running hash of the log, by the viewer's seat and the number of entries known to the viewer
    layout        the room's layout of states, as last said
    version       the room's versions, as last said
    scenes        the scenes that were drawn, in order
    broken        contradictions between two messages of this visit, as checks and reasons
    seats         all seats that the room called the player's own in the game
    """

    promise: str = ""
    key: str = ""
    seat: int = SPECTATOR
    attempt: int = 0
    header: str = ""
    reports: bool = False
    acknowledged: dict[tuple[int, int], str] = field(default_factory=dict)
    layout: str = ""
    version: str = ""
    scenes: list[Drawn] = field(default_factory=list)
    broken: list[tuple[Check, str]] = field(default_factory=list)
    seats: set[int] = field(default_factory=set)

    def breaks(self, check: Check, reason: str) -> None:
        """Add a contradiction, once."""
        if (check, reason) not in self.broken:
            self.broken.append((check, reason))

    def acknowledges(self, entries: int, chain: str) -> None:
        """Add an acknowledgement by the room: the running hash after `entries` entries."""
        chain = chain[:CHAIN_DIGITS]
        if len(chain) < CHAIN_DIGITS or entries < 0:
            return
        if self.acknowledged.setdefault((self.seat, entries), chain) != chain:
            self.breaks("acknowledged", "two")


@dataclass
class Record:
    """Messages and numbers that a player's program sent and received at a table.

    table    the table's id
    numbers  the player's nonces, by their commitments
    visits   the visits by their ids, in order
    faces    the catalogue of faces that the room sent
    missed   why something was not recorded; empty if everything was
    """

    table: str = ""
    numbers: dict[str, Number] = field(default_factory=dict)
    visits: dict[str, Visit] = field(default_factory=dict)
    faces: dict[str, Face] = field(default_factory=dict)
    missed: str = ""

    def add_number(self, number: Number) -> None:
        self.numbers.setdefault(number.hash, number)
