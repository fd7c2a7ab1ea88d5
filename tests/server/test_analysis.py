"""The analysis of a finished game: made once for whoever may see its log, one game at a time, and looked through by
keys on a desk and a phone."""

import asyncio
import re
import time

import msgspec
import pytest
from playwright.sync_api import expect

from fairdeal.engine.errors import FairdealError
from fairdeal.protocol.bodies import AnalysisTold, KnownAnalysis
from fairdeal.server.api import http
from fairdeal.server.api.clearing import clear
from fairdeal.server.extras import analyses
from fairdeal.server.extras.analyses import Analyses, Making, Unanalysed
from fairdeal.server.limits import TooFast
from fairdeal.server.long_work import Client
from fairdeal.table.advice import Option
from fairdeal.table.analysis import VERSION, Analysis, Decision, Share, Step, points
from fairdeal.table.analysis.view import AnalysisView, decision_view, view_of
from fairdeal.table.log import read_log
from tests.conftest import SHORT
from tests.server.conftest import ForkedRoom
from tests.server.in_process import rows, until
from tests.server.measuring import DRAWN_ANEW
from tests.server.test_browser import violations
from tests.server.visiting import DESK, PHONE, STILL, keep, open_with
from tests.table.sittings import finished

ADA = Client("ada", "ada")
FEW = 2
"""Games that every move is played out in here."""


def analysis_of(played, **facts):
    """Return an analysis of a game that the maker could have made."""
    count = len(played.players)
    chances = tuple((0.5,) * count for _ in range(len(played.moves) + 1))
    shares = tuple(Share(seat, 0.5, 0.0, 0.0, 0.0, 0.5) for seat in range(count))
    known = {"chain": played.chain(), "rules": played.rules_version}
    return Analysis(
        played.game, tuple(player.name for player in played.players), FEW, chances, (), (), shares, (), **known | facts
    )


def told_so_far(move, moves, **found):
    return {"move": move, "moves": moves, "analysis": None, "begun": None, "decisions": []} | found


class Maker:
    """Stands for the program that looks at games: says how far it is and what it has found, and waits until it may end.
    `steps` are taken at once."""

    def __init__(self, monkeypatch):
        self.begun, self.most_at_once, self.now = [], 0, 0
        self.may_end, self.fails, self.steps = asyncio.Event(), False, [Step(3, 10)]
        monkeypatch.setattr(analyses, "looked_at", self.look)

    async def look(self, text, making):
        self.begun.append(text)
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        for step in self.steps:
            making.take(step)
        try:
            await self.may_end.wait()
        finally:
            self.now -= 1
        if self.fails:
            raise Unanalysed("it has failed")
        return msgspec.json.encode(analysis_of(read_log(text)))


async def played_by_bots(guest, game="chi", **options):
    """Let bots play a game to its end, and return the address of its analysis."""
    return f"/api/tables/{(await guest.played_by_bots(game, **options)).id}/analysis"


async def once_made(guest, address):
    """The analysis, asked for until it is there, and what was told of it on the way; nothing is told twice."""
    told, known = [], 0
    for _ in range(2400):
        answer = await guest.get(f"{address}?decisions={known}")
        assert answer.status == 200, answer.body
        found = msgspec.convert(answer.json(), AnalysisTold)
        if found.analysis:
            return answer.json()["analysis"], told
        told.append(found)
        known += len(found.decisions)
        await asyncio.sleep(0.05)
    raise AssertionError(f"no analysis at {address} after two minutes")


