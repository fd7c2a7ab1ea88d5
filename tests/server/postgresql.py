"""PostgreSQL servers of the tests, each with a folder and a process of its own, at a Unix socket in that folder."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from fairdeal.server.storage.store import Store

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
PROGRAMS = FOLDERS[-1].parent if FOLDERS else None
"""The folder of the newest installed version, as Debian installs it."""

WITHOUT = "without PostgreSQL (apt-get install postgresql)"

UNPRIVILEGED = {"user": "postgres", "group": "postgres", "extra_groups": []} if PROGRAMS and os.geteuid() == 0 else {}
"""Arguments of `subprocess` for its programs, which refuse to run as root."""

WITH_US = ["setpriv", "--pdeathsig", "QUIT"] if shutil.which("setpriv") else []
"""Command that ends a server when the thread that started it ends, even if that thread is killed."""

SETTINGS = ("-clisten_addresses=", "-cautovacuum=off", "-cmax_wal_size=200MB")


class Server:
    """A server that is started and stopped by the test, and its databases."""

    def __init__(self, fsync):
        self.fsync, self.names, self.process = fsync, itertools.count(), None
        self.folder = Path(tempfile.mkdtemp(prefix="fairdeal-"))
        self.give(self.folder)
        made = ["--auth=trust", "--username=fairdeal", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        self.run("initdb", "-D", self.folder / "data", *made)
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all locked scram-sha-256\n{rules.read_text()}")

    def give(self, folder):
        """Let the server write to a folder."""
        if UNPRIVILEGED:
            shutil.chown(folder, UNPRIVILEGED["user"], UNPRIVILEGED["group"])

    def run(self, program, *words):
        subprocess.run([PROGRAMS / program, *words], check=True, stdout=subprocess.DEVNULL, cwd="/", **UNPRIVILEGED)

    def start(self):
        command = [*WITH_US, PROGRAMS / "postgres", "-D", self.folder / "data", "-k", self.folder, *SETTINGS]
        command += [f"-cfsync={'on' if self.fsync else 'off'}"]
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **UNPRIVILEGED)
        for _ in range(2000):
            with contextlib.suppress(psycopg.OperationalError):
                return self.execute("SELECT 1")
            time.sleep(0.01)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self):
        """Stop it at once, without a checkpoint, so that it recovers when it starts again."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(60)

    def remove(self):
        if self.process:
            self.stop()
        shutil.rmtree(self.folder)

    def url(self, name, user="fairdeal"):
        return f"postgresql://{user}@/{name}?host={self.folder}"

    def execute(self, statement):
        """Execute a statement of an administrator."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    @functools.cached_property
    def template(self):
        """The name of a database with the room's schema."""
        self.execute("CREATE ROLE locked LOGIN PASSWORD 'unknown'")
        self.execute("CREATE ROLE stranger LOGIN")
        self.execute("CREATE DATABASE empty_room")
        Store(self.url("empty_room")).close()
        return "empty_room"

    @contextlib.contextmanager
    def database(self, on=None):
        """A new database with the room's schema. Its files lie in the folder `on`, if one is given. It is dropped
        afterwards."""
        name, place = f"room{next(self.names)}", ""
        if on:
            self.give(on)
            self.execute(f"CREATE TABLESPACE {name} LOCATION '{on}'")
            place = f"TABLESPACE {name}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {self.template} {place}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")
            if on:
                self.execute(f"DROP TABLESPACE {name}")
