"""Notices of whose turn it is: to whom, when, and to which hosts only."""

import asyncio
import contextlib
import json
import threading
import time
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from zoneinfo import ZoneInfo

import http_ece
import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode
from typer.testing import CliRunner

from fairdeal.cli import app
from fairdeal.server import serving
from fairdeal.server.extras import notices as notices_module
from fairdeal.server.extras import push
from fairdeal.server.limits import Rate
from fairdeal.server.storage.store import bans, devices, put, told
from fairdeal.server.tables.saving import keep_notice
from tests.conftest import refusal
from tests.ports import free_port
from tests.server import conftest
from tests.server.in_process import Viewer, move, rows_in, until
from tests.server.inside import opened
from tests.server.test_browser import AXE
from tests.server.test_network import wait_until
from tests.server.visiting import PHONE

GRACE = 0.1


class Receiver:
    """Hears what rooms send. Paths: `/told` answers, `/elsewhere` sends on to `/told`, `/hang` never answers."""

    def __init__(self):
        self.heard = []
        self.done = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                receiver.respond(self, self.rfile.read(int(self.headers["content-length"])))

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()

    def respond(self, handler, body):
        self.heard.append((handler.path, json.loads(body), dict(handler.headers)))
        if handler.path == "/hang":
            self.done.wait(30)
        handler.send_response(302 if handler.path == "/elsewhere" else 200)
        handler.send_header("location", "/told")
        handler.send_header("set-cookie", "known=1; path=/")
        handler.send_header("content-length", "0")
        handler.end_headers()

    def at(self, path):
        return f"http://{self.host}{path}"

    @property
    def texts(self):
        return [body["text"] for _, body, _ in self.heard]

    def close(self):
        self.done.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(10)


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


class House:
    """A room in this process, with Ada at seat 0 and Bo at seat 1 of a table; she is connected and he is away."""

    def __init__(self, ada, bo):
        self.ada, self.bo, self.room, self.notices = ada, bo, ada.room, ada.app.app.state.notices

    async def sit_down(self, first_player=0):
        self.live = await self.ada.open("chi", "you", "person", options={"players": 2, "first_player": first_player})
        assert (await self.bo.post(f"/api/tables/{self.live.id}/join")).status == 200
        Viewer(self.room, self.live, self.ada.guest)
        return self.live

    async def until_turn_of(self, seat):
        """Play moves until it becomes a seat's turn."""
        while seat in self.live.sitting.state.to_act:
            await move(self.live)
        while seat not in self.live.sitting.state.to_act:
            await move(self.live)

    async def tell_bo_at(self, address, status=200):
        answer = await self.bo.ask("PUT", "/api/webhook", json.dumps({"address": address}).encode())
        assert answer.status == status, answer.body
        return answer.json()

    async def show(self, browser, silent=None, off=False):
        """Let a browser of Bo show notices, or no more."""
        answer = await self.bo.ask("PUT", "/api/device", json.dumps(browser.json(silent, off)).encode())
        assert answer.status == 200, answer.body

    async def of_bo(self):
        """Return what the room says of Bo's notices."""
        return (await self.bo.get("/api/webhook")).json()

    async def sent(self):
        """Send what is due after the time of grace."""
        await asyncio.gather(*self.notices.tasks)
        await asyncio.sleep(GRACE)
        await self.look()

    async def look(self):
        await self.notices.look(self.room.find)
        await asyncio.gather(*self.notices.tasks)

    def stored(self, due=False):
        """Return the stored notices, or those that are to be sent still."""
        query = sa.select(told).where(told.c.due.is_not(None) if due else sa.true())
        return self.room.store.query_again(lambda c: c.execute(query).all())

    async def pass_time(self):
        """Let all stored notices be due that are to be sent still."""
        overdue = told.update().where(told.c.due.is_not(None)).values(due=1.0)
        await self.room.store.write(lambda c: c.execute(overdue))

    async def bos_turn(self):
        """Play until it becomes Bo's turn, again if it is already, and wait for the notices."""
        await self.until_turn_of(1)
        await self.sent()


@contextlib.asynccontextmanager
async def looking(house):
    """Let the room look for notices that are due."""
    task = asyncio.create_task(house.notices.run(house.room.find))
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@contextlib.asynccontextmanager
async def house_at(folder, *hosts):
    """Open a room that may send notices to these hosts."""
    async with opened(folder, webhooks=hosts) as ada:
        await ada.post("/api/me", name="Ada")
        yield House(ada, await ada.newcomer("Bo"))


@pytest.fixture(autouse=True)
def grace(monkeypatch):
    monkeypatch.setattr(notices_module, "GRACE", GRACE)
    monkeypatch.setattr(notices_module, "BETWEEN_LOOKS", 0.05)