async def test_an_analysis_is_made_once_for_all_who_ask_and_kept(guest, monkeypatch, tmp_path):
    maker = Maker(monkeypatch)
    address = await played_by_bots(guest)
    assert (await guest.get(address)).json() == told_so_far(0, 0)
    await until(lambda: maker.begun)
    other = guest.another()
    for one in (guest, other):
        assert (await one.get(address)).json() == told_so_far(3, 10)
    maker.may_end.set()
    made, _ = await once_made(other, address)
    log = (await guest.get(address.replace("analysis", "log"))).body.decode()
    assert maker.begun == [log]
    again = Analyses(guest.room.store)
    table = address.split("/")[3]
    kept = await again.of(table, guest.room.live[table].written, ADA, pytest.fail, KnownAnalysis())
    assert kept.analysis == msgspec.convert(made, AnalysisView)
    assert len(maker.begun) == 1


async def test_the_facts_say_whether_a_game_has_a_winner_as_its_result_does(guest):
    """Also where a tie-breaker decides, such as the hands in CHAOS NINJAS."""
    live, met = await guest.open("chaos-ninjas", "you", "greedy", options={"players": 2}), set()
    for seed in range(30):
        live.sitting = finished("chaos-ninjas", bots=("random",), seed=str(seed), players=2, turn_limit=50)
        assert live.has_winner == (not live.sitting.scene(0).result.is_level), seed
        met.add((live.has_winner, len(live.sitting.state.leaders) < 2))
    assert {(True, True), (True, False)} <= met


async def test_what_an_older_version_made_is_made_again(guest, monkeypatch):
    maker = Maker(monkeypatch)
    maker.may_end.set()
    address = await played_by_bots(guest)
    await once_made(guest, address)
    table = address.split("/")[3]
    played = guest.room.live[table].written
    for stale in (analysis_of(played, version=VERSION - 1), analysis_of(played, chain="other"), {"other": "shape"}):
        content = msgspec.json.encode(stale)
        await guest.room.store.write(lambda c, content=content: analyses.keep_analysis(c, table, content))
        before = len(maker.begun)
        made, _ = await once_made(guest, address)
        assert (made["version"], made["chain"], len(maker.begun)) == (VERSION, played.chain(), before + 1)
    assert len(rows(guest.room.store, "SELECT * FROM analyses")) == 1


async def test_one_game_is_looked_at_at_a_time_and_another_guest_waits_for_one_game_only(guest, monkeypatch):
    maker = Maker(monkeypatch)
    mine = [await played_by_bots(guest) for _ in range(3)]
    other = guest.another()
    theirs = await played_by_bots(other)
    for address in mine:
        await guest.get(address)
    await other.get(theirs)
    await until(lambda: maker.begun)
    maker.may_end.set()
    for address in (*mine, theirs):
        await once_made(other, address)
    logs = [(await guest.get(address.replace("analysis", "log"))).body.decode() for address in (mine[0], theirs)]
    assert maker.begun[:2] == logs, "who asked for one game waits behind all of another guest's"
    assert (len(maker.begun), maker.most_at_once) == (4, 1)


async def test_a_guest_who_asks_for_too_many_games_has_to_wait(guest, monkeypatch):
    Maker(monkeypatch)
    table = (await played_by_bots(guest)).split("/")[3]
    played, made = guest.room.live[table].written, guest.room.analyses
    spent = []
    for number in range(9):
        await made.of(f"table {number}", played, ADA, lambda: spent.append(1), KnownAnalysis())
        await asyncio.sleep(0)
    await until(lambda: made.making["table 8"].task.done())
    with pytest.raises(TooFast):
        await made.of("table 8", played, ADA, lambda: spent.append(1), KnownAnalysis())
    assert len(spent) == 9

    def refuse():
        raise TooFast(7)

    with pytest.raises(TooFast):
        await made.of("table 10", played, ADA, refuse, KnownAnalysis())
    assert "table 10" not in made.making


async def test_a_failure_is_reported_once_and_a_new_request_begins_anew(guest, monkeypatch):
    maker = Maker(monkeypatch)
    maker.fails = True
    maker.may_end.set()
    address = await played_by_bots(guest)
    await guest.get(address)
    await until(lambda: all(making.task.done() for making in guest.room.analyses.making.values()))
    failed = await guest.get(address)
    assert (failed.status, failed.json()["reason"]) == (503, "it has failed")
    maker.fails = False
    await once_made(guest, address)
    assert len(maker.begun) == 2


