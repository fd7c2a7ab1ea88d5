"""The part of a player's own program in a deal: its nonces, and all that it received before and after it sent them.

Facts of a table arrive over two connections and may overtake each other, so nothing here depends on their order. A
nonce is bound to the room's key, to the room's commitment and to the table. It is sent for only one outline.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Generator, Iterator
from pathlib import Path

import msgspec

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.files import read_json, user_file, write_whole
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Scene, capital
from fairdeal.protocol.bodies import Number
from fairdeal.protocol.messages import TABLE_ID, Chair, Deal, Done, Facts, Message, Shown, Welcome
from fairdeal.table import fairness
from fairdeal.table.log import Log, read_header
from fairdeal.table.receipts import Finding, Given, Kept, of_header, read_kept

MOST_UNASKED = 2
"""Number of failed attempts at a deal after which a person is asked before another nonce is given."""

MOST_REPLIES = 20
"""Maximum number of commitments and nonces sent in response to one message of the room."""


def guests_file() -> Path:
    """Return the path of the file with this user's cookies, by room."""
    return user_file("guests.json")


def write_own(path: Path, content: str | bytes) -> None:
    """Write a file atomically, so that only this user can read it."""
    write_whole(path, content, mode=0o600, syncs=False)


def kept_file(key: str, table: str) -> Path:
    """Return the path of the saved facts about a table of the room with a public key, for `fairdeal verify --kept`.
    Raises FairdealError if the key or the table's id, which the room chooses, is malformed."""
    if (key and not fairness.HASH.fullmatch(key)) or (table and not TABLE_ID.fullmatch(table)):
        raise FairdealError(f"the room sent {key!r} and {table!r}, which are not its key and the id of a table")
    return guests_file().with_name("kept") / f"{f'{key[:16]}-' if key else ''}{table}.json"


class Own(Frozen, kw_only=True):
    """A nonce of the player's own, as saved before its commitment is sent.

    promise  the room's commitment to the seed of the deal for which the nonce was made
    nonce    the nonce, in hexadecimal
    key      the room's public key
    table    the id of the table for which the nonce was made; empty until the table of a rematch is known
    outline  the header without nonces for which the nonce was sent; empty if it was not sent
    """

    promise: str
    nonce: str
    key: str = ""
    table: str = ""
    outline: str = ""


def number_file(digest: str) -> Path:
    """Return the path of the file for the nonce whose commitment is `digest`."""
    return guests_file().with_name("kept") / f"number {digest}.json"


def keep_number(number: Own) -> Own:
    write_own(number_file(fairness.nonce_hash(number.nonce)), msgspec.json.encode(number))
    return number


def fresh_number(promise: str, key: str, table: str = "") -> str:
    """Make a nonce for a seed whose commitment is `promise`, and save it before its own commitment is sent. Return the
    commitment to the nonce."""
    number = keep_number(Own(promise=promise, nonce=fairness.new_nonce(), key=key, table=table))
    return fairness.nonce_hash(number.nonce)


def known_number(digest: str) -> Own | None:
    """Return the nonce whose commitment is `digest`, if this program generated it."""
    path = number_file(digest)
    if not fairness.HASH.fullmatch(digest) or not path.exists():
        return None
    try:
        return read_json(path, Own)
    except msgspec.DecodeError:
        return None


def header_of(text: str) -> Log | None:
    """Parse a header. Return None if the text is empty or invalid."""
    try:
        return read_header(text)
    except BadLog:
        return None


