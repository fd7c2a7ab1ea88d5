"""A log has one reading: `fairdeal verify` and the page accept the same lines, each in one spelling."""

import re
from dataclasses import replace
from functools import partial

from fairdeal.engine.errors import BadLog
from fairdeal.engine.records import HOUSE
from fairdeal.table.log import Branch, Dealt, Failed, Move, Player, read_log
from tests.conftest import SHORT
from tests.server.in_node import needs_node, run_in_node
from tests.table.sittings import finished
from tests.table.test_log_and_verification import marked_anew

pytestmark = needs_node

PROGRAM = """
import { readFileSync } from 'node:fs';
import { readLog } from './web/fair/log.js';

console.log(JSON.stringify(JSON.parse(readFileSync('logs.json')).map((text) => readLog(text).wrong)));
"""
"""The first line of each log that the page cannot read, or 0."""


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

REPLACED = {
    "blank at the end": ("$", " "),
    "blank before": ("^", " "),
    "double blank": (" ", "  "),
    "tab": (" ", "\t"),
    "no-break blank": (" ", "\xa0"),
    **{f"{end!r} at the end": ("$", end) for end in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"},
    "a line end within": (" ", " \u2028"),
    "zero before": (r"(?<![0-9a-f])(\d)", r"0\1"),
    "zero before the last number": (r"(\d+)(?=[^\d]*$)", r"0\1"),
    "plus before": (r"(?<![0-9a-f])(\d)", r"+\1"),
    "minus before": (r"(?<![0-9a-f])(\d)", r"-\1"),
    "underscore": (r"(\d)(\d)", r"\1_\2"),
    "a fraction": (r"(\d)([,}\]])", r"\1.5\2"),
    "an exponent": (r"(\d)([,}\]])", r"\1e0\2"),
    "spaced JSON": (r"([:,])(?=[\[\"{0-9])", r"\1 "),
    "an escape": ("a", r"\\u0061"),
    "a key twice": ("{", '{"players":1,'),
    "other brackets": (r"\[(.*?)\]", r"{\1}"),
    "one digit less": (r"([0-9a-f]{31})[0-9a-f]", r"\1"),
    "one digit more": (r"([0-9a-f]{32})", r"\g<1>0"),
    "a person": (r"^(\S+ seat \d+)(?: by \w+)?", r"\1 by person"),
    "a stand-in": (r"^(\S+ seat \d+)(?: by \w+)?", r"\1 by greedy"),
    "another guest": (r"^(\S+ seat \d+)(?: by \w+)?", r"\1 by another"),
    "an author of another alphabet": (r"^(\S+ seat \d+)(?: by \w+)?", r"\1 by gréedy"),
    "an author of the house": ("house", "house by person"),
    "no actions": (r" \[[\d,]+\]", ""),
    "actions": (r"^(\S+ seat \d+):", r"\1 [1]:"),
    "an undo of one": ("undo$", "undo 1"),
    "an undo of too many": ("undo 2$", "undo 9999"),
    "nothing": (".*", ""),
    "the word alone": (" .*", ""),
    "an unknown word": ("^", "also "),
}
"""Patterns of what is written otherwise, once in a line, and what stands there instead."""

SPELLINGS = {
    **{name: partial(re.sub, *how, count=1) for name, how in REPLACED.items()},
    "other digits": lambda line: line.translate(ARABIC),
    "capitals": str.upper,
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


def test_every_alteration_of_a_log_is_read_alike(tmp_path):
    """What both programs can read is written as they would write it."""
    text = of_every_kind().text()
    cases = [("as written", text), ("without the last end", text[:-1]), *altered(of_every_kind())]
    cases += [(f"in the whole: {number}", one) for number, one in enumerate(altered_in_the_whole(text))]
    theirs = run_in_node(tmp_path, PROGRAM, logs=[one for _, one in cases])
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
