"""An evening with friends: three people on three devices in one Wi-Fi, who read nothing but the page."""

import contextlib
import random
import re

import pytest
from playwright.sync_api import expect

from fairdeal.table.sitting import replay
from fairdeal.table.verification import verify
from tests.server.lossy import Device
from tests.server.test_browser import NOW, choose_by_clicks, play_out, settled
from tests.server.visiting import DESK, INSTANT, PHONE, STILL, press

WIFI = "127.0.0.9"
"""The address of the room's computer in the Wi-Fi."""

PEOPLE = {"Ada": ("127.0.0.1", DESK), "Ben": ("127.0.0.4", PHONE), "Zoe": ("127.0.0.5", PHONE)}
"""The address and the screen of each person's device. Ada sits at the computer of the room."""

GAME = "Chimax Cut"


@pytest.fixture
def devices(visit):
    """The devices, and the pages on them."""
    with contextlib.ExitStack() as opened:
        found = {}
        for name, (address, size) in PEOPLE.items():
            device = opened.enter_context(Device(address))
            proxy = {"server": f"socks5://127.0.0.1:{device.port}"}
            page = visit(size=size, proxy=proxy, may_log="Failed to load resource", **STILL)
            page.add_init_script(INSTANT)
            found[name] = device, page
        yield found


def sit_down(page, link, name):
    page.goto(link)
    page.get_by_label("What shall we call you?").fill(name)
    press(page, "Sit down")
    page.wait_for_selector(".waiting, .prompt")


@pytest.mark.networks(WIFI)
def test_three_friends_open_join_lose_the_line_come_back_finish_and_play_again(room, devices):
    (_, ada), (bens, ben), (_, zoe) = devices.values()
    pages = [ada, ben, zoe]
    ada.goto("/")
    ada.get_by_role("link", name=re.compile(f"^{GAME}")).first.click()
    ada.locator(".at-once").get_by_role("button", name="With friends").click()
    dialog = ada.get_by_role("dialog", name=f"{GAME} with friends")
    dialog.get_by_label("What shall we call you?").fill("Ada")
    press(dialog, "Change")
    expect(dialog.get_by_role("group", name="Players").locator("label")).to_have_text(["2", "3", "4"])
    expect(dialog.get_by_text("Alone", exact=True)).to_have_count(0)  # not among friends
    dialog.locator(".seg label", has_text="3").click()
    press(dialog, "Get the link")
    expect(ada.get_by_text("For people in your Wi-Fi.")).to_be_visible()
    link = re.sub(r"\s", "", ada.locator(".linktext").inner_text())
    assert link.startswith(f"http://{WIFI}:"), link
    sit_down(ben, link, "Ben")
    sit_down(zoe, link, "Zoe")
    for page in pages:
        page.wait_for_selector(".prompt")

    bens.hush()
    ben.evaluate("dispatchEvent(new Event('offline'))")
    expect(ben.locator(".sill")).to_contain_text("Connection lost")
    bens.speak()
    expect(ben.locator(".sill")).not_to_contain_text("Connection lost")

    first, chance = ada.url.rpartition("/")[2], random.Random(5)
    expect(ada.locator(".wins")).to_have_count(0)
    play_out(pages, chance, choose_by_clicks)
    text = ada.request.get(f"/api/tables/{first}/log").text()
    log, _ = verify(text)
    assert all(name in text for name in PEOPLE)
    facts = ada.request.get(f"/api/tables/{first}").json()
    won = [(facts["chairs"][seat]["name"], wins) for seat, wins in facts["score"]]
    assert sorted(name for name, _ in won) == sorted(PEOPLE)
    assert sum(wins for _, wins in won) == ([*replay(log, log.seed).state.ranks].count(1) == 1), (
        "a shared one is nobody's"
    )
    score = ", ".join(f"{name} {wins}" for name, wins in sorted(won, key=lambda one: -one[1]))
    for page in pages:
        expect(page.locator(".verdict .wins")).to_have_text(f"Games won: {score}")

    for page in pages:
        press(page, "Rematch")
    for page in pages:
        page.wait_for_function("(first) => !location.pathname.endsWith(first)", arg=first)
        page.wait_for_selector(".prompt")
    expect(ada.locator(".side .wins")).to_have_text(f"Games won: {score}")
    ready = next(page for page in pages if page.locator(".prompt[data-yours]").count())
    now = ready.evaluate(NOW)
    while now["yours"]:
        choose_by_clicks(ready, now, chance)
        now = settled(ready, now)
    seated = room.rows("select guest from seats where guest != ''")
    assert len({guest for (guest,) in seated}) == len(PEOPLE), "each device is the same guest in both games"
