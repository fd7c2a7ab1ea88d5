"""Rated games, and the ratings that follow from them."""

import math
from functools import partial
from itertools import pairwise

import pytest
import sqlalchemy as sa
from openskill.models import PlackettLuce

import fairdeal
from fairdeal.bots.registry import STAND_IN
from fairdeal.cli.serve import located
from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import messages as m
from fairdeal.server.api.clearing import clear, forget, take_out
from fairdeal.server.api.merging import relink
from fairdeal.server.api.opening import branch, open_table, rematch
from fairdeal.server.checking import rebuild
from fairdeal.server.storage import keeping
from fairdeal.server.storage.ratings import ENOUGH, KNOWN, NEW, Skill, anchors, model_for, ranking, rate, strength
from fairdeal.server.storage.store import put, ratings, seats, secrets, tables
from fairdeal.server.tables.seating import join, leave
from fairdeal.table.log import read_log
from fairdeal.table.verification import verify
from tests.conftest import SHORT, refusal
from tests.server.in_process import BOTH_DATABASES, KEYS, Viewer, move, refused, seated, until
from tests.server.test_room_commands import command

ADA, BEN, CID = "a" * 32, "b" * 32, "c" * 32
CHI = {"options": SHORT["chi"] | {"first_player": 0}, "rated": True}


# --- the model ----------------------------------------------------------------------------------------------------


def test_the_library_rates_as_it_documents():
    """The examples of https://github.com/vivekjoshy/openskill.py (README, 6.2)."""
    model = PlackettLuce()
    new = model.rating()
    assert (new.mu, new.sigma) == (NEW.mu, NEW.sigma) == (25.0, 25 / 3)
    [[a, _], [x, _]] = model.rate([[model.rating(), model.rating()], [model.rating(), model.rating()]])
    assert (a.mu, a.sigma) == pytest.approx((26.964294621803063, 8.177962604389991))
    assert (x.mu, x.sigma) == pytest.approx((23.035705378196937, 8.177962604389991))
    [[one], [other]] = model.rate([[model.rating()], [model.rating()]], ranks=[1.0, 1.0])
    assert one.mu == other.mu == pytest.approx(25.0), "a shared place says nothing about equal players"


@pytest.mark.parametrize("players", [2, 3, 8])
def test_a_difference_of_400_points_means_odds_of_ten_at_every_table(players):
    model = model_for(players)
    c = math.sqrt(players) * model.beta
    weaker, stronger = Skill(25.0, KNOWN), Skill(25.0 + c * math.log(10), KNOWN)
    apart = strength(stronger).rating - strength(weaker).rating
    assert apart == pytest.approx(400)
    assert math.exp((stronger.mu - weaker.mu) / c) == pytest.approx(10)


# --- tables of results --------------------------------------------------------------------------------------------


def over(connection, table, ended, people, result, game="chi", **values):
    """Store a finished game of these players: guests, by their ids, and bots, by the names in a log. The higher score
    of `result` is better."""
    places = [1 + sum(other > own for other in result) for own in result]
    row = {"options": {}, "rules_version": 1, "title": "", "host": "", "listed": False, "clock": 0, "rated": True}
    row |= {"seed": table.encode(), "status": "over", "made": ended, "moved": ended, "origin": None}
    connection.execute(tables.insert().values(id=table, game=game, result=result, places=places, **row | values))
    for seat, one in enumerate(people):
        guest, bot = (one, "") if len(one) == 32 else (None, one)
        name = bot.partition(":")[0].title() if bot else one[0].upper()
        place = {"name": name, "plays": bot or "person", "guest": guest, "nonce": "", "stand_in": False}
        connection.execute(seats.insert().values(table=table, seat=seat, **place))


def stored(connection):
    order = sa.select(ratings).order_by(ratings.c.table, ratings.c.seat)
    return [tuple(row) for row in connection.execute(order)]


@pytest.fixture
def write(store):
    """Call a function with a connection, in a transaction."""

    def run(work):
        with store.engine.connect() as connection, connection.begin():
            return work(connection)

    return run


