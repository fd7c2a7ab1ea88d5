"""Reaction windows of a live table: neither what is sent nor when tells who holds something to play."""

import itertools
import math
import random
import secrets
import time
from collections import Counter

import msgspec
import pytest

import fairdeal
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.state import State
from fairdeal.protocol import messages as m
from fairdeal.server.api.clearing import clear
from fairdeal.server.api.opening import open_table
from fairdeal.server.extras.webhooks import Webhooks, notice_of
from fairdeal.server.room import PATIENCE
from fairdeal.server.tables import windows
from fairdeal.server.tables.seating import join, leave
from fairdeal.server.tables.windows import SECONDS
from tests.server.in_process import Viewer, rows, until
from tests.server.inside import opened

OPTIONS = {"players": 3, "auto_sweep": True}
SPYGLASS, SMOKE_BOMB, GAUNTLET, FOR_PREPARATION, ALSO_FOR_PREPARATION = 4, 6, 7, 9, 10
"""A card for every window, two for the window after the flip, and two that are played before it."""

WAR, RACE = "ninja/10", "ninja/speed"
"""First cards of Ada that lead to a war, which opens a second window, and to a race."""


def position(kit, of_ada, first):
    """Return a round in which Cleo's ten takes two lower cards, or meets Ada's `first` card. Bo holds `kit`, Ada holds
    `of_ada`, and everybody sees that Cleo holds no equipment."""
    more = ["monster/3"] * 6
    return {
        "round": 5,
        "slots": ["zombie/3"] * 8,
        "tax": ["zombie/4"] * 10,
        "store": [1, 2, 3, 4, 5],
        "seats": [
            {"army": [first, "ninja/3", "ninja/4", *more], "hand": [of_ada]},
            {"army": ["princess/7", "princess/4", "princess/5", *more], "hand": [kit]},
            {"army": ["zombie/10", "zombie/3", "zombie/5", *more]},
        ],
    }


@pytest.fixture(autouse=True)
def numbered(monkeypatch):
    """The choices to pass are numbered from -1 down at each table."""
    monkeypatch.setattr(windows, "first_choice", lambda: 0)


@pytest.fixture(autouse=True)
def drawn(monkeypatch):
    """Set the number of steps that is drawn for windows; at first it is 1."""

    def draw(steps):
        monkeypatch.setattr(windows, "drawn_steps", lambda: steps)

    draw(1)
    return draw


@pytest.fixture
async def room(restart, ticker):
    return await restart(pause=0.7, ticker=ticker)


class Scene:
    """A table of WAR for three in that position, a spectator, and all that everybody hears, with the time."""

    def __init__(self, room, live, ticker):
        self.room, self.live, self.ticker = room, live, ticker
        self.read = Counter()
        self.viewers = {guest: Viewer(room, live, guest) for guest in ("ada", "ben", "cleo", "dora")}

    async def flip(self):
        for guest in ("ada", "ben", "cleo"):
            assert (await self.viewers[guest].play("flip"))["type"] == "done"

    def wait(self, seconds):
        self.ticker.seconds += seconds
        self.live.look_at_windows()

    def scene(self, guest):
        return self.viewers[guest].scene

    def heard(self, guest):
        """Return the messages to a guest since the last call, without the numbers of the log."""
        heard = self.viewers[guest].heard[self.read[guest] :]
        self.read[guest] += len(heard)
        return [plainly(message) for message in heard]


def plainly(message):
    """Return a message without its running hash, which differs at each table."""
    return {name: part for name, part in message.items() if name != "chain"}


async def table_of(
    room,
    ticker,
    kit,
    max_rounds=9,
    chairs=("you", "person", "person"),
    of_ada=ALSO_FOR_PREPARATION,
    first="ninja/5",
    **wishes,
):
    options = OPTIONS | {"max_rounds": max_rounds}
    live = await open_table(room, "ada", game="war-xtreme", chairs=chairs, options=options, **wishes)
    for guest in ("ben", "cleo"):
        if "person" in chairs:
            await join(live, guest, None, "")
    for place, name in zip(live.seats, ("Ada", "Bo", "Cleo"), strict=True):
        place.name = name
    live.sitting.names = ("Ada", "Bo", "Cleo")
    live.sitting.state = live.sitting.table.setup(
        position(kit, of_ada, first) | {"options": {"max_rounds": max_rounds}}, seed=1
    )
    live.sitting.views.clear()
    live.pace.look(live.sitting)
    return Scene(room, live, ticker)


async def test_rivals_and_spectators_hear_the_same_at_the_same_time_whether_or_not_somebody_holds_something(
    room, ticker, monkeypatch
):
    monkeypatch.setattr(time, "time", ticker)
    heard, began = {}, ticker.seconds
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        ticker.seconds = began
        table = await table_of(room, ticker, kit, clock=60)
        await table.flip()
        parts = [{guest: table.heard(guest) for guest in ("ada", "cleo", "dora")}]
        for step in range(1, 6):
            if step == 2 and kit == SMOKE_BOMB:
                assert (await table.viewers["ben"].play("pass"))["type"] == "done"
            table.wait(SECONDS / 4)
            parts.append({guest: table.heard(guest) for guest in ("ada", "cleo", "dora")})
        assert table.live.sitting.moves_made == (4 if kit == SMOKE_BOMB else 3)
        heard[kit] = parts
    assert heard[SMOKE_BOMB] == heard[FOR_PREPARATION]
    shown = [[bool(part[guest]) for part in heard[SMOKE_BOMB]] for guest in ("ada", "cleo", "dora")]
    assert shown == 3 * [[True, False, False, False, True, False]]


