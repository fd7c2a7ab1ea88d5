"""Tables from before: of older rules, of games that are gone, and databases of older schemas. They stay readable."""

import shutil

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from fairdeal.cli.serve import located
from fairdeal.server.storage import store as stores
from fairdeal.server.storage.database import MIGRATIONS, newest
from fairdeal.table.log import read_log
from fairdeal.table.verification import verify
from tests.server.in_process import BOTH_DATABASES, apart, execute
from tests.server.test_play import seat_two

OLD = 0
"""A rules version that no game has."""


def change(room, *statements):
    """Write to the database while the room is closed."""
    room.stop()
    with apart(located(room.database)) as connection:
        for statement, values in statements:
            assert execute(connection, statement, *values).rowcount > 0
    room.start()


def make_old(*tables):
    return [("update tables set rules_version = ? where id = ?", (OLD, table)) for table in tables]


def kept_entries(room, table):
    return room.rows('select * from entries where "table" = ? order by number', table)


def finished(guest):
    """A table that bots have played to its end."""
    table = guest.open("chi", chairs=["greedy", "greedy"])["id"]
    guest.finish(table)
    return table


def begun(guest):
    """A table where the guest has made a move and is to move again."""
    table = guest.open("chi", chairs=["you", "greedy"], options={"first_player": 0})["id"]
    guest.connect(table)
    assert guest.ask("play", seq=0, move="draw 0")["type"] == "done"
    while guest.scene["seq"] < 2:
        guest.hear()
    return table


@BOTH_DATABASES
def test_tables_of_other_rules_can_be_read_and_the_others_live_on(room, guests):
    ada, ben, table = seat_two(guests, "chi", options={"first_player": 0, "stacks_to_end": 4})
    old, running, unfit, gone = finished(ada), begun(ada), finished(ada), finished(ada)
    before, entries = read_log(ada.log(old)), kept_entries(room, running)
    change(
        room,
        *make_old(old, running),
        ('update entries set text = ? where "table" = ? and number = 3', ("a move of another game", unfit)),
        ("update tables set game = ? where id = ?", ("no-such-game", gone)),
    )
    for one, words in (
        (old, f"rules version {OLD} of Chi"),
        (unfit, "a move of another game"),
        (gone, "no-such-game"),
    ):
        facts, log = ada.facts(one), read_log(ada.log(one))
        assert words in facts["readable_only"]
        assert facts["status"] == "over", words
        assert len(log.moves) == facts["seq"] > 3, words
        assert log.seed, words
    log = read_log(ada.log(old))
    assert log.rules_version == OLD
    assert [(move.seat, move.text) for move in log.moves] == [(move.seat, move.text) for move in before.moves]
    assert (log.seed, log.result, log.players) == (before.seed, before.result, before.players)
    moves = next(one for one in verify(ada.log(old))[1] if one.check == "moves")
    assert moves.ok is None
    assert f"rules version {OLD}" in moves.text
    check_nothing_is_played(ada, running, entries)
    assert kept_entries(room, running) == entries
    listed = {facts["id"]: facts["readable_only"] for facts in ada.get("/api/lobby")["mine"]}
    assert listed[table] == ""
    assert listed[running]
    assert ada.open("chi", chairs=["you", "greedy"])["status"] == "running"
    ada.connect(table)
    assert ada.ask("play", seq=0, move="draw 0")["type"] == "done"
    ben.post(f"/api/tables/{table}/leave")
    verify(ada.finish(table))


def check_nothing_is_played(guest, table, entries):
    """A running game of old rules takes no move, and its seed stays secret."""
    welcome = guest.connect(table)
    assert "scene" not in welcome
    assert f"rules version {OLD}" in welcome["facts"]["readable_only"]
    seq = welcome["facts"]["seq"]
    assert seq == len(entries) >= 2
    wishes = {
        "play": {"seq": seq, "move": "draw 0"},
        "pick": {"seq": seq, "choice": 0},
        "undo": {"seq": seq},
        "hint": {},
        "draft": {},
        "why": {"card": "x"},
    }
    for kind, wish in wishes.items():
        answer = guest.ask(kind, **wish)
        assert answer["type"] == "refused"
        assert "rules version" in answer["reason"], kind
    assert guest.ask("say", text="What a pity")["type"] == "done"
    log = read_log(guest.log(table))
    assert (len(log.moves), log.seed, log.result) == (len(entries), None, None)


def test_the_page_and_the_lobby_say_it_in_words(room, guests, visit):
    ada = guests()
    table = begun(ada)
    change(room, *make_old(table))
    page = visit()
    page.context.add_cookies(
        [{"name": name, "value": value, "url": room.address} for name, value in ada.http.cookies.items()]
    )
    page.goto(f"/t/{table}")
    page.locator("main").get_by_text(f"played under rules version {OLD} of Chi").wait_for()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download the log").click()
    assert len(read_log(downloading.value.path().read_text("utf-8")).moves) >= 2
    page.goto("/")
    page.locator("summary").get_by_text("Cannot be continued").click()
    row = page.locator("li", has=page.locator(f'a[href="/t/{table}"]')).first
    row.get_by_text("older rules").wait_for()


# --- databases --------------------------------------------------------------------------------------------------


def differences(url):
    """Between a database and what the code reads and writes."""
    with apart(url) as connection:
        return compare_metadata(MigrationContext.configure(connection), stores.metadata)


@BOTH_DATABASES
def test_an_empty_database_is_brought_to_the_schema_of_the_code(database):
    url = located(database)
    with apart(url) as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("drop schema public cascade; create schema public")
    assert differences(url) != []
    assert newest() == ScriptDirectory(str(MIGRATIONS)).get_current_head()
    for _ in range(2):
        stores.Store(url).close()
        assert differences(url) == []


NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "9998"
down_revision = "{newest}"


def upgrade():
    op.add_column("guests", sa.Column("colour", sa.String))
"""


@BOTH_DATABASES
def test_a_database_is_migrated_to_the_next_schema(database, tmp_path, monkeypatch):
    url = located(database)
    stores.Store(url).close()
    with apart(url) as connection:
        execute(connection, "insert into guests (id, name) values ('ada', 'Ada')")
    shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    (tmp_path / "migrations" / "versions" / "9998_next.py").write_text(NEXT.format(newest=newest()))
    monkeypatch.setattr("fairdeal.server.storage.database.MIGRATIONS", tmp_path / "migrations")
    newest.cache_clear()
    try:
        stores.Store(url).close()
    finally:
        newest.cache_clear()
    with apart(url) as connection:
        assert execute(connection, "select id, name, colour from guests").fetchall() == [("ada", "Ada", None)]
