"""Page and terminal refuse the same messages and answers: every field of each, left out, null, of another type, or a
fraction."""

import json

import msgspec
import pytest
from msgspec import inspect

from fairdeal.engine.files import from_json
from fairdeal.protocol import bodies, messages
from fairdeal.protocol.pages import ASKED, SENT, structs_in
from tests.server.in_node import needs_node, run_in_node

TEXT = "a" * 64
"""A text that is also the id of a table and a key."""

LATER = {"later": {"new": [1]}}
"""A field that only a newer room knows."""

OTHERS = [None, True, 7, -1, 2.5, "odd", [], [None], {}]
"""Values of all types of JSON, one of which each field refuses."""

PROGRAM = """
import { readFileSync } from 'node:fs';
import { answerIn, messageIn, problemIn } from './web/kit/decoded.js';

const read = (asked, text) => {
  if (asked === 'message') return messageIn(text);
  return asked === 'problem' ? problemIn(JSON.parse(text)) : answerIn(asked, JSON.parse(text));
};
const told = [];
for (const [asked, texts] of JSON.parse(readFileSync('texts.json', 'utf8'))) {
  for (const text of texts) {
    try {
      told.push([read(asked, text), '']);
    } catch (problem) {
      told.push([null, problem.message]);
    }
  }
}
console.log(JSON.stringify(told));
"""
"""What the page reads of texts, by what was asked, and why it refuses the others."""


def sample(found):
    """Return a value of a type in JSON, with every field, and one element in each list."""
    match found:
        case inspect.StructType() | inspect.DataclassType():
            tag = {found.tag_field: found.tag} if getattr(found, "tag_field", None) else {}
            return tag | {field.encode_name: sample(field.type) for field in found.fields}
        case inspect.UnionType():
            return sample(found.types[0])
        case inspect.LiteralType():
            return found.values[0]
        case inspect.DictType():
            return {TEXT: sample(found.value_type)}
        case inspect.TupleType():
            return [sample(one) for one in found.item_types]
        case inspect.ListType() | inspect.VarTupleType():
            return [sample(found.item_type)]
    return {inspect.BoolType: True, inspect.FloatType: 0.5, inspect.StrType: TEXT}.get(type(found), 0)


def sent():
    """Yield the names of all that pages read, with their types."""
    for kind in messages.Messages.__args__:
        yield "message", kind
    for asked, kind in ASKED.items():
        yield asked.replace("*", "x"), kind
    yield "problem", bodies.Problem


def lies(found, value, known):
    """Yield copies of a value with a part of another type, or with one left out or added. `known` has the types of the
    structs whose fields have been tried elsewhere."""
    for other in OTHERS:
        if other != value or type(other) is not type(value):
            yield other
    match found:
        case inspect.StructType() | inspect.DataclassType():
            yield value | LATER
            if found.cls in known:
                return
            known.add(found.cls)
            for field in found.fields:
                name = field.encode_name
                yield {key: one for key, one in value.items() if key != name}
                for other in lies(field.type, value[name], known):
                    yield value | {name: other}
            if tag := getattr(found, "tag_field", None):
                yield from ({key: one for key, one in value.items() if key != tag}, value | {tag: "odd"})
        case inspect.UnionType():
            for one in found.types:
                yield from lies(one, sample(one), known)
        case inspect.DictType():
            for other in lies(found.value_type, value[TEXT], known):
                yield {TEXT: other}
        case inspect.TupleType():
            for place, one in enumerate(found.item_types):
                for other in lies(one, value[place], known):
                    yield [*value[:place], other, *value[place + 1 :]]
        case inspect.ListType() | inspect.VarTupleType():
            yield [*value, *value]
            for other in lies(found.item_type, value[0], known):
                yield [other]


def read(kind, text):
    """Return what the terminal reads, or None if it refuses the text."""
    try:
        return messages.decoded(text) if kind in messages.Messages.__args__ else from_json(text, kind)
    except msgspec.DecodeError:
        return None


@needs_node
def test_page_and_terminal_refuse_the_same(tmp_path):
    known, tried = set(), []
    for asked, kind in sent():
        found = inspect.type_info(kind)
        value = sample(found)
        tried.append((asked, kind, [json.dumps(one) for one in (value, *lies(found, value, known))]))
    assert {*structs_in(SENT)} == known
    told = iter(run_in_node(tmp_path, PROGRAM, texts=[(asked, texts) for asked, _, texts in tried]))
    refused = 0
    for asked, kind, texts in tried:
        for text in texts:
            (own, (copy, why)) = read(kind, text), next(told)
            assert (own is None) == bool(why), (asked, why, text)
            assert own is not None or '"later"' not in text, "newer rooms may say more"
            refused += own is None
            if own is not None:
                assert read(kind, json.dumps(copy)) == own, (asked, text)
                assert '"later"' not in json.dumps(copy) or "later" in str(own), (asked, text)
    count = sum(len(texts) for *_, texts in tried)
    print(f"{count} messages and answers, {refused} of them refused")
    assert refused > count / 2 > 4000


@pytest.mark.parametrize(
    ("asked", "value", "words"),
    [
        ("message", {"type": "news"}, "message.type: expected one of welcome, scene, "),
        ("message", {"type": "undoable", "id": "a", "seq": 2.5}, "message.seq: expected a whole number, found 2.5"),
        ("message", {"type": "done"}, "message.id: expected text, found nothing"),
        ("message", {"type": "chat", "said": {"seat": None}}, "message.said.seat: expected a whole number, found null"),
        ("GET /api/tables/x/moments/3?seat=1", [], "answer: expected an object, found []"),
        ("GET /api/games", [{"name": 7}], "answer[0].name: expected text, found 7"),
        ("GET /api/games/chi/moments", [], "no answer to GET /api/games/chi/moments is described"),
    ],
)
@needs_node
def test_the_page_says_what_is_wrong_and_where(tmp_path, asked, value, words):
    ((_, why),) = run_in_node(tmp_path, PROGRAM, texts=[(asked, [json.dumps(value)])])
    assert why.startswith(words)
