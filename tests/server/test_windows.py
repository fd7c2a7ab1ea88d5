"""Reaction windows of a live table: neither what is sent nor when tells who holds something to play."""

import copy
import itertools
import math
import random
import secrets
import time
from collections import Counter

import msgspec
import pytest

import fairdeal
from fairdeal.engine.state import State
from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import open_table
from fairdeal.server.room import PATIENCE
from fairdeal.server.tables import windows
from fairdeal.server.tables.seating import join
from fairdeal.server.tables.windows import SECONDS
from tests.server.in_process import Viewer, rows, until

OPTIONS = {"players": 3, "auto_sweep": True}
SMOKE_BOMB, GAUNTLET, FOR_PREPARATION, ALSO_FOR_PREPARATION = 6, 7, 9, 10
"""Two cards for the window after the flip, and two that are played before it."""


def position(kit, of_ada):
    """Return a round in which Cleo's ten takes two lower cards. Bo holds `kit`, Ada holds `of_ada`, and everybody sees
    that Cleo holds no equipment."""
    return {
        "round": 5,
        "slots": ["zombie/3"] * 8,
        "tax": ["zombie/4"] * 10,
        "store": [1, 2, 3, 4, 5],
        "seats": [
            {"army": ["ninja/5", "ninja/3", "ninja/4"], "hand": [of_ada]},
            {"army": ["princess/7", "princess/4", "princess/5"], "hand": [kit]},
            {"army": ["zombie/10", "zombie/3", "zombie/5"]},
        ],
    }


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
    """Return a message without the parts that every log entry changes: its number and the running hash."""
    found = copy.deepcopy(message)
    found.pop("chain", None)
    (found.get("scene") or {}).pop("seq", None)
    found["log"] = [{name: line[name] for name in line if name != "number"} for line in found.get("log", ())]
    return found


async def table_of(
    room, ticker, kit, max_rounds=9, chairs=("you", "person", "person"), of_ada=ALSO_FOR_PREPARATION, **wishes
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
        position(kit, of_ada) | {"options": {"max_rounds": max_rounds}}, seed=1
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
    assert table.scene("ada")["seq"] == 4


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
            for guest in ("ada", "dora"):
                facts = table.live.facts(guest)
                told = facts.moved, facts.seq, facts.acts, facts.status, room.last_lines.of(table.live, facts.seat)
                heard[kit].append(told)
            table.wait(SECONDS / 5)
    assert heard[SMOKE_BOMB] == heard[FOR_PREPARATION]
    assert {told[0] for told in heard[SMOKE_BOMB]} == {began}


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
            for number, request in enumerate([*looks, *REQUESTS]):
                request = msgspec.structs.replace(request, id=f"{guest} {number}")
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
    first = await ada.ask(m.Play(id="p", seq=seq, move="pass"))
    ada.heard.clear()
    assert await ada.ask(m.Play(id="p", seq=seq, move="pass")) == {"type": "done", "id": "p", "seq": first["seq"]}
    assert "everybody is still looking" in (await ada.ask(m.Play(id="q", seq=seq, move="pass")))["reason"]
    assert "everybody is still looking" in (await ada.ask(m.Play(id="s", seq=seq, move="flip")))["reason"]
    assert table.live.pace.windows.passed == {0}
    table.wait(2 * SECONDS)
    assert table.scene("ada")["sub"].endswith("round 6")
    assert table.live.pace.windows.passed == set()
    assert table.live.number == moved
    for guest in ("ada", "ben", "cleo"):
        assert (await table.viewers[guest].play("flip"))["type"] == "done"
    assert [choice["label"] for choice in table.scene("ada")["choices"]] == ["Pass"]


async def test_a_pass_for_an_earlier_moment_of_the_window_counts_for_a_seat_that_is_asked_since(room, ticker):
    table = await table_of(room, ticker, SMOKE_BOMB, of_ada=GAUNTLET)
    await table.flip()
    seq = table.scene("ben")["seq"]
    assert (await table.viewers["ada"].play("pass"))["type"] == "done"
    assert table.live.sitting.state.to_act == (1,)
    assert (await table.viewers["ben"].ask(m.Play(id="p", seq=seq, move="pass")))["type"] == "done"
    await until(lambda: table.live.sitting.state.to_act != (1,))
    assert table.live.sitting.log.moves[-1].text == "pass"


@pytest.mark.parametrize("guest", ["cleo", "dora"])
async def test_a_guest_who_cannot_be_asked_cannot_pass(room, ticker, guest):
    table = await table_of(room, ticker, FOR_PREPARATION)
    await table.flip()
    answer = await table.viewers[guest].ask(m.Play(id="p", seq=table.live.number, move="pass"))
    assert answer["type"] == "refused"
    assert not table.live.pace.windows.passed


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
