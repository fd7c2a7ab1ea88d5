"""What the README shows is what happens."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[1] / "README.md"


def test_the_examples_of_the_readme_run_as_shown():
    failed, tried = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert tried > 5
    assert failed == 0


def test_the_pages_and_pictures_that_the_readme_names_are_there():
    import re

    links = re.findall(r"\]\(([^)]+)\)", PAGE.read_text("utf-8"))
    assert [link for link in links if not (PAGE.parent / link.partition("#")[0]).exists()] == []
