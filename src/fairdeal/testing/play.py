"""Shared parts of the checks: tables, random games, and differences between states or positions."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.game import Game
from fairdeal.engine.options import read_options
from fairdeal.engine.records import SPECTATOR, Record
from fairdeal.engine.state import State, Table

Path = tuple[Any, ...]
Move = tuple[int, tuple[int, ...]]


def table_of(game: Game, options: Mapping[str, object] | None = None, preset: str = "") -> Table:
    """Return a table with the options of a preset, overridden by `options`."""
    chosen = dict(game.presets[preset]) if preset else {}
    return Table(game, read_options(game.options, chosen | dict(options or {})))


def viewers(state: State) -> list[int]:
    """Return all viewers: the seats and the spectator."""
    return [*range(state.players), SPECTATOR]


def play_at_random(state: State, dice: random.Random, player: int | None = None) -> Move:
    """Play a random complete move, check the conditions of the game, and return the player and the actions."""
    player = dice.choice(state.to_act) if player is None else player
    apply = compiled.rules_of(state.game).apply
    actions: list[int] = []
    while not actions or state.composing:
        actions.append(dice.choice(state.legal_actions(player)))
        apply(state.record, player, actions[-1])
    for path, reason in state.broken():
        raise AssertionError(f"{state.table}, after {actions} of seat {player}: {path} is wrong: {reason}")
    return player, tuple(actions)


def random_states(table: Table, name: str, number: int, steps: int = 7) -> Iterator[tuple[State, random.Random, str]]:
    """Yield states of random games with a random generator and a description. Many of them are early states, in which
    little is known."""
    dice = random.Random(name)
    state, seed, moves = None, 0.0, 0
    for _ in range(number):
        for _ in range(dice.randint(1, steps)):
            if state is None or state.over or dice.random() < 0.05:
                seed, moves = dice.random(), 0
                state = table.deal(str(seed))
            play_at_random(state, dice)
            moves += 1
        if state is not None and not state.over:
            yield state, dice, f"seed {seed}, after {moves} random moves of dice {name!r}"


def states_by_phase(table: Table, name: str, first: State | None = None) -> Iterator[tuple[State, str, str]]:
    """Yield states of random games with their phase and a description, until there are three states of each phase. The
    first game continues from `first`."""
    dice, met = random.Random(name), Counter[str]()
    state, seed, moves = first and first.copy(), 0.0, 0
    for _ in range(150):
        if state is None or state.over:
            seed, moves = dice.random(), 0
            state = table.deal(str(seed))
        phase = str(table.game.write_position(state.record).get("phase", ""))
        if met[phase] < 3 or dice.random() < 0.03:
            met[phase] += 1
            yield state, phase, f"seed {seed}, after {moves} random moves of dice {name!r}"
        play_at_random(state, dice)
        moves += 1


def fields_differing(one: Record, other: Record, kind: np.dtype[Any] | None = None, path: str = "") -> Iterator[str]:
    """Yield the fields in which two records differ, with both values: `hands[1].cards[3] is 4 in one and 0 in the
    other`."""
    kind = kind or one.dtype
    if kind.subdtype is not None:
        base, (length, *inner) = kind.subdtype
        part = np.dtype((base, tuple(inner))) if inner else base
        for place in range(length):
            yield from fields_differing(one[place], other[place], part, f"{path}[{place}]")
    elif kind.names is not None:
        for name in kind.names:
            yield from fields_differing(one[name], other[name], kind[name], f"{path}.{name}".lstrip("."))
    elif one != other:
        yield f"{path} is {one} in one and {other} in the other"


def check_same(one: Record, other: Record, where: str) -> None:
    """Check that two records have the same bytes. The message lists the first fields that differ, with those of the
    random number generator last."""
    if one.tobytes() != other.tobytes():
        found = sorted(fields_differing(one, other), key=lambda field: field.startswith("chance"))
        more = f"; and {len(found) - 5} more" if len(found) > 5 else ""
        raise AssertionError(f"{where}: {'; '.join(found[:5])}{more}")


def differing(one: Any, other: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths at which two positions differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in one.keys() | other.keys():
            yield from differing(one.get(key), other.get(key), (*path, key))
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differing(*pair, (*path, number))
    elif one != other:
        yield path


def check_equal(one: Any, other: Any, where: str) -> None:
    """Check that two trees of mappings and lists are equal. The message gives the first path at which they differ."""
    if one == other:
        return
    for path in sorted(differing(one, other), key=str)[:1]:
        raise AssertionError(
            f"{where}: {path_text(path)} is {at(one, path)!r} in one and {at(other, path)!r} in the other"
        )


def path_text(path: Path) -> str:
    """Return a path as written in cases, such as `hands[0].cards`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".") or "all of it"


def at(value: Any, path: Path) -> Any:
    """Return the value at a path, or None if there is none."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(step)
        else:
            value = value[step] if isinstance(value, list | tuple) and step < len(value) else None
    return value


def must_have(found: float, least: float, what: str) -> None:
    """Fail if `found` is less than `least`, with `what` in the message. A check that examines too little proves
    nothing."""
    if found < least:
        raise AssertionError(f"this checked too little: {what}: {found}, but at least {least} are needed")