@BOTH_DATABASES
def test_opponents_do_not_move_and_guests_approach_their_strength(write):
    def play(connection):
        for number in range(40):
            over(connection, f"t{number:02}", 100.0 + number, [ADA, "otto:100-0-0"], [1, 2] if number % 2 else [2, 1])
            rate(connection, "chi", 100.0 + number)
        found = connection.execute(sa.select(ratings).order_by(ratings.c.table)).all()
        return [row for row in found if row.seat == 0], [row for row in found if row.seat == 1]

    ada, otto = write(play)
    assert {(row.old_mu, row.games) for row in otto} == {(25.0, 0)}
    assert anchors(fairdeal.find_game("chi"))["otto"] == strength(NEW).rating
    assert [row.games for row in ada] == [*range(40)]
    last = strength(ada[-1])
    assert last.rating == pytest.approx(1400, abs=60), "half of the games against Otto are won"
    assert last.deviation < strength(NEW).deviation / 2.5
    for before, after in pairwise(ada):
        assert (after.old_mu, after.old_sigma) == (before.mu, before.sigma)


@BOTH_DATABASES
def test_ratings_follow_from_the_games_in_the_order_of_their_ends(write):
    """Games that are saved late or again, and other kinds of games in between, change nothing."""
    games = [
        ("t1", 1.0, [ADA, BEN], [2, 1], "chi"),
        ("t2", 2.0, [BEN, CID, "pip:0-100-0"], [3, 1, 2], "chip-it"),
        ("t3", 2.0, [CID, ADA], [0, 4], "chi"),
        ("t4", 2.0, [ADA, CID], [4, 4], "chi"),
        ("t5", 3.0, [BEN, ADA], [9, 1], "chi"),
    ]

    def play(order):
        def work(connection):
            for number in order:
                table, ended, people, result, game = games[number]
                if not connection.execute(sa.select(tables.c.id).where(tables.c.id == table)).first():
                    over(connection, table, ended, people, result, game)
                rate(connection, game, ended)
            found = stored(connection)
            for part in (ratings, seats, tables):
                connection.execute(part.delete())
            return found

        return write(work)

    expected = play([0, 1, 2, 3, 4])
    assert len(expected) == 11
    for order in ([4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 4, 0, 2], [2, 4, 0, 1, 3]):
        assert play(order) == expected
    assert [row[4] for row in expected if row[0] == "t5"] != [NEW.mu, NEW.mu]


@BOTH_DATABASES
def test_two_guests_who_become_one_have_the_rating_of_all_their_games(write):
    def played(*guests):
        def work(connection):
            for number, guest in enumerate(guests):
                over(connection, f"t{number}", 1.0 + number, [guest, CID], [number % 2, 1])
                rate(connection, "chi", 1.0 + number)
            if BEN in guests:
                relink(connection, BEN, ADA)
            found = stored(connection)
            for part in (ratings, seats, tables):
                connection.execute(part.delete())
            return found

        return write(work)

    alone = played(*[ADA] * 5)
    assert [row[3] for row in alone if row[1] == 0] == [0, 1, 2, 3, 4]
    assert played(BEN, ADA, BEN, BEN, ADA) == alone


@BOTH_DATABASES
def test_the_list_has_guests_with_enough_games_and_all_opponents_by_a_cautious_estimate(write):
    def play(connection):
        for number in range(ENOUGH):
            over(connection, f"a{number}", 10.0 + number, [ADA, "nox:100-0-4000"], [2, 1])
        over(connection, "b", 30.0, [BEN, "pip:0-100-0"], [2, 1])
        over(connection, "c", 31.0, [ADA, BEN], [2, 1], rated=False)
        rate(connection, "chi")
        chi = fairdeal.find_game("chi")
        first = ranking(connection, chi)
        connection.execute(seats.update().where(seats.c.guest == ADA).values(guest=None))
        return first, ranking(connection, chi)

    first, after = write(play)
    names = [one.name for one in first]
    assert names == ["Nox", "A", "Vix", "Otto", "Bram", "Juno", "Pip"]
    nox, ada, *_ = first
    assert (ada.strength.games, ada.plays, nox.plays) == (ENOUGH, "person", "nox")
    assert ada.strength.rating > nox.strength.rating, "after ten wins, but that is not certain yet"
    cautious = [one.strength.rating - 3 * one.strength.deviation for one in first]
    assert cautious == sorted(cautious, reverse=True)
    assert [one.name for one in after] == [name for name in names if name != "A"], "Ada has deleted her data"


# --- rated tables -------------------------------------------------------------------------------------------------


async def play_out(live):
    """Let people play the moves of hints, and bots their own, to the end."""
    while live.status == "running":
        place, number = live.seats[live.sitting.state.to_act[0]], live.number
        if place.is_for_bot or place.stand_in:
            await until(partial(has_moved, live, number))
        else:
            await move(live)
    async with live.lock:  # until the end is saved
        assert live.is_over


def has_moved(live, number):
    return live.number > number or live.status != "running"


