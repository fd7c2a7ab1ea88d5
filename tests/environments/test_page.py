"""The page on environments shows what happens."""

from tests.conftest import ROOT
from tests.test_readme import run_as_shown

PAGE = ROOT / "docs" / "environments.md"


def test_the_code_of_the_page_on_environments_runs_as_shown():
    failed, tried = run_as_shown(PAGE)
    assert tried > 30
    assert failed == 0


def test_every_code_block_of_the_page_is_one_that_is_run():
    blocks = PAGE.read_text("utf-8").split("```python\n")[1:]
    assert len(blocks) >= 7
    assert {block[:4] for block in blocks} == {">>> "}
