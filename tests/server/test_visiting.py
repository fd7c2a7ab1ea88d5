"""A window of Chromium goes from guest to guest, and each finds it as if nobody had been there."""

import pytest

from tests.server.visiting import BROWSER, PAINTED, PHONE, PICTURES, STILL, running

pytestmark = pytest.mark.usefixtures("visit")

FOUND = """async () => ({
    own: [window.mine, localStorage.mine, sessionStorage.mine, await (await fetch('/web/icon.svg?mine')).text()],
    kept: Object.keys(localStorage).sort(),
    screen: [innerWidth, innerHeight],
    wishes: ['prefers-color-scheme: dark', 'prefers-reduced-motion: reduce', 'forced-colors: active']
        .map((wish) => matchMedia(`(${wish})`).matches),
    pointed: document.querySelectorAll('.shelf:hover, .shelf :hover').length,
    socket: WebSocket.toString().includes('[native code]'),
})"""


def test_nothing_of_a_guest_is_left_to_the_next(room):
    heard = []
    with BROWSER.visits(room.address) as visit:
        page = visit(size=PHONE, color_scheme="dark", forced_colors="active", **STILL)
        page.add_init_script("window.mine = 1")
        page.route("**/icon.svg?mine", lambda route: route.fulfill(body="mine"))
        page.on("request", lambda request: heard.append(request.url))
        table = running(page)
        page.goto(f"/t/{table}")
        page.wait_for_selector(".prompt[data-yours]")
        page.evaluate("localStorage.mine = sessionStorage.mine = 1")
        page.mouse.move(195, 500)
        page.mouse.down()
        assert page.evaluate(FOUND)["own"] == [1, "1", "1", "mine"]
    said = len(heard)
    assert said > 3
    with BROWSER.visits(room.address) as visit:
        again, new = visit("/"), visit("/")
        for other in (again, new):
            other.wait_for_selector(".box .cover")
        assert again is page
        assert new is not page
        assert again.evaluate(FOUND) == new.evaluate(FOUND)
        assert again.request.get("/api/lobby").json()["mine"] == []
        assert len(heard) == said


def test_a_page_is_painted_for_screenshots(visit):
    page, opacity = visit("/"), "getComputedStyle(document.documentElement).opacity"
    assert page.evaluate(opacity) == ("0" if PICTURES is None else "1")
    page.evaluate(PAINTED)
    assert page.evaluate(opacity) == "1"


def test_who_is_overheard_is_so_alone(room):
    heard = []

    def listen(socket):
        heard.append(socket.url)
        socket.connect_to_server()

    with BROWSER.visits(room.address) as visit:
        page = visit(overheard=True)
        page.route_web_socket("**/play*", listen)
        table = running(page)
        page.goto(f"/t/{table}")
        page.wait_for_selector(".prompt[data-yours]")
    said = len(heard)
    assert said
    with BROWSER.visits(room.address) as visit:
        for again in (visit(overheard=True), visit()):
            table = running(again)
            again.goto(f"/t/{table}")
            again.wait_for_selector(".prompt[data-yours]")
            assert (again is page) != again.evaluate(FOUND)["socket"]
            with pytest.raises(AssertionError):
                again.route_web_socket("**/other", listen)
    assert len(heard) == said


def test_a_window_whose_guest_was_elsewhere_last_is_closed(room):
    with BROWSER.visits(room.address) as visit:
        page, unused = visit("/", may_log="localStorage"), visit()
        page.goto("about:blank")
    with BROWSER.visits(room.address) as visit:
        again = visit("/"), visit()
        assert page.is_closed()
        assert again[0].evaluate(FOUND)["own"][:3] == [None, None, None]
        assert again[1] is unused


def test_what_a_page_logs_as_an_error_fails_its_test_alone(room):
    with pytest.raises(AssertionError, match="mine"), BROWSER.visits(room.address) as visit:
        visit("/").evaluate("console.error('mine')")
    with BROWSER.visits(room.address) as visit:
        visit("/", may_log="expected").evaluate("console.error('this is expected')")
