"""Two workers that share a PostgreSQL database: every table has one owner at a time, and an owner that was replaced
writes nothing and shows nothing."""

import asyncio
import threading
import time

import pytest

from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import messages as m
from fairdeal.protocol.bodies import Forgotten
from fairdeal.server.api.clearing import delete_old, forget
from fairdeal.server.api.lobby import listing
from fairdeal.server.api.opening import open_table
from fairdeal.server.api.websocket import arrive
from fairdeal.server.storage import leases
from fairdeal.server.storage.own_data import data_of
from fairdeal.server.storage.promises import kept_keys
from fairdeal.server.storage.queries import UNFINISHED
from fairdeal.server.storage.store import NotOwner, NotSaved, Store
from fairdeal.server.tables.guests import name_of, rename
from fairdeal.server.tables.seating import join
from fairdeal.table import fairness
from fairdeal.table.redrawing import CANNOT_SAVE
from tests.conftest import SHORT
from tests.server.conftest import ForkedRoom, Guest
from tests.server.in_process import InsideRoom, Viewer, apart, done, execute, move, rest, rows, seat_two, until
from tests.server.test_postgresql import end_connections

pytestmark = pytest.mark.databases("postgresql")

FIRST = {"first_player": 0}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(leases, "RENEWED", 0.05)
    monkeypatch.setattr(leases, "HELD", 0.0)


class Worker(InsideRoom):
    """A room with a store of its own, which follows its lease."""

    def __init__(self, database, address):
        super().__init__(Store(database, address=address))
        self.minding = asyncio.create_task(self.mind())

    async def knows_of(self, *others):
        await until(lambda: len(self.store.lease.others) == len(others))

    def freeze(self):
        """Renew nothing from now on and look at nothing, as a process that was stopped."""
        self.minding.cancel()
        self.store.lease.closing.set()
        self.store.lease.thread.join()

    async def end(self):
        self.minding.cancel()
        await rest(self)
        self.store.close()


@pytest.fixture
async def start(database):
    """Return a function that starts a worker at an address."""
    made = []

    def begin(address):
        made.append(Worker(database, address))
        return made[-1]

    yield begin
    for worker in made:
        await worker.end()


@pytest.fixture
async def two(start):
    """A worker, another one that was started later, and the table of Ada and Ben at the first, with both."""
    first = start("one")
    seated = await seat_two(first, options=FIRST)
    return first, start("two"), *seated


def lease_of(store, live):
    ((owner, epoch),) = rows(store, 'select worker, epoch from leases where "table" = ?', live.id)
    return owner, epoch


def texts(store, live):
    return [text for (text,) in rows(store, 'select text from entries where "table" = ? order by number', live.id)]


def let_expire(database, worker):
    """Let the lease of a frozen worker end for the database, and for the worker itself."""
    with apart(database) as connection:
        execute(connection, "update workers set expires = expires - 60 where id = ?", worker.store.lease.id)
    worker.store.lease.until = 0.0


# --- handing over -------------------------------------------------------------------------------------------------


async def test_a_table_is_handed_over_to_the_worker_that_is_asked_for_it(two):
    first, second, live, ada, _ = two
    await done(ada.play("draw 0"))
    assert lease_of(first.store, live) == (first.store.lease.id, 1)
    there = await second.find(live.id)
    assert lease_of(first.store, live) == (second.store.lease.id, 2)
    assert ada.connection not in live.audience.connections, "the first worker hangs up"
    assert live.id not in {*first.live, *first.held}
    await done(Viewer(second, there, "ben").play("draw 0"))
    assert texts(first.store, live) == ["draw 0", "draw 0"]
    with pytest.raises(NotOwner):
        await live.enter(1, "draw 0")
    assert await Viewer(first, live, "ada").play("draw 0") is None, "the first worker hangs up instead of answering"
    with pytest.raises(NotOwner):
        await join(live, "eve", None, "")
    assert len(texts(first.store, live)) == 2
    again = await first.find(live.id)
    assert (again.number, lease_of(first.store, live)[1]) == (2, 3)


async def test_a_guest_is_deleted_from_the_tables_of_every_worker(start):
    first = start("one")
    live, ada, _ = await seat_two(first, options=FIRST)
    over, *_ = await seat_two(first, options=SHORT["chi"])
    while over.status == "running":
        await move(over)
    second = start("two")
    await done(ada.play("draw 0"))
    found = await second.store.read(lambda c: data_of(c, "ada"))
    assert [(one.id, one.status) for one in found.tables] == [(live.id, "running"), (over.id, "over")]
    assert await forget(second, "ada") == Forgotten(deleted=0, kept=2)
    assert {*first.held} & {live.id, over.id} == set(), "the first worker gives them up"
    assert over.id not in second.held, "a finished game is not loaded"
    assert lease_of(first.store, live)[0] == lease_of(first.store, over)[0] == second.store.lease.id
    assert rows(first.store, "select * from seats where guest = 'ada'") == []
    there = await second.find(live.id)
    assert [(place.guest, place.stand_in) for place in there.seats] == [(None, True), ("ben", False)]
    await done(Viewer(second, there, "ben").play("draw 0"))
    assert await forget(first, "ben") == Forgotten(deleted=2, kept=0)
    assert there.id not in second.held


