"""The log of a room, which names no guest."""

import contextlib
import json
import logging
import re
import socket
from importlib.metadata import version

import msgspec
import pytest
from typer.testing import CliRunner
from uvicorn.protocols.utils import ClientDisconnected
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from fairdeal.cli import app
from fairdeal.server import logs
from fairdeal.server.api import http, websocket
from fairdeal.server.storage.store import Store
from fairdeal.server.tables.audience import Audience
from tests.server.conftest import PORT, ForkedRoom, Guest
from tests.server.inside import opened
from tests.server.test_network import wait_until

CHAT = "the weather in Bergen"
NAMES = ("Ottoline", "Bartholomew")


def tell_chat():
    """A mistake: the room logs what is said."""
    say = Audience.say

    def told(self, said):
        logging.getLogger("fairdeal.server.tables").warning("%s says %s", said.name, said.text)
        say(self, said)

    Audience.say = told


def tell_cookies():
    """A mistake: the room logs a row with a guest."""
    append = Store.append

    async def told(self, of=None, **entry):
        logging.getLogger("fairdeal.server.storage").info("an entry", extra={"client": entry["client"]})
        await append(self, of, **entry)

    Store.append = told


def logged(tmp_path, deal, change=None, **wishes):
    """Play a game with chat in a room, and have some requests refused. Return the log between the lines about the start
    and the stop of the room, and what it must not contain."""
    room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=deal, change=change, **wishes)
    ada, ben = (Guest(room, name) for name in NAMES)
    try:
        table = ada.open("chi", chairs=["you", "person"], options={"stacks_to_end": 4}, numbers=True)["id"]
        ben.join(table)
        for guest in (ada, ben):
            guest.show(table)
            guest.connect(table)
        assert ada.ask("say", text=CHAT)["type"] == "done"
        mover = next(guest for guest in (ada, ben) if guest.scene and guest.scene.get("choices"))
        assert mover.ask("play", move=mover.ask("hint")["move"], seq=mover.scene["seq"])["type"] == "done"
        for guest in (ada, ben):
            guest.stack.close()
        ben.post(f"/api/tables/{table}/leave")
        ada.finish(table)
        for headers in {"origin": "https://evil.example"}, {"host": "a b"}:
            assert ada.http.post("/api/me", json={"name": NAMES[0]}, headers=headers).status_code in (400, 403)
        ada.http.get(f"/t/{table}?move=1")
        cookies = [value for guest in (ada, ben) for value in guest.http.cookies.values()]
        secrets = [table, CHAT, *NAMES, *cookies, *(cookie.rpartition(".")[0] for cookie in cookies)]
    finally:
        for guest in (ada, ben):
            guest.close()
        room.stop()
    first, *lines, last = (line for line in room.errors.read_text().splitlines(True) if not line.startswith("Stop "))
    assert ("the room is open" in first, "the room has closed" in last) == (True, True)
    return "".join(lines), secrets


def found(log, secrets):
    return [secret for secret in secrets if secret in log]


@pytest.mark.parametrize("kind", ["text", "json"])
def test_a_game_leaves_no_names_texts_cookies_links_or_addresses_in_the_log(kind, tmp_path, deal):
    log, secrets = logged(tmp_path, deal, log=kind)
    assert found(log, [*secrets, "127.0.0.1"]) == []
    assert log.count("a request was refused") == 2
    if kind == "json":
        for line in log.splitlines():
            assert [*json.loads(line)] == ["time", "level", "logger", "message", "fields"]


@pytest.mark.parametrize("mistake", [tell_chat, tell_cookies])
def test_a_room_that_logs_what_it_must_not_is_found_out(mistake, tmp_path, deal):
    log, secrets = logged(tmp_path, deal, mistake, log="json")
    assert found(log, secrets)


def test_addresses_are_logged_if_wished_for(tmp_path, deal):
    log, _ = logged(tmp_path, deal, log="json", log_addresses=True)
    refused = [json.loads(line)["fields"] for line in log.splitlines() if "refused" in line]
    assert refused == [{"status": 403, "address": "127.0.0.1"}, {"status": 400, "address": "127.0.0.1"}]


