"""The files of the browser client, as they are written: nothing builds them.

A page names them under a version that follows from what they say, so browsers keep them for good. Its stylesheets come
as one, and it asks at once for every module of what it shows first.
"""

from __future__ import annotations

import functools
import hashlib
import re
from importlib.resources import files
from pathlib import Path

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

WEB = Path(str(files("fairdeal.server") / "web"))

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

SMALLER = [Middleware(GZipMiddleware, compresslevel=6)]
"""For answers that say the same to everybody; others stay as long as they are, which tells nobody what is in them."""

SHEETS = "styles.css"
"""The list of the other stylesheets, which is answered by what they say."""

IMPORT = re.compile(r"""^(?:import|export)\b[^;'"]*['"](\.[^'"]+)['"]""", re.MULTILINE)
SHEET = re.compile(r"@import '\./([^']+)';")
VERSION = re.compile(r"(v-[0-9a-f]{12})[/\\]")


class Files(StaticFiles):
    """The client's files, under a version or without one."""

    def __init__(self) -> None:
        super().__init__(directory=WEB)
        self.version = version()
        self.sheets = SHEET.sub(lambda found: (WEB / found[1]).read_text("utf-8"), (WEB / SHEETS).read_text("utf-8"))

    async def get_response(self, path: str, scope: Scope) -> Response:
        asked, path = VERSION.match(path), VERSION.sub("", path, count=1)
        if path == SHEETS and scope["method"] in ("GET", "HEAD"):
            response = Response(self.sheets, media_type="text/css")
        else:
            response = await super().get_response(path, scope)
        kept = asked is not None and asked[1] == self.version
        response.headers["Cache-Control"] = FOREVER if kept else ASK_AGAIN
        return response


def version() -> str:
    """What names all these files as they are now."""
    found = hashlib.sha256()
    for path in sorted(path for path in WEB.rglob("*") if path.is_file()):
        found.update(path.relative_to(WEB).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"v-{found.hexdigest()[:12]}"


def modules_of(name: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
    """A module and all that it imports when it is loaded."""
    if name in known:
        return known
    known |= {name}
    for other in IMPORT.findall((WEB / name).read_text("utf-8")):
        path = (WEB / name).parent.joinpath(other).resolve().relative_to(WEB.resolve())
        known = modules_of(path.as_posix(), known)
    return known


@functools.cache
def page(first: str, version: str) -> str:
    """The one page, whose files have this version; it asks at once for all that it and this module import."""
    modules = sorted(modules_of("main.js") | modules_of(first))
    links = "".join(f'\n    <link rel="modulepreload" href="/web/{module}" />' for module in modules)
    text = (WEB / "index.html").read_text("utf-8").replace("\n  </head>", f"{links}\n  </head>")
    return text.replace('"/web/', f'"/web/{version}/')