@pytest.mark.parametrize("first", ["ninja/5", WAR])
async def test_nothing_tells_after_a_window_whether_somebody_passed_in_it(room, ticker, monkeypatch, first):
    monkeypatch.setattr(time, "time", ticker)
    told, began = {}, ticker.seconds
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        ticker.seconds = began
        table = await table_of(room, ticker, kit, clock=60, first=first)
        await table.flip()
        table.wait(SECONDS / 2)
        if kit == SMOKE_BOMB:
            assert (await table.viewers["ben"].play("pass"))["type"] == "done"
            assert table.live.sitting.log.entries[-1].hidden
        table.wait(SECONDS / 2)
        told[kit] = [await all_told(room, table)]
        table.wait(SECONDS)
        told[kit] += [
            [one for one in table.heard(guest) if one["type"] != "table"] for guest in ("ada", "cleo", "dora")
        ]
        told[kit].append(await all_told(room, table))
        told[kit].append([(await table.viewers[guest].undo())["reason"] for guest in ("ada", "cleo")])
        assert (await table.viewers["ben"].undo())["type"] == "refused"
        if first != WAR:  # after a war, others are asked first
            assert (await table.viewers["ada"].play("flip"))["type"] == "done"
        table.wait(2 * SECONDS)
        told[kit].append(await all_told(room, table))
    for one, other in zip(*told.values(), strict=True):
        assert one == other


async def test_nobody_is_named_who_passed_before_and_after_a_card(room, ticker, monkeypatch):
    monkeypatch.setattr(time, "time", ticker)
    told, began = {}, ticker.seconds
    for of_ada in (GAUNTLET, ALSO_FOR_PREPARATION):
        ticker.seconds = began
        table = await table_of(room, ticker, SMOKE_BOMB, clock=60, of_ada=of_ada)
        await table.flip()
        asked = []
        for guest, move in (("ada", "pass"), ("ben", "equip 6"), ("ada", "pass")):
            if table.live.sitting.state.to_act == (("ada", "ben").index(guest),):
                assert (await table.viewers[guest].play(move))["type"] == "done"
                asked.append(guest)
            table.wait(SECONDS if guest == "ben" else 0)
        assert ("ada" in asked) == (of_ada == GAUNTLET), asked
        table.wait(3 * SECONDS)
        told[of_ada] = await all_told(room, table, guests=("cleo", "eve"))
    one, other = told.values()
    assert one == other


async def all_told(room, table, guests=("ada", "cleo", "eve")):
    """Return all that players and a spectator who come or ask are told, besides Ben, and without running hashes and
    what differs at every table."""
    found = []
    for guest in guests:
        late = Viewer(room, table.live, guest)
        await late.arrive()
        welcome, facts = plainly(late.heard[0]), table.live.facts(guest)
        late.go()
        welcome.pop("facts")
        last = room.last_lines.of(table.live, facts.seat) if facts.seat >= 0 else None
        found += [welcome, of_any_table(facts), last]
    seated = [guest for guest in guests if guest in table.viewers]
    found += [await table.viewers[guest].ask(m.Recall(id="recall")) for guest in seated]
    return found


async def test_during_a_window_the_cards_lie_open_and_nobody_seems_to_be_asked(room, ticker):
    table = await table_of(room, ticker, SMOKE_BOMB, clock=60)
    await table.flip()
    for guest in ("ada", "cleo", "dora"):
        scene = table.scene(guest)
        assert scene["prompt"]["text"] == "Does anybody play equipment?"
        assert not any(seat.get("acts") or seat.get("clock") for seat in scene["seats"])
        assert "ninja-5" in str(scene["zones"]) or "5" in str(scene["zones"])
        assert [choice["label"] for choice in scene.get("choices", ())] == (["Pass"] if guest == "ada" else [])
        assert any("5" in event["text"] for event in scene["events"])
    assert table.live.facts("ada").acts == table.live.facts("dora").acts == ()
    assert table.live.facts("ben").acts == (1,)
    assert table.scene("ben")["prompt"]["mode"] == "yours"


async def test_cards_travel_to_the_table_when_a_window_opens_and_home_when_it_closes(room, ticker):
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        table = await table_of(room, ticker, kit)
        await table.flip()
        for guest in ("ada", "dora"):
            assert ways(table.scene(guest)) == {(f"army{seat}", f"table{seat}") for seat in range(3)}
        if kit == SMOKE_BOMB:
            assert ways(table.scene("ben")) == ways(table.scene("ada"))
            assert (await table.viewers["ben"].play("pass"))["type"] == "done"
        table.wait(SECONDS - 0.1)
        assert all(goal.startswith("table") for _, goal in ways(table.scene("ada")))
        table.wait(0.1)
        for guest in ("ada", "ben", "dora"):
            assert ways(table.scene(guest)) == {(f"table{seat}", "camp2") for seat in range(3)}