@pytest.fixture
async def house(tmp_path, receiver):
    """A room that may send notices to the receiver, where Bo has asked for them."""
    async with house_at(tmp_path, receiver.host) as house:
        told = await house.tell_bo_at(receiver.at("/told"))
        assert told["address"] == receiver.at("/told")
        yield house


async def test_a_guest_who_is_away_gets_one_message_a_turn_without_secrets(house, receiver):
    live = await house.sit_down()
    await house.bos_turn()
    path, body, headers = receiver.heard[0]
    assert path == "/told"
    assert body == {
        "table": live.id,
        "link": f"http://localhost:8000/t/{live.id}",
        "game": "Chi",
        "names": ["Ada", "Bo"],
        "text": "Ada has moved; it is your turn",
        "seq": live.number,
    }
    await house.bos_turn()
    assert receiver.texts == ["Ada has moved; it is your turn"] * 2
    assert "Cookie" not in receiver.heard[1][2]
    assert "Cookie" not in headers


async def test_a_banned_guest_is_not_notified_until_the_ban_is_lifted(house, receiver):
    await house.sit_down()
    await house.room.store.write(lambda c: put(c, bans, guest=house.bo.guest, at=1.0))
    await house.bos_turn()
    assert receiver.heard == []
    await house.room.store.write(lambda c: c.execute(bans.delete()))
    await house.bos_turn()
    assert len(receiver.heard) == 1


async def test_the_first_player_to_act_after_the_deal_gets_a_message(house, receiver):
    await house.sit_down(first_player=1)
    await house.sent()
    assert receiver.texts == ["The cards are dealt; it is your turn"]


async def test_no_message_is_sent_to_guests_who_are_there_or_return_soon_or_declined_or_have_a_stand_in(
    house, receiver
):
    live = await house.sit_down()
    await house.until_turn_of(1)
    assert house.notices.tasks
    bo = Viewer(house.room, live, house.bo.guest)
    await house.sent()
    await house.until_turn_of(1)
    assert not house.notices.tasks
    bo.go()
    await asyncio.sleep(GRACE * 2)
    await live.set_stand_in(live.seats[1], on=True)
    await house.bos_turn()
    assert (await house.bo.ask("DELETE", "/api/webhook")).json()["address"] == ""
    await live.set_stand_in(live.seats[1], on=False)
    await house.bos_turn()
    assert receiver.heard == []


async def test_a_turn_that_is_taken_back_is_sent_once_when_it_is_final(house, receiver):
    live = await house.sit_down()
    await house.until_turn_of(1)
    await live.take_back(0, "", 1)
    await house.sent()
    assert receiver.heard == []
    for _ in range(2):
        await house.bos_turn()
        await live.take_back(0, "", 1)
    assert len(receiver.heard) == 1


async def test_a_notice_that_was_not_sent_when_the_room_ended_is_sent_afterwards(tmp_path, receiver, monkeypatch):
    monkeypatch.setattr(notices_module, "GRACE", 60.0)
    async with house_at(tmp_path, receiver.host) as house:
        await house.tell_bo_at(receiver.at("/told"))
        await house.sit_down()
        await house.until_turn_of(1)
        await until(lambda: house.stored())
    assert not receiver.heard
    for _ in range(2):
        async with house_at(tmp_path, receiver.host) as house, looking(house):
            await house.pass_time()
            await until(lambda: not house.stored(due=True))
            await asyncio.gather(*house.notices.tasks)
        assert receiver.texts == ["Ada has moved; it is your turn"]


async def test_an_address_gets_no_notice_twice_if_the_room_ends_while_it_is_sent(tmp_path, receiver):
    async with house_at(tmp_path, receiver.host) as house:
        await house.tell_bo_at(receiver.at("/hang"))
        await house.sit_down()
        await house.until_turn_of(1)
        async with looking(house):
            await until(lambda: receiver.heard)
    async with house_at(tmp_path, receiver.host) as house, looking(house):
        await house.pass_time()
        await until(lambda: not house.stored(due=True))
    assert len(receiver.heard) == 1


async def test_redirects_are_not_followed(house, receiver, caplog):
    await house.tell_bo_at(receiver.at("/elsewhere"))
    await house.sit_down()
    await house.bos_turn()
    assert [path for path, _, _ in receiver.heard] == ["/elsewhere"]
    assert "answered 302" in caplog.text
    assert "/elsewhere" not in "".join(record.message for record in caplog.records if "notices" in record.name)


