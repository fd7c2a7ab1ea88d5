"""HTML is written as Markup only, which escapes whatever is put into it."""

import ast
import re

import pytest

from tests.conftest import ROOT

SOURCES = ROOT / "src" / "fairdeal"

TAG = re.compile(r"<[!/]?[a-z][\w-]*[\s/>]", re.IGNORECASE)


def literals_with_tags(source):
    """Yield the line of every string with a tag that is not a docstring or a pattern of `re`, and whether it is a
    literal argument of Markup. What an f-string inserts counts as a letter."""
    tree = ast.parse(source)
    passed_over = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    in_markup = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            first = {id(argument) for argument in node.args[:1]}
            if ast.unparse(node.func) == "Markup":
                in_markup |= first
            elif ast.unparse(node.func).startswith("re."):
                passed_over |= first
        elif isinstance(node, ast.JoinedStr):
            passed_over |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed_over:
            text = node.value
        if TAG.search(text):
            yield node.lineno, isinstance(node, ast.Constant) and id(node) in in_markup


def test_every_string_with_a_tag_is_a_literal_of_markup():
    found = [
        (f"{path.relative_to(SOURCES)}:{line}", is_markup)
        for path in sorted(SOURCES.rglob("*.py"))
        for line, is_markup in literals_with_tags(path.read_text("utf-8"))
    ]
    assert len(found) > 40
    assert {place.partition(":")[0] for place, _ in found} >= {
        "lab/studies/report.py",
        "table/analysis/html.py",
        "server/looks.py",
    }
    assert [place for place, is_markup in found if not is_markup] == []


@pytest.mark.parametrize(
    "source",
    [
        "f'<b>{name}</b>'",
        "Markup(f'<b>{name}</b>')",
        "Markup('<p>{}</p>').format(f'<b>{name}</b>')",
        "'<b>' + name + '</b>'",
        "'<b>%s</b>' % name",
        "'<b>{}</b>'.format(name)",
        "'<br/>'.join(names)",
        "f'<{tag}>'",
        "f'<h{level} id=\"{name}\">'",
        "page.replace('</head>', links)",
        "re.sub('x', '<td>', text)",
        "['<td>']",
    ],
)
def test_html_outside_markup_is_found(source):
    assert False in [is_markup for _, is_markup in literals_with_tags(f"page = {source}")]


@pytest.mark.parametrize(
    "source", ["Markup('<b>{}</b>').format(name)", "re.sub('<b>', '', text)", "f'{a} < {b} > {c}'", "'p < 0.05'"]
)
def test_nothing_else_is_found(source):
    assert all(is_markup for _, is_markup in literals_with_tags(f"page = {source}"))
