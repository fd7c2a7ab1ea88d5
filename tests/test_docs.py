"""The documentation: examples of public names, tutorials, and the site that is built of them."""

import contextlib
import doctest
import html
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from fairdeal.server.documents.keep import KeepWriter
from tests.conftest import ROOT
from tests.ports import free_port, wait_for
from tests.test_examples import installed
from tests.test_readme import Checker, run_examples
from tools import reference

PUBLIC = reference.public_names()
PEERS = {"gymnasium", "pettingzoo", "pyspiel"}
"""Libraries that the environments need."""

TUTORIALS = {path.stem: path for path in sorted((ROOT / "docs" / "tutorials").glob("*.md"))}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
"""Options of the comparison of what a command prints with what a page shows."""

PATIENCE = 240
"""Maximum duration of a tutorial, in seconds."""

DONE = "--- done:"
"""Text that the shell prints after each command of a tutorial."""


# --- examples in docstrings ------------------------------------------------------------------------------------------


def imports(module):
    """Return a public module, or skip the test if what it needs is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        assert missing.name in PEERS  # noqa: PT017
        pytest.skip(f"{missing.name} is not installed")


@pytest.mark.parametrize("module", PUBLIC)
def test_the_examples_of_public_names_run_as_shown(module):
    imports(module)
    tests = reference.examples_of(module)
    for test in tests:
        test.globs = reference.namespace_for(module)
    assert run_examples(*tests).failed == 0


def test_every_public_name_has_an_example():
    for module in PUBLIC:
        imports(module)
    shown = set()
    for module in PUBLIC:
        shown |= {(name, reference.described_in(home, name)) for name, home in reference.sources_for(module).items()}
        own = [test.name.removeprefix(f"{module}.") for test in reference.examples_of(module)]
        shown |= {(name.partition(".")[0], module) for name in own}
    named = {(name, module) for module in PUBLIC for name in reference.own_names(module)}
    assert len(named) > 140
    assert sorted(named - shown) == []


# --- tutorials -------------------------------------------------------------------------------------------------------

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
"""A command of a tutorial, and the output that the page shows."""


class Reader:
    """A reader of a tutorial, who saves its files, types its commands into a shell, and runs its Python."""

    def __init__(self, folder, environment):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.folder, self.known = folder, {"__name__": "__main__"}
        self.shell = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True, start_new_session=True, **pipes)

    def follow(self, kind, text):
        """Follow a block of the page: commands, Python examples, or a file to save."""
        if kind == "console":
            commands = COMMAND.findall(text)
            assert "".join(f"$ {command}\n{shown}" for command, shown in commands) == text
            for command, shown in commands:
                self.type(command, shown)
        elif text.startswith(">>> "):
            test = doctest.DocTestParser().get_doctest(text, self.known, kind, None, 0)
            assert run_examples(test).failed == 0
            self.known = test.globs
        else:
            name = re.match(r"# ([\w./-]+\.\w+)\n", text)
            assert name, f"neither commands, nor examples, nor a file with its name: {text}"
            (self.folder / name[1]).write_text(text, "utf-8")

    def type(self, command, shown):
        """Type a command, and compare its output with the page; a command without shown output has to succeed."""
        behind = command.endswith("&")
        self.shell.stdin.write(f"{command}\n" if behind else f"{command}\necho {DONE} $?\n")
        self.shell.stdin.flush()
        printed, status = "", 0
        done = False
        for line in self.shell.stdout if shown or not behind else ():
            before, done, ended = line.partition(DONE)
            printed, status = printed + before, int(ended or 0)
            if done or (behind and printed.count("\n") == shown.count("\n")):
                break
        for port in re.findall(r"is open at http://127.0.0.1:(\d+)", printed):
            wait_for(int(port))
        assert behind or done, f"{command} does not end\n{printed}"
        assert not shown or Checker().check_output(shown, printed, FLAGS), f"{command}\n{printed}"
        assert shown or status == 0, f"{command}\n{printed}"

    def give_up(self):
        """End all that runs in the shell."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.shell.pid, signal.SIGKILL)

    def leave(self):
        self.give_up()
        self.shell.communicate()


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A reader in the folder of a clone, with Go Fish installed from there."""
    for name in ("examples", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    packages = installed(tmp_path / "built", tmp_path / "examples" / "go-fish")["PYTHONPATH"]
    paths = [tmp_path, tmp_path / "examples" / "go-fish", packages]
    environment = os.environ | {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    found = Reader(tmp_path, environment)
    patience = threading.Timer(PATIENCE, found.give_up)
    patience.start()
    yield found
    patience.cancel()
    found.leave()


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows")
@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_a_tutorial_can_be_followed(tutorial, reader):
    page = TUTORIALS[tutorial].read_text("utf-8").replace("8017", str(free_port()))
    blocks = BLOCK.findall(page)
    assert len(blocks) == page.count("\n```") / 2 > 2
    for kind, text in blocks:
        reader.follow(kind, text)


def test_the_tutorial_for_players_has_the_words_of_the_page():
    web = ROOT / "src" / "fairdeal" / "server" / "web"
    page = " ".join(" ".join(path.read_text("utf-8").split()) for path in sorted(web.rglob("*.js")))
    page += " ".join(KeepWriter.forms.values())
    named = re.findall(r"`([A-Z][^`]*)`", TUTORIALS["player"].read_text("utf-8"))
    assert len(named) > 20
    assert [words for words in named if not re.search(rf"\b{re.escape(words)}(?!\w)", page)] == []


READERS = {"toml": tomllib.loads, "yaml": yaml.safe_load, "json": json.loads}


def test_examples_of_files_can_be_read():
    """Every TOML, YAML and JSON block of the docs can be read, unless `...` stands for something left out."""
    read = 0
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/tutorials/*.md")):
        for kind, text in BLOCK.findall(path.read_text("utf-8")):
            if kind in READERS and not re.search(r"\.\.\.|…", text):
                try:
                    assert READERS[kind](text), text
                except ValueError as problem:
                    raise AssertionError(f"{path.name}: {problem}:\n{text}") from None
                read += 1
    assert read > 6


# --- the site --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generators():
    for name in ("furo", "myst_parser", "sphinx"):
        pytest.importorskip(name, reason="without Sphinx (uv sync --group docs)")


def built(folder):
    """Build the site as README.md says; return the exit status and the messages of errors."""
    found = subprocess.run(
        [sys.executable, "-m", "tools.docs", str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    return found.returncode, found.stderr


def test_the_site_is_built_without_warnings_and_all_its_links_hold(generators, tmp_path):
    status, complaints = built(tmp_path / "site")
    assert (status, complaints) == (0, "")
    pages = {path: path.read_text("utf-8") for path in (tmp_path / "site").rglob("*.html")}
    ids = {path: {*re.findall(r'\bid="([^"]+)"', text)} for path, text in pages.items()}
    broken, outside = [], set()
    for path, text in pages.items():
        for link in re.findall(r'\b(?:href|src)="([^"]+)"', text):
            place, _, anchor = html.unescape(link).partition("#")
            if re.match(r"\w+:", link):
                outside.add(link) if "<script" in text and f'src="{link}"' in text else None
                continue
            target = (path.parent / unquote(place.partition("?")[0])).resolve() if place else path
            if not target.exists() or (anchor and target in ids and unquote(anchor) not in ids[target]):
                broken.append(f"{path.name}: {link}")
    assert len(pages) > 80
    assert sorted({*broken}) == []
    assert outside == set()