async def test_the_table_goes_on_while_a_receiver_hangs(house, receiver, monkeypatch, caplog):
    monkeypatch.setattr(notices_module, "LONGEST_STEP", 2.0)
    await house.tell_bo_at(receiver.at("/hang"))
    await house.sit_down()
    begun = time.monotonic()
    await house.until_turn_of(1)
    async with looking(house):
        await until(lambda: receiver.heard)
    await house.until_turn_of(0)
    assert time.monotonic() - begun < 1.5
    assert house.notices.tasks
    await asyncio.gather(*house.notices.tasks)
    assert "was not sent: ReadTimeout" in caplog.text


async def test_a_receiver_that_is_not_there_is_logged(house, receiver, caplog):
    await house.sit_down()
    receiver.close()
    await house.bos_turn()
    assert "was not sent" in caplog.text


async def test_a_guest_gets_a_limited_number_of_messages_a_minute(house, receiver, monkeypatch, caplog):
    monkeypatch.setattr(notices_module, "MOST_OFTEN", Rate(0.1, 2))
    await house.sit_down()
    for _ in range(4):
        await house.bos_turn()
        await house.look()
    assert len(receiver.heard) == 2
    assert house.stored(due=True), "a notice that waits is forgotten"
    assert caplog.text.count(f"more than {notices_module.A_MINUTE} notifications a minute") == 1


async def test_an_address_that_was_allowed_once_is_not_asked_any_more(tmp_path, receiver, caplog):
    async with house_at(tmp_path, receiver.host) as house:
        await house.tell_bo_at(receiver.at("/told"))
        cookie = house.bo.cookie
    async with house_at(tmp_path, "hooks.example.org") as house:
        house.bo.cookie = cookie
        await house.sit_down()
        await house.bos_turn()
    assert receiver.heard == []
    assert f"sends no notifications to {receiver.host}, only to hooks.example.org" in caplog.text


OTHERS = [
    ("http://127.0.0.1:1/told", "sends no notifications to 127.0.0.1:1, only to hooks.example.org"),
    ("https://hooks.example.org.evil.test/", "only"),
    ("https://hooks.example.org@evil.test/", "cannot contain a user name"),
    ("https://ada:secret@hooks.example.org/", "cannot contain a user name"),
    ("https://hooks.example.org:8443/", "only"),
    ("ftp://hooks.example.org/", "not a web address; one looks like https://hooks.example.org/"),
    ("file:///etc/passwd", "not a web address"),
    ("hooks.example.org", "not a web address"),
    ("http://[::", "not a web address"),
    ("https://hooks.example.org/" + "x" * 500, "at most 500 characters"),
]


async def test_any_other_address_is_refused_with_what_would_be_right(tmp_path):
    async with house_at(tmp_path, "hooks.example.org") as house:
        for address, words in OTHERS:
            assert words in (await house.tell_bo_at(address, 400))["reason"]
        assert await house.of_bo() == {"address": "", "hosts": ["hooks.example.org"], "push": "", "silent": None}


async def test_without_hosts_nothing_is_taken(tmp_path):
    async with house_at(tmp_path) as house:
        assert "--webhooks" in (await house.tell_bo_at("https://hooks.example.org/", 400))["reason"]
        assert await house.of_bo() == {"address": "", "hosts": [], "push": "", "silent": None}


def test_serve_takes_whole_names_of_hosts(monkeypatch, tmp_path):
    ran = []
    monkeypatch.setattr(serving, "run", lambda settings: ran.append(settings.webhooks))
    words = ["serve", "--database", str(tmp_path / "room.db"), "--webhooks"]
    CliRunner().invoke(app, [*words, "Hooks.example.org, 192.0.2.7:8080,[::1]:80"], catch_exceptions=False)
    assert ran == [("hooks.example.org", "192.0.2.7:8080", "[::1]:80")]
    for bad in ("*.example.org", "https://example.org", "example.org/path", "me@example.org"):
        with refusal("full host names"):
            CliRunner().invoke(app, [*words, bad], catch_exceptions=False)


@pytest.fixture
def notifying_room(tmp_path, receiver):
    """`fairdeal serve --webhooks`, in a process of its own."""
    made = conftest.ForkedRoom(tmp_path / "notifying.db", webhooks=receiver.host)
    yield made
    made.stop()


def test_a_served_room_sends_messages_to_guests_who_are_away(notifying_room, receiver):
    room = notifying_room
    ada, bo = conftest.Guest(room, "Ada"), conftest.Guest(room, "Bo")
    try:
        assert bo.http.put("/api/webhook", json={"address": receiver.at("/told")}).is_success
        options = {"players": 2, "first_player": 0}
        table = ada.open("chi", chairs=["you", "person"], options=options)["id"]
        ada.connect(table)
        bo.post(f"/api/tables/{table}/join")
        ada.until("scene")
        while 0 in ada.get(f"/api/tables/{table}")["acts"]:
            ada.ask("play", seq=ada.scene["seq"], move=ada.ask("hint")["move"])
        until = time.monotonic() + 15
        while not receiver.heard and time.monotonic() < until:
            time.sleep(0.05)
        assert receiver.heard[0][1]["link"] == f"{room.address}/t/{table}"
    finally:
        ada.close()
        bo.close()


