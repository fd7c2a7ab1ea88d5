"""What the tests share."""

from __future__ import annotations

import pytest

import fairdeal
from fairdeal.engine.registry import find_game


def presets() -> list[tuple[str, str]]:
    """Every installed game with each of its presets."""
    return [(name, preset) for name in fairdeal.game_names() for preset in find_game(name).presets]


def at_most_two(name: str) -> int:
    """How many play where a test wants few: one at a game for one, else two."""
    return min(2, find_game(name).players[1])


def names_for(most: int, least: int) -> list[str]:
    """The installed games whose largest table has so many seats."""
    return [name for name in fairdeal.game_names() if least <= find_game(name).players[1] <= most]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"name", "preset"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("name", "preset"), presets(), ids=[" ".join(pair) for pair in presets()])
    elif "name" in metafunc.fixturenames:
        metafunc.parametrize("name", fairdeal.game_names())
    elif "name_for_several" in metafunc.fixturenames:
        metafunc.parametrize("name_for_several", names_for(least=2, most=8))
    elif "name_for_one" in metafunc.fixturenames:
        metafunc.parametrize("name_for_one", names_for(least=1, most=1))
