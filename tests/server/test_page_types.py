"""The types of the browser pages, and the module that the room makes for them.

web/protocol.d.ts is made from the structs that a room sends and takes. After a change of such a struct write it anew:
`python -m tools.renew types`.
"""

import json
import re
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import inspect

from fairdeal.protocol import bodies, messages, staging
from fairdeal.protocol.pages import ASKED, SENT, names_of, shape_of, structs_in
from fairdeal.server.api.http import ROUTES
from fairdeal.server.static_files import WEB
from fairdeal.table import verdict
from tests.server.test_sources import ours

FILE, DECODER = WEB / "protocol.d.ts", WEB / "kit" / "decoded.js"

HEAD = """\
// What a room sends and takes, made from its structs by `python -m tools.renew types`.

"""

NAMED = {"Requests": messages.Requests, "Messages": messages.Messages}
"""The unions that pages name."""

LIMITS = ["quiet", "answer", "waits"]
"""The limits by which clients judge the connection, as types with a single value: tsc compares those of the page."""

BODIES = [*dict.fromkeys(one.taken for one in ROUTES if one.taken)]

IN_JSON = {
    f"{one.method} {re.sub('{[^}]*}', '*', one.path)}": one for one in ROUTES if one.media == ("application/json",)
}
"""The requests that are answered in JSON."""

ELSEWHERE = {
    *("POST /api/me/words", "GET /api/me/data", "GET /api/me/history", "GET /api/games/*/rules"),
    *(
        "GET /api/key",
        "GET /api/today",
        "GET /api/evenings/*",
        "GET /api/live",
        "GET /api/ready",
        "GET /api/openapi.json",
    ),
    "GET /modules/*.json",
}
"""Those that pages do not read with the decoder: programs do, and people, and the room makes documents of them."""

MODULE = """\
/** A type, as the decoder reads it: `unknown`, `boolean`, `whole`, `number`, `string`, the name of a shape, or one of
 * `['maybe', T]`, `['list', T]`, `['tuple', T, ...]`, `['record', T]`, `['one', value, ...]`,
 * `['whole', lowest, highest]`, `['either', T, ...]` and `['tagged', field, shape, ...]`. */
export type ReadAs = string | [string, ...unknown[]];

/** The patterns of the ids of tables, and of keys. */
export const TABLE_ID: string;
export const KEY: string;

/** All messages of a room; what it sends, by name; and its answers, by method and address. A field has a name, a type,
 * and a default if it may be left out. */
export const MESSAGES: ReadAs;
export const SHAPES: Record<string, [string, ReadAs, unknown?][]>;
export const ANSWERS: Record<string, ReadAs>;

/** The sentences of each check: if it holds, and by the reasons for which it is broken or unknown. */
export const CHECKS: Record<
  CHECK_NAMES,
  { holds: string; broken: Record<string, string>; unknown: Record<string, string> }
>;

/** The speeds of a table, as factors of its durations. */
export const SPEEDS: Record<SPEED_NAMES, number>;

/** The stages of each course: name, duration at normal and at instant speed in milliseconds, and whether it takes no
 * longer at slow speed. */
export const COURSES: Record<COURSE_NAMES, [string, number, number, boolean][]>;

/** The opponents whose portrait says how strong they are, the weakest first; and bots that play like another one at
 * their table, in the order in which they sit down. */
export const FACES: string[];
export const OTHERS: string[];

/** The fewest seats whose points are counted at the same time. */
export const MANY: number;

/** More cards at once are a deal, not a move, and are not marked. */
export const DEAL: number;
"""
"""The declarations of the module that the room makes (protocol/pages.py)."""

SIMPLE = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.FloatType: "number",
    inspect.IntType: "number",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}


