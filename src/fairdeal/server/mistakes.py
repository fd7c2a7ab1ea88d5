"""Say what is wrong in a file of settings, with the key, the line and the column.

Neither the parser of TOML nor msgspec knows where a key is. So the text is divided into statements, each the fewest
lines that the parser accepts, and the key of a statement is at its beginning.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec

from fairdeal.engine.errors import SECRET, FairdealError

KEY = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
BEGINNING = re.compile(rf"\s*(\[\[?\s*)?({KEY}(?:\s*\.\s*{KEY})*)\s*(?(1)\]|[=:])")
"""The beginning of a statement: the brackets and the name of a table, or a key, even if it is written as in YAML."""

POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

EXPECTED = re.compile(r"Expected `(\w+)(?: \| null)?`(.*?)(?:, got .*)?")
KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
BOUND = re.compile(r"(>=|<=|>) (\d+)(?:\.0)?")
BOUNDS = {">=": "of at least", "<=": "of at most", ">": "above"}

LONGEST_QUOTED = 80
"""Number of characters up to which a message quotes a key or a value."""

Names = tuple[str, ...]


class BadSetting(FairdealError):
    """Raised for a setting whose value is not possible. The message names the option of the command line, and `in_file`
    is the message about the key in a file."""

    def __init__(self, name: str, value: object, advice: str) -> None:
        given = f" {value}" if value else ""
        self.name, self.in_file = name, f"`{name}`{given}: {advice}"
        super().__init__(f"--{name}{given}: {advice}")


class Statement(NamedTuple):
    """A statement of a TOML text: where its key begins, and the key with those of its table. A comment has no names,
    and `is_whole` is False for what the parser does not accept."""

    start: int
    end: int
    key_at: int
    names: Names
    is_whole: bool


def statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a text. All that follows a mistake belongs to its statement."""
    table: Names = ()
    start = end = 0
    while end < len(text):
        end = text.find("\n", end) + 1 or len(text)
        is_whole = parses(text[start:end])
        if is_whole or end == len(text):
            found = BEGINNING.match(text, start, end)
            names = tuple(name.strip("\"'") for name in re.findall(KEY, found[2])) if found else ()
            if found and found[1]:
                table = names
            elif names:
                names = table + names
            yield Statement(start, end, found.start(2) if found else start, names, is_whole)
            start = end


def parses(text: str) -> bool:
    """Return whether a text is complete TOML."""
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    return True


def place_of(text: str, names: Sequence[str]) -> int:
    """Return the offset of a key, or of the table or list that contains it."""
    place, known = 0, 0
    for one in statements(text):
        depth = len(one.names)
        if depth > known and tuple(names[:depth]) == one.names:
            place, known = one.key_at, depth
            for name in names[depth:]:  # within an inline table
                inner = re.compile(rf"(?<![\w-])[\"']?{re.escape(name)}[\"']?\s*[.=]").search(text, place + 1, one.end)
                place = inner.start() if inner else place
    return place


def at(text: str, place: int) -> str:
    """Return a place in a text in words."""
    line = text.count("\n", 0, place) + 1
    return f"line {line}, column {place - text.rfind(chr(10), 0, place)}"


def quoted(names: Sequence[str]) -> str:
    """Return a key as a message quotes it. A key that TOML has in quotes could be anything, so it
    is not quoted."""
    path = "".join(f"[{name}]" if name.isdigit() else f".{name}" for name in names).removeprefix(".")
    return f"`{path}`" if re.fullmatch(rf"[\w.\[\]-]{{1,{LONGEST_QUOTED}}}", path) else "this key"


# --- what is not TOML ---------------------------------------------------------------------------------------


