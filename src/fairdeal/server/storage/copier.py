"""A program that the room runs at low priority to back up its database. It reads the name of the database, which may
contain a password, from stdin, and writes the reason of a failure to stderr."""

import os
import signal
import sys
from pathlib import Path

from fairdeal.engine.errors import FairdealError
from fairdeal.server.storage.keeping import back_up


def main(file: str, niceness: int) -> None:
    """Copy the database that is named on stdin to a new file, and check the copy."""
    if sys.platform != "win32":
        os.nice(niceness)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # systemd and terminals also signal the room, which kills this program
    try:
        back_up(os.fsdecode(sys.stdin.buffer.read()), Path(file))
    except FairdealError as problem:
        raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
