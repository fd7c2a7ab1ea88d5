"""Observation of a move from inside, by recording the state at each call of a rule."""

import functools
import threading
from collections.abc import Callable
from typing import Any

from fairdeal.engine.compile import compiled
from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.records import Record, copied

Seen = list[tuple[Record, tuple[Any, ...]]]


def watched(root: Callable[..., Any], rule: Callable[..., Any]) -> Callable[..., Seen]:
    """Return a plain version of `root`, a rule of a state. It runs on a copy of the state and returns, for each call of
    `rule`, a copy of the state before the call and the other arguments. The rules themselves are not changed."""

    watch = Watch()

    @functools.cache
    def noting_root() -> Callable[..., Any]:
        return compiled.bound_plainly({"root": root}, {}, {rule: noting(rule, watch)})["root"]

    def run(state: Record, *others: Any) -> Seen:
        watch.state, watch.seen = copied(state), []
        on_fields(noting_root(), structure_of(state.dtype))(watch.state, *others)
        return watch.seen

    return run


class Watch(threading.local):
    """The move that a thread observes: its state, and the calls recorded so far."""

    state: Record
    seen: Seen


def noting(rule: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """Return a rule that records the state and the arguments before each call of `rule`."""

    def noted(fields: Any, *others: Any) -> Any:
        watch.seen.append((copied(watch.state), others))
        return rule(fields, *others)

    return noted
