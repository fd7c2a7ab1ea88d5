"""The files of the installable app: the manifest, the service worker, and the file with everything that the worker
keeps for when the room cannot be reached. They are the same for all guests."""

import functools
import gzip
import hashlib
from typing import Any

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fairdeal.engine.files import read_json
from fairdeal.engine.registry import installed_games
from fairdeal.protocol.bodies import Moment
from fairdeal.server.api import http
from fairdeal.server.api.lessons import facts_of
from fairdeal.server.documents.rules import all_clauses, rules_in_short
from fairdeal.server.looks import SERVED, look_of
from fairdeal.server.static_files import WEB, StaticFile, kept, names, page
from fairdeal.table.lessons import Taught, find_script, offers_of

WORKER = "self.kept = '{name}'; importScripts('{web}/worker.js');"
"""The service worker, with the name of what it keeps."""


async def manifest(request: Request) -> Response:
    """Return the manifest, by which browsers install the app."""
    found = read_json(WEB / "manifest.json", dict[str, Any])
    if request.app.state.settings.daily == "off":
        del found["shortcuts"]
    return http.tagged(request, msgspec.json.encode(found), http.JSON)


@functools.cache
def everything(version: str) -> tuple[str, StaticFile]:
    """Return what a service worker keeps, as media types with texts or JSON values by path, and its hash."""
    found: dict[str, tuple[str, object]] = {
        f"/web/{version}/{name}": (kept(name).media_type, kept(name).plain.decode())
        for name in sorted(names())
        if name.endswith((".js", ".css", ".svg"))
    }
    found["/"] = http.HTML, page("lobby/lobby.js", version).replace("<html", Markup("<html data-kept='true'"))
    found["/api/games"] = http.JSON, [http.game_facts(game.name) for game in installed_games()]
    for game in installed_games():
        at = f"/api/games/{game.name}"
        found[f"{at}/rules.html?options=%7B%7D"] = http.HTML, rules_in_short(game.name, {})
        found[f"{at}/clauses.html"] = http.HTML, all_clauses(game.name)
        found |= {f"/games/{game.name}/{file}": (kind, look_of(game, file)) for file, kind in SERVED.items()}
        for offer in offers_of(game):
            found |= {path: (http.JSON, value) for path, value in replay_of(game.name, offer.name).items()}
    content = msgspec.json.encode(found, enc_hook=str)
    return hashlib.sha256(content).hexdigest()[:12], StaticFile(content, gzip.compress(content), http.JSON)


def replay_of(game: str, lesson: str) -> dict[str, object]:
    """Return a lesson as the answers to the requests of a replay."""
    taught = Taught(find_script(game, lesson))
    table, facts = taught.sitting.table, facts_of(taught)
    at, scenes = f"/api/tables/{facts.id}", [*taught.scenes()]
    moments = [Moment(number, len(scenes) - 1, scene, ()) for number, scene in enumerate(scenes)]
    return {
        at: facts,
        f"{at}/faces": table.game.faces(table.options),
        **{f"{at}/moments/{one.move}?seat={facts.seat}": one for one in moments},
    }


def routes(version: str) -> list[BaseRoute]:
    """Return the routes of the app, whose frame has a `version`."""

    async def kept_files(request: Request) -> Response:
        """Return what the service worker keeps, or the worker itself, which is another one for other files."""
        name, file = await http.room_of(request).work.do(http.client(request), everything, version)
        asked = request.path_params.get("name")
        if asked is None:
            script = WORKER.format(name=name, web=f"/web/{version}")
            return http.tagged(request, script, "text/javascript")
        return file.response(request.scope) if asked == name else http.refused("the room has another version", 404)

    ways = {"/worker.js": kept_files, "/app/manifest.json": manifest, "/app/{name}.json": kept_files}
    return [Route(path, http.with_reasons(way)) for path, way in ways.items()]
