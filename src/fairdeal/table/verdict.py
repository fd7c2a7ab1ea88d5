"""The verdict on a room: what its log and a player's record prove, check by check.

A verdict is a pure function of the record and the log. A check holds, is broken, or is unknown, and says why in a
sentence of `CHECKS`. The page has the same function in web/fair/verdict.js, with the same sentences.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from fairdeal.engine.errors import BadLog
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import listed
from fairdeal.table import fairness
from fairdeal.table.log import Log, Player, read_header
from fairdeal.table.receipts import Check, Number, Record, Visit
from fairdeal.table.sitting import PERSON


class Finding(NamedTuple):
    """The outcome of a check: `ok` is True if it holds, False if it is broken, and None if it is unknown. `line` is the
    line of the log."""

    check: Check
    ok: bool | None
    text: str
    line: int = 1


class Sentences(NamedTuple):
    """Sentences of a check: `needs` and `holds` are its needs and its claim, `broken` and `unknown` the sentences by
    reason."""

    needs: str
    holds: str
    broken: dict[str, str]
    unknown: dict[str, str]


CHECKS: dict[Check, Sentences] = {
    "number": Sentences(
        "your number, the header, what the room said of your seat",
        "Your own number is in the deal.",
        {
            "dropped": "The room says that your seat has your number, and leaves it out of the deal.",
            "missing": "Your own number is not in the deal, although you showed it and the room has acknowledged it.",
            "withheld": "The room dealt without your number: it says that you did not show it.",
            "unsent": "The room dealt with your number, which you have not shown at this table.",
        },
        {
            "number": "The deal has no number that this program made.",
            "late": "Your number came too late: the cards were dealt without it.",
            "seat": "The room says that you do not sit where your number is.",
        },
    ),
    "promise": Sentences(
        "your number, the header",
        "The room promised its seed before you made your number.",
        {
            "changed": "The room promised one seed and deals from another.",
            "header": "The promise that you were given is not in the header of the deal.",
        },
        {"number": "This program made no number for this promise."},
    ),
    "room": Sentences(
        "the room’s key and the table in your record, the header",
        "The deal is one of this room and this table.",
        {
            "key": "The room signs with a different key from before.",
            "other": "The deal does not belong to this table and room.",
        },
        {
            "record": "This program has no record from before the deal.",
            "visit": "The room had another key when you visited it before.",
            "unsigned": "No room has signed this log.",
        },
    ),
    "outline": Sentences(
        "the outline for which you sent your number, the header",
        "Nothing in the deal has changed since you showed your number.",
        {"changed": "The room changed the deal after you showed your number."},
        {"number": "This program showed no number for this deal."},
    ),
    "failed": Sentences(
        "the numbers that you showed, the header",
        "No deal before this one failed.",
        {
            "unreported": "A deal failed after you showed your number, and it is not reported.",
            "uncounted": "The room asked for new numbers without counting the attempt.",
        },
        {
            "unheard": "A deal failed after your number was sent. The room does not say that it had arrived.",
            "failed": "{deals} before this one failed{left}. Somebody may have made them fail to get other cards.",
        },
    ),
    "waits": Sentences(
        "the header",
        "No number is missing.",
        {"missing": "A number is missing at a table that waits for all of them."},
        {"withheld": "{names} withheld a number, and may have seen the others first."},
    ),
    "bound": Sentences(
        "the header, the seed",
        "Every number is the one to which its seat was bound, or follows from the seed.",
        {
            "bound": "The number of seat {seat} is not the one to which it was bound.",
            "seed": "The number of seat {seat} does not follow from the seed.",
            "bot": "Seat {seat} is a bot’s, which has no number of its own.",
        },
        {
            "alone": "No player gave a number: all numbers follow from the room’s seed.",
        },
    ),
    "header": Sentences(
        "the header that you were shown, the log",
        "The header is the one that you were shown at the deal.",
        {"changed": "The header is not the one that you were shown at the deal."},
        {"unseen": "You were not shown the header at the deal."},
    ),
    "seed": Sentences(
        "the seed, the header",
        "The seed is the one that was promised.",
        {"other": "The seed is not the one that was promised."},
        {
            "hidden": "The room has not shown its seed.",
            "sealed": "Others can still play this deal of the day. Its seed is shown when the deal is closed.",
        },
    ),
    "log": Sentences(
        "the log",
        "The running hash fits every line of the log.",
        {"wrong": "{why}"},
        {
            "missing": "The room did not send a log that can be checked.",
            "branch": "This game continues another game, whose cards were known.",
        },
    ),
    "signed": Sentences(
        "the log, the room’s key",
        "The room has signed the deal and the whole game.",
        {"wrong": "The room’s signature of the {part} is wrong."},
        {"missing": "The room’s signature of the {part} is missing.", "unsigned": "No room has signed this log."},
    ),
    "acknowledged": Sentences(
        "the running hashes that you were sent, the log",
        "All {entries} entries were acknowledged to you when they were made.",
        {
            "two": "The room acknowledged two different games to you.",
            "other": "The log up to entry {entry} is not what the room acknowledged to you.",
            "beyond": "The room acknowledged {entry} entries to you, but the log has {entries}.",
        },
        {
            "none": "The room acknowledged no entry to you.",
            "gaps": "{gaps} of {entries} were made while this program was away, or not acknowledged to you.",
        },
    ),
    "moves": Sentences(
        "the log, the seed, the rules of the game",
        "The cards follow from the seed and the numbers, every move is legal, and the result is right.",
        {"wrong": "{why}"},
        {
            "unplayed": "The game was not played again: {why}.",
            "files": "Whether the cards are those that the options name is not checked here.",
        },
    ),
    "bots": Sentences(
        "the log, the seed, the rules and the bots of the game",
        "Every move of a bot is the one that it chose{made}.",
        {"wrong": "{why}"},
        {
            "late": "There was no time to recompute every move of a bot{made}.",
            "unknown": "The moves of {names} cannot be recomputed here.",
            "unplayed": "The moves of bots were not recomputed.",
        },
    ),
    "undone": Sentences(
        "the log, the seed, the rules of the game",
        "No move that revealed something was undone.",
        {"wrong": "{why}"},
        {"unchecked": "Whether undone moves had revealed something is not checked here."},
    ),
    "shown": Sentences(
        "the scenes that you were shown, the log, the rules of the game",
        "You were shown this game: {scenes} compared.",
        {"other": "{why}", "seat": "You were shown what another seat sees."},
        {
            "windows": "{scenes} could not be compared, as in windows.",
            "version": "You were shown the game by another version of it, {version}, which may have other words.",
            "none": "This program did not record what you were shown.",
            "missed": "Not everything that you were shown was recorded: {why}.",
            "unplayed": "What you were shown was not compared.",
        },
    ),
}


OF_TABLE: tuple[Check, ...] = ("number", "promise", "outline")
"""Checks of a number that is made at the table, as for all deals but those of the day."""


def say(check: Check, reason: str = "", line: int = 1, **values: Any) -> Finding:
    """Return a finding. Without a `reason`, the check holds. `values` are put into its sentence."""
    sentences = CHECKS[check]
    if not reason:
        return Finding(check, True, sentences.holds.format(**values), line)
    ok = False if reason in sentences.broken else None
    return Finding(check, ok, (sentences.broken | sentences.unknown)[reason].format(**values), line)


def contradictions(record: Record, key: str = "") -> Iterator[Finding]:
    """Yield the contradictions between two messages of one visit. With a `key`, omit those of rooms that have another
    key."""
    visits = [visit for visit in record.visits.values() if not key or visit.key in ("", key)]
    for check, reason in dict.fromkeys(one for visit in visits for one in visit.broken):
        yield say(check, reason)


def of_deal(log: Log, record: Record | None) -> Iterator[Finding]:
    """Yield the findings about a header, which may be that of a game that is still running. Those that need a record
    are omitted without one."""
    if record:
        for one in of_record(log, record):
            if not log.day or one.ok is False or one.check not in OF_TABLE:
                yield one
    yield of_failed(log, record)
    withheld = [player.name for player in log.players if player.withheld]
    line = log.lines["commitment"]
    if withheld and log.room and log.room.waits:
        yield say("waits", "missing", next(log.lines[f"seat {seat}"] for seat, one in seats(log) if one.withheld))
    elif withheld:
        yield say("waits", "withheld", line, names=listed(withheld))
    else:
        yield say("waits", line=line)
    yield of_numbers(log)


def seats(log: Log) -> Iterator[tuple[int, Player]]:
    """Yield the seats and players of a log."""
    return iter(enumerate(log.players))


def bound_seats(log: Log) -> dict[str, int]:
    """Return the seats of a log by the commitments to their numbers. If guests copied the commitment of another seat,
    this is one that showed the number."""
    in_order = sorted(seats(log), key=lambda one: not one[1].withheld)
    return {player.hash or fairness.nonce_hash(player.nonce): seat for seat, player in in_order}


def of_record(log: Log, record: Record) -> Iterator[Finding]:
    """Yield the findings about a header that need a record."""
    line, key = log.lines["commitment"], log.room.key if log.room else ""
    bound = bound_seats(log)
    mine = [number for number in record.numbers.values() if number.hash in bound]
    visits = [visit for visit in record.visits.values() if visit.key in ("", key)]
    dealt = [visit for visit in visits if visit.header]
    promises = {number.promise for number in mine} | {visit.promise for visit in visits}
    if promises - {log.commitment, ""}:
        yield say("promise", "header", line)
    else:
        yield say("promise", "" if mine else "number", line)
    yield from of_own_number(log, record, mine, bound, dealt)
    yield of_room(log, record)
    sent = [number for number in mine if number.outline and not log.players[bound[number.hash]].withheld]
    changed = next((number.outline for number in sent if number.outline != log.outline()), None)
    if changed is not None:
        yield say("outline", "changed", differing(log.outline(), changed))
    else:
        yield say("outline", "" if sent else "number")
    header = log.header().decode()
    other = next((visit.header for visit in dealt if visit.header != header), None)
    if other is not None:
        yield say("header", "changed", differing(header, other))
    else:
        yield say("header", "" if dealt else "unseen")


def of_own_number(
    log: Log, record: Record, mine: list[Number], bound: dict[str, int], dealt: list[Visit]
) -> Iterator[Finding]:
    """Yield the findings about the numbers of the player: `mine` are those in the header, where `bound` has the seats
    of all commitments, and `dealt` are the visits to which the room showed a header."""
    attempt, line = log.room.attempt if log.room else 0, log.lines["commitment"]
    for number in record.numbers.values():
        if number.visit and number.attempt == attempt and number.hash not in bound:
            yield say("number", "missing", line)
            return
    if not mine:
        yield say("number", "number", line)
        return
    number = mine[-1]
    seat = bound[number.hash]
    told = dealt[-1].seat if dealt else seat
    if 0 <= told < len(log.players) and log.players[told].hash == number.hash:
        seat = told
    player, line = log.players[seat], log.lines[f"seat {seat}"]
    if player.withheld:
        yield say("number", "withheld" if number.visit else "late", line)
    elif player.nonce != number.nonce:
        yield say("number", "missing", line)
    elif not number.outline and not number.visit:
        yield say("number", "unsent", line)
    else:
        others = {one for visit in dealt for one in visit.seats} - {seat, SPECTATOR}
        yield say("number", "" if told == seat and not others else "seat", line)


def of_room(log: Log, record: Record) -> Finding:
    """Return the finding about the room and the table of a header."""
    if log.room is None:
        return say("room", "unsigned")
    line = log.lines["room"]
    if record.table not in ("", log.room.table):
        return say("room", "other", line)
    keys = {visit.key for visit in record.visits.values()} - {""}
    if log.room.key not in keys:
        return say("room", "other" if keys else "record", line)
    return say("room", "" if len(keys) == 1 else "visit", line)


def of_failed(log: Log, record: Record | None) -> Finding:
    """Return the finding about the deals that failed before this one."""
    attempt = log.room.attempt if log.room else 0
    line = log.lines.get("failed", log.lines.get("table", log.lines["commitment"]))
    reported = {(failed.attempt, seat) for failed in log.failed for seat in failed.shown}
    sent = [number for number in record.numbers.values() if number.outline and number.attempt] if record else []
    for number in sent:
        if number.attempt > attempt and number.visit:
            return say("failed", "uncounted", line)
        if number.attempt < attempt and number.visit and not number.is_reported(reported):
            return say("failed", "unreported", line)
    reports = record is not None and any(visit.reports for visit in record.visits.values())
    count = len(log.failed) or (0 if reports else attempt - 1)
    if count > 0:
        deals = "A deal" if count == 1 else f"{count} deals"
        return say("failed", "failed", line, deals=deals, left=who_left(log))
    if any(number.attempt > attempt for number in sent):
        return say("failed", "unheard", line)
    return say("failed", line=line)


def who_left(log: Log) -> str:
    """Return the guests who made deals fail, in words."""
    names = [*dict.fromkeys(name for failed in log.failed for _, name in failed.left)]
    return f": {listed(names)} left after numbers were shown" if names else ""


def of_numbers(log: Log) -> Finding:
    """Return the finding about the numbers of a header: each belongs to the commitment of its seat or, if the seed is
    known, follows from the seed."""
    line = log.lines["commitment"]
    seed = log.seed if log.seed and fairness.commitment(log.seed) == log.commitment else None
    for seat, player in seats(log):
        line = log.lines[f"seat {seat}"]
        if player.hash and player.plays != PERSON:
            return say("bound", "bot", line, seat=seat)
        if player.hash and not player.withheld:
            if fairness.nonce_hash(player.nonce) != player.hash:
                return say("bound", "bound", line, seat=seat)
        elif seed is not None and player.nonce != fairness.seed_nonce(seed, seat):
            return say("bound", "seed", line, seat=seat)
    is_given = log.day or any(player.hash and not player.withheld for player in log.players)
    return say("bound", "" if is_given else "alone", line)


def of_end(log: Log, record: Record | None) -> Iterator[Finding]:
    """Yield the findings about the log of a finished game that need no replay."""
    if log.seed is None:
        yield say("seed", "hidden")
    else:
        promised = fairness.commitment(log.seed) == log.commitment
        yield say("seed", "" if promised else "other", log.lines["seed"])
    yield say("log", "branch" if log.branch else "")
    yield of_signatures(log)
    if record:
        yield of_acknowledgements(log, record)


def of_signatures(log: Log) -> Finding:
    """Return the finding about the signatures of the room that dealt."""
    from fairdeal.table.signatures import END, HEADER, is_signed

    if log.room is None:
        return say("signed", "unsigned")
    for part, chain, signature in (
        (HEADER, log.header_chain(), log.signed_header),
        (END, log.end_chain(), log.signed_end),
    ):
        line = log.lines.get(f"signed {part}", log.lines.get("seed", 1))
        if not signature:
            return say("signed", "missing", line, part=part)
        if not is_signed(log.room.key, part, chain, signature):
            return say("signed", "wrong", line, part=part)
    return say("signed")


def of_acknowledgements(log: Log, record: Record) -> Finding:
    """Return the finding about the running hashes that the room sent: each is that of the log, and there is one for
    every entry of which the player may have known."""
    key = log.room.key if log.room else ""
    chains, heard = log.chains(), set[int]()
    for visit in record.visits.values():
        if visit.key not in ("", key):
            continue
        for (seat, entries), chain in sorted(visit.acknowledged.items()):
            known = log.known_to(seat)
            if entries >= len(known):
                line = log.entries[-1].line if log.entries else 1
                return say("acknowledged", "beyond", line, entry=entries, entries=len(known) - 1)
            if not chains[known[entries]].startswith(chain):
                line = log.entries[known[entries] - 1].line if entries else log.lines["commitment"]
                return say("acknowledged", "other", line, entry=entries)
            heard.add(known[entries])
    if not heard:
        return say("acknowledged", "none")
    seat = own_seat(log, record)
    known = log.known_to(seat)
    missing = [number for number, place in enumerate(known) if number and place not in heard]
    if missing:
        return say("acknowledged", "gaps", gaps=ranges(missing), entries=len(known) - 1)
    return say("acknowledged", entries=len(known) - 1)


def own_seat(log: Log, record: Record) -> int:
    """Return the seat of the player's own number in a log, or the seat that the room named last."""
    bound = next((seat for digest, seat in bound_seats(log).items() if digest in record.numbers), SPECTATOR)
    if bound != SPECTATOR or not record.visits:
        return bound
    return next(reversed(record.visits.values())).seat


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers in ascending order as words.

    >>> ranges([1, 2, 3, 5])
    'Entries 1 to 3 and 5'
    >>> ranges([5])
    'Entry 5'
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    words = [str(one[0]) if len(one) == 1 else f"{one[0]} to {one[1]}" for one in found]
    return f"{'Entry' if words == [str(found[0][0])] else 'Entries'} {listed(words)}"


