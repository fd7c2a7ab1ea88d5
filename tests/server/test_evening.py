"""Evenings: rounds of a game for many players, with those who come late, leave, or do not come."""

import asyncio
import csv
import random
import time
from itertools import combinations
from pathlib import Path
from time import sleep

import pytest
from caissify_pairings.engines.round_robin import berger_round
from playwright.sync_api import expect

from fairdeal.cli.serve import located
from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import bodies as b
from fairdeal.server.api import evening as e
from fairdeal.server.api.clearing import clear, forget
from fairdeal.server.api.merging import merge
from fairdeal.server.api.opening import rematch
from fairdeal.server.extras.pairings import Entrant, balanced, standings, swiss, totals
from fairdeal.server.limits import TooMany
from fairdeal.server.room import NoTable
from fairdeal.server.storage.own_data import data_of
from fairdeal.server.storage.store import Store
from fairdeal.server.tables import seating
from fairdeal.server.tables.dealing import go_on
from fairdeal.server.tables.guests import rename
from fairdeal.table.clocks import GRACE
from fairdeal.table.verification import verify
from fairdeal.terminal.online import evening as terminal
from fairdeal.terminal.online import keeper, remote_table
from tests.server.in_process import BOTH_DATABASES, InsideRoom, Ticker, Viewer, call_first, rest, until
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
    found = [" ".join(f"{one}-{other}" for one, other in berger_round(size, n)) for n in range(1, size)]
    assert "|".join(found) == BERGER[size]


def played(*rounds):
    """Return games from lines such as `1-4 2=5 3+6`: a loss, a draw, and a win of the first player."""
    games = []
    for number, line in enumerate(rounds, 1):
        for word in line.split():
            sign = next(one for one in "+-=" if one in word)
            players = tuple(map(int, word.split(sign)))
            places = {"+": (1, 2), "-": (2, 1), "=": (1, 1)}[sign]
            games.append(b.EveningGame("", number, players, places))
    return games


@pytest.mark.quick
@pytest.mark.parametrize(
    ("players", "games", "rounds", "pairs"),
    [
        # tests/dutch_2025_C5 and dutch_2025_C9 of bbpPairings, which FIDE has endorsed
        ((1, 2, 3, 5, 6), played("1+4 2-5 3+6".replace("2-5", "5-2"), "2-1 4-3 6-5"), 3, [(1, 5), (3, 2), (6, None)]),
        ((1, 2, 3, 4, 5), played("1+3 4-2"), 3, [(2, 1), (3, 5), (4, None)]),
        # FIDE Handbook, C.04.3, 1.8: the upper half of the first round meets the lower one
        (tuple(range(1, 9)), [], 3, [(1, 5), (6, 2), (3, 7), (8, 4)]),
    ],
)
def test_swiss_rounds_are_those_that_are_published(players, games, rounds, pairs):
    assert swiss(players, games, rounds) == pairs


@pytest.mark.quick
def test_who_has_not_played_prefers_no_colour():
    """Players 5 and 6 come to the third round. By FIDE's rules, 2 and 3, who are due black, get it from them."""
    assert swiss((1, 2, 3, 4, 5, 6), played("1=3 4+2", "3=4 2-1"), 5) == [(1, 4), (5, 3), (6, 2)]


@pytest.mark.quick
def test_nobody_sits_out_twice_at_once_when_all_have_met():
    games = played("1+2 3+4", "1+3 2+4", "1+4 2+3")
    assert sorted(map(len, swiss((1, 2, 3, 4), games, 5))) == [2, 2]


def repeats_of(games):
    met = [frozenset(pair) for game in games for pair in combinations(game.players, 2)]
    return len(met) - len(set(met))


@pytest.mark.quick
@pytest.mark.parametrize(("count", "size", "rounds"), [(9, 3, 4), (12, 3, 5), (16, 4, 5), (20, 4, 5), (36, 6, 3)])
def test_fewer_meet_twice_and_seats_are_more_even_than_by_chance(count, size, rounds):
    """Two numbers are compared with those of twenty random seatings: of pairs that have met before, and of games of a
    player at the same seat as before."""
    players, chance = range(1, count + 1), random.Random(7)

    def shuffled(*_):
        order = chance.sample(players, count)
        return [tuple(order[first : first + size]) for first in range(0, count, size)]

    def seating(seat):
        games = []
        for number in range(1, rounds + 1):
            tables = seat(players, size, games, chance)
            assert sorted(one for table in tables for one in table) == [*players]
            games += [b.EveningGame("", number, table, ()) for table in tables]
        seats = [(one, seat) for game in games for seat, one in enumerate(game.players)]
        return repeats_of(games), len(seats) - len(set(seats))

    found, random_ones = seating(balanced), [seating(shuffled) for _ in range(20)]
    for own, others in zip(found, zip(*random_ones, strict=True), strict=True):
        assert own < min(others)


