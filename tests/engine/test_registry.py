"""What is installed, and what happens when a game of it is broken."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

import fairdeal
from fairdeal.engine import registry
from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import BrokenGame
from fairdeal.engine.game import Game, functions_of
from fairdeal.engine.records import rule

BROKEN = {
    "fairdeal.no_such_module:GAME": "cannot be loaded: ModuleNotFoundError: No module named 'fairdeal.no_such_module'",
    "broken_game.imports:GAME": "ImportError: cannot import name 'nothing' from 'fairdeal.engine.kit.piles'",
    "broken_game.raises:GAME": "ZeroDivisionError: division by zero (raises.py, line 3)",
    "broken_game.syntax:GAME": "SyntaxError: '(' was never closed (syntax.py, line 1)",
    "broken_game.empty:GAME": "AttributeError: module 'broken_game.empty' has no attribute 'GAME'",
    "broken_game.lacks:GAME": "TypeError: Game.__init__() missing ",
    "broken_game.number:GAME": "broken_game.number:GAME is a int, not a Game",
    "fairdeal.games.chi.game:GAME": "is called 'chi': give both the same name",
}
"""Entry points that do not work, with what is said of them."""

SOURCES = {
    "__init__": "",
    "imports": "from fairdeal.engine.kit.piles import nothing\n",
    "raises": "GAME = 1\n\nGAME = GAME / 0\n",
    "syntax": "GAME = (\n",
    "empty": "",
    "lacks": "from fairdeal.engine.game import Game\nGAME = Game.of(name='lacks')\n",
    "number": "GAME = 5\n",
}


def broken_package(folder, entry):
    """Install a game that does not load in a folder."""
    package, info = folder / "broken_game", folder / "broken_game-1.dist-info"
    for made in (package, info):
        made.mkdir()
    for name, text in SOURCES.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\nbroken = {entry}\n", "utf-8")
    return folder


def commanded(folder, *words):
    """Run a command with the packages of a folder; its exit code and both outputs."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "fairdeal", *map(str, words)]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    return found.returncode, found.stdout, found.stderr


@pytest.mark.parametrize(("entry", "words"), BROKEN.items(), ids=BROKEN)
def test_a_broken_game_says_in_one_line_what_is_wrong(entry, words, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(broken_package(tmp_path, entry))
    monkeypatch.setattr(registry, "entries", lambda: {"broken": EntryPoint("broken", entry, registry.GROUP)})
    with pytest.raises(BrokenGame) as told:
        registry.find_game("broken")
    assert str(told.value).startswith("the game broken is broken: ")
    assert words in str(told.value)
    assert "\n" not in str(told.value)
    for name in [name for name in sys.modules if name.partition(".")[0] == "broken_game"]:
        del sys.modules[name]


def test_commands_say_in_one_line_what_is_wrong_with_a_game(tmp_path):
    broken_package(tmp_path, "broken_game.raises:GAME")
    case = tmp_path / "rules.yaml"
    case.write_text("game: broken\ncases:\n- {id: a, clauses: [], deal: 1, steps: [{over: false}]}\n", "utf-8")
    line = "fairdeal: the game broken is broken: broken_game.raises:GAME cannot be loaded: ZeroDivisionError: division"
    line += " by zero (raises.py, line 3)\n"
    assert commanded(tmp_path, "play", "broken") == (1, "", line)
    assert commanded(tmp_path, "check", case) == (1, "", line)
    code, listed, told = commanded(tmp_path, "games")
    assert (code, told) == (0, line)
    assert "chi " in listed
    assert "broken" not in listed


@rule
def nonsense_of(action):
    return [action].nonsense()  # Numba knows no such method


@rule
def apply_a_list(state, player, action):
    state.turn = nonsense_of(action)


def test_a_rule_that_cannot_be_compiled_is_named_in_one_line():
    chi = fairdeal.find_game("chi")
    game = replace(chi, name="not-compiled", rules=replace(chi.rules, apply=apply_a_list))
    with pytest.raises(BrokenGame) as told:
        compiled.compiled(game)
    assert "\n" not in str(told.value)
    assert "its rules do not compile: TypingError: Unknown attribute 'nonsense'" in str(told.value)
    assert f"({Path(__file__).name}, line {nonsense_of.__code__.co_firstlineno + 2})" in str(told.value)


def test_a_game_that_does_not_load_leaves_the_others_alone(monkeypatch):
    entries = {
        "broken": EntryPoint("broken", "fairdeal.no_such_module:GAME", registry.GROUP),
        "chi": registry.entries()["chi"],
    }
    monkeypatch.setattr(registry, "entries", lambda: entries)
    with pytest.warns(RuntimeWarning, match="game broken is broken: .* cannot be loaded: ModuleNotFoundError"):
        games = registry.installed_games.__wrapped__()
    assert [game.name for game in games] == ["chi"]


def test_a_game_takes_functions_from_its_modules_and_nothing_else():
    module = ModuleType("some_game.notation")
    exec("def read_move(): ...\ndef unseen(): ...\nfrom math import floor as write_move", vars(module))
    assert list(functions_of(Game, [module])) == ["read_move"]
