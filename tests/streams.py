"""A program that runs commands of `fairdeal`, each in a fork of itself, with the standard streams of some kinds of
terminals: `streams KIND,KIND FOLDER`. It reads the commands from standard input, and writes what each did to standard
output, as JSON. Starting a program for each of them would take ten times as long."""

import gc
import json
import os
import sys
import traceback
from pathlib import Path

import typer.main

from fairdeal import cli
from fairdeal.cli import logs
from fairdeal.engine.errors import FairdealError
from fairdeal.lab import cases
from fairdeal.server import checking, serving
from fairdeal.server.tables import saving
from fairdeal.table import verification
from fairdeal.terminal import app as terminal
from fairdeal.terminal.online import client
from fairdeal.terminal.plain import say

USED = cases, checking, client, saving, terminal, verification
"""Modules that commands import."""

KINDS = {
    "usual": {},
    "four columns": {"COLUMNS": "4", "LINES": "2"},
    "dumb": {"TERM": "dumb"},
    "without colours": {"NO_COLOR": "1"},
    "ASCII": {"LANG": "C", "PYTHONIOENCODING": "ascii"},
    "no input": {},
    "no output": {},
    "no errors": {},
    "no streams": {},
    "a reader that has gone": {},
    "a full disk": {},
}
"""The kinds of terminals, with their environment variables."""

CLOSED = {"no input": {0}, "no output": {1}, "no errors": {2}, "no streams": {0, 1, 2}}


def open_streams(kind, out, err):
    """Set up the streams of this process as Python does when it starts."""
    os.environ |= KINDS[kind]
    files = {0: os.open(os.devnull, os.O_RDONLY), 1: out.fileno(), 2: err.fileno()}
    if kind == "a full disk":
        files[1] = os.open("/dev/full", os.O_WRONLY)
    if kind == "a reader that has gone":
        reading, files[1] = os.pipe()
        os.close(reading)
    closed = CLOSED.get(kind, set())
    for number, file in files.items():
        os.dup2(file, number)
    for number in closed:
        os.close(number)
    encoding = "ascii" if kind == "ASCII" else "utf-8"
    opened = {number: open(number, "r" if number == 0 else "w", encoding=encoding) for number in {0, 1, 2} - closed}  # noqa: SIM115
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        setattr(sys, name, opened.get(number))
        setattr(sys, f"__{name}__", opened.get(number))


def run(kind, words, folder):
    """Run a command. Return its exit status, its output and its errors."""
    with open(folder / "out", "wb+") as out, open(folder / "err", "wb+") as err:
        child = os.fork()
        if child == 0:
            status = 70
            try:
                open_streams(kind, out, err)
                sys.argv = ["fairdeal", *words]
                cli.main()
            except SystemExit as end:
                status = end.code or 0
            except BaseException:
                os.write(err.fileno(), traceback.format_exc().encode())
            finally:
                for stream in sys.stdout, sys.stderr:
                    if stream and not stream.closed:
                        stream.flush()
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status, *(Path(file.name).read_text("utf-8") for file in (out, err))


def no_analysis(read, *_):
    raise FairdealError("this takes too long for a test")


if __name__ == "__main__":
    serving.run = lambda settings: say(f"The room is open at {settings.host}")
    logs.made_anew = no_analysis
    built = typer.main.get_command(cli.app)
    typer.main.get_command = lambda app: built
    gc.freeze()
    kinds, folder = sys.argv[1].split(","), Path(sys.argv[2])
    commands = json.load(sys.stdin)
    json.dump({kind: {words: run(kind, words.split(), folder) for words in commands} for kind in kinds}, sys.stdout)
