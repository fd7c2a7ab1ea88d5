"""The types of the browser pages, and the table by which they decode.

web/protocol.d.ts is made from the structs that a room sends and takes, the end of web/kit/decoded.js from those that it
sends, and that of web/kit/speed.js from the courses of a table. After a change of such a struct or of a course write
them anew: `python -m tools.renew types`.
"""

import json
import re
from collections import defaultdict
from typing import Literal

import msgspec
import pytest
from msgspec import inspect

from fairdeal.protocol import bodies, messages, staging
from fairdeal.server.api.http import ROUTES
from fairdeal.server.static_files import WEB
from fairdeal.table import fairness
from tests.server.test_sources import ours

FILE, DECODER, SPEED = WEB / "protocol.d.ts", WEB / "kit" / "decoded.js", WEB / "kit" / "speed.js"

MARK = "// The rest is made from the structs of the room by `python -m tools.renew types`.\n"
"""The line of the decoder after which everything is made."""

STAGING = (
    "// Made from protocol/staging.py by `python -m tools.renew types`:\n",
    "// Written by hand:\n",
)
"""The lines before and after what is made in the module with the courses."""

HEAD = """\
// What a room sends and takes, made from its structs by `python -m tools.renew types`.

"""

NAMED = {"Requests": messages.Requests, "Messages": messages.Messages}
"""The unions that pages name."""

LIMITS = ["quiet", "answer", "waits"]
"""The limits by which clients judge the connection, as types with a single value: tsc compares those of the page."""

BODIES = [*dict.fromkeys(one.taken for one in ROUTES if one.taken)]

IN_JSON = [one for one in ROUTES if one.media == ("application/json",)]

SENT = [messages.Messages, *(one.given for one in IN_JSON), bodies.Problem]
"""What a room sends."""

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
        self.structs = {}
        found = self.roots = inspect.multi_type_info(roots)
        for one in found:
            self.collect(one)
        named = defaultdict(list)
        for cls in self.structs:
            named[cls.__name__].append(cls)
        self.names = {
            cls: name if len(same) == 1 else cls.__module__.rpartition(".")[2].capitalize() + name
            for name, same in named.items()
            for cls in same
        }

    def collect(self, of):
        if isinstance(of, inspect.StructType | inspect.DataclassType):
            if of.cls in self.structs:
                return
            self.structs[of.cls] = of
            inside = [field.type for field in of.fields]
        elif isinstance(of, inspect.UnionType):
            inside = of.types
        elif isinstance(of, inspect.DictType):
            inside = [of.key_type, of.value_type]
        elif isinstance(of, inspect.TupleType):
            inside = of.item_types
        else:
            inside = [of.item_type] if hasattr(of, "item_type") else []
        for one in inside:
            self.collect(one)

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

    longest = sorted(IN_JSON, key=lambda one: -one.path.count("/"))
    return "\n".join(["export type AnswerTo<Asked extends string> =", *map(case, longest), "  unknown;"])


def taken():
    """Return the structs that a room takes."""
    return Types([messages.Requests, *BODIES]).structs


def every_type():
    return Types([*NAMED.values(), *BODIES, *(one.given for one in ROUTES), bodies.Problem])


def kind_of(found, names):
    """Return a type as the decoder of the page reads it; `names` are those of the structs."""
    parts = [kind_of(one, names) for one in getattr(found, "types", getattr(found, "item_types", ()))]
    match found:
        case inspect.StructType() | inspect.DataclassType():
            return names[found.cls]
        case inspect.UnionType() if parts[-1] == "null":
            return ["maybe", *parts[:-1]] if len(parts) == 2 else ["maybe", union_of(found.types[:-1], parts[:-1])]
        case inspect.UnionType():
            return union_of(found.types, parts)
        case inspect.LiteralType():
            return ["one", *found.values]
        case inspect.DictType(key_type=inspect.StrType()):
            return ["record", kind_of(found.value_type, names)]
        case inspect.TupleType():
            return ["tuple", *parts]
        case (
            inspect.ListType(min_length=None, max_length=None) | inspect.VarTupleType(min_length=None, max_length=None)
        ):
            return ["list", kind_of(found.item_type, names)]
        case inspect.IntType(ge=int(), le=int()):
            return ["whole", found.ge, found.le]
        case inspect.IntType(ge=None, le=None):
            return "whole"
    limits = {"ge", "le", "gt", "lt", "multiple_of", "pattern", "min_length", "max_length"}
    assert not any(getattr(found, name, None) is not None for name in limits), found
    return SIMPLE[type(found)]


def union_of(types, parts):
    """Return a union, whose member follows from a tag if they are structs."""
    tags = {getattr(one, "tag_field", None) for one in types}
    return ["tagged", *tags, *parts] if tags != {None} else ["either", *parts]


ABSENT = {"boolean": False, "whole": 0, "number": 0, "string": "", "one": "", "maybe": None, "list": [], "record": {}}
"""The defaults that follow from a type."""


