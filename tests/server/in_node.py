"""The scripts of the page, in Node.js."""

import json
import shutil
import subprocess

import msgspec
import pytest

from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.observe.interface import description_of
from fairdeal.server.static_files import PROTOCOL, WEB, source

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="without Node.js (apt-get install nodejs)")


def copy_scripts(folder):
    """Copy all scripts of the page, and the one that a room makes, into `web` of a folder, for programs there."""

    def others(parent, names):
        return [name for name in names if "." in name and not name.endswith(".js")]

    shutil.copytree(WEB, folder / "web", ignore=others, dirs_exist_ok=True)
    (folder / "web" / PROTOCOL).write_bytes(source(PROTOCOL))
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")


def copy_rules(folder, game):
    """Write the rules of a game into a folder, as `module.wasm` and `description.json`."""
    module = wasm_of(game)
    (folder / "module.wasm").write_bytes(module.code)
    (folder / "description.json").write_bytes(description_of(game, module).as_json())


def answer_of(folder, program, *words, timeout=120):
    """Return what a program in this folder prints, as JSON."""
    found = subprocess.run(["node", program, *words], cwd=folder, capture_output=True, text=True, timeout=timeout)
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def run_in_node(folder, program, **files):
    """Run a program beside the scripts of the page and files of a folder, and return what it prints, as JSON. A file is
    a value, for `NAME.json`, or bytes, for `NAME__END`."""
    copy_scripts(folder)
    (folder / "program.js").write_text(program, "utf-8")
    for name, value in files.items():
        if isinstance(value, bytes):
            (folder / name.replace("__", ".")).write_bytes(value)
        else:
            (folder / f"{name}.json").write_bytes(msgspec.json.encode(value))
    return answer_of(folder, "program.js")
