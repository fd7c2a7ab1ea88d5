"""Evenings: rounds of a game for many players, with those who come late, leave, or do not come."""

import asyncio
import csv
import random
import time
from itertools import combinations

import pytest
from playwright.sync_api import expect

from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import bodies as b
from fairdeal.server.api import evening as e
from fairdeal.server.api.clearing import clear, forget
from fairdeal.server.api.merging import merge
from fairdeal.server.api.opening import rematch
from fairdeal.server.api.own_data import data_of
from fairdeal.server.extras.pairings import Game, balanced, points_of, robin, standings, swiss
from fairdeal.server.limits import TooMany
from fairdeal.server.room import NoTable
from fairdeal.server.tables import seating
from fairdeal.server.tables.guests import rename
from fairdeal.table.clocks import GRACE
from fairdeal.table.verification import verify
from fairdeal.terminal.online import evening as terminal
from fairdeal.terminal.online import keeper, remote_table
from tests.server.in_process import BOTH_DATABASES, Ticker, Viewer, until
from tests.server.inside import opened as opened_inside
from tests.server.test_browser import violations
from tests.server.visiting import DESK, PHONE, STILL

CUT = {"game": "chimax-cut", "options": {"players": 2, "rounds": 1}}
FOURS = {"game": "chimax-cut", "options": {"players": 4, "rounds": 1}}


# --- pairings -----------------------------------------------------------------------------------------------------

BERGER = {
    4: "1-4 2-3|4-3 1-2|2-4 3-1",
    6: "1-6 2-5 3-4|6-4 5-3 1-2|2-6 3-1 4-5|6-5 1-4 2-3|3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5|8-5 6-4 7-3 1-2|2-8 3-1 4-7 5-6|8-6 7-5 1-4 2-3|3-8 4-2 5-1 6-7|8-7 1-6 2-5 3-4"
    "|4-8 5-3 6-2 7-1",
}
"""FIDE Handbook, C.05, Annex 1: Berger tables."""


@pytest.mark.quick
@pytest.mark.parametrize("size", BERGER)
def test_round_robins_follow_the_published_berger_tables(size):
    slots = {slot: slot for slot in range(1, size + 1)}
    found = [" ".join(f"{one}-{other}" for one, other in robin(slots, size, n)) for n in range(1, size)]
    assert "|".join(found) == BERGER[size]


def played(*rounds):
    """Return games from lines such as `1-4 2=5 3+6 7`: a loss, a draw, a win of the first player, and a bye."""
    games = []
    for number, line in enumerate(rounds, 1):
        for word in line.split():
            sign = next((one for one in "+-=" if one in word), "")
            players = tuple(map(int, word.split(sign))) if sign else (int(word),)
            places = {"": (1,), "+": (1, 2), "-": (2, 1), "=": (1, 1)}[sign]
            games.append(Game(number, players, places))
    return games


@pytest.mark.quick
@pytest.mark.parametrize(
    ("players", "games", "rounds", "pairs"),
    [
        # tests/dutch_2025_C5 and dutch_2025_C9 of bbpPairings, which FIDE has endorsed
        ((1, 2, 3, 5, 6), played("1+4 2-5 3+6".replace("2-5", "5-2"), "2-1 4-3 6-5"), 3, [(1, 5), (3, 2), (6,)]),
        ((1, 2, 3, 4, 5), played("1+3 4-2"), 3, [(2, 1), (3, 5), (4,)]),
        # FIDE Handbook, C.04.3, 1.8: the upper half of the first round meets the lower one
        (tuple(range(1, 9)), [], 3, [(1, 5), (6, 2), (3, 7), (8, 4)]),
    ],
)
def test_swiss_rounds_are_those_that_are_published(players, games, rounds, pairs):
    assert swiss(players, games, rounds) == pairs


@pytest.mark.quick
def test_nobody_sits_out_twice_at_once_when_all_have_met():
    games = played("1+2 3+4", "1+3 2+4", "1+4 2+3")
    assert sorted(map(len, swiss((1, 2, 3, 4), games, 5))) == [2, 2]


