"""The keeper's page: the link that opens it, and the forms of acts."""

import time
from functools import partial
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fairdeal.engine.errors import FairdealError
from fairdeal.server.api.http import content_of, guest_of, refused, room_of, with_reasons
from fairdeal.server.api.keeper import outcome_of
from fairdeal.server.documents.keeper import keeper_page, seen
from fairdeal.server.storage import acts as a
from fairdeal.server.storage import links

COOKIE = "fairdeal_keeper"
"""The cookie of a session. Browsers send it only from the room's own pages, to the keeper's page."""

FORM = "application/x-www-form-urlencoded"


def routes(version: str, secure: bool) -> list[BaseRoute]:
    """Return the routes of the page, which has the styles of a `version`. Its cookie is for https only if `secure`."""

    async def is_keeper(request: Request) -> bool:
        session = request.cookies.get(COOKIE, "")
        return bool(session) and bool(await room_of(request).store.read(partial(links.is_valid, secret=session)))

    async def enter(request: Request) -> Response:
        """Begin a session with a link, which then works no more, and show the page without the link."""
        session = ""
        if request.method != "HEAD":
            link = request.path_params["link"]
            session = await room_of(request).store.write(partial(links.begin_session, link=link))
        if not session:
            return refused("this link is used, old or wrong; `fairdeal room keeper` prints a new one", 403)
        response = RedirectResponse("/keeper", 303)
        response.set_cookie(
            COOKIE, session, links.SESSION_LASTS, path="/keeper", httponly=True, samesite="strict", secure=secure
        )
        return response

    async def show(request: Request) -> Response:
        """Return the page."""
        return await page(request)

    async def page(request: Request, problem: str = "") -> Response:
        if not await is_keeper(request):
            return HTMLResponse(keeper_page(version, None), 403)
        found = await room_of(request).store.read(seen)
        return HTMLResponse(keeper_page(version, found, problem), 400 if problem else 200)

    async def act(request: Request) -> Response:
        """Carry out the act of a form, and show the page with what came of it."""
        if not await is_keeper(request):
            return HTMLResponse(keeper_page(version, None), 403)
        room = room_of(request)
        try:
            asked = await act_in(request)
            number = await room.store.write(partial(a.ask, act=asked, by="page"))
        except (FairdealError, msgspec.ValidationError) as problem:
            return await page(request, str(problem))
        done = await outcome_of(room, number)
        return await page(request, done.problem) if done.problem else RedirectResponse("/keeper", 303)

    async def come(request: Request) -> Response:
        """Note that a guest has opened an invitation, and show the lobby without the link."""
        accepts = partial(links.accept, secret=request.path_params["link"], guest=guest_of(request))
        if request.method == "HEAD" or not await room_of(request).store.write(accepts):
            return refused("this invitation is wrong or old; ask the keeper of the room for a new one", 403)
        return RedirectResponse("/", 303)

    async def leave(request: Request) -> Response:
        """End the session."""
        session = request.cookies.get(COOKIE, "")
        await room_of(request).store.write(partial(links.end, secret=session))
        response = RedirectResponse("/keeper", 303)
        response.delete_cookie(COOKIE, path="/keeper")
        return response

    return [
        Route("/keeper", with_reasons(show), methods=["GET"]),
        Route("/keeper", with_reasons(act), methods=["POST"]),
        Route("/keeper/end", with_reasons(leave), methods=["POST"]),
        Route("/keeper/{link}", with_reasons(enter), methods=["GET"]),
        Route("/invited/{link}", with_reasons(come), methods=["GET"]),
    ]


async def act_in(request: Request) -> a.Acts:
    """Return the act of a form. Raises msgspec.ValidationError or FairdealError if there is none."""
    fields = await form_in(request)
    if "hours" in fields:
        hours = msgspec.convert(fields.pop("hours"), float, strict=False)
        fields["until"] = str(time.time() + 3600 * hours if hours > 0 else 0.0)
    found: a.Acts = msgspec.convert(fields, a.Acts, strict=False)
    return found


async def form_in(request: Request) -> dict[str, str]:
    """Return the fields of a form. Raises FairdealError if there is none."""
    content, given = await content_of(request)
    if given != FORM:
        raise FairdealError(f"send a form with the content type {FORM}")
    return dict(parse_qsl(content.decode("utf-8", "replace"), keep_blank_values=True))