def ways(scene):
    """Return from where to where the cards of the last move went."""
    return {(move["origin"], move["goal"]) for event in scene["events"] for move in event.get("moves", ())}


async def test_an_open_window_lasts_until_everybody_has_passed(room, ticker):
    table = await table_of(room, ticker, SMOKE_BOMB)
    await table.flip()
    before = table.scene("ada")
    table.wait(4 * SECONDS)
    assert table.scene("ada") == before
    assert (await table.viewers["ben"].play("pass"))["type"] == "done"
    table.wait(0)
    assert table.scene("ada")["sub"].endswith("round 6")
    assert [table.scene(guest)["seq"] for guest in ("ada", "ben", "dora")] == [3, 4, 3]


async def test_a_card_that_is_played_begins_a_window_of_its_own(room, ticker):
    table = await table_of(room, ticker, SMOKE_BOMB)
    await table.flip()
    table.wait(SECONDS + 1)
    assert (await table.viewers["ben"].play("equip 6"))["type"] == "done"
    for guest in ("ada", "dora"):
        assert "Smoke Bomb" not in table.scene(guest)["events"][0]["text"]
    table.wait(SECONDS - 1)
    for guest in ("ada", "dora"):
        assert "Smoke Bomb" in table.scene(guest)["events"][0]["text"]
        assert table.scene(guest)["sub"].endswith("round 5")
    table.wait(SECONDS - 0.1)
    assert table.scene("ada")["sub"].endswith("round 5")
    table.wait(0.1)
    assert table.scene("ada")["sub"].endswith("round 6")


async def test_a_second_window_does_not_repeat_what_the_first_has_told(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION, first=WAR)
    await table.flip()
    told = {guest: [] for guest in ("ada", "ben", "dora")}
    for _ in range(3):
        for guest, words in told.items():
            words.append([event["text"] for event in table.scene(guest).get("events", ())])
        table.wait(SECONDS)
    for guest, (first, second, last) in told.items():
        assert "All turn" in first[-1], guest
        assert second == ["War of 10s between you and Cleo." if guest == "ada" else "War of 10s between Ada and Cleo."]
        assert last == [], guest
        logs = [[line["text"] for line in message["log"]] for message in table.viewers[guest].heard if "log" in message]
        assert [*first, *second] in logs, f"the log of {guest} has all lines of the move"


async def test_whoever_comes_during_a_window_is_told_no_more_than_those_who_are_there(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION)
    await table.flip()
    late = Viewer(room, table.live, "eve")
    await late.arrive()
    heard = table.viewers["dora"].heard
    welcome, there = late.heard[0], next(message for message in reversed(heard) if message.get("scene"))
    assert welcome["scene"] == there["scene"]
    assert welcome["chain"] == there["chain"]
    assert [line["text"] for line in welcome["log"]][-len(there["log"]) :] == [line["text"] for line in there["log"]]
    assert welcome["facts"]["seq"] == there["scene"]["seq"] == 3
    table.wait(SECONDS)
    assert late.heard[-1]["scene"]["sub"].endswith("round 6")
    assert {line["number"] for line in late.heard[-1]["log"]} == {3}


async def test_facts_and_last_lines_do_not_tell_that_a_seat_decides_in_a_window(room, ticker, monkeypatch):
    monkeypatch.setattr(time, "time", ticker)
    heard, began = {}, ticker.seconds
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        ticker.seconds = began
        table = await table_of(room, ticker, kit, clock=60)
        await table.flip()
        heard[kit] = []
        for step in range(4):
            if step == 2 and kit == SMOKE_BOMB:
                assert (await table.viewers["ben"].play("pass"))["type"] == "done"
            for guest in ("ada", "cleo", "dora"):
                facts = table.live.facts(guest)
                heard[kit].append((of_any_table(facts), room.last_lines.of(table.live, facts.seat)))
            table.wait(SECONDS / 5)
    assert heard[SMOKE_BOMB] == heard[FOR_PREPARATION]
    assert {(facts.moved, facts.until, facts.acts) for facts, _ in heard[SMOKE_BOMB]} == {(began, 0.0, ())}


def of_any_table(facts):
    """Return facts without what differs at every table: its id and its numbers."""
    deal = msgspec.structs.replace(facts.deal, commitment="", header="", signature="")
    return msgspec.structs.replace(facts, id="any", deal=deal)


async def test_a_table_with_an_open_window_stays_awake_as_its_rows_would_tell_who_is_asked(room, store, ticker):
    for kit, stays in ((SMOKE_BOMB, True), (FOR_PREPARATION, False)):
        table = await table_of(room, ticker, kit)
        await table.flip()
        table.wait(SECONDS)
        for viewer in table.viewers.values():
            table.live.audience.connections.remove(viewer.connection)
        await until(lambda live=table.live: not live.driver.is_busy)
        for later in (PATIENCE, 2 * PATIENCE):
            room.let_sleep(time.monotonic() + later + 1)
        assert (table.live.id in room.live) == stays, kit
        last = f"select acts from entries where \"table\" = '{table.live.id}' order by number desc"
        assert (rows(store, last)[0][0] is None) == stays, kit


