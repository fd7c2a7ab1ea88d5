"""Looking into a move: what stood on the table each time a rule was about to be called."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.records import Record, copied
from fairdeal.engine.twin import called_rules, copy_calling, reachable

Seen = list[tuple[Record, tuple[Any, ...]]]


def watched(root: Callable[..., Any], rule: Callable[..., Any]) -> Callable[..., Seen]:
    """Like `root`, a rule of a state, but on a copy of it, and plain: gives for each time that `rule` was about to be
    called a copy of the state as it was then, and what else the rule was given. The rules stay as they are."""

    @functools.cache
    def order() -> list[tuple[types.FunctionType, dict[str, types.FunctionType]]]:
        return [(function, called_rules(function, {})) for function in reachable([root], {})]

    def run(state: Record, *others: Any) -> Seen:
        state = copied(state)
        seen: Seen = []
        copies: dict[Callable[..., Any], Callable[..., Any]] = {}
        for function, calls in order():
            copies[function] = copy_calling(function, {name: copies[called] for name, called in calls.items()})
            if function is rule:
                copies[function] = noting(copies[function], state, seen)
        on_fields(copies[root], structure_of(state.dtype))(state, *others)
        return seen

    return run


def noting(rule: Callable[..., Any], state: Record, seen: Seen) -> Callable[..., Any]:
    """The rule, after a note of the state and of what it is given."""

    def noted(fields: Any, *others: Any) -> Any:
        seen.append((copied(state), others))
        return rule(fields, *others)

    return noted
