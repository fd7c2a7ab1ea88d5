"""Looking into a move: what stood on the table each time a rule was about to be called."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

from fairdeal.engine.compile.compiler import called_rules, copy_calling, reachable
from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.records import Record, copied

Seen = list[tuple[Record, tuple[Any, ...]]]


def watched(root: Callable[..., Any], rule: Callable[..., Any]) -> Callable[..., Seen]:
    """Like `root`, a rule of a state, but on a copy of it, and plain: gives for each time that `rule` was about to be
    called a copy of the state as it was then, and what else the rule was given. The rules stay as they are."""

    watch = Watch()

    @functools.cache
    def copied_root() -> Callable[..., Any]:
        copies: dict[Callable[..., Any], Callable[..., Any]] = {}
        for function in reachable([root], {}):
            calls = called_rules(function, {})
            copies[function] = copy_calling(function, {name: copies[called] for name, called in calls.items()})
            if function is rule:
                copies[function] = noting(copies[function], watch)
        return copies[root]

    def run(state: Record, *others: Any) -> Seen:
        watch.state, watch.seen = copied(state), []
        on_fields(copied_root(), structure_of(state.dtype))(watch.state, *others)
        return watch.seen

    return run


class Watch(threading.local):
    """The move that a thread looks into: its state, and what was noted so far."""

    state: Record
    seen: Seen


def noting(rule: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """Return the rule with a note before it of the state and of its arguments."""

    def noted(fields: Any, *others: Any) -> Any:
        watch.seen.append((copied(watch.state), others))
        return rule(fields, *others)

    return noted