class Keeper:
    """The facts that a program saves about a table and its own part in the deal, in memory and on disk."""

    def __init__(self, key: str, table: str, asks: bool = True) -> None:
        self.key, self.table, self.asks = key, table, asks
        self.path = kept_file(key, table)
        self.lock = threading.RLock()
        self.fresh: dict[int, str] = {}  # the commitments made by this program, by attempt
        self.agreed = 0  # the last attempt for which the person has agreed to give a nonce
        self.seat = SPECTATOR  # the player's own seat now
        self.layout = ""  # that of the room's last welcome
        self.latest = 0  # the last attempt that the room has named
        self.kept = self.found()

    def found(self) -> Kept | None:
        """Return the saved facts about this table, including those that an older version saved under another name."""
        if self.path.exists():
            return read_kept(self.path)
        older = kept_file("", self.table)
        kept = read_kept(older) if older.exists() else None
        return kept if kept and kept.key in ("", self.key) else None

    def keep(self, kept: Kept) -> None:
        if kept != self.kept:
            self.kept = kept
            write_own(self.path, msgspec.json.encode(kept))

    def heard(self, message: Message) -> None:
        """Save the acknowledgements in a message and the facts of its scene, for comparison with the log at the end."""
        with self.lock:
            if isinstance(message, Welcome):
                self.layout = message.layout
                self.learn(message.facts)
            if self.kept is None:
                return
            kept, scene = self.kept, getattr(message, "scene", None)
            match message:
                case (
                    Welcome(facts=Facts(seq=seq), chain=chain)
                    | Shown(scene=Scene(seq=seq), chain=chain)
                    | Done(seq=seq, chain=chain)
                ):
                    kept = kept.acknowledged(seq, chain)
            if scene and self.layout and self.seat == kept.seat != SPECTATOR:  # some come before the welcome
                kept = kept.in_layout(self.layout).saw(scene)
            self.keep(kept)

    # --- own nonces -------------------------------------------------------------------------------------------------

    def own_number(self, facts: Facts) -> Own | None:
        """Return the nonce to which the player's own seat is bound, if it was generated for this deal of this table."""
        number = known_number(hash_of(facts))
        if number is None or number.promise != facts.deal.commitment:
            return None
        return number if number.key in ("", self.key) and number.table in ("", self.table) else None

    def bind(self, deal: Deal) -> str:
        """Return the commitment to a nonce for an attempt at the deal. The nonce is generated when it is first
        needed."""
        with self.lock:
            if deal.attempt not in self.fresh:
                self.fresh[deal.attempt] = fresh_number(deal.commitment, self.key, self.table)
            return self.fresh[deal.attempt]

    def sit(self, before: Facts) -> str:
        """Return the commitment to a new nonce with which the player takes a seat."""
        with self.lock:
            self.fresh.pop(before.deal.attempt, None)
            return self.bind(before.deal)

    def answered(self, body: Number, before: Facts, after: Facts) -> None:
        """Record that the room has carried out a request, which was sent at `before`."""
        with self.lock:
            number = known_number(body.hash)
            dropped = number and before.deal.attempt == after.deal.attempt and after.seat != SPECTATOR
            taken = self.own_number(after) in (None, number)  # but not another one that was made for this table
            if number and dropped and taken and not after.chairs[after.seat].asked:
                self.take(number, after)
            if body.nonce and self.kept:
                for one in self.kept.numbers:
                    if one.nonce == body.nonce:
                        self.keep(self.kept.with_number(one.replaced(shown=True), self.kept.seat))
            self.learn(after)

    def take(self, number: Own, facts: Facts) -> None:
        """Record that the room has accepted the commitment to a nonce."""
        if not number.table:
            keep_number(number.replaced(table=self.table))
        reports = facts.deal.failed is not None
        kept = self.kept or Kept(promise=number.promise, key=self.key, table=self.table, reports=reports)
        fresh = Given(nonce=number.nonce, attempt=facts.deal.attempt, outline=number.outline)
        own = next((one for one in kept.numbers if one.nonce == number.nonce), None)
        if own is None:
            kept = kept.with_number(fresh, facts.seat)
        elif number.outline and not own.outline:  # another program of the player has sent it
            kept = kept.with_number(own.replaced(outline=number.outline), facts.seat)
        self.keep(kept)

    def learn(self, facts: Facts) -> None:
        """Save the room's facts about the player's own part, and the header of the deal."""
        deal = facts.deal
        with self.lock:
            self.seat = facts.seat
            if facts.seat == SPECTATOR or deal.commitment != (self.kept.promise if self.kept else deal.commitment):
                return
            number = self.own_number(facts)
            if number and deal.attempt >= self.latest:
                self.take(number, facts)
            if deal.stage != "dealt":
                self.latest = max(self.latest, deal.attempt)
            elif self.kept and deal.header and not self.kept.header:
                self.keep(self.kept.replaced(header=deal.header, key=deal.key))

    @property
    def is_asked(self) -> bool:
        """Whether the person must agree before another nonce is sent, because deals have failed."""
        return self.asks and self.latest > MOST_UNASKED and self.agreed < self.latest

    def agree(self) -> None:
        """Record that the person agrees to send a nonce for the current attempt."""
        self.agreed = self.latest

    def reply(self, facts: Facts) -> Number | None:
        """Return the commitment or nonce that the deal needs from this player, after saving the facts on which it
        depends. Return None if the deal does not wait for this player."""
        with self.lock:
            self.learn(facts)
            deal = facts.deal
            if facts.seat == SPECTATOR or deal.stage == "dealt" or deal.attempt < self.latest:
                return None
            if self.is_asked or self.wrong(facts):
                return None
            chair = facts.chairs[facts.seat]
            if chair.asked:
                return Number(hash=self.bind(deal))
            number = self.own_number(facts)
            if deal.stage != "numbers" or chair.shown or number is None or self.kept is None:
                return None
            if number.outline not in ("", deal.outline):
                return None  # a nonce is sent for one outline only
            own = next((one for one in self.kept.numbers if one.nonce == number.nonce), None)
            if own is None:
                return None
            keep_number(number.replaced(outline=deal.outline))
            self.keep(self.kept.with_number(own.replaced(outline=deal.outline), facts.seat))
            return Number(nonce=number.nonce)

    def replies(self, facts: Facts) -> Generator[Number, tuple[Facts, bool], None]:
        """Yield the requests that the deal needs from this player. The caller sends back the latest facts, and whether
        the room has carried out the request."""
        for _ in range(MOST_REPLIES):
            body = self.reply(facts)
            if body is None:
                return
            before = facts
            facts, taken = yield body
            if taken:
                self.answered(body, before, facts)

    # --- contradictions ---------------------------------------------------------------------------------------------

    def wrong(self, facts: Facts) -> str:
        """Return the first contradiction between the room's statements, in a sentence, or an empty string."""
        self.learn(facts)
        return next((sentence(one.text) for one in self.findings(facts) if one.ok is False), "")

    def left_open(self, facts: Facts) -> str:
        """Describe what the room leaves unproven about the player's own part in the deal. Return an empty string if
        there is nothing."""
        return next((sentence(f"Not proven: {one.text}") for one in self.findings(facts) if one.ok is None), "")

    def findings(self, facts: Facts) -> Iterator[Finding]:
        """Yield the findings of a comparison between the room's facts and the player's saved facts. Facts that arrive
        late never contradict."""
        with self.lock:
            kept, deal = self.kept, facts.deal
            if kept is None:
                return
            if deal.commitment != kept.promise:
                yield Finding("promise", False, "the room promised one seed and deals from another")
                return
            if kept.denied:
                yield Finding("acknowledged", False, "the room acknowledged two different games to you")
            if kept.key not in ("", deal.key):
                yield Finding("room", False, "the room signs with a different key from before")
            elif deal.stage == "dealt":
                yield from of_deal(facts, kept)
            elif facts.seat != SPECTATOR and deal.attempt >= self.latest:
                yield from self.of_attempt(facts, kept, facts.chairs[facts.seat])

    def of_attempt(self, facts: Facts, kept: Kept, chair: Chair) -> Iterator[Finding]:
        """Yield contradictions in an attempt at the deal."""
        deal, own = facts.deal, next((one for one in kept.numbers if one.hash == chair.hash), None)
        bound = any(one.attempt == deal.attempt for one in kept.numbers)
        if own is None and bound and not chair.asked and not self.own_number(facts):
            yield Finding("number", False, "the room has dropped your number")
        if kept.changed:
            yield Finding("outline", False, "the room changed the deal after you showed your number")
        if own is None or deal.stage != "numbers":
            return
        lines, table = deal.outline.split("\n"), f"table {self.table} attempt {deal.attempt} "
        if own.outline:
            if own.outline != deal.outline and own.shown:
                self.keep(kept.replaced(changed=True))
                yield Finding("outline", False, "the room changed the deal after you showed your number")
            return
        if f"room ed25519 {self.key}" not in lines or not any(line.startswith(table) for line in lines):
            yield Finding("room", False, "the deal does not belong to this table and room")
        if f"commitment sha256 {kept.promise}" not in lines:
            yield Finding("promise", False, "the promise you were given is not in the header of the deal")
        if not re.search(rf"^seat {facts.seat} .* bound {own.hash}$", deal.outline, re.MULTILINE):
            yield Finding("number", False, "the room has dropped your number")
        told = {(one.attempt, seat) for one in deal.failed or () for seat in one.shown}
        if kept.reports and any(one.shown and (one.attempt, one.seat) not in told for one in kept.numbers):
            yield Finding("failed", False, "a deal failed after you showed your number, and the room does not say so")
        if any(one.outline and one.attempt >= deal.attempt for one in kept.numbers):
            yield Finding("failed", False, "the room asked for new numbers and did not count the attempt")