def repeats_of(games):
    met = [frozenset(pair) for game in games for pair in combinations(game.players, 2)]
    return len(met) - len(set(met))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("count", "size", "rounds", "most"), [(9, 3, 4, 0), (12, 3, 5, 4), (16, 4, 5, 8), (20, 4, 5, 4), (36, 6, 3, 0)]
)
def test_few_meet_twice_and_seats_are_even(count, size, rounds, most):
    games, players, chance = [], range(1, count + 1), random.Random(7)
    for number in range(1, rounds + 1):
        tables = balanced(players, size, games, chance)
        assert sorted(one for table in tables for one in table) == [*players]
        games += [Game(number, table, tuple(range(1, size + 1))) for table in tables]
    assert repeats_of(games) <= most
    for one in players:
        at = [game.players.index(one) for game in games if one in game.players]
        counts = [at.count(seat) for seat in range(size)]
        assert max(counts) - min(counts) <= 2


@pytest.mark.quick
def test_standings_count_opponents_and_those_who_are_behind():
    games = played("1+4 2+3", "1=2 3+4", "5 1+3")
    found = standings(range(1, 6), games)
    assert [(one.player, one.place, one.points, one.opponents, one.beaten) for one in found] == [
        (1, 1, 2.5, 2.5, 1.75),
        (2, 2, 1.5, 3.5, 2.25),
        (3, 3, 1.0, 4.0, 0.0),
        (5, 4, 1.0, 0.0, 0.0),
        (4, 5, 0.0, 3.5, 0.0),
    ]
    assert points_of(Game(1, (1, 2, 3, 4), (1, 2, 2, 4))) == {1: 3, 2: 1.5, 3: 1.5, 4: 0}


# --- evenings in a room -------------------------------------------------------------------------------------------


@pytest.fixture
def wall(monkeypatch):
    made = Ticker()
    monkeypatch.setattr(time, "time", made)
    return made


def guest(number):
    return f"{number:032x}"


async def named(room, count):
    for number in range(1, count + 1):
        await rename(room.store, guest(number), f"Guest {chr(64 + number)}", 100)


async def opened(room, host=1, **facts):
    return await e.open_evening(room, guest(host), b.NewEvening(**CUT | facts))


async def do(room, number, evening, what, player=0):
    await e.do(room, guest(number), evening, b.EveningAct(do=what, player=player))


async def view(room, evening, number=1):
    return await e.view(room, guest(number), evening)


async def play_all(room, evening, absent=(), most=4000):
    """Play all tables of the current round, as far as their players are there, until they are over."""
    found = await view(room, evening)
    tables = [game.table for game in found.games if game.round == found.round and game.table]
    for table in tables:
        live = await room.find(table)
        here = [Viewer(room, live, place.guest) for place in live.seats if place.guest and place.guest not in absent]
        for place in live.seats:
            if place.is_unbound and place.guest not in absent:
                place.hash = ""
        async with live.lock:
            await e.go_on(live)
        left = most
        while not live.is_over and left:
            async with live.lock:
                sitting = live.running
                for seat in sitting.state.to_act if sitting else ():
                    place = live.seats[seat]
                    if place.guest and not place.stand_in and place.guest not in absent:
                        await live.enter(seat, sitting.hint(seat).actions)
                        break
            left -= 1
            await asyncio.sleep(0)
        for viewer in here:
            viewer.go()
    return tables


async def test_one_person_can_try_an_evening_against_the_room(inside, wall):
    await named(inside, 1)
    evening = await opened(inside, rounds=2, least=4)
    await do(inside, 1, evening, "enter")
    await do(inside, 1, evening, "start")
    for number in (1, 2):
        found = await view(inside, evening)
        assert (found.round, found.state, len(found.players)) == (number, "running", 4)
        assert found.table
        await play_all(inside, evening)
        wall.seconds += e.BREAK
    found = await view(inside, evening)
    assert (found.state, found.table, sum(one.points for one in found.players)) == ("over", "", 4)
    for game in found.games:
        assert verify((await inside.find(game.table)).written.text())


