"""The facts that a player's own program saves during a game, and their comparison with the room's log after the
game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.files import read_json
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.scene import Scene
from fairdeal.engine.scene.shown import TWICE, facts_of, is_saved, new_facts
from fairdeal.table import fairness
from fairdeal.table.log import Log

CHAIN_DIGITS = 32

CHANGED = "changed"
"""Layout recorded for a game during which the room was updated."""

MOST_SHOWN = 2000
"""Maximum number of scenes whose facts are saved."""

Check = Literal[
    "promise", "number", "place", "room", "outline", "failed", "waits", "bound", "header", "seed", "log", "signed",
    "acknowledged", "moves", "shown",
]  # fmt: skip
"""Names of the checks of a room, which are described in docs/security.md."""


class Finding(NamedTuple):
    """The outcome of one check of a room. `ok` is None if the answer cannot be known, and `line` is the line of the
    log."""

    check: Check
    ok: bool | None
    text: str
    line: int = 1


class Given(Frozen, kw_only=True):
    """A nonce of the player's own.

    nonce    the nonce, in hexadecimal
    attempt  the attempt at the deal for which the room accepted its commitment; 0 if it is not known
    outline  the header without nonces for which the player sent the nonce; empty if it was not sent
    shown    whether the room has acknowledged the nonce
    """

    nonce: str
    attempt: int = 0
    outline: str = ""
    shown: bool = False

    @property
    def hash(self) -> str:
        """The commitment to the nonce, or an empty string if the nonce is not valid."""
        return fairness.nonce_hash(self.nonce) if fairness.NONCE.fullmatch(self.nonce) else ""

    @property
    def seat(self) -> int:
        """The seat to which the outline bound this nonce, or -1."""
        found = re.search(rf"^seat (\d{{1,3}}) .* bound {self.hash}$", self.outline, re.MULTILINE)
        return int(found[1]) if found else -1


class Kept(Frozen, kw_only=True):
    """The room's statements before the deal, and its acknowledgements since then. An empty field was not saved.

    promise  the commitment: SHA-256 of the seed, as published before the player committed to a nonce
    seat     the player's own seat
    nonce    the player's own nonce, in hexadecimal
    outline  the header without its nonces, as received before the player revealed the nonce
    header   the header at the deal
    key      the room's public key
    table    the table's id
    chains   the running hashes sent by the room, shortened to CHAIN_DIGITS, by the number of entries that the seat may
             know of
    shown    the facts of the player's scenes that were new (`engine.scene.shown`), by the same number
    unnamed  number of scenes that cannot be compared
    layout   hash of the layout of states, on which their digests depend (`engine.observe.layout.layout_of_scenes`)
    numbers  all nonces of the player for this table, in order; `nonce` and `outline` are those of the last
    reports  whether the room reports deals that failed
    changed  whether the room asked for the nonce again, for another deal
    denied   whether the room acknowledged two different games
    """

    promise: str
    seat: int = -1
    nonce: str = ""
    outline: str = ""
    header: str = ""
    key: str = ""
    table: str = ""
    chains: dict[int, str] = msgspec.field(default_factory=dict)
    shown: dict[int, dict[str, str]] = msgspec.field(default_factory=dict)
    unnamed: int = 0
    layout: str = ""
    numbers: tuple[Given, ...] = ()
    reports: bool = False
    denied: bool = False
    changed: bool = False

    def __post_init__(self) -> None:
        if any(entries < 0 for entries in (*self.chains, *self.shown)):
            raise ValueError("a number of entries cannot be negative")

    @property
    def given(self) -> tuple[Given, ...]:
        """The player's nonces. The records of older programs contain only the last one."""
        older = Given(nonce=self.nonce, outline=self.outline, shown=True)
        return self.numbers or ((older,) if self.nonce else ())

    def with_number(self, number: Given, seat: int) -> Kept:
        """Return a copy with a nonce added, or with newer facts about a saved nonce."""
        others = [one for one in self.numbers if one.nonce != number.nonce]
        return self.replaced(seat=seat, nonce=number.nonce, outline=number.outline, numbers=(*others, number))

    def acknowledged(self, entries: int, chain: str) -> Kept:
        """Return a copy with one more acknowledgement by the room: the running hash `chain` after `entries` entries."""
        if not chain or entries < 0:
            return self
        known = self.chains.get(entries, chain[:CHAIN_DIGITS])
        if known != chain[:CHAIN_DIGITS]:
            return self.replaced(denied=True)
        return self.replaced(chains=self.chains | {entries: known})

    def in_layout(self, layout: str) -> Kept:
        """Return a copy with the layout on which the digests of later states depend, if the room has sent it. If the
        layout has changed, no digests are compared."""
        if layout in ("", self.layout):
            return self
        return self.replaced(layout=CHANGED if self.shown else layout)

    def saw(self, scene: Scene) -> Kept:
        """Return a copy with the facts of one more scene. A scene that cannot be saved, because it does not name its
        state, belongs to another viewer, or arrives too late, is counted as `unnamed`."""
        facts, last = facts_of(scene), max(self.shown, default=-1)
        is_new = scene.seq > last and len(self.shown) < MOST_SHOWN
        if scene.viewer != self.seat or not is_saved(facts) or not (is_new or scene.seq in self.shown):
            return self.replaced(unnamed=self.unnamed + 1)
        known: dict[str, str] = {}
        for entries, before in sorted(self.shown.items()):
            if entries <= scene.seq:
                known |= before
        new = new_facts(facts, known)
        if not is_new:
            new = self.shown[scene.seq] | dict.fromkeys(new, TWICE)
        return self.replaced(shown=self.shown | {scene.seq: new})


