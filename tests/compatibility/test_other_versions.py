"""A terminal of a released version plays in today's room, and today's terminal in a room of that version.

Programs of both versions run as processes of their own, over sockets. In the terminal somebody picks choices, asks
about cards and for hints, and talks (`playing`); the other seat is a bot that joined with `fairdeal join --bot`, which
asks for positions and plays in notation. At the end each has recomputed the deal from the room's log, or has said that
it cannot read the log's format.

It is not proved that a released version runs with other libraries than today's, nor anything of its pages, which come
from the room itself, of lessons and rematches, or of games other than CHI.
"""

import contextlib
import gzip
import json
import os
import subprocess
import sys
import tarfile

import msgspec
import pytest

from fairdeal.server.api.http import description
from fairdeal.table.log import FORMAT
from tests.compatibility import playing
from tests.compatibility.frozen import IDS, VERSIONS, is_replayed
from tests.server.conftest import Guest, RoomProcess

UNREADABLE = "not a request"
"""Beginning of the reason with which a room refuses a request that it cannot read."""


@pytest.fixture(params=VERSIONS, ids=IDS)
def version(request):
    return request.param


@pytest.fixture
def older(version, tmp_path):
    """The folder of a released program, unpacked."""
    with tarfile.open(version / "program.tar.xz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # new in Python 3.11.4
        archive.extractall(tmp_path / "older")
    return str(tmp_path / "older")


def joined(program, folder, path=""):
    """Begin a program that joins, with its own data, and with the fairdeal that lies at `path`."""
    told = os.environ | {"XDG_DATA_HOME": str(folder)} | ({"PYTHONPATH": path} if path else {})
    return subprocess.Popen([sys.executable, *program], env=told, stdout=subprocess.PIPE, text=True, cwd=folder.parent)


@pytest.mark.parametrize("is_older", ["the room", "the terminal"])
def test_programs_of_different_versions_play_a_game(version, older, is_older, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        if is_older == "the room":
            patch.setenv("PYTHONPATH", older)
        room = RoomProcess(tmp_path / "room.db")
    path = older if is_older == "the terminal" else ""
    programs = []
    try:
        with contextlib.closing(Guest(room)) as ada:
            link = (
                f"{room.address}/t/{ada.open('chi', chairs=['person', 'person'], options={'stacks_to_end': 4})['id']}"
            )
            described = ada.http.get("/api/openapi.json").content
        programs.append(joined([playing.__file__, link], tmp_path / "terminal", path))
        programs.append(joined(["-m", "fairdeal", "join", link, "--bot", "greedy"], tmp_path / "bot", path))
        assert (described == msgspec.json.encode(description())) == (is_older == "the terminal")
        told = json.loads(programs[0].communicate(timeout=600)[0])
        assert not [reason for reason in told["refused"] if UNREADABLE in reason]
        assert not [words for words in told["said"] if "does not know" in words or "✗" in words]
        assert told["asked"].keys() >= {"pick", "inspect", "recall", "hint", "why", "say"}
        assert told["heard"].keys() >= {"welcome", "table", "scene", "done", "answer", "inspected", "recalled", "chat"}
        assert told["program"].startswith(older) == (is_older == "the terminal")
        bot = programs[1].communicate(timeout=300)[0]
    finally:
        for program in programs:
            program.kill()
            program.wait()
        room.stop()
    assert [program.returncode for program in programs] == [0, 0]
    rules = json.loads(gzip.decompress((version / "room.json.gz").read_bytes()))["tables"]["open, chi"]["rules"]
    reads = is_older == "the room" or f"fairdeal log {FORMAT}" in (version / "kept" / "joined.log").read_text("utf-8")
    fair = "The deal was fair" if is_replayed("chi", rules) and reads else "could not be checked"
    if is_older == "the room" and is_replayed("chi", rules):
        fair = "Not proven. The log has an older format"
    assert fair in told["checked"]
    assert fair in bot
    assert UNREADABLE not in bot
