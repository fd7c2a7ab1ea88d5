"""The room on the network: every link that it shows or sends can be opened where the room says, only its owner opens
and closes it, and it answers to no other name than its own."""

import asyncio
import contextlib
import re
import socket
import threading
import time
from pathlib import Path

import httpx2
import pytest
import segno
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from fairdeal.cli.serve import located
from fairdeal.server import serving
from fairdeal.server.api.http import ROUTES
from fairdeal.server.app import OWNER, PAGES
from fairdeal.server.network import addresses, gate
from fairdeal.server.network.addresses import Machine, Network, is_home, networks
from fairdeal.server.network.listening import listen
from fairdeal.server.network.reach import Place
from fairdeal.server.settings import Settings, checked
from fairdeal.server.static_files import WEB
from fairdeal.server.storage.acts import House
from fairdeal.server.storage.store import Store
from fairdeal.terminal.online.client import Visit
from tests.conftest import SHORT, refusal
from tests.server.in_process import rows_in
from tests.server.networks import put_into
from tests.server.test_browser import violations
from tests.server.visiting import BROWSER, SCREENS, STILL, open_with, wait_until_over

WIFI, CABLE, FAR = "127.0.0.2", "127.0.0.3", "127.0.0.9"
"""The addresses of the room's machine in a Wi-Fi and in another network, and that of another device."""

NETS = [Network("wlan0", (WIFI,), is_wifi=True), Network("eth0", (CABLE, "::ffff:0:1"))]
BASE = "https://cards.example.org"

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "AF_INET6") or not Path("/proc/net").exists(), reason="the system has no other loopback address"
)


class Room:
    """A room with real sockets, in a thread of its own. `said` is what it has printed."""

    def __init__(self, folder, **wishes):
        self.folder, self.said = folder, []
        self.settings = checked(Settings(**{"pause": 0, "compile": False, "port": 0, "database": "x"} | wishes))
        self.ready, self.ended = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve()))

    async def serve(self):
        self.loop = asyncio.get_running_loop()
        with (
            contextlib.closing(Store(located(str(self.folder / "room.db")))) as store,
            listen(self.settings.host, 0) as listening,
        ):
            self.server = await serving.server_for(store, listening, self.settings, tell=self.tell)
            self.port = listening.getsockname()[1]
            await self.server.serve(sockets=[listening])

    def tell(self, text):
        self.said.append(text)
        self.ready.set()

    def __enter__(self):
        self.thread.start()
        assert self.ready.wait(30)
        self.guests = []
        return self

    def __exit__(self, *_):
        for guest in self.guests:
            guest.close()
        self.server.should_exit = True
        self.thread.join(30)
        assert not self.thread.is_alive()

    def come(self, host="127.0.0.1", device="127.0.0.1", headers=()):
        """Return a guest who opens the room at one of its addresses, from a device with this address."""
        at = f"[{host}]" if ":" in host else host
        way = httpx2.HTTPTransport(local_address=None if ":" in host else device)
        guest = httpx2.Client(base_url=f"http://{at}:{self.port}", transport=way, timeout=30, headers=dict(headers))
        self.guests.append(guest)
        assert guest.get("/api/me").is_success
        return guest

    def owner(self):
        guest = self.come()
        assert guest.get(self.link).headers["location"] == "/"
        return guest

    @property
    def link(self):
        return OWNER.format(link=self.server.gate.link)


@pytest.fixture
def room_of(tmp_path, monkeypatch):
    put_into(NETS, monkeypatch.setattr)
    with contextlib.ExitStack() as stack:
        yield lambda **wishes: stack.enter_context(Room(tmp_path, **wishes))


def wait_until(holds):
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def put(guest, is_open):
    return guest.put("/api/network", json={"open": is_open})


def shown(guest):
    return [(one["url"], one["works"]) for one in guest.get("/api/network").json()["addresses"]]


# --- links ----------------------------------------------------------------------------------------------------------

