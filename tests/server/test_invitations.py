"""Codes that are said aloud to invite friends to a table."""

import re

import pytest
from playwright.sync_api import expect

from fairdeal.server.api.opening import open_table
from fairdeal.server.extras import invitations
from fairdeal.server.extras.invitations import LASTS, LENGTH, LETTERS, Invitations
from fairdeal.server.limits import DEFAULT_LIMITS
from tests.server.in_process import rows
from tests.server.visiting import BOTH_SIZES, STILL, open_with, press

FOR_BOTH = {"players": 2}


@pytest.fixture
def clock(monkeypatch):
    """The time of the codes, which tests set."""
    now = [1000.0]
    monkeypatch.setattr(invitations.time, "time", lambda: now[0])
    return now


@pytest.fixture
async def tables(inside):
    return [(await open_table(inside, "ada", game="chi", chairs=("you", "person"))).id for _ in range(3)]


async def test_a_code_has_letters_that_are_not_taken_for_others_and_is_found_however_it_is_typed(clock, store, tables):
    known = Invitations(store)
    code, seconds = await known.code_of(tables[0])
    assert re.fullmatch(f"[{LETTERS}]{{{LENGTH}}}", code)
    assert not {*LETTERS} & {*"01258BIOSZ"}
    assert seconds == LASTS
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]}\n", f"{code[:3]}-{code[3:]}"):
        assert await known.table_of(typed) == tables[0]
    for typed in ("", code[:5], f"{code}A", "A" * LENGTH, "A\0"):
        assert await known.table_of(typed) is None


async def test_a_code_is_valid_for_a_quarter_of_an_hour_and_replaced_before(clock, store, tables):
    known = Invitations(store)
    first, _ = await known.code_of(tables[0])
    clock[0] += LASTS / 2
    assert await known.code_of(tables[0]) == (first, LASTS / 2)
    clock[0] += 1
    second, seconds = await known.code_of(tables[0])
    assert second != first
    assert seconds == LASTS
    assert [await known.table_of(code) for code in (first, second)] == tables[:1] * 2
    clock[0] += LASTS / 2 - 1
    assert await known.table_of(first) is None
    assert await known.table_of(second) == tables[0]
    third, _ = await known.code_of(tables[1])
    assert rows(store, "select code from invitations order by until") == [(second,), (third,)]


async def test_the_oldest_codes_are_dropped(clock, monkeypatch, store, tables):
    monkeypatch.setattr(invitations, "MOST", 2)
    known, codes = Invitations(store), []
    for table in tables:
        codes.append((await known.code_of(table))[0])
        clock[0] += 1
    assert [await known.table_of(code) for code in codes] == [None, *tables[1:]]


async def test_only_players_of_a_table_that_waits_get_a_code_and_it_ends_with_the_waiting(guest):
    live = await guest.open("chi", "you", "person", options=FOR_BOTH)
    ben = await guest.newcomer("Ben")
    assert (await ben.post(f"/api/tables/{live.id}/code")).status == 409
    made = (await guest.post(f"/api/tables/{live.id}/code")).json()
    assert made["seconds"] == LASTS - 1 or made["seconds"] == LASTS
    found = await ben.post("/api/codes", code=made["code"].lower())
    assert found.json()["id"] == live.id
    assert (await ben.post(f"/api/tables/{live.id}/join")).status == 200
    assert live.status == "running"
    late = await ben.post("/api/codes", code=made["code"])
    assert late.status == 404
    assert "no table waits for guests with this code" in late.json()["reason"]
    assert (await guest.post(f"/api/tables/{live.id}/code")).status == 409


async def test_codes_cannot_be_tried_out(guest):
    tries = int(DEFAULT_LIMITS.code.guest.at_once)
    found = [(await guest.post("/api/codes", code="AAAAAA")).status for _ in range(tries + 1)]
    assert found == [404] * tries + [429]


@BOTH_SIZES
def test_a_friend_types_the_code_that_was_said(size, visit):
    ada, ben = visit(size=size, **STILL), visit("/", size=size, may_log="status of 404", **STILL)
    table = open_with(ada, "chi", ["you", "person"], options=FOR_BOTH)
    ada.goto(f"/t/{table}")
    press(ada, "Code to say aloud")
    said = ada.locator(".spoken")
    expect(said).to_contain_text(re.compile(r"Type it in the lobby within 1[45] minutes"))
    assert ada.evaluate("document.documentElement.scrollWidth <= innerWidth")
    field = ben.get_by_role("textbox", name="Join with a code or link")
    field.fill("AAA AAA")
    field.press("Enter")
    expect(ben.get_by_role("alert")).to_contain_text("no table waits for guests with this code")
    field.fill(said.locator("b").inner_text().lower())
    field.press("Enter")
    ben.wait_for_url(f"**/t/{table}")
