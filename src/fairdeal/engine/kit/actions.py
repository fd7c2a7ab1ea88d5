"""Declaration of a game's actions in one place: the meaning of its small integers, and their text.

A game numbers its actions in `state.py`, verb after verb, and its rules work with the numbers:

    ACTIONS = Actions(draw=6, play=12, chi=1)
    DRAW, PLAY, CHI = ACTIONS.firsts

Code for texts and pictures decodes a number: `match ACTIONS.decode(action): case "draw", place: ...`. `Texts` adds the
text of each action; only verbs whose text depends on the state need code.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from fairdeal.engine.errors import IllegalMove

Template = str | tuple[str, Sequence[object]] | None
"""The text of a verb: `"draw {}"`, in which the index of the target replaces the braces; `("play {}", names)`, with a
name for each action in turn; or None if the text depends on the state."""


class Action(NamedTuple):
    """The meaning of an action: its verb, and the index of its target. Example: `Action("draw", 3)`."""

    verb: str
    which: int


@dataclass(frozen=True)
class Verb:
    """A run of `count` action ids with one effect on different targets, whose indices begin with `start`. The first id
    is `at` (default: the id after the previous verb)."""

    count: int = 1
    start: int = 0
    at: int | None = None


class Actions:
    """The actions of a game, numbered verb after verb: `Actions(draw=6, cut=Verb(39, start=1), chi=1)`.

    A game that shares actions with others begins with theirs: `Actions(SHARED, flip=18)`. An underscore at the end is
    not part of the verb: `pass_` is `pass`. `len` returns the number of action ids. Raises ValueError if verbs overlap.

    >>> actions = Actions(draw=6, chi=1, pass_=1)
    >>> actions.firsts, len(actions)
    ((0, 6, 7), 8)
    >>> actions.decode(3), actions.encode("pass")
    (Action(verb='draw', which=3), 7)
    """

    def __init__(self, shared: Actions | None = None, /, **verbs: int | Verb) -> None:
        self.verbs: dict[str, Verb] = dict(shared.verbs) if shared else {}
        verbs = {plain_name(name): verb for name, verb in verbs.items()}
        self.own = tuple(verbs)
        self._decoded: list[Action | None] = list(shared._decoded) if shared else []
        for name, verb in verbs.items():
            self._add(name, verb if isinstance(verb, Verb) else Verb(verb))

    def _add(self, name: str, verb: Verb) -> None:
        at = len(self) if verb.at is None else verb.at
        if at < len(self) or name in self.verbs:
            raise ValueError(f"{name} overlaps another verb: the next free number is {len(self)}, not {at}")
        self.verbs[name] = replace(verb, at=at)
        self._decoded += [None] * (at - len(self))
        self._decoded += [Action(name, verb.start + number) for number in range(verb.count)]

    def __len__(self) -> int:
        return len(self._decoded)

    def __iter__(self) -> Iterator[int]:
        """Yield the ids that are actions, without the gaps."""
        return (number for number, action in enumerate(self._decoded) if action is not None)

    @property
    def firsts(self) -> tuple[int, ...]:
        """The first action id of each verb that this object adds, to which the index of a target is added."""
        return tuple(self.base(name) for name in self.own)

    def base(self, name: str) -> int:
        """Return the first action id of a verb, to which the index of a target is added."""
        verb = self.verbs[name]
        assert verb.at is not None
        return verb.at - verb.start

    def decode(self, number: int) -> Action:
        """Return the verb and the index of an action. Raise IndexError for a number that is not an action."""
        try:
            found = self._decoded[number] if number >= 0 else None
        except IndexError:
            found = None
        if found is None:
            raise IndexError(f"{number} is not an action: actions have numbers from 0 to {len(self) - 1}")
        return found

    def encode(self, verb: str, index: int = 0) -> int:
        """Return the number of an action. Raise KeyError for an unknown verb, and IndexError for an index that it does
        not have.
        """
        known = self.verbs[verb]
        if not known.start <= index < known.start + known.count:
            raise IndexError(f"{verb} has the indices {known.start} to {known.start + known.count - 1}, not {index}")
        return self.base(verb) + index

    def label(self, number: int) -> str:
        """Return a name for an action that does not depend on the state: `draw 3`, `chi`."""
        verb, index = self.decode(number)
        return f"{verb} {index}" if self.verbs[verb].count > 1 else verb


class Texts:
    """The texts of a game's actions that do not depend on the state.

    Give one template for each verb: a text with `{}` for the index, a pair of such a text and the names of the indices,
    or None if the text depends on the state. Raises ValueError for a verb without a template, for a wrong number of
    names, and for a text shared by two actions.

    >>> texts = Texts(Actions(draw=3, paint=2), draw="draw {}", paint=("paint {}", ("red", "blue")))
    >>> texts.write(4), texts.read("draw 02")
    ('paint blue', 2)
    """

    def __init__(self, actions: Actions, shared: Texts | None = None, /, **templates: Template) -> None:
        self._texts: dict[int, str] = dict(shared._texts) if shared else {}
        self._numbers: dict[str, int] = dict(shared._numbers) if shared else {}
        templates = {plain_name(name): template for name, template in templates.items()}
        expected = set(actions.own if shared else actions.verbs)
        if expected != set(templates):
            raise ValueError(f"each verb must have one template; check {', '.join(sorted(expected ^ set(templates)))}")
        for verb, template in templates.items():
            for number, text in texts_of(actions, verb, template):
                if text in self._numbers:
                    raise ValueError(f"{text!r} stands for actions {self._numbers[text]} and {number}")
                self._texts[number] = text
                self._numbers[text] = number

    def write(self, action: int) -> str | None:
        """Return the text of an action, or None if it depends on the state."""
        return self._texts.get(action)

    def read(self, text: str) -> int | None:
        """Return the action that `text` stands for, or None. Leading zeros in numbers are ignored."""
        number = self._numbers.get(text)
        return self._numbers.get(plain(text)) if number is None else number

    def unknown(self, text: str, examples: str) -> IllegalMove:
        """Return the error for `text`, which is not a move. The error lists the examples and similar texts."""
        near = difflib.get_close_matches(text, self._numbers, cutoff=0.75)
        like = f"; did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else ""
        return IllegalMove(text, f"write {examples}{like}")


def plain_name(name: str) -> str:
    """Return a verb's name without the trailing underscore that avoids a Python keyword."""
    return name.removesuffix("_")


def texts_of(actions: Actions, verb: str, template: Template) -> Iterator[tuple[int, str]]:
    """Yield the actions of a verb, each with its text."""
    if template is None:
        return
    count, start = actions.verbs[verb].count, actions.verbs[verb].start
    form, names = template if isinstance(template, tuple) else (template, range(start, start + count))
    if len(names) != count:
        raise ValueError(f"{verb} has {count} actions and {len(names)} names")
    for index, name in enumerate(names, start):
        yield actions.encode(verb, index), form.format(name)


def plain(text: str) -> str:
    """Return `text` with its numbers in ASCII digits, without leading zeros."""
    return " ".join(str(int(word)) if word.isdecimal() and len(word) <= 4 else word for word in text.split(" "))