async def test_nothing_can_be_done_or_asked_before_the_window_is_over(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION)
    await table.flip()
    ada = table.viewers["ada"]
    assert "everybody is still looking" in (await ada.play("flip"))["reason"]
    assert "everybody is still looking" in (await ada.ask(m.Hint(id="h")))["reason"]
    assert "everybody is still looking" in (await ada.ask(m.Why(id="w", card="x")))["reason"]
    assert (await ada.ask(m.Ping(id="p")))["seq"] == 3
    table.wait(SECONDS)
    assert (await ada.play("flip"))["type"] == "done"


async def test_times_begin_when_the_window_is_over(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION, clock=60)
    await table.flip()
    pace = table.live.pace
    assert {round(when - ticker.seconds, 3) for when in pace.clocks.deadlines.values()} == {60 + SECONDS}
    table.wait(SECONDS)
    assert {seat["clock"]["left"] for seat in table.scene("dora")["seats"]} == {60}


async def test_after_a_restart_an_open_window_is_still_covered(room, store, ticker):
    table = await table_of(room, ticker, SMOKE_BOMB)
    await table.flip()
    table.live.pace.windows.read_again(table.live.sitting, ticker.seconds)
    assert table.live.scene(0).prompt.text == table.live.scene(-1).prompt.text == "Does anybody play equipment?"
    assert table.live.scene(1).prompt.mode == "yours"
    assert rows(store, "select count(*) from entries")[0][0] >= 3


async def test_where_bots_take_no_time_a_window_takes_none(restart, ticker):
    room = await restart(pause=0.0, ticker=ticker)
    table = await table_of(room, ticker, FOR_PREPARATION)
    await table.flip()
    assert table.scene("dora")["sub"].endswith("round 6")


REQUESTS = [
    m.Pick(seq=3, choice=0),
    m.Play(seq=3, move="flip"),
    m.Play(seq=4, move="flip"),
    m.Draft(),
    m.Draft(draft=(1,)),
    m.Why(card="x"),
    m.Position(),
    m.Recall(),
    m.Hint(),
    m.Undo(seq=3),
    m.Undo(seq=4),
    m.StandIn(seat=1),
    m.StandIn(seat=0),
    m.StandIn(seat=0, on=False),
    m.StandIn(seat=2, on=False),
    m.Speed(speed="slow"),
    m.Calm(),
    m.Rematch(),
    m.Ping(),
    m.Play(seq=3, move="pass"),
]
"""Requests during a window, besides looks at all cards and lines of chat."""


async def test_no_answer_tells_whether_somebody_is_asked(room, ticker, monkeypatch):
    assert {type(request) for request in REQUESTS} | {m.Inspect, m.Say} == {*m.Requests.__args__}
    monkeypatch.setattr(time, "time", ticker)
    monkeypatch.setattr(room.limits, "spend", lambda *asked: None)
    answers, began = {}, ticker.seconds
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        ticker.seconds, found = began, []
        table = await table_of(room, ticker, kit, of_ada=GAUNTLET, clock=60)
        await table.flip()
        assert (await table.viewers["ada"].play("pass"))["type"] == "done"  # Ben is asked, if anybody
        for guest in ("ada", "cleo", "dora"):
            scene = table.scene(guest)
            shown = [card["id"] for zone in scene["zones"] for card in zone.get("cards", ())]
            looks = [m.Inspect(card=card) for card in (*shown, *(f"{zone['id']}-top" for zone in scene["zones"]))]
            passes = [m.Pick(seq=seq, choice=number) for seq in (3, 4) for number in range(-2, 0)]
            for number, request in enumerate([*looks, *REQUESTS, *passes]):
                request = msgspec.structs.replace(request, id=f"{guest} {number}")
                found.append((guest, request, plainly(await table.viewers[guest].ask(request))))
        hidden = table.live.number
        if kit == SMOKE_BOMB:
            assert (await table.viewers["ben"].play("pass"))["type"] == "done"
        assert table.live.number == hidden + (kit == SMOKE_BOMB)
        for guest in ("ada", "cleo", "dora"):
            for request in (m.Say(text="hello"), m.Play(seq=3, move="flip"), m.Pick(seq=3, choice=0), m.Undo(seq=3)):
                request = msgspec.structs.replace(request, id=f"{guest} again")
                found.append((guest, request, plainly(await table.viewers[guest].ask(request))))
        answers[kit] = found
    assert len(answers[SMOKE_BOMB]) > 3 * len(REQUESTS)
    for one, other in zip(*answers.values(), strict=True):
        assert one == other


# --- steps ------------------------------------------------------------------------------------------------------


async def closing_time(table, answers):
    """Return the time after which a spectator sees the end of a window in which Ben passes after `answers` seconds, or
    is not asked if that is None. Ada and Cleo must see it at the same time."""
    await table.flip()
    now, began = 0.0, table.ticker.seconds
    while table.scene("dora")["prompt"]["text"] == "Does anybody play equipment?":
        assert table.scene("ada")["prompt"]["text"] == table.scene("cleo")["prompt"]["text"]
        assert now < 60
        if now == answers:
            assert (await table.viewers["ben"].play("pass"))["type"] == "done"
        now += 0.5
        table.wait(0.5)
    assert {table.scene(guest)["sub"] for guest in table.viewers} == {"3 players · round 6"}
    return table.ticker.seconds - began