def test_the_lobby_offers_notices_where_the_room_does(notifying_room, receiver, visit):
    page = visit("/", base_url=notifying_room.address, may_log="status of 4")
    page.get_by_text("Tell me when it is my turn").click()
    field = page.get_by_label("Web address to notify of your turn")
    field.fill("https://elsewhere.example.org/")
    page.locator(".say").get_by_text("Keep").click()
    page.get_by_role("alert").get_by_text(f"only to {receiver.host}").wait_for()
    field.fill(receiver.at("/told"))
    page.locator(".say").get_by_text("Keep").click()
    page.get_by_text(f"at {receiver.host}", exact=True).wait_for()
    page.set_viewport_size(PHONE)
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document.querySelector('.tables'))")
    assert [problem["id"] for problem in found["violations"]] == []
    page.locator(".say").get_by_text("Off").click()
    page.locator("summary").get_by_text("off", exact=True).wait_for()
    assert page.evaluate("() => fetch('/api/webhook').then((answer) => answer.json())")["address"] == ""


def test_the_lobby_is_silent_of_notices_where_the_room_sends_none(visit):
    page = visit("/")
    page.wait_for_selector(".box .cover")
    page.wait_for_load_state("networkidle")
    assert page.get_by_text("Tell me when it is my turn").count() == 0


# --- Web Push -----------------------------------------------------------------------------------------------------


class Browser:
    """A browser with a subscription at a push server."""

    def __init__(self, server, name):
        self.private, self.auth = ec.generate_private_key(ec.SECP256R1()), b"sixteen bytes..."
        self.endpoint = server.at(f"/push/{name}")
        public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = {"p256dh": b64urlencode(public), "auth": b64urlencode(self.auth)}

    def json(self, silent=None, off=False):
        """Return what the page sends to the room."""
        return {"endpoint": self.endpoint, "keys": None if off else self.keys, "silent": silent}

    def read(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth, version="aes128gcm"))