def shape_of(struct, names):
    """Return the fields of a struct with their types. A field ends with `?` if it may be left out, and with `=` if it
    then has another default than `ABSENT`, which is given."""
    is_struct = isinstance(struct, inspect.StructType)
    shape = {f"{struct.tag_field}=": [["one", struct.tag], struct.tag]} if is_struct and struct.tag_field else {}
    for field in struct.fields:
        kind = kind_of(field.type, names)
        default = field.default if field.default_factory is inspect.NODEFAULT else field.default_factory()
        default = None if field.required else msgspec.json.decode(msgspec.json.encode(default))
        absent = ABSENT.get(kind if isinstance(kind, str) else kind[0], ...)
        if field.required:
            shape[field.encode_name] = kind
        elif default == absent and isinstance(default, bool) == isinstance(absent, bool):
            shape[f"{field.encode_name}?"] = kind
        else:
            shape[f"{field.encode_name}="] = [kind, default]
    return shape


def table():
    """Return what the decoder has to know."""
    types, names = Types(SENT), every_type().names
    of_answer = zip(IN_JSON, types.roots[1:-1], strict=True)
    shapes = {names[cls]: shape_of(struct, names) for cls, struct in types.structs.items()}
    kinds = {f"{one.method} {re.sub(r'{[^}]*}', '*', one.path)}": kind_of(kind, names) for one, kind in of_answer}
    one_each = {
        "SHAPES": ("Record<string, Record<string, Kind | [Kind, unknown]>>", shapes),
        "ANSWERS": ("Record<string, Kind>", kinds),
    }
    lines = [MARK, f"const TABLE_ID = /^{messages.TABLE_ID.pattern}$/;\nconst KEY = /^{fairness.HASH.pattern}$/;\n"]
    lines += [f"/** @type {{Kind}} */\nconst MESSAGES = {json.dumps(kind_of(types.roots[0], names))};\n"]
    for name, (kind, content) in one_each.items():
        rows = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in content.items())
        lines.append(f"/** @type {{{kind}}} */\nconst {name} = {{\n{rows}}};\n")
    return "".join(line.replace("const ", "// prettier-ignore\nconst ") for line in lines)


def decoder():
    """Return the decoder of the page with its table."""
    return DECODER.read_text("utf-8").partition(MARK)[0] + table()


def courses():
    """Return the module of the page that has the speeds and the courses."""
    rows = "".join(f"  {kind}: {json.dumps(stages)},\n" for kind, stages in staging.COURSES.items())
    kinds = "\n *   | ".join(f"'{kind}'" for kind in staging.COURSES)
    speeds = ", ".join(f"{name}: {factor:g}" for name, factor in staging.SPEEDS.items())
    made = f"""\
/** The fewest seats whose points are counted at the same time. */
export const MANY = {staging.MANY};
/** More cards at once are a deal, not a move, and are not marked. */
export const DEAL = {staging.DEAL};
/** @type {{Record<Speed, number>}} */
const SPEEDS = {{ {speeds} }};
/** @typedef {{{kinds}}} Course */
/** The stages of each course: name, duration at normal and at instant speed in milliseconds, and
 * whether it takes no longer at slow speed.
 * @type {{Record<Course, [string, number, number, boolean][]>}} */
// prettier-ignore
const COURSES = {{
{rows}}};
"""
    before, begin, rest = SPEED.read_text("utf-8").partition(STAGING[0])
    return before + begin + made + STAGING[1] + rest.partition(STAGING[1])[2]


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
    return HEAD + "\n\n".join([*interfaces, *unions, answers(types)]) + "\n"


def test_the_types_of_the_pages_are_those_of_the_structs():
    assert FILE.read_text("utf-8") == written()
    assert DECODER.read_text("utf-8") == decoder()
    assert SPEED.read_text("utf-8") == courses()


def test_the_page_checks_what_structs_check_beside_their_types():
    text = DECODER.read_text("utf-8")
    checks = text.partition("const CHECKS = {")[2].partition("\n};")[0]
    checked = {cls.__name__ for cls in Types(SENT).structs if hasattr(cls, "__post_init__")}
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


def test_the_decoder_is_given_the_defaults_that_do_not_follow_from_a_type():
    types = Types([Defaults])
    assert shape_of(types.structs[Defaults], types.names) == {
        "must": "whole",
        "number?": "number",
        "seat=": ["whole", -1],
        "is_seen?": "boolean",
        "is_open=": ["boolean", True],
        "size?": ["one", "", "large"],
        "mode=": [["one", "live", "over"], "live"],
        "cards?": ["list", "string"],
        "by?": ["record", "whole"],
        "nobody?": ["maybe", "Inner"],
    }


def test_pages_know_the_same_defaults_of_types():
    written = DECODER.read_text("utf-8").partition("const ABSENT = {")[2].partition("\n};")[0]
    found = dict(re.findall(r"(\w+): (?:Object.freeze\()?([^)\n]+?)\)?,", written))
    assert {kind: json.loads(value.replace("'", '"')) for kind, value in found.items()} == ABSENT


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
