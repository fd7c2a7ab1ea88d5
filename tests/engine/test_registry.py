"""What is installed, and what happens when a game of it is broken."""

from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from fairdeal.engine import registry
from fairdeal.engine.game import Game, functions_of


def test_a_game_that_does_not_load_leaves_the_others_alone(monkeypatch):
    entries = {
        "broken": EntryPoint("broken", "fairdeal.no_such_module:GAME", registry.GROUP),
        "chi": registry.entries()["chi"],
    }
    monkeypatch.setattr(registry, "entries", lambda: entries)
    with pytest.warns(RuntimeWarning, match="broken cannot be loaded: ModuleNotFoundError"):
        games = registry.installed_games.__wrapped__()
    assert [game.name for game in games] == ["chi"]


def test_a_game_takes_functions_from_its_modules_and_nothing_else():
    module = ModuleType("some_game.notation")
    exec("def read_move(): ...\ndef unseen(): ...\nfrom math import floor as write_move", vars(module))
    assert list(functions_of(Game, [module])) == ["read_move"]
