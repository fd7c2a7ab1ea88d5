"""The specifications of the games, split into clauses for the terminal, the browser and the tests."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_text

CLAUSE = re.compile(r"^- ([A-Z][A-Z0-9]*-\d+)(?: \[([RAX])\])?(.*?)(?=^- |^#|^\s*$)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^### (.*?) *(?:\[([RAX])\])?$", re.MULTILINE)


@dataclass(frozen=True)
class Clause:
    """A numbered clause: its id, its mark (R: printed rule, A: our own ruling, X: specific to this edition), its text
    and its heading."""

    id: str
    mark: str
    text: str
    heading: str = ""


@cache
def specification(name: str) -> str:
    """Return the Markdown text of a specification: a page of docs/rules, which is also part of the installed package,
    or a file in a game's own package, `go_fish:rules.md`. Raises FairdealError if there is no such page or file."""
    package, _, file = name.rpartition(":")
    if package:
        return read_text(files(package) / file)
    packaged = files("fairdeal") / "rulebook" / f"{name}.md"
    if packaged.is_file():
        return read_text(packaged)
    beside = Path(__file__).parents[3] / "docs" / "rules" / f"{name}.md"
    if beside.is_file():
        return read_text(beside)
    raise FairdealError(f"there is no specification called {name!r}")


@cache
def clauses(name: str, prefix: str) -> tuple[Clause, ...]:
    """Return all clauses of a specification whose ids begin with one of the prefixes, in order. Prefixes are separated
    by spaces. A clause without a mark has the mark of its heading."""
    beginnings = tuple(f"{word}-" for word in prefix.split())
    text = specification(name)
    found = []
    for match in CLAUSE.finditer(text):
        if match[1].startswith(beginnings):
            headings = [head.groups() for head in HEADING.finditer(text, 0, match.start())]
            heading, mark = headings[-1] if headings else ("", None)
            found.append(Clause(match[1], match[2] or mark or "R", " ".join(match[3].split()), heading))
    return tuple(found)


def clause(name: str, clause_id: str) -> Clause:
    """Return one clause. Raises FairdealError if no clause has that id."""
    prefix = clause_id.split("-")[0]
    for found in clauses(name, prefix):
        if found.id == clause_id:
            return found
    raise FairdealError(f"{name} has no clause {clause_id!r}")