class Types:
    """The types of TypeScript for those of Python, and the structs that they mention."""

    def __init__(self, roots):
        self.structs = structs_in(roots)
        self.names = names_of(self.structs)

    def of(self, found):
        """Return the type of TypeScript for one of msgspec."""
        match found:
            case inspect.StructType() | inspect.DataclassType():
                return self.names[found.cls]
            case inspect.UnionType():
                return " | ".join(map(self.of, found.types))
            case inspect.LiteralType():
                return " | ".join(f"'{value}'" for value in found.values)
            case inspect.DictType():
                return f"Record<{self.of(found.key_type)}, {self.of(found.value_type)}>"
            case inspect.TupleType():
                return f"[{', '.join(map(self.of, found.item_types))}]"
            case inspect.ListType() | inspect.VarTupleType():
                item = self.of(found.item_type)
                return f"({item})[]" if " | " in item and item[-1] not in ">]" else f"{item}[]"
        return SIMPLE[type(found)]

    def interface(self, struct, is_taken=False):
        """Return the interface of a struct. In what a room takes, a field with a default is optional. In what it sends,
        the decoder of the page adds the default."""
        is_struct = isinstance(struct, inspect.StructType)
        optional = is_taken and (struct.cls.__struct_config__.omit_defaults or struct.forbid_unknown_fields)
        lines = [f"  {struct.tag_field}: '{struct.tag}';"] if is_struct and struct.tag_field else []
        for field in struct.fields:
            mark = "?" if optional and not field.required else ""
            lines.append(f"  {field.encode_name}{mark}: {self.of(field.type)};")
        return "\n".join([f"export interface {self.names[struct.cls]} {{", *lines, "}"])


def answers(types):
    """Return the type of an answer by method and address; the longest address is looked for first."""

    def case(one):
        path = re.sub(r"\{\w+\}", "${string}", one.path)
        asked = [f"`{one.method} {path}`", f"`{one.method} {path}?${{string}}`"][: 2 if one.parameters else 1]
        (given,) = inspect.multi_type_info([one.given])
        return f"  Asked extends {' | '.join(asked)} ? {types.of(given)} :"

    longest = sorted((IN_JSON[asked] for asked in ASKED), key=lambda one: -one.path.count("/"))
    return "\n".join(["export type AnswerTo<Asked extends string> =", *map(case, longest), "  unknown;"])


def taken():
    """Return the structs that a room takes."""
    return Types([messages.Requests, *BODIES]).structs


def every_type():
    return Types([*NAMED.values(), *BODIES, *(one.given for one in ROUTES), bodies.Problem])


def written():
    """Return what the file has to say."""
    types = every_type()
    unions = []
    for name, union in NAMED.items():
        (found,) = inspect.multi_type_info([union])
        unions.append(f"export type {name} =\n  | " + "\n  | ".join(map(types.of, found.types)) + ";")
    by_guests = taken()
    interfaces = [types.interface(struct, cls in by_guests) for cls, struct in types.structs.items()]
    limits = [f"  {name}: {getattr(messages, name.upper())};" for name in LIMITS]
    unions.append("\n".join(["export interface Limits {", *limits, "}"]))
    module = MODULE
    for name, values in (("CHECK", verdict.CHECKS), ("SPEED", staging.SPEEDS), ("COURSE", staging.COURSES)):
        module = module.replace(f"{name}_NAMES", " | ".join(f"'{value}'" for value in values))
    return HEAD + "\n\n".join([*interfaces, *unions, answers(types), module])


def test_the_types_of_the_pages_are_those_of_the_structs():
    assert FILE.read_text("utf-8") == written()


def test_pages_read_the_answers_as_the_room_gives_them():
    assert {asked: IN_JSON[asked].given for asked in ASKED} == ASKED
    assert {*IN_JSON} - {*ASKED} == ELSEWHERE


def test_the_names_of_what_a_room_sends_are_those_of_the_types():
    names = names_of(structs_in([messages.Requests, *SENT]))
    assert names.items() <= every_type().names.items()


def test_the_page_checks_what_structs_check_beside_their_types():
    text = DECODER.read_text("utf-8")
    checks = text.partition("const CHECKS = {")[2].partition("\n};")[0]
    checked = {cls.__name__ for cls in structs_in(SENT) if hasattr(cls, "__post_init__")}
    assert checked == set(re.findall(r"^  (\w+)[(:]", checks, re.MULTILINE)) == {"Facts", "Deal"}


class Inner(msgspec.Struct):
    number: int


class Sent(msgspec.Struct, omit_defaults=True, tag="sent", tag_field="kind"):
    text: str
    inner: Inner | None = None
    way: tuple[int, str] | None = None
    many: tuple[int | str, ...] = ()
    name: str = msgspec.field(default="", name="as")


class Whole(msgspec.Struct):
    by: dict[str, Inner] = {}


class Taken(msgspec.Struct, forbid_unknown_fields=True):
    seat: int | None = None


