"""docs/compatibility.md lists the public names, and the list is true."""

import ast
import importlib
import re
from collections import defaultdict

import pytest

from tests.conftest import ROOT
from tests.test_docs import PUBLIC, imports
from tests.test_examples import begun

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


FIELDS = "fairdeal.engine.written"
"""The module with kinds of fields, of which a game needs few."""

KIT = [
    module
    for module in PUBLIC
    if module.startswith(("fairdeal.bots.", "fairdeal.engine.", "fairdeal.testing")) and module != FIELDS
]
"""The other modules with parts for games and bots."""

ENTRANCES = {
    "fairdeal.engine.state.load": "programs and notebooks",
    "fairdeal.testing.GameTests": "the tests of a game",
    "fairdeal.testing.Zone": "the tests of a game",
    "fairdeal.testing.exact.Solver": "programs and notebooks",
}
"""Names for which the package itself has no use, and who uses them."""

SINGLE = {
    "fairdeal.bots.search.SearchBot": "the opponents of every game (`bots.levels`)",
    "fairdeal.engine.options.Part": "structs in files of options, as in WAR X-TREME",
    "fairdeal.engine.records.u4": "a type of fields, like i1, i2 and i4",
    "fairdeal.engine.scene.Line": "what `State.narrate` returns",
}
"""Names with a single user, and the reason why they stay."""


def users():
    """Return the modules that use each name of the package: those of the house, and all games of strangers as one."""
    found = defaultdict(set)
    for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "examples").rglob("*.py")]:
        is_strange = "skeleton" in path.parts or "examples" in path.parts
        user = "strangers" if is_strange else ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        imported = {}
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                for name in node.names:
                    imported[name.asname or name.name] = f"{node.module}.{name.name}"
                    found[f"{node.module}.{name.name}"].add(user)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found[f"{imported.get(node.value.id)}.{node.attr}"].add(user)
    return found


def test_every_part_of_the_kit_has_two_users_in_the_house():
    found, lonely = users(), set()
    for module in KIT:
        for name in PUBLIC[module]:
            home = getattr(getattr(imports(module), name), "__module__", module)
            using = found[f"{module}.{name}"] | found[f"{home}.{name}"]
            if len({user.removesuffix(".__init__") for user in using} - {module, home}) < 2:
                lonely.add(f"{module}.{name}")
    allowed = {
        path for path in ENTRANCES.keys() | SINGLE.keys() if path.rpartition(".")[2] in PUBLIC[path.rpartition(".")[0]]
    }
    assert lonely == allowed
