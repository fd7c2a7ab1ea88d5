"""Lies that a room could tell a player's program: another value of any field of any message, and any message twice,
late, left out or in another order."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from tests.server.transcripts import Transcript
from tests.table.test_log_and_verification import marked_anew

OTHER_TYPES: dict[type, tuple[Any, ...]] = {
    str: (7, ["x"]),
    bool: ("true", 2),
    int: ("7", 2.5),
    float: ("x",),
    list: ({}, "x"),
    dict: ([], "x"),
    type(None): ("x",),
}

LEFT_OUT = object()

SPOKEN = ("message", "answer")
"""The steps that are JSON."""


Step = tuple[str, str]
Edit = tuple[int, int, Sequence[Step]]
"""The number of a step, how many steps from there are removed, and the steps that are added instead."""


class Lie(NamedTuple):
    """A change of a transcript, which is made when it is wanted. `kind` says what is changed and how; all changes of a
    kind are alike."""

    kind: tuple[str, ...]
    make: Callable[[], Sequence[Edit]]

    def told(self, steps: Sequence[Step]) -> list[Step]:
        """Return the steps after this change."""
        new = [*steps]
        for place, removed, added in self.make():
            new[place : place + removed] = added
        return new


def edit(place: int, removed: int, *added: Step) -> list[Edit]:
    return [(place, removed, added)]


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def nodes(value: Any, path: tuple = ()) -> Iterator[tuple[tuple, Any]]:
    """Yield each part of a JSON value, with its path."""
    yield path, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield from nodes(part, (*path, name))


def at(value: Any, path: tuple) -> Any:
    """Return the part of a JSON value at a path, or LEFT_OUT."""
    for name in path:
        try:
            value = value[name]
        except (LookupError, TypeError):
            return LEFT_OUT
    return value


def changed(value: Any, path: tuple, new: Any) -> Any:
    """Return a JSON value with another part at a path."""
    if not path:
        return new
    name, *rest = path
    if isinstance(value, list):
        inside = [] if new is LEFT_OUT and not rest else [changed(value[name], tuple(rest), new)]
        return [*value[:name], *inside, *value[name + 1 :]]
    if new is LEFT_OUT and not rest:
        return {one: part for one, part in value.items() if one != name}
    return value | {name: changed(value.get(name), tuple(rest), new)}


def other_values(value: Any) -> Iterator[Any]:
    """Yield other values of the same type."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, -1, value * 2 + 5)
    elif isinstance(value, str):
        yield from ("", f"{value}x", value[1:] + value[:1], value[:-1] + ("0" if value[-1:] != "0" else "1"))
    elif isinstance(value, list):
        yield from ([], value[::-1], value + value[-1:])
    elif isinstance(value, dict):
        yield {}


def told(transcript: Transcript) -> dict[str, list[tuple[int, Any]]]:
    """Return the messages and answers by their types, each with the number of its step."""
    found: dict[str, list[tuple[int, Any]]] = {}
    for place, (kind, text) in enumerate(transcript.steps):
        if kind in SPOKEN:
            value = json.loads(text)
            found.setdefault(value["type"] if kind == "message" else "answer", []).append((place, value))
    return found


def lies(truth: Transcript, others: dict[str, Transcript]) -> Iterator[Lie]:
    """Yield changes of a transcript. `others` has those of another seat, another table and another room."""
    own = told(truth)
    elsewhere = {where: told(other) for where, other in others.items()}
    extra = {name: part for all in own.values() for _, one in all for name, part in one.items()}
    extra |= {name: part for _, one in own["answer"] for name, part in one.items()}
    for kind, all in own.items():
        for number, (place, whole) in enumerate(all):
            moments = [one for _, one in all if one is not whole]
            twins = {where: one[kind][number][1] for where, one in elsewhere.items() if number < len(one.get(kind, ()))}
            step = truth.steps[place][0]
            for path, value in nodes(whole):
                for how, new in alternatives(path, value, moments, twins, extra):
                    yield Lie((kind, name_of(path), how), partial(one_changed, place, step, whole, path, new))
    yield from always(truth, others)
    yield from in_other_order(truth)
    for where, other in others.items():
        for number, (kind, text) in enumerate(other.steps[: len(truth.steps)]):
            if kind == truth.steps[number][0] and text != truth.steps[number][1] and kind != "sit":
                name = json.loads(text)["type"] if kind == "message" else kind
                yield Lie((name, "", f"that of another {where}"), partial(edit, number, 1, (kind, text)))
    yield from logs(truth, others)


def one_changed(place: int, step: str, whole: Any, path: tuple, new: Any) -> list[Edit]:
    return edit(place, 1, (step, compact(changed(whole, path, new))))


