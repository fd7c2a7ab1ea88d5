"""Every clause of every specification is named by a case or a test."""

from pathlib import Path

import fairdeal
from fairdeal.engine.rulebook import clause, clauses, specification
from fairdeal.lab.coverage import coverage


def test_every_clause_is_named_by_a_case_or_a_test(name):
    game = fairdeal.find_game(name)
    table = coverage(game, Path(__file__).parent.parent)
    for covered in table:
        named = len(covered.cases) + len(covered.tests)
        print(
            f"{covered.clause.id} [{covered.clause.mark}] {len(covered.cases)} cases, {len(covered.tests)} test files"
        )
        assert named, covered.clause.id
    missing = [covered.clause.id for covered in table if not covered.cases and not covered.tests]
    assert missing == []


def test_the_specifications_are_read_whole(name):
    game = fairdeal.find_game(name)
    found = [one.id for one in clauses(game.specification, game.clause_prefix)]
    written = [
        line.split()[1]
        for line in specification(game.specification).splitlines()
        if line.startswith(tuple(f"- {word}-" for word in game.clause_prefix.split()))
    ]
    assert found == written
    assert len(found) == len(set(found)) > 25


def test_a_clause_has_its_mark_and_its_words():
    found = clause("chip-it", "CHIP-44")
    assert found.mark == "A"
    assert found.text.startswith("A leader who holds cards may pass too.")
    assert clause("chi", "CHI-10").mark == "R"
