"""What the tests share."""

from __future__ import annotations

import pytest

import fairdeal
from fairdeal.engine.registry import find_game


def presets() -> list[tuple[str, str]]:
    """Every installed game with each of its presets."""
    return [(name, preset) for name in fairdeal.game_names() for preset in find_game(name).presets]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"name", "preset"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("name", "preset"), presets(), ids=[" ".join(pair) for pair in presets()])
    elif "name" in metafunc.fixturenames:
        metafunc.parametrize("name", fairdeal.game_names())