def of_deal(facts: Facts, kept: Kept) -> Iterator[Finding]:
    """Yield the findings of a comparison between the header of the deal and the player's saved facts."""
    log = header_of(facts.deal.header)
    if log is None:
        if kept.given or facts.deal.header:
            shown = bool(facts.deal.header)
            words = "the header of the deal cannot be read" if shown else "that the room has shown its header"
            yield Finding("header", False if shown else None, words)
        return
    attempt = log.room.attempt if log.room else 0
    dealt = {player.nonce for player in log.players if player.hash and not player.withheld}
    mine = [one for one in kept.given if one.nonce in dealt]
    if facts.seat == SPECTATOR:
        if mine:
            yield Finding("place", False, "the room says that you do not play in this game")
        elif any(one.shown and one.attempt == attempt for one in kept.given):
            yield Finding("number", False, "the room dealt without your number, after you showed it")
        return
    if mine and kept.seat != facts.seat:
        yield Finding("place", False, "the room says that you sit in another seat of this game")
        return
    yield from of_header(log, kept)


def hash_of(facts: Facts) -> str:
    """Return the commitment at the player's own seat, or an empty string."""
    return facts.chairs[facts.seat].hash if facts.seat != SPECTATOR else ""


def sentence(text: str) -> str:
    return f"{capital(text)}."