def always(truth: Transcript, others: dict[str, Transcript]) -> Iterator[Lie]:
    """Yield lies about the facts that are told in every message and answer."""
    spoken = [(place, kind, json.loads(text)) for place, (kind, text) in enumerate(truth.steps) if kind in SPOKEN]
    all = [(place, kind, whole) for place, kind, whole in spoken if "facts" in whole or kind == "answer"]
    there = [json.loads(text) for other in others.values() for kind, text in other.steps if kind in SPOKEN]
    for path, value in nodes(facts_in(all[-1][2])):
        elsewhere = [at(facts_in(one), path) for one in there[:1] + there[-1:] if facts_in(one)]
        known = [*other_values(value), *(one for one in elsewhere if one is not LEFT_OUT), LEFT_OUT]
        for new in known if path else ():
            if new != value:
                yield Lie(("facts", name_of(path), "always another value"), partial(all_changed, all, path, new))


def all_changed(all: list[tuple[int, str, dict]], path: tuple, new: Any) -> list[Edit]:
    """Return the edits that put another value at a path of all facts that have one there."""
    edits: list[Edit] = []
    for place, kind, whole in all:
        if at(facts_in(whole), path) not in (LEFT_OUT, "", None, []):
            facts = changed(facts_in(whole), path, new)
            edits += edit(place, 1, (kind, compact(facts if kind == "answer" else whole | {"facts": facts})))
    return edits


def facts_in(told: dict) -> dict:
    """Return the facts in a message, or in an answer, which are nothing else."""
    return told.get("facts", {}) if "type" in told else told


def name_of(path: tuple) -> str:
    return ".".join("*" if isinstance(name, int) or str(name).isdigit() else str(name) for name in path)


def alternatives(path, value, moments, twins, extra) -> Iterator[tuple[str, Any]]:
    """Yield what may stand at a path in place of a value, and how it differs."""
    if path:
        yield "left out", LEFT_OUT
        if value is not None:
            yield "null", None
    for new in OTHER_TYPES[type(value)]:
        yield "another type", new
    for new in other_values(value):
        if new != value:
            yield "another value", new
    if isinstance(value, dict) and len(path) < 3:
        for name, part in extra.items():
            if name not in value:
                yield f"with {name}", value | {name: part}
    if not path:
        return
    seen = [value]
    for other in moments:
        new = at(other, path)
        if new is not LEFT_OUT and new not in seen[:4]:
            seen.append(new)
            yield "that of another moment", new
    for where, other in twins.items():
        new = at(other, path)
        if new is not LEFT_OUT and new != value:
            yield f"that of another {where}", new


def in_other_order(truth: Transcript) -> Iterator[Lie]:
    """Yield each step twice, left out, after the next ones, and at the end."""
    last = len(truth.steps) - 1
    for place, step in enumerate(truth.steps[:-1]):
        name = json.loads(step[1]).get("type", "") if step[0] == "message" else step[0]
        yield Lie((name, "", "twice"), partial(edit, place, 1, step, step))
        if step[0] == "sit":
            continue
        yield Lie((name, "", "left out"), partial(edit, place, 1))
        for later in (1, 3, last - 1 - place):
            moved = truth.steps[place + 1 : min(place + 1 + later, last)]
            how = f"later by {later if later < 4 else 'all'}"
            yield Lie((name, "", how), partial(edit, place, len(moved) + 1, *moved, step))


def logs(truth: Transcript, others: dict[str, Transcript]) -> Iterator[Lie]:
    """Yield other logs: each line left out, twice, after the next one, altered, or from another log, with the marks of
    the lines as they were or made anew."""
    place = len(truth.steps) - 1
    lines = truth.steps[place][1].splitlines(keepends=True)
    for number, line in enumerate(lines):
        before, after = lines[:number], lines[number + 1 :]
        made = {
            "left out": [*before, *after],
            "twice": [*before, line, line, *after],
            "later by 1": [*before, *after[:1], line, *after[1:]],
            "another digit": [*before, line.replace("1", "2", 1) if "1" in line else f"{line.rstrip()} 1\n", *after],
        }
        for where, other in others.items():
            there = other.steps[-1][1].splitlines(keepends=True)
            if number < len(there):
                made[f"that of another {where}"] = [*before, there[number], *after]
        for how, all in made.items():
            name = line.split()[0] if line.strip() else ""
            if all != lines:
                yield Lie(("log", name, how), partial(log_changed, place, all, "".join))
            if number and all != lines:
                yield Lie(("log", name, f"{how}, marked"), partial(log_changed, place, all, marked_anew))


def log_changed(place: int, lines: list[str], written: Callable[[list[str]], str]) -> list[Edit]:
    return edit(place, 1, ("log", written(lines)))


def sample(truth: Transcript, others: dict[str, Transcript], count: int, chance: random.Random) -> list[Lie]:
    """Return some of all changes: first one of each kind, in any order."""
    kinds: dict[tuple[str, ...], list[Lie]] = {}
    for lie in lies(truth, others):
        kinds.setdefault(lie.kind, []).append(lie)
    rounds = [one for all in kinds.values() for one in enumerate(chance.sample(all, len(all)))]
    chance.shuffle(rounds)
    return [lie for _, lie in sorted(rounds, key=lambda one: one[0])][:count]