@pytest.mark.parametrize("steps", [1, 2, 4])
async def test_a_window_closes_on_a_step_whenever_a_seat_answers_and_if_none_is_asked(room, ticker, drawn, steps):
    drawn(steps)
    assert await closing_time(await table_of(room, ticker, FOR_PREPARATION), None) == steps * SECONDS
    for answers in (0.0, 0.5, 2.0, 3.0, 7.0, 12.0):
        needed = max(1, math.ceil(answers / SECONDS))
        closed = await closing_time(await table_of(room, ticker, SMOKE_BOMB), answers)
        assert closed == max(steps, needed) * SECONDS


def test_the_steps_of_a_window_are_drawn_as_the_docs_say(monkeypatch):
    monkeypatch.undo()
    counts = Counter()
    for bits in itertools.product((0, 1), repeat=3):
        source = iter(bits)
        monkeypatch.setattr(secrets, "randbits", lambda number, source=source: next(source))
        counts[windows.drawn_steps()] += 1
    assert counts == {1: 4, 2: 2, 3: 1, 4: 1}


async def test_steps_are_drawn_only_if_several_people_play(room, ticker, drawn):
    drawn(3)
    for chairs, steps in ((("you", "person", "person"), 3), (("you", "greedy", "greedy"), 1)):
        table = await table_of(room, ticker, FOR_PREPARATION, chairs=chairs)
        for seat in range(3):
            async with table.live.lock:
                await table.live.enter(seat, "flip")
        table.wait(steps * SECONDS - 0.1)
        assert table.scene("dora")["sub"].endswith("round 5")
        table.wait(0.1)
        assert table.scene("dora")["sub"].endswith("round 6")


async def test_where_everybody_sees_that_nobody_can_be_asked_there_is_no_window(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION)
    position = table.live.sitting.state.position()
    position["store"] = sorted([*position["store"], *(card for seat in position["seats"] for card in seat["hand"])])
    position["seats"] = [seat | {"hand": []} for seat in position["seats"]]
    table.live.sitting.state = table.live.sitting.table.setup(position, seed=1)
    table.live.sitting.views.clear()
    await table.flip()
    assert table.scene("dora")["sub"].endswith("round 6")


# --- passing in advance -----------------------------------------------------------------------------------------


async def pass_now(table, guest):
    """Press the button `Pass` of a guest's scene, and return the response."""
    viewer = table.viewers[guest]
    viewer.count += 1
    scene = viewer.scene
    (choice,) = [one["id"] for one in scene["choices"] if one["label"] == "Pass"]
    return await viewer.ask(m.Pick(id=f"r{viewer.count}", seq=scene["seq"], choice=choice))


async def test_a_pass_in_advance_is_made_as_soon_as_the_seat_is_asked_and_nobody_can_tell(room, ticker, monkeypatch):
    monkeypatch.setattr(time, "time", ticker)
    heard, began = {}, ticker.seconds
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        ticker.seconds = began
        table = await table_of(room, ticker, kit, of_ada=GAUNTLET, clock=60)
        await table.flip()
        made = table.live.sitting.moves_made
        parts = [heard_by_all(table)]
        table.wait(0.5)
        answer = await pass_now(table, "ben")
        assert (answer["type"], answer["seq"]) == ("done", made)
        assert [table.heard(guest) for guest in ("ada", "cleo", "dora")] == [[], [], []]
        assert table.scene("ben")["prompt"]["sub"] == "You have passed."
        assert "choices" not in table.scene("ben")
        table.wait(1)
        assert (await table.viewers["ada"].play("pass"))["type"] == "done"
        asked = kit == SMOKE_BOMB
        await until(lambda live=table.live, count=made + 1 + asked: live.sitting.moves_made == count)
        assert table.live.sitting.log.moves[-1].by == ""
        for _ in range(3):
            table.wait(0.5)
            parts.append(heard_by_all(table))
        assert table.scene("ben")["sub"].endswith("round 6")
        heard[kit] = parts
    assert heard[SMOKE_BOMB] == heard[FOR_PREPARATION]


def heard_by_all(table):
    """Return the messages to everybody since the last call; those to Ben only while the window is shown, and without
    the cards in his own hand."""
    heard = {guest: table.heard(guest) for guest in table.viewers}
    shown = [one["scene"] for one in heard["ben"] if "anybody play" in str(one.get("scene", {}).get("prompt"))]
    return heard | {"ben": [(scene["prompt"], scene.get("choices"), scene["seats"]) for scene in shown]}


async def test_if_all_people_who_could_be_asked_pass_the_window_ends_at_its_next_step(room, ticker, drawn):
    drawn(4)
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        table = await table_of(room, ticker, kit, clock=60)
        await table.flip()
        table.wait(SECONDS + 0.5)
        assert (await pass_now(table, "ada"))["type"] == "done"
        table.wait(SECONDS)
        assert table.scene("dora")["sub"].endswith("round 5")
        assert (await pass_now(table, "ben"))["type"] == "done"
        deadlines = {round(when - ticker.seconds, 3) for when in table.live.pace.clocks.deadlines.values()}
        assert deadlines == {60 + SECONDS - 0.5}
        table.wait(SECONDS - 0.6)
        assert table.scene("dora")["sub"].endswith("round 5")
        table.wait(0.1)
        assert {table.scene(guest)["sub"] for guest in table.viewers} == {"3 players · round 6"}