def read_kept(path: Path) -> Kept:
    """Read the facts that a player's program saved to a file. Raises FairdealError if its content is invalid, or
    OSError if it cannot be read."""
    try:
        return read_json(path, Kept)
    except msgspec.DecodeError as problem:
        raise FairdealError(f"{path} was not saved by a player’s program: {problem}") from None


def compare(log: Log, kept: Kept) -> list[str]:
    """Compare a log with the facts that a player saved, and return a description of each match. Raises BadLog with the
    line of a mismatch."""
    found = [*of_header(log, kept), *of_entries(log, kept)]
    for one in found:
        if one.ok is False:
            raise BadLog(one.line, one.text, one.check)
    return [one.text for one in found if one.ok]


def left_open(log: Log, kept: Kept) -> list[str]:
    """Return the claims about a player's own part in the deal that the log does not prove."""
    return [one.text for one in of_header(log, kept) if one.ok is None]


def of_header(log: Log, kept: Kept) -> Iterator[Finding]:
    """Yield the findings about the header of a deal, compared with a player's saved facts."""
    seats = log.lines["commitment"]
    if log.format == 1 and "\nroom " in (kept.header or kept.outline):
        yield Finding("log", False, "the log is not in the form in which the game was dealt")
        return
    attempt = log.room.attempt if log.room else 0
    promised = log.commitment == kept.promise
    wrong = f"the room committed to {kept.promise[:16]}…, but these cards come from another seed"
    yield Finding("promise", promised, "the promise" if promised else wrong, seats)
    its_own = [log.room.key, log.room.table] if log.room else ["", ""]
    in_room = all(own in ("", said) for own, said in zip([kept.key, kept.table], its_own, strict=True))
    if not in_room:
        wrong = "this is not the key of the room in which you played, or not your table"
        yield Finding("room", False, wrong, log.lines.get("room", seats))
    if kept.given and not 0 <= kept.seat < len(log.players):
        yield Finding("number", False, f"you sat in seat {kept.seat}, but there is no such seat", seats)
        return
    mine = None
    if kept.given:
        player, line = log.players[kept.seat], log.lines.get(f"seat {kept.seat}", seats)
        mine = next((one for one in kept.given if one.hash == player.hash), None)
        yield own_number(kept.given, mine, player.nonce, player.withheld, attempt, line)
    as_dealt = kept.header in ("", log.header().decode())
    if mine and mine.outline and promised and in_room and as_dealt and not log.players[kept.seat].withheld:
        same = log.outline() == mine.outline
        wrong, right = "this was changed after you showed your number", "all that was fixed before you showed it"
        yield Finding("outline", same, right if same else wrong, differing(log.outline(), mine.outline))
    if kept.changed:
        yield Finding("outline", False, "the room asked for your number twice, for two different deals")
    yield from of_failures(log, [one for one in kept.given if one is not mine], attempt, kept.reports, mine is not None)
    if kept.header:
        wrong, line = (
            "the header is not the one you were shown at the deal",
            differing(log.header().decode(), kept.header),
        )
        yield Finding("header", as_dealt, "the header" if as_dealt else wrong, line)


