"""Docstrings, messages and docs avoid the phrases that readers stumble over most often."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

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


def found_in_docstrings(source):
    read = [*docstrings(source)]
    return found_in((line, re.sub(r"`[^`]*`|\"[^\"]*\"", "", text)) for _, line, text in read) + [
        f"line {line}: begins with {found[0]!r}: begin with a noun or a verb"
        for kind, line, text in read
        if kind != "Module"
        for found in OPENING.finditer(text)
    ]


def found_in_prose(page):
    return found_in(enumerate(prose(page), 1))


SOURCES = sorted(
    path for name in ("src", "examples", "tools", "benchmarks", "studies") for path in ROOT.glob(f"{name}/**/*.py")
)
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


def test_code_in_a_page_is_not_read():
    assert found_in_prose("`so many`\n\n    so many\n\n```\nso many\n```\n") == []
    assert len(found_in_prose("Ask\nwhoever is told.")) == 2


@pytest.mark.parametrize(
    ("paths", "least", "find"),
    [(SOURCES, 300, found_in_docstrings), (PAGES, 30, found_in_prose)],
    ids=["docstrings", "docs"],
)
def test_docstrings_and_docs_are_plain(paths, least, find):
    assert len(paths) > least
    found = {str(path.relative_to(ROOT)): find(path.read_text("utf-8")) for path in paths}
    assert {path: phrases for path, phrases in found.items() if phrases} == {}
