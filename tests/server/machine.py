"""The machine on which a room runs: its disk can be full, and its clock can jump."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import sqlite3
import struct
import subprocess
import time

import sqlalchemy as sa

STATE = struct.Struct("<?d")


class Machine:
    """The faults of the machine of a room in a process of its own, in a file that outlasts it."""

    def __init__(self, path):
        self.path, self.jump = path, 0.0
        path.write_bytes(STATE.pack(False, 0.0))

    def be(self, full=False, jump=0.0):
        """Fill the disk or make room, and let the clock jump by some seconds."""
        self.jump += jump
        with self.path.open("r+b") as file:
            file.write(STATE.pack(full, self.jump))

    def begin(self):
        """Apply the faults to this process from now on."""
        with self.path.open("rb") as file:
            state = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        clock = time.time
        time.time = lambda: clock() + STATE.unpack(state[:])[1]

        def commit(_):
            if STATE.unpack(state[:])[0]:
                raise sa.exc.OperationalError("COMMIT", {}, sqlite3.OperationalError("database or disk is full"))

        sa.event.listen(sa.Engine, "commit", commit)


class Disk:
    """A small file system in memory."""

    def __init__(self, folder):
        self.folder, self.filler = folder, folder / "filler"

    def fill(self):
        with open(self.filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(512))

    def empty(self):
        self.filler.unlink(missing_ok=True)


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """A new folder with a disk of its own, or None if this machine does not let us mount one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
    mounted = os.geteuid() == 0 and shutil.which("mount") and subprocess.run(command, check=False).returncode == 0
    try:
        yield Disk(folder) if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", folder], check=True)
        shutil.rmtree(folder)
