"""Mutation: changes that no case notices, and clauses that cases name but do not test."""

import ast
import os
import re
import subprocess
import sys
import time

import pytest

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.lab.coverage import case_files
from tests.conftest import refusal
from tools import mutate

CHI = fairdeal.find_game("chi")
UTF_8 = {"PYTHONUTF8": "1"}

IN_VAIN = """
game: chi
cases:
- id: drawing
  clauses: [CHI-21]
  options: {first_player: 0}
  deal: 1
  steps:
  - over: false
  - legal: {seat: 0, includes: [draw 0]}
"""
"""A case that names the clause of the deck but does not check it."""


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Run CHI as plain Python, whatever other tests have compiled."""
    monkeypatch.setattr(compiled, "_compiled", {})


@pytest.fixture
def in_vain(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text(IN_VAIN, "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("MINE-01, 02: shuffle", ("MINE-01", "MINE-02")),
        ("FISH-10..13: a question", ("FISH-10", "FISH-11", "FISH-12", "FISH-13")),
        ("ORDER-9 and 10, GEN-2", ("ORDER-9", "ORDER-10", "GEN-2")),
        ("No clause at all.", ()),
        (None, ()),
    ],
)
def test_a_docstring_names_its_clauses(text, ids):
    assert mutate.clauses_in(text) == ids


def test_numbers_and_comparisons_are_changed_one_at_a_time():
    tree = ast.parse("def f(a, b):\n    if a < b != 3:\n        return b - 1\n    return 0 >= a\n")
    found = [(line, before, after) for _, line, before, after in mutate.changes_in(tree)]
    assert sorted(found) == [
        (2, "a < b != 3", "a < b != 2"),
        (2, "a < b != 3", "a < b != 4"),
        (2, "a < b != 3", "a < b == 3"),
        (2, "a < b != 3", "a <= b != 3"),
        (3, "b - 1", "b - 0"),
        (3, "b - 1", "b - 2"),
        (4, "0 >= a", "0 > a"),
        (4, "0 >= a", "1 >= a"),
    ]


def test_a_change_is_made_for_a_while_and_undone():
    sites = mutate.sites_of(CHI)
    assert {site.change.rule for site in sites} > {"can_draw_deck", "ROW"}
    for site in sites:
        rule, name = site.rules[0], site.change.rule
        homes = mutate.places_of(rule, name, sys.modules[site.home]) if site.home else []
        before = rule.__code__, *(home[name] for home in homes)
        with mutate.changed(site):
            now = rule.__code__, *(home[name] for home in homes)
            assert now == ((site.code,) if site.code else (rule.__code__, *[site.value] * len(homes)))
        assert before == (rule.__code__, *(home[name] for home in homes))
        assert not rule.__module__.startswith("fairdeal.engine")


def test_a_case_that_names_a_clause_without_testing_it_does_not_cover_it(in_vain):
    report = mutate.mutate(CHI, [in_vain], only=["can_draw_deck"])
    assert (len(report.unnoticed), report.cases) == (len(report.findings), 1)
    assert [(one.clause, one.cases, one.changes) for one in report.untested] == [
        ("CHI-21", ("drawing",), len(report.findings))
    ]
    assert {change.clauses for change in report.unnoticed} == {("CHI-21",)}


def test_the_cases_of_a_game_notice_a_change_of_what_they_test():
    report = mutate.mutate(CHI, only=["can_draw_deck"])
    noticed = [finding for finding in report.findings if finding.noticed]
    assert noticed
    assert report.untested == ()


def never_answers(pipe, *given):
    pipe.send(0.0)
    time.sleep(60)


def test_a_change_that_makes_a_rule_run_for_ever_is_stopped_and_noticed(monkeypatch):
    monkeypatch.setattr(mutate, "work", never_answers)
    monkeypatch.setattr(mutate, "SLOWEST", 0.2)
    worker = mutate.Worker("chi", (), ())
    begun = time.monotonic()
    assert worker.noticed(0) == worker.noticed(1) == (mutate.TOO_LONG,)
    assert time.monotonic() - begun < 50
    assert worker.process is None


def test_a_case_that_fails_unchanged_is_reported_before_anything_is_changed(in_vain):
    in_vain.write_text(IN_VAIN.replace("over: false", "over: true"), "utf-8")
    with refusal("drawing fails without any change: step 1: over is False"):
        mutate.mutate(CHI, [in_vain])
    with refusal("chi has no rule or constant called nothing"):
        mutate.mutate(CHI, case_files(CHI), only=["nothing"])


def test_the_command_lists_the_changes_and_ends_with_1(in_vain):
    command = [sys.executable, "-m", "tools.mutate", "chi", in_vain, "--rule", "can_draw_deck", "--jobs", "1"]
    told = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, env=os.environ | UTF_8)
    assert told.returncode == 1
    assert "✗ CHI-21: named by drawing; none fails after any of" in told.stdout
    assert " can_draw_deck [CHI-21]: state.deck.length > 0  →  state.deck.length >= 0\n" in told.stdout
    assert re.fullmatch(r"(\d+) changes, 0 detected by 1 cases, \1 not", told.stdout.splitlines()[-1])