class PushServer(Receiver):
    """A push service. It answers 201, or what `answers` says for a path, and holds its answers while `held` is set."""

    def __init__(self):
        self.answers, self.may_answer, self.got = {}, threading.Event(), threading.Event()
        self.may_answer.set()
        super().__init__()
        self.browsers = {}

    def respond(self, handler, body):
        self.heard.append((handler.path, body, {name.lower(): value for name, value in handler.headers.items()}))
        self.got.set()
        self.may_answer.wait(30)
        status, headers = self.answers.get(handler.path, (201, {}))
        handler.send_response(status)
        for name, value in {"content-length": "0", **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()

    def browser(self, name="phone"):
        found = self.browsers[name] = Browser(self, name)
        return found

    @property
    def pushed(self):
        """The messages, each with the name of its browser, as this reads them."""
        names = [path.rpartition("/")[2] for path, _, _ in self.heard]
        return [(name, self.browsers[name].read(body)) for name, (_, body, _) in zip(names, self.heard, strict=True)]

    def close(self):
        self.may_answer.set()
        super().close()


@pytest.fixture
def services():
    made = PushServer()
    yield made
    made.close()


BASE = "http://localhost:8000"
"""The address of a room that may push, because browsers trust their own machine."""


@contextlib.asynccontextmanager
async def pushing(folder, services, base=BASE):
    async with opened(folder, base, push=(services.host,)) as ada:
        await ada.post("/api/me", name="Ada")
        yield House(ada, await ada.newcomer("Bo"))


@pytest.fixture
async def phone(tmp_path, services):
    """A room that may push to the push server, where Bo's phone shows notices."""
    async with pushing(tmp_path, services) as house:
        await house.show(services.browser())
        yield house


async def test_a_push_can_be_read_by_its_browser_alone_and_says_who_sends_it(phone, services):
    live = await phone.sit_down()
    await phone.bos_turn()
    [(name, notice)], [(_, body, headers)] = services.pushed, services.heard
    assert name == "phone"
    assert notice == {
        "table": live.id,
        "link": f"{BASE}/t/{live.id}",
        "game": "Chi",
        "names": ["Ada", "Bo"],
        "text": "Ada has moved; it is your turn",
        "seq": live.number,
    }
    assert headers["content-encoding"] == "aes128gcm"
    assert Vapid02.verify(headers["authorization"])
    told = dict(part.split("=", 1) for part in headers["authorization"].removeprefix("vapid ").split(","))
    assert told["k"] == (await phone.of_bo())["push"]
    claims = json.loads(b64urldecode(told["t"].split(".")[1].encode()))
    assert claims["aud"] == f"http://{services.host}"
    assert claims["sub"] == BASE
    assert 0 < claims["exp"] - time.time() <= 86_400
    in_clear = "".join(f"{name} {value}" for name, value in headers.items())
    for secret in (live.id, phone.bo.guest, phone.bo.cookie, "Ada", "Chi"):
        assert secret not in in_clear
        assert secret.encode() not in body
    assert len(headers["topic"]) == 32
    assert headers["ttl"] == "604800"


def test_a_message_is_sealed_as_in_the_example_of_the_rfc(monkeypatch):
    """RFC 8291, appendix A."""
    private = b64urldecode(b"yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    own = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1())
    monkeypatch.setattr(push, "generate_private_key", lambda curve: own)
    monkeypatch.setattr(push.secrets, "token_bytes", lambda size: b64urldecode(b"DGv6ra1nlYgDCS1FRnbzlw"))
    key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    sealed = push.sealed(b"When I grow up, I want to be a watermelon", key, "BTBZMqHH6r4Tts7J_aSIgg")
    assert b64urlencode(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


async def test_one_notice_of_a_table_takes_the_place_of_another(phone, services):
    await phone.sit_down()
    for _ in range(2):
        await phone.bos_turn()
    first, second = (headers["topic"] for _, _, headers in services.heard)
    assert first == second
    await phone.sit_down()
    await phone.bos_turn()
    assert services.heard[2][2]["topic"] != first


async def test_a_notice_lasts_until_the_time_for_the_move_ends(phone, services):
    phone.live = live = await phone.ada.open("chi", "you", "person", clock=600, options={"first_player": 1})
    await phone.bo.post(f"/api/tables/{live.id}/join")
    await phone.sent()
    assert 590 <= int(services.heard[0][2]["ttl"]) <= 600


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_gets_no_more_and_others_do(phone, services, status):
    await phone.show(services.browser("desktop"))
    services.answers["/push/phone"] = status, {}
    await phone.sit_down()
    for _ in range(2):
        await phone.bos_turn()
    assert [name for name, _ in services.pushed] in (["phone", *["desktop"] * 2], ["desktop", "phone", "desktop"])
    assert not phone.stored(due=True)


@pytest.mark.parametrize("status", [429, 503, 400])
async def test_a_push_that_fails_for_a_time_is_repeated_for_this_browser_alone(phone, services, status):
    await phone.show(services.browser("desktop"))
    services.answers["/push/phone"] = status, {"retry-after": "300"}
    await phone.sit_down()
    began = time.time()
    await phone.bos_turn()
    assert sorted(name for name, _ in services.pushed) == ["desktop", "phone"]
    waiting = phone.stored(due=True)
    if status == 400:
        assert not waiting, "the room's own mistake is repeated"
        return
    assert began + 300 <= waiting[0].due <= time.time() + 300
    services.answers.clear()
    async with looking(phone):
        await phone.pass_time()
        await until(lambda: not phone.stored(due=True))
    assert [name for name, _ in services.pushed[2:]] == ["phone"]


async def test_a_push_that_fails_is_repeated_with_growing_pauses_for_a_day(phone, services, caplog):
    services.answers["/push/phone"] = 500, {}
    await phone.sit_down()
    await phone.bos_turn()
    pauses = []
    for _ in range(13):
        [stored] = phone.stored()
        if stored.due is None:
            break
        pauses.append(stored.due - time.time())
        await phone.room.store.write(lambda c: c.execute(told.update().values(at=told.c.at - pauses[-1])))
        phone.notices.allowances.clear()
        await phone.pass_time()
        await phone.look()
    assert pauses[0] == pytest.approx(60, abs=5)
    assert pauses == sorted(pauses)
    assert 8 < len(pauses) < 13
    assert "answered 500" in caplog.text
    assert "/push/" not in "".join(record.message for record in caplog.records if "notices" in record.name)


async def test_notices_wait_for_the_end_of_silent_hours_and_are_sent_if_they_are_still_true(
    phone, services, monkeypatch
):
    await phone.show(services.browser(), {"begin": "22:00", "end": "08:00", "zone": "Europe/Berlin"})
    night = datetime(2026, 10, 24, 21, 30, tzinfo=UTC).timestamp()  # 23:30 in Berlin, and an hour more than usual
    morning = datetime(2026, 10, 25, 7, 0, tzinfo=UTC).timestamp()
    clock = time.time
    began = clock()
    monkeypatch.setattr(time, "time", lambda: night + clock() - began)
    await phone.sit_down()
    await phone.bos_turn()
    assert [stored.due for stored in phone.stored()] == [morning]
    async with looking(phone):
        await asyncio.sleep(0.2)
        assert services.heard == []
        await phone.until_turn_of(0)  # he has moved meanwhile
        monkeypatch.setattr(time, "time", lambda: morning + 1 + clock() - began)
        await until(lambda: not phone.stored())
    assert services.heard == []
    monkeypatch.setattr(time, "time", lambda: night + clock() - began)
    await phone.bos_turn()
    monkeypatch.setattr(time, "time", lambda: morning + 1 + clock() - began)
    async with looking(phone):
        await until(lambda: not phone.stored(due=True))
    assert len(services.heard) == 1


@pytest.mark.parametrize(
    ("begin", "end", "hour", "ends"),
    [
        ("22:00", "08:00", 21, 0),
        ("22:00", "08:00", 22, 10),
        ("22:00", "08:00", 7, 1),
        ("22:00", "08:00", 8, 0),
        ("01:00", "03:00", 2, 1),
        ("01:00", "03:00", 4, 0),
        ("09:00", "09:00", 9, 0),
    ],
)
def test_silent_hours_are_those_of_the_guests_clock(begin, end, hour, ends):
    now = datetime(2026, 7, 1, hour, tzinfo=ZoneInfo("Asia/Kolkata")).timestamp()
    found = notices_module.silence_ends({"begin": begin, "end": end, "zone": "Asia/Kolkata"}, now)
    assert found == (now + 3600 * ends if ends else 0)


WRONG = [
    ({"endpoint": "https://evil.test/push"}, "only to"),
    ({"endpoint": "https://push.apple.com.evil.test/"}, "only to"),
    ({"endpoint": "https://web.push.apple.com:8443/"}, "only to"),
    ({"endpoint": "https://evilpush.apple.com/"}, "only to"),
    ({"endpoint": "http://web.push.apple.com/"}, "begins with https"),
    ({"endpoint": "https://me@web.push.apple.com/"}, "user name"),
    ({"keys": {"p256dh": "AAAA", "auth": "AAAA"}}, "no keys"),
    ({"silent": {"begin": "22:00", "end": "8 o'clock", "zone": "UTC"}}, "no times"),
    ({"silent": {"begin": "22:00+01:00", "end": "08:00", "zone": "UTC"}}, "no times"),
    ({"silent": {"begin": "22:00+01:00", "end": "08:00+01:00", "zone": "UTC"}}, "no times"),
    *(({"silent": {"begin": "22:00", "end": "08:00", "zone": zone}}, "no times") for zone in ("", "Mars", "America")),
]


async def test_other_devices_are_refused_with_what_would_be_right(tmp_path, services):
    browser = services.browser()
    right = {"endpoint": "https://web.push.apple.com/abc", "keys": browser.keys}
    async with opened(tmp_path, BASE) as ada:
        for wrong, words in WRONG:
            answer = await ada.ask("PUT", "/api/device", json.dumps(right | wrong).encode())
            assert (answer.status, words in answer.json()["reason"]) == (400, True), answer.body
        for right["endpoint"] in ("https://web.push.apple.com/abc", "https://fcm.googleapis.com/fcm/send/abc"):
            assert (await ada.ask("PUT", "/api/device", json.dumps(right).encode())).status == 200


async def test_a_room_without_https_pushes_nothing(tmp_path, services):
    for base in ("", "http://cards.example.org"):
        async with pushing(tmp_path, services, base) as house:
            answer = await house.bo.ask("PUT", "/api/device", json.dumps(services.browser().json()).encode())
            assert (answer.status, "https" in answer.json()["reason"]) == (400, True)
            assert (await house.of_bo())["push"] == ""
            assert not (await house.bo.get("/api/lobby")).json()["notices"]


async def test_a_device_is_not_asked_any_more_when_the_room_no_longer_pushes(tmp_path, services, caplog):
    async with pushing(tmp_path, services) as house:
        await house.show(services.browser())
        cookie = house.bo.cookie
    async with house_at(tmp_path, "hooks.example.org") as house:
        house.bo.cookie = cookie
        await house.sit_down()
        await house.bos_turn()
    assert services.heard == []
    assert f"was not sent: this room sends no notifications to {services.host}\n" in caplog.text


async def test_a_guest_has_a_limited_number_of_devices_and_can_end_each(phone, services):
    for number in range(notices_module.MOST_DEVICES):
        await phone.show(services.browser(f"n{number}"))
    await phone.show(services.browsers["n3"], off=True)
    await phone.sit_down()
    await phone.bos_turn()
    assert sorted(name for name, _ in services.pushed) == ["n0", "n1", "n2", "n4", "n5", "n6", "n7"]


async def test_two_tasks_that_see_the_same_notice_send_it_once(phone, services):
    services.answers["/push/phone"] = 503, {}
    await phone.sit_down()
    await phone.bos_turn()
    await phone.pass_time()
    for _ in range(2):
        await phone.notices.look(phone.room.find)
    await asyncio.gather(*phone.notices.tasks)
    assert len(services.heard) == 2


async def test_a_reminder_is_sent_once_after_the_notice_of_a_turn_and_not_of_an_earlier_one(phone, services):
    await phone.sit_down()
    for number in (1, 2):
        await phone.bos_turn()
        moves = phone.live.sitting.moves_made
        for _ in range(2):
            await phone.room.store.write(
                partial(keep_notice, table=phone.live.id, guest=phone.bo.guest, moves=moves, kind="reminder")
            )
            await phone.sent()
        assert len(services.heard) == 2 * number
        assert {(one.kind, one.moves, one.due) for one in phone.stored()} == {
            ("turn", moves, None),
            ("reminder", moves, None),
        }


async def test_silent_hours_hold_for_all_devices_of_a_guest(phone, services):
    night = {"begin": "22:00", "end": "08:00", "zone": "Europe/Berlin"}
    await phone.show(services.browser("desktop"), night)
    assert (await phone.of_bo())["silent"] == night
    query = sa.select(devices.c.silent)
    assert phone.room.store.query_again(lambda c: c.execute(query).scalars().all()) == [night] * 2


async def test_the_key_of_the_room_stays_when_it_is_restarted(tmp_path, services):
    found = set()
    for _ in range(2):
        async with pushing(tmp_path, services) as house:
            found.add((await house.of_bo())["push"])
    assert len(found) == 1
    assert found != {""}


async def test_a_device_belongs_to_the_guest_who_uses_it_now(phone, services):
    await phone.sit_down()
    phone.bo, bo = phone.ada, phone.bo
    await phone.show(services.browsers["phone"])
    phone.bo = bo
    await phone.bos_turn()
    assert services.heard == []


# --- two workers --------------------------------------------------------------------------------------------------


def look_often():
    notices_module.BETWEEN_LOOKS = 0.2


class Worker(conftest.ForkedRoom):
    """A worker of a room that has another address."""

    def __init__(self, database, errors, services):
        super().__init__(database, 0.0, free_port(), errors, change=look_often, base=BASE, push=services.host)

    def answers_at(self, line):
        super().answers_at(line.replace(BASE, f"http://127.0.0.1:{self.port}"))


@contextlib.contextmanager
def killed(database, folder, services):
    """Let Ada move at a worker while Bo is away. After the context, kill the worker, and wait until another one has
    sent what is left."""
    with contextlib.ExitStack() as made:
        first, second = (Worker(database, folder / f"errors{number}", services) for number in (1, 2))
        made.callback(second.stop)
        ada, bo = (made.enter_context(contextlib.closing(conftest.Guest(first, name))) for name in ("Ada", "Bo"))
        assert bo.http.put("/api/device", json=services.browser().json()).is_success
        table = ada.open("chi", chairs=["you", "person"], options={"players": 2, "first_player": 0})["id"]
        ada.connect(table)
        bo.post(f"/api/tables/{table}/join")
        ada.until("scene")
        while 0 in ada.get(f"/api/tables/{table}")["acts"]:
            ada.ask("play", seq=ada.scene["seq"], move=ada.ask("hint")["move"])
        yield
        first.kill()
        services.may_answer.set()
        rows_in(database, "update told set due = 1 where due is not null returning 1")
        wait_until(lambda: rows_in(database, "select 1 from told where due is null"))


@pytest.mark.databases("postgresql")
def test_a_notice_whose_worker_was_killed_before_it_was_sent_is_sent_once_by_another(database, tmp_path, services):
    with killed(database, tmp_path, services):
        wait_until(lambda: rows_in(database, "select 1 from told"))
        assert services.heard == []
    [(name, notice)] = services.pushed
    assert (name, notice["text"]) == ("phone", "Ada has moved; it is your turn")


@pytest.mark.databases("postgresql")
def test_a_notice_whose_worker_was_killed_while_it_was_sent_takes_the_place_of_the_first(database, tmp_path, services):
    services.may_answer.clear()
    with killed(database, tmp_path, services):
        assert services.got.wait(20)
    (_, _, first), (_, _, second) = services.heard
    assert first["topic"] == second["topic"]
    assert services.pushed[0] == services.pushed[1]


# --- pages --------------------------------------------------------------------------------------------------------

FAKE = """([endpoint, keys]) => {
    let own = null;
    const made = { endpoint, toJSON: () => ({ keys }), unsubscribe: async () => (own = null) };
    PushManager.prototype.subscribe = async (options) => (own = Object.assign(made, { options }));
    PushManager.prototype.getSubscription = async () => own;
    Notification.requestPermission = async () => 'granted';
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
}"""
"""A browser that can subscribe without a push service."""


@pytest.fixture
def pushing_room(tmp_path, services):
    made = Worker(tmp_path / "pushing.db", tmp_path / "errors", services)
    yield made
    made.stop()


def test_one_button_lets_a_browser_show_notices_with_silent_hours_or_no_more(pushing_room, services, visit):
    browser = services.browser()
    page = visit("/", base_url=pushing_room.address, service_workers="allow")
    page.evaluate(FAKE, [browser.endpoint, browser.keys])
    page.get_by_text("Tell me when it is my turn").click()
    page.get_by_role("button", name="On this device").click()
    page.locator("summary").get_by_text("on this device", exact=True).wait_for()
    assert pushing_room.rows("select endpoint, silent from devices") == [(browser.endpoint, None)]
    page.get_by_label("Silent from").fill("22:00")
    page.get_by_label("to", exact=True).fill("08:00")
    page.locator(".say").get_by_text("Keep").click()
    wait_until(lambda: "08:00" in str(pushing_room.rows("select silent from devices")))
    page.set_viewport_size(PHONE)
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document.querySelector('.tables'))")
    assert [problem["id"] for problem in found["violations"]] == []
    page.get_by_role("button", name="Off on this device").click()
    page.locator("summary").get_by_text("off", exact=True).wait_for()
    assert pushing_room.rows("select endpoint from devices") == []


def test_the_service_worker_shows_one_notice_a_table_and_the_table_closes_it(pushing_room, services, visit):
    page = visit("/", base_url=pushing_room.address, service_workers="allow")
    page.context.grant_permissions(["notifications"], origin=pushing_room.address)
    browser = page.context.new_cdp_session(page)
    versions = []
    browser.on("ServiceWorker.workerVersionUpdated", lambda event: versions.extend(event["versions"]))
    browser.send("ServiceWorker.enable")
    page.evaluate("() => navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)")
    for text in ("first", "second"):
        notice = json.dumps({"table": "k3v9tq2mhx", "game": "Chi", "text": text})
        where = {"origin": pushing_room.address, "registrationId": versions[-1]["registrationId"], "data": notice}
        browser.send("ServiceWorker.deliverPushMessage", where)
        page.wait_for_function(SHOWN, arg=[["Chi", text, "/t/k3v9tq2mhx"]])
    page.evaluate("""() => {
        history.replaceState(null, '', '/t/k3v9tq2mhx');
        return import('/web/kit/notification.js').then((notice) => notice.clear());
    }""")
    page.wait_for_function(SHOWN, arg=[])
    page.context.clear_permissions()


RENEW = """async (endpoint) => {
    const worker = await navigator.serviceWorker.ready;
    (await worker.pushManager.getSubscription()).endpoint = endpoint;
}"""


def test_a_subscription_that_the_browser_has_changed_reaches_the_room_at_the_next_visit(pushing_room, services, visit):
    browser, later = services.browser(), services.browser("later")
    page = visit("/", base_url=pushing_room.address, service_workers="allow")
    page.evaluate(FAKE, [browser.endpoint, browser.keys])
    page.get_by_text("Tell me when it is my turn").click()
    page.get_by_role("button", name="On this device").click()
    page.locator("summary").get_by_text("on this device", exact=True).wait_for()
    page.evaluate(RENEW, later.endpoint)
    page.get_by_role("link", name="Your data").click()
    page.get_by_role("heading", name="Delete your data").wait_for()
    page.go_back()
    wait_until(lambda: (later.endpoint,) in pushing_room.rows("select endpoint from devices"))


CLICK = """async (data) => {
    const seen = [];
    clients.openWindow = async (path) => void seen.push(`opened ${path}`);  // refused without a press of a person,
    WindowClient.prototype.focus = async function () {  // as is this
        seen.push(`focused ${new URL(this.url).pathname}`);
    };
    let done;
    const notification = { data, close: () => seen.push('closed') };
    const waitUntil = (work) => (done = work);
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }));
    await done;
    return seen;
}"""
"""Clicks on a notice, and returns what the worker has done."""


def test_a_click_on_a_notice_opens_its_table_or_shows_the_page_that_has_it(pushing_room, visit):
    page = visit("/privacy", base_url=pushing_room.address, service_workers="allow")
    page.evaluate("() => navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)")
    (worker,) = page.context.service_workers
    assert worker.evaluate(CLICK, "/t/k3v9tq2mhx") == ["closed", "opened /t/k3v9tq2mhx"]
    assert worker.evaluate(CLICK, "/privacy") == ["closed", "focused /privacy"]


SHOWN = """async (wanted) => {
    const worker = await navigator.serviceWorker.ready;
    const shown = await worker.getNotifications();
    return JSON.stringify(shown.map(({ title, body, data }) => [title, body, data])) === JSON.stringify(wanted);
}"""
