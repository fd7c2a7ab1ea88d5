"""The files of the browser client, as they are written: nothing builds them.

A page names them under a version that follows from what they say, so browsers keep them for good. Its stylesheets come
as one, and it asks at once for every module of what it shows first. What is named by the version of now is read and
packed once, and answered from memory.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
import re
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

WEB = Path(str(files("fairdeal.server") / "web"))

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

LEVEL = 6
SMALLER = [Middleware(GZipMiddleware, compresslevel=LEVEL)]
"""For answers that say the same to everybody; others stay as long as they are, which tells nobody what is in them."""

SHEETS = "styles.css"
"""The list of the other stylesheets, which is answered by what they say."""

IMPORT = re.compile(r"""^(?:import|export)\b[^;'"]*['"](\.[^'"]+)['"]""", re.MULTILINE)
SHEET = re.compile(r"@import '\./([^']+)';")
VERSION = re.compile(r"(v-[0-9a-f]{12})[/\\]")


class Kept(NamedTuple):
    """A file as it is, and packed."""

    plain: bytes
    packed: bytes
    media_type: str

    def response(self, scope: Scope) -> Response:
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" in Headers(scope=scope).get("accept-encoding", "") and len(self.packed) < len(self.plain):
            return Response(self.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.plain, headers=headers, media_type=self.media_type)


@functools.cache
def kept(name: str) -> Kept:
    """What a file of the client says; the list of the stylesheets says what they say."""
    plain = (WEB / name).read_bytes()
    if name == SHEETS:
        plain = SHEET.sub(lambda found: (WEB / found[1]).read_text("utf-8"), plain.decode()).encode()
    return Kept(plain, gzip.compress(plain, LEVEL), mimetypes.guess_type(name)[0] or "application/octet-stream")


class Files(StaticFiles):
    """The client's files, under a version or without one."""

    def __init__(self) -> None:
        super().__init__(directory=WEB)
        self.version = version()
        self.names = names()

    async def get_response(self, path: str, scope: Scope) -> Response:
        asked, path = VERSION.match(path), VERSION.sub("", path, count=1)
        is_of_now = asked is not None and asked[1] == self.version
        if path in self.names and (is_of_now or path == SHEETS) and scope["method"] in ("GET", "HEAD"):
            response = kept(path).response(scope)
        else:
            response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOREVER if is_of_now else ASK_AGAIN
        return response


@functools.cache
def names() -> frozenset[str]:
    """All files of the client, by their paths in its folder."""
    return frozenset(path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.is_file())


@functools.cache
def version() -> str:
    """What names all these files as they are when this is asked first."""
    found = hashlib.sha256()
    for name in sorted(names()):
        found.update(name.encode() + b"\0" + (WEB / name).read_bytes() + b"\0")
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
def page(first: str, version: str) -> Markup:
    """The one page, whose files have this version; it asks at once for all that it and this module import."""
    modules = sorted(modules_of("main.js") | modules_of(first))
    link = Markup('\n    <link rel="modulepreload" href="/web/{}" />')
    links = Markup("").join(link.format(module) for module in modules)
    text = Markup((WEB / "index.html").read_text("utf-8"))  # noqa: S704 - our own file
    end = Markup("\n  </head>")
    return text.replace(end, links + end).replace('"/web/', Markup('"/web/{}/').format(version))
