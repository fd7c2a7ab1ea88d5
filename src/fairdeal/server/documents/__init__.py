"""Documents that the room writes as HTML, and its pages lay out: rules, privacy and analyses. Pages draw the cards of a
document in their places.

A document is written with forms: HTML with fields in the syntax of `str.format`. Whatever is put into a field is
escaped, unless it is `Markup`.
"""

from datetime import UTC, datetime
from string import Formatter
from typing import Any, ClassVar

import msgspec
from markupsafe import Markup, escape

EMPTY = Markup("")


class Writer(Formatter):
    """Fills forms. A field may name the form or the method that writes its value, `{0.clause:source}`; a form that is
    named writes nothing for an empty value. `{0.rows:each}` writes every item of a list with the form for its type, and
    `{0.rows:each step}` with the form `step`."""

    forms: ClassVar[dict[str, Markup]]

    def write(self, form: str, *values: object) -> Markup:
        return Markup(self.vformat(self.forms[form], values, {}))  # noqa: S704 - `format_field` escapes the values

    def format_field(self, value: Any, format_spec: str) -> Markup:
        name, _, form = format_spec.partition(" ")
        if name == "each":
            return EMPTY.join(self.write(form or type(one).__name__, one) for one in value)
        if name in self.forms:
            return self.write(name, value) if value else EMPTY
        return escape(getattr(self, name)(value) if name else value)

    def json(self, value: object) -> str:
        """Return a value for the script of a page."""
        return msgspec.json.encode(value).decode()

    def time(self, at: float) -> Markup:
        """Return a time, which the page writes in the zone of its device."""
        form = Markup("<time datetime='{0:%Y-%m-%dT%H:%M:%SZ}'>{0:%A} {0.day} {0:%B %Y} at {0:%H:%M} UTC</time>")
        return form.format(datetime.fromtimestamp(at, UTC))


PAGE = Markup("""<!doctype html>
<html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width, initial-scale=1'>
<meta name='color-scheme' content='light dark'>
<title>{title} · fairdeal</title><link rel='stylesheet' href='/web/{version}/styles.css'></head><body>
<main class='{kind}'>{body}</main></body></html>
""")
"""A document that is a page of its own."""

HEADER = Markup(
    "<header><a class='logo' href='/' aria-label='To the lobby'><svg class='ic' aria-hidden='true' viewBox='0 0 20 20'>"
    "<use href='#i-fair-mark'/></svg></a><h1>{}</h1>{}</header>"
)
"""The header of a document, with its title and its buttons."""

SURE = Markup("<details class='no-way-back'><summary>{}</summary><p>This cannot be undone.</p>{}</details>")
"""A button that asks first: what it does, and the form that does it."""
