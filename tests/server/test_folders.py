"""A folder of the sources holds no more than can be seen at once."""

import ast
from collections import Counter
from pathlib import Path

import pytest

import fairdeal
from fairdeal.server.static_files import WEB

SOURCES = Path(fairdeal.__file__).parent

MOST = 16
"""Maximum number of modules in a folder."""

KINDS = [(".js", ".css"), (".py",)]
"""Suffixes of modules, those in one row counted together."""


def crowded(root, kinds):
    """Return the folders under `root` with more than `MOST` modules of these kinds, and their number of modules."""
    found = Counter(path.parent for path in root.rglob("*") if path.suffix in kinds)
    assert found
    return {folder.relative_to(root).as_posix(): number for folder, number in found.items() if number > MOST}


@pytest.mark.parametrize("kinds", KINDS, ids=" ".join)
def test_no_folder_holds_more_modules_than_can_be_seen_at_once(kinds):
    assert crowded(SOURCES, kinds) == {}


def test_a_folder_with_too_many_modules_is_found(tmp_path):
    (tmp_path / "web").mkdir()
    for number in range(MOST + 1):
        (tmp_path / "web" / f"{number}.{'js' if number % 2 else 'css'}").touch()
    assert crowded(tmp_path, (".js", ".css")) == {"web": MOST + 1}
    assert crowded(tmp_path, (".js",)) == {}


def test_every_package_says_in_one_line_what_it_holds():
    packages = [path.parent for path in SOURCES.rglob("__init__.py") if "skeleton" not in path.parts]
    assert len(packages) > 40
    silent = [path for path in packages if not (ast.get_docstring(ast.parse((path / "__init__.py").read_text())) or "")]
    assert silent == []


def test_the_client_says_in_one_line_what_each_of_its_folders_holds():
    lines = [line for line in (WEB / "README.md").read_text("utf-8").splitlines() if line.startswith("| `")]
    named = [line.split("`")[1] for line in lines]
    assert named == sorted(path.name for path in WEB.iterdir() if path.is_dir())
