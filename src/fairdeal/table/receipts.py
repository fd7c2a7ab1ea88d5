"""The facts that a player's own program saves during a game, and their comparison with the room's log at the end."""

from __future__ import annotations

from pathlib import Path

import msgspec

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.files import from_json
from fairdeal.table.log import Log

CHAIN_DIGITS = 32


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The room's statements before the deal, and its acknowledgements since then. An empty field was not saved.

    promise  the commitment: SHA-256 of the seed, as published before the player committed to a nonce
    seat     the player's own seat
    nonce    the player's own nonce, in hexadecimal
    outline  the header without its nonces, as received before the player revealed the nonce
    header   the header at the deal
    key      the room's public key
    chains   the running hashes sent by the room, shortened to CHAIN_DIGITS, by the number of entries that they cover
    changed  whether the room asked for the nonce again, for another deal
    denied   whether the room acknowledged two different games
    """

    promise: str
    seat: int = -1
    nonce: str = ""
    outline: str = ""
    header: str = ""
    key: str = ""
    chains: dict[int, str] = {}
    denied: bool = False
    changed: bool = False

    def __post_init__(self) -> None:
        if any(entries < 0 for entries in self.chains):
            raise ValueError("the number of entries of a running hash cannot be negative")

    def acknowledged(self, entries: int, chain: str) -> Kept:
        """Return a copy with one more acknowledgement by the room: the running hash `chain` after `entries` entries."""
        known = self.chains.get(entries, chain[:CHAIN_DIGITS])
        if known != chain[:CHAIN_DIGITS]:
            return msgspec.structs.replace(self, denied=True)
        return msgspec.structs.replace(self, chains=self.chains | {entries: known})


def read_kept(path: Path) -> Kept:
    """Read the facts that a player's program saved in a file. Raises FairdealError, or OSError if the file cannot be
    read."""
    try:
        return from_json(path.read_bytes(), Kept)
    except msgspec.DecodeError as problem:
        raise FairdealError(f"{path} was not saved by a player’s program: {problem}") from None


def compare(log: Log, kept: Kept) -> list[str]:
    """Compare a log with the facts that a player saved, and return a description of each match. Raises BadLog with the
    line that differs."""
    same = []
    if log.commitment != kept.promise:
        raise BadLog(
            log.lines["commitment"],
            f"the room committed to {kept.promise[:16]}…, but these cards come from another seed",
        )
    same.append("the promise")
    if kept.nonce:
        if not 0 <= kept.seat < len(log.players):
            raise BadLog(log.lines["commitment"], f"you sat in seat {kept.seat}, but there is no such seat")
        if log.players[kept.seat].withheld:
            raise BadLog(
                log.lines[f"seat {kept.seat}"],
                "the room dealt without your number; its log says that you did not show it",
            )
        if log.players[kept.seat].nonce != kept.nonce:
            raise BadLog(log.lines[f"seat {kept.seat}"], f"your number, {kept.nonce}, is not in the deal")
        same.append("your number")
    if kept.outline:
        if log.outline() != kept.outline:
            raise BadLog(differing(log.outline(), kept.outline), "this was changed after you showed your number")
        same.append("all that was fixed before you showed it")
    if kept.header and kept.header != log.header().decode():
        line = differing(log.header().decode(), kept.header)
        raise BadLog(line, "the header is not the one you were shown at the deal")
    if kept.header:
        same.append("the header")
    if kept.key and (log.room is None or log.room.key != kept.key):
        raise BadLog(
            log.lines.get("room", log.lines["commitment"]), "this is not the key of the room in which you played"
        )
    chains = log.chains()
    for entries, chain in sorted(kept.chains.items()):
        if len(log.entries) < entries:
            line = log.entries[-1].line if log.entries else 1
            raise BadLog(line, f"the room acknowledged {entries} entries, but the log has {len(log.entries)}")
        if not chain or not chains[entries].startswith(chain):
            line = log.entries[entries - 1].line if entries else log.lines["commitment"]
            raise BadLog(line, "the log up to this line is not what the room acknowledged while you played")
    if kept.denied:
        raise BadLog(1, "the room acknowledged two different games while you played")
    if kept.changed:
        raise BadLog(1, "the room asked for your number twice, for two different deals")
    if kept.chains:
        same.append(f"all {max(kept.chains)} entries as the room acknowledged them to you")
    return same


def differing(found: str, shown: str) -> int:
    """Return the line of a log at which its header or outline `found` differs from the one that the room had shown."""
    pairs = enumerate(zip(found.split("\n"), shown.split("\n"), strict=False), start=2)
    return next((line for line, (one, other) in pairs if one != other), 2)
