"""The terms of a table, which never change, and the log header derived from them."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.protocol import messages as m
from fairdeal.server.storage.promises import Keys
from fairdeal.server.tables.seats import Seats
from fairdeal.table import fairness, signatures
from fairdeal.table.clocks import DAY
from fairdeal.table.log import FORMAT, Branch, Day, Dealt, Log, Player


class Origin(NamedTuple):
    """The origin of a table that continues a game from another table.

    table  id of the other table
    move   number of moves taken over, without undone moves
    entry  number of log entries taken over
    chain  running hash after these entries
    dealt  id of the table at which the cards were dealt
    """

    table: str
    move: int
    entry: int = 0
    chain: str = ""
    dealt: str = ""


class Daily(NamedTuple):
    """The deal of a day that is played at a table.

    number   number of the deal
    numbers  root of its list of numbers
    closes   Unix time until which it can be played, and until which its cards stay secret
    counted  whether this is the guest's counted try
    hash     commitment to the number for a later deal that the guest has bound with it, or ""
    """

    number: int
    numbers: str
    closes: float
    counted: bool
    hash: str = ""

    @property
    def facts(self) -> m.Daily:
        """The facts to send."""
        return m.Daily(self.number, self.closes, self.counted, self.hash)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The terms of a table. `clock` is the time limit for a move, in seconds, or 0 for none. `waits` is true if the
    deal waits until all nonces are revealed. `calm` is true if races are calm for all players, `rated` if the result
    counts for ratings, `evening` the id of the evening to which the table belongs."""

    id: str
    game: str
    name: str
    host: str
    seed: bytes
    options: dict[str, Any] = field(default_factory=dict)
    rules_version: int = 1
    clock: int = 0
    listed: bool = True
    waits: bool = True
    calm: bool = False
    rated: bool = False
    made: float = 0.0
    origin: Origin | None = None
    daily: Daily | None = None
    evening: str | None = None
    format: int = FORMAT

    @functools.cached_property
    def title(self) -> str:
        """The title of the game, or its name if it is not installed."""
        return title_of(self.game)

    @property
    def is_over_days(self) -> bool:
        """True for a clock in days, with which players need not be connected at the same time."""
        return self.clock >= DAY

    @functools.cached_property
    def has_races(self) -> bool:
        """Whether the game has races, which can be calm."""
        try:
            return bool(find_game(self.game).calm_race)
        except FairdealError:
            return False

    @functools.cached_property
    def commitment(self) -> str:
        return fairness.commitment(self.seed)

    @property
    def counts(self) -> bool:
        """Whether the result counts for ratings. That of a branch of a rated game does not."""
        return self.rated and not self.origin

    @property
    def goes_on(self) -> bool:
        """True if the game goes on when its only person has left it to a bot."""
        return self.counts or bool(self.evening)

    @property
    def unaided(self) -> str:
        """Why there are no hints and no move is taken back, or an empty string. A branch may have them."""
        if self.counts:
            return "this game is rated: there are no hints, and no move is taken back"
        if self.evening:
            return "at an evening there are no hints, and no move is taken back"
        if self.daily and self.daily.counted and not self.origin:
            return "the deal of the day is played without taking back, hints and bots in your place"
        return ""

    @property
    def options_in_short(self) -> dict[str, Any]:
        """The options as sent with the facts of the table, without the content of files."""
        return {name: "your own" if isinstance(value, Mapping) else value for name, value in self.options.items()}

    def unsigned_log(self, seats: Seats, keys: Keys) -> Log:
        """Return a log without moves and without a signature. Its header has the fields known so far."""
        players = tuple(
            Player(place.name, place.plays, place.nonce, place.hash or "", place.withheld) for place in seats
        )
        header = Log(self.game, self.rules_version, self.options, players, self.commitment)
        at = self.origin.dealt if self.origin else self.id
        header.room = Dealt(keys.public, at, seats.attempt, self.waits, self.rated)
        header.failed = seats.failed
        header.day = Day(self.daily.number, self.daily.numbers) if self.daily else None
        header.branch = Branch(self.id, self.origin.entry, self.origin.chain) if self.origin else None
        return header

    def empty_log(self, seats: Seats, keys: Keys) -> Log:
        """Return a log with the header and the room's signature, but no moves."""
        header = self.unsigned_log(seats, keys)
        header.signed_header = signatures.sign(keys.signing, signatures.HEADER, header.header_chain())
        return header


def title_of(game: str) -> str:
    """Return the title of a game, or its name if it is not installed."""
    try:
        return find_game(game).title
    except FairdealError:
        return game


def sign_end(written: Log, keys: Keys) -> None:
    """Sign a complete log."""
    written.signed_end = signatures.sign(keys.signing, signatures.END, written.end_chain())
