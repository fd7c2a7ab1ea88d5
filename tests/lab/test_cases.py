"""Cases: false steps fail, and files that are wrong or check nothing are refused."""

import pytest

from fairdeal.engine.errors import BadCase
from fairdeal.engine.state import State
from fairdeal.lab.cases import read_cases, run_file
from tests.conftest import ROOT, rows_of

RIGHT = """
game: chip-it
options: {players: 3}
cases:
- id: one
  clauses: [CHIP-20]
  position: {hands: [[5g, 9g], ["?"], ["?"]], bank: [3, 3, 3], turn: 0}
  steps:
  - STEP
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "case.yaml"


FALSE = """
expect: {turn: 1} -> turn is 0, not 1
expect: {"hands[0]": [5g, 8g]} -> hands
expect: {"count(discard)": 1} -> not 1
expect: {nothing: 1} -> no 'nothing'
legal: {seat: 0, exactly: [pass 1]} -> expected exactly
legal: {seat: 0, excludes: [play 5g as 5]} -> should not be
legal: {seat: 0, includes: [pass 0]} -> not legal
legal: {seat: 0, count: 3} -> not 3
illegal: {seat: 0, move: play 5g as 5} -> is legal
illegal: {seat: 0, move: pass 0, clause: CHIP-40} -> not CHIP-40
play: {seat: 0, move: play 5g as 4} -> not legal
over: true -> over is False
error: turn -> accepted
view: {seat: 1, expect: {"hands[0]": [5g, 9g]}} -> hands
view: {seat: 9, expect: {turn: 0}} -> , not 9
legal: {seat: 9, count: 0} -> , not 9
illegal: {seat: 9, move: pass 0} -> , not 9
expect: {"hands[0": []} -> not a path
expect: {"hands[-1]": []} -> not a path
expect: {"": 1} -> not a path
expect: {"count(turn)": 1} -> cannot be counted
expect: {"turn.x": 1} -> no 'turn.x'
"""
"""Steps that are false, each with words of the message."""


@pytest.mark.parametrize(("step", "words"), rows_of(FALSE))
def test_a_step_that_is_false_fails_and_says_why(path, step, words):
    path.write_text(RIGHT.replace("STEP", step))
    (outcome,) = run_file(path)
    assert words in outcome.problem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game: [", "while parsing"),
        (
            "game: [chi",
            r"case\.yaml: while parsing a flow sequence \(line 1, column 7\); expected .*\(line 1, column 11\)$",
        ),
        ("[" * 100_000, "recursion"),
        ("game: chip-it", "cases"),
        (RIGHT.replace("STEP", "exepct: {}"), "exepct"),
        (RIGHT.replace("clauses", "clause").replace("STEP", "over: false"), "clause"),
        ("game: chi\ncases: [{id: a, clauses: [], deal: 1, steps: []}]", "at least one step"),
        ("game: chi\ncases: [{id: a, clauses: [], deal: 1, position: {turn: 0}, steps: [{over: false}]}]", "not both"),
        (
            "game: chi\ncases:\n"
            "- {id: a, clauses: [], deal: 1, steps: [{over: false}]}\n"
            "- {id: a, clauses: [], deal: 2, steps: [{over: false}]}",
            "two cases have the id 'a'",
        ),
    ],
)
def test_a_file_that_is_wrong_or_misleading_is_refused(path, text, words):
    path.write_text(text)
    with pytest.raises(BadCase, match=words):
        read_cases(path)


def test_a_move_that_breaks_a_condition_of_the_game_fails(path, monkeypatch):
    monkeypatch.setattr(State, "broken", lambda state: [("turn", "somebody is to act")])
    path.write_text(RIGHT.replace("STEP", '{play: "0: play 5g"}'))
    (outcome,) = run_file(path)
    assert "after 'play 5g', turn is wrong: somebody is to act" in outcome.problem


def test_a_move_may_be_written_in_short(path):
    path.write_text(RIGHT.replace("STEP", '{play: "0: play 5g"}\n  - expect: {turn: 1}'))
    (outcome,) = run_file(path, with_twin=True)
    assert outcome.problem == ""
    assert outcome.clauses == ("CHIP-20",)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("{}", "exactly one"),
        ("{over: false, turn: 1}", "turn"),
        ("{over: false, to_act: [0]}", "exactly one"),
        ("legal: {seat: 0}", "must have `exactly`, `includes`"),
        ("expect: {}", "must have a path"),
        ("view: {seat: 0, expect: {}}", "must have a path"),
        ("play: play 5g", "seat: move"),
        ("{over: false}\n  - error: turn", "the only step"),
    ],
)
def test_a_step_that_would_check_nothing_is_refused(path, step, words):
    path.write_text(RIGHT.replace("STEP", step))
    with pytest.raises(BadCase, match=words):
        read_cases(path)


def test_the_example_of_the_documentation_holds(path):
    page = (ROOT / "docs" / "cases.md").read_text("utf-8")
    path.write_text(page.split("```yaml\n")[1].split("```")[0])
    assert [outcome.problem for outcome in run_file(path, with_twin=True)] == [""]