async def rows_of(room, table):
    query = sa.select(ratings).where(ratings.c.table == table).order_by(ratings.c.seat)
    return await room.store.read(lambda c: c.execute(query).all())


@BOTH_DATABASES
async def test_a_rated_game_has_no_hints_and_no_undo_and_says_so_in_its_header(inside):
    live = await seated(inside, ADA, BEN, **CHI)
    ada = Viewer(inside, live, ADA)
    assert live.facts(BEN).rated
    for asked in (m.Hint(id="h"), m.Undo(id="u", seq=0), m.Undo(id="a", seq=0, ask=True)):
        assert "this game is rated" in (await refused(ada.ask(asked)))["reason"]
    await play_out(live)
    log = read_log(live.sitting.log.text())
    assert log.room.rated
    assert next(line for line in log.header_lines() if line.startswith("table ")).endswith(" waits rated")
    assert all(one.ok for one in verify(log.text())[1] if one.check in ("signed", "moves", "log"))
    usual = (await seated(inside, ADA, BEN, options=SHORT["chi"])).sitting.log
    assert usual.header_lines()[4].endswith(" waits")


async def by_leaving(room, live):
    await leave(live, ADA)


async def by_time(room, live):
    """As the driver does when a clock has run out."""
    async with live.lock:
        seat = live.seats.of(ADA)
        await live.enter(seat, live.sitting.stand_in(seat).actions, by=STAND_IN)


async def by_a_stand_in(room, live):
    await live.set_stand_in(live.seats[live.seats.of(ADA)], on=True)
    await until(lambda: live.sitting.log.entries)
    await live.set_stand_in(live.seats[live.seats.of(ADA)], on=False)


async def by_the_keeper(room, live):
    await take_out(room, live, ADA)


@pytest.mark.parametrize("leaves", [by_leaving, by_time, by_a_stand_in, by_the_keeper])
async def test_who_lets_a_bot_move_counts_as_last(inside, leaves):
    live = await seated(inside, ADA, BEN, **CHI)
    await leaves(inside, live)
    await play_out(live)
    ada, ben = await rows_of(inside, live.id)
    assert (ada.place, ben.place) == (2, 1)
    assert ada.mu < NEW.mu < ben.mu
    assert (ada.games, ben.games) == (0, 0)


async def test_the_seat_of_a_player_who_is_gone_stays_theirs(inside):
    live = await seated(inside, ADA, BEN, **CHI)
    await take_out(inside, live, ADA)
    assert live.facts(CID).free_seats == []
    with refusal("this game has begun"):
        await join(live, CID, None, "")


async def test_a_rated_game_against_bots_is_finished_left_or_played_on(inside):
    """Nobody gets rid of a lost game."""
    live = await open_table(inside, ADA, game="chi", chairs=["you", "pip"], **CHI)
    viewer = Viewer(inside, live, ADA)
    await move(live)
    viewer.go()
    assert live.is_paused
    with refusal("a rated game cannot be cleared away"):
        await clear(inside, live, ADA)
    with refusal(f"first finish or leave your last rated game of this kind: /t/{live.id}"):
        await open_table(inside, ADA, game="chi", chairs=["you", "pip"], **CHI)
    await open_table(inside, ADA, game="chi", chairs=["you", "pip"])
    await leave(live, ADA)
    assert not live.is_paused
    await play_out(live)
    ada, pip = await rows_of(inside, live.id)
    assert (ada.place, pip.place) == (2, 1)
    again = await branch(inside, live, ADA, 1, 0)
    assert (again.terms.rated, again.facts(ADA).rated) == (True, False), "the header is that of the finished game"
    await open_table(inside, ADA, game="chi", chairs=["you", "pip"], **CHI)


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({"game": "chimax-jackpot", "chairs": ["you"]}, "a game of one player cannot be rated"),
        (
            {"game": "chi", "chairs": ["you", "greedy"]},
            "'greedy' has no measured rating in Chi; at a rated table, take",
        ),
        ({"game": "chi", "chairs": ["you", "learned"]}, "'learned' has no measured rating"),
    ],
)
async def test_only_games_with_places_and_measured_opponents_are_rated(inside, wishes, reason):
    with refusal(reason):
        await open_table(inside, ADA, rated=True, **wishes)


async def test_the_rematch_of_a_rated_game_is_rated(inside):
    live = await open_table(inside, ADA, game="chi", chairs=["you", "pip"], **CHI)
    viewer = Viewer(inside, live, ADA)
    await play_out(live)
    async with live.changing():
        await rematch(inside, live, viewer.connection, "")
    assert inside.live[live.rematch].terms.counts


