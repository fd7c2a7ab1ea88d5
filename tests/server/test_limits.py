"""What the room refuses: noise, floods, other sites' pages, and names that are not what they seem."""

import json
import random
import sqlite3

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.test_play import seat_two

MALFORMED = 10_000


def noise(chance, table_seq):
    """One message that is not a proper request, or is one of nonsense."""
    kinds = ["pick", "play", "draft", "why", "hint", "undo", "say", "stand_in", "rematch", "nothing", 7, None]
    values = [
        0,
        -1,
        2**70,
        "x" * chance.randrange(80),
        None,
        [],
        {},
        [[]],
        True,
        1.5,
        "\u202e",
        [2**40],
        ["a"],
        [-5, 3],
    ]
    fields = ["seq", "choice", "draft", "move", "card", "text", "seat", "on", "hash", "id", "extra"]
    body = {"type": chance.choice(kinds)} | {
        field: chance.choice(values) for field in chance.sample(fields, chance.randrange(6))
    }
    text = json.dumps(body)
    form = chance.randrange(6)
    if form == 0:
        return text[: chance.randrange(len(text))]
    if form == 1:
        return "[" * 2000
    if form == 2:
        return "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(40))
    if form == 3:
        return bytes(chance.randrange(256) for _ in range(30))
    return text


def test_ten_thousand_malformed_messages_change_nothing(room, guests):
    ada, ben, table = seat_two(guests, "chi", options={"first_player": 1})
    chance = random.Random(4)
    sent = 0
    address = f"{room.address.replace('http', 'ws')}/api/tables/{table}/play"
    cookie = "; ".join(f"{name}={value}" for name, value in ada.http.cookies.items())
    while sent < MALFORMED:
        with connect(address, additional_headers={"Cookie": cookie}, max_size=2**22) as socket:
            try:
                for _ in range(200):
                    socket.send(noise(chance, 0))
                    sent += 1
                socket.send(json.dumps({"type": "ping", "id": "end"}))
                while json.loads(socket.recv(timeout=20)).get("id") != "end":
                    pass
            except ConnectionClosed:
                pass
    facts = ben.get(f"/api/tables/{table}")
    assert (facts["seq"], facts["status"]) == (0, "running")
    ben.connect(table)
    assert ben.ask("play", seq=0, move="draw 0")["type"] == "done"


def test_a_message_that_is_too_long_is_refused(room, guests):
    ada, _, table = seat_two(guests, "chi")
    ada.connect(table)
    ada.socket.send(json.dumps({"type": "say", "id": "long", "text": "x" * 5000}))
    assert "at most" in ada.until("refused")["reason"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"game": 7}', b'{"game": "chi", "more": 1}', b"\xff\xfe", b"[" * 9000]
)
def test_a_body_that_is_not_right_is_refused_with_a_reason(room, guests, content):
    answer = guests().http.post("/api/tables", content=content)
    assert answer.status_code == 400
    assert answer.json()["reason"]


def test_a_body_that_is_too_long_is_refused(room, guests):
    assert guests().http.post("/api/me", content=b" " * 20_000).status_code == 400


def test_another_sites_page_may_not_ask(room, guests):
    ada, _, table = seat_two(guests, "chi")
    assert ada.http.post("/api/me", json={"name": "X"}, headers={"Origin": "https://evil.example"}).status_code == 403
    cookie = "; ".join(f"{name}={value}" for name, value in ada.http.cookies.items())
    address = f"{room.address.replace('http', 'ws')}/api/tables/{table}/play"
    with (
        pytest.raises(Exception, match="403"),
        connect(address, additional_headers={"Cookie": cookie}, origin="https://evil.example"),
    ):
        pass


def test_pages_come_with_a_strict_policy_and_the_token_is_out_of_reach(room, guests):
    ada = guests()
    for path in ("/", "/t/anything", "/api/games", "/web/main.js"):
        headers = ada.http.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    import httpx2

    given = httpx2.get(f"{room.address}/").headers["set-cookie"]
    assert "HttpOnly" in given
    assert "SameSite=lax" in given


@pytest.mark.parametrize(
    "path", ["/web/../app.py", "/web/%2e%2e/app.py", "/games/chi/../rules.py", "/games/chi/game.py"]
)
def test_only_what_is_meant_to_be_read_is_given_out(room, guests, path):
    assert guests().http.get(path).status_code == 404


def test_names_and_chat_are_shown_as_they_are_and_hide_nothing(room, guests):
    ada, ben, table = seat_two(guests, "chi")
    name = ada.post("/api/me", name="<b>\u202eada\u200b\x00</b>" + "x" * 10_000)["name"]
    assert len(name) <= 24
    assert not set(name) & set("\u202e\u200b\x00")
    assert ada.post("/api/me", name="\u200b\u202e ")["name"] == "Guest"
    ada.connect(table)
    ben.connect(table)
    ada.ask("say", text="<script>alert(1)</script>\u202e" + "y" * 3000)
    said = ben.until("chat")["said"]["text"]
    assert said.startswith("<script>")
    assert len(said) <= 300
    assert "\u202e" not in said


def test_talk_has_a_limit(room, guests):
    ada, _, table = seat_two(guests, "chi")
    ada.connect(table)
    answers = [ada.ask("say", text=f"line {number}")["type"] for number in range(12)]
    assert answers.count("refused") >= 4
    assert answers[0] == "done"


def test_a_guest_has_only_so_many_tables(room, guests):
    ada = guests()
    for _ in range(20):
        ada.post("/api/tables", game="chi")
    assert "tables" in ada.post("/api/tables", status=429, game="chi")["reason"]


def test_a_number_needs_a_promise_and_a_promise_is_used_once(room, guests):
    ada = guests()
    assert "commitment" in ada.post("/api/tables", status=400, game="chi", hash=ada.bind())["reason"]
    fair = ada.fair_start()
    facts = ada.post("/api/tables", game="chi", **fair)
    assert facts["deal"]["commitment"] == ada.promise["promise"]
    assert "commitment" in ada.post("/api/tables", status=400, game="chi", **fair)["reason"]


def test_nothing_says_the_seed_before_the_end(room, guests):
    ada, ben, table = seat_two(guests, "chi")
    ada.connect(table)
    ada.ask("say", text="hello")
    ada.ask("hint")
    with sqlite3.connect(room.database) as database:
        (seed,) = database.execute("SELECT seed FROM tables WHERE id = ?", (table,)).fetchone()
    database.close()
    told = json.dumps(ada.heard) + json.dumps(ben.get("/api/lobby")) + json.dumps(ben.get(f"/api/tables/{table}"))
    assert seed.hex() not in told
