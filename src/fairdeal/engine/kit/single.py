"""Functions that write, read and explain moves of one action, derived from a game's declarations.

    TEXTS                              texts of the actions, which do not depend on the state
    misread(state, text)               return the error for text that does not name an action
    why_not(state, player, action)     return the reason why an action is not legal now, and the clause, or None

`Game.of` derives `write_move`, `read_move` and `explain` from these if the game does not define them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot

Misread = Callable[[Snapshot, str], IllegalMove]
WhyNot = Callable[[Snapshot, int, int], tuple[str, str] | None]
NAMES = ("misread", "why_not")


def single_actions(given: dict[str, Any], texts: Texts | None, says: dict[str, Any]) -> dict[str, Any]:
    """Return a game's functions, adding those that can be derived when every move is one action. `says` contains the
    functions listed in `NAMES`."""
    if texts:
        given = {"write_move": writer(texts)} | given
        if "misread" in says:
            given = {"read_move": reader(texts, says["misread"])} | given
    if "why_not" in says:
        given = {"explain": explainer(says["why_not"])} | given
    return given


def writer(texts: Texts) -> Callable[[Snapshot, int, Sequence[int]], str]:
    """Return a `write_move` function based on `texts`."""

    def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
        return texts.write(actions[0]) or ""

    return write_move


def reader(texts: Texts, misread: Misread) -> Callable[[Snapshot, int, str], list[int]]:
    """Return a `read_move` function based on `texts`."""

    def read_move(state: Snapshot, player: int, text: str) -> list[int]:
        action = texts.read(text)
        if action is None:
            raise misread(state, text)
        return [action]

    return read_move


def explainer(why_not: WhyNot) -> Callable[[Snapshot, int, Sequence[int]], tuple[str, str] | None]:
    """Return an `explain` function that gives the reasons of `why_not`."""
    return lambda state, player, actions: why_not(state, player, *actions) if len(actions) == 1 else None
