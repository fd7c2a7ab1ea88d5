"""Installed games, and those that are broken."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint, distributions, version
from pathlib import Path
from types import ModuleType

import pytest

from fairdeal import cli
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
    "fairdeal.games.chi.game:GAME": "has the name 'chi'; both must have the same name",
}
"""Entry points that do not work, and words of their errors."""

SOURCES = {
    "__init__": "",
    "imports": "from fairdeal.engine.kit.piles import nothing\n",
    "raises": "GAME = 1\n\nGAME = GAME / 0\n",
    "syntax": "GAME = (\n",
    "empty": "",
    "lacks": "from fairdeal.engine.game import Game\nGAME = Game.of(name='lacks')\n",
    "number": "GAME = 5\n",
}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A function that installs a broken game with an entry point, beside CHI."""

    def install(entry):
        for folder in ("broken_game", "broken_game-1.dist-info"):
            (tmp_path / folder).mkdir()
        for name, text in SOURCES.items():
            (tmp_path / "broken_game" / f"{name}.py").write_text(text, "utf-8")
        info = tmp_path / "broken_game-1.dist-info"
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\nbroken = {entry}\n", "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        entries = {"broken": EntryPoint("broken", entry, registry.GROUP), "chi": registry.entries()["chi"]}
        monkeypatch.setattr(registry, "entries", lambda: entries)

    yield install
    registry.version_of.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "broken_game"]:
        del sys.modules[name]


@pytest.mark.parametrize(("entry", "words"), BROKEN.items(), ids=BROKEN)
def test_the_error_of_a_broken_game_is_one_line(entry, words, install):
    install(entry)
    with pytest.raises(BrokenGame) as error:
        registry.find_game("broken")
    assert str(error.value).startswith("the game broken is broken: ")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_the_words_of_a_strangers_game_depend_on_two_packages(install, tmp_path, monkeypatch):
    install("broken_game.number:GAME")
    own = registry.version_of("chi")
    assert own == version("fairdeal")
    assert registry.version_of("broken") == ""
    registry.version_of.cache_clear()
    (package,) = distributions(name="broken-game", path=[str(tmp_path)])
    monkeypatch.setattr(registry, "entries", lambda: {entry.name: entry for entry in package.entry_points})
    assert registry.version_of("broken") == f"{own} with broken-game 1"


def test_commands_print_the_error_of_a_broken_game_in_one_line(install, tmp_path, monkeypatch, capsys):
    install("broken_game.raises:GAME")
    case = tmp_path / "rules.yaml"
    case.write_text("game: broken\ncases:\n- {id: a, clauses: [], deal: 1, steps: [{over: false}]}\n", "utf-8")
    line = "fairdeal: the game broken is broken: broken_game.raises:GAME cannot be loaded: ZeroDivisionError: division"
    line += " by zero (raises.py, line 3)\n"
    for words in (["play", "broken"], ["check", str(case)]):
        monkeypatch.setattr(sys, "argv", ["fairdeal", *words])
        with pytest.raises(SystemExit, match="1"):
            cli.main()
        assert capsys.readouterr() == ("", line)
    command, path = [sys.executable, "-m", "fairdeal", "games"], {"PYTHONPATH": str(tmp_path)}
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | path, timeout=120)
    assert (run.returncode, run.stderr) == (0, line)
    assert "chi " in run.stdout
    assert "broken" not in run.stdout


@rule
def nonsense_of(action):
    return [action].nonsense()  # Numba knows no such method


@rule
def deal_a_list(state):
    state.turn = nonsense_of(1)


def test_the_error_of_a_rule_that_cannot_be_compiled_names_it_in_one_line():
    chi = registry.find_game("chi")
    game = replace(chi, name="not-compiled", rules=replace(chi.rules, deal=deal_a_list))
    with pytest.raises(BrokenGame) as error:
        compiled.compiled(game)
    assert "\n" not in str(error.value)
    assert "its rules do not compile: TypingError: Unknown attribute 'nonsense'" in str(error.value)
    assert f"({Path(__file__).name}, line {nonsense_of.__code__.co_firstlineno + 2})" in str(error.value)


def test_a_game_that_does_not_load_leaves_the_others_alone(install):
    install("fairdeal.no_such_module:GAME")
    with pytest.warns(RuntimeWarning, match="game broken is broken: .* cannot be loaded: ModuleNotFoundError"):
        games = registry.installed_games.__wrapped__()
    assert [game.name for game in games] == ["chi"]


def test_a_game_takes_only_its_own_functions_from_its_modules():
    module = ModuleType("some_game.notation")
    exec("def read_move(): ...\ndef unseen(): ...\nfrom math import floor as write_move", vars(module))
    assert list(functions_of(Game, [module])) == ["read_move"]
