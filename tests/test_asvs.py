"""Each test that docs/asvs.md names exists, and each point has a test or a reason."""

import re

from tests.conftest import ROOT

PAGE = ROOT / "docs/asvs.md"
ROW = re.compile(r"^\| ([\d., to]+) \| (.+) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)")
REASONS = ("does not apply", "not tested: ", "fails")


def wrong_rows(text):
    """Return the points whose last column names a test that does not exist, or neither a test nor a reason."""
    return [points for points, _, why in ROW.findall(text) if not (is_tested(why) or why.startswith(REASONS))]


def is_tested(why):
    named = NAMED.findall(why)
    return bool(named) and all(exists(*one) for one in named)


def exists(file, name):
    path = ROOT / file
    return path.exists() and re.search(rf"^(?:async )?def {name}\(", path.read_text("utf-8"), re.MULTILINE) is not None


def test_every_point_has_a_test_that_exists_or_a_reason():
    text = PAGE.read_text("utf-8")
    assert text.count("\n| ") == len(ROW.findall(text)) + 1
    assert wrong_rows(text) == []
    chapters = {int(points.partition(".")[0]) for points, _, _ in ROW.findall(text)}
    assert chapters == {*range(2, 15)}


def test_a_test_that_is_not_there_is_found():
    rows = "| 9.1.1 | says. | tests/test_asvs.py::test_nothing |\n| 9.1.2 | says. | certainly |\n"
    assert wrong_rows(rows) == ["9.1.1", "9.1.2"]