STATES = {
    "this computer": ({}, "127.0.0.1", {}, [], ["computer"]),
    "opened": ({}, "127.0.0.1", {}, [WIFI, CABLE], ["network", "network"]),
    "lan": ({"lan": True}, "127.0.0.1", {}, [WIFI, CABLE], ["network", "network"]),
    "all of IPv4": ({"host": "0.0.0.0"}, "127.0.0.1", {}, [WIFI, CABLE], ["network", "network"]),
    "all": ({"host": "::"}, "::1", {}, [WIFI, CABLE], ["network", "network"]),
    "all, by another network": ({"host": "::"}, CABLE, {}, [CABLE, WIFI], ["network", "network"]),
    "one address": ({"host": CABLE}, CABLE, {}, [CABLE], ["network"]),
    "a public address": ({"base": BASE}, "127.0.0.1", {"Host": BASE[8:]}, [BASE], ["public"]),
    "a public address, from here": ({"base": BASE}, "127.0.0.1", {}, [BASE], ["public"]),
    "a public address and the network": ({"base": BASE, "lan": True}, WIFI, {}, [BASE], ["public"]),
    "a proxy": ({}, "127.0.0.1", {"Host": WIFI, "X-Forwarded-For": FAR}, [f"http://{WIFI}"], ["network"]),
    "a proxy that hides the host": ({}, "127.0.0.1", {"X-Forwarded-For": FAR}, [], ["computer"]),
}
"""Rooms: their settings, the address and the headers of a guest, the addresses of links, and where these work."""

URL = re.compile(r"https?://[^\s\"'<>,&)]+")

OTHERS = "http://www.w3.org/", "https://hooks.example.org/"
"""Addresses that are not of the room: the namespace of SVG, and the guest's own for notifications."""

SLOW = "/api/tables/{table}/analysis", "/api/tables/{table}/picture.png"


def opens(url, room):
    """Whether another device opens a link; those of proxies, as their proxies send it on."""
    headers = {}
    for proxied in (BASE, f"http://{WIFI}/"):
        if url.startswith(proxied):
            url = f"http://127.0.0.1:{room.port}/{url.removeprefix(proxied).strip('/')}"
            headers = {"Host": httpx2.URL(proxied).host}
    assert headers or not is_home(httpx2.URL(url).host)
    with httpx2.Client(transport=httpx2.HTTPTransport(local_address=FAR), timeout=10, headers=headers) as device:
        return device.get(url).is_success


def has_code(answer, link):
    """Whether a QR code is that of a link."""
    drawing = re.compile(r'<path[^>]* d="([^"]+)"')
    expected = segno.make(link, error="m").svg_inline(border=4, dark="#1d1a16", light="#fffdf8")
    return drawing.findall(answer.text) == drawing.findall(expected) != []


def addresses_in_all_answers(guest, table):
    """Every address that an answer to this guest or a page contains."""
    parts = {"game": "chi", "table": table, "move": "0", "lesson": "first", "file": "cover.svg", "hash": "0"}
    parts["evening"] = guest.post("/api/evenings", json={"game": "chi"}).json()["id"]
    found = set()
    for path in [one.path for one in ROUTES if one.method == "GET" and one.path not in SLOW] + [*PAGES]:
        query = {"move": 0, "seat": -1, "card": "x"} if "{table}" in path and "code" not in path else {}
        found |= {*URL.findall(guest.get(path.format(**parts), params=query).text)}
    return {url for url in found if not url.startswith(OTHERS)}


