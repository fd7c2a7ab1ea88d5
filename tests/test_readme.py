"""The examples of README.md run as shown, and the links, tests and dependencies that pages name exist."""

import doctest
import re
import tomllib
from itertools import chain

from tests.conftest import ROOT

PAGE = ROOT / "README.md"


class Checker(doctest.OutputChecker):
    """Compares output with an example; errors by their names alone, without their modules."""

    def check_output(self, want, got, flags):
        return super().check_output(without_module(want), without_module(got), flags)


def without_module(text):
    return re.sub(r"\A[\w.]+\.(?=\w+:)", "", text.replace("\N{NO-BREAK SPACE}", " "))


def run_examples(*tests):
    """Run examples; return the numbers of failed and of all examples."""
    runner = doctest.DocTestRunner(Checker(), optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test, clear_globs=False)
    return runner.summarize(verbose=False)


def run_as_shown(page):
    """Run the examples of a page; return the numbers of failed and of all examples."""
    text = page.read_text("utf-8")
    return run_examples(doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, page.name, str(page), 0))


def test_the_examples_of_the_readme_run_as_shown():
    failed, tried = run_as_shown(PAGE)
    assert tried > 5
    assert failed == 0


def test_the_pages_and_pictures_that_the_readme_names_are_there():
    links = re.findall(r"\]\(([^)]+)\)", PAGE.read_text("utf-8"))
    assert [link for link in links if not (PAGE.parent / link.partition("#")[0]).exists()] == []


def test_every_test_that_the_page_on_security_names_is_there():
    page = (ROOT / "docs" / "security.md").read_text("utf-8")
    named = set(re.findall(r"tests/[\w/]+\.py", page))
    assert len(named) >= 20
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_dependency_has_its_reason_on_the_page_on_dependencies():
    section = (ROOT / "docs" / "dependencies.md").read_text("utf-8").partition("## Tried")[0]
    reasons = dict(re.findall(r"^\| `([\w-]+)` \| (.+) \|$", section, re.MULTILINE))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project, groups = settings["project"], settings["dependency-groups"]
    declared = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    declared += [requirement for requirement in groups["docs"] if not requirement.startswith("fairdeal")]
    names = {re.match(r"[\w-]+", requirement)[0]: "<" in requirement for requirement in declared}
    assert set(reasons) == set(names)
    assert {name for name, reason in reasons.items() if "Below" in reason} == {
        n for n, capped in names.items() if capped
    }
