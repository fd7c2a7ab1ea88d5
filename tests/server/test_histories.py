"""Rooms with one mistake each, which the check of histories has to find."""

import time

import pytest

from fairdeal.server.storage.store import NotSaved, NumberTaken, Store, entries
from fairdeal.server.tables.audience import Audience
from fairdeal.table.log import Move, taking_back
from fairdeal.table.sitting import Sitting
from tests.server.histories import Told, check, final
from tests.server.in_process import InsideRoom, Viewer, done, refused, seat_two

OPTIONS = {"first_player": 0, "players": 2}


@pytest.fixture
async def room(restart):
    return await restart()


@pytest.fixture
async def players(room):
    """Ada, who begins, and Ben, at a table of CHIP IT."""
    _, *players = await seat_two(room, "chip-it", options=OPTIONS)
    for player in players:
        await player.arrive()
    return players


async def play(players, times):
    """Play moves of hints."""
    for _ in range(times):
        mover = players[players[0].live.sitting.state.to_act[0]]
        await done(mover.play())


async def come_back(room, players):
    """Return new connections of players to a room that was started again, with their histories."""
    live = await room.find(players[0].live.id)
    back = [Viewer(room, live, player.connection.guest) for player in players]
    for player, before in zip(back, players, strict=True):
        player.history, player.count = before.history, before.count
        await player.arrive()
    return back


async def checked(store, players):
    check(await final(InsideRoom(store), players[0].live.id), [player.history for player in players])


async def is_found(store, players, words):
    """Check that the histories of players contradict the log, in these words."""
    with pytest.raises(AssertionError, match=words):
        await checked(store, players)


@pytest.fixture
def loses_answers(monkeypatch):
    """A store that saves entries, but says that it has not."""
    append = Store.append

    async def answer_is_lost(self, *of, **entry):
        await append(self, *of, **entry)
        raise NotSaved("the line is broken")

    monkeypatch.setattr(Store, "append", answer_is_lost)
    return append


async def test_a_room_without_a_mistake_passes(store, restart, players):
    ada, ben = players
    await done(ada.play("pass 1", id="pass"))
    await done(ada.undo(id="undo"))
    await refused(ben.play())
    await done(ada.play("pass 1", id="pass"))
    await done(ada.undo(id="undo"))
    await play(players, 6)
    eve = Viewer(ada.room, ada.live, "eve")
    await eve.arrive()
    await play(players, 3)
    players = await come_back(await restart(), [ada, ben, eve])
    await play(players, 6)
    await checked(store, players)
    assert [len(player.history.done) for player in players] == [10, 7, 0]
    assert min(len(player.history.told) for player in players) > 10


async def test_a_history_without_a_statement_is_no_success(store, room):
    _, ada, _ = await seat_two(room)
    await is_found(store, [ada], "no client received a message")


async def test_a_move_that_is_acknowledged_before_it_is_saved_is_missed_after_a_kill(
    store, restart, players, monkeypatch
):
    async def later(self, *of, **entry):
        """The room is killed before this is written."""

    await play(players, 2)
    monkeypatch.setattr(Store, "append", later)
    await done(players[0].play(id="last"))
    await come_back(await restart(), players)
    lost = "^ada was told that last is entry 3, but the final log has only 2 entries for seat 0$"
    await is_found(store, players, lost)


async def test_an_acknowledged_move_that_gives_way_to_another_is_missed(store, restart, players):
    await done(players[0].play("pass 1", id="first"))
    await store.write(lambda c: c.execute(entries.delete()))
    (ada, _) = await come_back(await restart(), players)
    await done(ada.play(id="other"))
    lost = r"^ada was told that first is entry 1, but the final log has 'seat 0 .*' by the request 'ada:other'$"
    await is_found(store, players, lost)


async def test_a_request_that_is_carried_out_again_when_it_is_repeated_is_found(
    store, players, loses_answers, monkeypatch
):
    async def at_the_next_number(self, *of, **entry):
        try:
            await loses_answers(self, *of, **entry)
        except NumberTaken:
            await loses_answers(self, *of, **entry | {"number": entry["number"] + 1})

    await refused(players[0].play("pass 1", id="same"))
    monkeypatch.setattr(Store, "append", at_the_next_number)
    await done(players[0].play("pass 1", id="same"))
    await is_found(store, players, r"^the request ada:same must stand once .* makes the entries \[1, 2\]$")


@pytest.mark.usefixtures("loses_answers")
async def test_a_refused_move_that_is_made_anyway_is_found(store, players):
    await refused(players[0].play("pass 1", id="same"))
    await is_found(store, players, r"^ada was told that same is refused, but it is entry 1 of")


@pytest.mark.parametrize("forged", [False, True])
async def test_a_scene_of_another_viewer_is_found(store, players, monkeypatch, forged):
    scene = Audience.scene

    def of_ada(self, sitting, viewer, draft=()):
        shown = scene(self, sitting, 0, draft)
        return shown.replaced(viewer=viewer) if forged else shown

    await play(players, 3)
    with monkeypatch.context() as patched:
        patched.setattr(Audience, "scene", of_ada)
        await play(players, 1)
    part = "(?!viewer).*" if forged else "viewer"
    wrong = f"^ben was shown another {part} at number 4 than seat 1 may see then$"
    await is_found(store, players, wrong)


async def test_an_undo_that_keeps_the_move_is_found(store, players, monkeypatch):
    def only_written(self, count=1):
        self.forget()
        self.log.add(self.salted(Move(self.log.moves[-count].seat, taking_back(count))))

    await done(players[0].play("pass 1"))
    with monkeypatch.context() as patched:
        patched.setattr(Sitting, "take_back", only_written)
        await done(players[0].undo())
    await is_found(store, players, r"^ada was shown another .* at number 2 than seat 0 may see")


async def test_an_illegal_entry_is_found(store, players):
    await play(players, 4)
    await store.write(lambda c: c.execute(entries.update().where(entries.c.number == 4).values(text="play 9g as 9")))
    for player in players:
        player.history.told = [told for told in player.history.told if told.number < 4]
    await is_found(store, players, r"^entry 4 of the final log is not legal: ")


async def test_what_comes_too_late_or_too_early_is_found(store, players):
    await play(players, 4)
    ada, ben = (player.history for player in players)
    wrong = "^ada asked r2 after (ada|ben) was told of entry 4, but it is entry [34] of the final log$"
    asked, ada.asked["r2"] = ada.asked["r2"], time.monotonic()
    await is_found(store, players, wrong)
    ada.asked["r2"] = asked
    now = time.monotonic()
    ben.told.append(Told(now, now, 3))
    await is_found(store, players, r"^ben asked after .* told of entry 4, and must be shown it, .* 3$")
    ben.told[-1:] = [Told(now, 0.0, 4, epoch=2), Told(now + 2, now + 1, 4, epoch=1)]
    await is_found(store, players, r"^ben was told of epoch 1 at number 4, but ben of 2 before$")


async def test_an_owner_that_goes_on_after_another_has_taken_over_is_found(store, restart, players):
    """The old owner refuses moves, because their numbers are taken, but until then it shows the old table."""
    _, ben = players
    await play(players, 1)
    await play(await come_back(InsideRoom(store), players), 2)
    await ben.arrive()
    late = r"^ben asked after (ada|ben) was told of entry 3, and must be shown it, but was told of number 1$"
    await is_found(store, players, late)