@pytest.mark.quick
def test_standings_count_opponents_and_those_who_are_behind():
    games = played("1+4 2+3", "1=2 3+4", "1+3")
    found = standings([Entrant("", one, None, "", "person") for one in range(1, 5)], games)
    assert [(one.number, one.place, one.points, one.opponents, one.beaten) for one in found] == [
        (1, 1, 2.5, 2.5, 1.75),
        (2, 2, 1.5, 3.5, 2.25),
        (3, 3, 1.0, 4.0, 0.0),
        (4, 4, 0.0, 3.5, 0.0),
    ]
    assert totals([b.EveningGame("", 1, (1, 2, 3, 4), (1, 2, 2, 4))]) == {1: 3, 2: 1.5, 3: 1.5, 4: 0}


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


async def do(room, number, evening, what):
    await e.do(room, guest(number), evening, b.EveningAct(do=what))


async def view(room, evening, number=1):
    return await e.view(room, guest(number), evening)


async def play_all(room, evening, absent=()):
    """Play all tables of the current round, as far as their players are there, until their results are stored."""
    found = await view(room, evening)
    for table in [game.table for game in found.games if game.round == found.round]:
        live = await room.find(table)
        here = [Viewer(room, live, place.guest) for place in live.seats if place.guest and place.guest not in absent]
        for place in live.seats:
            if place.is_unbound and place.guest not in absent:
                place.hash = ""
        async with live.lock:
            await go_on(live)
        async with asyncio.timeout(60):  # bots think for as long as the machine needs
            while not live.is_over:
                async with live.lock:
                    await move_one(live, absent)
                await asyncio.sleep(0.001)
            async with live.lock:  # until the end is stored
                pass
        for viewer in here:
            viewer.go()


async def move_one(live, absent):
    """Let the first of the people who are to act make a move."""
    sitting = live.running
    for seat in sitting.state.to_act if sitting else ():
        place = live.seats[seat]
        if place.guest and not place.stand_in and place.guest not in absent:
            await live.enter(seat, sitting.hint(seat).actions)
            return


