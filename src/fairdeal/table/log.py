"""The log of a sitting: a header, every entry, and at the end the result, the seed and the room's signature.

A log is a text file with one fact per line; docs/log-format.md describes the format. A running hash covers all lines.
Every line after the first ends with a mark, which is `#` and the first eight digits of the running hash, so that a
changed, missing or moved line can be found.
"""

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec

from fairdeal.engine.errors import BadLog
from fairdeal.engine.records import HOUSE
from fairdeal.table import fairness

FORMAT = 3
FIRST_LINE = f"fairdeal log {FORMAT}"
FIRST_LINE_OF_DAY = "fairdeal log 4"
"""First line of the log of a deal of the day, whose header has a line that format 3 lacks."""

MARK_DIGITS = 8
MARKED = re.compile(r"(.*?) +#([0-9a-f]{8})")
"""A line and its mark."""

ENDS = re.compile("[\v\f\r\x1c-\x1e\x85\u2028\u2029]")
"""Ends of lines other than the one of a log, for which JSON has escapes."""

UNDO = "undo"
"""Text of the entry that takes back the move before it. `undo N` takes back the last N moves."""

PASS = "pass"
"""The move of a seat that is asked in a window and plays no card."""

ANOTHER = "another"
"""The author of a move of a guest who has taken over the seat of another person."""

HIDDEN = "+"
"""The number of a hidden entry in a file."""

TAKEN_BACK = re.compile(rf"{UNDO}(?: ([2-9]|[1-9][0-9]{{1,3}}))?")


def taken_back(text: str) -> int:
    """Return the number of moves that an entry takes back, or 0 if it is a move.

    >>> taken_back("undo"), taken_back("undo 3"), taken_back("draw 3")
    (1, 3, 0)
    """
    found = TAKEN_BACK.fullmatch(text)
    return int(found[1] or 1) if found else 0


def taking_back(count: int) -> str:
    """Return the text of the entry that takes back `count` moves."""
    return UNDO if count == 1 else f"{UNDO} {count}"


@dataclass(frozen=True)
class Player:
    """A player at a seat.

    name      the player's name
    plays     `person`, or the name of the bot that plays
    nonce     the seat's nonce
    hash      the commitment to the nonce; if it is empty, the nonce is derived from the seed
    withheld  whether the player did not reveal the nonce, so that it is derived from the seed although `hash` is a
              commitment
    """

    name: str
    plays: str = "person"
    nonce: str = ""
    hash: str = ""
    withheld: bool = False

    @property
    def origin(self) -> str:
        """The source of the nonce, as written in the header."""
        if not self.hash:
            return "from the seed"
        return f"{'withheld' if self.withheld else 'given'} {self.hash}"


@dataclass(frozen=True)
class Move:
    """A seat's move in a log.

    seat     the seat, or HOUSE
    text     the move in notation
    by       author of the move if not the seat's own player: a stand-in, a person who took over from a bot, or ANOTHER
    line     number of the move's line in the file from which the log was read
    actions  the ids of its actions; none for an undo
    salt     digits from the seed in games with windows, so that nobody can guess an entry from the running hash
    hidden   whether it is a pass in a window, of which only its own seat may know
    """

    seat: int
    text: str
    by: str = ""
    line: int = 0
    actions: tuple[int, ...] = ()
    salt: str = ""
    hidden: bool = False

    def is_known(self, viewer: int) -> bool:
        """Return whether a viewer may know of this entry while the game runs."""
        return not self.hidden or self.seat == viewer

    def as_line(self) -> str:
        """Return the move as written in the line of an entry, without its number."""
        who = "house" if self.seat == HOUSE else f"seat {self.seat}"
        actions = f" {_json(self.actions)}" if self.actions else ""
        salt = f" salt {self.salt}" if self.salt else ""
        return f"{who}{f' by {self.by}' if self.by else ''}{actions}{salt}: {self.text}"


