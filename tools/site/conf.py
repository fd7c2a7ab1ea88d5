"""How Sphinx builds the site; `tools/docs.py` writes the pages and calls it."""

from __future__ import annotations

import inspect
import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tools.reference import as_rst

project = "fairdeal"
author = copyright = "The fairdeal maintainers"
version = release = version_of("fairdeal")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
keep_warnings = True

myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]

suppress_warnings = ["misc.highlighting_failure"]  # examples that are shortened, or are in no language
add_module_names = False
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_type_aliases = {"Record": "Record"}
python_use_unqualified_type_names = True
maximum_signature_line_length = 88

WEB = Path(__file__).parents[2] / "src" / "fairdeal" / "server" / "web"
TOKENS = dict(
    re.findall(r"--([\w-]+):\s*([^;]+?)\s*;", next(WEB.rglob("tokens.css")).read_text("utf-8").partition("@media")[0])
)
"""The colours and typefaces of the room's pages."""

USES = {
    "color-background-primary": "paper",
    "color-background-secondary": "paper-2",
    "color-background-hover": "paper-3",
    "color-background-border": "line",
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "ink-2",
    "color-foreground-muted": "ink-2",
    "color-brand-primary": "ink",
    "color-brand-content": "info",
    "color-brand-visited": "info",
    "color-api-name": "info",
    "color-api-pre-name": "ink-2",
    "color-problematic": "bad",
    "color-highlight-on-target": "lit-wash",
    "color-highlighted-background": "lit-wash",
    "font-stack": "ui",
    "font-stack--monospace": "mono",
}
"""Variables of the theme, and the token that each of them takes."""


def tokens(night: bool) -> dict[str, str]:
    """Return the theme's variables by day or by night."""
    pair = re.compile(r"light-dark\((#\w+|rgb\(.*?\)), (#\w+|rgb\(.*?\))\)")
    return {name: pair.sub(rf"\{night + 1}", TOKENS[token]) for name, token in USES.items()}


html_theme = "furo"
html_title = "fairdeal"
html_static_path = ["static", str(WEB / "fonts")]
html_favicon = str(WEB / "icon.svg")
html_css_files = ["site.css"]
html_show_sourcelink = html_copy_source = html_show_sphinx = html_show_copyright = False
html_theme_options: dict[str, Any] = {
    "light_css_variables": tokens(night=False),
    "dark_css_variables": tokens(night=True),
    "navigation_with_keys": True,
    "top_of_page_buttons": [],
}


def plain(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Turn a docstring of this project into reStructuredText."""
    lines[:] = as_rst(lines)


LONGEST_SIGNATURE = 300
"""Maximum number of characters of a signature that shows types."""


def brief(app: Any, what: str, name: str, thing: Any, options: Any, signature: str | None, result: str | None) -> Any:
    """Return a signature without types, if it is long or has a default that Python cannot read."""
    if not signature or (len(signature) <= LONGEST_SIGNATURE and "<" not in signature):
        return None
    known = inspect.signature(thing)
    names = [
        one.replace(annotation=one.empty, default=one.default if one.default is one.empty else ...)
        for one in known.parameters.values()
        if one.name != "self"
    ]
    shown = known.replace(parameters=names, return_annotation=known.empty)
    return str(shown).replace("Ellipsis", "..."), result


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", plain)
    app.connect("autodoc-process-signature", brief)
