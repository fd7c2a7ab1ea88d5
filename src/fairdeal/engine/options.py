"""Options of a game: a frozen schema with defaults and limits, read from user input and written into states.

A game declares a subclass of `Options` whose fields carry their limits and clause ids as `msgspec.Meta`. Validation,
the form for a new table, the documentation and the numbers in the record all come from that declaration. A value that
is too big for a field of a form, such as a game's cards, is a `Part`, which people supply as a file.
"""

from __future__ import annotations

import difflib
import functools
import re
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np

from fairdeal.engine.errors import BadOption, FairdealError
from fairdeal.engine.files import read_text
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.records import Record, i1, i2, i4, record


class Bounds(NamedTuple):
    """Limits that no game exceeds: the number of actions, 0 if no limit is known, and the lowest and the highest final
    score of a seat."""

    actions: int
    lowest: float
    highest: float


class Options(Frozen, kw_only=True, forbid_unknown_fields=True):
    """The options of a table, with their defaults and limits. A game declares a subclass; every game has the option
    `players`.

    >>> from typing import Annotated
    >>> class FishOptions(Options, kw_only=True):
    ...     players: Annotated[int, about("Number of players.", "FISH-01", ge=2, le=6)] = 4
    ...     lucky: Annotated[bool, about("A lucky draw gives another turn.", "FISH-13")] = True
    >>> FishOptions(players=2).lucky
    True
    """

    players: int

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        """Return the options implied by the given ones; options given explicitly take precedence."""
        return {}

    def conflict(self) -> tuple[str, str] | None:
        """Return the name of an option that conflicts with the others, and the reason; None if there is no conflict. By
        default, this checks that the values of options marked as seats (`about(..., seat=True)`) are seats of the
        table."""
        for name, field in option_fields(type(self)).items():
            value = getattr(self, field.name)
            if name != "players" and type(value) is int and value >= self.players and notes_of(field).get("seat"):
                return name, f"there are the seats 0 to {self.players - 1}"
        return None

    def bounds(self) -> Bounds | None:
        """Return limits for all games with these options, or None if none are known."""
        return None


class Part(Frozen, forbid_unknown_fields=True, dict=True, weakref=True):
    """The value of an option that is given as a file. A part is a structure that reads itself, checks itself in
    `__post_init__` and writes itself into the record of its option, whose type is `store`.

    >>> class Cards(Part):
    ...     ranks: list[str]
    >>> Cards.read('{"ranks": ["ace", "king"]}')
    Cards(ranks=['ace', 'king'])
    """

    store: ClassVar[Any] = None

    @classmethod
    def read(cls, value: object) -> Part:
        """Return a part from its text, which is JSON by default, or from its data. Raises ValueError, or an error of
        msgspec, if it cannot be read."""
        return msgspec.convert(msgspec.json.decode(value) if isinstance(value, str) else value, cls, strict=True)

    def write_into(self, record: Record) -> None:
        """Write the value into its part of the options' record."""
        raise NotImplementedError


LONGEST_PART = 24_576
"""Maximum number of characters in the text of a part: the limit of the network protocol."""

DEEPEST = 20
"""Maximum depth of nested brackets in a text, or maximum number of parts in a dotted name."""

TOKEN = re.compile(
    r"""
    "{3} (?: \\. | [^\\] )*? (?: "{3} | \Z )   # what is quoted, to its end or that of the text
    | '{3} .*? (?: '{3} | \Z )
    | " (?: \\. | [^"\\\n] )* "?              # or to the end of the line
    | ' [^'\n]* '?
    | \# [^\n]*
    | [\[{\]}.=,\n]
    """,
    re.DOTALL | re.VERBOSE,
)
"""The tokens of JSON and TOML that open, close, separate or quote values."""


def check_depth(text: str) -> None:
    """Raise FairdealError if a JSON or TOML text is nested too deeply to be parsed quickly. Each character is read only
    once."""
    depth = dots = 0
    for token in TOKEN.findall(text):
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        if token == ".":
            dots += 1
        elif token[0] not in "\"'":  # quotes may be part of a dotted name
            dots = 0
        if max(depth, dots) > DEEPEST:
            raise FairdealError(f"it is nested more than {DEEPEST} levels deep")