async def test_findings_are_sent_before_the_end_and_each_decision_once(guest, monkeypatch):
    maker = Maker(monkeypatch)
    address = await played_by_bots(guest)
    begun = analysis_of(guest.room.live[address.split("/")[3]].written)
    first, second = (Decision(move, 0, (Option("pass", "pass", 0.5, 0.1),), 0, 0.0, 0.0, "best") for move in (2, 4))
    maker.steps = [Step(10, 10), Step(0, 10, begun), Step(1, 10), Step(3, 10, decision=first)]
    await guest.get(address)
    await until(lambda: maker.begun)
    (making,) = guest.room.analyses.making.values()
    shown = view_of(begun), [decision_view(begun, one) for one in (first, second)]
    course, decisions = (msgspec.json.decode(msgspec.json.encode(found)) for found in shown)
    assert (await guest.get(address)).json() == told_so_far(3, 10, begun=course, decisions=decisions[:1])
    assert (await guest.get(f"{address}?decisions=1")).json() == told_so_far(3, 10)
    making.take(Step(5, 10, decision=second))
    assert (await guest.get(f"{address}?decisions=1")).json() == told_so_far(5, 10, decisions=decisions[1:])
    assert (await guest.another().get(address)).json() == told_so_far(5, 10, begun=course, decisions=decisions)
    for known in ("-1", "x"):
        assert (await guest.get(f"{address}?decisions={known}")).status == 400, known
    assert rows(guest.room.store, "SELECT * FROM analyses") == [], "what is kept is one piece"


async def test_nothing_is_said_of_a_game_that_runs(guest, monkeypatch):
    maker = Maker(monkeypatch)
    running = (await guest.post("/api/tables", game="chi", chairs=["you", "greedy"])).json()["id"]
    assert (await guest.get(f"/api/tables/{running}")).json()["deal"]["seed"] == ""
    moments = ("moments/0", "moments/0?hands=1", "moments/0/card?hands=1&card=x")
    for part in ("log", "analysis", "analysis/held?move=0", *moments):
        answer = await guest.get(f"/api/tables/{running}/{part}")
        assert answer.status == 409, part
        assert "is over" in answer.json()["reason"]
    assert (await guest.get("/api/tables/nowhere/analysis")).status == 404
    old = await played_by_bots(guest)
    guest.room.live[old.split("/")[3]].unreadable = "these are other rules"
    answer = await guest.get(old)
    assert (answer.status, answer.json()["reason"]) == (400, "these are other rules")
    assert not maker.begun