@dataclass(frozen=True)
class Branch:
    """The origin of a game that continues another game: the id of its own table, the number of entries taken from the
    other game, and the other game's running hash after these entries."""

    table: str
    entry: int
    chain: str


@dataclass(frozen=True)
class Dealt:
    """Facts that only the logs of a room contain.

    key      the room's public key
    table    the table's id
    attempt  number of times that the room requested nonces from the players
    waits    whether the deal waits until all nonces are revealed
    rated    whether the result counts for ratings
    """

    key: str
    table: str
    attempt: int = 1
    waits: bool = True
    rated: bool = False


@dataclass(frozen=True)
class Day:
    """The deal of a day, as in the header of its logs: the number of the deal, and the root of its list of numbers
    (`protocol.daily`). The cards follow from this line and the seed alone."""

    number: int
    numbers: str

    @property
    def line(self) -> str:
        return f"daily {self.number} numbers {self.numbers}"


Seat = Annotated[int, msgspec.Meta(ge=0, le=999)]


class Failed(msgspec.Struct, frozen=True):
    """A deal that failed because a guest left after nonces had been revealed.

    attempt  number of the attempt
    left     seats that became free, each with the name of its guest
    shown    seats whose nonces had been revealed
    """

    attempt: int
    left: tuple[tuple[Seat, str], ...] = ()
    shown: tuple[Seat, ...] = ()


