"""Other systems than Linux: the table in CONTRIBUTING names all code that depends on the system, and its types fit the
libraries of macOS and Windows."""

import ast
import functools
import mimetypes
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from fairdeal.engine.files import move_over, read_text
from fairdeal.server import static_files
from tests.conftest import ROOT

SOURCE = ROOT / "src" / "fairdeal"
TITLE = "## What depends on the system"

SIGNS = {
    "locks of files": {"fcntl", "msvcrt"},
    "rights of files": {".chmod", "os.geteuid", "os.getuid", "os.umask", ".st_mode", ".st_uid", "os.O_CREAT"},
    "replaced and synced files": {"os.fsync", "os.replace", "os.rename", "part.rename", "move_over"},
    "text files": {"codecs.BOM_UTF8"},
    "printed text": {".reconfigure", "os.set_inheritable"},
    "terminals": {".isatty", "get_terminal_size", "sys.__stdout__", "sys.__stderr__", "termios", "tty", "curses"},
    "signals": {"signal", ".add_signal_handler", "os.kill", "os.killpg"},
    "processes": {"multiprocessing", "subprocess", "ctypes.CDLL", "os.fork", "os.execv", "os.spawnv", "os.waitpid"},
    "priorities and processors": {"os.nice", "os.setpriority", "os.sched_getaffinity"},
    "event loop": {"uvloop"},
    "sockets": {"socket.AF_UNIX", "socket.SO_REUSEADDR", "socket.SO_REUSEPORT", "socket.SO_EXCLUSIVEADDRUSE"},
    "networks of the computer": {"ifaddr", "psutil", "socket.gethostname"},
    "number of connections": {"resource"},
    "clocks and local time": {"time.clock_gettime", "time.localtime", "zoneinfo", "time.tzset", "datetime.now"},
    "media types": {"mimetypes"},
    "folders of the user": {"platformdirs", "tempfile", "Path.home", ".expanduser", "getpass", "pwd"},
    "browsers": {"webbrowser"},
    "other programs": {"shutil.which"},
    "other differences": {"sys.platform", "os.name", "platform.system", "locale"},
}
"""What shows that code depends on the system, by the rows of the table: modules that are imported, functions and
constants of modules, and methods. A module with a sign of the last row only has to be in any row."""


def signs_in(tree):
    """Yield the names that a module imports, and its attributes, with and without the name before the dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.Attribute):
            yield f".{node.attr}"
            yield ".".join(ast.unparse(node).split(".")[-2:])


def module_of(path):
    return path.relative_to(SOURCE).as_posix()


@functools.cache
def all_signs():
    """Return the signs in every module."""
    return {module_of(path): {*signs_in(ast.parse(read_text(path)))} for path in sorted(SOURCE.rglob("*.py"))}


def table():
    """Return the modules in each row of the table."""
    _, _, rest = read_text(ROOT / "CONTRIBUTING.md").partition(f"{TITLE}\n")
    lines = [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|---")]
    return {name: set(re.findall(r"`([\w/]+\.py)`", modules)) for name, _, modules in cells}


def test_the_table_names_all_code_that_depends_on_the_system():
    rows = table()
    assert [*rows] == [name for name in SIGNS if name != "other differences"] + ["names of files"]
    assert len(all_signs()) > 500
    for name, signs in SIGNS.items():
        found = {module for module, here in all_signs().items() if here & signs}
        assert found, f"nothing shows {name}"
        if name == "other differences":
            assert found <= set().union(*rows.values())
        else:
            assert found == rows[name], name


@pytest.mark.skipif(find_spec("mypy") is None, reason="without mypy (uv sync --group dev)")
@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_types_fit_the_libraries_of_another_system(system, tmp_path):
    """Only names that a library of this system lacks are of interest here: `mypy --platform win32` checks the rest."""
    modules = sorted(module for module, here in all_signs().items() if here & {*SIGNS["other differences"], "signal"})
    assert len(modules) > 10
    command = [sys.executable, "-m", "mypy", "--platform", system, "--follow-imports=skip", "--config-file="]
    command += ["--ignore-missing-imports", "--cache-dir", str(tmp_path), *(str(SOURCE / one) for one in modules)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert "checked" in ended.stdout or "no issues" in ended.stdout, ended.stderr
    assert [line for line in ended.stdout.splitlines() if "Module has no attribute" in line] == []


RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


@pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="without git")
def test_every_file_has_a_name_that_windows_and_macos_allow():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = listed.stdout.rstrip("\0").split("\0")
    assert len(names) > 800
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert re.search(r'[\\:*?"<>|\x00-\x1f]', name) is None, name
        assert len(name) < 150, name
        for part in name.split("/"):
            assert RESERVED.fullmatch(part) is None, name
            assert not part.endswith((".", " ")), name


def test_the_files_of_the_page_have_their_types_on_any_system():
    endings = {Path(name).suffix for name in static_files.names() if not Path(name).name.startswith("LICENSE")}
    assert endings - {*static_files.KINDS} <= {".ts", ".md"}, "these are not loaded by pages"
    program = (
        "import mimetypes, sys; mimetypes.add_type('text/plain', '.js'); mimetypes.types_map.pop('.woff2', None); "
        "from fairdeal.server import static_files as s; "
        "print({mimetypes.guess_type('a' + ending)[0] == kind for ending, kind in s.KINDS.items()})"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.stdout.strip() == "{True}", ended.stderr
    assert mimetypes.guess_type("room.js")[0] == "text/javascript"


def test_a_file_that_another_program_reads_is_replaced_as_soon_as_it_is_closed(tmp_path, monkeypatch):
    """Windows refuses to replace an open file."""
    new, old, refused = tmp_path / "new", tmp_path / "old", []
    new.write_text("new")
    old.write_text("old")
    replace = Path.replace

    def refuse_twice(path, target):
        if len(refused) < 2:
            refused.append(target)
            raise PermissionError
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse_twice)
    monkeypatch.setattr(sys, "platform", "win32")
    move_over(new, old)
    assert (old.read_text(), len(refused)) == ("new", 2)
