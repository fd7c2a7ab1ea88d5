"""What a room does first, done ahead in the process that rooms are forked from: it brings up a database, and
reads and packs the files of the client, and writes their page; and what it does at its first table of a game. `EMPTY`
is a database that is brought up and holds nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

import sqlalchemy as sa

import fairdeal
from fairdeal.engine.compile.compiled import ready
from fairdeal.engine.registry import find_game
from fairdeal.server import static_files
from fairdeal.server.app import PAGES
from fairdeal.server.storage import database
from fairdeal.server.storage.store import metadata
from fairdeal.table import names


def brought_up() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty.db")
        engine = sa.create_engine(f"sqlite:///{path}")
        database.bring_up(engine, path, metadata)
        engine.dispose()
        return path.read_bytes()


EMPTY = brought_up()
database.newest()
for name in static_files.names():
    static_files.kept(name)
for first in {*PAGES.values(), "replay/replay.js"}:
    static_files.page(first, static_files.version())
for game in fairdeal.game_names():
    ready(find_game(game))
names.reserved("Ada")
