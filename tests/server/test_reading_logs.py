"""A log has one reading: `fairdeal verify` and the page accept the same lines, each in one spelling."""

import json
import re
from dataclasses import replace

import pytest

from fairdeal.engine.errors import BadLog
from fairdeal.engine.records import HOUSE
from fairdeal.table.log import Branch, Dealt, Failed, Move, Player, read_log
from tests.conftest import SHORT
from tests.server.in_node import answer_of, copy_scripts, needs_node
from tests.table.sittings import finished
from tests.table.test_log_and_verification import marked_anew

pytestmark = needs_node

PROGRAM = """
import { readFileSync } from 'node:fs';
import { readLog } from './web/fair/log.js';

console.log(JSON.stringify(JSON.parse(readFileSync('logs.json')).map((text) => readLog(text).wrong)));
"""


@pytest.fixture
def wrong_lines(tmp_path):
    """Return the first line that the page cannot read of each log, or 0."""

    def ask(texts):
        copy_scripts(tmp_path)
        (tmp_path / "read.js").write_text(PROGRAM, "utf-8")
        (tmp_path / "logs.json").write_text(json.dumps(texts), "utf-8")
        return answer_of(tmp_path, "read.js")

    return ask


def wrong_line(text):
    """Return the first line that `fairdeal verify` cannot read, or 0."""
    try:
        read_log(text)
    except BadLog as problem:
        return problem.line
    return 0


def of_every_kind():
    """Return a log that has lines of every kind and entries of every form."""
    log = finished("chi", seed="read", names=["Zo\x85e\u2028", 'Ö "x" \\'], **SHORT["chi"]).log
    salt = "0123456789abcdef" * 2
    entries = [
        Move(0, "draw 0", actions=(0,)),
        Move(0, "pass", actions=(54,), salt=salt, hidden=True),
        Move(1, "yin yin-lime on 0", by="person", actions=(45, 7), salt=salt),
        Move(HOUSE, "the round ends", actions=(3,)),
        Move(0, "undo 2", salt=salt),
        Move(0, "undo"),
    ]
    return replace(
        log,
        players=(
            Player(log.players[0].name, "person", "00" * 16, "ab" * 32),
            Player(log.players[1].name, "greedy", "01" * 16),
            Player("Cy", "person", "02" * 16, "cd" * 32, withheld=True),
        ),
        options={"players": 3, "cards": [["a", 1], {"b": None, "a": False}], "big": 60000},
        room=Dealt("5a" * 32, "k3v9tq2mhx", 3),
        failed=(Failed(1, ((0, "Ada"),), (0, 1)), Failed(2)),
        branch=Branch("other", 0, "3c" * 32),
        signed_header="12" * 64,
        signed_end="34" * 64,
        result=(23, -1, 0),
        seed=bytes(32),
        entries=entries,
        moves=[],
    )


ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")

