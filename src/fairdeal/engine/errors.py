"""The errors that fairdeal shows to users. They name the problem, its position, and the expected input."""

import copyreg
import re
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SECRET = re.compile(r"\S*:.*(@|password=).*", re.DOTALL | re.IGNORECASE)
"""Text that may be the URL of a database with a password, and all that follows: a password may contain spaces."""


class FairdealError(ValueError):
    """The base class of all errors that bad input can cause. It is a ValueError.

    >>> issubclass(IllegalMove, FairdealError), issubclass(FairdealError, ValueError)
    (True, True)
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the attributes, because Python's way calls `__init__` with the message only."""
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class UnknownGame(FairdealError):
    """The error for a game name that is not installed. `near` are similar names, and `known` all installed names.

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
    """The error for an installed game that cannot be used. `reason` is a one-line explanation."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"the game {name} is broken: {reason}")


class BadOption(FairdealError):
    """The error for an option that does not exist or has a value that is not allowed. The message is `told`, which is
    worded for people who do not know the names in code. `coded` is the message with these names.

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
    """The error for a position that cannot be read. `path` is the place in the JSON, such as `hands[0][3]`.

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
    """The error for a move that the rules do not allow. `clause` is the id of the clause that forbids it, or "".

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
    """The error for a log that cannot be read or does not verify. `line` is the number of the line, from 1, and `check`
    the name of the check that failed (docs/security.md).

    >>> raise BadLog(3, "this is not a move")
    Traceback (most recent call last):
    BadLog: line 3: this is not a move
    """

    def __init__(self, line: int, reason: str, check: str = "log") -> None:
        self.line = line
        self.reason = reason
        self.check = check
        super().__init__(f"line {line}: {reason}")


class NotReplayable(BadLog):
    """The error for a log that can be read but not replayed, because its game or the version of its rules is not
    installed."""


class BadCase(FairdealError):
    """The error for a case file that cannot be read."""


class BadLesson(FairdealError):
    """The error for a lesson that cannot be read or run. `file` is its file, and `step` the number of the step, from 1
    (0 for the head)."""

    def __init__(self, file: str, step: int, reason: str) -> None:
        self.file = file
        self.step = step
        self.reason = reason
        super().__init__(f"{file}, step {step}: {reason}" if step else f"{file}: {reason}")


OURS = Path(__file__).parents[1]
"""The folder of the package fairdeal."""

PLACE = re.compile(r'File "([^"]+)", line (\d+)')
DULL = re.compile(r"Failed in |During: |No implementation of function|There are \d+ candidate|\s|$")
"""Prefixes of lines that are omitted from a Numba error."""

LIBRARIES = {"llvmlite", "msgspec", "numba", "numpy", "yaml"}
"""Packages that are skipped in a search for the code that caused an error."""

LONGEST_REASON = 240
"""Maximum number of characters of an exception's message in one line."""


def in_a_line(problem: BaseException) -> str:
    """Format an exception in one line: its type, its message, and the last place in the traceback outside of fairdeal
    and Python."""
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
    """Return whether a file belongs neither to fairdeal itself nor to Python or its libraries."""
    path = Path(file).absolute()
    if path.is_relative_to(OURS):
        return path.is_relative_to(OURS / "games")
    for folder in {"site-packages", "dist-packages"} & {*path.parts}:
        return path.parts[path.parts.index(folder) + 1] not in LIBRARIES
    return not file.startswith("<") and not path.is_relative_to(Path(traceback.__file__).parent)


def missing(what: str, extra: str) -> FairdealError:
    """Return an error that states why a missing library is needed and which command installs it."""
    with_uv, with_pip = f"uv sync --inexact --extra {extra}", f'python -m pip install ".[{extra}]"'
    return FairdealError(f"{what}: in a clone of fairdeal, run {with_uv}, or {with_pip}")
