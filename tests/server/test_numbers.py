"""The numbers of a deal: bound first, shown when all are bound, and nobody's to choose."""

import asyncio
import json

import pytest

from fairdeal.engine.errors import FairdealError
from fairdeal.server.api.opening import branch, form_rematch, open_table, rematch
from fairdeal.server.limits import LimitSettings
from fairdeal.server.room import Room
from fairdeal.server.storage.promises import Keys, kept_keys
from fairdeal.server.tables import seating
from fairdeal.server.tables.dealing import show_number
from fairdeal.server.tables.seating import join, leave, start
from fairdeal.table import fairness
from fairdeal.table.log import Failed, read_log
from fairdeal.table.verification import verify
from tests.conftest import refusal
from tests.server.in_process import BOTH_DATABASES, Viewer, done, move, rest, rows, seat_two, seated, until

NONCES = {"ada": "a1" * 16, "ben": "b2" * 16, "eve": "e3" * 16}
HASHES = {name: fairness.nonce_hash(nonce) for name, nonce in NONCES.items()}


@pytest.fixture
async def hasty(restart):
    """A room that does not wait long for numbers."""
    return await restart(limits=LimitSettings(nonces=0.05))


@pytest.fixture
async def asked(inside):
    """A finished game of Ada, who has asked for a rematch, and Ben."""
    live, ada, ben = await seat_two(inside, options={"players": 2, "stacks_to_end": 4})
    await move(live, 1000)
    async with live.changing():
        await rematch(inside, live, ada.connection, HASHES["ada"])
    return live, ben


async def two_bound(room, game="chi", *others, **wishes):
    """Open a table for Ada, others who give no number, and Ben; Ada and Ben are bound and have not shown a number."""
    live = await open_table(
        room,
        "ada",
        game=game,
        chairs=["you", "person", *["person"] * len(others)],
        ticket=room.keys.promise("ada")[1],
        hash=HASHES["ada"],
        options={"players": 2 + len(others)},
        **wishes,
    )
    for other in others:
        await join(live, other, None, "")
    assert live.stage == "seats"
    await join(live, "ben", None, HASHES["ben"])
    assert live.stage == "numbers"
    return live


async def ben_silent(room, **wishes):
    """Their table, when the time to show is over and only Ada has shown her number."""
    live = await two_bound(room, **wishes)
    await show(live, "ada")
    await until(lambda: live.seats.late or live.status == "running")
    return live


async def show(live, guest):
    await show_number(live, guest, NONCES[guest], "")


def header_of(live):
    return live.facts("ada").deal.header


async def test_numbers_are_shown_when_all_are_bound_and_are_those_that_were_bound(inside):
    live = await open_table(inside, "ada", game="chi", chairs=["you", "person"], ticket="0" * 32, hash=HASHES["ada"])

    async def is_refused(guest, nonce, commitment, words):
        with refusal(words):
            await show_number(live, guest, nonce, commitment)
        assert live.status == "open"

    await is_refused("ada", NONCES["ada"], "", "after every seat has committed")
    await join(live, "ben", None, HASHES["ben"])
    for guess in (NONCES["ben"], "a1", "a1" * 1000, "A1" * 16, "zz" * 16):
        await is_refused("ada", guess, "", "does not match your hash")
    await is_refused("ada", "", HASHES["eve"], "committed to another nonce")
    await is_refused("eve", NONCES["eve"], "", "not seated")
    for _ in range(2):  # once more, as after a lost response
        await show(live, "ada")
        assert live.status == "open"
    await show(live, "ben")
    assert live.status == "running"
    for name in ("ada", "ben"):
        assert f"nonce {NONCES[name]} given {HASHES[name]}" in header_of(live)


async def test_a_guest_who_gives_no_number_gets_one_that_follows_from_the_seed(inside):
    live = await seated(inside, "ada", "ben")
    assert live.status == "running"
    for seat in range(2):
        assert f"nonce {fairness.seed_nonce(live.terms.seed, seat)} from the seed" in header_of(live)


async def test_who_is_silent_is_named_and_the_deal_waits(hasty):
    live = await ben_silent(hasty)
    assert [chair.name for chair in live.facts("ada").chairs if chair.late] == [live.seats[1].name]
    assert (live.status, live.stage) == ("open", "numbers")
    await show(live, "ben")
    assert live.status == "running"
    assert not any(chair.late for chair in live.facts("ada").chairs)


async def test_a_table_that_does_not_wait_goes_on_without_the_number_and_says_so(hasty):
    live = await ben_silent(hasty, waits=False)
    await until(lambda: live.status == "running")
    assert f"nonce {fairness.seed_nonce(live.terms.seed, 1)} withheld {HASHES['ben']}" in header_of(live)
    with pytest.raises(FairdealError):
        await show(live, "ben")