# --- once, and again ----------------------------------------------------------------------------------------------


@BOTH_DATABASES
async def test_a_finished_game_counts_once_also_if_its_end_is_saved_again_or_late(restart):
    """Its end is saved again, or only when the room is opened again after it was killed."""
    room = await restart()
    first = await seated(room, ADA, BEN, **CHI)
    await play_out(first)
    second = await seated(room, ADA, BEN, **CHI)
    await play_out(second)
    expected = await room.store.read(stored)
    assert len(expected) == 4
    await first.keep_status()
    await second.keep_end()
    assert await room.store.read(stored) == expected

    def unsave(connection):
        connection.execute(ratings.delete().where(ratings.c.table == first.id))
        lost = tables.update().where(tables.c.id == first.id)
        connection.execute(lost.values(status="running", result=None, places=None))

    await room.store.write(unsave)
    again = await restart()
    assert (await again.find(first.id)).status == "over"
    assert await again.store.read(stored) == expected


def everything(connection):
    """Return all that `rebuild` may write."""
    facts = sa.select(tables.c.id, tables.c.status, tables.c.result, tables.c.places, tables.c.moved).order_by(
        tables.c.id
    )
    return stored(connection), [tuple(row) for row in connection.execute(facts)]


@BOTH_DATABASES
async def test_a_rebuild_gives_the_same_tables_even_without_a_guest(inside, database):
    pip = {"chairs": ["you", "pip"]}
    played = [
        ([ADA, BEN], CHI),
        ([BEN, CID, ADA], {"game": "chimax-books", "options": SHORT["chimax-books"], "rated": True}),
        ([CID, BEN, ADA], {"game": "war-xtreme", "options": SHORT["war-xtreme"], "rated": True}),
        ([BEN], CHI | pip),
        ([ADA, CID], {"options": SHORT["chi"]}),
        ([BEN, ADA], CHI),
        ([CID, BEN], CHI),
    ]
    games = []
    for people, wishes in played:
        live = await seated(inside, *people, **wishes)
        viewer = Viewer(inside, live, people[0])
        if len(games) == 5:
            await leave(live, BEN)
        await play_out(live)
        viewer.go()
        games.append(live)
    await inside.store.write(lambda c: [put(c, secrets, name=n, value=v) for n, v in kept_keys().items()])
    before = await inside.store.read(everything)
    assert len(before[0]) == 2 + 3 + 3 + 2 + 2 + 2
    assert await rebuilt(inside) == (7, 0, 6)
    assert await inside.store.read(everything) == before

    def spoil(connection):
        connection.execute(ratings.update().values(mu=0.0, sigma=1.0, place=1))
        connection.execute(ratings.delete().where(ratings.c.table == games[0].id))
        connection.execute(tables.update().where(tables.c.id == games[1].id).values(result=[0, 0, 0], places=[1, 1, 1]))

    await inside.store.write(spoil)
    assert await rebuilt(inside) == (7, 0, 6)
    assert await inside.store.read(everything) == before
    await forget(inside, ADA)
    after = await inside.store.read(everything)
    assert after == before, "nobody's rating depends on what others delete"
    await rebuilt(inside)
    assert await inside.store.read(everything) == before
    assert ADA not in repr(after)


def kept_keys():
    return {"seeds": KEYS.seeds, "ed25519": bytes(range(32)), "signing": bytes(32)}


async def rebuilt(room):
    return await room.store.write(lambda c: rebuild(c))


def test_the_command_rebuilds_a_closed_room_only(room, guests):
    ada = guests()
    table = ada.open("chi", chairs=["you", "pip"], options=SHORT["chi"] | {"first_player": 0}, rated=True)["id"]
    ada.post(f"/api/tables/{table}/leave", 200)
    ada.finish(table)
    with pytest.raises(FairdealError, match="has this room open"):
        command("rebuild", "--database", room.database)
    room.end()
    try:
        with keeping.writing(located(room.database)) as connection:
            expected = stored(connection)
            connection.execute(ratings.update().values(mu=1.0))
        assert len(expected) == 2
        told = command("rebuild", "--dry-run", "--database", room.database)
        assert told == "would compute 1 result and the ratings of 1 game\n"
        with keeping.reading(located(room.database)) as connection:
            assert stored(connection) != expected
        assert command("rebuild", "--database", room.database) == "computed 1 result and the ratings of 1 game\n"
        with keeping.reading(located(room.database)) as connection:
            assert stored(connection) == expected
    finally:
        room.start()
