"""Games in packages of their own: Go Fish, and what `fairdeal new` writes. Built and installed beside fairdeal, they
pass the tests that every game has to pass, and are played in the browser and in the terminal."""

import os
import zipfile

import pytest

from fairdeal.cli.new import new
from tests.conftest import ROOT, build_wheel, run_module
from tests.server.visiting import CHROMIUM

KINDS = {"sky-jump": "", "sky-sea": "simultaneous", "sky-high": "tricks", "sky-walk": "rounds"}
"""Games that `fairdeal new` begins, each with its `--like`."""

IN_BROWSER = "tests/server/test_browser.py::test_a_whole_game_is_played_by_ear_and_with_keys_alone"
OF_A_GAME = (
    "tests/environments/test_spaces.py::test_every_observation_is_in_its_space",
    "tests/environments/test_spaces.py::test_rescaled_observations_vary_where_observations_do",
    "tests/terminal/test_playing.py::test_a_whole_game_is_played_with_keys_alone_and_its_log_verifies",
    "tests/test_cli.py::test_rules_prints_every_clause_of_a_game",
)
TEN_SEATS = "tests/ten_seats.py::test_a_game_of_ten_seats_is_possible_everywhere"


def installed(folder, package):
    """Return the environment of a process that has this package installed, in a folder."""
    zipfile.ZipFile(build_wheel(package, folder / "wheel")).extractall(folder / "packages")
    return os.environ | {"PYTHONPATH": str(folder / "packages")}


def begun(folder):
    """Begin a game of every kind with `fairdeal new`; return the folders of their packages, by name."""
    for name, like in KINDS.items():
        new(name, folder, like)
    return {name: folder / name for name in KINDS}


def test_toys_are_written_as_our_formatters_want_them(tmp_path, capsys):
    pytest.importorskip("ruff", reason="without Ruff (uv sync --group dev)")
    begun(tmp_path)
    printed = capsys.readouterr().out
    assert [name for name in KINDS if f"fairdeal play {name};" not in printed] == []
    for command in ("check --select F,E,I", "format --check"):
        run_module(f"ruff {command} --isolated --line-length 120 {tmp_path}")
    sources = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.py")}
    assert len(sources) > 4 * len(KINDS)
    assert [path for path, text in sources.items() if "fairdeal.skeleton" in text] == []


@pytest.mark.parametrize("kind", [*KINDS, "go-fish"])
def test_a_package_is_tested_and_played_like_our_own_games(kind, tmp_path):
    package = begun(tmp_path)[kind] if kind in KINDS else ROOT / "examples" / kind
    environment = installed(tmp_path, package)
    assert f"{kind} " in run_module("fairdeal games", env=environment)
    played = [*(f"{test}[{kind}]" for test in (IN_BROWSER, *OF_A_GAME)), *([TEN_SEATS] if kind == "sky-sea" else [])]
    every = " ".join([str(package / "tests"), *played])
    told = run_module(f"pytest -n 0 -p no:cacheprovider -vv {every}", cwd=ROOT, env=environment)
    assert told.count("::test_there_are_cases PASSED") == 1, told
    ended = {test: "PASSED" if CHROMIUM or IN_BROWSER not in test else "SKIPPED" for test in played}
    assert [test for test, how in ended.items() if f"{test} {how}" not in told] == [], told
    assert CHROMIUM or "2 without Chromium" in told, told
