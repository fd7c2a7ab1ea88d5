"""Self-contained HTML pages that need no network or script, adapt to light and dark mode, and can be printed.

All text put into a page is escaped, unless it is `Markup`.
"""

from collections.abc import Iterable, Sequence
from importlib.resources import files

from markupsafe import Markup

from fairdeal.engine.files import read_text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content security policy: a page may only apply its own styles, even if untrusted text became markup."""


def whole_page(title: str, styles: Sequence[str], parts: Sequence[Markup]) -> Markup:
    """Return a page made of `parts`. `styles` are stylesheets in packages, such as `fairdeal.table:analysis.css`. They
    are added to the stylesheet that all pages share."""
    return Markup(
        "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta http-equiv='Content-Security-Policy' content='{}'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n</body>\n</html>\n"
    ).format(
        POLICY,
        title,
        Markup("\n").join(sheet(place) for place in ("fairdeal.table:page.css", *styles)),
        Markup("\n").join(parts),
    )


def sheet(place: str) -> Markup:
    """Return the text of a stylesheet, unescaped."""
    package, _, name = place.partition(":")
    return Markup(read_text(files(package) / name))  # noqa: S704 - a file of a package


def joined(parts: Iterable[str]) -> Markup:
    """Return the parts concatenated."""
    return Markup("").join(parts)


def section(title: str, content: Markup) -> Markup:
    return Markup("<section><h2>{}</h2>{}</section>").format(title, content)


def rows(head: Sequence[str], body: Sequence[Sequence[str]], kind: str = "") -> Markup:
    """Return a table. `kind` is its CSS class."""
    heads = joined(Markup("<th scope='col'>{}</th>").format(cell) for cell in head)
    lines = (joined(Markup("<td>{}</td>").format(cell) for cell in row) for row in body)
    body_rows = Markup("<tr>{}</tr>").format(Markup("</tr><tr>").join(lines))
    table = Markup("<table class='{}'><thead><tr>{}</tr></thead><tbody>{}</tbody></table>")
    return wide(table.format(kind, heads, body_rows))


def folded(title: str, content: Markup) -> Markup:
    """Return content that is shown only when its title is opened, or when the page is printed."""
    return Markup("<details><summary>{}</summary>{}</details>").format(title, content)


def quiet(text: str) -> Markup:
    """Return a note in small print."""
    return Markup("<p class='quiet'>{}</p>").format(text)


def wide(content: Markup) -> Markup:
    """Return content that may be wider than the page, in a box that can also be scrolled with the keyboard."""
    return Markup("<div class='wide' tabindex='0'>{}</div>").format(content)
