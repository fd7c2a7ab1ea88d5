"""Tables of docs/ are generated from structs and their docstrings, from the kinds of events, from the addresses of the
room, from the signatures of the modules that games import, and from the statistics of studies.

A comment in a page says what the table below it holds, such as `<!-- fields of fairdeal.engine.scene: Seat Clock -->`;
the table ends with `<!-- end -->`. The rows of a struct are the lines of its docstring of the form `name  text`; fields
may share a line (`seat, name  text`).

If a table is out of date, run `python -m tools.renew tables`, which writes all of them anew.
"""

import ast
import importlib
import inspect
import itertools
import json
import re
import sys
from inspect import cleandoc
from pathlib import Path
from typing import Literal, get_args, get_origin

import msgspec
import pytest
from msgspec.structs import fields

from fairdeal.engine import events
from fairdeal.engine.registry import installed_games
from fairdeal.engine.scene import Face, Scene, Skin
from fairdeal.protocol import messages
from fairdeal.server.api.http import ROUTES
from tests.conftest import ROOT
from tests.server.test_page_types import Types
from tools import reference

DOCS = ROOT / "docs"
PAGES = {name: DOCS / f"{name}.md" for name in ("scene", "messages", "events", "kit", "laboratory", "wasm")}

TABLE = re.compile(r"(<!-- (\w+) of ([\w.]+)(?:: ([\w ]+))? -->\n)(.*?)(<!-- end -->)", re.DOTALL)
ROW = re.compile(r"(\w+(?:, \w+)*) {2,}(.*)")

UNLISTED = (messages.Request, messages.Message)
"""Structs whose docstrings describe the fields in their text."""

AGAIN = "a table is out of date: run `python -m tools.renew tables`"


def text_of(kind):
    """Return the docstring of a struct or function without the lines of its fields, in one line."""
    text = " ".join(cleandoc(kind.__doc__).partition("\n\n")[0].split())
    return re.sub(r"docs/([\w-]+\.md)", r"[\1](\1)", text)


def rows_of(kind):
    """Return the lines of the fields in a docstring: names, and text in one line."""
    rows = []
    for line in cleandoc(kind.__doc__).partition("\n\n")[2].splitlines():
        if found := ROW.fullmatch(line):
            rows.append((found[1].split(", "), found[2]))
        elif line.startswith("  "):
            rows[-1] = rows[-1][0], f"{rows[-1][1]} {line.strip()}"
    return rows


def own_fields(kind):
    """Return the fields of a struct that its bases lack, by the names that they have in JSON."""
    bases = {name for base in kind.__bases__ for name in getattr(base, "__struct_fields__", ())}
    return {field.encode_name: field for field in fields(kind) if field.name not in bases}


def default_of(field):
    """Return the default of a field as a table writes it."""
    if field.required:
        return "-"
    if field.default is msgspec.NODEFAULT or field.default == ():
        return "none"
    if isinstance(field.default, str) and field.default:
        return f"`{field.default}`"
    text = json.dumps(field.default)
    return f"`{text}`" if text == '""' else text.replace("[", "(").replace("]", ")")