async def test_errors_name_what_is_wrong(inside):
    await named(inside, 2)
    for facts, words in (
        ({"form": "tables"}, "not a form for 2 players"),
        (FOURS | {"form": "robin"}, "not a form for 4 players"),
        ({"game": "chimax-jackpot", "options": {}}, "two or more players"),
        ({"clock": -1}, "a clock must be"),
    ):
        with pytest.raises(FairdealError, match=words):
            await opened(inside, **facts)
    with pytest.raises(NoTable):
        await view(inside, "nowhere")
    evening = await opened(inside, least=0)
    await do(inside, 2, evening, "enter")
    for number, what, words in (
        (2, "start", "only the host"),
        (1, "start", "too few players"),
        (1, "pause", "has not started"),
        (1, "leave", "you have not entered"),
    ):
        with pytest.raises(FairdealError, match=words):
            await do(inside, number, evening, what)
    for _ in range(e.MOST_OF_ONE - 1):
        await opened(inside)
    with pytest.raises(TooMany):
        await opened(inside)


@BOTH_DATABASES
async def test_sixteen_play_to_the_end_with_leavers_late_comers_and_a_restart(restart, wall):
    """Guests 15 and 16 come late, 3 leaves, 5 does not come to the third round, and 7 deletes everything."""
    room = await restart()
    await named(room, 16)
    evening = await opened(room, rounds=4, least=1)
    for number in range(1, 15):
        await do(room, number, evening, "enter")
    await do(room, 1, evening, "start")
    first = await view(room, evening)
    assert [game.players for game in first.games] == [(n, n + 7) if n % 2 else (n + 7, n) for n in range(1, 8)]

    await do(room, 15, evening, "enter")
    await play_all(room, evening)
    wall.seconds += e.BREAK
    second = await view(room, evening)
    assert (second.round, len(second.players)) == (2, 16)  # an opponent of the room fills up
    assert [one.plays != "person" for one in sorted(second.players, key=lambda one: one.number)].index(True) == 15

    playing = (await view(room, evening)).table
    room = await restart()  # nothing is in memory only
    await do(room, 16, evening, "enter")
    assert (await view(room, evening)).table == playing
    await do(room, 3, evening, "leave")
    await play_all(room, evening)

    wall.seconds += e.BREAK
    await do(room, 1, evening, "pause")
    wall.seconds += 3600
    assert (await view(room, evening)).round == 2
    await do(room, 1, evening, "resume")
    third = await view(room, evening)
    assert third.round == 3
    of_third = [one for game in third.games if game.round == 3 for one in game.players]
    assert (3 in of_third, 17 in of_third, len(of_third)) == (False, True, 16)

    table = await room.find((await view(room, evening, 5)).table)
    await play_all(room, evening, absent=[guest(5)], most=100)
    if not table.is_over:
        wall.seconds += e.NO_SHOW
        await view(room, evening)
        assert next(place for place in table.seats if place.guest == guest(5)).stand_in
    await play_all(room, evening, absent=[guest(5)])
    log = table.written.text()

    await forget(room, guest(7))
    wall.seconds += e.BREAK
    await view(room, evening)
    await play_all(room, evening)
    wall.seconds += e.BREAK
    last = await view(room, evening)
    assert (last.state, last.round) == ("over", 4)
    names = {one.number: (one.name, one.left) for one in last.players}
    assert names[7] == ("A former guest", True)
    assert names[3][1]
    games = [game for game in last.games if len(game.players) == 2]
    assert all(game.points for game in games)
    deleted = [game.players for game in games if game.status == "cleared"]
    assert all(7 in players for players in deleted)  # nobody else was there
    assert repeats_of(games) == 0
    assert sum(one.points for one in last.players) == len(last.games)
    assert verify((await room.find(table.id)).written.text())
    assert log == (await room.find(table.id)).written.text()