@pytest.mark.parametrize("state", STATES)
def test_every_link_that_a_room_shows_or_sends_can_be_opened_where_it_says(room_of, state, tmp_path, monkeypatch):
    """Wherever an answer, a page, a code, a preview, a notification or a printed line has an address, it is one that
    others can open, or it says that only this computer can."""
    wishes, host, headers, expected, works = STATES[state]
    room = room_of(webhooks=("hooks.example.org",), **wishes)
    if state == "opened":
        assert put(room.owner(), True).is_success
    guest = room.come(host, headers=headers)
    own = str(guest.base_url).rstrip("/")
    full = [one if "//" in one else f"http://{one}:{room.port}" for one in expected]
    offered = guest.get("/api/network").json()["addresses"]
    assert [(one["url"], one["works"]) for one in offered] == [*zip(full or [own], works, strict=True)]
    assert all(("can open this link" in one["text"]) == (one["works"] == "computer") for one in offered)

    table = guest.post("/api/tables", json={"game": "chi", "chairs": ["you", "person"]}).json()["id"]
    links = [f"{url}/t/{table}" for url in full]
    assert all(opens(link, room) for link in links)
    code = f"/api/tables/{table}/code.svg"
    assert all(has_code(guest.get(code, params={"url": url}), f"{url}/t/{table}") for url in full)
    assert has_code(guest.get(code), links[0]) if links else guest.get(code).status_code == 409
    assert guest.get(code, params={"url": "http://evil.example"}).status_code == 400

    wished = {"game": "chi", "chairs": ["greedy", "greedy"], "options": SHORT["chi"]}
    over = guest.post("/api/tables", json=wished).json()["id"]
    wait_until(lambda: guest.get(f"/api/tables/{over}").json()["status"] == "over")
    assert guest.put("/api/webhook", json={"address": "https://hooks.example.org/ada"}).is_success
    found = addresses_in_all_answers(guest, over)
    assert f"{(full or [own])[0]}/api/tables/{over}/picture.png" in found, "the preview has a picture"
    assert {url for url in found if not any(f"{url}/".startswith(f"{one}/") for one in full or [own])} == set()
    kept = rows_in(located(str(tmp_path / "room.db")), "SELECT room FROM devices")
    assert [at for (at,) in kept] == [wishes.get("base") or f"http://{headers.get('Host') or own[7:]}"]

    printed = {url.rstrip(".").partition("/keeper/")[0] for url in URL.findall("\n".join(room.said))}
    others = {url for url in printed if not is_home(httpx2.URL(url).host)}
    listens = {f"http://{net.addresses[0]}:{room.port}" for net in NETS} if wishes.get("lan") else {*full}
    assert others == (listens | {BASE} if "base" in wishes else listens - {f"http://{WIFI}"})
    assert ("Only this computer" in room.said[0]) == (not wishes)

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if not headers:
        with contextlib.closing(Visit(f"{own}/t/{table}")) as visit:
            visit.come_in()
        assert visit.invitation == f"{(full or [own])[0]}/t/{table} {offered[0]['text']}".rstrip()


def own_addresses(texts):
    """The modules that read the address of the page, without its path."""
    asks = re.compile(r"\blocation\s*\.\s*(?:origin|host|hostname|href|port)\b|document\.(?:URL|baseURI)")
    return {name for name, text in texts.items() if not name.startswith("vendor/") and asks.search(text)}


def test_no_page_makes_a_link_for_others_from_its_own_address():
    """The WebSocket goes there, `main.js` reads paths with it, and `again.js` loads the page anew."""
    texts = {path.relative_to(WEB).as_posix(): path.read_text("utf-8") for path in WEB.rglob("*.js")}
    assert own_addresses(texts) == {"faults/again.js", "kit/socket.js", "main.js"}
    assert own_addresses({"a.js": "`${location.origin}/t/1`", "b.js": "location.hash"}) == {"a.js"}


# --- opening and closing --------------------------------------------------------------------------------------------


def hear_all(line):
    while True:
        line.recv(30)


def reaches(host, port):
    with contextlib.suppress(OSError), socket.create_connection((host, port), 5):
        return True
    return False


def test_the_owner_opens_the_room_and_closes_it_with_all_connections_from_there(room_of):
    room = room_of()
    owner = room.owner()
    assert not reaches(WIFI, room.port)
    assert put(owner, True).json()["is_open"]
    assert put(owner, True).json()["is_open"], "it is open already"
    assert [text.splitlines()[0] for text in room.said[1:]] == ["It is open to the network:"]
    assert f"http://{WIFI}:{room.port}  For people in your Wi-Fi (wlan0)." in room.said[1]
    near, far = room.come(), room.come(WIFI, FAR)
    table = near.post("/api/tables", json={"game": "chi", "chairs": ["you", "person"]}).json()["id"]
    path = f"/api/tables/{table}/play"
    with (
        connect(f"ws://{WIFI}:{room.port}{path}", close_timeout=1) as theirs,
        connect(f"ws://127.0.0.1:{room.port}{path}", close_timeout=1) as ours,
    ):
        assert theirs.recv(30)
        assert ours.recv(30)
        before = room.server.server_state.connections.copy()
        assert put(owner, False).json()["addresses"][0]["works"] == "computer"
        with pytest.raises(ConnectionClosed):
            hear_all(theirs)
        assert not reaches(WIFI, room.port)
        wait_until(room.server.gate.cutting.done)
        left = before & room.server.server_state.connections
        assert left
        assert {one.transport.get_extra_info("sockname")[0] for one in left} == {"127.0.0.1"}
        ours.ping().wait(30)
    with pytest.raises(httpx2.HTTPError):
        far.get("/api/me")
    assert near.get("/api/me").is_success
    assert room.said[-1] == f"Only this computer can open it, at http://127.0.0.1:{room.port}."
    assert put(owner, True).is_success, "it can be opened again"
    assert room.come(WIFI, FAR).get("/api/me").is_success


