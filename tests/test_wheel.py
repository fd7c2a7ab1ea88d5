"""The wheel alone, in a new environment and a folder without the sources: every command finds what it needs."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import httpx2
import pytest

import fairdeal
from tests.conftest import ROOT, build_wheel
from tests.server.conftest import RoomProcess

UV = os.environ.get("UV", "uv")
"""The path of uv, which makes environments ten times as fast as `venv` and pip."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The program of a new environment with the wheel, which has this environment's libraries but not its sources."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = build_wheel(ROOT, folder)
    environment = folder / "environment"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, str(environment)], check=True)
    python = str(environment / "bin" / "python")
    command = [UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--compile-bytecode", "--python", python]
    subprocess.run([*command, str(wheel)], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    libraries = folder / "libraries"
    libraries.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "fairdeal" not in path.name:
            (libraries / path.name).symlink_to(path)
    (packages / "libraries.pth").write_text(f"{libraries}\n")
    return environment / "bin" / "fairdeal"


@pytest.fixture
def run(installed, tmp_path):
    def run(command):
        found = subprocess.run(
            [str(installed), *command.split()],
            cwd=tmp_path,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert found.returncode == 0, found.stderr
        return found.stdout

    return run


def test_the_wheel_is_what_runs(installed, tmp_path):
    asked = "import fairdeal; print(fairdeal.__file__)"
    found = subprocess.run(
        [str(installed.parent / "python"), "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout.strip()).is_relative_to(installed.parents[1])


def test_games_and_their_options_are_listed(run):
    listed = {facts["name"]: facts["options"] for facts in json.loads(run("games --json"))}
    assert [*listed] == fairdeal.game_names()
    assert [name for name, options in listed.items() if '"players"' not in json.dumps(options)] == []


def test_rules_can_be_read(run):
    assert "WAR-15" in run("rules war-xtreme")


def test_a_position_is_dealt_and_its_moves_counted(run):
    assert '"game"' in run("position war-xtreme --seed 7")
    assert run("perft chi --seed 7 --depth 1").strip()


def test_the_modules_of_the_games_are_there(run, tmp_path):
    for name in fairdeal.game_names():
        assert "the module in the package" in run(f"wasm {name} --out {tmp_path / name}")


def test_a_room_opens_with_its_pages_and_pictures(installed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    room = RoomProcess(tmp_path / "room.db", program=[str(installed)])
    try:
        for path in ("/", "/web/table/board.css", "/games/chi/cover.svg", "/api/games/chi/rules"):
            assert httpx2.get(room.address + path).status_code == 200, path
    finally:
        room.stop()
