"""Whose time runs, and for how long: a turn's time is its own, and coming and going gives nobody more of it."""

import asyncio
import time

import pytest

from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import open_table
from fairdeal.server.tables.seating import join, leave, start
from fairdeal.table.clocks import GRACE
from tests.server.in_process import Ticker, Viewer, done, refused, seat_two, seated, until

FIRST = {"first_player": 0}
TOGETHER = {"players": 3, "max_rounds": 1, "reveal": "simultaneous"}


@pytest.fixture
def wall(monkeypatch):
    """The time of day, which the test sets."""
    made = Ticker()
    made.seconds = time.time()
    monkeypatch.setattr(time, "time", made)
    return made


@pytest.fixture
async def room(restart, ticker):
    return await restart(ticker=ticker)


def left(live, seat):
    """Return the seconds that a seat has left."""
    return live.pace.clocks.deadlines[seat] - live.pace.now()


async def called(live):
    """Call time, and return how many entries the table has then."""
    await live.driver.call_time(live)
    return live.number


async def seat_three_together(room, clock):
    guests = "ada", "ben", "cleo"
    live = await seated(room, *guests, game="chimax-books", options=TOGETHER, clock=clock)
    viewers = [Viewer(room, live, guest) for guest in guests]
    assert live.sitting.state.to_act == (0, 1, 2)
    return live, viewers


async def test_what_rivals_do_gives_nobody_more_time_whether_here_or_away(room, ticker):
    live, viewers = await seat_three_together(room, clock=60)
    live.pace.pause = 100.0  # a bot that stands in thinks long
    assert left(live, 2) == 60
    for mover in (0, 1):
        ticker.seconds += 10
        viewers[2].go()
        await leave(live, "cleo")
        await done(viewers[mover].play())
        viewers[2] = Viewer(room, live, "cleo")
        await viewers[2].arrive()
    assert left(live, 2) == 40
    ticker.seconds += 40
    assert await called(live) == 3


async def test_leaving_and_coming_back_gives_nobody_more_time(room, ticker):
    live, ada, _ = await seat_two(room, clock=60, options=FIRST)
    live.pace.pause = 100.0  # no bot moves here
    for _ in range(3):
        ticker.seconds += 5
        ada.go()
        await leave(live, "ada")
        assert live.scene(1).seats[0].clock is None
        ada = Viewer(room, live, "ada")
        await ada.arrive()
        assert not live.seats[0].stand_in
    assert left(live, 0) == 45
    await done(ada.stand_in(0))
    await done(ada.stand_in(0, on=False))
    assert left(live, 0) == 45
    assert live.scene(0).seats[0].clock.left == 45


async def test_taking_back_gives_nobody_more_time(room, ticker):
    live, ada, _ = await seat_two(room, "chip-it", clock=60, options=FIRST | {"players": 2})
    for used in (50, 5, 3):
        ticker.seconds += used
        await done(ada.play("pass 1"))
        assert left(live, 1) == 60
        ticker.seconds += 7
        await done(ada.undo())
        assert list(live.pace.clocks.deadlines) == [0]
    assert left(live, 0) == 2


async def test_the_times_are_the_same_after_a_restart(room, restart, ticker, wall):
    live, viewers = await seat_three_together(room, clock=600)
    for mover in (0, 1):
        wall.seconds += 100
        ticker.seconds += 100
        await done(viewers[mover].play())
    assert left(live, 2) == 400
    for passed, seconds in ((50, 350), (1000, GRACE), (-86400, 600)):
        wall.seconds += passed
        back = await (await restart(ticker=Ticker())).find(live.id)
        assert back.sitting.state.to_act == (2,)
        assert left(back, 2) == pytest.approx(seconds)


async def test_the_first_turn_has_its_time_from_the_deal_on_also_after_a_restart(room, restart, wall):
    live = await open_table(room, "ada", game="chi", chairs=("you", "person"), clock=600, options=FIRST)
    wall.seconds += 5000
    await join(live, "ben", None, "")
    assert left(live, 0) == 600
    wall.seconds += 20
    again = await restart(ticker=Ticker())
    assert left(await again.find(live.id), 0) == pytest.approx(580)


async def test_a_time_that_is_over_makes_the_move_once(room, ticker):
    live, _, _ = await seat_two(room, clock=60, options=FIRST)
    ticker.seconds += 59.9
    assert await called(live) == 0
    ticker.seconds += 0.2
    await live.driver.call_time(live)
    assert await called(live) == 1


async def test_everybody_reads_for_whom_a_bot_played_also_after_a_restart(room, restart, ticker, wall):
    live, ada, ben = await seat_two(room, clock=60, options=FIRST)
    for clock in (ticker, wall):
        clock.seconds += 61
    assert await called(live) == 1
    rivals = f"A bot played for {live.seats[0].name}. "
    assert ada.scene["events"][0]["text"].startswith("A bot played for you. You ")
    assert ben.scene["events"][0]["text"].startswith(rivals)
    assert ben.scene["recap"][0]["text"].startswith(rivals)
    back = await (await restart(ticker=Ticker())).find(live.id)
    assert back.sitting.lines(1, 0)[0].text.startswith("A bot played for you. ")