async def test_possible_hands_are_shown_for_any_move_and_for_nothing_else(guest):
    address = await played_by_bots(guest)
    moves = guest.room.live[address.split("/")[3]].sitting.moves_made
    answer = await guest.get(f"{address}/held?move={moves // 2}")
    assert answer.status == 200
    (rival,) = answer.json()
    mover = guest.room.live[address.split("/")[3]].written.moves[moves // 2].seat
    assert rival["seat"] == 1 - mover
    assert rival["faces"]
    assert rival["true"]
    for move in ("", "-1", moves, "x"):
        assert (await guest.get(f"{address}/held?move={move}")).status == 400, move


async def test_all_hands_are_shown_to_who_may_see_the_log(guest, monkeypatch):
    address = (await played_by_bots(guest)).replace("analysis", "moments/9")
    shown, opened = [(await guest.get(f"{address}?seat=0{hands}")).json()["scene"] for hands in ("", "&hands=1")]
    backs, hand = (next(z["cards"] for z in scene["zones"] if z["id"] == "hand1") for scene in (shown, opened))
    assert [card["id"] for card in backs] == [card["id"] for card in hand]
    assert not any(card.get("face") for card in backs)
    own = (await guest.get(f"{address}?seat=1")).json()["scene"]
    held = next(zone["cards"] for zone in own["zones"] if zone["id"] == "hand1")
    assert [card["face"] for card in hand] == [card["face"] for card in held] != []
    query = f"seat=0&card={hand[0]['id']}"
    told = [(await guest.get(f"{address}/card?{query}{hands}")).json() for hands in ("", "&hands=1")]
    assert [one.get("face") for one in told] == [None, hand[0]["face"]]

    def refuse(live):
        raise FairdealError("there is no log for you")

    monkeypatch.setattr(http, "log_of", refuse)
    assert (await guest.get(f"{address}?seat=0")).status == 200
    for path in (f"{address}?seat=0&hands=1", f"{address}/card?{query}&hands=1"):
        assert (await guest.get(path)).json()["reason"] == "there is no log for you"


async def test_a_cleared_table_leaves_no_analysis(guest):
    table = (await guest.post("/api/tables", game="chi", chairs=["you", "greedy"])).json()["id"]
    await guest.room.store.write(lambda c: analyses.keep_analysis(c, table, b"{}"))
    await clear(guest.room, guest.room.live[table], guest.guest)
    assert rows(guest.room.store, "SELECT * FROM analyses") == []


# --- the program ------------------------------------------------------------------------------------------------


async def test_the_program_says_how_far_it_is_and_what_it_found_and_a_killed_room_begins_anew(guest, monkeypatch):
    monkeypatch.setattr(analyses, "PLAYOUTS", FEW)
    monkeypatch.setattr(analyses, "NICENESS", 0)
    address = await played_by_bots(guest)
    table = address.split("/")[3]
    played, room = guest.room.live[table].written, guest.room
    started, start = [], asyncio.create_subprocess_exec

    async def starting(*command, **how):
        started.append(await start(*command, **how))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", starting)
    await guest.get(address)
    await until(lambda: started)
    assert started[0].returncode is None
    await room.analyses.close()
    assert started[0].returncode < 0, "the program was killed"
    assert rows(room.store, "SELECT * FROM analyses") == [], "it has ended before the program was stopped"
    room.analyses = Analyses(room.store)
    made, told = await once_made(guest, address)
    found = msgspec.convert(made, Analysis)
    assert found.fits(played.chain(), FEW)
    assert found.decisions
    assert len(found.chances) == len(played.moves) + 1
    steps = [(bool(one.decisions or one.begun), one.move) for one in told]
    assert any(0 < one.move <= one.moves == len(played.moves) for one in told), steps
    begun = [one.begun for one in told if one.begun]
    assert begun[:1] == [view_of(msgspec.structs.replace(found, decisions=(), shares=()))]
    decisions = [decision for one in told for decision in one.decisions]
    assert decisions == list(view_of(found).decisions)[: len(decisions)]


async def test_a_program_that_ends_badly_is_reported_in_words(monkeypatch):
    with pytest.raises(Unanalysed):
        await analyses.looked_at("no log", Making())


# --- the page ---------------------------------------------------------------------------------------------------


def few_playouts():
    """Look at games shortly, and as soon as anything else on the machine."""
    analyses.PLAYOUTS, analyses.NICENESS = FEW, 0


@pytest.fixture
def room(tmp_path, deal):
    process = ForkedRoom(tmp_path / "room.db", chance=deal, change=few_playouts)
    yield process
    process.stop()


def sit_through(guest, game="chi", chairs=("you", "greedy"), **options):
    """A game in which a bot plays for the guest to the end."""
    table = guest.open(game, chairs=list(chairs), options=SHORT.get(game, {}) | options)["id"]
    guest.connect(table)
    assert guest.ask("stand_in", seat=0, on=True)["type"] == "done"
    while guest.scene.get("mode") != "over":
        guest.hear()
    return table


def told_whole(guest, table):
    """The analysis of a table, when it is made."""
    for _ in range(2400):
        found = guest.get(f"/api/tables/{table}/analysis")["analysis"]
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"no analysis of table {table} after two minutes")