@dataclass
class Log:
    """The complete record of a sitting. `entries` are all moves and undos, and `moves` are the moves that have not been
    undone. `seed` and `result` are None until the end."""

    game: str
    rules_version: int
    options: dict[str, Any]
    players: tuple[Player, ...]
    commitment: str
    seed: bytes | None = None
    result: tuple[int, ...] | None = None
    room: Dealt | None = None
    branch: Branch | None = None
    failed: tuple[Failed, ...] = ()
    day: Day | None = None
    signed_header: str = ""
    signed_end: str = ""
    entries: list[Move] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.running: list[tuple[int, str]] = []  # numbers of entries with the running hash: the last, and hidden ones
        self.hidden = Counter(entry.seat for entry in self.entries if entry.hidden)

    def add(self, entry: Move) -> None:
        """Add an entry: a move, or an undo of the moves before it. Raises IndexError if it undoes more moves than there
        are."""
        count = taken_back(entry.text)
        if count > len(self.moves):
            raise IndexError(count)
        if count:
            del self.moves[-count:]
        else:
            self.moves.append(entry)
        self.entries.append(entry)
        if entry.hidden:
            self.hidden[entry.seat] += 1

    def hidden_by_seat(self) -> list[int]:
        """Return the number of hidden entries of each seat."""
        return [self.hidden[seat] for seat in range(len(self.players))]

    def number_for(self, viewer: int) -> int:
        """Return the number of entries that a viewer may know of."""
        return len(self.entries) - sum(count for seat, count in self.hidden.items() if seat != viewer)

    def move_for(self, viewer: int, number: int) -> int:
        """Return the number of move `number` as counted by a viewer who does not know of all moves."""
        if not self.hidden:
            return number
        return sum(move.is_known(viewer) for move in self.moves[:number])

    def last_known(self, viewer: int, number: int) -> int:
        """Return the number of the last of the first `number` moves that a viewer may know of, or 0 if there is
        none."""
        while number and not self.moves[number - 1].is_known(viewer):
            number -= 1
        return number

    def known_to(self, viewer: int) -> list[int]:
        """Return the positions in the log at which a viewer knows of 0, 1, 2 and more entries."""
        return [0, *(number for number, entry in enumerate(self.entries, start=1) if entry.is_known(viewer))]

    def table_lines(self) -> list[str]:
        """Return the header lines before those of the seats."""
        lines = [f"game {self.game}", f"rules {self.rules_version}", f"options {_json(self.options)}"]
        if self.room:
            waits = "waits" if self.room.waits else "goes on"
            lines.append(f"room ed25519 {self.room.key}")
            rated = " rated" if self.room.rated else ""
            lines.append(f"table {self.room.table} attempt {self.room.attempt} {waits}{rated}")
        lines += [f"failed {_json(msgspec.to_builtins(one))}" for one in self.failed]
        lines += [self.day.line] if self.day else []
        return [*lines, f"commitment sha256 {self.commitment}"]

    def header_lines(self) -> list[str]:
        """Return the header lines, which are fixed before the first card is dealt. The key of the RNG depends on
        them."""
        lines = self.table_lines()
        for number, player in enumerate(self.players):
            lines.append(f"seat {number} {_json([player.name, player.plays])} nonce {player.nonce} {player.origin}")
        return lines

    def outline(self) -> str:
        """Return the header without nonces: everything that is fixed before any nonce is revealed."""
        seats = [
            f"seat {number} {_json([one.name, one.plays])} {f'bound {one.hash}' if one.hash else 'from the seed'}"
            for number, one in enumerate(self.players)
        ]
        return "\n".join([*self.table_lines(), *seats])

    @property
    def first_line(self) -> str:
        return FIRST_LINE_OF_DAY if self.day else FIRST_LINE

    def header(self) -> bytes:
        """Return the header as bytes."""
        return "\n".join(self.header_lines()).encode()

    def chance_text(self) -> bytes:
        """Return the text from which the key of the RNG is derived: the header, or the line of the day alone, because
        everybody gets the same cards on a day."""
        return self.day.line.encode() if self.day else self.header()

    def opening_lines(self) -> Iterator[str]:
        """Yield all lines after the first and before the first entry: the part that a room signs, and its signature."""
        yield from self.header_lines()
        if self.branch:
            yield f"branch {self.branch.table} after {self.branch.entry} {self.branch.chain}"
        if self.signed_header:
            yield f"signed header {self.signed_header}"

    def body_lines(self) -> Iterator[str]:
        """Yield all lines except the first, without their marks."""
        yield from self.opening_lines()
        yield from numbered(self.entries)
        yield from self.closing_lines()
        if self.signed_end:
            yield f"signed end {self.signed_end}"

    def closing_lines(self) -> Iterator[str]:
        if self.result is not None:
            yield f"result {_json(list(self.result))}"
        if self.seed is not None:
            yield f"seed {self.seed.hex()}"

    def chain(self) -> str:
        """Return the running hash from the first line to the last entry: 64 hexadecimal digits. The hash is cached, so
        each entry is hashed once."""
        if not self.running:
            self.running = [(0, self.opening_chain())]
        done, digest = self.running[-1]
        if done == len(self.entries):
            return digest
        for number, line in enumerate(self.entry_lines(done), start=done + 1):
            digest = _digest(digest, line)
            if not self.entries[number - 1].hidden:
                self.running.clear()
            self.running.append((number, digest))
        return digest

    def chain_for(self, viewer: int) -> str:
        """Return the running hash up to the last entry that a viewer may know of."""
        last = self.chain()
        if not self.hidden:
            return last
        return next(
            digest
            for number, digest in reversed(self.running)
            if number == 0 or self.entries[number - 1].is_known(viewer)
        )

    def chains(self) -> list[str]:
        """Return the running hashes before the first entry and after each entry."""
        return [*itertools.accumulate(self.entry_lines(), _digest, initial=self.opening_chain())]

    def entry_lines(self, done: int = 0) -> Iterator[str]:
        """Yield the lines of the entries after the first `done`."""
        first = done + 1 - sum(entry.hidden for entry in self.entries[:done]) if self.hidden else done + 1
        return numbered(self.entries[done:], first)

    def opening_chain(self) -> str:
        """Return the running hash before the first entry."""
        return chained(self.first_line, self.opening_lines())

    def header_chain(self) -> str:
        """Return the hash that a room signs at the deal: the running hash of all lines before its signature."""
        lines = [line for line in self.opening_lines() if not line.startswith("signed ")]
        return chained(self.first_line, lines)

    def end_chain(self) -> str:
        """Return the hash that a room signs at the end: the running hash of all lines before its signature."""
        return following(self.chain(), self.closing_lines())

    def text(self) -> str:
        """Return the log as the text of a file."""
        return "\n".join(marked(self.first_line, self.body_lines())) + "\n"


