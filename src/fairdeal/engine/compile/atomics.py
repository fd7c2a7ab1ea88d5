"""Counters that several threads increment at once."""

from collections.abc import Callable
from functools import cache
from typing import Any

from fairdeal.engine.records import Record, RuleFunction, rule


def native(make: Callable[[], Any]) -> Callable[[RuleFunction], RuleFunction]:
    """Mark a rule that has its own compiled version. `make` returns that version, and the rule itself defines its
    effect in a single thread."""

    def mark(function: RuleFunction) -> RuleFunction:
        function.__fairdeal_native__ = cache(make)  # type: ignore[attr-defined]
        return rule(function)

    return mark


def adder() -> Any:
    """Return `add` compiled to one atomic instruction. A thread that calls it sees everything that other threads wrote
    before their earlier additions."""
    from numba import int64, njit
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def fetch_and_add(typing: Any, numbers: Any, place: Any, more: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = signature.args[0]
            array = context.make_array(kind)(context, builder, args[0])
            number = cgutils.get_item_pointer(context, builder, kind, array, [args[1]])
            return builder.atomic_rmw("add", number, args[2], "seq_cst")

        return int64(numbers, int64, int64), generate

    def add(numbers: Any, place: int, more: int) -> Any:
        return fetch_and_add(numbers, place, more)

    twin = njit(int64(int64[::1], int64, int64), nogil=True, error_model="numpy", _nrt=False)(add)
    twin.disable_compile()
    return twin


@native(adder)
def add(numbers: Record, place: int, more: int) -> int:
    """Add `more` to an element of an array, and return its previous value. Concurrent additions are carried out one
    after another."""
    before = int(numbers[place])
    numbers[place] += more
    return before
