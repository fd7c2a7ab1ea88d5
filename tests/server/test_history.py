"""The finished games of a guest: what they add up to, which are listed, and the pages that show them."""

import html
import re

import msgspec
import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from fairdeal.cli.serve import located
from fairdeal.protocol.bodies import Away, History, HistoryFor
from fairdeal.server.api.history import FORM, PAGE, history_of
from fairdeal.server.documents.you import you_page
from fairdeal.server.storage.queries import MOST_IN_HISTORY
from fairdeal.server.storage.ratings import rate
from fairdeal.server.storage.store import analyses, entries, put, seats
from fairdeal.server.tables.saving import clear_table, keep_name
from fairdeal.table.analysis import VERSION
from tests.server.in_process import BOTH_DATABASES, apart
from tests.server.test_browser import look_at
from tests.server.test_ratings import ADA, BEN, CID, over, write
from tests.server.visiting import DESK, PHONE, STILL

__all__ = ["write"]

PIP, NOX = "pip:0-100-0", "nox:100-0-4000"
DAY = 86_400.0


def fill(connection, me=ADA, ben=BEN, start=1_790_000_000.0):
    """Store games of several kinds, the last of which are three wins in Chi."""
    games = [
        ([me, ben], [19, 32], "chi", {}),
        ([me, ben], [30, 30], "chi", {}),
        ([ben, me], [12, 20], "chi", {}),
        ([me, PIP], [21, 20], "chi", {"rated": False}),
        ([me, ben], [40, 1], "chi", {}),
        ([me, ben], [400, 1], "chi", {"rated": False, "options": {"stacks_to_end": 9}}),
        ([me, PIP, ben], [1, 2, 0], "chip-it", {}),
        ([PIP, me, "juno:0-40-0"], [0, 0, 0], "chip-it", {"rated": False}),
        ([me], [-4], "chimax-match-2", {"rated": False}),
        ([me], [-9], "chimax-match-2", {"rated": False}),
        ([me, NOX], [0, 1], "chaos-ninjas", {"rated": False}),
    ]
    for number, (people, result, game, values) in enumerate(games):
        over(connection, f"t{number:02}", start + number * DAY / 2, people, result, game, **values)
    for game in ("chi", "chip-it"):
        rate(connection, game)


def read(connection, guest=ADA, **asked):
    return history_of(connection, guest, "Ada", Away(), msgspec.convert(asked, HistoryFor))


@BOTH_DATABASES
def test_games_add_up_by_the_number_of_players_and_the_rules(write):
    write(fill)
    found = write(read)
    assert (found.name, found.games, found.since) == ("Ada", 11, 1_790_000_000.0)
    stands = {one.game: one for one in found.standings}
    chi, chip = stands["chi"], stands["chip-it"]
    assert (chi.games, chi.wins, chi.streak) == (6, {"2": (4, 6)}, 4)
    assert chi.last == ("won", "won", "won", "won", "shared", "lost")
    assert (chi.best, chi.best_of) == (40, 5), "not the 400 points by other rules"
    assert (chip.wins, chip.streak, chip.last) == ({"3": (0, 2)}, 0, ("shared", "lost"))
    assert chip.best is None, "these scores are places"
    assert (chi.strength.games, chip.strength.games) == (4, 1)
    alone = stands["chimax-match-2"]
    assert (alone.best, alone.wins, alone.last, alone.strength) == (-4, {}, (), None)
    assert stands["chaos-ninjas"].best is None


@BOTH_DATABASES
def test_wins_and_scores_are_counted_by_the_number_of_players_and_forgotten_with_their_tables(write):
    def play(connection):
        for number, score in enumerate((30, 20, 10)):
            over(connection, f"t{number}", 1.0 + number, [BEN, ADA], [40 if number == 1 else 1, score], rated=False)
        over(connection, "t3", 4.0, [ADA, BEN, CID], [3, 2, 1], rated=False)
        over(connection, "t4", 5.0, [PIP, PIP, ADA], [3, 2, 1], rated=False)
        over(connection, "branch", 6.0, [ADA, BEN], [90, 1], rated=False, origin={"table": "t0", "move": 1})
        connection.execute(seats.update().where(seats.c.guest == BEN, seats.c.table == "t3").values(successor="Dan"))

    write(play)
    found = write(read)
    (chi,) = found.standings
    assert (found.games, chi.wins, chi.best) == (5, {"2": (2, 3), "3": (1, 2)}, 30)
    met = {one.key: (one.games, one.you, one.they) for one in found.met}
    assert met == {"B": (3, 2, 1), "Dan": (1, 1, 0), "C": (1, 1, 0), "pip": (1, 0, 1)}
    write(lambda c: [clear_table(c, table) for table in ("t0", "t3")])
    found = write(read)
    (chi,) = found.standings
    assert (found.games, chi.wins, chi.best) == (3, {"2": (1, 2), "3": (0, 1)}, None)
    assert {one.key for one in found.met} == {"B", "pip"}


