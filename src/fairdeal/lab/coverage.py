"""Which clauses of a specification are named by a case or a test."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from fairdeal.engine.game import Game
from fairdeal.engine.registry import installed_games
from fairdeal.engine.rulebook import Clause, clauses
from fairdeal.lab.cases import read_cases


@dataclass(frozen=True)
class Covered:
    """A clause and what names it: case ids, and files of tests."""

    clause: Clause
    cases: tuple[str, ...]
    tests: tuple[str, ...]


def case_files(game: Game) -> list[Path]:
    """The case files that lie beside a game's rules."""
    package = game.rules.apply.__module__.rpartition(".")[0]
    folder = Path(str(files(package))) / "cases"
    return sorted(folder.glob("*.yaml"))


def coverage(game: Game, tests: Path | None = None) -> list[Covered]:
    """For every clause of a game, the cases that list it (of all games that share its page) and the test files that
    mention it."""
    by_clause: dict[str, list[str]] = {}
    sharing = [other for other in installed_games() if other.specification == game.specification]
    for path in {path: None for other in sharing for path in case_files(other)}:
        for case in read_cases(path).cases:
            for clause_id in case.clauses:
                by_clause.setdefault(clause_id, []).append(case.id)
    prefixes = "|".join(game.clause_prefix.split())
    mentions: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")) if tests else []:
        for clause_id in set(re.findall(rf"(?:{prefixes})-\d+", path.read_text("utf-8"))):
            mentions.setdefault(clause_id, []).append(path.name)
    return [
        Covered(clause, tuple(by_clause.get(clause.id, ())), tuple(mentions.get(clause.id, ())))
        for clause in clauses(game.specification, game.clause_prefix)
    ]
