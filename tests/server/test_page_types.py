"""The types of the browser pages.

web/protocol.d.ts is made from the structs that a room sends and takes. After a change of such a struct write it anew:
`python -m tests.server.test_page_types`.
"""

import json
import re
from collections import defaultdict

import msgspec
import pytest
from msgspec import inspect

from fairdeal.protocol import messages
from fairdeal.server.api.http import ROUTES
from fairdeal.server.static_files import WEB
from tests.server.test_sources import ours

FILE = WEB / "protocol.d.ts"

HEAD = """\
// What a room sends and takes, made from its structs by `python -m tests.server.test_page_types`.

"""

NAMED = {"Requests": messages.Requests, "Messages": messages.Messages}
"""The unions that pages name."""

LIMITS = ["quiet", "answer", "waits"]
"""The limits by which clients judge the connection, as types with a single value: tsc compares those of the page."""

BODIES = [*dict.fromkeys(one.taken for one in ROUTES if one.taken)]

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
        found = inspect.multi_type_info(roots)
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

    def interface(self, struct):
        """Return the interface of a struct. A field with a default is optional where nobody has to write it."""
        is_struct = isinstance(struct, inspect.StructType)
        optional = is_struct and (struct.cls.__struct_config__.omit_defaults or struct.forbid_unknown_fields)
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

    in_json = [one for one in ROUTES if one.media == ("application/json",)]
    longest = sorted(in_json, key=lambda one: -one.path.count("/"))
    return "\n".join(["export type AnswerTo<Asked extends string> =", *map(case, longest), "  unknown;"])


def written():
    """Return what the file has to say."""
    types = Types([*NAMED.values(), *BODIES, *(one.given for one in ROUTES)])
    unions = []
    for name, union in NAMED.items():
        (found,) = inspect.multi_type_info([union])
        unions.append(f"export type {name} =\n  | " + "\n  | ".join(map(types.of, found.types)) + ";")
    limits = [f"  {name}: {getattr(messages, name.upper())};" for name in LIMITS]
    unions.append("\n".join(["export interface Limits {", *limits, "}"]))
    return HEAD + "\n\n".join([*map(types.interface, types.structs.values()), *unions, answers(types)]) + "\n"


def test_the_types_of_the_pages_are_those_of_the_structs():
    assert FILE.read_text("utf-8") == written()


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
    ("struct", "lines"),
    [
        (
            Sent,
            [
                "kind: 'sent';",
                "text: string;",
                "inner?: Inner | null;",
                "way?: [number, string] | null;",
                "many?: (number | string)[];",
                "as?: string;",
            ],
        ),
        (Whole, ["by: Record<string, Inner>;"]),
        (Taken, ["seat?: number | null;"]),
    ],
)
def test_a_field_with_a_default_is_optional_where_it_may_be_left_out(struct, lines):
    types = Types([struct])
    found = types.interface(types.structs[struct]).splitlines()
    assert found == [f"export interface {struct.__name__} {{", *(f"  {line}" for line in lines), "}"]


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


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
