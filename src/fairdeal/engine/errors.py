"""The errors that fairdeal shows to users: the problem, its position, and the expected input."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable
from pathlib import Path


class FairdealError(ValueError):
    """The base class of all errors that bad input can cause. It is a ValueError.

    >>> issubclass(IllegalMove, FairdealError), issubclass(FairdealError, ValueError)
    (True, True)
    """


class UnknownGame(FairdealError):
    """No game of this name is installed. `near` are similar names, `known` all installed ones.

    >>> load("chii")
    Traceback (most recent call last):
    UnknownGame: there is no game called 'chii'; did you mean chi or chip-it or chimax-cut?
    """

    def __init__(self, name: str, near: Iterable[str], known: Iterable[str] = ()) -> None:
        self.name = name
        self.near = tuple(near)
        installed = ", ".join(known)
        hint = f"; there are {installed}" if installed else ""
        if self.near:
            hint = f"; did you mean {' or '.join(self.near)}?"
        super().__init__(f"there is no game called {name!r}{hint}")


class BrokenGame(FairdealError):
    """An installed game does not work; `reason` says why, in one line."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"the game {name} is broken: {reason}")


class BadOption(FairdealError):
    """An option does not exist, or its value is not allowed. The message is `told`, words for people who do not know
    the names in code; `coded` is the message with these names.

    >>> load("chi", stacks_to_end=99)
    Traceback (most recent call last):
    BadOption: Stacks to end the game: “99” is not possible. It takes a number from 4 to 8.
    """

    def __init__(self, option: str, value: object, reason: str, told: str = "") -> None:
        self.option = option
        self.value = value
        self.reason = reason
        super().__init__(told or f"option {option}={value!r}: {reason}")

    @property
    def coded(self) -> str:
        """The error message for programs, with the option's name and value."""
        return f"option {self.option}={self.value!r}: {self.reason}"


class BadPosition(FairdealError):
    """A position cannot be read. `path` is the place in the JSON, such as `hands[0][3]`.

    >>> load("chi").setup({"hands": [["yin-red"], ["yin-mauve"]], "row": ["chi"] * 6})
    Traceback (most recent call last):
    BadPosition: position, at hands[1][0]: 'yin-mauve': no such card: yin-red, yang3-red, yang6-teal, chi
    """

    def __init__(self, path: str, value: object, reason: str) -> None:
        self.path = path
        self.value = value
        self.reason = reason
        shown = "" if value == "" else f"{value!r}: "
        super().__init__(f"position, at {path or 'the top'}: {shown}{reason}")


class IllegalMove(FairdealError):
    """The rules do not allow this move. `clause` is the id of the clause that forbids it, or "".

    >>> load("chi").deal(seed=7).play(1, "draw 6")
    Traceback (most recent call last):
    IllegalMove: 'draw 6' is not legal: the places in the row are 0 to 5 [CHI-20]
    """

    def __init__(self, move: str, reason: str, clause: str = "") -> None:
        self.move = move
        self.reason = reason
        self.clause = clause
        super().__init__(f"{move!r} is not legal: {reason}" + (f" [{clause}]" if clause else ""))


class BadLog(FairdealError):
    """A log cannot be read or does not verify. `line` counts from 1.

    >>> raise BadLog(3, "this is not a move")
    Traceback (most recent call last):
    BadLog: line 3: this is not a move
    """

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


class NotReplayable(BadLog):
    """A log that can be read but not replayed, because its game or its version of the rules is not installed."""


class BadCase(FairdealError):
    """A case file cannot be read."""


class BadLesson(FairdealError):
    """A lesson cannot be read or run. `file` and `step` (from 1, or 0 for the head) give the place."""

    def __init__(self, file: str, step: int, reason: str) -> None:
        self.file = file
        self.step = step
        self.reason = reason
        super().__init__(f"{file}, step {step}: {reason}" if step else f"{file}: {reason}")


OURS = Path(__file__).parents[1]
"""The folder of fairdeal."""

PLACE = re.compile(r'File "([^"]+)", line (\d+)')
DULL = re.compile(r"Failed in |During: |No implementation of function|There are \d+ candidate|\s|$")
"""Prefixes of lines of a Numba error that can be omitted."""

LIBRARIES = {"llvmlite", "msgspec", "numba", "numpy", "yaml"}
"""Packages whose own code is not what is wrong."""

LONGEST_REASON = 240
"""Maximum number of characters of an exception's message in one line."""


def in_a_line(problem: BaseException) -> str:
    """Return an exception in one line: its type, what it says, and the last place outside of fairdeal and Python."""
    text = re.sub(r"\x1b\[\d*m", "", str(problem))
    said = next((line for line in text.splitlines() if not DULL.match(line)), text.partition("\n")[0]).strip()
    if len(said) > LONGEST_REASON:
        said = f"{said[:LONGEST_REASON]}…"
    frames: list[tuple[str, object]] = [
        (frame.filename, frame.lineno) for frame in traceback.extract_tb(problem.__traceback__)
    ]
    frames += reversed(PLACE.findall(text))  # Numba names the innermost place first
    if isinstance(problem, SyntaxError) and problem.filename:
        said, frames = problem.msg, [(problem.filename, problem.lineno)]
    places = [f"{Path(file).name}, line {line}" for file, line in frames if is_of_others(file)]
    return ": ".join(filter(None, (type(problem).__name__, said))) + (f" ({places[-1]})" if places else "")


def is_of_others(file: str) -> bool:
    """Return whether a file belongs neither to fairdeal's own machinery nor to Python or its libraries."""
    path = Path(file).absolute()
    if path.is_relative_to(OURS):
        return path.is_relative_to(OURS / "games")
    for folder in {"site-packages", "dist-packages"} & {*path.parts}:
        return path.parts[path.parts.index(folder) + 1] not in LIBRARIES
    return not file.startswith("<") and not path.is_relative_to(Path(traceback.__file__).parent)