def test_every_result_has_words_and_a_rated_one_the_change(write):
    write(fill)
    found = {one.table: one for one in write(read).played}
    assert [found[f"t{number:02}"].result for number in range(11)] == [
        *("lost 19 to 32", "level 30 to 30", "won 20 to 12", "won 21 to 20", "won 40 to 1", "won 400 to 1"),
        *("2nd of 3", "nobody won", "score −4", "score −9", "lost"),
    ]
    assert [one.table for one in found.values()] == sorted(found, reverse=True)
    changes = [found[f"t{number:02}"].change for number in range(11)]
    assert [change is not None for change in changes] == [True, True, True, False, True, False, True, *[False] * 4]
    assert changes[0] < 0 < changes[2]
    assert [(one.name, one.plays, one.place, one.score) for one in found["t06"].seats] == [
        ("A", "person", 2, 1),
        ("Pip", "pip", 1, 2),
        ("B", "person", 3, 0),
    ]


def test_people_and_opponents_are_listed_with_the_wins_of_both(write):
    write(fill)
    met = {one.key: one for one in write(read).met}
    assert {key: (one.bot, one.games, one.you, one.they) for key, one in met.items()} == {
        "B": (False, 6, 3, 1),
        "pip": (True, 3, 1, 1),
        "juno": (True, 1, 0, 0),
        "nox": (True, 1, 0, 1),
    }
    assert met["pip"].name == "Pip"


@pytest.mark.parametrize(
    ("asked", "tables"),
    [
        ({"game": "chip-it"}, ["t07", "t06"]),
        ({"with": "pip"}, ["t07", "t06", "t03"]),
        ({"with": "B", "game": "chip-it"}, ["t06"]),
        ({"with": "Nobody"}, []),
        ({"game": "chi", "after": "t03"}, ["t02", "t01", "t00"]),
    ],
)
def test_a_list_has_the_games_that_are_asked_for(write, asked, tables):
    write(fill)
    found = write(lambda c: read(c, **asked))
    assert [one.table for one in found.played] == tables
    assert found.games == 11, "the sums are those of all games"


