"""Rooms that are forked from a process which has imported what a room needs: each is a new process all the same, with
nothing but its database, and there in a quarter of the time that the command takes."""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import random
import secrets
import sys
from importlib.metadata import entry_points
from pathlib import Path

CAN_FORK = sys.platform != "win32"

forks = multiprocessing.get_context("forkserver" if CAN_FORK else "spawn")
(forks.set_forkserver_preload if CAN_FORK else list)(
    [
        "__main__",
        "fairdeal.cli.serve",
        "fairdeal.server.serving",
        *(game.module for game in entry_points(group="fairdeal.games")),
        "platformdirs",
        "psycopg",
        "sqlalchemy.dialects.postgresql.psycopg",
        "sqlalchemy.dialects.sqlite",
        "tests.server.warm",
        "uvicorn.lifespan.on",
        "uvicorn.protocols.http.h11_impl",
        "uvicorn.protocols.websockets.websockets_sansio_impl",
        "uvloop",
    ]
)


def draw_from(chance, put=setattr):
    """Every secret of this process follows from these words from now on: its deals are the same at every run. `put`
    sets an attribute of a module."""
    source = random.Random(chance)
    put(secrets, "token_bytes", source.randbytes)
    put(secrets, "token_hex", lambda count=32: source.randbytes(count).hex())
    put(secrets, "choice", source.choice)
    put(secrets, "randbelow", source.randrange)
    put(secrets, "randbits", source.getrandbits)


def serve_here(said, errors, chance, changed, wishes):
    """`fairdeal serve` in this process: what it prints goes to `said` and its complaints to the file `errors`. Its
    secrets follow from `chance`, and `changed` is called before, where there are such."""
    os.dup2(said.fileno(), 1)
    with open(errors, "a") as complaints:
        os.dup2(complaints.fileno(), 2)
    faulthandler.enable()
    gc.freeze()  # what was imported before the fork stays: nobody needs to look through it for garbage
    from fairdeal.cli.serve import serve
    from tests.server.warm import EMPTY

    database = Path(wishes["database"])
    if database.parent.is_dir() and not database.exists():
        database.touch(0o600)
        database.write_bytes(EMPTY)
    if chance:
        draw_from(chance)
    if changed:
        changed()
    serve(**wishes)


def hasten():
    """Let a room look for acts of its keeper, and prove that it can save again, ten times as often."""
    from fairdeal.server.api import keeper
    from fairdeal.server.storage import store

    keeper.BETWEEN = store.BETWEEN_PROOFS = 0.1
