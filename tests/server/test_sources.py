"""The browser sources hang together: what a page asks for is there, and asked for at once."""

import re
from pathlib import Path

import pytest

import fairdeal

WEB = Path(fairdeal.__file__).parent / "server" / "web"
PAGES = ("lobby.js", "table.js", "replay.js")


def needed(name, seen=()):
    """A module and all that it imports when it is loaded."""
    if name in seen:
        return set(seen)
    found = {*seen, name}
    text = (WEB / name).read_text("utf-8")
    for other in re.findall(r"^(?:import|export)\b[^;'\"]*['\"](\.[^'\"]+)['\"]", text, re.MULTILINE):
        found |= needed((WEB / name).parent.joinpath(other).resolve().relative_to(WEB.resolve()).as_posix(), found)
    return found


def test_the_modules_that_every_page_needs_are_asked_for_at_once():
    preloaded = re.findall(r'rel="modulepreload" href="/web/([^"]+)"', (WEB / "index.html").read_text("utf-8"))
    assert set(preloaded) == set.intersection(*map(needed, PAGES))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_made_of_few_modules(page):
    assert len(needed(page) | needed("main.js")) <= 45
