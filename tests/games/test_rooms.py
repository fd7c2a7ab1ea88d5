"""Folders and modules of games: all games have the same ones (docs/architecture.md)."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import fairdeal.games
from fairdeal.engine.compile.compiler import is_rule

GAMES = Path(fairdeal.games.__path__[0])
ROOMS = {"rules", "text", "picture", "cases", "lessons", "look", "catalogue"}
MODULES = {"__init__", "game", "state", "record", "fields", "conditions", "options", "cards", "bots", "rules", "events"}
SHARED = {"colours", "deck", "tempo"}
"""Modules that several rooms use: the colours of two games, the deck of seven, the speed of bots in a race."""


def folders():
    return sorted({path.parent for path in GAMES.rglob("game.py")})


def rule_modules():
    names = [found.name for found in pkgutil.walk_packages(fairdeal.games.__path__, "fairdeal.games.")]
    return [name for name in names if "rules" in name.split(".")]


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_a_game_has_the_rooms_that_all_have(folder):
    modules = {path.stem for path in folder.glob("*.py")}
    rooms = {path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"}
    inner = {path.name for path in folder.iterdir() if (path / "game.py").exists()}
    assert modules <= MODULES | SHARED
    assert rooms - inner <= ROOMS
    assert {"game", "state", "options"} <= modules
    assert {"text", "picture"} <= rooms


def test_modules_of_rules_hold_rules_only():
    looked_at = 0
    for name in rule_modules():
        module = importlib.import_module(name)
        own = [found for found in vars(module).values() if inspect.isfunction(found) and found.__module__ == name]
        assert [found.__name__ for found in own if not is_rule(found)] == [], name
        looked_at += len(own)
    assert looked_at > 500
