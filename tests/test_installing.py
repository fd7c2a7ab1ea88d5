"""Commands that install fairdeal work in a clone or with a wheel, because no index has the package; and its citation
names the same package."""

import re
import tomllib
from itertools import pairwise, takewhile

import pytest
import yaml

from fairdeal.engine.errors import missing
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]

FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "examples").rglob("*.md")]
FILES += [path for kind in ("*.md", "*.html") for path in (ROOT / "docs").rglob(kind)]
FILES += [path for kind in ("*.py", "*.md", "*.js", "*.html") for path in (ROOT / "src").rglob(kind)]

COMMAND = re.compile(
    r"\b(pip install|uv\s+(?:sync|run|pip install|add|tool install))\b"
    r"((?: +(?:\"[^\"\n]+\"|[^\s`,;)#&\"]+))*)"
)
"""A command that installs something, and its arguments."""

PATH = re.compile(r"(\.\.?(/|$|\[)|/|\{|[\w-]+/|\$)")
"""The beginning of a path, or of a name that a message fills in."""


def commands_in(text):
    """Return the commands of a text that install something: what they run, and their arguments."""
    return [
        (" ".join(what.split()), [word.strip("\"'") for word in takewhile("and".__ne__, words.split())])
        for what, words in COMMAND.findall(text)
    ]


def problem(what, words):
    """Return why a command does not work in a clone or with a wheel, or ""."""
    named = list(pairwise([*words, ""]))
    if unknown := [name for option, name in named if option == "--extra" and name not in {*EXTRAS, "X", "{extra}"}]:
        return f"no extra {unknown}"
    if unknown := [name for option, name in named if option == "--group" and name not in GROUPS]:
        return f"no group {unknown}"
    if what == "uv sync" and words and "--inexact" not in words and ("--group", "dev") not in named:
        return "it removes other extras: add --inexact"
    if what in ("pip install", "uv pip install", "uv add", "uv tool install"):
        ours = [word for word in words if word.startswith("fairdeal") and not PATH.match(word)]
        extras = [extra for word in words if PATH.match(word) for extra in re.findall(r"\[([\w,{}]+)\]", word)]
        unknown = {extra for several in extras for extra in several.split(",")} - {*EXTRAS, "{extra}"}
        return f"no index has {ours}" if ours else f"no extra {sorted(unknown)}" if unknown else ""
    return ""


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ('python -m pip install "fairdeal[learn]"', "no index"),
        ("pip install fairdeal", "no index"),
        ("uv add fairdeal[data]", "no index"),
        ("uv tool install fairdeal", "no index"),
        ('python -m pip install ".[lern]"', "no extra"),
        ("uv sync --extra learn", "--inexact"),
        ("uv sync --group docs", "--inexact"),
        ("uv sync --inexact --extra lern", "no extra"),
        ("uv run --group tset pytest", "no group"),
        ("uv sync --inexact --extra learn --extra openspiel", ""),
        ('python -m pip install "./fairdeal-0.1.0-py3-none-any.whl[learn,openspiel]"', ""),
        ('python -m pip install -e "../..[data]" matplotlib', ""),
        ("python -m pip install uv && uv run fairdeal", ""),
    ],
)
def test_commands_that_cannot_work_are_found(command, why):
    found = [problem(*one) for one in commands_in(command)]
    assert found
    assert any(why in reason for reason in found) if why else not any(found)


def test_every_command_that_installs_something_works_without_an_index():
    found = {
        f"{path.relative_to(ROOT)}: {what} {' '.join(words)}": problem(what, words)
        for path in FILES
        for what, words in commands_in(path.read_text("utf-8"))
    }
    assert len(found) > 40
    assert {command: why for command, why in found.items() if why} == {}


def test_no_page_names_fairdeal_as_a_requirement_with_extras():
    assert [str(path) for path in FILES if re.search(r"\bfairdeal\[[a-z{]", path.read_text("utf-8"))] == []


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_is_reported_with_commands_that_work(extra):
    found = commands_in(str(missing("this needs something", extra)))
    assert [what for what, _ in found] == ["uv sync", "pip install"]
    assert [problem(*one) for one in found] == ["", ""]


def test_the_citation_names_the_package_its_version_and_its_licence():
    citation, project = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8")), PROJECT["project"]
    assert citation["cff-version"] == "1.2.0"
    assert citation["message"]
    assert citation["title"] == project["name"]
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"]
    assert citation["authors"] == project["authors"]
    assert set(citation["keywords"]) <= set(project["keywords"])