async def test_a_guest_who_comes_back_sees_what_happened_and_the_moves_of_a_stand_in(room, ticker):
    live, viewers = await seat_three_together(room, clock=0)
    await done(viewers[2].play())
    viewers[2].go()
    await leave(live, "cleo")
    for mover in (0, 1):
        await done(viewers[mover].play())
    await until(lambda: live.sitting.state.to_act == (0, 1))
    back = Viewer(room, live, "cleo")
    await back.arrive()
    assert back.heard[0]["scene"]["stood_in"] == 1
    for mover in (0, 1):
        await done(viewers[mover].play())
    recap = back.scene["recap"]
    assert {one["seat"] for one in recap} == {0, 1, 2}
    assert next(one["text"] for one in recap if one["seat"] == 2).startswith("A bot played for you. ")
    assert sum(one.get("moves", 1) for one in recap) == live.number - 1


async def test_a_time_that_ran_out_while_the_room_was_away_is_excused_and_shown(room, ticker):
    live, ada, _ = await seat_two(room, clock=60, options=FIRST)
    ticker.seconds += 300
    await live.driver.call_time(live)
    assert (live.number, left(live, 0)) == (0, GRACE)
    assert ada.scene["seats"][0]["clock"]["left"] == GRACE
    ticker.seconds += GRACE
    assert await called(live) == 1


async def test_a_bot_plays_for_who_is_away_only_after_a_time_of_grace(room, ticker):
    """Nobody who is away is said to be choosing."""
    live, ada, ben = await seat_two(room, options={"first_player": 1})
    name = live.seats[1].name
    assert asked(live) == f"{name} is choosing"
    ben.go()
    assert asked(live) == ada.scene["prompt"]["text"] == f"{name} is away"
    ticker.seconds += 2.5
    told = (await refused(ada.stand_in(1)))["reason"]
    assert told == f"{live.seats[1].name} may still come back; try again in 8 seconds"
    assert live.facts("ada").chairs[1].grace == GRACE - 2.5
    again = Viewer(room, live, "ben")
    ticker.seconds += GRACE
    assert "is here" in (await ada.stand_in(1))["reason"]
    second = Viewer(room, live, "ben")
    again.go()
    assert "is here" in (await ada.stand_in(1))["reason"]
    second.go()
    ticker.seconds += GRACE - 0.1
    assert "1 second" in (await ada.stand_in(1))["reason"]
    ticker.seconds += 0.1
    await done(ada.stand_in(1))
    assert live.seats[1].stand_in
    assert asked(live) == f"A bot plays for {name}"


def asked(live):
    """Return the prompt that the first player sees now."""
    return live.scene(0).prompt.text


async def test_after_a_restart_everybody_has_the_time_of_grace(room, restart):
    live, _, _ = await seat_two(room, options=FIRST)
    later = Ticker()
    later.seconds = 5.0
    again = await restart(ticker=later)
    ada = Viewer(again, await again.find(live.id), "ada")
    assert "10 seconds" in (await ada.stand_in(1))["reason"]
    later.seconds += GRACE
    await done(ada.stand_in(1))


# --- what waits for the lock looks again when it has it -------------------------------------------------------------


async def in_order(live, *requests):
    """Ask all of these while the table is busy, so that each waits for the one before."""
    async with live.lock:
        tasks = []
        for request in requests:
            tasks.append(asyncio.create_task(request))
            await asyncio.sleep(0.02)
    return await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_late_leave_throws_nobody_else_out(room):
    live = await open_table(room, "ada", game="chi", chairs=("you", "person"), options=FIRST)
    await in_order(live, leave(live, "ada"), join(live, "ben", None, ""), leave(live, "ada"))
    assert [place.guest for place in live.seats] == ["ben", None]


async def test_a_bot_does_not_take_the_seat_of_who_has_just_come_back(room, ticker):
    live, ada, ben = await seat_two(room, options=FIRST)
    ben.go()
    ticker.seconds += GRACE

    async def come_back():
        await Viewer(room, live, "ben").arrive()

    await in_order(live, ada.stand_in(1), come_back())
    assert not live.seats[1].stand_in
    assert any("is here" in message.get("reason", "") for message in ada.heard)


async def test_a_table_begins_once_however_many_ask_at_once(room):
    live = await open_table(room, "ada", game="chi", chairs=("you", "person"), options=FIRST)
    answers = await in_order(live, start(live, "ada"), join(live, "ben", None, ""), start(live, "ada"))
    assert [str(answer) for answer in answers if answer] == ["this game has begun; you can watch it"]
    assert [place.guest for place in live.seats] == ["ada", None]


# --- how quick bots are ---------------------------------------------------------------------------------------------


