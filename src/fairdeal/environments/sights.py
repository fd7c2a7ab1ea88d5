"""What a seat has seen and done in a game, in order: the information states of OpenSpiel.

A seat sees its own actions and, after every complete move, its view with a perfect memory, and whether it is to act. It
sees nothing of a move that another seat has not finished. `Step.sight` is what a step shows to a seat, to be compared,
and `Step.line` is the same as text, in the words of the game's positions:

    deal: turn: 0; hands: [["chi", "yin-red"], ["?", "?"]]; row: ["yin-pink", "chi"]; deck: [40 x "?"] (your turn)
    you draw 1: turn: 1; hands[0]: ["chi", "yin-red", "chi"]; row[1]: "yang3-red"; deck: [39 x "?"]
    move: turn: 0; hands[1]: ["?", "?", "yin-pink"]; row[0]: "chi"; deck: [38 x "?"] (your turn)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from fairdeal.engine.state import PERFECT_MEMORY, State
from fairdeal.environments.turns import Turns

RUN = 4
"""Least number of equal neighbours in a list that are written as one, with their number."""

Sight = tuple[int | None, bytes | None, bool]
"""The seat's own action, its view after a complete move, and whether it is to act then."""


class Step:
    """A deal or an action, after the steps before it.

    `player` took `action`, NOBODY for the deal. `state` is the state after a complete move, or None while the move is
    unfinished, and `turn` is the seat to act then. `lines` and `unfit` remember, by seat, what was computed: the line
    of this step, and the shuffles that do not show the seat the steps up to this one. Steps never change otherwise, so
    games in progress share them.
    """

    __slots__ = ("action", "before", "lines", "player", "state", "turn", "unfit")

    def __init__(self, before: Step | None, player: int, action: int, turns: Turns) -> None:
        self.before, self.player, self.action = before, player, action
        self.state = None if turns.draft else turns.moment
        self.turn = turns.player
        self.lines: dict[int, str] = {}
        self.unfit: dict[int, set[int]] = {}

    def __deepcopy__(self, known: Any) -> Step:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return all steps as one list, because pickle cannot follow a long chain."""
        return step_of, ([(step.player, step.action, step.state, step.turn) for step in self.all()],)

    def all(self) -> list[Step]:
        """Return the steps up to this one, the deal first."""
        found, step = [self], self.before
        while step is not None:
            found.append(step)
            step = step.before
        return found[::-1]

    def move(self) -> list[int]:
        """Return the actions of the move so far that this step belongs to."""
        actions, step = [self.action], self.before
        while step is not None and step.state is None:
            actions.append(step.action)
            step = step.before
        return actions[::-1]

    def sight(self, seat: int) -> Sight | None:
        """Return what this step shows to a seat, or None if it shows nothing."""
        own = self.action if seat == self.player else None
        if self.state is None:
            return None if own is None else (own, None, seat == self.turn)
        return own, self.state.view(seat, PERFECT_MEMORY).record.tobytes(), seat == self.turn

    def line(self, seat: int) -> str:
        """Return what this step shows to a seat as a line, or "" if it shows nothing."""
        if seat not in self.lines:
            self.lines[seat] = self.text_for(seat)
        return self.lines[seat]

    def text_for(self, seat: int) -> str:
        own = seat == self.player
        if self.state is None and not own:
            return ""
        known = self.state or self.known()
        what = f"you {known.game.actions.label(self.action)}" if own else "move" if self.before else "deal"
        if self.state is None:
            return f"{what} (your turn)"
        old = position(self.before.known(), seat) if self.before else {}
        turn = " (your turn)" if seat == self.turn else ""
        return f"{what}: {'; '.join(changes(old, position(self.state, seat)))}{turn}"

    def known(self) -> State:
        """Return the state after the last complete move."""
        step = self
        while step.state is None:
            assert step.before, "a deal is a complete move"
            step = step.before
        return step.state


def step_of(parts: list[tuple[int, int, State | None, int]]) -> Step:
    """Restore pickled steps, and return the last one."""
    step: Step | None = None
    for player, action, state, turn in parts:
        after = Step.__new__(Step)
        after.before, after.player, after.action, after.state, after.turn = step, player, action, state, turn
        after.lines, after.unfit = {}, {}
        step = after
    assert step is not None
    return step


def history_of(step: Step | None, seat: int) -> str:
    """Return everything that a seat has seen and done, in lines."""
    return "\n".join(line for one in (step.all() if step else ()) if (line := one.line(seat)))


def position(state: State, seat: int) -> dict[str, Any]:
    """Return what a seat with a perfect memory knows, as JSON without the options."""
    return state.game.write_position(state.view(seat, PERFECT_MEMORY).record)


def changes(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yield the changes to a position, such as `row[3]: "chi"`, or `no missed` for a field that is gone."""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys([*new, *old]):
            place = f"{path}.{name}" if path else name
            if name not in new:
                yield f"no {place}"
            elif name in old:
                yield from changes(old[name], new[name], place)
            else:
                yield f"{place}: {text(new[name])}"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from changes(was, now, f"{path}[{number}]")
    else:
        yield f"{path}: {text(new)}"


def text(value: Any) -> str:
    """Return a part of a position as JSON in which equal neighbours in a list are written once: `[40 x "?"]`."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{text(name)}: {text(part)}' for name, part in value.items())}}}"
    if not isinstance(value, list):
        return msgspec.json.encode(value).decode()
    parts: list[str] = []
    for part, equal in groupby(map(text, value)):
        number = len(list(equal))
        parts += [f"{number} x {part}"] if number >= RUN else [part] * number
    return f"[{', '.join(parts)}]"
