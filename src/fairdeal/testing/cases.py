"""Checks that every worked example passes, every clause is tested, and the page of rules is parsed completely."""

from functools import cache
from pathlib import Path

from fairdeal.engine.game import Game
from fairdeal.engine.rulebook import clauses, specification
from fairdeal.lab.cases import CaseFile, Play, read_cases, run_file
from fairdeal.lab.coverage import Covered, case_files, coverage
from fairdeal.testing.play import must_have
from fairdeal.testing.roundtrips import verb_of


@cache
def cases_in(path: Path) -> CaseFile:
    return read_cases(path)


def check_cases(path: Path, *, compiled: bool) -> int:
    """Run every case in a file with the interpreted rules and, if `compiled`, with the compiled rules as well. Return
    the number of cases."""
    outcomes = list(run_file(path, with_twin=compiled))
    problems = [f"{outcome.case}: {outcome.problem}" for outcome in outcomes if outcome.problem]
    assert not problems, f"{path.name}: {'; '.join(problems)}"
    must_have(len(outcomes), 1, f"{path}: cases")
    return len(outcomes)


def check_number_of_cases(game: Game, least: int) -> int:
    """Check that a game has at least `least` cases in files next to its rules, and return their number."""
    found = sum(len(cases_in(path).cases) for path in case_files(game))
    must_have(found, least, f"{game.name}: cases in {[path.name for path in case_files(game)]}")
    return found


def named_in_cases(game: Game) -> set[str]:
    """Return the verbs of the moves in the cases, and the phases in their positions."""
    found = set()
    for path in case_files(game):
        for case in cases_in(path).cases:
            found |= {verb_of(step.play.move) for step in case.steps if isinstance(step.play, Play)}
            found |= {phase for phase in [case.position.get("phase")] if isinstance(phase, str)}
    return found


def check_coverage(game: Game, tests: Path | None, least: int) -> list[Covered]:
    """Check that every clause is named by a case or by the mark of a test in a folder:
    `@pytest.mark.clause("CHI-33")`."""
    table = coverage(game, tests)
    must_have(len(table), least, f"{game.name}: clauses {game.clause_prefix} on the page {game.specification}")
    bare = [covered.clause.id for covered in table if not covered.cases and not covered.tests]
    assert not bare, f"{game.name}: neither a case nor a test checks {', '.join(bare)}"
    return table


def check_page(game: Game, least: int) -> None:
    """Check that every clause of the page of rules is parsed exactly once."""
    found = [one.id for one in clauses(game.specification, game.clause_prefix)]
    begins = tuple(f"- {word}-" for word in game.clause_prefix.split())
    written = [line.split()[1] for line in specification(game.specification).splitlines() if line.startswith(begins)]
    assert found == written, f"{game.name}: read {sorted(set(found) ^ set(written))} otherwise than written"
    assert len(found) == len(set(found)), f"{game.name}: a clause is on the page twice"
    must_have(len(found), least, f"{game.name}: clauses on the page {game.specification}")
