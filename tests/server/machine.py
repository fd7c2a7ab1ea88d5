"""The machine on which a room runs in a process of its own: its disk can be full, and its clock can jump."""

from __future__ import annotations

import mmap
import sqlite3
import struct
import time

import sqlalchemy as sa

STATE = struct.Struct("<?d")


class Machine:
    """The faults of a machine, in a file that outlasts its room."""

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
