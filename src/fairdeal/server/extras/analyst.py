"""A program that the room runs at low priority to analyse a finished game. It reads the game's log from stdin, and
writes its progress and results to stdout, line by line, with the complete analysis as the last line.

The program ends with the room, because its output is then closed.
"""

import os
import sys

import msgspec

from fairdeal.table.analysis import Step
from fairdeal.table.analysis.analyse import analyse
from fairdeal.table.log import read_log
from fairdeal.table.sitting import replay


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of output as JSON: a step or, on the last line, the complete analysis."""

    step: Step | None = None
    found: msgspec.Raw = msgspec.Raw()


def main(playouts: int, niceness: int) -> None:
    """Analyse the game whose log is read from stdin. `playouts` is the number of games for each move, or 0 for as many
    as the target duration allows."""
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
