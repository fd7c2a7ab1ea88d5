"""A program of its own, which the room runs at the lowest priority: it reads the log of a finished game, writes line by
line how far it is and what it has found, and last its whole analysis.

It ends with the room: there is nobody to write to any more.
"""

from __future__ import annotations

import os
import sys

import msgspec

from fairdeal.table.analysis import Step
from fairdeal.table.analysis.analyse import analyse
from fairdeal.table.log import read_log
from fairdeal.table.sitting import replay


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the program writes on a line, as JSON: a step, or at last all that it found."""

    step: Step | None = None
    found: msgspec.Raw = msgspec.Raw()


def main(playouts: int, niceness: int) -> None:
    """Analyse the game whose log comes in; 0 playouts for so many as there is time for."""
    if sys.platform != "win32":
        os.nice(niceness)
    log = read_log(sys.stdin.buffer.read().decode())
    if log.seed is None:
        raise SystemExit("the game is not over")

    def write(line: Line) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stdout.flush()

    processors = max(1, (os.cpu_count() or 1) - 1)
    found = analyse(replay(log, log.seed), playouts or None, processors, lambda step: write(Line(step)))
    write(Line(found=msgspec.Raw(msgspec.json.encode(found))))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
