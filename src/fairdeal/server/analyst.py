"""A program of its own, which the room runs at the lowest priority: it reads the log of a finished game, writes line by
line how many moves it has looked at, and of how many, and last its analysis as JSON.

It ends with the room: there is nobody to write to any more.
"""

from __future__ import annotations

import os
import sys

import msgspec

from fairdeal.table.analysing import analyse
from fairdeal.table.log import read_log
from fairdeal.table.sitting import replay


def main(playouts: int, niceness: int) -> None:
    """Analyse the game whose log comes in; 0 playouts for so many as there is time for."""
    if sys.platform != "win32":
        os.nice(niceness)
    log = read_log(sys.stdin.buffer.read().decode())
    if log.seed is None:
        raise SystemExit("the game is not over")

    def progress(done: int, of: int) -> None:
        print(done, of, flush=True)

    processors = max(1, (os.cpu_count() or 1) - 1)
    found = analyse(replay(log, log.seed), playouts or None, processors, progress)
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