SPELLINGS = {
    "blank at the end": lambda line: f"{line} ",
    "blank before": lambda line: f" {line}",
    "double blank": lambda line: line.replace(" ", "  ", 1),
    "tab": lambda line: line.replace(" ", "\t", 1),
    "no-break blank": lambda line: line.replace(" ", "\xa0", 1),
    **{f"{end!r} at the end": lambda line, end=end: line + end for end in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"},
    "a line end within": lambda line: line.replace(" ", " \u2028", 1),
    "other digits": lambda line: line.translate(ARABIC),
    "zero before": lambda line: re.sub(r"(?<![0-9a-f])(\d)", r"0\1", line, count=1),
    "zero before the last number": lambda line: re.sub(r"(\d+)(?=[^\d]*$)", r"0\1", line, count=1),
    "plus before": lambda line: re.sub(r"(?<![0-9a-f])(\d)", r"+\1", line, count=1),
    "minus before": lambda line: re.sub(r"(?<![0-9a-f])(\d)", r"-\1", line, count=1),
    "underscore": lambda line: re.sub(r"(\d)(\d)", r"\1_\2", line, count=1),
    "capitals": str.upper,
    "a fraction": lambda line: re.sub(r"(\d)([,}\]])", r"\1.5\2", line, count=1),
    "an exponent": lambda line: re.sub(r"(\d)([,}\]])", r"\1e0\2", line, count=1),
    "spaced JSON": lambda line: re.sub(r"([:,])(?=[\[\"{0-9])", r"\1 ", line, count=1),
    "an escape": lambda line: line.replace("a", "\\u0061", 1),
    "a key twice": lambda line: line.replace("{", '{"players":1,', 1),
    "other brackets": lambda line: line.replace("[", "{", 1).replace("]", "}", 1),
    "one digit less": lambda line: re.sub(r"([0-9a-f]{31})[0-9a-f]", r"\1", line, count=1),
    "one digit more": lambda line: re.sub(r"([0-9a-f]{32})", r"\g<1>0", line, count=1),
    "a person": lambda line: re.sub(r"^(\S+ seat \d+)(?: by \w+)?", r"\1 by person", line),
    "a stand-in": lambda line: re.sub(r"^(\S+ seat \d+)(?: by \w+)?", r"\1 by greedy", line),
    "an author of another alphabet": lambda line: re.sub(r"^(\S+ seat \d+)(?: by \w+)?", r"\1 by gréedy", line),
    "an author of the house": lambda line: line.replace("house", "house by person", 1),
    "no actions": lambda line: re.sub(r" \[[\d,]+\]", "", line, count=1),
    "actions": lambda line: re.sub(r"^(\S+ seat \d+):", r"\1 [1]:", line),
    "an undo of one": lambda line: re.sub("undo$", "undo 1", line),
    "an undo of too many": lambda line: re.sub("undo 2$", "undo 9999", line),
    "nothing": lambda line: "",
    "the word alone": lambda line: line.partition(" ")[0],
    "an unknown word": lambda line: f"also {line}",
}


def altered(log):
    """Yield each alteration of a log, with its name and marks that fit: another spelling of a line, a line left out,
    moved, doubled, or at another place."""
    first, *lines = [re.sub(" #[0-9a-f]{8}$", "", line) for line in log.text().removesuffix("\n").split("\n")]

    def whole(found):
        return f"{marked_anew([first, *found])}\n"

    for at, line in enumerate(lines):
        for name, spell in SPELLINGS.items():
            if spell(line) != line:
                yield f"{name}: {line}", whole([*lines[:at], spell(line), *lines[at + 1 :]])
        others = [*lines[:at], *lines[at + 1 :]]
        yield f"left out: {line}", whole(others)
        for place in range(len(lines)):
            if place != at:
                yield f"moved to {place}: {line}", whole([*others[:place], line, *others[place:]])
            yield f"once more at {place}: {line}", whole([*lines[:place], line, *lines[place:]])


def altered_in_the_whole(text):
    """Yield texts whose lines are right, but not their ends, marks or first line."""
    yield from (text.replace("\n", end) for end in ("\r\n", "\r", "\u2028", "\x0b", "\n\n", " \n"))
    yield from (f"{text}\n", f"{text} ", f"{text}\n\n", f"\n{text}", f"\ufeff{text}", f" {text}", "", "\n")
    yield re.sub(" (#[0-9a-f]{8})$", r"  \1", text, flags=re.MULTILINE)
    yield re.sub(" (#[0-9a-f]{8})$", r"\t\1", text, flags=re.MULTILINE)
    yield re.sub("#[0-9a-f]{8}$", lambda mark: mark[0].upper(), text, flags=re.MULTILINE)
    yield from (text.replace("log 3", version) for version in ("log 2", "log 4", "log 03", "log ٣", "log  3", "log 3 "))


def test_every_alteration_of_a_log_is_read_alike(wrong_lines):
    """What both programs can read is written as they would write it."""
    text = of_every_kind().text()
    cases = [("as written", text), ("without the last end", text[:-1]), *altered(of_every_kind())]
    cases += [(f"in the whole: {number}", one) for number, one in enumerate(altered_in_the_whole(text))]
    theirs = wrong_lines([one for _, one in cases])
    own = [wrong_line(one) for _, one in cases]
    assert own[:2] == theirs[:2] == [0, 0]
    assert len(cases) > 1000
    unlike = [
        f"{name}: line {here}, {there} in the page"
        for (name, _), here, there in zip(cases, own, theirs, strict=True)
        if bool(here) != bool(there)
    ]
    assert unlike == []
    read = [one for (_, one), wrong in zip(cases[2:], own[2:], strict=True) if not wrong]
    assert 0 < len(read) < len(cases) / 10
    assert [one for one in read if read_log(one).text() != one] == []