def own_number(
    given: Sequence[Given], mine: Given | None, nonce: str, withheld: bool, attempt: int, line: int
) -> Finding:
    """Return a finding about the nonce at the player's own seat: whether it is `mine`, the nonce to which the seat was
    bound there. `nonce`, `withheld` and `attempt` are from the header."""
    if mine is None:
        bound = [one for one in given if one.attempt in (0, attempt)]
        if bound:
            return Finding("number", False, f"your number, {bound[-1].nonce}, is not in the deal", line)
        return Finding("number", None, "that nobody chose the cards: they were dealt without a number from you", line)
    if withheld and mine.shown:
        wrong = "the room dealt without your number; its log says that you did not show it"
        return Finding("number", False, wrong, line)
    if withheld:
        return Finding("number", None, "that your number came too late: the cards were dealt without it", line)
    if nonce != mine.nonce:
        return Finding("number", False, f"your number, {mine.nonce}, is not in the deal", line)
    if not mine.outline and not mine.shown:
        wrong = "the room dealt with your number, which you have not shown at this table"
        return Finding("number", False, wrong, line)
    return Finding("number", True, "your number", line)


def of_failures(log: Log, others: Sequence[Given], attempt: int, reports: bool, is_in: bool) -> Iterator[Finding]:
    """Yield the problems with the report of the deals that failed after the player had sent a nonce for them. `is_in`
    returns whether another nonce of the player is part of this deal."""
    line = log.lines.get("failed", log.lines.get("table", log.lines["commitment"]))
    sent = [one for one in others if one.outline]
    if any(one.attempt > attempt or (is_in and one.attempt == attempt) for one in sent if one.attempt):
        yield Finding("failed", False, "the room asked for your number again and does not count it", line)
    told = {(one.attempt, seat) for one in log.failed for seat in one.shown}
    for one in sent:
        if not reports or one.attempt >= attempt or (one.attempt, one.seat) in told:
            continue
        if one.shown:
            wrong = f"the deal of attempt {one.attempt} failed after you showed your number, and this is not reported"
            yield Finding("failed", False, wrong, line)
        else:
            words = f"that attempt {one.attempt} did not fail on purpose: your number was sent, and may have arrived"
            yield Finding("failed", None, words, line)


def of_entries(log: Log, kept: Kept) -> Iterator[Finding]:
    """Yield the findings about the entries of a log, compared with a player's saved running hashes."""
    chains, known = log.chains(), log.known_to(kept.seat)
    if kept.denied:
        yield Finding("acknowledged", False, "the room acknowledged two different games while you played")
    for entries, chain in sorted(kept.chains.items()):
        if not 0 <= entries < len(known):
            line = log.entries[-1].line if log.entries else 1
            wrong = f"the room acknowledged {entries} entries, but the log has {len(known) - 1}"
            yield Finding("acknowledged", False, wrong, line)
        elif not chain or not chains[known[entries]].startswith(chain):
            line = log.entries[known[entries] - 1].line if entries else log.lines["commitment"]
            wrong = "the log up to this line is not what the room acknowledged while you played"
            yield Finding("acknowledged", False, wrong, line)
    if kept.chains:
        yield Finding("acknowledged", True, f"all {max(kept.chains)} entries as the room acknowledged them to you")


def differing(found: str, shown: str) -> int:
    """Return the line of a log at which its header or outline `found` differs from the one that the room had shown."""
    pairs = enumerate(zip(found.split("\n"), shown.split("\n"), strict=False), start=2)
    return next((line for line, (one, other) in pairs if one != other), 2)
