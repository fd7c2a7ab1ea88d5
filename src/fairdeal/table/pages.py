"""Pages of HTML that need nothing else: no network, no script, light and dark, to be printed too."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files


def whole_page(title: str, styles: Sequence[str], parts: Sequence[str]) -> str:
    """A page of these parts. `styles` are files of packages, such as `fairdeal.table:analysis.css`, that add to the
    look that all pages share."""
    sheets = "\n".join(sheet(place) for place in ("fairdeal.table:page.css", *styles))
    return (
        "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{escape(title)}</title>\n<style>\n{sheets}</style>\n</head>\n"
        f"<body>\n<main>\n{chr(10).join(parts)}\n</main>\n</body>\n</html>\n"
    )


def sheet(place: str) -> str:
    """The text of a stylesheet."""
    package, _, name = place.partition(":")
    return files(package).joinpath(name).read_text("utf-8")


def section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def rows(head: Sequence[str], body: Sequence[Sequence[str]], kind: str = "") -> str:
    """A table of a kind that the styles may know; its cells are HTML already."""
    heads = "".join(f"<th scope='col'>{cell}</th>" for cell in head)
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in body)
    body_rows = f"<tr>{'</tr><tr>'.join(lines)}</tr>"
    return wide(f"<table class='{kind}'><thead><tr>{heads}</tr></thead><tbody>{body_rows}</tbody></table>")


def wide(content: str) -> str:
    """What may be wider than the page, in a box that can be moved by keys too."""
    return f"<div class='wide' tabindex='0'>{content}</div>"