def test_only_the_owner_opens_or_closes_the_room(room_of):
    """Neither another guest, a banned one, one behind a proxy on this machine, one with a wrong link or with one that
    was used, nor the owner after deleting their data."""
    room = room_of()
    link = room.link
    assert re.fullmatch("/owner/[0-9a-f]{32}", link)
    other, proxied = room.come(), room.come(headers={"Host": WIFI, "X-Forwarded-For": "127.0.0.1"})
    banned = room.come()
    room.server.room.house = House(frozenset({banned.cookies["fairdeal_guest"].partition(".")[0]}))
    assert banned.get(link).headers["location"] == "/privacy", "and the link is not used up"
    assert other.head(link).status_code == 403, "nor by a program that only looks"
    for guess in (
        link[:-1] + "Z",
        link[:-1],
        f"{link}0",
        "/owner/%C3%A9",
        f"/owner/{link[7:].upper()}",
        "/owner/nobody",
    ):
        assert other.get(guess).status_code == 403
    assert [put(one, True).status_code for one in (other, proxied, banned)] == [403] * 3
    owner = room.owner()
    for guest in (other, proxied, room.come(WIFI, FAR) if reaches(WIFI, room.port) else other):
        assert guest.get(link).status_code == 403, "it works once"
    assert owner.get(link).headers["location"] == "/", "but for its own guest"
    assert put(owner, True).is_success
    stranger = room.come(WIFI, FAR)
    assert stranger.get(link).status_code == 403
    for guest in (other, proxied, banned, stranger):
        for is_open in (True, False):
            assert put(guest, is_open).status_code == 403
        assert guest is banned or not guest.get("/api/network").json()["is_owner"]
    assert reaches(WIFI, room.port)
    moved = room.come(WIFI, FAR, {"Cookie": f"fairdeal_guest={owner.cookies['fairdeal_guest']}"})
    assert moved.get("/api/network").json()["is_owner"], "on whatever device"
    assert owner.get("/api/lobby").json()["is_owner"]
    assert owner.delete("/api/me").is_success
    assert put(moved, False).status_code == 403
    assert other.get(link).status_code == 403


def test_the_link_of_the_owner_gets_nowhere_but_to_the_terminal(room_of, caplog):
    room = room_of(log_addresses=True)
    secret = room.link.rpartition("/")[2]
    guest = room.come()
    for path in (room.link, f"{room.link}x"):
        answer = guest.get(path)
        assert secret not in f"{answer.headers} {answer.text}"
    other = room.come()
    assert secret not in "".join(f"{answer.headers}{answer.text}" for answer in (other.get(room.link), guest.get("/")))
    put(guest, True)
    assert secret in room.said[0]
    assert secret not in "".join(room.said[1:]) + caplog.text
    assert [secret in "".join(map(str, vars(record).values())) for record in caplog.records].count(True) == 0
    assert guest.get("/").headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("wishes", [{"host": "0.0.0.0"}, {"host": "::"}, {"host": WIFI}, {"base": BASE}], ids=str)
def test_a_room_that_others_reach_anyway_has_no_owner(room_of, wishes):
    room = room_of(**wishes)
    guest = room.come(wishes.get("host", "127.0.0.1").replace("0.0.0.0", "127.0.0.1").replace("::", "::1"))
    assert room.server.gate is None
    assert "/owner/" not in "".join(room.said)
    assert guest.get("/owner/" + "0" * 32).status_code == 403
    assert put(guest, True).status_code == 409
    facts = guest.get("/api/network").json()
    assert (facts["is_owner"], facts["opens_to"]) == (False, "")


def test_a_port_that_is_taken_and_a_machine_without_networks_are_reported(room_of, monkeypatch):
    room = room_of()
    owner = room.owner()
    with listen(WIFI, room.port) as one, listen(CABLE, room.port) as two:
        one.listen()
        two.listen()
        refused = put(owner, True)
        assert (refused.status_code, f":{room.port}: Address already in use" in refused.json()["reason"]) == (409, True)
    monkeypatch.setattr(addresses, "networks", list)
    assert put(owner, True).json() == {"reason": "this computer is in no network"}
    assert not owner.get("/api/network").json()["is_open"]