async def test_a_worker_does_not_ask_for_old_tables_of_others_and_deletes_its_own(two):
    first, second, live, *_ = two
    own = await open_table(second, "ada", game="chi", chairs=("you", "person"))
    for status in UNFINISHED:
        await delete_old(second, status, time.time() + 1)
    assert lease_of(first.store, live) == (first.store.lease.id, 1)
    assert rows(first.store, "select status from tables where id = ?", live.id) == [("running",)]
    assert rows(first.store, "select status from tables where id = ?", own.id) == [("cleared",)]


async def test_a_table_that_has_just_come_is_kept_for_a_moment(start, monkeypatch):
    monkeypatch.setattr(leases, "HELD", 60.0)
    monkeypatch.setattr("fairdeal.server.storage.store.LONGEST_CLAIM", 0.3)
    first = start("http://one")
    live, *_ = await seat_two(first)
    second = start("http://two")
    with pytest.raises(NotOwner, match="another worker has this table now: http://one; try again"):
        await second.find(live.id)
    assert lease_of(first.store, live)[0] == first.store.lease.id
    monkeypatch.setattr(leases, "HELD", 0.0)
    assert (await second.find(live.id)).id == live.id


async def test_a_new_table_is_given_up_at_once_if_there_are_other_workers(start):
    first = start("one")
    alone = await open_table(first, "ada", game="chi")
    second = start("two")
    assert lease_of(first.store, alone)[0] == first.store.lease.id
    await first.knows_of("two")
    free = await open_table(first, "ada", game="chi", options=FIRST)
    assert lease_of(first.store, free) == (None, 1)
    assert (await second.find(free.id)).number == free.number


# --- an owner that hangs ------------------------------------------------------------------------------------------


async def test_a_worker_whose_lease_has_ended_writes_nothing_and_shows_nothing(two, database):
    first, second, live, ada, ben = two
    first.freeze()
    let_expire(database, first)
    there = await second.find(live.id)
    await done(Viewer(second, there, "ada").play("draw 0"))
    heard = len(ada.heard)
    with pytest.raises(NotOwner):
        await live.enter(0, "draw 0")
    assert await ben.ask(m.Ping(id="ping")) is None
    with pytest.raises(NotOwner):
        await arrive(first, live, ada.connection)
    assert len(ada.heard) == heard
    assert texts(second.store, live) == ["draw 0"]
    assert (await first.find(live.id)).number == 1, "it has begun a new lease, and asks for the table"


async def test_the_lock_of_the_lease_is_what_stops_a_late_writer(two, database):
    """The worker still believes in its lease, as it does if its clock has stood still."""
    first, second, live, *_ = two
    first.freeze()
    let_expire(database, first)
    await second.find(live.id)
    first.store.lease.until = leases.clock() + 60
    with pytest.raises(NotOwner):
        await live.enter(0, "draw 0")
    with pytest.raises(NotOwner):
        await live.keep_places()
    assert texts(second.store, live) == []


@pytest.mark.parametrize("keep", [lambda live: live.enter(0, "draw 0"), lambda live: live.keep_places()])
async def test_a_worker_is_replaced_only_between_its_transactions(two, database, monkeypatch, keep):
    monkeypatch.setattr("fairdeal.server.storage.store.LONGEST_CLAIM", 0.3)
    first, second, live, *_ = two
    first.freeze()
    stuck, goes_on, loop = asyncio.Event(), threading.Event(), asyncio.get_running_loop()
    begun, both_wait = asyncio.Event(), threading.Event()

    def wait(_):
        loop.call_soon_threadsafe(begun.set)
        both_wait.wait(30)

    def hang(connection):
        if connection.dialect.name == "postgresql":  # which else ends the transaction, as the next test says
            connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        loop.call_soon_threadsafe(stuck.set)
        goes_on.wait(30)

    with second.store.lease.lock:  # or it removes the first worker before that locks its row
        let_expire(database, first)
        before = asyncio.create_task(first.store.write(wait))
        await begun.wait()
        transaction = asyncio.gather(keep(live), first.store.write(hang))  # what is not about a table locks nothing
        while first.store.unfinished < 3:
            await asyncio.sleep(0.01)
        both_wait.set()  # they are written in one transaction
        await before
        await stuck.wait()
    try:
        with pytest.raises(NotOwner, match="another worker has this table now: one"):
            await second.find(live.id)
    finally:
        goes_on.set()
    await transaction
    assert (await second.find(live.id)).number == live.number


async def test_a_worker_that_hangs_within_a_transaction_is_replaced_too(two, database):
    first, second, live, *_ = two
    first.freeze()
    stuck, goes_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def hang(_):
        loop.call_soon_threadsafe(stuck.set)
        goes_on.wait(30)

    hanging = asyncio.create_task(live.write(hang))
    await stuck.wait()
    let_expire(database, first)
    there = await second.find(live.id)
    assert lease_of(second.store, there) == (second.store.lease.id, 2)
    goes_on.set()
    with pytest.raises(NotSaved):
        await hanging


