"""Options of a game as parameters that have one type each: numbers, truths and words.

| an option that takes | is |
|---|---|
| a number, on or off, or a word | the same |
| a number or a word | a number, -1 for the word |
| a list | its numbers in brackets with spaces between them, `[2 0]` |
| a file | the path of the file, "" for the usual one |
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec.structs import FieldInfo

from fairdeal.engine.options import Options, option_fields, part_of, read_file

Parameter = int | bool | str

NUMBER_OF_WORD = -1
"""What stands for the word, where numbers are taken too."""


def defaults_of(kind: type[Options]) -> dict[str, Parameter]:
    """Every option of a schema with its default."""
    return {name: written(field) for name, field in option_fields(kind).items()}


def options_of(kind: type[Options], given: Mapping[str, Parameter]) -> dict[str, object]:
    """The options that parameters say. Raises BadOption."""
    return {name: read(kind, name, value) for name, value in given.items()}


def written(field: FieldInfo) -> Parameter:
    """The default of an option as a parameter."""
    value: Any = field.default
    if part_of(field.type):
        return ""
    if isinstance(value, tuple):
        return f"[{' '.join(map(str, value))}]"
    return NUMBER_OF_WORD if value == word_of(field.type) else value


def read(kind: type[Options], name: str, value: Parameter) -> object:
    """The value of an option that a parameter says."""
    hint = option_fields(kind)[name].type if name in option_fields(kind) else None
    if hint is None:
        return value
    if part_of(hint):
        return read_file(kind, name, Path(str(value)))
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        words = value[1:-1].split()
        return [int(word) if word.isdecimal() else word for word in words]
    return (word_of(hint) or value) if value == NUMBER_OF_WORD else value


def word_of(hint: Any) -> str:
    """The word that an option takes in the place of a number; "" for an option that takes no such word."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) not in (Union, UnionType):
        return ""
    return next((str(get_args(part)[0]) for part in get_args(hint) if get_origin(part) is Literal), "")