def test_an_open_room_follows_the_networks_as_they_come_and_go(room_of, monkeypatch):
    monkeypatch.setattr(gate, "LOOK_AGAIN", 0.05)
    monkeypatch.setattr(addresses, "networks", list)
    room = room_of(lan=True)
    guest = room.come()
    assert "Only this computer" in room.said[0]
    for nets in (NETS[:1], NETS[1:], [], NETS):
        monkeypatch.setattr(addresses, "networks", lambda nets=nets: nets)
        room.ready.clear()
        assert room.ready.wait(60)
        assert [reaches(host, room.port) for host in (WIFI, CABLE)] == [net in nets for net in NETS]
        assert [url for url, works in shown(guest) if works == "network"] == [
            f"http://{net.addresses[0]}:{room.port}" for net in nets
        ]


def test_a_room_says_that_an_address_works_only_after_another_device_has_come_by_it(room_of):
    room = room_of(lan=True)

    def tried():
        return [one["tried"] for one in room.come().get("/api/network").json()["addresses"]]

    room.come(WIFI, WIFI)
    assert tried() == [False, False], "from this machine itself"
    room.come(CABLE, FAR)
    assert tried() == [False, True]
    room.come(WIFI, FAR)
    assert tried() == [True, True]


OFTEN = "{ const repeat = setInterval; window.setInterval = (does, time) => repeat(does, time / 20); }"
"""The page asks the room for its addresses five times a second."""


@pytest.mark.parametrize("label", ["desk", "phone"])
def test_the_owner_opens_the_room_on_the_page_and_closes_it_again(room_of, label):
    """Only then the page has a QR code, and it says of each link where it works."""
    room = room_of()
    with BROWSER.visits(f"http://127.0.0.1:{room.port}") as visit:
        page, other = visit(size=SCREENS[label], **STILL), visit("/", **STILL)
        page.add_init_script(OFTEN)
        page.goto(room.link)
        assert room.link not in page.evaluate("[location.href, document.referrer, history.length].join()")
        page.locator(".opening", has_text="Only this computer can open the room.").wait_for()
        table = open_with(page, "chi", ["you", "person"])
        for guest in (page, other):
            guest.goto(f"/t/{table}")
        page.locator(".invite", has_text=f"Only this computer can open this link. {page.url}").wait_for()
        assert page.locator(".qr").count() == 0
        assert violations(page) == []
        assert "Open to" not in other.locator("main").inner_text()
        page.get_by_role("button", name="Open to this Wi-Fi").click()
        shown, code = page.locator(".invite"), page.locator(".qr img")
        for net, words in zip(NETS, ("your Wi-Fi (wlan0).", "the same network (eth0)."), strict=True):
            url = f"http://{net.addresses[0]}:{room.port}"
            expect(shown).to_contain_text(f"For people in {words}")
            assert f"{url}/t/{table}" in shown.inner_text().replace("\n", "")
            assert page.request.get(code.get_attribute("src")).ok
            assert httpx2.URL(code.get_attribute("src")).params["url"] == url
            assert violations(page) == []
            page.get_by_role("button", name="Another network").click()
        expect(page.locator("main")).to_contain_text("No other device has opened the room at this address yet.")
        room.come(WIFI, FAR)
        expect(page.locator("main")).to_contain_text("Another device has opened the room at this address.")
        page.get_by_role("button", name="Close to the network").click()
        expect(shown).to_contain_text("Only this computer can open this link.")
        assert code.count() == 0
        assert not reaches(WIFI, room.port)
        over = open_with(page, "chi", ["greedy", "greedy"], options=SHORT["chi"])
        wait_until_over(page, over)
        page.goto(f"/t/{over}")
        page.locator(".verdict .acts", has_text="Only this computer can open this link.").wait_for()
        assert violations(page) == []


# --- hosts, cookies and limits --------------------------------------------------------------------------------------