class Preset(dict[str, object]):
    """Options that are set together under a name, with a title for people and a sentence that describes their effect to
    players. `minutes` are those that a game by these rules takes, if they differ from those of the usual rules.

    >>> short = Preset("Short", "Four stacks end the game.", stacks_to_end=4)
    >>> short.title, dict(short)
    ('Short', {'stacks_to_end': 4})
    """

    def __init__(self, title: str, text: str, /, *, minutes: tuple[int, int] | None = None, **options: object) -> None:
        super().__init__(options)
        self.title, self.text, self.minutes = title, text, minutes


def about(description: str, clauses: str, label: str = "", *, seat: bool = False, **limits: Any) -> msgspec.Meta:
    """Return the description of an option: a sentence, clause ids, and a label for the form. `seat` marks an option
    whose value is a seat. Limits are msgspec's, such as `ge=1` and `le=8`.

    >>> about("Number of stacks that end the game.", "CHI-60", "Stacks to end", ge=4, le=8).title
    'Stacks to end'
    """
    facts: dict[str, Any] = {"clauses": clauses.split()} | ({"seat": True} if seat else {})
    return msgspec.Meta(title=label or None, description=description, extra_json_schema=facts, **limits)


def called(words: Mapping[str, str] | None = None, /, **more: str) -> msgspec.Meta:
    """Return labels for the words that an option can have as values. In the annotation, they follow `about`.

    >>> called(row="from the row", row_or_deck="from the row or the deck").extra_json_schema["words"]["row"]
    'from the row'
    """
    return msgspec.Meta(extra_json_schema={"words": dict(words or {}) | more})


def label_of(field: msgspec.structs.FieldInfo) -> str:
    """Return the label of an option."""
    return about_of(field).title or field.encode_name.replace("_", " ").capitalize()


def choices_of(field: msgspec.structs.FieldInfo) -> list[object]:
    """Return all values of a Boolean option, or of one that takes only words. Return an empty list for other
    options."""
    hint = get_args(field.type)[0] if get_origin(field.type) is Annotated else field.type
    if hint is bool:
        return [True, False]
    return [*get_args(hint)] if get_origin(hint) is Literal else []


def said(field: msgspec.structs.FieldInfo, value: object) -> str:
    """Return a value of an option in words, such as `from the row`, `on` or `seat 2`."""
    facts = notes_of(field)
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int) and facts.get("seat"):
        return f"seat {value + 1}"
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value) or "none"
    return str(facts.get("words", {}).get(value, value)) if isinstance(value, str) else str(value)


def refused(field: msgspec.structs.FieldInfo, value: object, reason: str, words: str = "") -> BadOption:
    """Return the error for an invalid value of an option. Its message for programs contains the option, the value and
    `reason`; its message for people gives `words` as the reason (default: `reason`)."""
    plain = re.sub(r" \[[A-Z0-9 -]+\]$", "", words or reason)
    told = f"{label_of(field)}: “{said(field, value)}” is not possible. {plain[0].upper()}{plain[1:]}."
    return BadOption(field.encode_name, value, reason, told)


def about_of(field: msgspec.structs.FieldInfo) -> msgspec.Meta:
    """Return the metadata of an option's field."""
    meta: msgspec.Meta = field.type.__metadata__[0]
    return meta


