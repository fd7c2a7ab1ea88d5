"""What is installed, and what happens when a game of it is broken."""

from importlib.metadata import EntryPoint

import pytest

from fairdeal.engine import registry


def test_a_game_that_does_not_load_leaves_the_others_alone(monkeypatch):
    entries = {
        "broken": EntryPoint("broken", "fairdeal.no_such_module:GAME", registry.GROUP),
        "chi": registry.entries()["chi"],
    }
    monkeypatch.setattr(registry, "entries", lambda: entries)
    with pytest.warns(RuntimeWarning, match="broken cannot be loaded: ModuleNotFoundError"):
        games = registry.installed_games.__wrapped__()
    assert [game.name for game in games] == ["chi"]
