"""docs/compatibility.md lists the public names, and the list is true."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from tests.test_docs import PUBLIC, imports
from tests.test_examples import begun

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "compatibility.md"
OF_A_VERSION = ROOT / "examples" / "learner"
"""Learns the net that this version plays with: it may look inside."""


def test_the_page_lists_names():
    assert len(PUBLIC) >= 30
    assert sum(map(len, PUBLIC.values())) >= 120
    for names in PUBLIC.values():
        assert names == sorted(set(names), key=lambda name: (not name.isupper(), not name[0].isupper(), name))


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_can_be_imported(module):
    found = imports(module)
    assert [name for name in PUBLIC[module] if not hasattr(found, name)] == []


@pytest.mark.parametrize("module", ["fairdeal", "fairdeal.testing"])
def test_the_package_exports_what_the_page_lists(module):
    assert sorted(importlib.import_module(module).__all__) == sorted(PUBLIC[module])


def test_the_docs_import_public_names_only():
    named = set()
    for page in ("adding-a-game", "bots", "environments", "observations"):
        text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
        for module, names in re.findall(r"^(?:>>> )?from (fairdeal[\w.]*) import (.+)$", text, re.MULTILINE):
            named |= {(module, name.strip()) for name in names.partition("#")[0].split(",")}
        named |= {(module, "") for module in re.findall(r"^(?:>>> )?import (fairdeal[\w.]*)", text, re.MULTILINE)}
    assert len(named) > 8
    ours = {(module, name) for module, name in named if module.startswith("fairdeal.games")}
    assert [pair for pair in sorted(named - ours) if not is_public(*pair)] == []


def is_public(module, name):
    return f"{module}.{name}" in PUBLIC or (module in PUBLIC and (not name or name in PUBLIC[module]))


def imported(folder):
    """Yield what the Python files of a folder import from fairdeal: file, module, name."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "fairdeal":
                yield from ((path.name, node.module, name.name) for name in node.names)
            elif isinstance(node, ast.Import):
                yield from ((path.name, name.name, "") for name in node.names if name.name.startswith("fairdeal"))


@pytest.mark.parametrize("what", ["examples", "new"])
def test_games_and_bots_of_others_need_public_names_only(what, tmp_path):
    if what == "new":
        begun(tmp_path)
    folder = {"examples": ROOT / "examples", "new": tmp_path}[what]
    own = {path.name for path in OF_A_VERSION.glob("*.py")}
    found = [one for one in imported(folder) if one[0] not in own]
    assert len(found) > 30
    assert [one for one in found if not is_public(*one[1:])] == []
