"""The module `protocol.js`, by which pages read what a room sends. The room makes it from its structs, the sentences of
the checks and the courses of a table, so no page has a copy of them. web/protocol.d.ts has its types."""

import functools
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import inspect

from fairdeal.bots.company import NAMES
from fairdeal.bots.levels import FACES
from fairdeal.engine.inspection import Inspection
from fairdeal.engine.scene import Face
from fairdeal.protocol import bodies as b
from fairdeal.protocol import messages as m
from fairdeal.protocol import staging
from fairdeal.protocol.daily import DayRecord
from fairdeal.table.analysis import Held
from fairdeal.table.fairness import HASH
from fairdeal.table.verdict import CHECKS

OF_A_TABLE = (
    "POST /api/tables",
    "POST /api/today",
    "GET /api/tables/*",
    "DELETE /api/tables/*",
    "POST /api/tables/*/join",
    "POST /api/tables/*/number",
    "POST /api/tables/*/leave",
    "POST /api/tables/*/start",
    "POST /api/tables/*/report",
    "POST /api/tables/*/branch",
    "POST /api/codes",
)
"""The requests that are answered with the facts of a table."""

ASKED: Mapping[str, Any] = {
    "GET /api/me": b.Me,
    "POST /api/me": b.Me,
    "DELETE /api/me": b.Forgotten,
    "GET /api/webhook": b.Webhook,
    "PUT /api/webhook": b.Webhook,
    "DELETE /api/webhook": b.Webhook,
    "PUT /api/device": b.Webhook,
    "PUT /api/me/away": b.Away,
    "GET /api/me/turns": list[str],
    "GET /api/games": list[b.GameFacts],
    "GET /api/games/*/record": dict[str, b.Against],
    "GET /api/games/*/page": b.PageFacts,
    "GET /api/lessons/*/*/faces": dict[str, Face],
    "GET /api/lobby": b.Lobby,
    "GET /api/network": b.Network,
    "PUT /api/network": b.Network,
    "POST /api/promise": b.Promise,
    "GET /api/today/record": DayRecord,
    "POST /api/today/number": DayRecord,
    "POST /api/evenings": b.Evening,
    "POST /api/evenings/*": b.Evening,
    "GET /api/tables/*/faces": dict[str, Face],
    "GET /api/tables/*/moments/*": b.Moment,
    "GET /api/tables/*/moments/*/card": Inspection,
    "GET /api/tables/*/rules": b.TableRules,
    "GET /api/tables/*/analysis": b.AnalysisTold,
    "POST /api/tables/*/analysis": b.AnalysisTold,
    "GET /api/tables/*/analysis/held": list[Held],
    "POST /api/tables/*/code": b.Code,
    **dict.fromkeys(OF_A_TABLE, m.Facts),
}
"""The requests whose answers pages read as JSON, and the types of these answers."""

SENT = (m.Messages, *ASKED.values(), b.Problem)
"""The types that pages read."""

SIMPLE = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.FloatType: "number",
    inspect.IntType: "whole",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}

PARTS = ("types", "key_type", "value_type", "item_types", "item_type")
"""The names under which types have those that they consist of."""


def structs_in(types: Iterable[Any]) -> dict[type, Any]:
    """Return the structs that types mention, by their classes."""
    found: dict[type, Any] = {}

    def collect(of: Any) -> None:
        parts = of if isinstance(of, tuple) else [getattr(of, name, ()) for name in PARTS]
        if isinstance(of, inspect.StructType | inspect.DataclassType):
            parts = [field.type for field in of.fields] if of.cls not in found else ()
            found[of.cls] = of
        for part in parts:
            collect(part)

    collect(inspect.multi_type_info(types))
    return found


def names_of(classes: Collection[type]) -> dict[type, str]:
    """Return the names of structs on pages. Where several have the same name, each begins with that of its module."""
    known = Counter(cls.__name__ for cls in classes)
    return {
        cls: (cls.__module__.rpartition(".")[2].capitalize() if known[cls.__name__] > 1 else "") + cls.__name__
        for cls in classes
    }


def kind_of(found: Any, names: Mapping[type, str]) -> Any:
    """Return a type as the decoder of the page reads it. `names` are those of the structs."""
    parts = [kind_of(one, names) for one in getattr(found, "types", getattr(found, "item_types", ()))]
    match found:
        case inspect.StructType() | inspect.DataclassType():
            return names[found.cls]
        case inspect.UnionType() if parts[-1] == "null":
            return ["maybe", union_of(found.types[:-1], parts[:-1])]
        case inspect.UnionType():
            return union_of(found.types, parts)
        case inspect.LiteralType():
            return ["one", *found.values]
        case inspect.DictType():
            return ["record", kind_of(found.value_type, names)]
        case inspect.TupleType():
            return ["tuple", *parts]
        case inspect.ListType() | inspect.VarTupleType():
            return ["list", kind_of(found.item_type, names)]
        case inspect.IntType(ge=int(), le=int()):
            return ["whole", found.ge, found.le]
    return SIMPLE[type(found)]


def union_of(types: Iterable[Any], parts: list[Any]) -> Any:
    """Return a union of several types, whose member follows from a tag if they are structs, or the only type."""
    if len(parts) == 1:
        return parts[0]
    tags = {getattr(one, "tag_field", None) for one in types}
    return ["tagged", *tags, *parts] if tags != {None} else ["either", *parts]


def shape_of(struct: Any, names: Mapping[type, str]) -> list[list[Any]]:
    """Return the fields of a struct: the name and type of each, and its default if it may be left out."""
    tag = getattr(struct, "tag_field", None)
    shape = [[tag, ["one", struct.tag], struct.tag]] if tag else []
    for field in struct.fields:
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        absent = [] if field.required else [msgspec.to_builtins(default)]
        shape.append([field.encode_name, kind_of(field.type, names), *absent])
    return shape


@functools.cache
def module() -> str:
    """Return the text of the module."""
    names = names_of(structs_in([m.Requests, *SENT]))
    answers = zip(ASKED, inspect.multi_type_info(ASKED.values()), strict=True)
    values = {
        "TABLE_ID": m.TABLE_ID.pattern,
        "KEY": HASH.pattern,
        "MESSAGES": kind_of(inspect.type_info(m.Messages), names),
        "SHAPES": {names[cls]: shape_of(struct, names) for cls, struct in structs_in(SENT).items()},
        "ANSWERS": {asked: kind_of(answer, names) for asked, answer in answers},
        "CHECKS": {check: one._asdict() for check, one in CHECKS.items()},
        "SPEEDS": staging.SPEEDS,
        "COURSES": staging.COURSES,
        "FACES": list(FACES),
        "OTHERS": [name.lower() for name in NAMES],
        "MANY": staging.MANY,
        "DEAL": staging.DEAL,
    }
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in values.items())