async def test_a_round_robin_goes_on_when_players_leave_and_come(inside, wall):
    """Player 2 leaves, and an opponent takes over all later games; then player 5 takes the place of that opponent."""
    await named(inside, 5)
    evening = await opened(inside, form="robin", rounds=1, least=1)
    for number in range(1, 5):
        await do(inside, number, evening, "enter")
    await do(inside, 1, evening, "start")
    assert (await view(inside, evening)).rounds == 3
    with pytest.raises(FairdealError, match="all places of this round robin are taken"):
        await do(inside, 5, evening, "enter")
    await play_all(inside, evening)
    await do(inside, 2, evening, "leave")
    await do(inside, 1, evening, "start")
    await play_all(inside, evening)
    await do(inside, 5, evening, "enter")
    await do(inside, 1, evening, "start")
    await play_all(inside, evening)
    with pytest.raises(FairdealError, match="last round"):
        await do(inside, 1, evening, "start")
    assert [game.players for game in (await view(inside, evening)).games] == [
        (1, 4), (2, 3), (4, 3), (1, 5), (6, 4), (3, 1)
    ]  # fmt: skip
    await do(inside, 1, evening, "end")
    assert (await view(inside, evening)).state == "over"


async def test_without_opponents_a_player_too_many_has_a_bye(inside, wall):
    await named(inside, 3)
    evening = await opened(inside, rounds=2, least=0)
    for number in range(1, 4):
        await do(inside, number, evening, "enter")
    await do(inside, 1, evening, "start")
    await play_all(inside, evening)
    found = await view(inside, evening)
    assert [(game.players, game.table != "", game.points) for game in found.games[1:]] == [((3,), False, (1.0,))]
    assert len(found.players) == 3


async def test_tables_of_four_are_filled_and_the_books_points_count(inside, wall):
    """A tournament of CHIP IT has the points of its rulebook, other games one point for each player behind."""
    await named(inside, 2)
    evening = await opened(inside, **FOURS, rounds=2, least=5)
    await do(inside, 1, evening, "enter")
    await do(inside, 1, evening, "start")
    found = await view(inside, evening)
    assert (found.form, len(found.players), [len(game.players) for game in found.games]) == ("tables", 8, [4, 4])
    await play_all(inside, evening)
    found = await view(inside, evening)
    assert [sum(game.points) for game in found.games] == [6, 6]
    chips = await opened(inside, game="chip-it", options={"players": 3, "placement": True})
    assert (await view(inside, chips)).scale == (4, 2, 1)


async def test_games_of_an_evening_are_played_unaided_by_those_who_were_drawn(restart, wall, ticker):
    inside = await restart(ticker=ticker)
    await named(inside, 3)
    evening = await opened(inside, rounds=1, least=2)
    await do(inside, 1, evening, "enter")
    await do(inside, 1, evening, "start")
    live = await inside.find((await view(inside, evening)).table)
    assert live.facts(guest(1)).evening == evening
    with pytest.raises(FairdealError, match="rounds of an evening decide"):
        await seating.join(live, guest(3), None, "")
    with pytest.raises(FairdealError, match="cannot be cleared away"):
        await clear(inside, live, guest(1))
    assert "no hints" in live.terms.unaided
    ticker.seconds += GRACE
    wall.seconds += e.NO_SHOW  # nobody has come: an opponent plays, although only one person has a seat
    await view(inside, evening, 3)
    assert live.seats[live.seats.of(guest(1))].stand_in
    await until(lambda: live.is_over)
    assert "no rematch at an evening" in str(await refusal_of_rematch(inside, live))


async def refusal_of_rematch(room, live):
    viewer = Viewer(room, live, guest(1))
    async with live.changing():
        with pytest.raises(FairdealError) as refused:
            await rematch(room, live, viewer.connection, "")
    viewer.go()
    return refused.value


async def test_only_the_host_takes_others_out_and_every_player_runs_an_evening_without_a_host(inside, wall):
    await named(inside, 4)
    evening = await opened(inside, least=0)
    for number in (2, 3, 4):
        await do(inside, number, evening, "enter")
    with pytest.raises(FairdealError, match="only the host can take other players out"):
        await do(inside, 3, evening, "leave", player=1)
    await do(inside, 1, evening, "leave", player=3)
    with pytest.raises(FairdealError, match="there is no player 9"):
        await do(inside, 1, evening, "leave", player=9)
    await forget(inside, guest(1))
    found = await view(inside, evening, 2)
    assert (found.name, found.host) == ("An evening", True)
    await do(inside, 2, evening, "start")
    await do(inside, 3, evening, "enter")
    assert len((await view(inside, evening)).games) == 1