async def test_who_comes_after_numbers_were_shown_cannot_suit_theirs_to_them(hasty):
    live = await two_bound(hasty)
    await show(live, "ada")
    await leave(live, "ben")
    await join(live, "eve", None, HASHES["eve"])
    assert (live.stage, live.seats.attempt) == ("hashes", 2)
    assert [chair.asked for chair in live.facts("ada").chairs] == [True, False]
    with refusal("after every seat has committed"):
        await show(live, "eve")
    again = fairness.new_nonce()
    await show_number(live, "ada", "", fairness.nonce_hash(again))
    with refusal("does not match your hash"):
        await show(live, "ada")
    await show(live, "eve")
    await show_number(live, "ada", again, "")
    assert live.status == "running"
    assert f"table {live.id} attempt 2" in header_of(live)
    assert 'failed {"attempt":1,"left":[[1,"' in header_of(live)
    log = read_log(live.sitting.log.text())
    assert log.failed == (Failed(1, ((1, "Guest 2"),), (0,)),)


async def test_after_many_failed_deals_nobody_can_join(inside, monkeypatch):
    monkeypatch.setattr(seating, "MOST_FAILED", 2)
    live = await two_bound(inside)
    for failed in (1, 2):
        await show(live, "ada")
        await leave(live, "ben")
        assert len(live.seats.failed) == failed
        if failed == 1:
            await join(live, "ben", None, HASHES["ben"])
            await show_number(live, "ada", "", HASHES["ada"])
    with refusal("too many deals failed"):
        await join(live, "ben", None, HASHES["ben"])


@BOTH_DATABASES
async def test_a_seat_that_is_left_before_a_number_arrives_begins_a_new_attempt(inside, restart):
    live = await two_bound(inside)
    assert live.facts("ada").deal.outline  # for which Ada's number may be under way
    await leave(live, "ben")
    with refusal("after every seat has committed"):
        await show(live, "ada")
    assert (live.seats.attempt, live.facts("ada").deal.failed) == (2, ())
    assert live.facts("ada").chairs[0].asked
    await show_number(live, "ada", "", HASHES["eve"])
    await join(live, "ben", None, HASHES["ben"])
    await show_number(live, "ada", NONCES["eve"], "")
    await leave(live, "ben")
    failed = live.facts("ada").deal.failed
    assert [(one.attempt, one.shown) for one in failed] == [(2, (0,))]
    again = await (await restart()).find(live.id)
    assert (again.seats.attempt, again.facts("ada").deal.failed) == (3, failed)


@BOTH_DATABASES
async def test_who_asked_for_a_rematch_has_asked_after_a_restart(asked, restart):
    live, _ = asked
    again = await (await restart()).find(live.id)
    assert again.seats.ready == {0: HASHES["ada"]}


async def test_the_host_can_go_on_without_a_silent_guest_and_all_numbers_are_new(hasty):
    live = await two_bound(hasty)
    await show(live, "ada")
    await start(live, "ada")
    assert live.seats[1].plays == "person"  # not silent for long enough
    await until(lambda: live.seats.late)
    await start(live, "ada")
    assert (live.seats[1].name, live.stage, live.seats.attempt) == ("Juno", "hashes", 2)
    await show_number(live, "ada", "", HASHES["eve"])
    await show_number(live, "ada", NONCES["eve"], "")
    assert live.status == "running"


async def test_who_comes_late_has_all_the_time_that_others_had(restart):
    inside = await restart(limits=LimitSettings(nonces=1.5))
    live = await two_bound(inside, waits=False)
    await asyncio.sleep(1.2)
    await leave(live, "ben")
    await show_number(live, "ada", "", HASHES["ada"])
    await join(live, "eve", None, HASHES["eve"])
    await show(live, "ada")
    await asyncio.sleep(0.5)
    assert live.status == "open"
    await show(live, "eve")
    assert f"nonce {NONCES['eve']} given" in header_of(live)


async def test_a_late_guest_who_says_nothing_stays_late(hasty):
    live = await ben_silent(hasty)
    await show_number(live, "ben", "", "")
    await show_number(live, "ben", "", HASHES["ben"])
    assert live.seats.late == {1}
    await start(live, "ada")
    assert live.seats[1].plays.startswith("juno:")


async def test_where_numbers_are_asked_for_again_only_who_is_not_bound_is_late(restart):
    room = await restart(limits=LimitSettings(nonces=0.3))
    live = await two_bound(room, "chip-it", "cy", waits=False)  # Cy gives no number, and is never asked for one
    await show(live, "ada")
    await leave(live, "ben")
    await join(live, "eve", None, HASHES["eve"])
    assert [chair.asked for chair in live.facts("ada").chairs] == [True, False, False]
    await until(lambda: live.seats.late)
    assert (live.seats.late, live.stage) == ({0}, "numbers")
    await show(live, "eve")
    for line, words in zip(header_of(live).splitlines()[-3:], ("from the seed", "from the seed", "given"), strict=True):
        assert words in line