async def test_a_pass_holds_for_one_window_and_is_carried_out_once(room, ticker, drawn):
    drawn(2)
    table = await table_of(room, ticker, FOR_PREPARATION)
    await table.flip()
    ada, moved = table.viewers["ada"], table.live.number
    seq = ada.scene["seq"]
    passes = m.Pick(id="p", seq=seq, choice=ada.scene["choices"][0]["id"])
    first = await ada.ask(passes)
    ada.heard.clear()
    assert await ada.ask(passes) == {"type": "done", "id": "p", "seq": first["seq"]}
    again = await ada.ask(msgspec.structs.replace(passes, id="q"))
    assert "everybody is still looking" in again["reason"]
    assert "everybody is still looking" in (await ada.ask(m.Play(id="s", seq=seq, move="flip")))["reason"]
    assert {*table.live.pace.windows.passed} == {0}
    table.wait(2 * SECONDS)
    assert table.scene("ada")["sub"].endswith("round 6")
    assert not table.live.pace.windows.passed
    assert table.live.number == moved
    for guest in ("ada", "ben", "cleo"):
        assert (await table.viewers[guest].play("flip"))["type"] == "done"
    assert [choice["label"] for choice in table.scene("ada")["choices"]] == ["Pass"]


async def test_a_pass_for_an_earlier_moment_of_the_window_counts_for_a_seat_that_is_asked_since(room, ticker):
    table = await table_of(room, ticker, SMOKE_BOMB, of_ada=GAUNTLET)
    await table.flip()
    scene = table.scene("ben")
    assert (await table.viewers["ada"].play("pass"))["type"] == "done"
    assert table.live.sitting.state.to_act == (1,)
    passes = m.Pick(id="p", seq=scene["seq"], choice=scene["choices"][0]["id"])
    assert (await table.viewers["ben"].ask(passes))["type"] == "done"
    await until(lambda: table.live.sitting.state.to_act != (1,))
    assert table.live.sitting.log.moves[-1].text == "pass"


@pytest.mark.parametrize("guest", ["cleo", "dora"])
async def test_a_guest_who_cannot_be_asked_cannot_pass(room, ticker, guest):
    table = await table_of(room, ticker, FOR_PREPARATION)
    await table.flip()
    choice = table.scene("ada")["choices"][0]["id"]
    for request in (m.Play(seq=3, move="pass"), m.Pick(seq=3, choice=choice)):
        answer = await table.viewers[guest].ask(msgspec.structs.replace(request, id=f"p{type(request).__name__}"))
        assert answer["type"] == "refused"
    assert not table.live.pace.windows.passed


def windows_pass(table, guest, **facts):
    """Return the request to pass in the window that a guest is shown."""
    scene = table.scene(guest)
    (choice,) = [one["id"] for one in scene["choices"] if one["label"] == "Pass"]
    return m.Pick(**{"id": "late", "seq": scene["seq"], "choice": choice} | facts)


@pytest.mark.parametrize("first", [WAR, RACE])
async def test_a_pass_that_comes_late_does_not_count_for_another_decision(room, ticker, first):
    table = await table_of(room, ticker, FOR_PREPARATION, first=first)
    await table.flip()
    late = windows_pass(table, "ben")
    table.wait(SECONDS)
    live = table.live
    before = live.number, live.sitting.state.to_act
    assert ("Does anybody play" in table.scene("ben")["prompt"]["text"]) == (first == WAR)
    assert "the window in which you passed has ended" in (await table.viewers["ben"].ask(late))["reason"]
    assert (live.number, live.sitting.state.to_act) == before
    assert not live.pace.windows.passed
    assert (first == RACE) == (1 in live.sitting.state.to_act)


async def test_only_the_choice_of_the_window_passes_in_advance(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION, first=WAR)
    await table.flip()
    ben = table.viewers["ben"]
    own = windows.pass_of(table.live.sitting.state, 1)
    assert windows_pass(table, "ben").choice < 0 <= own[0]
    older = await ben.ask(windows_pass(table, "ben", seq=2))
    assert "the window in which you passed has ended" in older["reason"]
    for number, request in enumerate([m.Pick(seq=3, choice=own[0]), m.Play(seq=3, move="pass")]):
        answer = await ben.ask(msgspec.structs.replace(request, id=f"own {number}"))
        assert "everybody is still looking" in answer["reason"]
    assert not table.live.pace.windows.passed
    found = []
    while "Does anybody play" in table.scene("ben")["prompt"]["text"] and len(found) < 3:
        found.append(windows_pass(table, "ben").choice)
        table.wait(SECONDS)
    assert len({*found}) == len(found) == 2


async def test_a_pass_that_is_repeated_in_the_next_window_does_not_pass_there(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION, first=WAR)
    await table.flip()
    ben, passes = table.viewers["ben"], windows_pass(table, "ben")
    first = await ben.ask(passes)
    table.wait(SECONDS)
    assert "Does anybody play" in table.scene("ben")["prompt"]["text"]
    ben.heard.clear()
    assert await ben.ask(passes) == {"type": "done", "id": "late", "seq": first["seq"]}
    assert not table.live.pace.windows.passed