def code_of(log: Log) -> str:
    """Return a code that is equal for everybody who has the same log, to read aloud: sixteen digits of its running hash
    before the signature of the end."""
    digits = f"{int(log.end_chain()[:16], 16) % 10**16:016}"
    return " ".join(digits[place : place + 4] for place in range(0, 16, 4))


def differing(found: str, shown: str) -> int:
    """Return the line of a log at which its header or outline `found` differs from the one that the room had shown."""
    pairs = enumerate(zip(found.split("\n"), shown.split("\n"), strict=False), start=2)
    return next((line for line, (one, other) in pairs if one != other), 2)


def before_the_end(record: Record) -> list[Finding]:
    """Return what can be said of a game that is still running: contradictions, and findings about its header."""
    found = [*contradictions(record)]
    header = next((visit.header for visit in reversed(record.visits.values()) if visit.header), "")
    if header:
        try:
            found += of_deal(read_header(header), record)
        except BadLog as problem:
            found.append(say("log", "wrong", why=problem.reason))
    return in_order(found)


def in_order(found: Iterable[Finding]) -> list[Finding]:
    """Return one finding for each check, in the order of `CHECKS`: one that is broken, or else one that is unknown."""
    worst = sorted(found, key=lambda one: ([*CHECKS].index(one.check), (False, None, True).index(one.ok)))
    return [*{one.check: one for one in reversed(worst)}.values()][::-1]