def lines_of(heads, rows):
    """Return a table in Markdown."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = ["|" + "".join(f" {cell} |" if cell else " |" for cell in row) for row in (heads, *cells)]
    return "".join(f"{line}\n" for line in (lines[0], "|---" * len(heads) + "|", *lines[1:]))


def code(names):
    return ", ".join(f"`{name}`" for name in names)


def table_of_fields(module, names):
    """Return a table of the fields of some structs, with its default and its text."""
    found = []
    for kind in (getattr(module, name) for name in names.split()):
        known, tag = own_fields(kind), kind.__struct_config__.tag
        found.append([f"`{tag}`" if tag else kind.__name__, "", "", text_of(kind)])
        for named, text in rows_of(kind):
            defaults = [default_of(known[name]) for name in named]
            shown = defaults if len({*defaults}) > 1 else defaults[:1]
            found.append(["", code(named), ", ".join(shown), text])
    return lines_of(["struct", "field", "default", "says"], found)


def table_of_messages(module, name):
    """Return a table of the messages of a union, with its fields."""
    kinds = get_args(getattr(module, name))
    hidden = {"id"} if issubclass(kinds[0], messages.Request) else set()
    head = "from you" if hidden else "from the room"
    named = [(kind, " ".join(field.name for field in fields(kind) if field.name not in hidden)) for kind in kinds]
    rows = [(f"`{kind.__struct_config__.tag}`" + (f" `{own}`" if own else ""), text_of(kind)) for kind, own in named]
    return lines_of([head, ""], rows)


def kinds_in(module):
    """Yield the kinds of events that a module defines, in its order."""
    for kind in vars(module).values():
        if isinstance(kind, type) and issubclass(kind, events.Event) and kind.__module__ == module.__name__:
            yield kind


def table_of_events(module, _):
    """Return a table of the kinds of events that every screen understands, with their fields."""
    rows = []
    for kind in kinds_in(module):
        base = kind.__base__.__name__ if kind is not events.Event else ""
        says = "; ".join(f"{code(named)}: {text}" for named, text in rows_of(kind))
        rows.append((f"`{kind.__name__}`", base and f"`{base}`", text_of(kind), says))
    return lines_of(["kind", "is a", "says", "fields"], rows)


def table_of_kinds(package, _):
    """Return a table of the kinds of events that the games add, with the fields that are their own."""
    assert len(list(installed_games())) > 8
    rows = []
    for name in sorted(name for name in sys.modules if name.startswith(f"{package.__name__}.")):
        for kind in kinds_in(sys.modules[name]):
            place = re.sub(r"\.(events|text\..*)$", "", name.removeprefix(f"{package.__name__}."))
            rows.append((place, f"`{kind.__name__}`", f"`{kind.__base__.__name__}`", text_of(kind)))
            rows[-1] += (" ".join(code([name]) for name in own_fields(kind)),)
    return lines_of(["game", "kind", "is a", "says", "fields"], sorted(rows, key=lambda row: row[0]))


def type_of(kind):
    """Return the name of the type of a response."""
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind).replace("typing.", "")


def table_of_addresses(module, _):
    """Return a table of the addresses of a room, with the fields of requests and the types of responses."""
    rows = []
    for one in module.ROUTES:
        path = set(re.findall(r"{(\w+)}", one.path))
        asked = [field.name for field in fields(one.parameters) if field.name not in path] if one.parameters else []
        sent = [field.name for field in fields(one.taken)] if one.taken else []
        given = re.sub(r"\b[a-z_]+(\.\w+)*\.(?=[A-Z])", "", type_of(one.given))
        takes = " ".join([*(f"`?{name}`" for name in asked), *(f"`{name}`" for name in sent)])
        answer = code([given]) if one.media == ("application/json",) else ", ".join(one.media)
        rows.append((f"`{one.method} {one.path}`", takes, answer, text_of(one.handler)))
    return lines_of(["address", "takes", "answers", "says"], rows)


def signature_of(name, function):
    """Return a call of a function or class with its defaults, and the type of the result if that says something. Fields
    that a struct has from its bases are left out."""
    signature = inspect.signature(function)
    bases = getattr(function, "__bases__", ())
    known = {"self", *(name for base in bases for name in getattr(base, "__struct_fields__", ()))}
    parameters = [one.replace(annotation=one.empty) for one in signature.parameters.values() if one.name not in known]
    result = signature.return_annotation if inspect.isfunction(function) else signature.empty
    result = "" if result in (signature.empty, None, "None") else f" -> {result}"
    call = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    return f"{name}{call.replace('<factory>', '{}')}{result}"


def constants_in(module):
    """Yield each constant of a module that has a docstring: its names, its value in code, its text in one line."""
    body = ast.parse(Path(module.__file__).read_text("utf-8")).body
    for one, text in itertools.pairwise(body):
        if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(text, ast.Expr):
            target = one.targets[0] if isinstance(one, ast.Assign) else one.target
            names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
            yield names, ast.unparse(one.value), " ".join(cleandoc(text.value.value).split())


def table_of_kit(module, _):
    """Return a table of the public names of a module: constants with values, functions and classes with signatures."""
    public, rows, met = reference.public_names()[module.__name__], [], set()
    for names, value, text in constants_in(module):
        if public_ones := [name for name in names if name in public]:
            met |= {*public_ones}
            shown = f" = {value}" if len(names) == 1 and len(value) < 12 else ""
            rows.append((", ".join(f"`{name}{shown}`" for name in public_ones), text))
    for name, thing in vars(module).items():
        if name not in public or not getattr(thing, "__module__", "").startswith(module.__name__):
            continue
        met.add(name)
        rows.append((f"`{signature_of(name, thing)}`", text_of(thing)))
        for part, method in vars(thing).items() if isinstance(thing, type) else ():
            if inspect.isfunction(method) and not part.startswith("_") and method.__doc__:
                rows.append((f"`.{signature_of(part, method)}`", text_of(method)))
    assert met == {*public}, f"{module.__name__}: public names that the page cannot show: {sorted({*public} - met)}"
    return lines_of([f"`{module.__name__}`", ""], rows)


def table_of_measures(module, _):
    """Return a table of the statistics of studies."""
    rows = [(f"`{key}`", one.title, one.words) for key, one in module.STATISTICS.items()]
    return lines_of(["key", "measure", "definition"], rows)


MAKERS = {
    "fields": table_of_fields,
    "messages": table_of_messages,
    "events": table_of_events,
    "kinds": table_of_kinds,
    "addresses": table_of_addresses,
    "kit": table_of_kit,
    "measures": table_of_measures,
}


def made_anew(page):
    """Return a page with all of its tables generated anew."""

    def table(found):
        begin, what, module, names, _, end = found.groups()
        return f"{begin}\n{MAKERS[what](importlib.import_module(module), names)}\n{end}"

    return TABLE.sub(table, page)


def structs_in(*kinds):
    """Return the structs of types, those of their fields among them."""
    return Types(kinds).structs


def described(page):
    """Yield the structs whose fields a page describes."""
    for what, module, names in (found.groups()[1:4] for found in TABLE.finditer(page)):
        if what == "fields":
            yield from (getattr(importlib.import_module(module), name) for name in names.split())
        if what == "messages":
            yield from get_args(getattr(importlib.import_module(module), names))


def problems_of(kind):
    """Yield mistakes in the lines of a docstring: unknown names, and fields and words without a line."""
    known, rows = own_fields(kind), rows_of(kind)
    named = [name for names, _ in rows for name in names]
    yield from (f"{name} is a field without a line, or a line without a field" for name in known.keys() ^ {*named})
    yield from (f"{name} is named twice" for name in {*named} if named.count(name) > 1)
    for names, text in rows:
        for value in (value for name in names & known.keys() for value in words_of(known[name].type)):
            if f"`{value}`" not in text and value:
                yield f"{names} may be {value!r}"


def words_of(kind):
    """Return the words of a Literal type, or nothing."""
    return get_args(kind) if get_origin(kind) is Literal else ()


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_the_tables_are_as_the_code_is(path):
    page = path.read_text("utf-8")
    assert len(TABLE.findall(page)) == page.count("<!-- end -->") > 0
    assert made_anew(page) == page, AGAIN


def test_every_struct_that_is_sent_is_described_once():
    scene, play = ([*described(PAGES[name].read_text("utf-8"))] for name in ("scene", "messages"))
    assert {*scene} == {*structs_in(Scene, Face, Skin)}
    sent = {*structs_in(messages.Requests, messages.Messages, *(one.taken for one in ROUTES))}
    assert {*play} == sent - {*scene}
    assert len({*scene, *play}) == len([*scene, *play]) > 60


def test_a_line_of_a_docstring_is_that_of_a_field():
    pages = [page.read_text("utf-8") for page in PAGES.values()]
    kinds = {kind for page in pages for kind in described(page) if not issubclass(kind, UNLISTED)}
    kinds |= {*kinds_in(events)}
    assert {kind.__name__: found for kind in kinds if (found := [*problems_of(kind)])} == {}
    assert len(kinds) > 70