@pytest.mark.parametrize(
    ("struct", "is_taken", "lines"),
    [
        (
            Sent,
            False,
            [
                "kind: 'sent';",
                "text: string;",
                "inner: Inner | null;",
                "way: [number, string] | null;",
                "many: (number | string)[];",
                "as: string;",
            ],
        ),
        (Whole, True, ["by: Record<string, Inner>;"]),
        (Taken, False, ["seat: number | null;"]),
        (Taken, True, ["seat?: number | null;"]),
    ],
)
def test_a_field_with_a_default_is_optional_where_a_page_may_leave_it_out(struct, is_taken, lines):
    types = Types([struct])
    found = types.interface(types.structs[struct], is_taken).splitlines()
    assert found == [f"export interface {struct.__name__} {{", *(f"  {line}" for line in lines), "}"]


class Defaults(msgspec.Struct, omit_defaults=True):
    must: int
    number: float = 0.0
    seat: int = -1
    is_seen: bool = False
    is_open: bool = True
    size: Literal["", "large"] = ""
    mode: Literal["live", "over"] = "live"
    cards: tuple[str, ...] = ()
    by: dict[str, int] = {}
    nobody: Inner | None = None


def test_the_decoder_is_given_the_defaults():
    types = Types([Defaults])
    assert shape_of(types.structs[Defaults], types.names) == [
        ["must", "whole"],
        ["number", "number", 0.0],
        ["seat", "whole", -1],
        ["is_seen", "boolean", False],
        ["is_open", "boolean", True],
        ["size", ["one", "", "large"], ""],
        ["mode", ["one", "live", "over"], "live"],
        ["cards", ["list", "string"], ()],
        ["by", ["record", "whole"], {}],
        ["nobody", ["maybe", "Inner"], None],
    ]


def limited(found):
    """Yield the parts of a type whose values have limits of which the decoder knows nothing."""
    limits = ("ge", "le", "gt", "lt", "multiple_of", "pattern", "min_length", "max_length")
    is_range = isinstance(found, inspect.IntType) and None not in (found.ge, found.le)
    if not is_range and any(getattr(found, name, None) is not None for name in limits):
        yield found
    for name in ("types", "key_type", "value_type", "item_types", "item_type"):
        part = getattr(found, name, ())
        for one in part if isinstance(part, tuple) else [part]:
            yield from limited(one)


def test_what_a_room_sends_has_no_limits_that_pages_do_not_know():
    fields = [field.type for struct in structs_in(SENT).values() for field in struct.fields]
    assert [one for field in fields for one in limited(field)] == []
    short = inspect.type_info(list[Annotated[str, msgspec.Meta(max_length=3)]])
    assert len(list(limited(short))) == 1


def types_in(text):
    """Yield the types that comments of a page name, in braces, each as one line."""
    for comment in re.findall(r"/\*\*(.*?)\*/", text, re.DOTALL):
        line = re.sub(r"\n\s*\*", "", comment)
        depth, start = 0, 0
        for at, sign in enumerate(line):
            if sign == "{":
                start = at if depth == 0 else start
                depth += 1
            elif sign == "}":
                depth -= 1
                if depth == 0:
                    yield line[start : at + 1]


def loose(text):
    """Return the types of a page that allow anything, and what silences the checker."""
    return [one for one in types_in(text) if re.search(r"\bany\b|\*", one)] + re.findall(r"@ts-\w+", text)


def test_no_page_has_a_type_that_allows_anything():
    pages = {path.name: path.read_text("utf-8") for path in ours("js")}
    assert sum(len(list(types_in(text))) for text in pages.values()) > 1000
    assert {name: loose(text) for name, text in pages.items() if loose(text)} == {}
    declared = [*WEB.glob("*.d.ts"), WEB / "vendor" / "htm-preact.d.ts"]
    assert len(declared) == 3
    assert [path.name for path in declared if re.search(r"(?<!')\bany\b", path.read_text("utf-8"))] == []


def test_the_types_of_the_pages_are_checked_strictly():
    options = json.loads((WEB / "jsconfig.json").read_text("utf-8"))["compilerOptions"]
    assert options["checkJs"]
    assert options["strict"]
    assert not {"noImplicitAny", "skipLibCheck"} & options.keys()


@pytest.mark.parametrize(
    "text",
    [
        "/** @type {any} */",
        "/** @param {{ name: string,\n *   cards: Record<string, any> }} props any */",
        "/** @type {*} */",
        "// @ts-ignore",
    ],
)
def test_a_type_that_allows_anything_is_found(text):
    assert len(loose(text)) == 1
    assert loose("/** Any key ends it, and any tap. @param {string} many */") == []
