"""Notices of whose turn it is: to whom, when, and to which hosts only."""

import asyncio
import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typer.testing import CliRunner

from fairdeal.cli import app
from fairdeal.server import serving
from fairdeal.server.extras import webhooks
from fairdeal.server.storage.store import bans, put
from tests.conftest import refusal
from tests.server import conftest
from tests.server.in_process import Viewer, move
from tests.server.inside import opened
from tests.server.test_browser import AXE
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
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                receiver.heard.append((self.path, body, dict(self.headers)))
                if self.path == "/hang":
                    receiver.done.wait(30)
                self.send_response(302 if self.path == "/elsewhere" else 200)
                self.send_header("location", "/told")
                self.send_header("set-cookie", "known=1; path=/")
                self.send_header("content-length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()

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
        self.ada, self.bo, self.room, self.notices = ada, bo, ada.room, ada.app.app.state.webhooks

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

    async def of_bo(self):
        """Return what the room says of Bo's notices."""
        return (await self.bo.get("/api/webhook")).json()

    async def sent(self):
        """Wait until no notice is under way."""
        await asyncio.gather(*self.notices.tasks)

    async def bos_turn(self):
        """Play until it becomes Bo's turn, again if it is already, and wait for the notices."""
        await self.until_turn_of(1)
        await self.sent()


@contextlib.asynccontextmanager
async def house_at(folder, *hosts):
    """Open a room that may send notices to these hosts."""
    async with opened(folder, webhooks=hosts) as ada:
        await ada.post("/api/me", name="Ada")
        yield House(ada, await ada.newcomer("Bo"))


@pytest.fixture(autouse=True)
def grace(monkeypatch):
    monkeypatch.setattr(webhooks, "GRACE", GRACE)


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
    monkeypatch.setattr(webhooks, "GRACE", 60.0)
    async with house_at(tmp_path, receiver.host) as house:
        await house.tell_bo_at(receiver.at("/told"))
        table = (await house.sit_down()).id
        await house.until_turn_of(1)
    assert not receiver.heard
    async with house_at(tmp_path, receiver.host) as house:
        await house.room.find(table)
        assert len(house.notices.tasks) == 1
        monkeypatch.setattr(webhooks, "GRACE", 0.0)
    async with house_at(tmp_path, receiver.host) as house:
        await house.room.find(table)
        assert not house.notices.tasks


async def test_redirects_are_not_followed(house, receiver, caplog):
    await house.tell_bo_at(receiver.at("/elsewhere"))
    await house.sit_down()
    await house.bos_turn()
    assert [path for path, _, _ in receiver.heard] == ["/elsewhere"]
    assert "answered 302" in caplog.text
    assert "/elsewhere" not in "".join(record.message for record in caplog.records if "webhooks" in record.name)


async def test_the_table_goes_on_while_a_receiver_hangs(house, receiver, monkeypatch, caplog):
    monkeypatch.setattr(webhooks, "LONGEST_STEP", 2.0)
    await house.tell_bo_at(receiver.at("/hang"))
    await house.sit_down()
    begun = time.monotonic()
    await house.until_turn_of(1)
    while not receiver.heard:
        await asyncio.sleep(0.01)
    await house.until_turn_of(0)
    assert time.monotonic() - begun < 1.5
    assert house.notices.tasks
    await house.sent()
    assert "was not sent: ReadTimeout" in caplog.text


async def test_a_receiver_that_is_not_there_is_logged(house, receiver, caplog):
    await house.sit_down()
    receiver.close()
    await house.bos_turn()
    assert "was not sent" in caplog.text


async def test_a_guest_gets_a_limited_number_of_messages_a_minute(house, receiver, monkeypatch):
    monkeypatch.setattr(webhooks, "MOST_A_MINUTE", 2)
    await house.sit_down()
    for _ in range(4):
        await house.bos_turn()
    assert len(receiver.heard) == 2


async def test_an_address_that_was_allowed_once_is_not_asked_any_more(tmp_path, receiver, caplog):
    async with house_at(tmp_path, receiver.host) as house:
        await house.tell_bo_at(receiver.at("/told"))
        cookie = house.bo.cookie
    async with house_at(tmp_path, "hooks.example.org") as house:
        house.bo.cookie = cookie
        await house.sit_down()
        await house.bos_turn()
    assert receiver.heard == []
    assert "sends notifications only to hooks.example.org" in caplog.text


OTHERS = [
    ("http://127.0.0.1:1/told", "sends notifications only to hooks.example.org, not to 127.0.0.1:1"),
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
        assert await house.of_bo() == {"address": "", "hosts": ["hooks.example.org"]}


async def test_without_hosts_nothing_is_taken(tmp_path):
    async with house_at(tmp_path) as house:
        assert "--webhooks" in (await house.tell_bo_at("https://hooks.example.org/", 400))["reason"]
        assert await house.of_bo() == {"address": "", "hosts": []}


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