def notes_of(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    """Return the notes on an option: its clauses, the wording of its values, and whether its value is a seat."""
    return {name: fact for meta in field.type.__metadata__ for name, fact in (meta.extra_json_schema or {}).items()}


@functools.cache
def option_fields(kind: type[Options]) -> dict[str, msgspec.structs.FieldInfo]:
    """Return the fields of a schema by their public names (`raise` for the attribute `raise_`)."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def read_options(kind: type[Options], given: Mapping[str, object]) -> Options:
    """Check the given values and add the defaults of the others. Raises BadOption with the name of the option and the
    values that it takes."""
    fields = option_fields(kind)
    values: dict[str, object] = {}
    for name, value in (kind.implied(given) | dict(given)).items():
        if name not in fields:
            near = difflib.get_close_matches(str(name), fields, n=2)
            known = f"did you mean {' or '.join(near)}?" if near else f"the options are {', '.join(fields)}"
            raise BadOption(name, value, f"there is no such option; {known}")
        hint = fields[name].type
        part = part_of(hint)
        if part:
            values[fields[name].name] = read_part(part, name, value)
            continue
        try:
            values[fields[name].name] = msgspec.convert(value, hint, strict=True)
        except (msgspec.ValidationError, UnicodeEncodeError):
            words = f"it takes {allowed(hint, fields[name])}"
            raise refused(fields[name], value, f"it takes {allowed(hint)}", words) from None
    options = kind(**values)  # type: ignore[arg-type]
    conflict = options.conflict()
    if conflict:
        name, reason = conflict
        raise refused(fields[name], as_dict(options)[name], reason)
    return options


def part_of(hint: Any) -> type[Part] | None:
    """Return the `Part` class of a field, or None."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return hint if isinstance(hint, type) and issubclass(hint, Part) else None


def read_part(kind: type[Part], name: str, value: object, source: str = "…") -> Part:
    """Return a part, given as an instance, as its data, or as its text. Raises BadOption, which shows `source` instead
    of the long value."""
    if isinstance(value, kind):
        return value
    try:
        if isinstance(value, str):
            if len(value) > LONGEST_PART:
                raise ValueError(f"it can have at most {LONGEST_PART} characters")
            check_depth(value)
        return kind.read(value)
    except (ValueError, msgspec.MsgspecError, RecursionError) as problem:
        raise unusable(name, source, str(problem) or type(problem).__name__) from None


def unusable(name: str, source: str, reason: str) -> BadOption:
    """Return the error for a part that cannot be used."""
    return BadOption(name, source, reason, f"{name.capitalize()} {source}: {reason}")


def read_file(kind: type[Options], name: str, path: Path) -> Part:
    """Return the value of an option, read from a file. Raises BadOption if the file cannot be read."""
    fields = option_fields(kind)
    part = part_of(fields[name].type) if name in fields else None
    if part is None:
        raise BadOption(name, str(path), "this game does not take such a file")
    try:
        text = read_text(path)
    except OSError as problem:
        raise unusable(name, str(path), f"the file cannot be read: {problem.strerror}") from None
    except FairdealError:
        raise unusable(name, str(path), "the file cannot be read: it is not a text file") from None
    return read_part(part, name, text, str(path))


def schema_of(kind: type[Options]) -> dict[str, Any]:
    """Return the JSON schema of the options. A part is described only as a `file`."""
    schema = msgspec.json.schema(kind)
    properties = schema["$defs"][kind.__name__]["properties"]
    for name, field in option_fields(kind).items():
        part = part_of(field.type)
        if part:
            meta = about_of(field)
            properties[name] = {"type": "object", "format": "file", "description": meta.description}
            properties[name] |= notes_of(field)
    wanted = {kind.__name__}
    schema["$defs"] = {name: inside for name, inside in schema["$defs"].items() if name in wanted}
    return schema


def as_dict(options: Options) -> dict[str, object]:
    """Return all options by their public names."""
    plain: dict[str, object] = msgspec.to_builtins(options)
    return plain


def allowed(hint: Any, field: msgspec.structs.FieldInfo | None = None) -> str:
    """Return a description of the values that a field takes, such as `true or false`, `a number from 3 to 10`, or
    `random or a number from 0 to 5`. If `field` is given, use words for people, such as `on or off`, or `drawn by lot
    or a seat from 1 to 6`."""
    limits: list[msgspec.Meta] = []
    if part_of(hint):
        return "a file"
    if get_origin(hint) is Annotated:
        limits = [part for part in hint.__metadata__ if isinstance(part, msgspec.Meta)]
        hint = get_args(hint)[0]
    if get_origin(hint) is Literal:
        return " or ".join(said(field, value) if field else value for value in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(allowed(part, field) for part in get_args(hint))
    if hint is bool:
        return "on or off" if field else "true or false"
    if get_origin(hint) is tuple:
        kinds = get_args(hint)
        return f"a list, each {allowed(kinds[0])}" if kinds[-1] is ... else f"a list of {len(kinds)} numbers"
    lowest = next((limit.ge for limit in limits if limit.ge is not None), None)
    highest = next((limit.le for limit in limits if limit.le is not None), None)
    multiple = next((limit.multiple_of for limit in limits if limit.multiple_of is not None), None)
    kind = "an even number" if multiple == 2 else "a number"
    if field and notes_of(field).get("seat") and lowest is not None and highest is not None:
        return f"a seat from {lowest + 1} to {highest + 1}"
    if lowest is not None and lowest == highest:
        return str(lowest)
    return f"{kind} from {lowest} to {highest}" if lowest is not None else kind


def encoded(value: object, hint: Any) -> int:
    """Return the number that stands for a value in a record. A word is represented by its index among the allowed
    words, or by -1 if the field also takes numbers."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if isinstance(value, str):
        return get_args(hint).index(value) if get_origin(hint) is Literal else -1
    assert isinstance(value, int)
    return int(value)


def codes_of(hint: Any) -> dict[str, int]:
    """Return the numbers that stand for the words that a field takes in a record."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    return {word: encoded(word, hint) for word in words}


def option_number(kind: type[Options], **word: str) -> int:
    """Return the number that stands for a word of an option in records.

    >>> option_number(type(load("chi").options), draw_source="row_or_deck")
    1
    """
    ((name, value),) = word.items()
    return codes_of(get_type_hints(kind, include_extras=True)[name])[value]


def option_words(kind: type[Options], name: str) -> tuple[str, ...]:
    """Return the words of an option, in the order of the numbers that stand for them in records.

    >>> option_words(type(load("chi").options), "draw_source")
    ('row', 'row_or_deck')
    """
    return tuple(codes_of(get_type_hints(kind, include_extras=True)[name]))


def options_record(kind: type[Options], first: Iterable[str] = ()) -> np.dtype[Any]:
    """Return the record type for the values of options: numbers as wide as the option's limits require, or a part. The
    options named in `first` come before the others. `players` is omitted, because every state has that field.

    >>> from typing import Annotated
    >>> class FishOptions(Options, kw_only=True):
    ...     lucky: Annotated[bool, about("A lucky draw gives another turn.", "FISH-13")] = True
    >>> options_record(FishOptions).names
    ('lucky',)
    """
    types = {field.name: field.type for field in option_fields(kind).values() if field.name != "players"}
    return record(**{name: width_of(types[name]) for name in (*first, *types) if name in types})


def width_of(hint: Any, highest: int = 1, length: int = 0) -> Any:
    """Return the type of the record field that can hold the values of a schema's field. Numbers are at most `highest`,
    and lists of any length have at most `length` items."""
    if get_origin(hint) is Annotated:
        limits = [meta.le for meta in hint.__metadata__ if meta.le is not None]
        lengths = [meta.max_length for meta in hint.__metadata__ if meta.max_length is not None]
        return width_of(get_args(hint)[0], max([highest, *limits]), max([length, *lengths]))
    part = part_of(hint)
    if part:
        return part.store
    if get_origin(hint) is tuple:
        kinds = [kind for kind in get_args(hint) if kind is not ...]
        return max(map(width_of, kinds)), length or len(kinds)
    if get_origin(hint) in (Union, types.UnionType):
        return max(map(width_of, get_args(hint)))
    return i1 if highest < 1 << 7 else i2 if highest < 1 << 15 else i4


def write_options(options: Options, state: Record) -> None:
    """Write options into a state's record."""
    state.players = options.players
    names = state.options.dtype.names
    for field in option_fields(type(options)).values():
        value = getattr(options, field.name)
        if isinstance(value, Part):
            value.write_into(state.options[field.name])
        elif isinstance(value, tuple):
            state.options[field.name][: len(value)] = value
        elif field.name in names:
            state.options[field.name] = encoded(value, field.type)


def changed(options: Options) -> dict[str, object]:
    """Return the options that a position or a log must contain: the number of players, and all options that differ from
    the defaults or from the values that other options imply."""
    kind, values = type(options), as_dict(options)
    default = as_dict(read_options(kind, {"players": options.players}))
    found = {name: value for name, value in values.items() if name == "players" or value != default[name]}
    against = {name for name, value in kind.implied(found).items() if values[name] != value}
    return {name: value for name, value in values.items() if name in found or name in against}


def parse_value(text: str) -> object:
    """Return a value typed on a command line: decoded as JSON if possible, else as a word."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