async def test_a_pass_that_opens_another_window_does_not_end_its_own_before_the_drawn_steps(room, ticker, drawn):
    drawn(4)
    closed = {}
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        table = await table_of(room, ticker, kit, first=WAR)
        await table.flip()
        table.heard("dora")
        closed[kit], began = [], ticker.seconds
        for step in range(1, 41):
            if step == 2 and kit == SMOKE_BOMB:
                assert (await table.viewers["ben"].play("pass"))["type"] == "done"
            table.wait(0.5)
            if table.heard("dora"):
                closed[kit].append(ticker.seconds - began)
    assert closed[SMOKE_BOMB] == closed[FOR_PREPARATION] == [4 * SECONDS, 8 * SECONDS]


async def test_the_time_of_a_seat_that_is_asked_in_the_next_window_begins_when_that_is_shown(room, ticker):
    table = await table_of(room, ticker, SPYGLASS, first=WAR, clock=60)
    await table.flip()
    table.wait(0.5)
    assert (await table.viewers["ben"].play("pass"))["type"] == "done"
    clocks = table.live.pace.clocks
    assert table.live.sitting.state.to_act == (1,)
    assert table.live.covered(1)
    assert {seat: when - ticker.seconds for seat, when in clocks.deadlines.items()} == {1: 60 + SECONDS - 0.5}
    table.wait(SECONDS - 0.5)
    assert not table.live.covered(1)
    assert table.scene("ben")["seats"][1]["clock"]["left"] == 60


async def test_a_window_does_not_wait_for_a_guest_who_has_left(room, ticker, drawn):
    drawn(4)
    table = await table_of(room, ticker, FOR_PREPARATION)
    await table.flip()
    assert (await pass_now(table, "ben"))["type"] == "done"
    table.wait(0.5)
    await leave(table.live, "ada")
    table.wait(SECONDS - 0.6)
    assert table.scene("dora")["sub"].endswith("round 5")
    table.wait(0.1)
    assert table.scene("dora")["sub"].endswith("round 6")


@pytest.mark.parametrize("of_ada", [GAUNTLET, ALSO_FOR_PREPARATION])
async def test_a_pass_counts_from_when_it_was_made_however_long_it_is_saved(room, store, ticker, monkeypatch, of_ada):
    table = await table_of(room, ticker, SMOKE_BOMB, of_ada=of_ada)
    await table.flip()
    append = store.append

    async def slowly(**row):
        await append(**row)
        ticker.seconds += 0.2

    monkeypatch.setattr(store, "append", slowly)
    began = ticker.seconds
    if of_ada == GAUNTLET:  # Ada is asked first
        assert (await pass_now(table, "ben"))["type"] == "done"
    table.wait(SECONDS - 0.1)
    asked = "ada" if of_ada == GAUNTLET else "ben"
    assert (await table.viewers[asked].play("pass"))["type"] == "done"
    await until(lambda: table.live.number == 4 + (of_ada == GAUNTLET))
    table.wait(0)
    assert ticker.seconds < began + 2 * SECONDS
    assert {table.scene(guest)["sub"] for guest in table.viewers} == {"3 players · round 6"}


def test_the_moments_of_a_move_are_those_at_which_the_rules_ask():
    """In random games: where a seat is asked after a move, the last moment is that state with nobody asked."""
    table = fairdeal.load("war-xtreme", players=4, max_rounds=30, auto_sweep=True)
    game, chance = table.game, random.Random(5)
    asked = passed_over = 0
    for seed in range(6):
        state = table.deal(seed)
        while not state.over:
            seat = chance.choice(state.to_act)
            actions = chance.choice(list(state.action_moves(seat)))
            before = state.record.tobytes()
            moments = game.windows(state.record, seat, actions)
            assert state.record.tobytes() == before
            assert all(game.in_window(moment) and not moment.to_act for moment in moments)
            for moment in moments:
                views = [State(table, moment).view(viewer).record for viewer in (-1, 0, 1, 2, 3)]
                assert {tuple(game.could_be_asked(view)) for view in views} == {tuple(game.could_be_asked(moment))}
            was_in_window = game.in_window(state.record)
            state.play_actions(seat, actions)
            if game.in_window(state.record):
                asked += 1
                assert {*state.to_act} <= {*game.could_be_asked(state.record)}
                assert windows.PASS in state.moves(state.to_act[0])
                assert moments or was_in_window
                if moments and not was_in_window:
                    last = moments[-1]
                    for name in ("to_act", "passes", "turn"):
                        setattr(last, name, getattr(state.record, name))
                    assert last.tobytes() == state.record.tobytes()
            else:
                passed_over += bool(moments)
    assert asked > 20
    assert passed_over > 20


async def test_a_game_that_ends_behind_a_window_is_over_for_all_when_it_closes_by_itself(restart, monkeypatch):
    monkeypatch.setattr("fairdeal.server.tables.windows.SECONDS", 0.4)
    room = await restart(pause=0.7)
    table = await table_of(room, None, FOR_PREPARATION, max_rounds=5)
    await table.flip()
    live, dora = table.live, table.viewers["dora"]
    assert live.status == "over"
    assert table.scene("dora").get("mode", "live") == table.scene("ada").get("mode", "live") == "live"
    assert live.facts("dora").status == "running"
    assert live.facts("dora").deal.seed == ""
    await until(lambda: table.scene("dora").get("mode") == "over")
    assert table.scene("ada")["mode"] == "over"
    told = [message["facts"] for message in dora.heard if message["type"] == "table"]
    assert told[-1]["status"] == "over"
    assert told[-1]["deal"]["seed"]


