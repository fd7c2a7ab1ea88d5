"""Start-up times in fresh processes, and compiling with an empty cache and a filled one."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

FIRST_PROMPT = (
    "from fairdeal.terminal.screens.new_table import Plan; from fairdeal.terminal.app import FairdealApp;"
    "from fairdeal.terminal.screens.table_screen import TableScreen;"
    "sitting = Plan({name!r}).open(); FairdealApp(); TableScreen; sitting.scene(0)"
)
COMPILE = (
    "import time; from fairdeal.engine.compile import compiled; from fairdeal.engine.registry import find_game;"
    "import numba; started = time.perf_counter(); compiled.compiled(find_game({name!r}));"
    "print(time.perf_counter() - started)"
)


def seconds_of(*arguments: str, repeats: int = 5) -> float:
    """Return the median time of a Python process."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def first_page(folder: str) -> float:
    """Return the time from the start of a room over a database in a folder until it has answered with its first
    page."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "fairdeal.cli", "serve", "--port", "0", "--database", str(Path(folder, "room.db"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        with urllib.request.urlopen(server.stdout.readline().split()[-1]) as answer:
            answer.read()
        found = time.perf_counter() - started
        server.terminate()
    return found


def first_pages(repeats: int = 5) -> tuple[float, float]:
    """Return the median time of the first page over a new database, and over one that is there."""
    times = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            times.append((first_page(folder), first_page(folder)))
    new, old = zip(*times, strict=True)
    return statistics.median(new), statistics.median(old)


def start_up(names: list[str]) -> dict[str, float]:
    """Return the seconds of bare Python, the import, the help, the first page of a room, and the first prompt."""
    found = {
        "python -c pass": seconds_of("-c", "pass"),
        "import fairdeal": seconds_of("-c", "import fairdeal"),
        "fairdeal --help": seconds_of("-m", "fairdeal.cli", "--help"),
    }
    new, old = first_pages()
    found |= {"first page of a new room": new, "first page of a room with a database": old}
    for name in names:
        found[f"first prompt of {name}, nothing compiled"] = seconds_of("-c", FIRST_PROMPT.format(name=name))
    return found


def compiling(name: str) -> tuple[float, float]:
    """Return the seconds to compile a game for the first time, and from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"FAIRDEAL_CACHE": folder}
        program = [sys.executable, "-c", COMPILE.format(name=name)]
        times = [
            float(subprocess.run(program, check=True, capture_output=True, text=True, env=environment).stdout)
            for _ in range(4)
        ]
    return times[0], statistics.median(times[1:])