def syntax_problem(text: str, problem: str) -> str:
    """Return what is wrong in a text that is not TOML, and where. `problem` is the message of the parser."""
    position = POSITION.search(problem)
    words = POSITION.sub("", problem)
    seen: dict[Names, int] = {}
    for one in statements(text):
        if not one.is_whole:
            where = f"line {position[1]}, column {position[2]}" if position and position[1] else at(text, one.key_at)
            if twice := re.fullmatch("Duplicate inline table key '(.*)'", words):
                return f"{where}: {quoted([*one.names, twice[1]])} is given twice"
            key = f"{quoted(one.names)}: " if one.names else ""
            return f"{where}: {key}{words[:1].lower()}{words[1:]}"
        if not parses(text[: one.end]):
            before = f", and first in {at(text, seen[one.names])}" if one.names in seen else ""
            return f"{at(text, one.key_at)}: {quoted(one.names)} is given twice{before}"
        for depth in range(1, len(one.names) + 1):
            seen.setdefault(one.names[:depth], one.key_at)
    return words


# --- what is no setting, or has a wrong value ---------------------------------------------------------------


def fields_of(kind: type[msgspec.Struct], table: Names = ()) -> dict[Names, Any]:
    """Return the types of all settings of a struct and of the tables in it, by their names."""
    found: dict[Names, Any] = {}
    for name, one in get_type_hints(kind).items():
        found[*table, name] = one
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            found |= fields_of(one, (*table, name))
    return found


def check_keys(given: Mapping[str, Any], kind: type[msgspec.Struct], text: str) -> None:
    """Raise FairdealError, with the nearest setting, if a text contains a key that is not a setting."""
    known = fields_of(kind)

    def check(table: Mapping[str, Any], above: Names) -> None:
        for name, value in table.items():
            names = (*above, name)
            if names not in known:
                where = at(text, place_of(text, names))
                raise FairdealError(f"{where}: {quoted(names)} is not a setting; {hint(names, known)}")
            if isinstance(value, dict) and any(one[:-1] == names for one in known):
                check(value, names)

    check(given, ())


def hint(names: Names, known: Mapping[Names, Any]) -> str:
    """Return the question whether another setting was meant: one of the same name in another table, or one with a
    similar name, in the same table if there is one."""
    by_name: dict[str, Names] = {}
    for one in sorted(known, key=lambda one: (one[:-1] != names[:-1], len(one))):
        by_name.setdefault(one[-1], one)
    own = [one[-1] for one in known if one[:-1] == names[:-1]]
    near = [names[-1]] if names[-1] in by_name else difflib.get_close_matches(names[-1], own, 1)
    near = near or difflib.get_close_matches(names[-1], by_name, 1)
    if not near:
        return "`fairdeal room config` prints all settings"
    meant = by_name[near[0]]
    above = ", which belongs above all tables" if len(meant) == 1 < len(names) else ""
    return f"did you mean {quoted(meant)}{above}?"


def value_problem(text: str, given: Any, kind: type[msgspec.Struct], problem: str) -> str:
    """Return which setting has a wrong value, what it needs instead, and where it is. `problem` is msgspec's
    message."""
    words, _, path = problem.rstrip("`").partition(" - at `$.")
    names = re.findall(r"[^.\[\]]+", path)
    value = given
    for name in names:
        value = value[int(name)] if isinstance(value, list) else value[name]
    missing = re.fullmatch(r"Object missing required field `(\w+)`?", words)
    literals = [one for one in get_args(fields_of(kind).get(tuple(names))) if isinstance(one, str)]
    if missing:
        told = f"needs {quoted([*names, missing[1]])}, too"
    elif literals:
        told = f"must be {' or '.join(literals)}, not {shown(value)}"
    elif found := EXPECTED.fullmatch(words):
        bound = BOUND.sub(lambda one: f"{BOUNDS[one[1]]} {one[2]}", found[2])
        told = f"must be {KINDS[found[1]]}{bound}, not {shown(value)}"
    else:
        told = f"is not valid: {words[:1].lower()}{words[1:]}"
    return f"{at(text, place_of(text, names))}: {quoted(names)} {told}"


def shown(value: Any) -> str:
    """Return a value as a message quotes it. Only short ones are quoted, and no text that may contain a password."""
    if isinstance(value, bool | int | float):
        return str(value).lower()
    if isinstance(value, str) and len(value) <= LONGEST_QUOTED and not SECRET.search(value):
        return msgspec.json.encode(value).decode()
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "a table" if isinstance(value, dict) else "this text" if isinstance(value, str) else "a date or a time"