def test_a_room_answers_to_the_names_of_its_machine_and_to_no_other(room_of, monkeypatch):
    """So another site whose domain name points to this machine cannot read it."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Ada-PC")
    room = room_of(lan=True)
    guest = room.come()
    for host in ("localhost", "127.0.0.1", "[::1]:1", WIFI, f"{CABLE}:9", "ada-pc", "ADA-PC.local:8", "ada-pc.local."):
        assert guest.get("/api/me", headers={"Host": host}).status_code == 200, host
    for host in (
        "evil.example",
        "0.0.0.0",
        "127.0.0.1.evil.example",
        "ada-pc.evil.example",
        "local",
        FAR,
        "192.168.1.1",
    ):
        for path in ("/", "/api/me", "/web/main.js", room.link):
            refused = guest.get(path, headers={"Host": host})
            assert refused.status_code == 421
            assert refused.json()["reason"].endswith(f"start the room with --base http://{host}")
    assert room.server.gate.owner == "", "nobody uses up the link under another name"
    with refusal("leave out --host or --lan"):
        checked(Settings(host="0.0.0.0", lan=True))
    with refusal("--lan: several workers"):
        checked(Settings(workers=2, lan=True))


def test_an_open_room_takes_requests_from_its_own_pages_alone(room_of):
    room = room_of(lan=True)
    table = room.come().post("/api/tables", json={"game": "chi"}).json()["id"]
    for host in ("127.0.0.1", WIFI):
        own = f"http://{host}:{room.port}"
        guest = room.come(host, FAR)
        assert "SameSite=lax" in guest.get("/", headers={"Cookie": ""}).headers["set-cookie"]
        others = {f"http://{other}:{room.port}" for other in ("127.0.0.1", WIFI, CABLE)} - {own}
        for origin in (own, *others, f"http://{host}:1", f"http://{host}", "null", BASE):
            sent = guest.post("/api/me", json={"name": "Ada"}, headers={"Origin": origin})
            assert sent.status_code == (200 if origin == own else 403), origin
            refused = contextlib.nullcontext() if origin == own else pytest.raises(InvalidStatus, match="403")
            with refused, connect(f"ws://{host}:{room.port}/api/tables/{table}/play", origin=origin) as line:
                assert line.recv(30)


def test_the_limits_of_connections_hold_at_all_addresses_together(room_of):
    room = room_of(lan=True)
    entered = room.server.config.http_protocol_class.entered
    with contextlib.ExitStack() as lines:
        for number, host in enumerate(("127.0.0.1", WIFI, CABLE), start=1):
            lines.enter_context(socket.create_connection((host, room.port), 5))
            wait_until(lambda number=number: sum(entered.of.values()) == number)
        entered.of_an_address = 0
        for host in ("127.0.0.1", WIFI, CABLE):
            with contextlib.suppress(ConnectionResetError):
                assert lines.enter_context(socket.create_connection((host, room.port), 30)).recv(1) == b""


# --- addresses ------------------------------------------------------------------------------------------------------


class Adapter:
    def __init__(self, name, *ips):
        self.name = self.nice_name = name
        self.ips = [Address(name, ip) for ip in ips]


class Address:
    def __init__(self, name, ip):
        self.nice_name, self.ip = name, (ip, 0, 0) if ":" in ip else ip


def test_networks_are_sorted_by_how_likely_friends_are_there(monkeypatch):
    """The default route comes first, then others, tunnels, and bridges; addresses of one link alone are left out."""
    monkeypatch.setattr(addresses.sys, "platform", "linux")
    adapters = [
        Adapter("docker0", "172.17.0.1"),
        Adapter("br-0123456789ab", "172.18.0.1"),
        Adapter("tun0", "10.8.0.2"),
        Adapter("lo", "127.0.0.1", "::1"),
        Adapter("eth0", "10.0.0.7", "fe80::1", "169.254.1.1"),
        Adapter("wlan0", "2606:4700::7", "fd00::7", "192.168.1.7"),
        Adapter("wlan0:1", "192.168.1.8"),
        Adapter("veth1", "fe80::2"),
    ]
    monkeypatch.setattr(addresses.ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(addresses, "source_for", lambda family, far: {"192.0.2.1": "192.168.1.7"}.get(far, "10.8.0.2"))
    assert [(one.name, one.addresses) for one in networks()] == [
        ("wlan0", ("192.168.1.7", "192.168.1.8", "fd00::7", "2606:4700::7")),
        ("eth0", ("10.0.0.7",)),
        ("tun0", ("10.8.0.2",)),
        ("docker0", ("172.17.0.1",)),
        ("br-0123456789ab", ("172.18.0.1",)),
    ]


def test_the_addresses_of_this_machine_can_be_looked_up():
    assert all(net.name and net.addresses and not any(map(is_home, net.addresses)) for net in networks())
    assert Machine().is_called(socket.gethostname())
    assert [Place("::", 1).includes(one) for one in ("::1", "127.0.0.1")] == [True, False]