def test_a_list_has_pages_and_says_where_the_next_one_begins(write):
    def many(connection):
        for number in range(PAGE + 2):
            result = [1, 0] if number % 3 == 0 else [0, 1]
            over(connection, f"t{number:03}", 100.0 + number, [ADA, PIP], result, rated=False)

    write(many)
    first = write(read)
    assert (len(first.played), first.older) == (PAGE, "t002")
    (chi,) = first.standings
    assert (chi.last, chi.streak) == (("won", "lost", "lost") * (FORM // 3), 1)
    assert chi.best is None, "these scores say only who won"
    rest = write(lambda c: read(c, after=first.older))
    assert ([one.table for one in rest.played], rest.older) == (["t001", "t000"], "")
    written = you_page(first, HistoryFor(opponent="pip"))
    assert "href='/you?game=&amp;with=pip&amp;after=t002'>Older<" in written


def test_a_name_that_was_changed_or_deleted_is_not_revealed(write):
    def play(connection):
        over(connection, "t1", 1.0, [ADA, BEN], [2, 1], rated=False)
        over(connection, "t2", 2.0, [ADA, BEN], [2, 1], rated=False)
        over(connection, "t3", 3.0, [ADA, CID], [2, 1], rated=False)
        over(connection, "t4", 4.0, [ADA, "a" * 31 + "2"], [2, 1], rated=False)
        connection.execute(
            sa.text("update seats set name = 'Zoe' where guest = :ben and \"table\" = 't2'"), {"ben": BEN}
        )
        connection.execute(sa.text("update seats set guest = NULL where guest = :cid"), {"cid": CID})

    write(play)
    found = write(read)
    assert [(one.key, one.games, one.you, one.they) for one in found.met] == [
        ("A", 1, 1, 0),  # another guest of this name
        ("C", 1, 1, 0),
        ("Zoe", 1, 1, 0),
        ("B", 1, 1, 0),
    ]
    assert [one.result for one in found.played] == ["won 2 to 1"] * 4
    assert not any(guest in repr(found) for guest in (BEN, CID))
    assert write(lambda c: read(c, CID)).played == ()


def test_who_has_left_a_rated_game_has_lost_it(write):
    def leave(connection):
        over(connection, "t1", 1.0, [ADA, BEN], [20, 1])
        by = {"seat": 0, "text": "pass", "client": "", "by": "otto", "at": 1.0}
        connection.execute(entries.insert().values(table="t1", number=1, **by))
        rate(connection, "chi")

    write(leave)
    (game,) = write(read).played
    assert (game.result, [one.place for one in game.seats]) == ("left, so lost", [2, 1])


@BOTH_DATABASES
def test_an_analysed_game_has_its_turning_point(write):
    def analysed(connection, version):
        turns = [
            {"move": move, "seat": 0, "text": text, "before": before, "after": after}
            for move, text, before, after in ((3, "Ada draws", 0.5, 0.7), (9, "Ben strikes", 0.7, 0.1))
        ]
        content = msgspec.json.encode({"game": "chi", "turns": turns, "version": version, "chances": [[0.5, 0.5]]})
        put(connection, analyses, table="t1", analysis=content)

    write(lambda c: over(c, "t1", 1.0, [ADA, BEN], [2, 1], rated=False))
    assert write(read).played[0].decided == ""
    write(lambda c: analysed(c, VERSION))
    assert write(read).played[0].decided == "Move 9: Ben strikes"
    write(lambda c: analysed(c, VERSION - 1))
    assert write(read).played[0].decided == ""


# --- the document -------------------------------------------------------------------------------------------------


def words(written):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", written)))


def test_the_page_says_only_what_is_known(write):
    new = words(you_page(write(read), HistoryFor()))
    assert "No game that you have played in this room is over." in new
    assert "How you stand" not in new
    write(fill)
    found = write(read)
    told = words(you_page(found, HistoryFor(game="chi")))
    assert "11 finished games, the oldest of" in told
    assert "? after 4 rated" in told
    assert "6 games, 4 of 6 won with 2 players, the last 4 won, highest score 40 in 5 games by the same rules." in told
    assert "highest score −4 in 2 games by the same rules." in told
    assert "with B : 6 games, you 3, B 1" in told
    links = you_page(found, HistoryFor())
    assert ("/ratings/chi'" in links, "/ratings/chimax-match-2'" in links) == (True, False), "one player has no rating"
    one = next(one for one in found.standings if one.game == "chi")
    known = one.replaced(strength=one.strength.replaced(games=5))
    number = words(you_page(found.replaced(standings=(known,)), HistoryFor()))
    assert f"{one.strength.rating:.0f} ± {2 * one.strength.deviation:.0f} after 5 rated" in number
    many = words(you_page(found.replaced(games=MOST_IN_HISTORY), HistoryFor()))
    assert f"The last {MOST_IN_HISTORY} finished games" in many


async def test_only_the_guest_sees_their_games_and_all_see_the_ratings(guest):
    ben = await guest.newcomer("Ben")
    await guest.get("/api/me")
    await guest.room.store.write(lambda c: fill(c, guest.guest, ben.guest))
    own, his = [(await one.get("/api/me/history")).json() for one in (guest, ben)]
    assert (own["games"], his["games"]) == (11, 6)
    assert {game["table"] for game in his["played"]} == {"t00", "t01", "t02", "t04", "t05", "t06"}
    assert (await (await guest.newcomer()).get("/api/me/history")).json()["played"] == []
    assert "finished game" in (await guest.get("/api/you.html")).body.decode()
    listed = words((await ben.get("/api/ratings/chi/page.html")).body.decode())
    assert re.search(r"Ratings in Chi .* Nox .* Vix .* Otto", listed)
    assert guest.guest not in repr((his, listed))
    assert (await ben.get("/api/ratings/no-such-game/page.html")).status == 400
    assert (await ben.get("/api/you.html?after=1&game=%00")).status == 200
    assert msgspec.convert(own, History).games == 11


# --- the pages ----------------------------------------------------------------------------------------------------


def test_the_pages_fit_and_lead_to_each_other(room, visit):
    page = visit("/", **STILL)
    guest = page.request.get("/api/me/data").json()["guest"]
    with apart(located(room.database)) as connection:
        keep_name(connection, guest, "Ada Lovelace", 1.0, 10)
        fill(connection, guest)
        for number in range(8):
            over(connection, f"more{number}", 1_780_000_000.0 + number, [guest, PIP], [2, 1])
        rate(connection, "chi")
        connection.execute(seats.update().where(seats.c.guest == guest).values(name="Ada Lovelace"))
    page.goto("/")
    page.get_by_role("link", name="Your games").filter(visible=True).first.click()
    expect(page.get_by_role("heading", name="Ada Lovelace")).to_be_visible()
    times = page.locator("time").all_inner_texts()
    assert len(times) == 20
    assert times[0] == times[-1]
    look_at(page, DESK)
    look_at(page, PHONE)
    page.get_by_role("link", name="Games of Chip It").click()
    expect(page.locator(".played .result b")).to_have_text(["nobody won", "2nd of 3"])
    expect(page.get_by_text("Only games of Chip It.")).to_be_visible()
    page.get_by_role("link", name="with Pip").click()
    expect(page.locator(".played > li")).to_have_count(11)
    page.get_by_role("link", name="All ratings in Chi", exact=True).click()
    expect(page.get_by_role("row", name="Ada Lovelace")).to_contain_text("12")
    look_at(page, PHONE)
    page.get_by_role("link", name="Your own games and ratings").click()
    expect(page.get_by_role("heading", name="How you stand")).to_be_visible()