async def test_everything_except_the_numbers_is_sent_before_they_are_shown(inside):
    live = await two_bound(inside)
    outline = live.facts("ada").deal.outline
    assert outline.splitlines()[-2].endswith(f"bound {HASHES['ada']}")
    assert NONCES["ada"] not in outline
    await show(live, "ada")
    assert live.facts("ada").deal.outline == outline
    await show(live, "ben")
    assert live.sitting.log.outline() == outline
    assert live.facts("ada").deal.outline == ""


async def test_a_rematch_begins_when_who_has_not_asked_goes(inside, asked):
    live, ben = asked
    assert not live.rematch
    ben.go()
    async with live.changing():
        await form_rematch(inside, live)
    assert live.rematch
    assert fairness.commitment(inside.live[live.rematch].terms.seed) == live.facts("ada").deal.next


async def test_a_branch_after_a_move_that_was_taken_back_verifies(inside):
    """Also where a random bot plays, whose moves follow from the number of the entry."""
    options = {"players": 2, "stacks_to_end": 4, "first_player": 0}
    live = await open_table(inside, "ada", game="chi", chairs=["you", "random"], options=options)
    ada = Viewer(inside, live, "ada")
    undone = False
    while live.status == "running":
        await until(lambda: 0 in live.sitting.state.to_act or live.status == "over")
        live.pace.pause = 0.0 if undone else 60.0  # or the bot moves before the undo has been checked
        await move(live)
        undone = undone or (live.status == "running" and (await ada.undo())["type"] == "done")
        live.pace.pause = 0.0
        live.wake()
    assert undone
    first, _ = verify(live.sitting.log.text())
    again = await branch(inside, live, "ada", live.sitting.moves_made - 2, 0)
    Viewer(inside, again, "ada")
    while again.status == "running":
        await until(lambda: 0 in again.sitting.state.to_act or again.status == "over")
        await move(again)
    log, _ = verify(again.sitting.log.text())
    assert log.header() == first.header()
    assert any(entry.text == "undo" for entry in log.entries)


@BOTH_DATABASES
async def test_a_room_that_ended_before_the_deal_waits_for_the_numbers_again(inside, restart):
    table = (await two_bound(inside)).id
    await show_number(await inside.find(table), "ada", NONCES["ada"], "")
    live = await (await restart()).find(table)
    assert live.stage == "numbers"
    await show(live, "ben")
    assert live.status == "running"
    assert NONCES["ada"] in header_of(live)


@BOTH_DATABASES
async def test_a_promise_outlives_a_restart_and_a_flood_and_is_used_once(store):
    promise, ticket = (await kept_keys(store)).promise("ada")
    room = Room(store, pause=0, keys=await kept_keys(store))
    flood = {room.keys.promise(f"guest {number}")[0] for number in range(20_000)}
    assert len(flood) == 20_000
    with refusal("commitment"):
        await open_table(room, "ada", game="chi", hash=HASHES["ada"])
    live = await open_table(room, "ada", game="chi", ticket=ticket)
    assert fairness.commitment(live.terms.seed) == promise
    with refusal("commitment has already been used"):
        await open_table(room, "ada", game="chi", ticket=ticket)
    with refusal("32 hexadecimal digits"):
        await open_table(room, "ada", game="chi", ticket="nothing")
    stolen = await open_table(room, "eve", game="chi", ticket=ticket)
    assert stolen.terms.seed != live.terms.seed
    await rest(room)


def test_tickets_tell_nothing_of_the_seed_and_no_two_seeds_are_the_same():
    keys = Keys()
    seeds = {keys.promised("ada", keys.promise("ada")[1]) for _ in range(500)}
    seeds |= {keys.next_seed(str(number)) for number in range(500)}
    assert len(seeds) == 1000
    assert Keys().promised("ada", "0" * 32) != Keys().promised("ada", "0" * 32)


async def test_a_branch_never_passes_as_a_first_game(guest):
    async def finished(live):
        """Leave a table to bots, which play it to its end, and return the text of its log."""
        ada = Viewer(guest.room, live, guest.guest)
        await done(ada.stand_in(0))
        await until(lambda: live.status == "over")
        return (await guest.get(f"/api/tables/{live.id}/log")).body.decode()

    live = await guest.open("chi", "you", "greedy", options={"stacks_to_end": 4})
    first = read_log(await finished(live))
    again = await branch(guest.room, live, guest.guest, 3, 0)
    log, found = verify(await finished(again))
    assert log.header() == first.header()
    assert (log.branch.table, log.branch.entry, log.branch.chain) == (again.id, 3, first.chains()[3])
    texts = {one.check: one.text for one in found if one.ok is None}
    assert texts["log"] == "This game continues another game, whose cards were known."


async def test_seeds_to_come_are_not_in_the_database(guest):
    promise, store = (await guest.post("/api/promise")).json(), guest.room.store
    names = rows(store, "select name from sqlite_master where type = 'table'")
    kept = [rows(store, f"select * from {name}") for (name,) in names]
    assert sum(map(len, kept)) >= 2
    assert promise["promise"] not in json.dumps(kept, default=str)