def numbered(entries: Sequence[Move], first: int = 1) -> Iterator[str]:
    """Yield entries as lines, numbered from `first`. Hidden entries have no number."""
    for entry in entries:
        yield f"{HIDDEN if entry.hidden else first} {entry.as_line()}"
        first += not entry.hidden


def chained(first: str, lines: Sequence[str] | Iterator[str]) -> str:
    """Return the running hash of a first line and the lines that follow it."""
    return following(_digest("", first), lines)


def following(chain: str, lines: Sequence[str] | Iterator[str]) -> str:
    """Extend a running hash by more lines. Each new hash is SHA-256 of the previous hash, a newline, and the line."""
    for line in lines:
        chain = _digest(chain, line)
    return chain


def marked(first: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a first line, and the lines that follow it, with their marks."""
    yield first
    chain = _digest("", first)
    for line in lines:
        chain = _digest(chain, line)
        yield f"{line} #{chain[:MARK_DIGITS]}"


def read_log(text: str) -> Log:
    """Read a log and check the mark of every line. A log without an end belongs to a sitting that is still running.
    Raises BadLog with the line of the first error."""
    lines = text.removesuffix("\n").split("\n")
    if lines[0] not in (FIRST_LINE, FIRST_LINE_OF_DAY):
        raise BadLog(1, f"a log must begin with the line {FIRST_LINE!r}")
    reader = _Reader()
    chain = _digest("", lines[0])
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            raise BadLog(number, "this line is empty")
        parts = MARKED.fullmatch(line)
        if not parts or ENDS.search(line):
            raise BadLog(number, "the mark at the end is missing: # and eight hexadecimal digits")
        body, found = parts.groups()
        chain = _digest(chain, body)
        mark = chain[:MARK_DIGITS]
        if found != mark:
            raise BadLog(
                number, f"this line was changed, or one before it is missing or moved (mark {found}, not {mark})"
            )
        reader.read(number, body)
    log = reader.log(len(lines))
    if log.first_line != lines[0]:
        raise BadLog(1, f"only the log of a deal of the day begins with {FIRST_LINE_OF_DAY!r}, and has a 'daily' line")
    for number, (body, line) in enumerate(zip(log.body_lines(), lines[1:], strict=True), start=2):
        if line[: -len(" #") - MARK_DIGITS] != body:
            raise BadLog(number, f"this line is out of place or not in fairdeal's format: expected {body!r}")
    return log


def read_header(text: str) -> Log:
    """Read a header or outline of a game, whose lines have no marks. Raises BadLog with the line of the first error."""
    reader = _Reader()
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        reader.read(number, line)
    return reader.log(len(lines))


WORDS = ("game", "rules", "options", "room", "table", "daily", "commitment", "branch", "signed", "result", "seed")
"""First words of all lines except seats, failed attempts and entries."""


NUMBER = re.compile(r"[0-9]{1,9}|\+")

ACTIONS = r"[0-9]{1,5}(?:,[0-9]{1,5})*"
"""The ids of the actions of a move."""


class _Reader:
    """A parser that reads the lines of a log one by one."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.players: list[Player] = []
        self.failed: list[Failed] = []
        self.entries: list[Move] = []
        self.following = 1  # the number of the next entry that has one
        self.lines: dict[str, int] = {}

    def read(self, number: int, body: str) -> None:
        word, _, rest = body.partition(" ")
        if NUMBER.fullmatch(word) and rest.startswith(("seat ", "house: ", "house [")):
            self.read_entry(number, word, rest)
        elif word == "seat":
            self.read_seat(number, rest)
        elif word == "failed":
            self.read_failed(number, rest)
        elif word in WORDS:
            if word == "signed":
                part, _, rest = rest.partition(" ")
                word = f"signed {part}"
            if word in self.facts:
                raise BadLog(number, f"there is a second {word!r} line")
            self.facts[word] = self.value(number, word, rest)
            self.lines[word] = number
        else:
            raise BadLog(number, f"a line cannot begin with {word!r}")

    def value(self, number: int, word: str, rest: str) -> Any:
        try:
            return VALUES[word](rest)
        except (KeyError, ValueError, RecursionError):
            raise BadLog(number, f"cannot read this {word}: {rest!r}") from None

    def read_seat(self, number: int, rest: str) -> None:
        origin = r"(from the seed|given [0-9a-f]{64}|withheld [0-9a-f]{64})"
        parts = re.fullmatch(rf"([0-9]{{1,3}}) (\[.*\]) nonce ([0-9a-f]*) {origin}", rest)
        if not parts or int(parts[1]) != len(self.players):
            shape = "nonce HEX from the seed, given HASH or withheld HASH"
            raise BadLog(number, f"expected: seat {len(self.players)} [name, plays] {shape}")
        if not fairness.NONCE.fullmatch(parts[3]):
            raise BadLog(
                number, f"a nonce must have {2 * fairness.NONCE_BYTES} hexadecimal digits, not {len(parts[3])}"
            )
        try:
            name, plays = msgspec.json.decode(parts[2], type=tuple[str, str])
        except ValueError:
            raise BadLog(number, f"cannot read this name: {parts[2]!r}") from None
        kind, _, digest = parts[4].partition(" ")
        bound = digest if kind in ("given", "withheld") else ""
        self.lines[f"seat {len(self.players)}"] = number
        self.players.append(Player(name, plays, parts[3], bound, kind == "withheld"))

    def read_failed(self, number: int, rest: str) -> None:
        one: Failed = self.value(number, "failed", rest)
        attempt = self.facts["table"][1] if "table" in self.facts else 1
        if not (self.failed[-1].attempt if self.failed else 0) < one.attempt < attempt:
            raise BadLog(number, f"attempt {one.attempt} cannot have failed here, before attempt {attempt}")
        self.lines.setdefault("failed", number)
        self.failed.append(one)

    def read_entry(self, number: int, count: str, rest: str) -> None:
        by = r"(?: by ([A-Za-z0-9_][A-Za-z0-9_-]*))?"
        actions = rf"(?: \[({ACTIONS})\])?(?: salt ([0-9a-f]{{32}}))?"
        parts = re.fullmatch(rf"(?:seat ([0-9]{{1,3}})|house){by}{actions}: (.+)", rest)
        is_hidden = count == HIDDEN
        if not parts or (count != str(self.following) and not is_hidden):
            shape = "seat N [actions]: move, or house [actions]: event"
            raise BadLog(number, f"expected move {self.following}: {shape}")
        if "result" in self.facts or "seed" in self.facts:
            raise BadLog(number, "there is a move after the end")
        back = taken_back(parts[5])
        if bool(parts[3]) == bool(back):
            reason = "an undo has no actions" if back else f"the actions of the move {parts[5]!r} are missing"
            raise BadLog(number, reason)
        seat = HOUSE if parts[1] is None else int(parts[1])
        if parts[2] and (seat == HOUSE or (seat < len(self.players) and self.players[seat].plays == parts[2])):
            raise BadLog(number, f"`by {parts[2]}` names the player of the seat once more")
        ids = tuple(map(int, parts[3].split(","))) if parts[3] else ()
        self.entries.append(Move(seat, parts[5], parts[2] or "", number, ids, parts[4] or "", is_hidden))
        self.following += not is_hidden

    def log(self, last: int) -> Log:
        for word in ("game", "rules", "options", "commitment"):
            if word not in self.facts:
                raise BadLog(last, f"the log has no {word!r} line")
        if ("room" in self.facts) != ("table" in self.facts):
            raise BadLog(last, "a room’s log must have both a 'room' and a 'table' line")
        if not self.players:
            raise BadLog(last, "the log has no seats")
        log = Log(
            game=self.facts["game"],
            rules_version=self.facts["rules"],
            options=self.facts["options"],
            players=tuple(self.players),
            commitment=self.facts["commitment"],
            seed=self.facts.get("seed"),
            result=self.facts.get("result"),
            room=Dealt(self.facts["room"], *self.facts["table"]) if "room" in self.facts else None,
            branch=self.facts.get("branch"),
            failed=tuple(self.failed),
            day=self.facts.get("daily"),
            signed_header=self.facts.get("signed header", ""),
            signed_end=self.facts.get("signed end", ""),
            lines=self.lines,
        )
        for entry in self.entries:
            if taken_back(entry.text) > len(log.moves):
                raise BadLog(entry.line, "there is no move to take back")
            log.add(entry)
        return log


def _form(pattern: str, text: str) -> str:
    if re.fullmatch(pattern, text):
        return text
    raise ValueError(text)


def _digits(text: str, length: int) -> str:
    return _form(rf"[0-9a-f]{{{length}}}", text)


def _after(word: str, text: str) -> str:
    """Return the text after `word`, with which `text` must begin."""
    found, _, rest = text.partition(" ")
    if found != word:
        raise ValueError(text)
    return rest


def _table(text: str) -> tuple[str, int, bool, bool]:
    parts = re.fullmatch(r"([A-Za-z0-9_-]{1,64}) attempt ([1-9][0-9]{0,8}) (waits|goes on)( rated)?", text)
    if not parts:
        raise ValueError(text)
    return parts[1], int(parts[2]), parts[3] == "waits", bool(parts[4])


def _branch(text: str) -> Branch:
    parts = re.fullmatch(r"([A-Za-z0-9_-]{1,64}) after ([0-9]{1,9}) ([0-9a-f]{64})", text)
    if not parts:
        raise ValueError(text)
    return Branch(parts[1], int(parts[2]), parts[3])


def _day(text: str) -> Day:
    parts = re.fullmatch(r"([1-9][0-9]{0,8}) numbers ([0-9a-f]{64})", text)
    if not parts:
        raise ValueError(text)
    return Day(int(parts[1]), parts[2])


VALUES: dict[str, Any] = {
    "game": lambda text: _form("[^ ]+", text),
    "rules": lambda text: int(_form("0|[1-9][0-9]{0,8}", text)),
    "options": lambda text: msgspec.json.decode(text, type=dict[str, Any]),
    "room": lambda text: _digits(_after("ed25519", text), 64),
    "table": _table,
    "failed": lambda text: msgspec.json.decode(text, type=Failed),
    "daily": _day,
    "commitment": lambda text: _digits(_after("sha256", text), 64),
    "branch": _branch,
    "signed header": lambda text: _digits(text, 128),
    "signed end": lambda text: _digits(text, 128),
    "result": lambda text: msgspec.json.decode(text, type=tuple[int, ...]),
    "seed": lambda text: bytes.fromhex(_digits(text, 2 * fairness.SEED_BYTES)),
}
"""Parsers of all lines other than seats and entries, by their first word."""


def _json(value: dict[str, Any] | Sequence[Any]) -> str:
    """Encode a value as JSON on one line. Unicode line separators, which JSON allows in strings, are escaped too."""
    text = msgspec.json.encode(value, order="sorted").decode()
    return re.sub("[\x85\u2028\u2029]", lambda end: f"\\u{ord(end[0]):04x}", text)


def _digest(before: str, line: str) -> str:
    return hashlib.sha256(f"{before}\n{line}".encode("utf-8", "surrogatepass")).hexdigest()
