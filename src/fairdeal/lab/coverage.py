"""Coverage of a specification's clauses by case files and tests."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game
from fairdeal.engine.registry import installed_games
from fairdeal.engine.rulebook import Clause, clauses
from fairdeal.lab.cases import read_cases


@dataclass(frozen=True)
class Covered:
    """A clause, the ids of the cases that name it, and its tests as `file::function`."""

    clause: Clause
    cases: tuple[str, ...]
    tests: tuple[str, ...]


def case_files(game: Game) -> list[Path]:
    """Return the case files next to a game's rules, whether those are a module or a package."""
    return sorted((Path(str(files(game.package))) / "cases").glob("*.yaml"))


def coverage(game: Game, tests: Path | None) -> list[Covered]:
    """Return, for every clause of a game, the cases that name it (from all games that share its page), and the tests in
    a folder that are marked with it: `@pytest.mark.clause("CHI-33")`. Comments and docstrings do not count."""
    cases = by_clause(named_by_cases(game))
    marked = by_clause(named_by_tests(tests)) if tests else {}
    return [
        Covered(clause, tuple(cases.get(clause.id, ())), tuple(marked.get(clause.id, ())))
        for clause in clauses(game.specification, game.clause_prefix)
    ]


def by_clause(named: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, clause_id in named:
        found[clause_id].append(name)
    return found


def named_by_cases(game: Game) -> Iterator[tuple[str, str]]:
    """Yield pairs of a case and a clause that it names, for all games that share this game's page."""
    sharing = [other for other in installed_games() if other.specification == game.specification]
    for path in {path: None for other in sharing for path in case_files(other)}:
        for case in read_cases(path).cases:
            for clause_id in case.clauses:
                yield case.id, clause_id


def named_by_tests(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield pairs of a test and the clause that it is marked with. Tests marked `skip` or `xfail` are omitted."""
    for path in sorted(folder.rglob("test_*.py")):
        text = read_text(path)
        for test in ast.parse(text).body if "mark.clause" in text else ():
            if isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef) and test.name.startswith("test_"):
                marks = [mark_of(decorator) for decorator in test.decorator_list]
                if not any(mark in ("skip", "xfail") for mark, _ in marks):
                    for clause_id in [named for mark, ids in marks if mark == "clause" for named in ids]:
                        yield f"{path.name}::{test.name}", clause_id


def mark_of(decorator: ast.expr) -> tuple[str, list[str]]:
    """Return the name of a `pytest.mark` and its string arguments, or empty values for another decorator."""
    call = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
    owner, _, mark = ast.unparse(call.func).rpartition(".")
    if owner != "pytest.mark":
        return "", []
    return mark, [
        given.value for given in call.args if isinstance(given, ast.Constant) and isinstance(given.value, str)
    ]
