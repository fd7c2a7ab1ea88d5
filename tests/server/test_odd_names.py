"""A database is a file with the given name, whatever characters it contains, or what a URL names."""

import os
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
import typer
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairdeal import cli
from fairdeal.cli import room
from fairdeal.server.storage.database import address_of, engine_of, file_of
from fairdeal.server.storage.store import Store
from tests.conftest import refusal
from tests.server.warm import EMPTY

ODD = [
    "club?/room.db",
    "club?mode=memory.db",
    "50%2Froom.db",
    "50%.db",
    "room#2.db",
    "a:b.db",
    ":memory:",
    "file:room.db?mode=memory",
    "./postgresql://me@host/room",
    "C://room.db",
    "-room.db",
    " room .db ",
    "Zoë’s 部屋 🂡.db",
    'it\'s "mine" & $HOME `x` \\ *;|<>.db',
    "line\nbreak.db",
    "not\udcffutf-8.db",
    "x" * 200,
]
"""Names of files, relative to the current folder."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other names of files")

GUEST = "0" * 32

WORDS = {
    "room tables": "",
    "room guests": "",
    "room backup": "{new}",
    "room import": "{old}",
    "room check": "",
    "room keeper": "",
    "room invite": "",
    "room lines": "no-table",
    "room acts": "",
    "room close": "--yes no-table",
    "room free": "no-table 0",
    "room exclude": f"{GUEST} no-table",
    "room ban": GUEST,
    "room bar": "192.0.2.1",
    "room erase": "--yes 1",
    "room unname": f"--yes {GUEST}",
    "room announce": "Soon",
    "room hold": "",
    "room doors": "--open",
    "room prune": "--older-than 1",
    "room rebuild": "",
    "serve": "--no-browser --port 0",
}
"""The commands that have a database, with what else each needs."""


def commands(group=None, path=()):
    """Yield the words and the parameters of every command."""
    for name, one in (group or typer.main.get_command(cli.app)).commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, (*path, name))
        else:
            yield " ".join((*path, name)), one.params


def names_in(folder):
    return {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}


def test_every_command_with_a_database_is_tested_with_odd_names():
    assert {words for words, params in commands() if any(one.name == "database" for one in params)} == {*WORDS}


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_every_command_uses_the_file_of_this_name_and_no_other(run, tmp_path, monkeypatch, odd):
    from fairdeal.server import serving

    served = []
    monkeypatch.setattr(serving, "run", lambda settings: served.append(Store(settings.database).close()))
    monkeypatch.setattr(room, "PATIENCE", 0.0)  # no room carries out the acts
    monkeypatch.chdir(tmp_path)
    copy = f"{odd}.copy"
    source = Path("source") / odd
    source.parent.mkdir(parents=True)
    (tmp_path / odd).parent.mkdir(parents=True, exist_ok=True)
    source.write_bytes(EMPTY)
    for words, more in WORDS.items():
        creates, copies = words in ("serve", "room import"), "{new}" in more
        if not creates:
            Path(odd).write_bytes(EMPTY)
        before = names_in(tmp_path)
        rest = [one.format(new=copy, old=source) for one in more.split()]
        if copies or "{old}" in more:
            rest.insert(0, "--")
        code, _, err = run(words, "--database", odd, *rest)
        assert code == (1 if words == "room check" else 0), err  # there is nothing to check
        own = {str(Path(odd))} if creates else set()
        made = own | ({copy.removeprefix("./")} if copies else set())
        assert names_in(tmp_path) - before - {f"{Path(odd)}.lock"} == {str(Path(one)) for one in made}, words
        for one in (Path(odd), Path(f"{odd}.lock"), *([Path(copy)] if copies else ())):
            one.unlink(missing_ok=True)
    assert served == [None]


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=60))
@example("a?b#c%2Fd:e")
def test_a_path_names_one_file(tmp_path_factory, name):
    if name in (".", ".."):
        return
    folder = tmp_path_factory.mktemp("any")
    engine = engine_of(address_of(str(folder / name)), 1.0)
    with engine.connect() as connection:
        connection.execute(sa.text("CREATE TABLE here (it INT)"))
    engine.dispose()
    assert names_in(folder) == {name}
    os.remove(folder / name)


def test_a_url_is_a_url():
    assert file_of(address_of("sqlite:///club/room.db")) == Path.cwd() / "club" / "room.db"
    assert address_of("postgresql://me@host/room").host == "host"


@pytest.mark.parametrize("odd", ["club/", "a\0b", "x" * 300], ids=ascii)
def test_what_names_no_file_is_refused_in_words(run, tmp_path, monkeypatch, odd):
    monkeypatch.chdir(tmp_path)
    for words in ("room tables", "serve"):
        code, out, err = run(words, "--database", odd)
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert names_in(tmp_path) == set()


def test_a_mistaken_url_is_not_made_a_file():
    with refusal(r"the path of a file may begin with \./"):
        address_of("mysterydb://x/y")