def test_clients_cannot_fill_the_log(room, guests):
    ada = guests()
    table = ada.open("chi")["id"]
    address = f"127.0.0.1:{room.port}"
    for sent in (
        b"\x16\x03 what\r\n\r\n",
        b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", room.port)) as line:
            line.sendall(sent)
            assert line.recv(1000).startswith(b"HTTP/1.1 ")
    for path, origin in (("nothing", None), (f"tables/{table}/play", "https://evil.example")):
        with pytest.raises(InvalidStatus, match=r"HTTP 40[34]"):
            connect(f"ws://{address}/api/{path}", origin=origin)
    with connect(f"ws://{address}/api/tables/{table}/play") as line:
        line.send(b"\xff", text=True)
        with pytest.raises(ConnectionClosed, match="1007"):
            list(line)
    for _ in range(100):
        assert ada.http.post("/api/me", json={"name": "x"}, headers={"origin": "https://evil.example"}).is_client_error
    room.end()
    first, begin, *lines, end = room.errors.read_text().splitlines()
    assert first == "Stop with Ctrl+C. All tables are saved."
    assert ("the room is open" in begin, "the room has closed" in end) == (True, True)
    assert {line.partition("fairdeal.server.app: ")[2] for line in lines} == {"a request was refused status=403"}
    assert 60 <= len(lines) < 80


@pytest.mark.parametrize("kind", ["text", "json"])
def test_opening_and_closing_are_logged_with_version_address_and_database(kind, tmp_path):
    room = ForkedRoom(tmp_path / "room.db", log=kind)
    own = room.address
    room.stop()
    facts = {"version": version("fairdeal"), "url": own, "database": str(tmp_path / "room.db")}
    *_, begin, end = room.errors.read_text().splitlines()
    if kind == "json":
        assert [(one["message"], one["fields"]) for one in map(json.loads, (begin, end))] == [
            ("the room is open", facts),
            ("the room has closed", {}),
        ]
    else:
        said = " ".join(f"{name}={value}" for name, value in facts.items())
        assert begin.endswith(f"Z INFO fairdeal.server.serving: the room is open {said}")
        assert end.endswith("Z INFO fairdeal.server.serving: the room has closed")


def test_the_log_counts_banned_guests_and_does_not_name_them(room, guests):
    ada = guests("Ottoline")
    guest = ada.http.cookies["fairdeal_guest"].rpartition(".")[0]
    for words, said in (("", "banned=1 readmitted=0"), ("--lift", "banned=0 readmitted=1")):
        done = CliRunner().invoke(app, ["room", "ban", *words.split(), guest, "--database", str(room.database)])
        assert done.exit_code == 0, done.output
        wait_until(lambda said=said: f"the keeper has banned or readmitted guests {said}\n" in room.errors.read_text())
    assert found(room.errors.read_text(), ["Ottoline", guest]) == []


def break_lobby_and_tables():
    """A mistake: the room cannot list its tables, and cannot be connected to."""

    def fail(*_):
        raise RuntimeError("out of cards")

    http.listing = websocket.attend = fail


@pytest.mark.parametrize("kind", ["text", "json"])
def test_an_unexpected_error_is_answered_with_the_id_that_the_log_gives_its_request(kind, tmp_path):
    room = ForkedRoom(tmp_path / "room.db", change=break_lobby_and_tables, log=kind)
    with contextlib.closing(Guest(room)) as ada:
        answer = ada.http.get("/api/lobby")
        with pytest.raises(InvalidStatus) as caught:
            ada.connect("none")
        assert (answer.status_code, caught.value.response.status_code) == (500, 500)
        told = [answer.text, caught.value.response.body.decode()]
        assert answer.headers["content-security-policy"]
        assert ada.get("/api/me") == {"name": "Ada"}
    room.end()
    log, field = room.errors.read_text(), {"text": "a request failed request={}\n", "json": '{{"request":"{}"}}'}[kind]
    for body in told:
        sentence, number = json.loads(body)["reason"].rsplit(" ", 1)
        assert sentence == "the room made a mistake; its keeper finds it in the log as request"
        assert re.fullmatch("[0-9a-f]{8}", number)
        assert log.count(field.format(number)) == 1
    assert log.count("RuntimeError: out of cards") == log.count("Traceback") == 2


async def test_a_client_that_is_gone_is_no_error(tmp_path, caplog):
    async def send(message):
        raise ClientDisconnected

    async with opened(tmp_path) as guest:
        table = await guest.open()
        with pytest.raises(ClientDisconnected):
            await guest.ask("GET", f"/api/tables/{table.id}/play", kind="websocket", send=send)
    assert caplog.text == ""


def record(message, *arguments, **fields):
    return logging.getLogger("some").makeRecord("some", logging.ERROR, "", 1, message, arguments, None, extra=fields)


def test_text_cannot_forge_a_line_or_control_a_terminal():
    told = record("%s is damaged", "a\n2026 \x1b[2J", table="k\u2028")
    assert logs.Lines().format(told).endswith(r"some: a\n2026 \x1b[2J is damaged table=k\u2028")
    lines = logs.JsonLines().format(told)
    assert "\n" not in lines
    assert json.loads(lines)["fields"] == {"table": "k\u2028"}


def test_an_exception_is_one_field_of_a_json_line():
    try:
        raise ValueError("too much")
    except ValueError as problem:
        told = record("it fails")
        told.exc_info = type(problem), problem, problem.__traceback__
    line = logs.JsonLines().format(told)
    assert "\n" not in line
    assert "ValueError: too much" in msgspec.json.decode(line)["exception"]


async def test_an_error_of_a_statement_does_not_show_its_values(store):
    def fail(connection):
        connection.exec_driver_sql("insert into guests values (?, ?, ?, ?)", ("secret", "Ada", 0.0, 0.0))

    with pytest.raises(Exception, match="guests") as caught:
        await store.write(fail)
    assert "secret" not in str(caught.value)
