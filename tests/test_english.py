"""Docstrings, comments, names of tests and docs avoid the phrases that readers stumble over most often."""

import ast
import re

import pytest

from tests.conftest import ROOT

PHRASES = {
    r"\bso many\b": "name the number, or refer to the parameter: `count` cards",
    r"\b[Ww]ho(m)?ever\b": "name the person, or say 'anyone who'",
    r"\b(is|are) told\b": "say what is sent, shown or returned",
    r"\btells? (what|how|which|who|whom)\b": "use describe, return or a noun",
    r"\bnobody (but|who)\b": "say who does: 'only ...'",
    r"\bnothing but\b": "say 'only'",
    r"(?<!there )\bis no (card|seat|game|player|table|move|file|bot|number|option|log)\b": "say 'is not a ...'",
    r"\ball the same\b": "say 'anyway', or leave it out",
    r"(?<!cannot )\btells? whether\b": "say 'is true if', or 'returns whether'",
    r"\bwhatever\b": "say 'regardless of'",
    r"\bblank(s|ed)? out\b": "say 'conceal'",
    r"\bjudging by what\b": "say 'judging by public information'",
}
"""Advice by phrase."""

OPENING = re.compile(r"^(What|Who|Whom|Whose|How|Which|So that)\b")
"""Openings of a docstring that a noun or a verb replaces: "The rating", "Return whether"."""


def docstrings(source):
    """Yield the kind, line and text of every docstring, those of constants and fields included."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for place, one in enumerate(body if isinstance(body, list) else []):
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
                kind = type(node).__name__ if place == 0 else "constant"
                yield kind, one.lineno, one.value.value


COMMENT = re.compile(r"/\*\*?(.*?)\*/|((?:^[ \t]*//[^\n]*\n)+)|(?<=[;{}(,] )//([^\n]*)", re.DOTALL | re.MULTILINE)


def comments(script):
    """Yield the line and text of every comment in JavaScript, without its types."""
    for found in COMMENT.finditer(script):
        lines = next(filter(None, found.groups()), "").split("\n")
        text = " ".join(re.sub(r"^\s*(//|\*)", "", line).strip() for line in lines)
        yield script.count("\n", 0, found.start()) + 1, re.sub(r"`[^`]*`|\{[^}]*\}", "", text).strip()


def names_in(source):
    """Yield the line of every test with its name as words."""
    for found in re.finditer(r"^(?:async )?def test_(\w+)", source, re.MULTILINE):
        yield source.count("\n", 0, found.start()) + 1, found[1].replace("_", " ")


def prose(page):
    """Return the lines of a page without its code."""
    text = re.sub(r"^```.*?^```", lambda block: re.sub(r".", "", block[0]), page, flags=re.MULTILINE | re.DOTALL)
    return [re.sub(r"`[^`]*`", "", "" if line.startswith("    ") else line) for line in text.split("\n")]


def found_in(numbered):
    """Return a message for each phrase in texts with their line numbers."""
    return [
        f"line {line}: {found[0]!r}: {better}"
        for line, text in numbered
        for phrase, better in PHRASES.items()
        for found in re.finditer(phrase, text)
    ]


def openings_in(numbered):
    """Return a message for each text that a noun or a verb should begin."""
    return [
        f"line {line}: begins with {found[0]!r}: begin with a noun or a verb"
        for line, text in numbered
        for found in OPENING.finditer(text)
    ]


def found_in_docstrings(source):
    read = [*docstrings(source)]
    opened = [(line, text) for kind, line, text in read if kind != "Module"]
    return found_in((line, re.sub(r"`[^`]*`|\"[^\"]*\"", "", text)) for _, line, text in read) + openings_in(opened)


def found_in_comments(script):
    read = [*comments(script)]
    return found_in(read) + openings_in(read)


def found_in_names(source):
    return found_in(names_in(source))


def found_in_prose(page):
    return found_in(enumerate(prose(page), 1))


SOURCES = sorted(
    path for name in ("src", "examples", "tools", "benchmarks", "studies") for path in ROOT.glob(f"{name}/**/*.py")
)
SCRIPTS = sorted(path for path in ROOT.glob("src/**/*.js") if "vendor" not in path.parts)
TESTS = sorted(ROOT.glob("tests/**/test_*.py"))
PAGES = sorted([*ROOT.glob("docs/**/*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))])


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('"""Of a module."""\nHIGH = 3\n"""So that it is."""\n', 1),
        ('def deal(count):\n    """Deal so many cards to whoever asks."""\n', 2),
        ('class Deal:\n    """What is dealt. `x` is no card."""\n', 2),
        ('def deal(count):\n    """Deal `count` cards, and return `so many`."""\n', 0),
    ],
)
def test_phrases_are_found(text, count):
    assert len(found_in_docstrings(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("// What is dealt.\nconst cards = 3;\n", 1),
        ("/** How many cards\n * anybody is told of. @param {number} count */\n", 2),
        ("  deal(); // so many\n", 1),
        ("/** The name of `whoever` deals. @type {so many} */\nconst address = 'http://whoever';\n", 0),
    ],
)
def test_comments_are_read(text, count):
    assert len(found_in_comments(text)) == count


def test_names_of_tests_are_read():
    assert len(found_in_names("def test_whoever_asks_is_told():\n    so_many = 1\n")) == 2


def test_code_in_a_page_is_not_read():
    assert found_in_prose("`so many`\n\n    so many\n\n```\nso many\n```\n") == []
    assert len(found_in_prose("Ask\nwhoever is told.")) == 2


@pytest.mark.parametrize(
    ("paths", "least", "find"),
    [
        (SOURCES, 300, found_in_docstrings),
        (PAGES, 30, found_in_prose),
        (SCRIPTS, 100, found_in_comments),
        (TESTS, 150, found_in_names),
    ],
    ids=["docstrings", "docs", "comments", "tests"],
)
def test_what_maintainers_read_is_plain(paths, least, find):
    assert len(paths) > least
    found = {str(path.relative_to(ROOT)): find(path.read_text("utf-8")) for path in paths}
    assert {path: phrases for path, phrases in found.items() if phrases} == {}