async def test_one_person_can_try_an_evening_against_the_room(inside, wall):
    await named(inside, 1)
    evening = await opened(inside, rounds=2)
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
        (FOURS | {"rounds": 0}, "a round robin two"),
        ({"game": "chimax-jackpot", "options": {}}, "needs two or more"),
        ({"clock": -1}, "a clock must be"),
        ({"game": "war-xtreme", "options": {}, "clock": 86_400}, "cannot have a clock in days"),
    ):
        with pytest.raises(FairdealError, match=words):
            await opened(inside, **facts)
    with pytest.raises(NoTable):
        await view(inside, "nowhere")
    evening = await opened(inside)
    await do(inside, 2, evening, "enter")
    for number, what, words in (
        (2, "start", "only the host"),
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
    """Guests 14 to 16 come late, 3 leaves, 5 does not come to the third round, and 7 deletes everything."""
    room = await restart()
    await named(room, 16)
    evening = await opened(room, rounds=4)
    for number in range(1, 14):
        await do(room, number, evening, "enter")
    await do(room, 1, evening, "start")
    first = await view(room, evening)
    assert [game.players for game in first.games] == [(n, n + 7) if n % 2 else (n + 7, n) for n in range(1, 8)]

    for number in (14, 15):  # one takes over the place of the opponent who filled up, the other a new one
        await do(room, number, evening, "enter")
    assert [one.number for one in (await view(room, evening)).players if one.plays == "person"] == [*range(1, 16)]
    assert not (await view(room, evening, 14)).table  # where the opponent plays on
    await play_all(room, evening)
    wall.seconds += e.BREAK
    second = await view(room, evening)
    assert (second.round, len(second.players)) == (2, 16)

    playing = (await view(room, evening)).table
    assert playing
    room = await restart()  # nothing is in memory only
    await do(room, 16, evening, "enter")
    assert (await view(room, evening)).table == playing
    left = await room.find((await view(room, evening, 3)).table)
    await do(room, 3, evening, "leave")  # before the deal
    wall.seconds += e.NO_SHOW
    for _ in range(2):
        await view(room, evening)
    assert next(place for place in left.seats if place.guest == guest(3)).stand_in
    await play_all(room, evening)

    wall.seconds += e.BREAK
    await do(room, 1, evening, "pause")
    wall.seconds += 3600
    assert (await view(room, evening)).round == 2
    await do(room, 1, evening, "resume")
    third = await view(room, evening)
    assert third.round == 3
    assert [len(game.players) for game in third.games if game.round == 3] == [2] * 8
    assert not (await view(room, evening, 3)).table  # an opponent plays on

    table = await room.find((await view(room, evening, 5)).table)
    wall.seconds += e.NO_SHOW
    for _ in range(2):
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
    for game in last.games:
        assert game.places or 7 in game.players  # a table at which nobody else was is deleted
    assert sum(one.points for one in last.players) == sum(bool(game.places) for game in last.games)
    assert verify((await room.find(table.id)).written.text())
    assert log == (await room.find(table.id)).written.text()


@BOTH_DATABASES
async def test_two_workers_open_the_tables_of_a_round_once(database, store, wall, monkeypatch):
    """Both begin the second round at the same time, over connections of their own if the database is for several."""
    other = store if isinstance(database, Path) else Store(located(database))
    rooms = [InsideRoom(store), InsideRoom(other)]
    await named(rooms[0], 2)
    evening = await opened(rooms[0], rounds=2)
    for number in (1, 2):
        await do(rooms[0], number, evening, "enter")
    await do(rooms[0], 1, evening, "start")
    await play_all(rooms[0], evening)
    wall.seconds += e.BREAK
    call_first(e, "open_table", lambda *_: sleep(0.2), monkeypatch.setattr)
    before = [await one.store.read(lambda c: e.stored(c, evening)) for one in rooms]
    begun = [e.begin_round(room, found) for room, found in zip(rooms, before, strict=True)]
    refused = [one for one in await asyncio.gather(*begun, return_exceptions=True) if one]
    assert [str(one) for one in refused] == ["the evening has just changed; look again"]
    found = await store.read(lambda c: e.stored(c, evening))
    assert [game.round for game in found.seen.games] == [1, 1, 2, 2]
    assert len({game.table for game in found.seen.games}) == 4
    for room in rooms:
        await rest(room)
    if other is not store:
        other.close()


async def test_who_deletes_everything_before_the_deal_leaves_the_seat_to_an_opponent(inside, wall):
    await named(inside, 4)
    evening = await opened(inside, rounds=1)
    for number in range(1, 5):
        await do(inside, number, evening, "enter")
    await do(inside, 1, evening, "start")
    first = (await view(inside, evening)).games[0]
    live = await inside.find(first.table)
    gone, stays = first.players
    await forget(inside, guest(gone))
    wall.seconds += e.NO_SHOW
    await view(inside, evening, stays)
    assert [place.guest for place in live.seats] == [None, guest(stays)]
    assert live.status == "running"
    await play_all(inside, evening)
    assert (await view(inside, evening, stays)).games[0].places


async def test_a_round_robin_goes_on_when_players_leave_and_come(inside, wall):
    """Player 2 leaves, and an opponent plays on. Player 4 comes late, for the opponent that has filled up."""
    await named(inside, 5)
    evening = await opened(inside, rounds=0)
    for number in range(1, 4):
        await do(inside, number, evening, "enter")
    await do(inside, 1, evening, "start")
    assert (await view(inside, evening)).rounds == 3
    await do(inside, 4, evening, "enter")
    with pytest.raises(FairdealError, match="all places of this round robin are taken"):
        await do(inside, 5, evening, "enter")
    await play_all(inside, evening)
    await do(inside, 2, evening, "leave")
    for _ in range(2):
        await do(inside, 1, evening, "start")
        assert not (await view(inside, evening, 2)).table
        await play_all(inside, evening)
    with pytest.raises(FairdealError, match="last round"):
        await do(inside, 1, evening, "start")
    assert [game.players for game in (await view(inside, evening)).games] == [
        (1, 4), (2, 3), (4, 3), (1, 2), (2, 4), (3, 1)
    ]  # fmt: skip
    await do(inside, 1, evening, "end")
    assert (await view(inside, evening)).state == "over"


async def test_opponents_of_all_who_have_left_have_names_of_their_own(inside, wall):
    await named(inside, 4)
    evening = await opened(inside, rounds=2, options={"players": 4, "rounds": 1})
    for number in range(1, 5):
        await do(inside, number, evening, "enter")
    for number in (2, 3, 4):
        await do(inside, number, evening, "leave")
    await do(inside, 1, evening, "start")
    found = await view(inside, evening)
    names = [[place.name for place in (await inside.find(game.table)).seats] for game in found.games]
    assert all(len({*there}) == 4 for there in names)
    assert not {"Guest B", "Guest C", "Guest D"} & {name for there in names for name in there}


async def test_tables_of_four_are_filled_and_the_books_points_count(inside, wall):
    """A tournament of CHIP IT has the points of its rulebook, other games one point for each player behind."""
    await named(inside, 2)
    evening = await opened(inside, **FOURS, rounds=2)
    await do(inside, 1, evening, "enter")
    await do(inside, 1, evening, "start")
    found = await view(inside, evening)
    assert (found.form, len(found.players), [len(game.players) for game in found.games]) == ("mixed tables", 8, [4, 4])
    await play_all(inside, evening)
    assert sum(one.points for one in (await view(inside, evening)).players) == 12
    chips = await opened(inside, game="chip-it", options={"players": 3, "placement": True})
    assert (await view(inside, chips)).scale == (4, 2, 1)


async def test_games_of_an_evening_are_played_unaided_by_those_who_were_drawn(restart, wall, ticker):
    inside = await restart(ticker=ticker)
    await named(inside, 3)
    evening = await opened(inside, rounds=1)
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


async def test_every_player_runs_an_evening_whose_host_has_gone(inside, wall):
    await named(inside, 2)
    evening = await opened(inside)
    await do(inside, 2, evening, "enter")
    await forget(inside, guest(1))
    found = await view(inside, evening, 2)
    assert (found.name, found.host) == ("An evening", True)
    assert [*(await inside.store.read(lambda c: e.in_short(c, guest(2)))).values()] == [f"An evening: {found.title}"]
    await do(inside, 2, evening, "start")
    assert len((await view(inside, evening)).games) == 2


async def test_an_evening_is_exported_and_goes_to_the_guest_who_one_becomes(inside):
    await named(inside, 4)
    both, other = await opened(inside), await opened(inside, host=2)
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
        made = (await ada.post("/api/evenings", **CUT, rounds=1)).json()
        path = f"/api/evenings/{made['id']}"
        await ada.post(path, do="enter")
        found = (await ada.post(path, do="start")).json()
        assert (found["round"], found["you"], found["host"]) == (1, 1, True)
        rows = [*csv.DictReader((await ada.get(f"{path}/results.csv")).body.decode().splitlines())]
        assert {row["name"] for row in rows} > {"'=1+1"}
        page = (await ada.get(f"{path}/page.html")).body.decode()
        assert "To your table" in page
        assert "<summary>End the evening</summary>" in page


# --- the page, and the terminal -----------------------------------------------------------------------------------


def test_the_page_takes_a_player_to_the_table_and_the_screen_shows_the_round(guests, visit):
    page = visit("/", **STILL)
    host = guests("Ada")
    made = host.post("/api/evenings", **CUT | {"rounds": 2})
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


def test_a_host_opens_an_evening_from_the_sheet_and_is_asked_before_it_ends(room, visit):
    page = visit("/", **STILL)
    page.goto("/?game=chimax-cut")
    opens = page.get_by_role("button", name="Open the evening")

    def choose():
        page.get_by_role("radio", name="2", exact=True).check(force=True)
        page.get_by_label("How many games").select_option("An evening where everybody meets everybody")
        expect(opens).to_be_visible()

    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
    choose()
    page.get_by_role("radio", name="3", exact=True).check(force=True)  # which has no such evening
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
    choose()
    opens.click()
    page.wait_for_url("**/evening/*")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Round 1 of 3")).to_be_visible()
    ends = page.get_by_role("button", name="End it now")
    expect(ends).to_be_hidden()
    page.get_by_text("End the evening").click()
    look_at(page)
    ends.click()
    expect(page.get_by_text("Over", exact=True)).to_be_visible()


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
    made = host.post("/api/evenings", **CUT | {"rounds": 1})
    path, said, tables = f"/api/evenings/{made['id']}", [], []

    def say(line):
        said.append(line)
        if line.endswith("open."):
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
    assert {"  1. Ada: 0 points, opponents 0, beaten 0", "  1. Ben: 0 points, opponents 0, beaten 0"} < {*said[-4:]}
    terminal.run(link, None, False, "", said.append)
    assert said[-5:] == said[-10:-5]
