"""Moves of one action: how they are written, read and refused follows from what a game says of its actions.

    TEXTS                              their texts, which depend on no state
    misread(state, text)               what is wrong with a text that names no action
    why_not(state, player, action)     why an action is not legal now, and the clause; None if nothing speaks against it

`Game.of` makes `write_move`, `read_move` and `explain` of these where the game has none of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot

Misread = Callable[[Snapshot, str], IllegalMove]
WhyNot = Callable[[Snapshot, int, int], tuple[str, str] | None]
NAMES = ("misread", "why_not")


def single_actions(given: dict[str, Any], texts: Texts | None, says: dict[str, Any]) -> dict[str, Any]:
    """The functions of a game, with those that follow for moves of one action; `says` has what NAMES are."""
    if texts:
        given = {"write_move": writer(texts)} | given
        if "misread" in says:
            given = {"read_move": reader(texts, says["misread"])} | given
    if "why_not" in says:
        given = {"explain": explainer(given["read_move"], says["why_not"])} | given
    return given


def writer(texts: Texts) -> Callable[[Snapshot, int, Sequence[int]], str]:
    """`write_move` by these texts."""

    def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
        return texts.write(actions[0]) or ""

    return write_move


def reader(texts: Texts, misread: Misread) -> Callable[[Snapshot, int, str], list[int]]:
    """`read_move` by these texts."""

    def read_move(state: Snapshot, player: int, text: str) -> list[int]:
        action = texts.read(text)
        if action is None:
            raise misread(state, text)
        return [action]

    return read_move


def explainer(
    read_move: Callable[[Snapshot, int, str], list[int]], why_not: WhyNot
) -> Callable[[Snapshot, int, str], IllegalMove | None]:
    """`explain` by the reason against an action."""

    def explain(state: Snapshot, player: int, text: str) -> IllegalMove | None:
        reason = why_not(state, player, read_move(state, player, text)[0])
        return IllegalMove(text, *reason) if reason else None

    return explain
