"""The page on which guests keep their names, and open the words of a kept name."""

from functools import partial

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fairdeal.engine.errors import FairdealError
from fairdeal.server.api.http import become_kept, guest_of, room_of, shared_link, spend, with_reasons
from fairdeal.server.api.keeper import look
from fairdeal.server.api.keeper_page import form_in
from fairdeal.server.documents.keep import Asked, Made, keep_page
from fairdeal.server.storage.own_data import tables_of
from fairdeal.server.storage.words import keep, kept_by, kept_under, read_words, renew, stop
from fairdeal.server.tables.guests import name_of


def routes(version: str) -> list[BaseRoute]:
    """Return the routes of the page, which has the styles of a `version`."""

    async def page(request: Request, found: Made | Asked | None = None, problem: str = "", typed: str = "") -> Response:
        """Return the page, or only new words, or a question about the words of a name."""
        store, guest = room_of(request).store, guest_of(request)
        kept = await store.read(partial(kept_by, guest=guest))
        text = keep_page(version, await name_of(store, guest), kept is not None, found, problem, typed)
        response = HTMLResponse(text, 400 if problem else 200)
        if isinstance(found, Made):
            request.app.state.guests.give(response, guest, kept.epoch)
        return response

    async def act(request: Request) -> Response:
        """Do what a form of the page asks for."""
        words = ""
        try:
            fields = await form_in(request)
            words = fields.get("words", "")
            match fields.get("act"):
                case "keep" | "renew" as way:
                    return await make(request, way == "renew")
                case "stop":
                    await room_of(request).store.write(lambda c: stop(c, guest_of(request)))
                    return RedirectResponse("/keep", 303)
                case "bring" | "leave" as way:
                    return await be(request, words, way == "bring")
            return await read(request, words)
        except FairdealError as problem:
            return await page(request, problem=str(problem), typed=words)

    async def make(request: Request, again: bool) -> Response:
        """Show new words for the name of the guest, and a link with them if others can open it."""
        spend(request, "own_data")
        room, guest = room_of(request), guest_of(request)
        most = room.limits.settings.guest_names
        new = await room.store.write(lambda c: renew(c, guest) if again else keep(c, guest, most))
        await look(room)
        return await page(request, Made(new.split("-"), *shared_link(request, f"/keep#{new}")))

    async def read(request: Request, words: str) -> Response:
        """Ask whether this browser is to be the guest who keeps a name under words."""
        spend(request, "own_data")
        store, guest = room_of(request).store, guest_of(request)
        found = await store.read(partial(kept_under, words=words))
        if found.guest == guest:
            return RedirectResponse("/keep", 303)
        has = await store.read(lambda c: bool(tables_of(c, guest) or kept_by(c, guest)))
        return await page(request, Asked(read_words(words), await name_of(store, found.guest), has))

    async def be(request: Request, words: str, brings: bool) -> Response:
        """Be the guest who keeps a name under words."""
        found = await become_kept(request, words, brings)
        response = RedirectResponse("/keep", 303)
        request.app.state.guests.give(response, found.guest, found.epoch)
        return response

    return [
        Route("/keep", with_reasons(page), methods=["GET"]),
        Route("/keep", with_reasons(act), methods=["POST"]),
    ]
