"""The log of a sitting: a header, the moves, and at the end the seed and the result.

A text file, a line a fact; docs/log-format.md describes it. Every line after the first ends in a mark, `#` and eight
hexadecimal digits of SHA-256 over the mark before it and its own text, so that a changed, missing or moved line is
found where it is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fairdeal.engine.errors import BadLog
from fairdeal.engine.records import HOUSE

FORMAT = "fairdeal log 1"
MARK_DIGITS = 8
MARKED = re.compile(r"(.*?) +#([0-9a-f]{8})")


@dataclass(frozen=True)
class Player:
    """Who sits at a seat: a name, what plays there (`person` or a bot's name), and the seat's nonce."""

    name: str
    plays: str = "person"
    nonce: str = ""


@dataclass(frozen=True)
class Move:
    """A move in notation, by a seat; `line` is its place in a file that was read."""

    seat: int
    text: str
    line: int = 0


@dataclass
class Log:
    """All that a sitting is. `seed` and `result` are None until the end."""

    game: str
    rules_version: int
    options: dict[str, Any]
    players: tuple[Player, ...]
    commitment: str
    moves: list[Move] = field(default_factory=list)
    seed: bytes | None = None
    result: tuple[int, ...] | None = None
    lines: dict[str, int] = field(default_factory=dict)

    def header_lines(self) -> list[str]:
        """The facts that are fixed before the first card; they are part of the chance key."""
        lines = [
            f"game {self.game}",
            f"rules {self.rules_version}",
            f"options {_json(self.options)}",
            f"commitment sha256 {self.commitment}",
        ]
        for number, player in enumerate(self.players):
            lines.append(f"seat {number} {_json([player.name, player.plays])} nonce {player.nonce}")
        return lines

    def header(self) -> bytes:
        """The header in the form that the chance key is made from."""
        return "\n".join(self.header_lines()).encode()

    def body_lines(self) -> Iterator[str]:
        yield from self.header_lines()
        for number, move in enumerate(self.moves, start=1):
            who = "house" if move.seat == HOUSE else f"seat {move.seat}"
            yield f"{number} {who}: {move.text}"
        if self.result is not None:
            yield f"result {_json(list(self.result))}"
        if self.seed is not None:
            yield f"seed {self.seed.hex()}"

    def text(self) -> str:
        """The log as a file."""
        lines = [FORMAT]
        mark = _mark("", FORMAT)
        for line in self.body_lines():
            mark = _mark(mark, line)
            lines.append(f"{line} #{mark}")
        return "\n".join(lines) + "\n"


def read_log(text: str) -> Log:
    """Read a log and check every line's mark. Raises BadLog with the line; a log without an end is a sitting that
    still runs."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FORMAT:
        raise BadLog(1, f"a log begins with the line {FORMAT!r}")
    reader = _Reader()
    mark = _mark("", FORMAT)
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            raise BadLog(number, "an empty line")
        parts = MARKED.fullmatch(line)
        if not parts:
            raise BadLog(number, "the mark at the end is missing: # and eight hexadecimal digits")
        body, found = parts.groups()
        mark = _mark(mark, body)
        if found != mark:
            raise BadLog(number, f"changed, or a line before it is missing or moved (mark {found}, not {mark})")
        reader.read(number, body)
    return reader.log(len(lines))


class _Reader:
    """Takes the lines of a log one by one."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.players: list[Player] = []
        self.moves: list[Move] = []
        self.lines: dict[str, int] = {}

    def read(self, number: int, body: str) -> None:
        word, _, rest = body.partition(" ")
        if re.fullmatch(r"\d{1,9}", word) and rest.startswith(("seat ", "house: ")):
            self.read_move(number, int(word), rest)
        elif word == "seat":
            self.read_seat(number, rest)
        elif word in ("game", "rules", "options", "commitment", "result", "seed"):
            if word in self.facts:
                raise BadLog(number, f"a second {word!r} line")
            self.facts[word] = self.value(number, word, rest)
            self.lines[word] = number
        else:
            raise BadLog(number, f"no line begins with {word!r}")

    def value(self, number: int, word: str, rest: str) -> Any:
        try:
            if word == "game":
                return rest
            if word == "rules":
                return int(rest)
            if word == "seed":
                return bytes.fromhex(rest)
            if word == "commitment":
                function, digest = rest.split(" ")
                if function == "sha256" and len(bytes.fromhex(digest)) == 32:
                    return digest
                raise ValueError
            if word == "options":
                return msgspec.json.decode(rest, type=dict[str, Any])
            return msgspec.json.decode(rest, type=tuple[int, ...])
        except (ValueError, RecursionError):
            raise BadLog(number, f"cannot read this {word}: {rest!r}") from None

    def read_seat(self, number: int, rest: str) -> None:
        parts = re.fullmatch(r"(\d{1,3}) (\[.*\]) nonce ([0-9a-f]*)", rest)
        if not parts or int(parts[1]) != len(self.players):
            raise BadLog(number, f"expected: seat {len(self.players)} [name, plays] nonce HEX")
        try:
            name, plays = msgspec.json.decode(parts[2], type=tuple[str, str])
        except ValueError:
            raise BadLog(number, f"cannot read this name: {parts[2]!r}") from None
        self.players.append(Player(name, plays, parts[3]))

    def read_move(self, number: int, count: int, rest: str) -> None:
        parts = re.fullmatch(r"(?:seat (\d{1,3})|house): (.+)", rest)
        if not parts or count != len(self.moves) + 1:
            raise BadLog(number, f"expected move {len(self.moves) + 1}: seat N: move, or house: event")
        if "result" in self.facts or "seed" in self.facts:
            raise BadLog(number, "a move after the end")
        self.moves.append(Move(HOUSE if parts[1] is None else int(parts[1]), parts[2], number))

    def log(self, last: int) -> Log:
        for word in ("game", "rules", "options", "commitment"):
            if word not in self.facts:
                raise BadLog(last, f"the log has no {word!r} line")
        if not self.players:
            raise BadLog(last, "the log has no seats")
        return Log(
            game=self.facts["game"],
            rules_version=self.facts["rules"],
            options=self.facts["options"],
            players=tuple(self.players),
            commitment=self.facts["commitment"],
            moves=self.moves,
            seed=self.facts.get("seed"),
            result=self.facts.get("result"),
            lines=self.lines,
        )


def _json(value: dict[str, Any] | Sequence[Any]) -> str:
    """JSON on one line: the line ends of Unicode, which JSON need not escape, are escaped too."""
    text = msgspec.json.encode(value, order="sorted").decode()
    return re.sub("[\x85\u2028\u2029]", lambda end: f"\\u{ord(end[0]):04x}", text)


def _mark(before: str, line: str) -> str:
    return hashlib.sha256(f"{before}\n{line}".encode("utf-8", "surrogatepass")).hexdigest()[:MARK_DIGITS]
