"""Coverage of clauses: by cases that list them, and by tests that are marked with them."""

from pathlib import Path

import fairdeal
from fairdeal.engine.rulebook import clause, clauses
from fairdeal.lab.coverage import coverage, named_by_cases, named_by_tests

TESTS = Path(__file__).parent.parent


def test_what_cases_list_and_tests_are_marked_with_are_clauses():
    games = [fairdeal.find_game(name) for name in fairdeal.game_names()]
    known = {one.id for game in games for one in clauses(game.specification, game.clause_prefix)}
    listed = {(case, clause_id) for game in games for case, clause_id in named_by_cases(game)}
    marked = set(named_by_tests(TESTS))
    assert len(listed) > 500
    assert len(marked) > 10
    assert [(where, clause_id) for where, clause_id in sorted(listed | marked) if clause_id not in known] == []


def test_only_the_mark_of_a_test_that_runs_counts(tmp_path):
    """Not a comment, a docstring, a string, or a test that is skipped."""
    (tmp_path / "test_chi.py").write_text(
        "\n".join(
            [
                '"""CHI-01."""',
                "import pytest",
                "# CHI-02",
                '@pytest.mark.clause("CHI-03", "CHI-04")',
                "def test_marked():",
                '    """CHI-05."""',
                '    assert "CHI-06"  # CHI-07',
                '@pytest.mark.skip(reason="CHI-08")',
                '@pytest.mark.clause("CHI-09")',
                "def test_skipped(): ...",
                '@pytest.mark.clause("CHI-10")',
                "def no_test(): ...",
                '@pytest.mark.parametrize("clause", ["CHI-11"])',
                '@pytest.mark.clause("CHI-12")',
                "async def test_of_the_server(clause): ...",
            ]
        ),
        "utf-8",
    )
    assert list(named_by_tests(tmp_path)) == [
        ("test_chi.py::test_marked", "CHI-03"),
        ("test_chi.py::test_marked", "CHI-04"),
        ("test_chi.py::test_of_the_server", "CHI-12"),
    ]
    covered = {found.clause.id: found.tests for found in coverage(fairdeal.find_game("chi"), tmp_path)}
    assert [clause_id for clause_id, tests in covered.items() if tests] == ["CHI-03", "CHI-04", "CHI-12"]


def test_a_clause_has_its_mark_and_its_words():
    found = clause("chip-it", "CHIP-44")
    assert found.mark == "A"
    assert found.text.startswith("A leader who has cards may also pass.")
    assert clause("chi", "CHI-10").mark == "R"