async def test_an_evening_is_exported_and_goes_to_the_guest_who_one_becomes(inside):
    await named(inside, 4)
    both, other = await opened(inside, least=0), await opened(inside, host=2, least=0)
    for number in (1, 2):
        await do(inside, number, both, "enter")
    await do(inside, 2, other, "enter")
    own = await inside.store.read(lambda c: data_of(c, guest(2)).evenings)
    assert [(one.opened, one.number, one.name) for one in own] == [(False, 2, "Guest B"), (True, 1, "Guest B")]
    await merge(inside, guest(2), guest(1))
    found = await view(inside, both)
    assert [(one.number, one.left) for one in found.players] == [(1, False), (2, True)]
    assert (await view(inside, other)).host
    assert not await inside.store.read(lambda c: data_of(c, guest(2)).evenings)


async def test_a_browser_gets_pages_results_and_codes(tmp_path):
    async with opened_inside(tmp_path) as ada:
        await ada.post("/api/me", name="=1+1")
        made = (await ada.post("/api/evenings", **CUT, least=4, rounds=1)).json()
        path = f"/api/evenings/{made['id']}"
        await ada.post(path, do="enter")
        found = (await ada.post(path, do="start")).json()
        assert (found["round"], found["you"], found["host"]) == (1, 1, True)
        rows = [*csv.DictReader((await ada.get(f"{path}/results.csv")).body.decode().splitlines())]
        assert {row["name"] for row in rows} > {"'=1+1"}
        page = (await ada.get(f"{path}/page.html")).body.decode()
        assert "To your table" in page
        assert "You run this evening" not in (await ada.get(f"{path}/page.html?screen=1")).body.decode()


# --- the page, and the terminal -----------------------------------------------------------------------------------


def test_the_page_takes_a_player_to_the_table_and_the_screen_shows_the_round(guests, visit):
    page = visit("/", **STILL)
    host = guests("Ada")
    made = host.post("/api/evenings", **CUT | {"least": 4, "rounds": 2})
    page.goto(f"/evening/{made['id']}")
    page.get_by_label("What shall we call you?").fill("Ben")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("button", name="Leave the evening")).to_be_visible()
    look_at(page)
    host.post(f"/api/evenings/{made['id']}", do="start")
    page.wait_for_url("**/t/*")
    page.goto(f"/evening/{made['id']}?screen=1")
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(5)
    expect(page.get_by_role("button")).to_have_count(0)
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert not violations(page)


def look_at(page):
    for size, scheme in ((DESK, "light"), (PHONE, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_terminal_takes_a_player_from_table_to_table(room, guests, tmp_path, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "guests.json")
    monkeypatch.setattr(terminal, "require_terminal", lambda: None)
    monkeypatch.setattr(terminal, "PAUSE", 0.0)
    host = guests("Ada")
    made = host.post("/api/evenings", **CUT | {"least": 0, "rounds": 1})
    path, said, tables = f"/api/evenings/{made['id']}", [], []

    def say(line):
        said.append(line)
        if line.endswith("says so."):
            host.post(path, do="enter")
            host.post(path, do="start")

    def play(link, *_):
        tables.append(link)
        if len(tables) == 2:
            host.post(path, do="end")

    monkeypatch.setattr(remote_table, "run", play)
    link = f"{room.address}/evening/{made['id']}"
    terminal.run(link, "Ben", False, "", say)
    assert said[-1] == f"Your game goes on. Come back with: fairdeal join {link}"
    terminal.run(link, "Ben", False, "", say)
    assert tables[0].startswith(f"{room.address}/t/")
    assert tables[1:] == tables[:1]
    assert {*said[-2:]} == {f"  1. {name}: 0 points, opponents 0, beaten 0" for name in ("Ada", "Ben")}
    terminal.run(link, None, False, "", said.append)
    assert said[-2:] == said[-5:-3]
