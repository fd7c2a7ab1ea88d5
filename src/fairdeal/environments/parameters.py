"""Conversion between the options of a game and parameters that are numbers, booleans or strings.

| Type of the option | Parameter |
|---|---|
| number, boolean or word | the same value |
| number or word | number, with -1 for the word |
| list | string with the numbers in brackets, separated by spaces: `[2 0]` |
| file | path of the file, or an empty string for the default |
"""

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec.structs import FieldInfo

from fairdeal.engine.options import Options, option_fields, part_of, read_file

Parameter = int | bool | str

NUMBER_OF_WORD = -1
"""Number that stands for the word, in an option whose value is a number or a word."""


def defaults_of(kind: type[Options], preset: Mapping[str, object] | None = None) -> dict[str, Parameter]:
    """Return all options of a schema as parameters: those of a preset, and the defaults of all others."""
    fields, given = option_fields(kind), preset or {}
    return {name: parameter_of(field, given.get(name, field.default)) for name, field in fields.items()}


def options_of(kind: type[Options], given: Mapping[str, Parameter]) -> dict[str, object]:
    """Return the options given as parameters. Raises BadOption if a value is not valid."""
    return {name: read(kind, name, value) for name, value in given.items()}


def parameter_of(field: FieldInfo, value: Any) -> Parameter:
    """Return the value of an option as a parameter."""
    if part_of(field.type):
        return ""
    if isinstance(value, tuple):
        return f"[{' '.join(map(str, value))}]"
    return NUMBER_OF_WORD if value == word_of(field.type) else value


def read(kind: type[Options], name: str, value: Parameter) -> object:
    """Return the value of an option given as a parameter."""
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
    """Return the word that an option accepts instead of a number, or an empty string if it accepts none."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) not in (Union, UnionType):
        return ""
    return next((str(get_args(part)[0]) for part in get_args(hint) if get_origin(part) is Literal), "")
