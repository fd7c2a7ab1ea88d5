"""The files of the browser client, served without a build step.

The URLs of a page's files contain a version, which is a hash of their contents, so browsers can cache the files
indefinitely. The stylesheets are concatenated, and a page preloads all modules of its first view. Files of the current
version are read and compressed once, and served from memory, without the comments of modules and stylesheets, which
are a third of their bytes.
"""

import functools
import gzip
import hashlib
import mimetypes
import os
import posixpath
import re
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from fairdeal.engine.files import read_text
from fairdeal.protocol import pages

WEB = Path(str(files("fairdeal.server") / "web"))

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

LEVEL = 6
SMALLER = [Middleware(GZipMiddleware, compresslevel=LEVEL)]
"""Compression for responses that are the same for all guests. Other responses are not compressed, so that their length
reveals nothing about their content."""

SHEETS = "styles.css"
"""The stylesheet that lists the other stylesheets. It is served as their concatenation."""

PROTOCOL = "protocol.js"
"""The module that the room makes (protocol/pages.py)."""

IMPORT = re.compile(r"""^(?:import|export)\b(?:[^;'"]*\bfrom)?\s*['"](\.[^'"]+)['"]""", re.MULTILINE)
SHEET = re.compile(r"@import '\./([^']+)';")
RELATIVE = re.compile(r"(?<=url\(')[^':#/][^':#]*(?='\))")
"""A relative address in a stylesheet."""
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?!!)(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)
"""A comment that has its lines for itself, except `/*!`, by which projects mark their licences."""
END_OF_HEAD = Markup("\n  </head>")
VERSION = re.compile(r"(v-[0-9a-f]{12})[/\\]")


class StaticFile(NamedTuple):
    """A file of the client, both uncompressed and compressed."""

    plain: bytes
    packed: bytes
    media_type: str

    def response(self, scope: Scope) -> Response:
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" in Headers(scope=scope).get("accept-encoding", "") and len(self.packed) < len(self.plain):
            return Response(self.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.plain, headers=headers, media_type=self.media_type)


KINDS = {
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}
"""The media types of the client's files, and of what the API answers. The types that a system has may be wrong:
programs for Windows register JavaScript as plain text, which browsers do not run."""

for ending, kind in KINDS.items():
    mimetypes.add_type(kind, ending)


def source(name: str) -> bytes:
    """Return a file of the client as it is on the disk, or the module that the room makes."""
    return pages.module().encode() if name == PROTOCOL else (WEB / name).read_bytes()


@functools.cache
def kept(name: str) -> StaticFile:
    """Read and compress a file of the client. The list of stylesheets is replaced with their content, and modules and
    stylesheets lose their comments."""
    plain = source(name)
    if name == SHEETS:
        plain = SHEET.sub(lambda found: sheet(found[1]), plain.decode()).encode()
    if name.endswith((".js", ".css")):
        plain = without_comments(plain.decode()).encode()
    return StaticFile(plain, gzip.compress(plain, LEVEL), mimetypes.guess_type(name)[0] or "application/octet-stream")


def without_comments(text: str) -> str:
    """Return the text of a module or stylesheet with empty lines for its comments, so that error messages name the
    lines of the file."""
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def sheet(name: str) -> str:
    """Return the text of a stylesheet, with addresses made relative to the list of stylesheets."""
    text = read_text(WEB / name)
    return RELATIVE.sub(lambda found: posixpath.normpath(PurePosixPath(name).parent / found[0]), text)


class Files(StaticFiles):
    """Serve the client's files, with or without a version in the path."""

    def __init__(self) -> None:
        super().__init__(directory=WEB)
        self.version = version()
        self.names = names()

    async def get_response(self, path: str, scope: Scope) -> Response:
        asked, path = VERSION.match(path), VERSION.sub("", path, count=1)
        is_of_now = asked is not None and asked[1] == self.version
        name = path.replace(os.sep, "/")
        if name in self.names and (is_of_now or name in (SHEETS, PROTOCOL)) and scope["method"] in ("GET", "HEAD"):
            response = kept(name).response(scope)
        else:
            response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOREVER if is_of_now else ASK_AGAIN
        return response


@functools.cache
def names() -> frozenset[str]:
    """Return the paths of all files of the client, relative to its folder."""
    return frozenset(path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.is_file()) | {PROTOCOL}


@functools.cache
def version() -> str:
    """Return the version of the client's files, a hash of their contents at the time of the first call."""
    found = hashlib.sha256()
    for name in sorted(names()):
        found.update(name.encode() + b"\0" + source(name) + b"\0")
    return f"v-{found.hexdigest()[:12]}"


def modules_of(name: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return a module and all modules that it imports, directly or indirectly."""
    if name in known:
        return known
    known |= {name}
    for other in IMPORT.findall(source(name).decode()):
        path = (WEB / name).parent.joinpath(other).resolve().relative_to(WEB.resolve())
        known = modules_of(path.as_posix(), known)
    return known


@functools.cache
def page(first: str, version: str) -> Markup:
    """Return the HTML page, with the URLs of this version. The page preloads all imports of `main.js` and of the module
    `first`."""
    modules = sorted(modules_of("main.js") | modules_of(first))
    link = Markup('\n    <link rel="modulepreload" href="/web/{}" />')
    links = Markup("").join(link.format(module) for module in modules)
    text = Markup(read_text(WEB / "index.html"))  # noqa: S704 - our own file
    return text.replace(END_OF_HEAD, links + END_OF_HEAD).replace('"/web/', Markup('"/web/{}/').format(version))
