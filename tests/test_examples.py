"""Games in packages of their own: Go Fish, and what `fairdeal new` writes. Built and installed beside fairdeal, they
pass the tests that every game has to pass, and are played in the browser and in the terminal."""

import os
import zipfile
from pathlib import Path

import pytest

from fairdeal.cli.new import new
from tests.conftest import build_wheel, run_module
from tests.server.visiting import CHROMIUM

ROOT = Path(__file__).parents[1]

KINDS = {"sky-jump": "", "sky-sea": "simultaneous", "sky-high": "tricks", "sky-walk": "rounds"}
"""Games that `fairdeal new` begins, each with its `--like`."""

IN_BROWSER = "tests/server/test_browser.py::test_a_whole_game_is_played_with_keys_alone"
OF_A_GAME = (
    "tests/terminal/test_playing.py::test_a_whole_game_is_played_with_keys_alone_and_its_log_verifies",
    "tests/test_cli.py::test_rules_prints_every_clause_of_a_game",
)
TEN_SEATS = "tests/ten_seats.py::test_a_game_of_ten_seats_is_possible_everywhere"


def installed(folder, package):
    """Return the environment of a process that has this package installed, in a folder."""
    zipfile.ZipFile(build_wheel(package, folder / "wheel")).extractall(folder / "packages")
    return os.environ | {"PYTHONPATH": str(folder / "packages")}


def test_toys_are_written_as_our_formatters_want_them(tmp_path, capsys):
    pytest.importorskip("ruff", reason="without Ruff (uv sync --group dev)")
    for name, like in KINDS.items():
        new(name, tmp_path, like)
        assert f"fairdeal play {name};" in capsys.readouterr().out
    for command in ("check --select F,E,I", "format --check"):
        run_module(f"ruff {command} --isolated --line-length 120 {tmp_path}")
    sources = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.py")}
    assert len(sources) > 4 * len(KINDS)
    assert [path for path, text in sources.items() if "fairdeal.skeleton" in text] == []


@pytest.mark.parametrize("name", [*KINDS, "go-fish"])
def test_a_package_is_tested_and_played_like_our_own_games(name, tmp_path):
    if name in KINDS:
        new(name, tmp_path, KINDS[name])
    package = tmp_path / name if name in KINDS else ROOT / "examples" / name
    environment = installed(tmp_path, package)
    assert f"{name} " in run_module("fairdeal games", env=environment)
    played = [*(f"{test}[{name}]" for test in (IN_BROWSER, *OF_A_GAME)), *([TEN_SEATS] if name == "sky-sea" else [])]
    every = " ".join([str(package / "tests"), *played])
    told = run_module(f"pytest -n 0 -p no:cacheprovider -vv {every}", cwd=ROOT, env=environment)
    assert told.count("::test_there_are_cases PASSED") == 1, told
    ended = {test: "PASSED" if CHROMIUM or IN_BROWSER not in test else "SKIPPED" for test in played}
    assert [test for test, how in ended.items() if f"{test} {how}" not in told] == [], told
    assert CHROMIUM or "1 without Chromium" in told, told