async def test_a_game_that_has_ended_behind_a_window_seems_to_go_on(tmp_path, ticker, monkeypatch):
    monkeypatch.setattr(time, "time", ticker)
    answers, began = {}, ticker.seconds
    async with opened(tmp_path) as dora:
        dora.room.pause, dora.room.now = 0.7, ticker
        monkeypatch.setattr(dora.room.limits, "spend", lambda *asked: None)
        for max_rounds in (5, 9):
            ticker.seconds = began
            table = await table_of(dora.room, ticker, FOR_PREPARATION, max_rounds=max_rounds)
            await table.flip()
            live = table.live
            assert live.status == ("over" if max_rounds == 5 else "running")
            ways = ("log?format=9", "rules", "moments/1", "moments/1/card?card=x", "analysis", "analysis/held?move=1")
            found = [await dora.get(f"/api/tables/{live.id}/{way}") for way in ways]
            found.append(await dora.post(f"/api/tables/{live.id}/branch", move=1, seat=0))
            answers[max_rounds] = [(one.status, one.body) for one in found]
            answers[max_rounds].append(rows(dora.room.store, "select status, result from tables where id = ?", live.id))
            for number, request in enumerate(REQUESTS):
                for guest in ("ada", "dora"):
                    asked = msgspec.structs.replace(request, id=f"{guest} {number}")
                    told = await table.viewers[guest].ask(asked)  # its scene names the last round
                    answers[max_rounds].append({name: told.get(name) for name in ("type", "reason", "seq", "text")})
            with pytest.raises(FairdealError) as problem:
                await clear(dora.room, live, "ada")
            answers[max_rounds].append(str(problem.value))
            table.viewers["ben"].go()
            answers[max_rounds].append(of_any_table(live.facts("ada")).chairs)
            await leave(live, "ben")
            answers[max_rounds].append(of_any_table(live.facts("ada")).chairs)
            if max_rounds == 5:
                table.wait(SECONDS)
                finished = "select id from tables where status = 'over'"
                await until(lambda finished=finished: rows(dora.room.store, finished))
                log = await dora.get(f"/api/tables/{live.id}/log?format=9")
                assert log.status == 200, log.body
    assert answers[5] == answers[9]
    assert {one[0] for one in answers[5][:6]} == {409}


async def test_a_table_that_is_cleared_away_during_a_window_comes_to_rest(room, ticker):
    table = await table_of(room, ticker, FOR_PREPARATION, chairs=("you", "greedy", "greedy"))
    for seat in range(3):
        async with table.live.lock:
            await table.live.enter(seat, "flip")
    assert table.live.pace.windows.moments
    await clear(room, table.live, "ada")
    await until(lambda: not table.live.driver.is_busy)


async def test_who_is_away_is_notified_of_a_turn_only_when_it_is_shown(room, store, ticker, monkeypatch):
    told = []
    notices = Webhooks(store, ["hooks.example"])

    def note(live, seat, moves):
        told.append((seat, notice_of(live, live.seats[seat].guest, "")))

    monkeypatch.setattr(notices, "start", note)
    monkeypatch.setattr(room, "turned", notices.turned)
    for kit in (SMOKE_BOMB, FOR_PREPARATION):
        table = await table_of(room, ticker, kit)
        for guest in ("ada", "ben", "cleo"):
            table.viewers[guest].go()
        told.clear()
        await table.flip()
        assert [(seat, notice.text, notice.seq) for seat, notice in told] == (
            [(1, "Cleo has moved; it is your turn", 3)] if kit == SMOKE_BOMB else []
        )
        told.clear()
        if kit == SMOKE_BOMB:
            assert (await table.viewers["ben"].play("pass"))["type"] == "done"
            assert told == []
        table.wait(SECONDS)
        assert [seat for seat, _ in told] == [0, 1, 2]
        texts = [notice.text for _, notice in told]
        assert [texts[0], texts[2]] == 2 * ["Cleo has moved; it is your turn"]
        assert [notice.seq for _, notice in told] == [3, 4 if kit == SMOKE_BOMB else 3, 3]


async def test_a_bot_that_holds_something_is_asked_unseen_too(restart, monkeypatch):
    monkeypatch.setattr("fairdeal.server.tables.windows.SECONDS", 0.4)
    room = await restart(pause=0.01)
    table = await table_of(room, None, SMOKE_BOMB, chairs=("you", "greedy", "greedy"))
    await until(lambda: table.live.sitting.moves_made >= 2)  # the bots have flipped
    assert (await table.viewers["ada"].play("flip"))["type"] == "done"
    assert table.scene("ada")["prompt"]["text"] == "Does anybody play equipment?"
    await until(lambda: table.scene("ada")["seq"] > 3)
    assert all(not any(seat.get("acts") for seat in scene["seats"]) for scene in shown_in_windows(table, "ada"))


def shown_in_windows(table, guest):
    scenes = [message["scene"] for message in table.viewers[guest].heard if message.get("scene")]
    found = [scene for scene in scenes if "anybody play" in scene["prompt"]["text"]]
    assert found
    return found
