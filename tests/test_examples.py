"""Games in packages of their own: Go Fish, and what `fairdeal new` writes. Built and installed beside fairdeal, they
owe what every game owes, and are played in the browser and in the terminal."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.server.visiting import CHROMIUM

ROOT = Path(__file__).parents[1]
PLAYED = (
    "tests/server/test_browser.py::test_a_whole_game_is_played_with_keys_alone",
    "tests/terminal/test_playing.py::test_a_whole_game_is_played_with_keys_alone_and_its_log_verifies",
)


def run(*command, **more):
    found = subprocess.run(command, capture_output=True, text=True, timeout=1200, **more)
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
    return found.stdout


def installed(package, folder):
    """The environment of a process that has this package installed, in a folder."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=package)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "packages")
    return os.environ | {"PYTHONPATH": str(folder / "packages")}


def begun(name, folder, like=""):
    """A game that `fairdeal new` has begun."""
    told = run(
        sys.executable, "-m", "fairdeal", "new", name, "--folder", str(folder), *(["--like", like] if like else [])
    )
    assert f"fairdeal play {name}" in told
    return folder / name


KINDS = {"sky-jump": "", "sky-sea": "simultaneous", "sky-high": "tricks", "sky-walk": "rounds"}
"""Games that `fairdeal new` begins, each with its `--like`."""


@pytest.fixture(params=["go-fish", *KINDS])
def game(request, tmp_path):
    """A game's name, the folder of its package, and the environment in which it is installed."""
    name = request.param
    package = ROOT / "examples" / name if name == "go-fish" else begun(name, tmp_path, KINDS[name])
    return name, package, installed(package, tmp_path)


def test_a_game_of_ten_seats_is_possible_everywhere(tmp_path):
    environment = installed(begun("sky-sea", tmp_path, "simultaneous"), tmp_path)
    told = run(sys.executable, "-m", "tests.ten_seats", "sky-sea", cwd=ROOT, env=environment)
    assert "sky-sea: ten seats everywhere" in told


@pytest.mark.parametrize("like", [kind for kind in KINDS.values() if kind])
def test_a_toy_is_written_as_our_formatters_want_it(like, tmp_path):
    package = begun("sky", tmp_path, like)
    for command in (["check", "--select", "F,E,I"], ["format", "--check"]):
        run(sys.executable, "-m", "ruff", *command, "--isolated", "--quiet", "--line-length", "120", str(package))
    assert "fairdeal.skeleton" not in "".join(path.read_text("utf-8") for path in package.rglob("*.py"))


def test_a_package_is_tested_and_played_like_our_own_games(game):
    name, package, environment = game
    played = [f"{test}[{name}]" for test in PLAYED]
    pytest_alone = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-vv"]
    told = run(*pytest_alone, str(package / "tests"), *played, cwd=ROOT, env=environment)
    assert "::test_there_are_cases PASSED" in told, told
    in_browser, in_terminal = played
    assert f"{in_browser} {'PASSED' if CHROMIUM else 'SKIPPED'}" in told, told
    assert CHROMIUM or "1 without Chromium" in told, told
    assert f"{in_terminal} PASSED" in told, told
    assert f"{name} " in run(sys.executable, "-m", "fairdeal", "games", env=environment)
    assert f"{name.split('-')[-1].upper()}-01" in run(sys.executable, "-m", "fairdeal", "rules", name, env=environment)


@pytest.mark.parametrize(
    ("wished", "reason"),
    [("Sky Jump", "is not a valid game name"), ("chip-it", "a game called chip-it already exists"), ("mine", "exists")],
)
def test_nothing_is_begun_under_a_name_that_cannot_be(wished, reason, tmp_path):
    (tmp_path / "mine").mkdir()
    command = [sys.executable, "-m", "fairdeal", "new", wished, "--folder", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert found.returncode == 1
    assert reason in found.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]