async def test_a_worker_that_is_removed_by_mistake_begins_again(start, database):
    only = start("one")
    live, ada, _ = await seat_two(only, options=FIRST)
    with apart(database) as connection:
        execute(connection, "delete from workers")
    await until(lambda: live.id not in only.held)
    assert ada.connection not in live.audience.connections
    again = await only.find(live.id)
    await done(Viewer(only, again, "ada").play("draw 0"))
    assert lease_of(only.store, live)[1] == 2


async def test_while_the_database_is_gone_nobody_is_shown_a_table(start, server):
    only = start("one")
    live, ada, _ = await seat_two(only, options=FIRST)
    server(fsync=False).stop()
    try:
        only.store.lease.until = 0.0
        with pytest.raises(NotSaved):
            await only.find(live.id)
        answer = await ada.ask(m.Draft(id="draft"))
        assert answer["type"] == "refused"
        assert "scene" not in answer
    finally:
        server(fsync=False).start()
    assert await only.find(live.id) is live, "nobody else has taken it"
    await done(ada.play("draw 0"))
    assert CANNOT_SAVE not in ada.told_of_trouble()


# --- an owner that ends -------------------------------------------------------------------------------------------


async def test_a_worker_that_was_killed_is_replaced_before_its_lease_ends(start, database, tmp_path):
    killed = ForkedRoom(database, errors=tmp_path / "errors")
    ada = Guest(killed)
    table = ada.open("chi", chairs=["you", "greedy"], options=FIRST)["id"]
    killed.kill()
    ada.close()
    with apart(database) as connection:
        execute(connection, "update workers set expires = expires + 600")
    second = start("two")
    assert (await second.find(table)).status == "running"
    assert not rows(second.store, "select * from workers where id <> ?", second.store.lease.id)
    killed.stop()


async def test_a_worker_that_is_being_stopped_gives_its_tables_up_and_takes_no_others(two):
    first, second, live, ada, _ = two
    saving = asyncio.create_task(ada.play("draw 0"))
    await asyncio.sleep(0)
    await first.store.leave()
    await done(saving)
    there = await second.find(live.id)
    assert (there.number, lease_of(second.store, live)) == (1, (second.store.lease.id, 2))
    assert await ada.play("draw 0") is None, "it hangs up"
    with pytest.raises(NotOwner):
        await first.find(live.id)
    with pytest.raises(NotOwner):
        await open_table(first, "ada", game="chi")
    await first.store.renew()
    assert rows(second.store, "select id from workers") == [(second.store.lease.id,)]


async def test_the_tables_of_bots_go_on_at_another_worker(start, database):
    first, second = start("one"), start("two")
    await second.knows_of("one")
    live = await open_table(first, "ada", game="chi", chairs=("greedy", "greedy"))
    first.pause = 60.0
    await first.end()
    first.store = Store(database, address="three")  # to be ended with the others
    await until(lambda: live.id in second.live and second.live[live.id].status == "over")


# --- what all workers know ----------------------------------------------------------------------------------------


async def test_workers_know_each_others_codes_names_and_guests(start):
    first, second = start("one"), start("two")
    await rename(first.store, "ada", "Ada", 10)
    assert await name_of(second.store, "ada") == "Ada"
    live = await open_table(first, "ada", game="chi", chairs=("you", "person"))
    code, _ = await first.invitations.code_of(live.id)
    assert await second.invitations.table_of(code) == live.id
    alone = await open_table(first, "ada", game="chi", chairs=("you", "greedy"), options=FIRST)
    assert alone.id not in [facts.id for facts in (await listing(second, "eve"))[1]]
    viewer = Viewer(first, await first.find(alone.id), "ada")
    with first.limits.connection("ada", ""):
        viewer.live.note_here()
        await until(lambda: second.store.guests_elsewhere == 1)
        _, free = await listing(second, "eve")
        assert [chair.here for facts in free if facts.id == alone.id for chair in facts.chairs] == [True, True]


async def test_two_workers_create_one_key_and_accept_a_ticket_once(database, start):
    first, second = start("one"), start("two")
    keys = await asyncio.gather(kept_keys(first.store), kept_keys(second.store))
    assert keys[0] == keys[1]
    _, ticket = first.keys.promise("ada")
    wishes = {"game": "chi", "ticket": ticket, "hash": fairness.nonce_hash("ab" * 16)}
    opened = await asyncio.gather(
        *(open_table(room, "ada", **wishes) for room in (first, second) for _ in range(3)), return_exceptions=True
    )
    failed = [one for one in opened if isinstance(one, FairdealError)]
    assert [str(one)[:36] for one in failed] == ["this commitment has already been used"[:36]] * 5


async def test_a_connection_that_breaks_does_not_give_the_tables_away(start, database):
    only = start("one")
    live, ada, _ = await seat_two(only, options=FIRST)
    end_connections(database)
    await done(ada.play("draw 0"))
    await only.store.renew()
    assert lease_of(only.store, live) == (only.store.lease.id, 1)
