"""Every command in unusual terminals: it ends with the right status, and with a sentence instead of a traceback."""

import json
import os
import pty
import subprocess
import sys

import pytest

from fairdeal.engine.registry import find_game
from fairdeal.lab.coverage import case_files
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.look import Look
from fairdeal.terminal.pictures.table_picture import TablePicture
from fairdeal.terminal.screens.new_table import Plan
from tests.conftest import ROOT
from tests.server.test_odd_names import commands
from tests.server.warm import EMPTY
from tests.streams import KINDS
from tests.table.sittings import finished

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot fork on Windows")

CLOSED = "fairdeal: standard output is closed, so nothing was printed\n"
FULL = "fairdeal: No space left on device\n"

WORDS = {
    "serve": "serve --port 0",
    "play": "play chi --bots vix",
    "learn": "learn chi",
    "join": "join nowhere --bot vix",
    "today": "today nowhere",
    "games": "games",
    "rules": "rules chi CHI-10",
    "simulate": "simulate chi --bots clever",
    "study": "study nothing.toml",
    "tune": "tune nothing.toml",
    "ladder": "ladder chi --bots otto",
    "replay": "replay game.log",
    "verify": "verify game.log",
    "analyse": "analyse game.log",
    "observations": "observations chi",
    "wasm": "wasm nothing",
    "check": f"check {case_files(find_game('chi'))[0]}",
    "position": "position chi",
    "perft": "perft nothing",
    "new": "new --help",
    "room tables": "room tables --database room.db",
    "room guests": "room guests --database room.db",
    "room backup": "room backup --help",
    "room import": "room import nothing.db --database room.db",
    "room check": "room check --database room.db",
    "room keeper": "room keeper --database nothing.db",
    "room invite": "room invite --help",
    "room lines": "room lines nothing --database room.db",
    "room acts": "room acts --database room.db",
    "room close": "room close nothing --dry-run --database room.db",
    "room free": "room free nothing 0 --dry-run --database room.db",
    "room exclude": "room exclude nobody nothing --database nothing.db",
    "room ban": "room ban nobody --database nothing.db",
    "room bar": "room bar nowhere --database room.db",
    "room erase": "room erase 1 --database nothing.db",
    "room unname": "room unname nobody --dry-run --database room.db",
    "room announce": "room announce --database nothing.db",
    "room hold": "room hold --dry-run --database room.db",
    "room doors": "room doors --open --dry-run --database room.db",
    "room prune": "room prune --older-than 1 --database room.db",
    "room rebuild": "room rebuild --database room.db",
    "room config": "room config",
    "room page": "room page",
    "room proxy": "room proxy 127.0.0.1:8017 10.0.0.2:8017",
    "": "--help",
    "-": "--nothing",
}
"""A line for each command, which prints something, or is refused before a long computation."""


def test_every_command_is_tested_in_unusual_terminals():
    assert {*WORDS} - {"", "-"} == {name for name, _ in commands()}


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    """Return a function that runs all commands in a kind of terminal, and in the usual one."""
    folder = tmp_path_factory.mktemp("streams")
    finished("chip-it", ["random"], "5", ("Zoë", "Ben", "Cid"), players=3).save(folder / "game.log")
    (folder / "room.db").write_bytes(EMPTY)

    def run(kind):
        command = [sys.executable, "-m", "tests.streams", f"usual,{kind}", str(folder)]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
        given = json.dumps([*WORDS.values()])
        ended = subprocess.run(command, input=given, cwd=folder, env=environment, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        found = json.loads(ended.stdout)
        return [(words, *(found[one][words] for one in ("usual", kind))) for words in WORDS.values()]

    return run


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "usual"])
def test_every_command_ends_well_in_an_unusual_terminal(ends, kind):
    printing = 0
    for words, (status, out, err), found in ends(kind):
        assert "Traceback" not in found[2], found[2]
        printing += bool(out)
        match kind:
            case "no output" | "no streams" | "a full disk" | "a reader that has gone" if out:
                more = {"no output": CLOSED, "a full disk": FULL}.get(kind, "")
                expected = [1, "", err + more if kind != "no streams" else ""]
            case "no errors" | "no streams":
                expected = [status, out, ""]
            case "ASCII":
                expected = [status, *(text.encode("ascii", "replace").decode() for text in (out, err))]
            case "four columns":  # tables are narrower
                expected = [status, found[1] if out else "", found[2] if err else ""]
            case _:
                expected = [status, out, err]
        assert found == expected, words
    assert printing > 12


def in_terminal(words, columns, lines, **environment):
    """Return the exit status and the output of a command in a terminal of this size."""
    try:
        program, terminal = pty.openpty()
    except OSError:
        pytest.skip("without pseudo-terminals (mount -t devpts devpts /dev/pts)")
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    given = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "fairdeal", *words.split()]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=given | environment) as ended:
        os.close(terminal)
        printed = b""
        try:
            while more := os.read(program, 4096):
                printed += more
        except OSError:  # how Linux says that nobody writes any more
            pass
    os.close(program)
    return ended.returncode, printed.decode()


@pytest.mark.parametrize("words", ["play chi --bots vix", "play", "learn chi"])
def test_a_terminal_that_is_too_small_or_too_simple_is_refused_in_words(words):
    status, printed = in_terminal(words, 4, 24, TERM="xterm")
    assert (status, "fairdeal: this terminal has 4 columns and 24 lines; tables are drawn for 80" in printed) == (
        1,
        True,
    )
    status, printed = in_terminal(words, 80, 24, TERM="dumb")
    assert (status, "TERM says that it cannot" in printed) == (1, True)


def test_a_table_can_be_drawn_in_any_size(name):
    sitting = Plan(name).open()
    catalogue = Catalogue(sitting.table.game.faces(sitting.table.options), sitting.table.game.skin)
    for seat in range(sitting.table.players):
        for width in (1, 2, 4, 9, 20, 40):
            for height in (1, 2, 4, 9, 12):
                drawn = TablePicture(sitting.scene(seat), catalogue, width, height, Look(note="Take the card."))
                assert (drawn.canvas.width, drawn.canvas.height) == (width, height)
