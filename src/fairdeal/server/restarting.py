"""What a proxy answers while the room restarts: a page in the room's own look, and JSON for programs."""

import re

import msgspec
from markupsafe import Markup

from fairdeal.engine.files import read_text
from fairdeal.protocol.bodies import Problem
from fairdeal.server.static_files import WEB, without_comments

AGAIN = "the room restarts; try again in a moment"
"""The error message for programs."""

PAGE = Markup("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
<meta http-equiv="refresh" content="2" />
<title>fairdeal</title>
<style>
{style}
</style>
</head>
<body>
<main class="nothing">
{card}
<h1>Back in a moment</h1>
<p>The room restarts. All tables are saved, and this page comes back by itself.</p>
<a class="btn main" href="">Try again</a>
</main>
</body>
</html>
""")

USED = ("*,", "body", "h1,", ".nothing", ".btn", ":is(a")
"""Beginnings of the rules that the page needs."""

RULE = re.compile(r"^[^\s@}][^{}]*\{(?:[^{}]|\{[^{}]*\})*\}\n", re.MULTILINE)
TOKEN = re.compile(r"\s*(--[\w-]+):\s*([^;]*);")


def page() -> str:
    """Return the page. It loads nothing, because nobody would answer."""
    rules = RULE.findall(without_comments(read_text(WEB / "styles" / "base.css")))
    style = "".join(rule for rule in rules if rule.startswith(USED)).rstrip()
    tokens = dict(TOKEN.findall(without_comments(read_text(WEB / "styles" / "tokens.css"))))
    wanted: dict[str, str] = {}
    while missing := {*re.findall(r"var\((--[\w-]+)", style + "".join(wanted.values()))} - {*wanted}:
        wanted |= {name: tokens[name] for name in missing}
    root = "".join(f"  {name}: {value};\n" for name, value in tokens.items() if name in wanted)
    card = (
        read_text(WEB / "icon.svg").strip().replace("viewBox", 'width="48" height="64" aria-hidden="true" viewBox', 1)
    )
    style = f":root {{\n  color-scheme: light dark;\n{root}}}\n{style}"
    return PAGE.format(style=Markup(style), card=Markup(card))  # noqa: S704 - our own files


def answers(file: str) -> tuple[str, str]:
    """Return the directives of HAProxy for the page, which is in a file, and for JSON."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = "hdr Retry-After 1 hdr Cache-Control no-store hdr X-Content-Type-Options nosniff"
    told = msgspec.json.encode(Problem(AGAIN)).decode()
    return (
        f'http-error status 503 content-type text/html file {file} {head} hdr Content-Security-Policy "{policy}"',
        f"http-error status 503 content-type application/json string '{told}' {head}",
    )