async def test_against_bots_alone_one_person_says_how_quick_they_are(restart, ticker):
    room = await restart(pause=0.7, ticker=ticker)
    live = await open_table(room, "ada", game="chi", chairs=("you", "greedy"), options={"first_player": 1})
    ada = Viewer(room, live, "ada")

    async def waits(speed):
        await done(ada.ask(m.Speed(id=speed, speed=speed)))
        return round(live.pace.next_bot(live.sitting)[0] - ticker.seconds, 3)

    assert await waits("slow") == 1.4
    assert await waits("normal") == 0.7
    assert await waits("instant") == 0


async def test_where_others_play_nobody_says_how_quick_bots_are(room):
    live, ada, _ = await seat_two(room, options=FIRST)
    live.pace.pause = 0.7
    assert "only if all others who still play are bots" in (await ada.ask(m.Speed(id="s", speed="instant")))["reason"]
    assert live.pace.pause == 0.7
    watcher = Viewer(room, live, "dora")
    await refused(watcher.ask(m.Speed(id="s", speed="slow")))


# --- calm races -----------------------------------------------------------------------------------------------------

RACE, CALM = 8, 20
"""Seconds of a race by the rules, and of a calm one."""

ARMIES = (["monster/speed", "ninja/3"], ["princess/4", "princess/5"], ["ninja/K", "ninja/5"])


async def seat_for_races(room, **wishes):
    """A table of WAR for Ada, Ben and a bot that takes its time."""
    chairs, options = ("you", "person", "greedy"), {"players": 3, "equipment": False, "ask_extreme": False}
    live = await seated(room, "ada", "ben", game="war-xtreme", chairs=chairs, options=options, **wishes)
    return live, Viewer(room, live, "ada"), Viewer(room, live, "ben")


async def race(live):
    """Let a race begin: all have flipped, and a Speed card is the highest."""
    sitting = live.sitting
    sitting.state = sitting.table.setup({"seats": [{"army": army} for army in ARMIES]}, seed=1)
    sitting.views.clear()
    for seat in range(3):
        async with live.lock:
            await live.enter(seat, "flip")
    live.tell()


def times(viewers):
    """Return how long a race lasts in all and when it ends, as the viewers were told last."""
    prompts = [viewer.scene["prompt"] for viewer in viewers]
    return {(prompt["lasts"], round(prompt["until"] - time.time())) for prompt in prompts}


@pytest.mark.parametrize(("calm", "seconds"), [(False, RACE), (True, CALM)])
async def test_at_a_table_with_calm_races_all_have_longer_and_bots_take_longer(calm, seconds, restart, ticker):
    room = await restart(pause=0.7, ticker=ticker)
    live, *viewers = await seat_for_races(room, calm=calm)
    await race(live)
    assert times(viewers) == {(seconds, seconds)}
    low, high = (part * seconds / RACE for part in live.sitting.table.game.tempo(live.sitting.state.record))
    answers = [live.pace.reflexes.due.clear() or live.pace.next_bot(live.sitting)[0] for _ in range(40)]
    assert all(low <= when - ticker.seconds <= high for when in answers)
    assert max(answers) - ticker.seconds > high * 0.7
    ticker.seconds += seconds - 0.1
    assert await called(live) == 3
    ticker.seconds += 0.2
    assert await called(live) == 4


async def test_one_guests_wish_makes_races_calm_for_all_and_stays_secret(room, ticker):
    live, ada, ben = await seat_for_races(room)
    live.pace.pause = 1.0
    assert live.facts("ada").calm is False
    await race(live)
    ticker.seconds += 3
    await done(ben.ask(m.Calm(id="c")))
    assert times([ada, ben]) == {(CALM, CALM - 3)}
    assert live.facts("ada").calm is live.facts("dora").calm is True
    assert [chair.calm for chair in live.facts("ben").chairs] == [False, True, False]
    assert not any(chair.calm for guest in ("ada", "dora") for chair in live.facts(guest).chairs)
    ben.go()
    assert live.facts("ada").calm, "who is away for a moment is still waited for"
    await leave(live, "ben")
    assert not live.facts("ada").calm, "a bot plays on, which is in no hurry of its own"
    ben = Viewer(room, live, "ben")
    await ben.arrive()
    assert live.facts("ada").calm
    await ben.ask(m.Calm(id="d", on=False))
    assert not live.facts("ada").calm


async def test_a_wish_for_calm_races_is_kept_and_only_a_player_has_one(room, restart, ticker):
    live, _, ben = await seat_for_races(room)
    dora = Viewer(room, live, "dora")
    await refused(dora.ask(m.Calm(id="c")))
    await ben.ask(m.Calm(id="c"))
    again = await restart(ticker=ticker)
    live = await again.find(live.id)
    assert live.facts("ada").calm
    assert live.pace.round_clock.calm
    assert live.pace.reflexes.calm


async def test_a_game_without_races_has_no_calm_ones(room):
    live, ada, _ = await seat_two(room, options=FIRST)
    await ada.ask(m.Calm(id="c"))
    assert live.facts("ada").calm is None