READ = """() => ({
    move: document.querySelector('.walk').getAttribute('aria-valuetext'),
    tag: document.querySelector('.closely .tag').textContent,
    chosen: document.querySelector('.decisions [aria-current]')?.textContent ?? '',
    ways: document.querySelectorAll('.closely .ways li').length,
    mine: document.querySelectorAll('.closely .ways [data-mine]').length,
    held: document.querySelectorAll('.closely .held-cards .card').length,
    could: document.querySelectorAll('.closely .could .card').length,
    open: document.querySelector('.closely').checkVisibility(),
    wide: document.documentElement.scrollWidth <= innerWidth,
    path: document.querySelector('.closely a').getAttribute('href'),
})"""

LETTERS = """() => {
    const small = [], texts = document.createTreeWalker(document.querySelector('.analysis'), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement;
        if (!node.data.trim() || !holder.checkVisibility() || holder.closest('.card, .sr')) continue;
        if (parseFloat(getComputedStyle(holder).fontSize) < 11) small.push(node.data);
    }
    return small;
}"""


def guest_on(page, guest):
    """This page is the guest's."""
    cookies = [{"name": name, "value": value, "url": guest.room.address} for name, value in guest.http.cookies.items()]
    page.context.add_cookies(cookies)


def test_a_finished_game_is_looked_through_by_keys_on_a_desk_and_a_phone(visit, guests, tmp_path):
    ada = guests()
    table = sit_through(ada)
    page = visit(size=DESK, **STILL)
    guest_on(page, ada)
    page.goto(f"/t/{table}")
    made = told_whole(ada, table)
    answers = {"now": told_so_far(0, 9)}
    page.route("**/analysis?decisions=*", lambda route: route.fulfill(json=answers["now"]))
    page.get_by_role("button", name="Analysis").click()
    page.wait_for_selector(".progress")
    answers["now"] = told_so_far(0, 9, begun=made | {"decisions": [], "shares": []})
    page.wait_for_selector(".plot")
    assert page.locator(".decisions li, .luck").count() == 0
    answers["now"] = told_so_far(1, 9, decisions=[one for one in made["decisions"] if one["seat"] == 0][:1])
    page.wait_for_selector(".decisions li")
    assert "Analysing move 1 of 9" in page.locator(".looking").inner_text()
    assert page.evaluate(READ)["move"].startswith("The deal")
    answers["now"] = told_so_far(9, 9) | {"analysis": made}
    page.wait_for_selector(".luck")
    assert page.locator(".luck > .small").inner_text() == made["shares"][0]["sentence"]
    assert page.locator(".plot svg").get_attribute("aria-label") == made["courses"][0]
    assert page.locator(".result p").inner_text() == made["ahead"][0]
    assert page.locator(".looking").count() == 0
    labels = [decision["label"] for decision in made["decisions"] if decision["seat"] == 0]
    plural = {"slip": "slips", "blunder": "blunders"}
    counted = [(labels.count(word), word) for word in ("best", "fine", "slip", "blunder") if word in labels]
    said = " · ".join(f"{number} {word if number == 1 else plural.get(word, word)}" for number, word in counted)
    assert page.locator(".decisions > .quiet").inner_text() == said
    page.unroute("**/analysis?decisions=*")
    page.wait_for_selector(".closely .could .card")
    page.wait_for_selector(".closely .held-cards .card")
    own = [decision for decision in made["decisions"] if decision["seat"] == 0]
    dearest = max(own, key=lambda decision: decision["cost"])
    first = page.evaluate(READ)
    assert first["tag"].startswith(f"Move {dearest['move'] + 1} · your")
    assert str(dearest["move"] + 1) in first["chosen"]
    assert (first["ways"], first["mine"]) == (len(dearest["options"]), 1)
    assert first["held"] > 0
    assert first["path"] == f"/t/{table}?move={dearest['move']}"
    assert first["open"]
    seat = made["chances"][dearest["move"] + 1][0]
    assert f"You\u00a0{points(seat)}\u00a0%" in first["move"]

    page.keyboard.press("h")
    expect(page.locator(".all-hands h3")).to_have_text(["You held", "Bo held"])
    assert page.locator(".all-hands .card").count() > 0
    assert page.evaluate(READ)["could"] == 0
    keep(page, "analysis-1280-hands", tmp_path, whole=True)
    page.get_by_role("button", name="All hands").click()
    page.wait_for_selector(".closely .could .card")

    page.keyboard.press("ArrowRight")
    page.wait_for_function("(was) => document.querySelector('.closely .tag').textContent !== was", arg=first["tag"])
    assert page.evaluate(READ)["move"].startswith(f"Move {dearest['move'] + 2} of ")
    page.locator(".walk").focus()
    page.keyboard.press("Home")
    assert page.evaluate(READ)["move"].startswith("The deal")
    assert page.evaluate("location.hash") == "#0"
    page.locator(".numbers summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".numbers tbody tr")).to_have_count(len(made["chances"]))
    page.get_by_label("Decisions of").select_option("1")
    assert page.locator("#decisions").inner_text().lower() == "bo’s decisions"
    page.locator(".decisions li button").first.focus()
    page.keyboard.press("Enter")
    assert "Bo’s decision" in page.evaluate(READ)["tag"]
    assert page.evaluate(LETTERS) == []
    assert violations(page) == []
    keep(page, "analysis-1280", tmp_path, whole=True)

    page.goto(f"/t/{table}?move={len(made['chances']) // 2}")
    page.wait_for_selector(".scrub")
    expect(page).to_have_title("Replay of Chi · fairdeal")
    page.wait_for_selector(".rivals .card:not([data-back])")
    page.keyboard.press("h")
    page.wait_for_selector(".rivals .card:not([data-back])", state="detached")
    page.keyboard.press("h")
    page.wait_for_selector(".rivals .card:not([data-back])")
    assert violations(page) == []
    keep(page, "replay-1280-hands", tmp_path)

    page.set_viewport_size(PHONE)
    page.locator(".rivals").get_by_role("button", name=re.compile("^Bo ")).click()
    page.wait_for_selector(".popover .card:not([data-back])")
    page.goto(f"/g/{table}/analysis")
    page.wait_for_selector(".plot")
    assert not page.evaluate(READ)["open"]
    keep(page, "analysis-390", tmp_path, whole=True)
    page.locator(".decisions li button").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".closely[data-open] .held-cards")
    page.wait_for_selector(".closely:focus")
    assert violations(page) == []
    keep(page, "analysis-390-decision", tmp_path)
    page.keyboard.press("Escape")
    assert not page.evaluate(READ)["open"]
    page.wait_for_selector(".decisions li button:focus")  # where it came from
    for wide in (320, 768, 1920):
        page.set_viewport_size({"width": wide, "height": 800})
        page.evaluate(DRAWN_ANEW)
        assert page.evaluate(READ)["wide"], wide
        assert page.evaluate(LETTERS) == [], wide


def test_no_analysis_is_offered_for_a_game_that_nobody_has_won(visit, room):
    page = visit(**STILL)
    table = open_with(page, "war-xtreme", ["you", "greedy"], options={"players": 2, "ask_extreme": True})
    page.goto(f"/t/{table}")
    page.get_by_role("button", name=re.compile("^No")).click()
    page.wait_for_selector(".verdict .acts")
    expect(page.locator(".verdict").get_by_role("button", name="Replay")).to_have_count(1)
    expect(page.get_by_text("Analysis")).to_have_count(0)
    page.goto(f"/t/{table}?move=0")
    page.wait_for_selector(".scrub")
    expect(page.get_by_text("Analysis")).to_have_count(0)
