"""The tools of maintainers: what makes frozen and generated files again, and what counts tokens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeal.engine.registry import find_game
from tests.conftest import ROOT
from tools import renew, tokens

NAMED = re.compile(r"python -m tools\.renew (\w+)`")


def test_every_step_has_files_and_every_file_that_names_a_step_has_that_step():
    made = {name: {*step.contents()} for name, step in renew.STEPS.items()}
    assert [name for name, files in made.items() if not files] == []
    heads = {
        path: NAMED.search(path.read_bytes()[:20000].decode("utf-8", "replace")) for path in set().union(*made.values())
    }
    named = {path: found[1] for path, found in heads.items() if found and path.suffix in (".toml", ".js", ".ts")}
    assert len(named) == 3
    assert [path for path, step in named.items() if path not in made[step]] == []


def test_a_file_that_changes_is_named(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(renew, "ROOT", tmp_path)
    path = tmp_path / "made.txt"
    path.write_text("stale", "utf-8")
    step = renew.Step("made.txt", "it is different", renew.writing(path, lambda: "made"))
    for printed in ("  made.txt\n", ""):
        renew.run(step)
        assert (path.read_text("utf-8"), capsys.readouterr().out) == ("made", printed)


def test_the_version_of_rules_is_stated_in_one_file(name):
    game = find_game(name)
    (stated,) = renew.VERSION.findall(renew.file_of_rules(game).read_text("utf-8"))
    assert stated == f"rules_version={game.rules_version}"


def test_every_example_has_a_file():
    found = [*renew.examples()]
    assert len(found) > 200
    assert [test.name for test in found if not (test.filename and Path(test.filename).is_file())] == []


def test_an_unknown_step_is_refused():
    command = [sys.executable, "-m", "tools.renew", "golden"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "no step golden; give versions, games" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("count", "source", "tokens_in_it"),
    [
        (tokens.of_python, '"""A module."""\n\nONE = 1  # a comment\n"""A constant."""\n', 3),
        (tokens.of_python, 'a = "two words"\nb = "<p>two words</p>"\n', 7),
        (tokens.of_python, 'def f(x):\n    """Return it."""\n    return x\n', 8),
        (tokens.of_script, "/* a\ncomment */\nconst one = 'a b'; // one\n", 5),
        (tokens.of_script, "const f = (x) => x ?? '//';", 11),
        (tokens.of_script, ".card { margin: 0 2px; }", 9),
    ],
)
def test_tokens_are_counted_without_comments_docstrings_and_layout(count, source, tokens_in_it):
    assert count(source) == tokens_in_it


def test_every_part_of_the_project_is_counted():
    assert all(size > 1000 for size in tokens.sizes().values())
